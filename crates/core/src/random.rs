//! Random streams keyed by purpose.
//!
//! Terms: a *seed* is the one number a run starts from; a *purpose* names what draws are for; a
//! *stream* belongs to one (seed, purpose, robot, channel); its draws at a tick depend on nothing
//! else. So no stream has a state to save, and adding a channel, a robot or a recorder shifts no
//! other draw.
//!
//! Model: draw n of a stream at tick t is `mix(mix(key + t·γ) + n·γ)` with the 64-bit finaliser and
//! the odd constant γ of `SplitMix64`.
//!
//! What it does not do: no cryptographic strength, no entropy from the machine.
//!
//! # Source
//! Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators" (`SplitMix64`).

use crate::math;
use crate::tick::Tick;

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The 64-bit finaliser: a bijection that spreads every input bit over the output.
#[inline]
pub const fn mix(bits: u64) -> u64 {
    let mut z = bits;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The root of every draw of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub u64);

/// What a stream is for, as the hash of its name.
///
/// # Example
/// ```
/// use tropism_core::Purpose;
/// const EXPLORATION: Purpose = Purpose::named("organism.exploration");
/// assert_ne!(EXPLORATION, Purpose::named("world.noise"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Purpose(u64);

impl Purpose {
    /// The purpose of this name; usable in constants.
    pub const fn named(name: &str) -> Self {
        Self(crate::hash::fnv1a_64(name.as_bytes()))
    }
}

impl Seed {
    /// The stream of one purpose for one robot and one channel.
    #[inline]
    pub const fn stream(self, purpose: Purpose, robot: u32, channel: u32) -> Stream {
        let place = ((robot as u64) << 32) | channel as u64;
        let key = mix(mix(self.0 ^ GAMMA).wrapping_add(purpose.0));
        Stream { key: mix(key ^ mix(place.wrapping_add(GAMMA))) }
    }

    /// A seed of its own for the `index`-th part of a run, such as one life of many.
    #[must_use]
    pub const fn derive(self, purpose: Purpose, index: u32) -> Self {
        Self(self.stream(purpose, index, u32::MAX).key)
    }
}

/// The draws of one (seed, purpose, robot, channel), addressed by tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
}

impl Stream {
    /// The 64 bits of this tick: one draw, the cheapest form.
    #[inline]
    pub const fn bits(self, tick: Tick) -> u64 {
        mix(self.key.wrapping_add(tick.0.wrapping_mul(GAMMA)))
    }

    /// As many draws as wanted at this tick.
    #[inline]
    pub const fn at(self, tick: Tick) -> Draws {
        Draws { state: self.bits(tick) }
    }

    /// The key, for kernels that derive many counters at once.
    #[inline]
    pub const fn key(self) -> u64 {
        self.key
    }
}

/// A sequence of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// 32 random bits.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Uniform in [0, 1), a multiple of 2⁻²⁴.
    #[inline]
    pub fn uniform(&mut self) -> f32 {
        uniform_of(self.next_u32())
    }

    /// Uniform in [−1, 1), a multiple of 2⁻²³.
    #[inline]
    pub fn signed_uniform(&mut self) -> f32 {
        self.uniform() * 2.0 - 1.0
    }

    /// Uniform in [lo, hi).
    #[inline]
    pub fn between(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.uniform()
    }

    /// Uniform in 0..n by multiplication; 0 when n is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// True with probability `numerator / denominator`; a zero denominator is never true.
    #[inline]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        denominator != 0 && self.below(denominator) < numerator
    }

    /// A standard normal draw; see [`normal_of`].
    #[inline]
    pub fn normal(&mut self) -> f32 {
        let coins = self.next_u64();
        normal_of(coins, self.next_u64())
    }
}

/// Uniform in [0, 1) from 32 bits, of which the upper 24 count.
#[inline]
pub fn uniform_of(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Bell-shaped draw of mean 0 and variance 1 from 64 bits: the sum of four uniform 16-bit numbers.
///
/// Range: ±√12 ≈ ±3.46, excess kurtosis −0.3. This is the exploration noise of the organism.
#[inline]
pub fn bell_of(bits: u64) -> f32 {
    let sum = (bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48);
    // Four uniforms on [0, 65535] have mean 131070 and variance 4·(65536² − 1)/12.
    (sum as i64 - 131_070) as f32 * 2.642_916_8e-5
}

/// Standard normal draw from 128 bits: 64 coin flips, smoothed by a triangular dither.
///
/// Model: z = (heads − 32 + u₁ + u₂ − 1) / √(16 + 1/6). Mean 0, variance 1, excess kurtosis −0.03,
/// range ±8.2; the distribution function is within 0.002 of the normal one everywhere.
#[inline]
pub fn normal_of(coins: u64, dither: u64) -> f32 {
    let heads = coins.count_ones() as i32 - 32;
    let u = ((dither >> 40) as i32 + ((dither >> 8) & 0xff_ffff) as i32) as f32;
    (heads as f32 + u * (1.0 / 16_777_216.0) - 1.0) * 0.248_706_2
}

/// Normal draw with this mean and standard deviation.
#[inline]
pub fn normal(draws: &mut Draws, mean: f32, sd: f32) -> f32 {
    mean + math::abs(sd) * draws.normal()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Stream = Seed(7).stream(Purpose::named("test"), 0, 0);

    fn moments(draw: impl Fn(u64) -> f32) -> [f64; 4] {
        let n = 200_000;
        let (mut mean, mut var, mut skew, mut kurt) = (0.0, 0.0, 0.0, 0.0);
        for t in 0..n {
            let x = f64::from(draw(t));
            mean += x;
            var += x * x;
            skew += x * x * x;
            kurt += x * x * x * x;
        }
        let n = n as f64;
        [mean / n, var / n, skew / n, kurt / n - 3.0]
    }

    #[test]
    fn unit_normal_has_the_stated_moments() {
        let [mean, var, skew, kurt] = moments(|t| STREAM.at(Tick(t)).normal());
        assert!(mean.abs() < 0.01 && (var - 1.0).abs() < 0.01, "{mean} {var}");
        assert!(skew.abs() < 0.03 && (kurt + 0.03).abs() < 0.04, "{skew} {kurt}");
    }

    #[test]
    fn unit_normal_follows_the_normal_distribution_function() {
        // Φ at −2, −1, −0.5, 0, 0.5, 1, 2.
        let points = [
            (-2.0, 0.022_75),
            (-1.0, 0.158_66),
            (-0.5, 0.308_54),
            (0.0, 0.5),
            (0.5, 0.691_46),
            (1.0, 0.841_34),
            (2.0, 0.977_25),
        ];
        let n = 400_000_u32;
        for (x, expected) in points {
            let below = (0..u64::from(n)).filter(|t| STREAM.at(Tick(*t)).normal() < x).count();
            let share = below as f64 / f64::from(n);
            assert!((share - expected).abs() < 0.004, "P(z < {x}) = {share}, not {expected}");
        }
    }

    #[test]
    fn unit_bell_has_the_stated_moments() {
        let [mean, var, skew, kurt] = moments(|t| bell_of(STREAM.bits(Tick(t))));
        assert!(mean.abs() < 0.01 && (var - 1.0).abs() < 0.01, "{mean} {var}");
        assert!(skew.abs() < 0.03 && (kurt + 0.3).abs() < 0.04, "{skew} {kurt}");
    }

    #[test]
    fn determinism_streams_of_other_purposes_robots_channels_and_ticks_differ() {
        let seed = Seed(1);
        let a = Purpose::named("a");
        let draws = [
            seed.stream(a, 0, 0).bits(Tick(0)),
            seed.stream(a, 0, 0).bits(Tick(1)),
            seed.stream(a, 1, 0).bits(Tick(0)),
            seed.stream(a, 0, 1).bits(Tick(0)),
            seed.stream(Purpose::named("b"), 0, 0).bits(Tick(0)),
            Seed(2).stream(a, 0, 0).bits(Tick(0)),
            seed.derive(a, 0).stream(a, 0, 0).bits(Tick(0)),
        ];
        for (i, x) in draws.iter().enumerate() {
            for y in &draws[i + 1..] {
                assert_ne!(x, y);
            }
        }
    }

    #[test]
    fn golden_first_draws_never_change() {
        // A change here changes every life anybody has recorded.
        let stream = Seed(1).stream(Purpose::named("golden"), 2, 3);
        let mut draws = stream.at(Tick(4));
        let seen = [stream.bits(Tick(0)), draws.next_u64(), draws.next_u64()];
        assert_eq!(seen, GOLDEN, "{seen:#x?}");
    }

    const GOLDEN: [u64; 3] = [0xc138_58d9_2ed6_1cd2, 0x97c5_8e9e_a4e1_74d3, 0x8bb8_ddca_079b_a3f2];

    #[test]
    fn unit_below_covers_its_range_evenly() {
        let mut counts = [0_u32; 7];
        let mut draws = STREAM.at(Tick(0));
        for _ in 0..70_000 {
            counts[draws.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
        assert_eq!(draws.below(0), 0);
        assert!(!draws.chance(1, 0));
    }
}

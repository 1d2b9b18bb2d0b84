//! The random generator the obstacle courses were made with.
//!
//! Terms: PCG64 is a 128-bit linear congruential generator with the XSL-RR output; a seed is spread
//! over its state by hashing a pool of four 32-bit words.
//!
//! The courses are part of a published comparison, so they must come out the same here as there:
//! these are the integer recurrences of that generator, checked against its recorded output. All
//! other randomness of the project uses `tropism_core::random`.
//!
//! What it does not do: no other distributions than the two the courses and baselines need.
//!
//! # Source
//! M. O'Neill 2014 (PCG); G. Marsaglia and W. W. Tsang 2000 (ziggurat).

use tropism_core::math::f64 as math;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// PCG64 with a ziggurat for normal draws.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u128,
    increment: u128,
}

/// Hashes one word into the pool's running constant.
fn hash(value: u32, constant: &mut u32) -> u32 {
    let mut v = value ^ *constant;
    *constant = constant.wrapping_mul(0x931e_8875);
    v = v.wrapping_mul(*constant);
    v ^ (v >> 16)
}

/// Joins two words.
fn mix(x: u32, y: u32) -> u32 {
    let joined = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    joined ^ (joined >> 16)
}

impl Generator {
    /// The generator of this seed.
    pub fn new(seed: u32) -> Self {
        let mut constant = 0x43b0_d7e5;
        let mut pool = [0_u32; 4];
        for (at, word) in pool.iter_mut().enumerate() {
            *word = hash(if at == 0 { seed } else { 0 }, &mut constant);
        }
        for from in 0..4 {
            for to in 0..4 {
                if from != to {
                    pool[to] = mix(pool[to], hash(pool[from], &mut constant));
                }
            }
        }
        let mut constant = 0x8b51_f9dd_u32;
        let mut words = [0_u32; 8];
        for (at, word) in words.iter_mut().enumerate() {
            let mut v = pool[at % 4] ^ constant;
            constant = constant.wrapping_mul(0x58f3_8ded);
            v = v.wrapping_mul(constant);
            *word = v ^ (v >> 16);
        }
        let long = |at: usize| u128::from(words[at]) | u128::from(words[at + 1]) << 32;
        let (start, stream) = (long(0) << 64 | long(2), long(4) << 64 | long(6));
        let increment = stream << 1 | 1;
        let mut generator = Self { state: 0, increment };
        generator.advance();
        generator.state = generator.state.wrapping_add(start);
        generator.advance();
        generator
    }

    fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.advance();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

const LAYERS: usize = 256;
/// Where the tail begins.
const TAIL: f64 = 3.654_152_885_361_009;
/// Area of each layer.
const AREA: f64 = 0.004_928_673_233_992_336;
const SCALE: f64 = 4_503_599_627_370_496.0;

/// Tables of the ziggurat over the normal density.
#[derive(Clone, Debug)]
pub struct Normal {
    accept: [u64; LAYERS],
    width: [f64; LAYERS],
    height: [f64; LAYERS],
}

impl Default for Normal {
    fn default() -> Self {
        Self::new()
    }
}

impl Normal {
    /// Builds the tables.
    pub fn new() -> Self {
        let density = |x: f64| math::exp(-0.5 * x * x);
        let (mut accept, mut width, mut height) = ([0; LAYERS], [0.0; LAYERS], [0.0; LAYERS]);
        let base = AREA / density(TAIL);
        accept[0] = (TAIL / base * SCALE) as u64;
        width[0] = base / SCALE;
        width[LAYERS - 1] = TAIL / SCALE;
        height[0] = 1.0;
        height[LAYERS - 1] = density(TAIL);
        let mut outer = TAIL;
        for layer in (1..LAYERS - 1).rev() {
            let x = math::sqrt(-2.0 * math::ln(AREA / outer + density(outer)));
            accept[layer + 1] = (x / outer * SCALE) as u64;
            width[layer] = x / SCALE;
            height[layer] = density(x);
            outer = x;
        }
        Self { accept, width, height }
    }

    /// A standard normal draw.
    pub fn draw(&self, generator: &mut Generator) -> f64 {
        loop {
            let bits = generator.next_u64();
            let layer = (bits & 0xff) as usize;
            let rest = bits >> 8;
            let magnitude = rest >> 1 & 0x000f_ffff_ffff_ffff;
            let x = magnitude as f64 * self.width[layer];
            let x = if rest & 1 == 1 { -x } else { x };
            if magnitude < self.accept[layer] {
                return x;
            }
            if layer == 0 {
                return Self::tail(generator, rest >> 9 & 1 == 1);
            }
            let between = self.height[layer - 1] - self.height[layer];
            if between * generator.unit() + self.height[layer] < math::exp(-0.5 * x * x) {
                return x;
            }
        }
    }

    fn tail(generator: &mut Generator, is_negative: bool) -> f64 {
        loop {
            let x = -math::ln(1.0 - generator.unit()) / TAIL;
            let y = -math::ln(1.0 - generator.unit());
            if y + y > x * x {
                return if is_negative { -(TAIL + x) } else { TAIL + x };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_uniform_and_normal_draws_are_those_of_the_recorded_generator() {
        let mut generator = Generator::new(1000);
        for expected in [1.649_187_197_342_644_2, 1.838_836_248_114_558, 1.533_166_133_841_184] {
            assert!((generator.uniform(0.45, 2.75) - expected).abs() < 1e-15);
        }
        let (normal, mut generator) = (Normal::new(), Generator::new(0));
        for expected in [0.125_730_221_093_393_3, -0.132_104_863_291_301_9, 0.640_422_650_443_282_1]
        {
            let drawn = normal.draw(&mut generator);
            assert!((drawn - expected).abs() < 1e-11, "{drawn} {expected}");
        }
        // 20,000 draws pass through the edges of the layers and the tail.
        let mut generator = Generator::new(5);
        let draws: Vec<f64> = (0..20_000).map(|_| normal.draw(&mut generator)).collect();
        assert!((draws.iter().sum::<f64>() - 281.431_516_778_180_4).abs() < 1e-6);
        assert!((draws.iter().copied().fold(0.0, f64::max) - 3.754_590_455_347_91).abs() < 1e-10);
        assert!((draws.iter().copied().fold(0.0, f64::min) + 4.023_889_287_038_275).abs() < 1e-10);
    }
}

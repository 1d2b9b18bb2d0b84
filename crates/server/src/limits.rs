//! How much a client may ask for, and for how long.

use core::time::Duration;

/// Limits of a server; the defaults are those of `tropism lab`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `WebSocket`s open at once; the next one gets status 503.
    pub sockets: usize,
    /// TCP connections open at once; further ones wait to be accepted.
    pub connections: usize,
    /// Requests per second a socket may send for long.
    pub requests_per_s: f64,
    /// Requests a socket may send at once.
    pub requests_burst: f64,
    /// Messages that may wait for a client; with one more it is closed.
    pub waiting_messages: usize,
    /// Bytes of messages that may wait for a client; with more it is closed.
    pub waiting_bytes: usize,
    /// Longest time one message may take to be taken by a client.
    pub send_time: Duration,
    /// A socket from which nothing came for so long is closed; it is pinged three times before.
    pub idle_time: Duration,
    /// A connection on which no byte came or went for so long is closed.
    pub quiet_time: Duration,
    /// Shortest time between two frames of playing.
    pub frame_time: Duration,
    /// Most starts of one grading.
    pub grade_starts: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets: 64,
            connections: 512,
            requests_per_s: 200.0,
            requests_burst: 400.0,
            waiting_messages: 256,
            waiting_bytes: 32 << 20,
            send_time: Duration::from_secs(10),
            idle_time: Duration::from_mins(1),
            quiet_time: Duration::from_secs(90),
            frame_time: Duration::from_micros(33_333),
            grade_starts: 2000,
        }
    }
}

/// Longest body of an upload that is read and thrown away, so that the client gets to read why it
/// was refused.
pub(crate) const DRAINED_BYTES_MAX: u64 = 64 << 20;

/// Longest time for that.
pub(crate) const DRAINED_TIME_MAX: Duration = Duration::from_secs(5);

/// A bucket that fills with time and gives one token per request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    per_s: f64,
    most: f64,
}

impl Bucket {
    pub(crate) fn new(limits: &Limits) -> Self {
        let most = limits.requests_burst;
        Self { tokens: most, per_s: limits.requests_per_s, most }
    }

    /// Takes a token after so much more time; false when there is none.
    pub(crate) fn take(&mut self, elapsed: Duration) -> bool {
        self.tokens = (self.tokens + elapsed.as_secs_f64() * self.per_s).min(self.most);
        let is_there = self.tokens >= 1.0;
        self.tokens -= f64::from(u8::from(is_there));
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_bucket_gives_its_burst_then_its_rate() {
        let limits = Limits { requests_per_s: 10.0, requests_burst: 3.0, ..Limits::default() };
        let mut bucket = Bucket::new(&limits);
        let now = |bucket: &mut Bucket| bucket.take(Duration::ZERO);
        assert_eq!([(); 4].map(|()| now(&mut bucket)), [true, true, true, false]);
        assert!(bucket.take(Duration::from_millis(100)));
        assert!(!now(&mut bucket));
        // However long it rests, it holds its burst and no more.
        assert!(bucket.take(Duration::from_hours(1)));
        assert_eq!([(); 3].map(|()| now(&mut bucket)), [true, true, false]);
    }
}

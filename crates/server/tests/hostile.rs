//! Goal: clients that never read, flood, send garbage or come by the hundred slow nobody down and
//! leave nothing behind.
//! Method: the main session plays. Beside it a *witness*, a thread of this process that counts the
//! ticks a pacer asks for and does nothing else, runs on the same loaded machine: the session has
//! to do as many ticks as the witness counts, within 5 %. Memory is what the system says this
//! process occupies.
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

extern crate alloc;

mod common;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use common::{Lab, PATIENCE, Socket};
use tropism_core::TimeStep;
use tropism_server::{Limits, Options};
use tropism_session::Pacer;

const LOAD: &str =
    r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"standard"}}}"#;
const SPEED: f64 = 20.0;

/// Ticks that a pacer asks for until it is told to stop.
struct Witness {
    is_over: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<u64>,
}

impl Witness {
    fn start() -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let (mut pacer, mut ticks, mut counted) = (Pacer::default(), 0, Instant::now());
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(2));
                let now = Instant::now();
                ticks += pacer.due((now - counted).as_secs_f64(), SPEED, TimeStep::TWENTIETH);
                counted = now;
            }
            ticks
        });
        Self { is_over, thread }
    }

    fn stop(self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

fn done(lab: &Lab) -> u64 {
    lab.status()["ticks_done"].as_u64().unwrap()
}

/// Sets the speed of the main session.
fn speed_up(lab: &Lab) {
    let mut socket = lab.socket("/session?share");
    socket.say(&format!(r#"{{"id":1,"command":{{"do":"speed","factor":{SPEED}}}}}"#));
    socket.until("done");
}

/// Occupied memory of this process, bytes; `None` where the system does not say.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

/// Lets things happen beside the main session, which must keep its rate.
fn at_rate(lab: &Lab, happens: impl FnOnce()) {
    speed_up(lab);
    let before = done(lab);
    let witness = Witness::start();
    let begun = Instant::now();
    happens();
    // Long enough for a tick or two at either end to be less than 1 %.
    std::thread::sleep(Duration::from_secs(3).saturating_sub(begun.elapsed()));
    let wanted = witness.stop() as f64;
    let ticks = (done(lab) - before) as f64;
    assert!(wanted > 300.0, "the witness counted {wanted} ticks");
    assert!((ticks / wanted - 1.0).abs() < 0.05, "{ticks} ticks of {wanted}");
    lab.wait_for(|s| s["sockets"] == 0 && s["followers"] == 0);
}

fn limits() -> Limits {
    Limits {
        send_time: Duration::from_secs(1),
        idle_time: Duration::from_secs(4),
        ..Limits::default()
    }
}

fn lab() -> Lab {
    Lab::start(Options { limits: limits(), ..Options::default() })
}

#[test]
fn edge_clients_that_never_read_are_closed_and_slow_nobody() {
    let lab = lab();
    let before = memory();
    let mut deaf: Vec<Socket> = Vec::new();
    at_rate(&lab, || {
        // These follow the run and read nothing: frames pile up in their sockets, then nowhere.
        deaf.extend((0..8).map(|_| lab.socket("/session?share")));
        // These ask and do not read the answers.
        for _ in 0..8 {
            let mut socket = lab.socket("/session");
            socket.say(LOAD);
            let step = r#"{"id":2,"command":{"do":"step","ticks":1}}"#;
            socket.0.get_mut().set_write_timeout(Some(Duration::from_millis(50))).unwrap();
            for _ in 0..350 {
                if socket.0.send(tungstenite::Message::text(step)).is_err() {
                    break;
                }
            }
            deaf.push(socket);
        }
        // All of them are open, read nothing, answer no ping: they are closed within the limit.
        lab.wait_for(|s| s["sockets"] == 0);
    });
    if let (Some(before), Some(after)) = (before, memory()) {
        let grown = after.saturating_sub(before);
        assert!(grown < 200 << 20, "{grown} bytes more");
    }
}

#[test]
fn edge_floods_end_with_a_reason_and_slow_nobody() {
    let lab = lab();
    at_rate(&lab, || {
        for _ in 0..4 {
            let mut socket = lab.socket("/session");
            let pause = r#"{"id":3,"command":{"do":"pause"}}"#;
            for _ in 0..3000 {
                if socket.0.send(tungstenite::Message::text(pause)).is_err() {
                    break;
                }
            }
            let mut last = String::new();
            let code = loop {
                match socket.next() {
                    Ok(message) => {
                        last = message["fault"]["what"].as_str().unwrap_or("").to_owned();
                    }
                    Err(code) => break code,
                }
            };
            assert!(last.contains("200 requests per second"), "{last}");
            assert_eq!(code, 1008);
        }
    });
}

#[test]
fn edge_garbage_on_the_wire_slows_nobody() {
    let lab = lab();
    at_rate(&lab, || {
        for kind in 0..30 {
            let mut stream = TcpStream::connect(lab.address).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let garbage: Vec<u8> = (0..5000_u32).map(|i| (i * 37 + kind) as u8).collect();
            let head = format!(
                "GET /session HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
                 sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                lab.address
            );
            if kind % 2 == 0 {
                stream.write_all(head.as_bytes()).unwrap();
            }
            let _closed_early = stream.write_all(&garbage);
            let mut rest = Vec::new();
            let _reset = stream.shutdown(std::net::Shutdown::Write);
            let _reset = stream.read_to_end(&mut rest);
        }
        let mut socket = lab.socket("/session");
        socket.0.send(tungstenite::Message::binary(vec![1, 2, 3])).unwrap();
        assert_eq!(socket.until("refused")["fault"]["what"], "a request is text, not binary");
        assert_eq!(socket.next(), Err(1003));
    });
}

#[test]
fn edge_two_hundred_at_once_get_a_session_or_a_clear_answer() {
    let lab = lab();
    at_rate(&lab, || {
        let results: Vec<Result<Socket, u16>> = std::thread::scope(|scope| {
            let lab = &lab;
            let threads: Vec<_> =
                (0..200).map(|_| scope.spawn(|| lab.try_socket("/session", &[]))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let open = results.iter().filter(|r| r.is_ok()).count();
        assert_eq!(open, 64);
        assert!(results.iter().all(|r| matches!(r, Ok(_) | Err(503))));
        assert_eq!(lab.status()["sockets"], 64);
        // Other requests are still answered.
        assert_eq!(lab.get("/api/hello").status, 200);
    });
    assert!(lab.try_socket("/session", &[]).is_ok());
}

#[test]
fn edge_a_request_of_sixteen_megabytes_is_refused_with_the_limit() {
    let lab = lab();
    at_rate(&lab, || {
        let mut socket = lab.socket("/session");
        socket.say(LOAD);
        let text = "x".repeat(16 << 20);
        let _closed_early = socket.0.send(tungstenite::Message::text(text));
        let refused = socket.until("refused");
        assert_eq!(refused["fault"]["what"], "a request has at most 1048576 bytes");
        assert_eq!(socket.next(), Err(1009));
    });
}

#[test]
fn edge_silent_connections_are_closed() {
    let few = Limits { quiet_time: Duration::from_millis(500), ..limits() };
    let lab = Lab::start(Options { limits: few, ..Options::default() });
    let mut silent: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(lab.address).unwrap()).collect();
    for stream in &mut silent {
        stream.write_all(b"GET / HT").unwrap();
    }
    // The one that asks is open while it asks.
    lab.wait_for(|s| s["connections"].as_u64() >= Some(20));
    lab.wait_for(|s| s["connections"].as_u64() <= Some(2));
}

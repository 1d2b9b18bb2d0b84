//! A server in a thread, and clients that do as they are told.
#![allow(dead_code, reason = "each test file uses a part of it")]

use core::net::SocketAddr;
use core::time::Duration;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

use serde_json::Value;
use tropism_server::{Options, Server};
use tungstenite::{Message, WebSocket};

/// Longest wait for anything, so that a fault shows as a failed test and not as one without end.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A server that ends with its owner.
pub(crate) struct Lab {
    pub(crate) address: SocketAddr,
    pub(crate) url: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Lab {
    pub(crate) fn start(options: Options) -> Self {
        let options = Options { port: Some(0), ..options };
        let (told, hear) = channel();
        let (end, ended) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::start(options).await.unwrap();
                told.send((server.address(), server.url())).unwrap();
                let until = async {
                    let _owner_gone = ended.await;
                };
                server.run(until).await.unwrap();
            });
        });
        let (address, url) = hear.recv_timeout(PATIENCE).unwrap();
        Self { address, url, end: Some(end), thread: Some(thread) }
    }

    pub(crate) fn usual() -> Self {
        Self::start(Options::default())
    }

    /// A reply to a request with these further header lines.
    pub(crate) fn ask(&self, method: &str, path: &str, head: &[&str], body: &[u8]) -> Reply {
        let has_host = head.iter().any(|line| line.to_ascii_lowercase().starts_with("host:"));
        let host = format!("host: {}", self.address);
        let length = format!("content-length: {}", body.len());
        let first = format!("{method} {path} HTTP/1.0");
        let mut lines = vec![first.as_str()];
        lines.extend((!has_host).then_some(host.as_str()));
        lines.extend(head);
        lines.extend([length.as_str(), "", ""]);
        let text = lines.join("\r\n");
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        // A server that refuses early may stop reading: its reply counts, not the write.
        let _refused_early = stream.write_all(body);
        let mut bytes = Vec::new();
        let _reset_after_reply = stream.read_to_end(&mut bytes);
        Reply::of(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], &[])
    }

    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Reply {
        self.ask("POST", path, &["content-type: application/json"], body)
    }

    /// A WebSocket.
    pub(crate) fn socket(&self, path: &str) -> Socket {
        self.try_socket(path, &[]).unwrap()
    }

    /// A WebSocket, or the status it was refused with.
    pub(crate) fn try_socket(
        &self,
        path: &str,
        head: &[(&'static str, &str)],
    ) -> Result<Socket, u16> {
        use tungstenite::client::IntoClientRequest as _;
        let url = format!("ws://{}{path}", self.address);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in head {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(reply))) => {
                Err(reply.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn status(&self) -> Value {
        self.get("/api/status").json()
    }

    /// Waits until the status is as wanted.
    pub(crate) fn wait_for(&self, is_so: impl Fn(&Value) -> bool) {
        let begun = std::time::Instant::now();
        while !is_so(&self.status()) {
            assert!(begun.elapsed() < PATIENCE, "{}", self.status());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        drop(self.end.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the server ends by itself");
        }
    }
}

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        });
        line.unwrap_or_default()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// A client of a session.
pub(crate) struct Socket(pub(crate) WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// The next text; `Err` with the code when the server closes.
    pub(crate) fn next_text(&mut self) -> Result<String, u16> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Ok(text.as_str().to_owned()),
                Ok(Message::Close(frame)) => {
                    return Err(frame.map_or(0, |frame| u16::from(frame.code)));
                }
                Ok(_) => {}
                Err(_) => return Err(0),
            }
        }
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Result<Value, u16> {
        self.next_text().map(|text| serde_json::from_str(&text).unwrap())
    }

    /// Reads on until a message of this type.
    pub(crate) fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().unwrap();
            if message["type"] == kind {
                return message;
            }
        }
    }
}

//! Goal: `tropism lab` says where it is, refuses to be open to others, and ends when told.
//! Method: the built binary, a raw request, signals.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use core::time::Duration;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

struct Lab {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
}

impl Lab {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tropism"))
            .args(["lab", "--port", "0"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}"));
        let address = address.split('/').next().unwrap().to_owned();
        Self { child, out, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nhost: {}\r\n\r\n", self.address).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ended_before = self.child.kill();
        let _ended_before = self.child.wait();
    }
}

#[test]
fn edge_lab_prints_its_address_and_ends_by_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("s.toml"),
        "kind = 'scenario'\nname = 'mine'\nworld = 'standard'\nmind = 'random_walk'\n",
    )
    .unwrap();
    let mut lab = Lab::start(folder.path(), &["s.toml"]);
    assert!(lab.get("/api/hello").contains("\"has_beginning\":true"));
    assert!(lab.get("/api/channels").contains("stepper_left"));
    lab.signal("-INT");
    let mut rest = String::new();
    lab.out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "to close it, press Ctrl-C here\nclosed\n");
    assert!(lab.child.wait().unwrap().success());
}

fn refused(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tropism")).arg("lab").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn edge_lab_says_why_it_does_not_start() {
    let text = refused(&["--bind", "0.0.0.0", "--port", "0"]);
    assert!(text.contains("0.0.0.0 can be reached by others"), "{text}");
    let text = refused(&["--bind", "0.0.0.0", "--port", "0", "--token", "short"]);
    assert!(text.contains("at least 8 characters"), "{text}");
    let text = refused(&["nowhere.toml"]);
    assert!(text.contains("nowhere.toml"), "{text}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let text = refused(&["--port", &port]);
    assert!(text.contains("--port 0"), "{text}");
}

#[test]
fn determinism_a_script_of_requests_is_answered_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("requests.jsonl");
    let requests = [
        r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"standard"}}}"#,
        r#"{"id":2,"command":{"do":"step","ticks":100}}"#,
        "",
        r#"{"id":3,"command":{"do":"fly"}}"#,
    ];
    std::fs::write(&script, requests.join("\n")).unwrap();
    let said = || {
        let output = Command::new(env!("CARGO_BIN_EXE_tropism"))
            .args(["lab", "--script"])
            .arg(&script)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let once = said();
    assert_eq!(once, said());
    let kinds: Vec<String> = (once.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].to_string())
        .collect();
    let expected = ["hello", "done", "stage", "frame", "done", "frame", "refused"];
    assert_eq!(kinds, expected.map(|kind| format!("\"{kind}\"")));
}

#[test]
fn edge_a_recording_outlives_the_program_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut lab = Lab::start(folder.path(), &[]);
    let stream = TcpStream::connect(&lab.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let url = format!("ws://{}/session", lab.address);
    let (mut socket, _) = tungstenite::client(url, stream).unwrap();
    let mut ask = |id: u32, command: &str| {
        let text = format!(r#"{{"id":{id},"command":{{{command}}}}}"#);
        socket.send(tungstenite::Message::text(text)).unwrap();
        loop {
            let tungstenite::Message::Text(text) = socket.read().unwrap() else { continue };
            let message: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_ne!(message["type"], "refused", "{message}");
            if message["type"] == "done" && message["id"] == id {
                return;
            }
        }
    };
    ask(1, r#""do":"load","source":{"from":"built_in","name":"standard"}"#);
    ask(2, r#""do":"record","name":"cut""#);
    ask(3, r#""do":"step","ticks":500"#);
    ask(4, r#""do":"drive","actuator":"head_pan","value":1"#);
    ask(5, r#""do":"step","ticks":700"#);
    ask(6, r#""do":"drive","actuator":"head_pan","value":0"#);
    lab.signal("-KILL");
    lab.child.wait().unwrap();
    let lab = Lab::start(folder.path(), &[]);
    let listed = lab.get("/api/recordings");
    let (_, body) = listed.split_once("\r\n\r\n").unwrap();
    let listed: serde_json::Value = serde_json::from_str(body).unwrap();
    let cut = &listed["recordings"][0];
    assert_eq!((&cut["name"], &cut["is_cut"]), (&"cut".into(), &true.into()), "{listed}");
    assert!(cut["ticks"].as_u64() >= Some(1200), "{listed}");
    let text = lab.get("/api/recordings/cut");
    assert!(text.contains("\"drive\"") && text.contains("attachment"), "{text}");
    assert!(lab.get("/api/recordings/..%2Fcut").starts_with("HTTP/1.0 404"));
}

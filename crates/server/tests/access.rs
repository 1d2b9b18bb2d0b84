//! Goal: nobody but the owner gets in, and what comes out is marked as what it is.
//! Method: requests as browsers and others would send them.
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod common;

use common::Lab;
use tropism_server::{Options, ServerError};

#[test]
fn edge_another_address_needs_a_token() {
    let open = Options { address: "0.0.0.0".parse().unwrap(), ..Options::default() };
    assert!(matches!(open.check(), Err(ServerError::Exposed(_))));
    assert!(open.check().unwrap_err().to_string().contains("--token"));
    let short = Options { token: Some("short".into()), ..open.clone() };
    assert!(matches!(short.check(), Err(ServerError::Token(8))));
    let odd = Options { token: Some("a&b=c d ee".into()), ..open.clone() };
    assert!(matches!(odd.check(), Err(ServerError::Token(8))));
    assert!(Options { token: Some("good-token-1".into()), ..open }.check().is_ok());
}

#[test]
fn edge_without_the_token_there_is_only_the_page() {
    let token = Some("good-token-1".to_owned());
    let lab = Lab::start(Options { token, ..Options::default() });
    assert!(lab.url.ends_with("/?token=good-token-1"), "{}", lab.url);
    for path in ["/api/hello", "/api/channels", "/api/state", "/log.csv", "/api/openapi.json"] {
        let reply = lab.get(path);
        assert_eq!(reply.status, 401, "{path}");
        assert!(reply.error().contains("?token="), "{reply:?}");
    }
    assert_eq!(lab.try_socket("/session", &[]).err(), Some(401));
    assert_eq!(lab.try_socket("/ws", &[]).err(), Some(401));
    assert_eq!(lab.get("/api/hello?token=good-token-2").status, 401);
    assert_eq!(lab.get("/api/hello?token=good-token-1").status, 200);
    let bearer = "authorization: Bearer good-token-1";
    assert_eq!(lab.ask("GET", "/api/hello", &[bearer], &[]).status, 200);
    assert!(lab.try_socket("/session?token=good-token-1", &[]).is_ok());
    // The page hands the token on as a cookie, so that all its own requests carry it.
    let page = lab.get("/?token=good-token-1");
    let cookie = page.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(lab.ask("GET", "/api/hello", &[&format!("cookie: {cookie}")], &[]).status, 200);
    assert!(lab.try_socket("/session", &[("cookie", cookie)]).is_ok());
    assert_eq!(lab.get("/").header("set-cookie"), "");
}

#[test]
fn edge_foreign_pages_and_names_are_refused() {
    let lab = Lab::usual();
    let own = format!("http://{}", lab.address);
    let port = lab.address.port();
    for (host, status) in [
        ("evil.example".to_owned(), 403),
        (format!("10.1.2.3:{port}"), 403),
        (format!("localhost:{port}"), 200),
        (format!("127.0.0.1:{port}"), 200),
    ] {
        let reply = lab.ask("GET", "/api/hello", &[&format!("host: {host}")], &[]);
        assert_eq!(reply.status, status, "{host}");
    }
    assert_eq!(lab.try_socket("/session", &[("origin", "http://evil.example")]).err(), Some(403));
    assert_eq!(lab.try_socket("/ws", &[("origin", "null")]).err(), Some(403));
    assert!(lab.try_socket("/session", &[("origin", &own)]).is_ok());
    let post = |origin: &str| lab.ask("POST", "/api/state", &[&format!("origin: {origin}")], b"{");
    let refused = post("http://evil.example");
    assert_eq!(refused.status, 403);
    assert!(refused.error().contains("evil.example"), "{refused:?}");
    assert_eq!(post(&own).status, 400);
    assert_eq!(lab.ask("DELETE", "/api/experiments/x", &["origin: http://a.b"], &[]).status, 403);
}

#[test]
fn edge_replies_say_what_they_are_and_what_they_may_do() {
    let lab = Lab::usual();
    let page = lab.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-cache");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'self'") && policy.contains("'wasm-unsafe-eval'"));
    assert!(!policy.contains("'unsafe-eval'") && !policy.contains('*'), "{policy}");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("access-control-allow-origin"), "");
    let has_page = lab.get("/api/hello").json()["has_page"] == true;
    assert_eq!(page.body.contains("cargo xtask web"), !has_page);
    let missing = lab.get("/nothing/here.js");
    assert_eq!(missing.status, 404);
    assert_eq!(missing.error(), "there is no `/nothing/here.js` here");
    assert_eq!(lab.get("/../../Cargo.toml").status, 404);
    assert_eq!(lab.get("/%2e%2e/%2e%2e/Cargo.toml").status, 404);
    let described = lab.get("/api/openapi.json").json();
    let paths = described["paths"].as_object().unwrap();
    for path in [
        "/session",
        "/ws",
        "/log.csv",
        "/api/channels",
        "/api/contingency",
        "/api/spatial",
        "/api/state",
        "/api/grade",
        "/api/tasks",
        "/api/experiments",
        "/api/recordings",
        "/api/status",
        "/api/hello",
    ] {
        assert!(paths.contains_key(path), "{path} is not described");
    }
}

//! Who may talk to the server.
//!
//! Terms: a page of another origin that talks to a server on this machine is the danger of a local
//! server; so is a foreign name that was made to point to this machine (*rebinding*).
//!
//! What it does not do: it encrypts nothing. A token on a network that others listen to is known
//! to them.

use alloc::sync::Arc;
use core::net::{IpAddr, Ipv6Addr};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE, UPGRADE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::reply::refusal;

/// Name of the cookie that carries the token from the page on.
const TOKEN_COOKIE: &str = "tropism_token";

/// Shortest token.
pub(crate) const TOKEN_BYTES_MIN: usize = 8;

/// What a token may be made of, so that it goes through an address unchanged.
pub(crate) fn is_token(token: &str) -> bool {
    token.len() >= TOKEN_BYTES_MIN
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// The rules of one server.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) token: Option<String>,
}

/// Refuses what may not pass, and says what pages may do.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let rules = &app.rules;
    let headers = request.headers();
    if let Err(why) = rules.host(headers).and_then(|()| origin(request.method(), headers)) {
        return with_headers(refusal(StatusCode::FORBIDDEN, &why));
    }
    let given = rules.given(request.uri().query(), headers);
    let is_private = is_private(request.uri().path());
    if is_private && given == Given::Nothing {
        let why = "a token is needed: open the address that `tropism lab` printed, with ?token=";
        return with_headers(refusal(StatusCode::UNAUTHORIZED, why));
    }
    let mut response = with_headers(next.run(request).await);
    if let (Given::InAddress, Some(token), false) = (given, &rules.token, is_private) {
        let cookie = format!("{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
    }
    response
}

/// The page is public like its source; everything else is not.
fn is_private(path: &str) -> bool {
    ["/api", "/ws", "/session", "/log.csv"]
        .iter()
        .any(|p| path.strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// What a page from here may do; pages that are sent with a policy of their own keep it.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-cache"),
    ] {
        let name = HeaderName::from_static(name);
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// No token, or a wrong one, though one is needed.
    Nothing,
    /// The right one in the address.
    InAddress,
    /// The right one elsewhere, or none is needed.
    Else,
}

impl Rules {
    /// The name by which the server was called must not be one that anybody can make point here.
    fn host(&self, headers: &HeaderMap) -> Result<(), String> {
        let host = headers.get(HOST).and_then(|h| h.to_str().ok()).unwrap_or_default();
        let name = name_of(host);
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_fine = match address {
            Ok(address) => self.token.is_some() || is_here(address),
            // Who made the name point here does not know the token.
            Err(_) => name.eq_ignore_ascii_case("localhost") || self.token.is_some(),
        };
        if is_fine {
            return Ok(());
        }
        let shown: String = host.chars().take(80).collect();
        Err(format!(
            "`{shown}` is no name of this server; use http://127.0.0.1 or http://localhost"
        ))
    }

    fn given(&self, query: Option<&str>, headers: &HeaderMap) -> Given {
        let Some(token) = &self.token else { return Given::Else };
        let in_query =
            query.unwrap_or_default().split('&').filter_map(|p| p.strip_prefix("token="));
        if in_query.into_iter().any(|given| is_equal(given, token)) {
            return Given::InAddress;
        }
        let text = |name: HeaderName| headers.get(name).and_then(|v| v.to_str().ok());
        let bearer = text(AUTHORIZATION).and_then(|v| v.strip_prefix("Bearer "));
        let cookies = text(COOKIE).unwrap_or_default();
        let cookie =
            (cookies.split("; ")).filter_map(|c| c.strip_prefix(TOKEN_COOKIE)?.strip_prefix('='));
        let is_given = bearer.into_iter().chain(cookie).any(|given| is_equal(given, token));
        if is_given { Given::Else } else { Given::Nothing }
    }
}

/// A page of another origin may not change or follow anything.
fn origin(method: &Method, headers: &HeaderMap) -> Result<(), String> {
    let is_reading = matches!(*method, Method::GET | Method::HEAD);
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    if is_reading && !headers.contains_key(UPGRADE) {
        return Ok(());
    }
    let host = headers.get(HOST).and_then(|h| h.to_str().ok()).unwrap_or_default();
    let origin = origin.to_str().unwrap_or_default();
    let is_own = ["http://", "https://"]
        .iter()
        .any(|s| origin.strip_prefix(s).is_some_and(|rest| rest.eq_ignore_ascii_case(host)));
    if is_own {
        return Ok(());
    }
    let shown: String = origin.chars().take(80).collect();
    Err(format!("a page of `{shown}` may not use this server; only its own page may"))
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    match host.rfind(':') {
        Some(colon) if !host[colon..].contains(']') => &host[..colon],
        _ => host,
    }
}

fn is_here(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback(),
        IpAddr::V6(v6) => v6 == Ipv6Addr::LOCALHOST,
    }
}

/// Takes the same time wherever the first difference is.
fn is_equal(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |d, (a, b)| d | (a ^ b));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn unit_only_names_of_this_machine_pass_without_a_token() {
        let rules = Rules { token: None };
        for host in ["127.0.0.1:7878", "localhost", "LocalHost:1", "[::1]:7878", "[::1]"] {
            assert_eq!(rules.host(&headers(&[("host", host)])), Ok(()), "{host}");
        }
        for host in ["evil.example:7878", "10.0.0.7", "localhost.evil.example", "", "[::2]:1"] {
            assert!(rules.host(&headers(&[("host", host)])).is_err(), "{host}");
        }
        let rules = Rules { token: Some("long-enough".into()) };
        assert_eq!(rules.host(&headers(&[("host", "lab.school:80")])), Ok(()));
    }

    #[test]
    fn unit_foreign_pages_may_not_change_or_follow_anything() {
        let check = |method, pairs: &[(&'static str, &'static str)]| {
            origin(&method, &headers(pairs)).is_ok()
        };
        let host = ("host", "127.0.0.1:7878");
        let (own, other) = (("origin", "http://127.0.0.1:7878"), ("origin", "http://evil.example"));
        let upgrade = ("upgrade", "websocket");
        assert!(check(Method::POST, &[host]));
        assert!(check(Method::POST, &[host, own]));
        assert!(check(Method::GET, &[host, own, upgrade]));
        assert!(!check(Method::POST, &[host, other]));
        assert!(!check(Method::DELETE, &[host, other]));
        assert!(!check(Method::GET, &[host, other, upgrade]));
        assert!(!check(Method::POST, &[host, ("origin", "null")]));
        assert!(!check(Method::POST, &[host, ("origin", "http://127.0.0.1:78789")]));
    }

    #[test]
    fn unit_the_token_is_taken_from_three_places() {
        let rules = Rules { token: Some("abc-def-9".into()) };
        assert_eq!(rules.given(Some("a=b&token=abc-def-9"), &headers(&[])), Given::InAddress);
        let bearer = headers(&[("authorization", "Bearer abc-def-9")]);
        assert_eq!(rules.given(None, &bearer), Given::Else);
        let cookie = headers(&[("cookie", "x=1; tropism_token=abc-def-9")]);
        assert_eq!(rules.given(None, &cookie), Given::Else);
        for wrong in ["token=abc-def-8", "token=", "token=abc-def-99", "atoken=abc-def-9"] {
            assert_eq!(rules.given(Some(wrong), &headers(&[])), Given::Nothing, "{wrong}");
        }
        assert!(is_private("/api/state") && is_private("/session") && is_private("/ws"));
        assert!(!is_private("/") && !is_private("/assets/ws.js") && !is_private("/sessions.js"));
    }
}

//! The page that is part of the program.
//!
//! A release build holds what was in `web/dist` when it was compiled; a debug build reads that
//! folder when asked. Without the folder the server shows a page that says how to build it.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

const PLACEHOLDER: &str = include_str!("placeholder.html");

/// A file of the page.
pub(crate) async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if let Some(file) = Page::get(path) {
        let tag = tag(&file.metadata.sha256_hash());
        let is_known =
            headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
        let cache =
            if is_hashed(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let kind = kind_of(path, file.metadata.mimetype());
        let head = [(CACHE_CONTROL, cache.to_owned()), (CONTENT_TYPE, kind), (ETAG, tag)];
        if is_known {
            return (StatusCode::NOT_MODIFIED, head).into_response();
        }
        return (head, Body::from(file.data.into_owned())).into_response();
    }
    if path == "index.html" {
        let head = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
        return (head, PLACEHOLDER).into_response();
    }
    let shown: String = path.chars().take(80).collect();
    crate::reply::refusal(StatusCode::NOT_FOUND, &format!("there is no `/{shown}` here"))
}

/// The page is part of this program.
pub(crate) fn is_built() -> bool {
    Page::get("index.html").is_some()
}

fn tag(hash: &[u8; 32]) -> String {
    use core::fmt::Write as _;
    let mut text = String::from("\"");
    for byte in &hash[..8] {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('"');
    text
}

/// Files under `assets/` carry a hash of their content in their name.
fn is_hashed(path: &str) -> bool {
    path.starts_with("assets/")
}

/// The type of a file; text is UTF-8.
fn kind_of(path: &str, guessed: &str) -> String {
    let kind = match path.rsplit('.').next() {
        Some("wasm") => "application/wasm",
        Some("js" | "mjs") => "text/javascript",
        Some("toml") => "text/plain",
        _ => guessed,
    };
    if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_types_are_those_that_browsers_insist_on() {
        assert_eq!(kind_of("assets/lab-1a2b.wasm", "x/y"), "application/wasm");
        assert_eq!(kind_of("assets/lab-1a2b.js", "x/y"), "text/javascript; charset=utf-8");
        assert_eq!(kind_of("index.html", "text/html"), "text/html; charset=utf-8");
        assert_eq!(kind_of("a.png", "image/png"), "image/png");
        assert!(is_hashed("assets/x.js") && !is_hashed("index.html"));
    }
}

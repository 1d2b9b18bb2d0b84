//! Why a server did not start.

use core::fmt;
use core::net::{IpAddr, SocketAddr};
use std::io;

/// Why a server did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerError {
    /// Others could reach it and no token was given.
    Exposed(IpAddr),
    /// The token is too short, or has characters that an address would change.
    Token(usize),
    /// The address cannot be listened on.
    Bind(SocketAddr, io::Error),
    /// The system gave no thread or runtime.
    System(io::Error),
    /// What it was to begin with was refused.
    Scenario(String),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exposed(address) => write!(
                f,
                "{address} can be reached by others, who could then use this laboratory: give a \
                 token with --token, or leave --bind out"
            ),
            Self::Token(least) => {
                write!(f, "a token has at least {least} characters of a-z, A-Z, 0-9, `-`, `_`, `.`")
            }
            Self::Bind(address, error) => {
                write!(f, "{address} cannot be listened on: {error}; try --port 0")
            }
            Self::System(error) => write!(f, "the server cannot start: {error}"),
            Self::Scenario(what) => f.write_str(what),
        }
    }
}

impl core::error::Error for ServerError {}

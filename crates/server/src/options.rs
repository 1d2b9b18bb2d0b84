//! What a server is started with.

use core::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use tropism_wire::session::{Source, TextFile};

use crate::error::ServerError;
use crate::guard::{TOKEN_BYTES_MIN, is_token};
use crate::limits::Limits;

/// Port that is tried first.
pub const PORT: u16 = 7878;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on.
    pub address: IpAddr,
    /// Port to listen on, 0 for any; without one [`PORT`], or any when that is taken.
    pub port: Option<u16>,
    /// Token that every request must carry; needed on any address but this machine's own.
    pub token: Option<String>,
    /// What sessions begin with; without it they are empty, and the main one holds a creature in
    /// the standard world.
    pub source: Option<Source>,
    /// Folder of recordings; without one they are kept in memory, as long as their session.
    pub recordings: Option<PathBuf>,
    /// Folder of results of experiments.
    pub results: PathBuf,
    /// Limits.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            token: None,
            source: None,
            recordings: None,
            results: PathBuf::from("results"),
            limits: Limits::default(),
        }
    }
}

/// What the main session holds when nothing else was asked for.
const NEWBORN: &str = r#"kind = "scenario"
name = "newborn"
about = "a newborn organism in the standard world"
world = "standard"
mind = "full"
"#;

impl Options {
    /// Checks what must fit together.
    ///
    /// # Errors
    /// [`ServerError::Exposed`] for another address than this machine's own without a token,
    /// [`ServerError::Token`] for a token that is too short or would not go through an address.
    pub fn check(&self) -> Result<(), ServerError> {
        match &self.token {
            None if !self.address.is_loopback() => Err(ServerError::Exposed(self.address)),
            Some(token) if !is_token(token) => Err(ServerError::Token(TOKEN_BYTES_MIN)),
            _ => Ok(()),
        }
    }

    /// What the main session begins with.
    pub(crate) fn source(&self) -> Source {
        let newborn = || Source::Text {
            file: TextFile { name: "newborn.toml".into(), text: NEWBORN.into() },
            files: Vec::new(),
        };
        self.source.clone().unwrap_or_else(newborn)
    }
}

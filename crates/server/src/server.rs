//! Starting and ending.

use alloc::sync::Arc;
use core::future::Future;
use core::net::SocketAddr;
use core::time::Duration;
use std::io;

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::app::App;
use crate::error::ServerError;
use crate::link::Gate;
use crate::options::{Options, PORT};
use crate::routes::routes;

/// Time that is given to clients to hear that the server ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    end: watch::Sender<bool>,
}

impl Server {
    /// Listens and starts the main session.
    ///
    /// # Errors
    /// What [`Options::check`] says; [`ServerError::Bind`]; [`ServerError::System`].
    pub async fn start(options: Options) -> Result<Self, ServerError> {
        options.check()?;
        let listener = listen(&options).await?;
        let address = listener.local_addr().map_err(ServerError::System)?;
        let (end, is_ending) = watch::channel(false);
        let app = App::new(options, is_ending).map_err(ServerError::System)?;
        Ok(Self { listener, address, app, end })
    }

    /// Address it listens on.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address of the page for a browser on this machine, with the token if there is one.
    pub fn url(&self) -> String {
        let token = self.app.rules.token.as_ref();
        let token = token.map(|token| format!("?token={token}")).unwrap_or_default();
        format!("http://{}/{token}", self.address)
    }

    /// Serves until the future is done; then ends all sessions.
    ///
    /// # Errors
    /// [`ServerError::System`] when the socket fails.
    pub async fn run(self, until: impl Future<Output = ()> + Send) -> Result<(), ServerError> {
        let Self { listener, app, end, .. } = self;
        let gate = Gate::new(listener, Arc::clone(&app.connections), app.limits().quiet_time);
        let theirs = Arc::clone(&app);
        let ending = async move { theirs.ended().await };
        let serve = axum::serve(gate, routes(&app)).with_graceful_shutdown(ending);
        let serving = tokio::spawn(serve.into_future());
        until.await;
        end.send_replace(true);
        app.experiments.cancel_all();
        let _late = tokio::time::timeout(FAREWELL, serving).await;
        let main = Arc::clone(&app.main);
        let ended = tokio::task::spawn_blocking(move || main.end()).await;
        ended.map_err(|error| ServerError::System(io::Error::other(error)))
    }
}

/// Listens on the port asked for; the usual one gives way when it is taken.
async fn listen(options: &Options) -> Result<TcpListener, ServerError> {
    let at = |port| SocketAddr::new(options.address, port);
    if let Some(port) = options.port {
        return TcpListener::bind(at(port)).await.map_err(|e| ServerError::Bind(at(port), e));
    }
    match TcpListener::bind(at(PORT)).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            TcpListener::bind(at(0)).await.map_err(|e| ServerError::Bind(at(0), e))
        }
        Err(error) => Err(ServerError::Bind(at(PORT), error)),
    }
}

/// Starts a server, tells of it, and serves until Ctrl-C.
///
/// # Errors
/// As [`Server::start`] and [`Server::run`].
pub fn block_on(options: Options, started: impl FnOnce(&Server)) -> Result<(), ServerError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(ServerError::System)?;
    runtime.block_on(async {
        let server = Server::start(options).await?;
        started(&server);
        let interrupted = async {
            // Without a handler there is no other end than being killed.
            if tokio::signal::ctrl_c().await.is_err() {
                core::future::pending::<()>().await;
            }
        };
        server.run(interrupted).await
    })
}

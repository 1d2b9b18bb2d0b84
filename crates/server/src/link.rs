//! TCP connections with a bound on their number and on their silence.
//!
//! A connection that is given up while its client still sends is read to its end, within limits,
//! before it is closed: otherwise the client would get a reset in place of the reply that says
//! why.

use alloc::sync::Arc;
use core::net::SocketAddr;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

use crate::limits::{DRAINED_BYTES_MAX, DRAINED_TIME_MAX};

/// A listener that accepts only so many connections at once.
#[derive(Debug)]
pub(crate) struct Gate {
    listener: TcpListener,
    room: Arc<Semaphore>,
    quiet: Duration,
}

impl Gate {
    pub(crate) fn new(listener: TcpListener, room: Arc<Semaphore>, quiet: Duration) -> Self {
        Self { listener, room, quiet }
    }
}

impl axum::serve::Listener for Gate {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else {
                core::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Frames are small and wanted at once.
                    let _unsupported = stream.set_nodelay(true);
                    return (Connection::new(stream, permit, self.quiet), address);
                }
                // Such as no file handles left: nothing better to do than to try again.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when it is silent for too long.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: Option<(TcpStream, OwnedSemaphorePermit)>,
    quiet: Duration,
    alarm: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: TcpStream, permit: OwnedSemaphorePermit, quiet: Duration) -> Self {
        let alarm = Box::pin(tokio::time::sleep(quiet));
        Self { stream: Some((stream, permit)), quiet, alarm }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        match &mut self.stream {
            Some((stream, _)) => Ok(Pin::new(stream)),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Passes on what happened, and fails when nothing has happened for too long.
    fn watch<T>(&mut self, context: &mut Context<'_>, poll: Poll<T>) -> Poll<io::Result<T>> {
        if let Poll::Ready(result) = poll {
            self.alarm.as_mut().reset(Instant::now() + self.quiet);
            return Poll::Ready(Ok(result));
        }
        match self.alarm.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// One result out of two layers.
fn flat<T>(poll: Poll<io::Result<io::Result<T>>>) -> Poll<io::Result<T>> {
    poll.map(|result| result.and_then(|inner| inner))
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let poll = self.stream()?.poll_read(context, buffer);
        flat(self.watch(context, poll))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = self.stream()?.poll_write(context, bytes);
        flat(self.watch(context, poll))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let (Some((stream, permit)), Ok(runtime)) =
            (self.stream.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        runtime.spawn(async move {
            let _gone = tokio::time::timeout(DRAINED_TIME_MAX, linger(stream)).await;
            drop(permit);
        });
    }
}

/// Says that nothing more comes, and reads what the client is still sending.
async fn linger(mut stream: TcpStream) {
    let _gone = stream.shutdown().await;
    let mut left = DRAINED_BYTES_MAX;
    let mut waste = vec![0; 16 << 10];
    while left > 0 {
        match stream.read(&mut waste).await {
            Ok(0) | Err(_) => return,
            Ok(bytes) => left = left.saturating_sub(bytes as u64),
        }
    }
}

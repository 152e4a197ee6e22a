//! Raw bytes as requests to the server of `serve`, each on a connection of its own.
#![no_main]

use deepfeeling::serve::{self, ServeOptions};
use libfuzzer_sys::fuzz_target;
use std::{
    io::{Read, Write},
    net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream},
    sync::{Arc, OnceLock, mpsc},
    thread,
    time::Duration,
};
use tokio::sync::Notify;

static SERVER: OnceLock<SocketAddr> = OnceLock::new();

/// Starts the server on a free port.
fn start() -> SocketAddr {
    let (sender, address) = mpsc::channel();
    thread::spawn(move || {
        let options = ServeOptions {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            token: None,
            profile: None,
            follow: None,
            threads: 1,
        };
        let ready = |address| {
            sender.send(address).expect("the fuzzer waits");
            Ok(())
        };
        serve::run(&options, &Arc::new(Notify::new()), ready).expect("the server runs");
    });
    address.recv().expect("the server starts")
}

/// Sends `bytes` and returns the answer. Event streams end at the time limit.
fn ask(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("the server accepts connections");
    stream.set_read_timeout(Some(Duration::from_millis(20))).expect("it is not zero");
    let mut answer = Vec::new();
    // the server may close the connection before it has read everything
    let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Adds the port to the first `localhost`, because the server refuses other hosts.
fn with_port(bytes: &[u8], port: u16) -> Vec<u8> {
    const HOST: &[u8] = b"localhost";
    let Some(at) = bytes.windows(HOST.len()).position(|part| part == HOST) else {
        return bytes.to_vec();
    };
    let (before, after) = bytes.split_at(at + HOST.len());
    [before, format!(":{port}").as_bytes(), after].concat()
}

fuzz_target!(|bytes: &[u8]| {
    let address = *SERVER.get_or_init(start);
    let answer = ask(address, &with_port(bytes, address.port()));
    assert!(!answer.starts_with(b"HTTP/1.1 5"), "{}", String::from_utf8_lossy(&answer));
});

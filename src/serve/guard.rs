//! Checks that a request comes from our own page on this machine, or shows the token.
//!
//! A page from elsewhere can make a browser send requests to loopback. It cannot choose the `Host`
//! header, unless its own name resolves to loopback (DNS rebinding). It can neither hide its
//! `Origin`, nor send JSON without a preflight request.

use super::refusal::Refusal;
use hyper::{
    HeaderMap, StatusCode,
    header::{self, HeaderName},
};
use std::{hint::black_box, net::SocketAddr};

/// The minimum length of a token, in bytes.
pub(super) const SHORTEST_TOKEN: usize = 16;

/// The checks that each request must pass.
#[derive(Debug)]
pub(super) struct Guard {
    /// Accepted values of the `Host` header. If empty, any value is accepted.
    hosts: Vec<String>,
    token: Option<String>,
}

impl Guard {
    pub(super) fn new(address: SocketAddr, token: Option<String>) -> Self {
        let port = address.port();
        let names = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}"));
        // remote clients must show the token, so any host name is accepted
        let local = address.ip().is_loopback();
        let mut hosts = if local { names.to_vec() } else { Vec::new() };
        if local {
            hosts.push(address.to_string());
        }
        Self { hosts, token }
    }

    /// Checks that the request was meant for this server.
    pub(super) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if headers.get_all(header::HOST).iter().count() > 1 {
            let why = "Host: found more than one (allowed: exactly one)";
            return Err(Refusal::plain(StatusCode::BAD_REQUEST, why));
        }
        let host = text(headers, &header::HOST);
        if self.hosts.is_empty() || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
        {
            return Ok(());
        }
        let allowed = self.hosts.join(", ");
        Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, "Host", host, &allowed))
    }

    /// Returns whether the request has the right token, if one is needed.
    pub(super) fn token(&self, headers: &HeaderMap) -> Token {
        match (&self.token, bearer(headers)) {
            (None, _) => Token::NotNeeded,
            (Some(_), None) => Token::Missing,
            (Some(token), Some(shown)) if is_same(shown, token) => Token::Right,
            (Some(_), Some(_)) => Token::Wrong,
        }
    }
}

/// Checks that the request comes from our own page.
pub(super) fn check_caller(headers: &HeaderMap) -> Result<(), Refusal> {
    let (origin, host) = (text(headers, &header::ORIGIN), text(headers, &header::HOST));
    let ours = |scheme: &str| {
        origin.strip_prefix(scheme).is_some_and(|name| name.eq_ignore_ascii_case(host))
    };
    if headers.contains_key(header::ORIGIN) && !ours("http://") && !ours("https://") {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "Origin", origin, "this server's page"));
    }
    let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
    if !["", "same-origin", "none"].contains(&site) {
        let allowed = "same-origin";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "Sec-Fetch-Site", site, allowed));
    }
    Ok(())
}

/// The result of checking the token of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    NotNeeded,
    Missing,
    Right,
    Wrong,
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns the credentials of a `Bearer` authorization. The scheme name is case-insensitive (RFC
/// 9110, section 11.1).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, shown) = text(headers, &header::AUTHORIZATION).split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| shown.trim_start_matches(' '))
}

/// Compares two strings in a time that does not depend on where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let difference = pairs.fold(0, |all, (one, other)| black_box(all | (one ^ other)));
    one.len() == other.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "a-token-of-some-length";

    fn guard(address: &str, token: Option<&str>) -> Guard {
        Guard::new(address.parse().unwrap(), token.map(str::to_owned))
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), value.parse().unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn foreign_host_names_are_rejected_on_loopback() {
        let guard = guard("127.0.0.1:8300", None);
        for host in ["localhost:8300", "127.0.0.1:8300", "LOCALHOST:8300", "[::1]:8300"] {
            assert!(guard.check_host(&headers(&[("host", host)])).is_ok(), "{host}");
        }
        for host in ["", "evil.example", "localhost", "localhost:80", "localhost:8300.evil.example"]
        {
            assert!(guard.check_host(&headers(&[("host", host)])).is_err(), "{host}");
        }
        assert!(guard.check_host(&headers(&[])).is_err());
    }

    #[test]
    fn two_host_headers_are_a_bad_request_even_if_both_are_valid() {
        let local = guard("127.0.0.1:8300", None);
        let open = guard("0.0.0.0:8300", Some(TOKEN));
        let mut twice = HeaderMap::new();
        twice.append(header::HOST, "127.0.0.1:8300".parse().unwrap());
        twice.append(header::HOST, "localhost:8300".parse().unwrap());
        for guard in [local, open] {
            assert_eq!(guard.check_host(&twice).unwrap_err().status, StatusCode::BAD_REQUEST);
        }
    }

    #[test]
    fn foreign_pages_are_rejected() {
        let host = ("host", "127.0.0.1:8300");
        let ours = ("origin", "http://127.0.0.1:8300");
        assert!(check_caller(&headers(&[host])).is_ok());
        assert!(check_caller(&headers(&[host, ours])).is_ok());
        for wrong in [
            ("origin", "http://evil.example"),
            ("origin", "null"),
            ("origin", "http://127.0.0.1:8301"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            assert!(check_caller(&headers(&[host, wrong])).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_the_right_token_is_accepted() {
        let guard = guard("0.0.0.0:8300", Some(TOKEN));
        let host = ("host", "chess.example");
        assert!(guard.check_host(&headers(&[host])).is_ok());
        let right = ("authorization", "Bearer a-token-of-some-length");
        assert_eq!(guard.token(&headers(&[host, right])), Token::Right);
        for scheme in ["bearer", "BEARER", "Bearer "] {
            let value = format!("{scheme} {TOKEN}").parse().unwrap();
            let mut headers = headers(&[host]);
            headers.insert(header::AUTHORIZATION, value);
            assert_eq!(guard.token(&headers), Token::Right, "{scheme}");
        }
        for wrong in [
            "",
            "Bearer ",
            "Bearera-token-of-some-length",
            "Basic a-token-of-some-length",
            "Bearer a-token-of-some-lengt",
            "Bearer a-token-of-some-lengtx",
        ] {
            let found = guard.token(&headers(&[host, ("authorization", wrong)]));
            let is_bearer = wrong.starts_with("Bearer ");
            assert_eq!(found, if is_bearer { Token::Wrong } else { Token::Missing }, "{wrong}");
        }
    }
}

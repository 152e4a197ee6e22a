//! Games that are played at the same time, taken in the order of their numbers.

use std::{collections::BTreeMap, sync::mpsc::Receiver};

/// Hands each game to `take` as soon as all before it have been, from the number `wanted` on, until
/// `take` says that it has enough.
///
/// # Errors
/// Those of the games, and of `take`.
pub fn in_order<G, E>(
    games: Receiver<(u64, Result<G, E>)>,
    mut wanted: u64,
    mut take: impl FnMut(u64, &G) -> Result<bool, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    for (number, game) in games {
        early.insert(number, game?);
        while let Some(game) = early.remove(&wanted) {
            if take(wanted, &game)? {
                return Ok(());
            }
            wanted += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn taken(
        games: &[(u64, Result<char, String>)],
        enough: u64,
    ) -> (Vec<char>, Result<(), String>) {
        let (sender, receiver) = mpsc::channel();
        for game in games {
            sender.send(game.clone()).unwrap();
        }
        drop(sender);
        let mut taken = Vec::new();
        let end = in_order(receiver, 1, |number, game| {
            taken.push(*game);
            Ok(number == enough)
        });
        (taken, end)
    }

    #[test]
    fn early_games_wait_for_those_before_them() {
        let games = [(2, Ok('b')), (3, Ok('c')), (1, Ok('a')), (5, Ok('e'))];
        assert_eq!(taken(&games, 9), (vec!['a', 'b', 'c'], Ok(())));
        assert_eq!(taken(&games, 2), (vec!['a', 'b'], Ok(())));
    }

    #[test]
    fn an_error_ends_it() {
        let games = [(1, Ok('a')), (2, Err("gone".to_string())), (3, Ok('c'))];
        assert_eq!(taken(&games, 9), (vec!['a'], Err("gone".into())));
    }
}

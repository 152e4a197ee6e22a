//! The text that `help` prints.

/// Every command that a session understands, one per line: what to type, then what it does.
pub(super) const HELP: &str = "\
Deep Feeling speaks the UCI protocol:
  uci                               print name, authors and options
  isready                           answer `readyok`
  setoption name <name> [value <v>] set an option
  ucinewgame                        forget the last game
  position startpos [moves <m>...]  set up the start position, and play moves
  position fen <FEN> [moves <m>...] set up any position, and play moves
  go [depth <n>] [nodes <n>] [movetime <ms>] [wtime <ms> btime <ms> winc <ms> binc <ms>]
     [movestogo <n>] [mate <n>] [searchmoves <m>...] [infinite] [ponder]
                                    search for the best move
  stop                              end the search, count or bench that runs
  ponderhit                         the expected move was played
  debug on|off                      explain what is ignored
  quit                              leave
More commands:
  d                                 print the position as FEN
  eval                              print the static evaluation, term by term
  feel                              print what the side to move feels
  flip                              exchange the colours
  perft <depth>                     count the legal move sequences of this length
  bench [depth]                     search fixed positions and count the nodes
  help                              print this list
Run `deepfeeling --help` for everything else.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::Command;

    #[test]
    fn every_command_of_the_list_is_understood() {
        let words = HELP.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        assert!(words.contains(&"bench") && words.contains(&"quit"), "{words:?}");
        for word in words {
            assert!(!matches!(Command::parse(word), Ok(Command::Unknown(_))), "{word}");
        }
    }
}

//! The text printed by the `help` command.

/// All commands of a UCI session: the syntax, then a short description.
pub(super) const HELP: &str = "\
Deep Feeling speaks the UCI protocol:
  uci                               print the name, authors and options
  isready                           answer `readyok`
  setoption name <name> [value <v>] set an option
  ucinewgame                        prepare for a new game
  position startpos [moves <m>...]  set up the start position and play moves
  position fen <FEN> [moves <m>...] set up a position and play moves
  go [depth <n>] [nodes <n>] [movetime <ms>] [wtime <ms> btime <ms> winc <ms> binc <ms>]
     [movestogo <n>] [mate <n>] [searchmoves <m>...] [infinite] [ponder]
                                    search for the best move
  stop                              stop the running search, perft or bench
  ponderhit                         the opponent played the expected move
  debug on|off                      turn debug messages on or off
  quit                              quit the engine
More commands:
  d                                 print the position as FEN
  eval                              print the static evaluation, term by term
  feel                              print the feelings of the side to move
  flip                              swap the colours
  perft <depth>                     count legal move sequences of this length
  bench [depth]                     search a fixed set of positions and count nodes
  help                              print this help
Run `deepfeeling --help` for everything else.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::UciCommand;

    #[test]
    fn every_listed_command_is_known() {
        let words = HELP.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        assert!(words.contains(&"bench") && words.contains(&"quit"), "{words:?}");
        for word in words {
            assert!(!matches!(UciCommand::parse(word), Ok(UciCommand::Unknown(_))), "{word}");
        }
    }
}

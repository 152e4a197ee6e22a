//! Parses a line of UCI input into a [`UciCommand`].

use super::{extra::ExtraCommand, go::Go, refusal::InvalidArgument};

/// A parsed line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciCommand {
    /// A command that is executed immediately, even during a search.
    Urgent(Urgent),
    /// A command that waits for the running search and for earlier tasks.
    Task(Task),
    /// A line without any known command.
    Unknown(String),
    /// An empty line.
    Blank,
}

/// The commands that are executed during a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgent {
    Uci,
    IsReady,
    Debug(bool),
    Stop,
    PonderHit,
    Quit,
    Help,
}

/// The commands that use the engine or change what it searches next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    NewGame,
    SetOption {
        name: String,
        /// Empty if no value was given.
        value: String,
    },
    /// `startpos` or a FEN, optionally followed by `moves e2e4 …`, or the error for other text.
    Position(Result<String, InvalidArgument>),
    Go(Go),
    Extra(ExtraCommand),
    /// `isready`, received after `bestmove` but before all search threads ended.
    Ready,
}

impl UciCommand {
    /// Parses a line. As the protocol requires, unknown words before the first command are skipped.
    /// The commands beyond the protocol are recognised only at the start of a line.
    ///
    /// # Errors
    /// If an argument of the command is missing or invalid.
    pub fn parse(line: &str) -> Result<Self, InvalidArgument> {
        let Some((first, arguments)) = split_word(line) else { return Ok(Self::Blank) };
        match first {
            // short for `go perft`, as in other engines
            "perft" => return Ok(Self::Task(Task::Go(Go::parse(line)?))),
            "bench" => return Ok(Self::Task(Task::Go(Go::bench(arguments)?))),
            "help" => return Ok(Self::Urgent(Urgent::Help)),
            _ => {}
        }
        if let Some(extra) = ExtraCommand::parse(first) {
            return Ok(Self::Task(Task::Extra(extra)));
        }
        let mut text = line;
        while let Some((word, arguments)) = split_word(text) {
            if let Some(command) = Self::of_protocol(word, arguments) {
                return command;
            }
            text = arguments;
        }
        Ok(Self::Unknown(line.trim().into()))
    }

    fn of_protocol(word: &str, arguments: &str) -> Option<Result<Self, InvalidArgument>> {
        let command = match word {
            "uci" => Ok(Self::Urgent(Urgent::Uci)),
            "isready" => Ok(Self::Urgent(Urgent::IsReady)),
            "stop" => Ok(Self::Urgent(Urgent::Stop)),
            "ponderhit" => Ok(Self::Urgent(Urgent::PonderHit)),
            "quit" => Ok(Self::Urgent(Urgent::Quit)),
            "debug" => debug(arguments),
            "ucinewgame" => Ok(Self::Task(Task::NewGame)),
            "setoption" => set_option(arguments).map(Self::Task),
            "position" => Ok(Self::Task(Task::Position(position(arguments)))),
            "go" => Go::parse(arguments).map(|go| Self::Task(Task::Go(go))),
            _ => return None,
        };
        Some(command)
    }
}

fn debug(arguments: &str) -> Result<UciCommand, InvalidArgument> {
    match arguments.trim() {
        "on" => Ok(UciCommand::Urgent(Urgent::Debug(true))),
        "off" => Ok(UciCommand::Urgent(Urgent::Debug(false))),
        found => Err(InvalidArgument::new("debug", found, "on, off")),
    }
}

/// Parses the arguments of `setoption`. Names may contain spaces, and repeated spaces are merged.
/// Values may be paths and are kept verbatim.
fn set_option(arguments: &str) -> Result<Task, InvalidArgument> {
    let allowed = "name <option> [value <value>]";
    let refusal = || InvalidArgument::new("setoption", arguments.trim(), allowed);
    let ("name", mut text) = split_word(arguments).ok_or_else(refusal)? else {
        return Err(refusal());
    };
    let mut name = Vec::new();
    let mut value = "";
    while let Some((word, rest)) = split_word(text) {
        if word == "value" {
            value = rest.trim();
            break;
        }
        name.push(word);
        text = rest;
    }
    if name.is_empty() {
        return Err(refusal());
    }
    Ok(Task::SetOption { name: name.join(" "), value: value.into() })
}

fn position(arguments: &str) -> Result<String, InvalidArgument> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    match words.as_slice() {
        ["fen", fen @ ..] if !fen.is_empty() => Ok(fen.join(" ")),
        ["startpos", ..] => Ok(words.join(" ")),
        _ => Err(InvalidArgument::new(
            "position",
            &words.join(" "),
            "startpos or fen <FEN>, optionally followed by moves <move> …",
        )),
    }
}

/// Splits `text` into its first word and the rest.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    Some(text.split_once(char::is_whitespace).unwrap_or((text, "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Urgent::{IsReady, Quit};

    #[test]
    fn any_whitespace_separates_words() {
        assert_eq!(UciCommand::parse(" \t isready\r"), Ok(UciCommand::Urgent(IsReady)));
        assert_eq!(UciCommand::parse(" \t \r"), Ok(UciCommand::Blank));
        let position = UciCommand::parse("position\tfen  4k3/8/8/8/8/8/8/4K3   w moves  e1e2 ");
        let text = "4k3/8/8/8/8/8/8/4K3 w moves e1e2".to_owned();
        assert_eq!(position, Ok(UciCommand::Task(Task::Position(Ok(text)))));
    }

    #[test]
    fn unknown_words_are_skipped_before_a_command_but_not_before_an_argument() {
        assert_eq!(UciCommand::parse("joho debug on"), Ok(UciCommand::Urgent(Urgent::Debug(true))));
        assert!(UciCommand::parse("debug joho on").is_err());
        assert_eq!(UciCommand::parse("please quit"), Ok(UciCommand::Urgent(Quit)));
        assert_eq!(UciCommand::parse("I feel d"), Ok(UciCommand::Unknown("I feel d".into())));
    }

    #[test]
    fn option_names_and_values_may_contain_spaces() {
        for (line, name, value) in [
            ("setoption name Clear  Hash", "Clear Hash", ""),
            ("setoption name ProfileFile value", "ProfileFile", ""),
            ("setoption name A b value  /a  b/value c ", "A b", "/a  b/value c"),
        ] {
            let task = Task::SetOption { name: name.into(), value: value.into() };
            assert_eq!(UciCommand::parse(line), Ok(UciCommand::Task(task)));
        }
        for broken in
            ["setoption", "setoption Hash value 3", "setoption name", "setoption name value 3"]
        {
            let refusal = UciCommand::parse(broken).unwrap_err().to_string();
            assert!(refusal.contains("found") && refusal.contains("allowed: name <option>"));
        }
    }

    #[test]
    fn an_invalid_argument_reports_what_was_found_and_what_is_allowed() {
        let refusal = position("here").unwrap_err().to_string();
        assert!(
            refusal.starts_with("position: found `here` (allowed: startpos or fen"),
            "{refusal}"
        );
        let refusal = UciCommand::parse("debug").unwrap_err().to_string();
        assert_eq!(refusal, "debug: found nothing (allowed: on, off)");
        let long = UciCommand::parse(&format!("debug {}", "ü".repeat(10_000))).unwrap_err();
        assert!(long.to_string().len() < 200);
    }
}

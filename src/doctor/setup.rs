//! Setup instructions for GUIs, bots and test tools, with the path of this program filled in.

use crate::support::variants::variants;
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// A program that can use UCI engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ChessProgram {
    CuteChess,
    #[strum(serialize = "cutechess-cli")]
    CuteChessCli,
    Arena,
    #[strum(serialize = "en-croissant")]
    EnCroissant,
    Nibbler,
    Scid,
    PyChess,
    #[strum(serialize = "gnome-chess")]
    GnomeChess,
    #[strum(serialize = "lichess-bot")]
    LichessBot,
    #[strum(serialize = "python-chess")]
    PythonChess,
    FastChess,
    OpenBench,
}

impl ChessProgram {
    pub const ALL: [Self; 12] = variants();

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the setup instructions for the engine at `program`.
    pub fn text(self, program: &Path) -> String {
        let path = program.display().to_string();
        let shell = quoted(&path);
        match self {
            Self::CuteChess => format!(
                "Tools > Settings > Engines > +; Name: Deep Feeling (must not be empty); Command: {path}; \
                 Protocol: UCI; OK. Then Game > New. Feelings (info string) show under View > Engine Debug."
            ),
            Self::CuteChessCli => format!(
                "cutechess-cli -engine name=Feeling cmd={shell} \\\n  \
                 -engine name=Neutral cmd={shell} option.Profile=neutral \\\n  \
                 -each proto=uci tc=8+0.08 -games 2 -rounds 50 -repeat -concurrency 1 -pgnout games.pgn"
            ),
            Self::Arena => format!(
                "Engines > Install New Engine; choose {path}; type UCI. \
                 Feelings show in the engine's lines (Engines > Log Window, F4)."
            ),
            Self::EnCroissant => format!("Engines > Add New > Local; Binary file: {path}; Save."),
            Self::Nibbler => format!(
                "Engine > Choose engine...; choose {path}. Temperament: Engine > Send UCI command..., \
                 setoption name Profile value guardian"
            ),
            Self::Scid => format!(
                "Windows > Engine; +; choose {path}; set Profile and other options below. \
                 To play: Play > Serious game. The game begins after 5 seconds."
            ),
            Self::PyChess => format!(
                "Edit > Engines > New; choose {path}; set Profile and other options there. \
                 On the welcome page choose the opponent and its level (20: full strength)."
            ),
            Self::GnomeChess => gnome_chess(&path),
            Self::LichessBot => lichess_bot(program),
            Self::PythonChess => python_chess(&path),
            Self::FastChess => format!(
                "fastchess -engine name=Feeling cmd={shell} \\\n  \
                 -engine name=Neutral cmd={shell} option.Profile=neutral \\\n  \
                 -each tc=8+0.08 -rounds 50 -repeat -concurrency 1 -pgnout file=games.pgn"
            ),
            Self::OpenBench => format!("{:#}", open_bench()),
        }
    }
}

/// Returns the instructions for all `hosts`, by host name.
pub fn texts(hosts: &[ChessProgram], program: &Path) -> BTreeMap<&'static str, String> {
    hosts.iter().map(|host| (host.name(), host.text(program))).collect()
}

/// Returns a section of `engines.conf`: like people rated 1200 and 1700, and at full strength.
fn gnome_chess(path: &str) -> String {
    let level = |name: &str, rating: u16| {
        format!(
            "option-{name}-0=UCI_LimitStrength true\noption-{name}-1=UCI_Elo {rating}\n\
             option-{name}-2=LimitStyle human\n"
        )
    };
    format!(
        "# add to ~/.config/gnome-chess/engines.conf, then Preferences > Game > Opposing player\n\
         [Deep Feeling]\nprotocol=uci\nbinary={path}\n{}{}option-hard-0=UCI_LimitStrength false",
        level("easy", 1200),
        level("normal", 1700)
    )
}

/// Returns the `engine` section of `config.yml`. JSON strings are also valid YAML.
fn lichess_bot(program: &Path) -> String {
    let folder = program.parent().unwrap_or(Path::new(".")).display().to_string();
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "engine:\n  dir: {}\n  name: {}\n  protocol: \"uci\"\n  ponder: true\n  uci_options:\n    \
         Hash: 256\n    Threads: 1\n    Move Overhead: 200\n    Profile: \"standard\"",
        json!(folder),
        json!(name)
    )
}

fn python_chess(path: &str) -> String {
    format!(
        "import chess, chess.engine\n\n\
         engine = chess.engine.SimpleEngine.popen_uci({})\n\
         engine.configure({{\"Profile\": \"guardian\"}})\n\
         board = chess.Board()\n\
         with engine.analysis(board, chess.engine.Limit(nodes=100_000)) as analysis:\n    \
         for info in analysis:\n        \
         print(info.get(\"string\") or (info.get(\"depth\"), info.get(\"score\")))\n\
         engine.quit()",
        json!(path)
    )
}

/// Returns the configuration file for the `Engines/` folder of an OpenBench instance. The owner
/// must fill in the source URL. OpenBench scales time controls by `nps`, in nodes per second.
fn open_bench() -> Value {
    json!({
        "private": false,
        "nps": 1_500_000,
        "source": "https://github.com/OWNER/deepfeeling",
        "build": {
            "path": "",
            "compilers": ["cargo>=1.95.0"],
            "cpuflags": ["AVX2", "BMI2", "POPCNT"],
            "systems": ["Linux", "Windows", "Darwin"],
        },
        "test_presets": {
            "default": {
                "base_branch": "main",
                "book_name": "UHO_4060_v4.epd",
                "test_bounds": "[0.00, 5.00]",
                "test_confidence": "[0.05, 0.05]",
                "win_adj": "movecount=3 score=400",
                "draw_adj": "movenumber=40 movecount=8 score=10",
            },
            "STC": {
                "both_options": "Threads=1 Hash=16",
                "both_time_control": "8.0+0.08",
                "workload_size": 32,
            },
        },
    })
}

/// Quotes `text` as one word for a POSIX shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_except_openbench_has_the_path() {
        let program = Path::new("/opt/my engines/deepfeeling");
        for host in ChessProgram::ALL {
            let text = host.text(program);
            assert_eq!(text.contains("my engines"), host != ChessProgram::OpenBench, "{text}");
        }
        let line = ChessProgram::FastChess.text(program);
        assert!(line.contains("cmd='/opt/my engines/deepfeeling'"), "{line}");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}

//! Which module may use which; how long files and functions may be; what stands in no file.
//!
//! Reads the source as text: comments and string literals are blanked out first, and what stands
//! under `#[cfg(test)]` (always the end of a file) is left out where the rule is about the program.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// What a module may use: other modules of this crate, and crates. Design, section 3. `main` is
/// another crate and sees all that the library offers.
struct Rule {
    module: &'static str,
    modules: &'static [&'static str],
    crates: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule { module: "score", modules: &[], crates: &["serde_json"] },
    // chances of a score: no part of play
    Rule { module: "wdl", modules: &["score"], crates: &["libm", "shakmaty"] },
    // numbers that a seed decides
    Rule { module: "random", modules: &[], crates: &["getrandom"] },
    Rule { module: "evaluator", modules: &["score"], crates: &["shakmaty"] },
    // what the search may ask of endgame tables; only `syzygy` knows that they are files
    Rule { module: "tablebase", modules: &[], crates: &["shakmaty"] },
    Rule {
        module: "syzygy",
        modules: &["tablebase"],
        crates: &["shakmaty", "shakmaty_syzygy", "thiserror"],
    },
    Rule { module: "position", modules: &["evaluator"], crates: &["shakmaty"] },
    // moves counted: no part of play
    Rule { module: "perft", modules: &["position"], crates: &["shakmaty"] },
    // which name was meant by a wrong one
    Rule { module: "spelling", modules: &[], crates: &["strsim"] },
    // the game as it was played: keys and notation; the search gets its position and keys only
    Rule { module: "game", modules: &["spelling"], crates: &["shakmaty", "thiserror"] },
    Rule { module: "eval", modules: &["score", "evaluator"], crates: &["shakmaty"] },
    Rule { module: "mind", modules: &["eval"], crates: &["shakmaty", "nalgebra", "libm"] },
    // libm for the reductions, memmap2 and zerocopy for the table's memory, safe_arch to prefetch it,
    // arrayvec for lists of moves, random for what a limited player misjudges
    Rule {
        module: "search",
        modules: &["score", "random", "evaluator", "position", "tablebase"],
        crates: &["shakmaty", "libm", "memmap2", "zerocopy", "safe_arch", "arrayvec"],
    },
    // how far chance alone may move a mean
    Rule { module: "noise", modules: &[], crates: &[] },
    // contents told apart
    Rule { module: "digest", modules: &[], crates: &[] },
    // several threads at work, with the stack of the search
    Rule { module: "parallel", modules: &["search"], crates: &["thiserror"] },
    // files that grow
    Rule { module: "appending", modules: &[], crates: &[] },
    // files that are written whole
    Rule { module: "replacing", modules: &[], crates: &["tempfile"] },
    // files and pipes to read
    Rule { module: "input", modules: &[], crates: &[] },
    // files that may be compressed
    Rule { module: "packed", modules: &["input"], crates: &["flate2", "zstd"] },
    // it fills in what a profile holds: weights are pairs (`Tapered`), which `score` owns, and the
    // map is a matrix of nalgebra's
    Rule {
        module: "profile",
        modules: &["score", "eval", "mind", "digest", "spelling"],
        crates: &["nalgebra", "thiserror", "toml"],
    },
    // games as they were played: what others recorded, and our own duels
    Rule {
        module: "games",
        modules: &["eval", "game", "mind", "packed", "profile", "score"],
        crates: &["pgn_reader", "shakmaty", "thiserror"],
    },
    // what a mind makes of such games
    Rule {
        module: "census",
        modules: &["eval", "games", "mind"],
        crates: &["serde_json", "shakmaty"],
    },
    // how the players of such games play
    Rule {
        module: "style",
        modules: &["eval", "games", "mind", "noise"],
        crates: &["serde_json", "shakmaty", "thiserror"],
    },
    // the article recomputed: no part of play
    Rule { module: "paper", modules: &["eval", "mind"], crates: &["shakmaty"] },
    Rule {
        module: "engine",
        modules: &["score", "evaluator", "game", "eval", "mind", "search", "syzygy", "profile"],
        crates: &["shakmaty", "thiserror"],
    },
    // games gone through again, every move judged
    Rule {
        module: "review",
        modules: &["engine", "eval", "game", "games", "mind", "profile", "score", "search"],
        crates: &["libm", "shakmaty"],
    },
    // what a person looks at, on the command line and at UCI's terminal; `why` asks the engine
    Rule {
        module: "story",
        modules: &[
            "appending",
            "score",
            "random",
            "evaluator",
            "game",
            "games",
            "eval",
            "mind",
            "search",
            "profile",
            "review",
            "engine",
            "review",
        ],
        crates: &["nalgebra", "serde_json", "shakmaty", "thiserror"],
    },
    // what each search felt and found, in a file
    Rule {
        module: "feelings",
        modules: &[
            "appending",
            "engine",
            "eval",
            "game",
            "mind",
            "profile",
            "random",
            "score",
            "search",
            "story",
        ],
        crates: &["serde_json", "shakmaty", "thiserror"],
    },
    Rule {
        module: "bench",
        modules: &["engine", "game", "profile", "search"],
        crates: &["thiserror"],
    },
    // what makes this program run well here
    Rule {
        module: "doctor",
        modules: &["bench", "engine", "game", "profile", "search", "syzygy"],
        crates: &["serde_json"],
    },
    // each number of a feeling, and where it changes the move
    Rule {
        module: "knobs",
        modules: &["bench", "engine", "eval", "game", "mind", "profile", "score", "search"],
        crates: &["rayon", "serde_json", "shakmaty", "thiserror"],
    },
    // where games with itself begin and end
    Rule {
        module: "play",
        modules: &[
            "digest", "engine", "game", "games", "mind", "packed", "random", "score", "search",
        ],
        crates: &["shakmaty", "thiserror"],
    },
    // such games, written for `tune`
    Rule {
        module: "datagen",
        modules: &[
            "appending",
            "engine",
            "game",
            "play",
            "profile",
            "random",
            "search",
            "parallel",
        ],
        crates: &["shakmaty", "thiserror"],
    },
    // such games between two temperaments
    Rule {
        module: "duel",
        modules: &[
            "appending",
            "bench",
            "engine",
            "game",
            "mind",
            "noise",
            "play",
            "profile",
            "random",
            "score",
            "search",
            "parallel",
        ],
        crates: &["shakmaty", "thiserror"],
    },
    // how often players of such games choose what a temperament would
    Rule {
        module: "humans",
        modules: &["duel", "engine", "games", "noise", "search", "style"],
        crates: &["rayon", "serde_json"],
    },
    // suites of positions with a best move, or a move to avoid
    Rule {
        module: "epd",
        modules: &["engine", "game", "packed", "profile", "score", "search", "parallel"],
        crates: &["serde_json", "shakmaty", "thiserror"],
    },
    // weights fitted to games; of the search it takes quiet lines, and small searches
    Rule {
        module: "tune",
        modules: &[
            "score", "game", "eval", "mind", "search", "noise", "packed", "random", "profile",
            "games", "style", "wdl",
        ],
        crates: &["libm", "nalgebra", "rayon", "serde_json", "shakmaty", "thiserror"],
    },
    Rule {
        module: "uci",
        modules: &[
            "appending",
            "bench",
            "engine",
            "feelings",
            "game",
            "mind",
            "perft",
            "profile",
            "score",
            "search",
            "story",
            "syzygy",
            "wdl",
        ],
        crates: &["shakmaty", "thiserror"],
    },
    // a page to play and to look at; it hands on what it hears, and executes nothing of it
    Rule {
        module: "serve",
        modules: &[
            "engine", "eval", "feelings", "game", "mind", "play", "profile", "random", "score",
            "search", "story",
        ],
        crates: &[
            "http_body_util",
            "hyper",
            "hyper_util",
            "serde_json",
            "shakmaty",
            "thiserror",
            "tokio",
        ],
    },
    Rule {
        module: "cli",
        modules: &[
            "game",
            "search",
            "profile",
            "paper",
            "perft",
            "story",
            "engine",
            "bench",
            "census",
            "datagen",
            "doctor",
            "duel",
            "epd",
            "games",
            "knobs",
            "humans",
            "input",
            "packed",
            "play",
            "replacing",
            "review",
            "serve",
            "style",
            "tune",
            "uci",
            "parallel",
        ],
        // bars of progress, an end at Ctrl-C, and the number of threads; tokio to pass that end on
        crates: &[
            "anyhow",
            "clap",
            "clap_complete",
            "clap_mangen",
            "ctrlc",
            "indicatif",
            "rayon",
            "serde_json",
            "shakmaty",
            "tokio",
        ],
    },
    Rule { module: "lib", modules: &[], crates: &[] },
    Rule { module: "main", modules: &["cli"], crates: &["anyhow", "clap"] },
];

/// Files that may print, and with what. The rest hands text to whoever called.
const PRINTERS: &[(&str, &str)] = &[("main.rs", "eprintln!")];

/// Tells others where the program is; it may ask for that alone.
const WHERE_IT_IS: &str = "cli/doctor.rs";

/// The only file that reads the clock.
const CLOCK: &str = "search/time.rs";

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 60;
/// Functions that are one thought and may be longer, up to their own ceiling.
const LONG_FUNCTIONS: [&str; 2] = ["negamax", "qsearch"];
const LONGEST_OF_THOSE: usize = 150;

/// A source file.
struct Source {
    /// Relative to `src`, with `/`.
    path: String,
    text: String,
    /// Without comments, literals and tests; as many lines as the program has.
    code: String,
}

impl Source {
    /// The first part of the path: the module that [`RULES`] speak of.
    fn module(&self) -> &str {
        self.path.split('/').next().unwrap().trim_end_matches(".rs")
    }

    /// Modules between this file and the root of the crate.
    fn depth(&self) -> usize {
        self.path.trim_end_matches("/mod.rs").split('/').count()
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    assert!(paths.len() > 40, "only {} files in {}", paths.len(), root.display());
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let path: Vec<_> = path.strip_prefix(&root).unwrap().iter().collect();
            let path = path.iter().map(|part| part.to_str().unwrap()).collect::<Vec<_>>().join("/");
            let blanked = blank(&text);
            let program = blanked.find("#[cfg(test)]\nmod ").unwrap_or(blanked.len());
            Source { path, code: blanked[..program].to_owned(), text }
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

/// The text with comments and the insides of literals as spaces; line breaks stay.
fn blank(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = comment(rest).or_else(|| literal(rest)).unwrap_or(0);
        if length == 0 {
            code.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    code
}

fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or(rest.len(), |end| end + 4))
}

/// A string, raw or not, or a character; not a lifetime.
fn literal(rest: &str) -> Option<usize> {
    if rest.starts_with("r\"") || rest.starts_with("r#") {
        let fence: String = rest[1..].chars().take_while(|c| *c == '#').collect();
        let opened = rest[1 + fence.len()..].strip_prefix('"')?;
        let closing = format!("\"{fence}");
        return Some(2 + fence.len() + opened.find(&closing)? + closing.len());
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    if quote == '\'' {
        let mut inside = rest[1..].chars();
        let (first, second) = (inside.next()?, inside.next()?);
        if first != '\\' && second != '\'' {
            return None;
        }
    }
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return Some(i + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Where `word` stands in `code`, as a word of its own.
fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(i, _)| i).filter(move |&i| {
        !code[..i].ends_with(is_part) && !code[i + word.len()..].starts_with(is_part)
    })
}

/// The identifier that `code` begins with.
fn identifier(code: &str) -> &str {
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    &code[..end]
}

/// The first segments that follow `prefix::`: one, or those of a group in braces.
fn used_from(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for at in words(code, prefix) {
        let Some(path) = code[at + prefix.len()..].strip_prefix("::") else { continue };
        let Some(group) = path.strip_prefix('{') else {
            used.insert(identifier(path).to_owned());
            continue;
        };
        let mut nesting = 0;
        let mut first = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => nesting += 1,
                '}' if nesting == 0 => break,
                '}' => nesting -= 1,
                ',' if nesting == 0 => first = true,
                c if first && nesting == 0 && !c.is_whitespace() => {
                    used.insert(identifier(&group[i..]).to_owned());
                    first = false;
                }
                _ => {}
            }
        }
    }
    used
}

fn dependencies() -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
    let everywhere = manifest["dependencies"].as_table().unwrap();
    let targets = manifest["target"].as_table().unwrap().values();
    let somewhere = targets.map(|target| target["dependencies"].as_table().unwrap());
    let names = somewhere.flatten().chain(everywhere).map(|(name, _)| name);
    names.map(|name| name.replace('-', "_")).collect()
}

fn fail_if_any(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

/// The modules and the crates that a file uses.
fn uses(source: &Source, dependencies: &[String]) -> [BTreeSet<String>; 2] {
    let root = if source.module() == "main" { "deepfeeling" } else { "crate" };
    let mut modules = used_from(&source.code, root);
    modules.remove(source.module());
    let is_used = |name: &&String| {
        words(&source.code, name).any(|at| source.code[at + name.len()..].starts_with("::"))
    };
    [modules, dependencies.iter().filter(is_used).cloned().collect()]
}

#[test]
fn modules_use_what_they_may() {
    let rules: BTreeMap<_, _> = RULES.iter().map(|rule| (rule.module, rule)).collect();
    let dependencies = dependencies();
    let mut found = Vec::new();
    for source in sources() {
        let Some(rule) = rules.get(source.module()) else {
            found.push(format!("{}: no rule for module {}", source.path, source.module()));
            continue;
        };
        for (used, allowed) in uses(&source, &dependencies).iter().zip([rule.modules, rule.crates])
        {
            let beyond = used.iter().filter(|name| !allowed.contains(&name.as_str()));
            found.extend(beyond.map(|name| format!("{}: {name}", source.path)));
        }
    }
    fail_if_any("not in the table of design.md, section 3", &found);
}

#[test]
fn what_may_be_used_is_used() {
    let (sources, dependencies) = (sources(), dependencies());
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.module != "main") {
        let mut used = [BTreeSet::new(), BTreeSet::new()];
        for source in sources.iter().filter(|source| source.module() == rule.module) {
            for (all, here) in used.iter_mut().zip(uses(source, &dependencies)) {
                all.extend(here);
            }
        }
        for (allowed, used) in [rule.modules, rule.crates].into_iter().zip(&used) {
            let idle = allowed.iter().filter(|name| !used.contains(**name));
            found.extend(idle.map(|name| format!("{}: {name}", rule.module)));
        }
    }
    fail_if_any("rows of the table that nothing needs", &found);
}

#[test]
fn no_module_reaches_out_by_super() {
    let mut found = Vec::new();
    for source in sources() {
        for at in words(&source.code, "super") {
            let ups = source.code[at..].split("::").take_while(|part| *part == "super").count();
            let nested = source.code[..at].ends_with("::");
            if !nested && ups >= source.depth() && ups > 0 {
                found.push(format!("{}: {} ups", source.path, ups));
            }
        }
    }
    fail_if_any("`super` up to the root of the crate: write `crate::`", &found);
}

#[test]
fn the_table_has_no_circles() {
    let modules: BTreeSet<_> = sources().iter().map(|s| s.module().to_owned()).collect();
    let mut known: Vec<&str> = Vec::new();
    for rule in RULES {
        assert!(modules.contains(rule.module), "there is no module {}", rule.module);
        known.push(rule.module);
        for other in rule.modules {
            assert!(known.contains(other), "{} uses {other}, which comes later", rule.module);
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut found = Vec::new();
    for source in sources() {
        let lines = source.code.lines().count();
        if lines > LONGEST_FILE {
            found.push(format!("{}: {lines} lines without its tests", source.path));
        }
        if !source.text.starts_with("//! ") {
            found.push(format!("{}: no `//!` line at the top", source.path));
        }
    }
    fail_if_any("files", &found);
}

/// Name and number of lines of every function with a body.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let mut functions = Vec::new();
    for at in words(code, "fn") {
        let name = identifier(code[at + 2..].trim_start());
        let ends = code[at..].find(['{', ';']).map(|i| at + i);
        let Some(open) = ends.filter(|i| code[*i..].starts_with('{')) else { continue };
        let mut nesting = 0;
        let close = code[open..].char_indices().find_map(|(i, c)| {
            nesting += i32::from(c == '{') - i32::from(c == '}');
            (nesting == 0).then_some(open + i)
        });
        let body = &code[at..close.map_or(code.len(), |close| close + 1)];
        if !name.is_empty() {
            functions.push((name, body.lines().count()));
        }
    }
    functions
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    let mut long = BTreeSet::new();
    for source in sources() {
        for (name, lines) in functions(&source.code) {
            let ceiling = if LONG_FUNCTIONS.contains(&name) {
                long.insert(name.to_owned());
                LONGEST_OF_THOSE
            } else {
                LONGEST_FUNCTION
            };
            if lines > ceiling {
                found.push(format!("{}: {name} has {lines} lines, {ceiling} allowed", source.path));
            }
        }
    }
    fail_if_any("functions", &found);
    assert_eq!(long.len(), LONG_FUNCTIONS.len(), "a name on the list is no function: {long:?}");
}

#[test]
fn nothing_prints_but_where_it_may() {
    let mut found = Vec::new();
    for source in sources() {
        for word in ["print!", "println!", "eprint!", "eprintln!", "dbg!"] {
            let name = word.trim_end_matches('!');
            let uses =
                words(&source.code, name).any(|at| source.code[at + name.len()..].starts_with('!'));
            if uses && !PRINTERS.contains(&(source.path.as_str(), word)) {
                found.push(format!("{}: {word}", source.path));
            }
        }
        for word in ["stdout", "stderr"] {
            let may = ["cli", "uci", "main"].contains(&source.module());
            if words(&source.code, word).next().is_some() && !may {
                found.push(format!("{}: {word}", source.path));
            }
        }
    }
    fail_if_any("output", &found);
}

#[test]
fn one_file_reads_the_clock_and_none_the_environment() {
    let mut found = Vec::new();
    for source in sources() {
        let clock = ["Instant", "SystemTime"]
            .into_iter()
            .any(|word| words(&source.code, word).next().is_some());
        if clock && source.path != CLOCK {
            found.push(format!("{}: reads the clock", source.path));
        }
        let environment = used_from(&source.code, "std").contains("env")
            && source.path != WHERE_IT_IS
            || source.code.contains("env::var");
        if environment {
            found.push(format!("{}: reads the environment", source.path));
        }
        if words(&source.code, "sleep").next().is_some() {
            found.push(format!("{}: sleeps", source.path));
        }
    }
    fail_if_any("play depends on nothing but options", &found);
}

#[test]
fn nothing_is_unsafe_unfinished_or_macro_made() {
    let mut found = Vec::new();
    for source in sources() {
        for word in ["unsafe", "todo", "unimplemented", "macro_rules", "lazy_static"] {
            if words(&source.code, word).next().is_some() {
                found.push(format!("{}: {word}", source.path));
            }
        }
        for word in ["TODO", "FIXME", "XXX", "HACK"] {
            if words(&source.text, word).next().is_some() {
                found.push(format!("{}: {word}", source.path));
            }
        }
    }
    fail_if_any("not in this program", &found);
}

#[test]
fn modules_with_children_are_folders() {
    let sources = sources();
    let paths: BTreeSet<_> = sources.iter().map(|source| source.path.as_str()).collect();
    let mut found = Vec::new();
    for path in &paths {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !folder.is_empty() && !paths.contains(format!("{folder}/mod.rs").as_str()) {
            found.push(format!("{folder} has no mod.rs"));
        }
        if paths.contains(format!("{folder}.rs").as_str()) {
            found.push(format!("{folder}.rs beside {folder}/"));
        }
        let name = path.rsplit('/').next().unwrap();
        if ["utils.rs", "util.rs", "common.rs", "types.rs", "defs.rs", "misc.rs"].contains(&name) {
            found.push(format!("{path}: a name that says nothing"));
        }
    }
    fail_if_any("folders", &found);
}

#[test]
fn the_reader_of_sources_reads_right() {
    let text = "use crate::{a::B, c};\n// unsafe\nlet s = \"fn x() { unsafe\"; let c = '{';\nfn f<'a>(x: &'a str) {\n}\n";
    let code = blank(text);
    assert_eq!(code.lines().count(), text.lines().count());
    assert_eq!(words(&code, "unsafe").count(), 0);
    assert_eq!(used_from(&code, "crate").into_iter().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(functions(&code), [("f", 2)]);
    assert_eq!(blank(r##"r#"a"b"# x '\'' y"##).trim(), "x      y");
}

//! Checks the layers of `src`, the length of files and functions, and what no file may contain. The
//! package of other games has no layers, but its files keep the other rules.
//!
//! The checks read the source as text, with comments and string literals blanked out. Rules about
//! the program ignore the code under `#[cfg(test)]`, which is always at the end of a file.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeSet,
    fmt, fs,
    path::{Path, PathBuf},
};

/// The folders of `src` in seven layers, lowest first. A file uses its own folder and those listed
/// before it.
const LAYERS: [&[&str]; 7] = [
    &["support"],
    &["chess"],
    &["eval", "search"],
    &["mind", "chess_mind"],
    &["profile", "player"],
    &["explain", "pgn", "review", "lab"],
    &["uci", "serve", "doctor", "cli"],
];

/// Pairs of folders below `player` of which the first must not use the second.
const APART: [(&str, &str); 3] =
    [("search", "eval"), ("chess_mind", "search"), ("profile", "search")];

/// Files that may print, and the macro they use. All others return text to the caller.
const PRINTERS: &[(&str, &str)] = &[("main.rs", "eprintln!")];

/// The only files that read the program's path. They may read nothing else of the environment.
const WHERE_IT_IS: [&str; 2] = ["cli/doctor.rs", "cli/measure.rs"];

/// The only file with a macro, which defines the search parameters from one table.
const PARAMETERS: &str = "search/params.rs";

/// The only file that reads the clock.
const CLOCK: &str = "search/root/moment.rs";

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 60;
/// Functions that may be longer, up to [`LONGEST_LONG_FUNCTION`] lines, for readability.
const LONG_FUNCTIONS: [&str; 2] = ["negamax", "qsearch"];
const LONGEST_LONG_FUNCTION: usize = 150;

/// A source file.
struct Source {
    /// The folder of the package: empty for the engine, or `games/`.
    package: &'static str,
    /// Relative to `src` of the package, with `/`.
    path: String,
    text: String,
    /// The program without comments, literals and tests. The number of lines is kept.
    code: String,
}

impl fmt::Display for Source {
    /// Writes the path, for error messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.package, self.path)
    }
}

impl Source {
    /// The first part of the path: a folder of [`LAYERS`], or a file at the top.
    fn module(&self) -> &str {
        self.path.split('/').next().unwrap().trim_end_matches(".rs")
    }

    /// Number of modules between this file and the crate root.
    fn depth(&self) -> usize {
        self.path.trim_end_matches("/mod.rs").split('/').count()
    }
}

/// Returns the files of the engine.
fn sources() -> Vec<Source> {
    sources_of("", 40)
}

/// Returns the files of the engine and of the package of other games.
fn all_sources() -> Vec<Source> {
    let mut all = sources();
    all.extend(sources_of("games/", 30));
    all
}

/// Returns the files of a package, of which there must be more than `least`.
fn sources_of(package: &'static str, least: usize) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    assert!(paths.len() > least, "only {} files in {}", paths.len(), root.display());
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let path: Vec<_> = path.strip_prefix(&root).unwrap().iter().collect();
            let path = path.iter().map(|part| part.to_str().unwrap()).collect::<Vec<_>>().join("/");
            let blanked = blank(&text);
            let program = blanked.find("#[cfg(test)]\nmod ").unwrap_or(blanked.len());
            Source { package, path, code: blanked[..program].to_owned(), text }
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

/// Replaces comments and the contents of literals by spaces. Line breaks stay.
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

/// Returns the length of the string or character literal at the start of `rest`. Ignores lifetimes.
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

/// Returns the offsets of `word` in `code`, whole words only.
fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(i, _)| i).filter(move |&i| {
        !code[..i].ends_with(is_part) && !code[i + word.len()..].starts_with(is_part)
    })
}

/// Returns the identifier at the start of `code`.
fn identifier(code: &str) -> &str {
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    &code[..end]
}

/// Returns the path segments that follow `prefix::`: one, or all of a group in braces.
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

fn fail_if_any(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn folders_use_lower_layers_only() {
    let order = LAYERS.concat();
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| source.path.contains('/')) {
        let folder = source.module();
        let place = order.iter().position(|name| *name == folder);
        let place = place.unwrap_or_else(|| panic!("{folder} is in no layer"));
        for used in used_from(&source.code, "crate") {
            let is_apart = APART.contains(&(folder, used.as_str()));
            if is_apart || !order[..=place].contains(&used.as_str()) {
                found.push(format!("{source}: {used}"));
            }
        }
    }
    fail_if_any("folders of a higher layer", &found);
}

/// The mind is one code for all games: of this crate, it uses its own folder and `support`.
#[test]
fn the_mind_knows_no_game() {
    let mut found = Vec::new();
    let sources = sources();
    let mind: Vec<_> = sources.iter().filter(|source| source.module() == "mind").collect();
    assert!(mind.len() > 10, "only {} files in src/mind", mind.len());
    for source in mind {
        let strangers = used_from(&source.code, "crate");
        let strangers =
            strangers.iter().filter(|used| !["mind", "support"].contains(&used.as_str()));
        found.extend(strangers.map(|used| format!("{source}: crate::{used}")));
        // here tests count as well
        for word in ["shakmaty", "chess", "chess_mind", "eval"] {
            if words(&blank(&source.text), word).next().is_some() {
                found.push(format!("{source}: {word}"));
            }
        }
    }
    fail_if_any("games in the mind", &found);
}

#[test]
fn no_module_reaches_out_by_super() {
    let mut found = Vec::new();
    for source in all_sources() {
        for at in words(&source.code, "super") {
            let ups = source.code[at..].split("::").take_while(|part| *part == "super").count();
            let nested = source.code[..at].ends_with("::");
            if !nested && ups >= source.depth() && ups > 0 {
                found.push(format!("{source}: {ups} ups"));
            }
        }
    }
    fail_if_any("`super` up to the root of the crate: write `crate::`", &found);
}

#[test]
fn files_are_short_and_begin_with_a_doc_comment() {
    let mut found = Vec::new();
    for source in all_sources() {
        let lines = source.code.lines().count();
        if lines > LONGEST_FILE {
            found.push(format!("{source}: {lines} lines without its tests"));
        }
        if !source.text.starts_with("//! ") {
            found.push(format!("{source}: no `//!` line at the top"));
        }
    }
    fail_if_any("files", &found);
}

/// Returns the name and number of lines of every function with a body.
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
    for source in all_sources() {
        for (name, lines) in functions(&source.code) {
            let ceiling = if LONG_FUNCTIONS.contains(&name) {
                long.insert(name.to_owned());
                LONGEST_LONG_FUNCTION
            } else {
                LONGEST_FUNCTION
            };
            if lines > ceiling {
                found.push(format!("{source}: {name} has {lines} lines, {ceiling} allowed"));
            }
        }
    }
    fail_if_any("functions", &found);
    assert_eq!(long.len(), LONG_FUNCTIONS.len(), "a name on the list is no function: {long:?}");
}

#[test]
fn only_listed_files_print() {
    let mut found = Vec::new();
    for source in all_sources() {
        for word in ["print!", "println!", "eprint!", "eprintln!", "dbg!"] {
            let name = word.trim_end_matches('!');
            let uses =
                words(&source.code, name).any(|at| source.code[at + name.len()..].starts_with('!'));
            if uses && !PRINTERS.contains(&(source.path.as_str(), word)) {
                found.push(format!("{source}: {word}"));
            }
        }
        for word in ["stdout", "stderr"] {
            let may = ["cli", "uci", "main"].contains(&source.module());
            if words(&source.code, word).next().is_some() && !may {
                found.push(format!("{source}: {word}"));
            }
        }
    }
    fail_if_any("output", &found);
}

#[test]
fn only_one_file_reads_the_clock_and_none_reads_the_environment() {
    let mut found = Vec::new();
    for source in all_sources() {
        let clock = ["Instant", "SystemTime"]
            .into_iter()
            .any(|word| words(&source.code, word).next().is_some());
        if clock && source.path != CLOCK {
            found.push(format!("{source}: reads the clock"));
        }
        let environment = used_from(&source.code, "std").contains("env")
            && !WHERE_IT_IS.contains(&source.path.as_str())
            || source.code.contains("env::var");
        if environment {
            found.push(format!("{source}: reads the environment"));
        }
        if words(&source.code, "sleep").next().is_some() {
            found.push(format!("{source}: sleeps"));
        }
    }
    fail_if_any("play depends on nothing but options", &found);
}

#[test]
fn there_is_no_unsafe_unfinished_or_macro_generated_code() {
    let mut found = Vec::new();
    for source in all_sources() {
        for word in ["unsafe", "todo", "unimplemented", "macro_rules", "lazy_static"] {
            let may = word == "macro_rules" && source.path == PARAMETERS;
            if words(&source.code, word).next().is_some() && !may {
                found.push(format!("{source}: {word}"));
            }
        }
        for word in ["TODO", "FIXME", "XXX", "HACK"] {
            if words(&source.text, word).next().is_some() {
                found.push(format!("{source}: {word}"));
            }
        }
    }
    fail_if_any("not in this program", &found);
}

#[test]
fn modules_with_children_are_folders() {
    let sources = all_sources();
    let mut found = Vec::new();
    for Source { package, path, .. } in &sources {
        let own = sources.iter().filter(|source| source.package == *package);
        let paths: BTreeSet<_> = own.map(|source| source.path.as_str()).collect();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !folder.is_empty() && !paths.contains(format!("{folder}/mod.rs").as_str()) {
            found.push(format!("{package}{folder} has no mod.rs"));
        }
        if paths.contains(format!("{folder}.rs").as_str()) {
            found.push(format!("{package}{folder}.rs beside {folder}/"));
        }
        let name = path.rsplit('/').next().unwrap();
        if ["utils.rs", "util.rs", "common.rs", "types.rs", "defs.rs", "misc.rs"].contains(&name) {
            found.push(format!("{package}{path}: a name that says nothing"));
        }
    }
    fail_if_any("folders", &found);
}

#[test]
fn the_source_reader_ignores_comments_and_literals() {
    let text = "use crate::{a::B, c};\n// unsafe\nlet s = \"fn x() { unsafe\"; let c = '{';\nfn f<'a>(x: &'a str) {\n}\n";
    let code = blank(text);
    assert_eq!(code.lines().count(), text.lines().count());
    assert_eq!(words(&code, "unsafe").count(), 0);
    assert_eq!(used_from(&code, "crate").into_iter().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(functions(&code), [("f", 2)]);
    assert_eq!(blank(r##"r#"a"b"# x '\'' y"##).trim(), "x      y");
}

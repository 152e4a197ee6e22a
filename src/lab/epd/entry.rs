//! One entry of an EPD file as text: the position, and the operations behind it.
//! <https://www.chessprogramming.org/Extended_Position_Description>

/// An entry, which is a line, taken apart; nothing in it has been understood yet.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// Board, side to move, castling rights, en passant square; perhaps both counters.
    fields: Vec<&'a str>,
    /// Opcodes, each with its operands; no opcode stands twice.
    operations: Vec<(&'a str, &'a str)>,
}

impl<'a> Entry<'a> {
    /// Takes `text` apart.
    ///
    /// # Errors
    /// If there are too few fields for a position, or an operation breaks the format.
    pub(super) fn parse(text: &'a str) -> Result<Self, String> {
        let (fields, mut rest) = fields(text);
        if fields.len() < 4 {
            return Err(format!(
                "found {} of the 4 fields of a position: board, side to move, castling rights, \
                 en passant square",
                fields.len()
            ));
        }
        let mut operations: Vec<(&str, &str)> = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
            if rest.is_empty() {
                return Ok(Self { fields, operations });
            }
            let (operation, behind) = operation(rest)?;
            let (opcode, operands) =
                operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
            if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(format!("`{opcode}` is no operation, expected e.g. `bm Nf3;`"));
            }
            if operations.iter().any(|(other, _)| *other == opcode) {
                return Err(format!("operation `{opcode}` stands twice"));
            }
            operations.push((opcode, operands.trim()));
            rest = behind;
        }
    }

    /// The position as FEN; its counters may also come as the operations `hmvc` and `fmvn`.
    pub(super) fn fen(&self) -> String {
        let mut fields = self.fields.clone();
        if fields.len() == 4 {
            fields.push(self.operands("hmvc").unwrap_or("0"));
            fields.push(self.operands("fmvn").unwrap_or("1"));
        }
        fields.join(" ")
    }

    /// What stands behind `opcode`, quotes included.
    pub(super) fn operands(&self, opcode: &str) -> Option<&'a str> {
        self.operations.iter().find(|(other, _)| *other == opcode).map(|(_, operands)| *operands)
    }

    /// What stands behind `opcode`, without the quotes around it.
    pub(super) fn text(&self, opcode: &str) -> Option<&'a str> {
        self.operands(opcode).map(|operands| operands.trim_matches('"').trim())
    }
}

/// The fields of the position, and what is behind them. A fifth and a sixth belong to it if they
/// are numbers: some suites hold whole FENs.
fn fields(text: &str) -> (Vec<&str>, &str) {
    let (mut fields, mut rest) = (Vec::new(), text.trim_start());
    while fields.len() < 6 {
        let end = rest.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(rest.len());
        let (field, behind) = rest.split_at(end);
        let is_counter = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_counter) {
            break;
        }
        fields.push(field);
        rest = behind.trim_start();
    }
    (fields, rest)
}

/// The first operation in `text`, without its semicolon, and what is behind it. A semicolon within
/// quotes ends nothing.
fn operation(text: &str) -> Result<(&str, &str), String> {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => return Ok((text[..at].trim_end(), &text[at + 1..])),
            _ => {}
        }
    }
    if quoted { Err("a quote is not closed".into()) } else { Ok((text.trim_end(), "")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_in_quotes_ends_nothing_and_the_last_may_be_missing() {
        let entry =
            Entry::parse(r#"8/8/8/8/8/8/8/K1k5 w - - bm Ka2 Kb1;c0 "a; b";id "x y""#).unwrap();
        assert_eq!(entry.operands("bm"), Some("Ka2 Kb1"));
        assert_eq!(entry.text("c0"), Some("a; b"));
        assert_eq!(entry.text("id"), Some("x y"));
        assert_eq!(entry.operands("am"), None);
    }

    #[test]
    fn counters_come_as_fields_or_as_operations() {
        let fen = |text| Entry::parse(text).unwrap().fen();
        assert_eq!(fen("b w - - 7 30 bm e4"), "b w - - 7 30");
        assert_eq!(fen("b w - -; hmvc 7; fmvn 30"), "b w - - 7 30");
        assert_eq!(fen("b w - - bm e4"), "b w - - 0 1");
    }

    #[test]
    fn what_breaks_the_format_is_refused() {
        let complaint = |text| Entry::parse(text).unwrap_err();
        assert!(complaint("b w -").starts_with("found 3 of the 4 fields"));
        assert!(complaint("b w - -; -100; P").contains("`-100` is no operation"));
        assert!(complaint("b w - - bm e4; bm d4;").contains("`bm` stands twice"));
        assert!(complaint("b w - - id \"open; bm d4;").contains("not closed"));
    }
}

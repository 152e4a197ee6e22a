//! Splits one line of an EPD file into the position and its operations.
//! <https://www.chessprogramming.org/Extended_Position_Description>

/// An EPD line split into its parts, which are not interpreted yet.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// Board, side to move, castling rights and en passant square, optionally followed by both
    /// counters.
    fields: Vec<&'a str>,
    /// Opcodes with their operands. Each opcode occurs once.
    operations: Vec<(&'a str, &'a str)>,
}

impl<'a> Entry<'a> {
    /// Splits the line `text`.
    ///
    /// # Errors
    /// If there are too few fields for a position, or an operation is malformed.
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
                return Err(format!("`{opcode}` is not an operation, expected e.g. `bm Nf3;`"));
            }
            if operations.iter().any(|(other, _)| *other == opcode) {
                return Err(format!("operation `{opcode}` appears twice"));
            }
            operations.push((opcode, operands.trim()));
            rest = behind;
        }
    }

    /// Returns the position as FEN. The counters come from the fields or from `hmvc` and `fmvn`.
    pub(super) fn fen(&self) -> String {
        let mut fields = self.fields.clone();
        if fields.len() == 4 {
            fields.push(self.operands("hmvc").unwrap_or("0"));
            fields.push(self.operands("fmvn").unwrap_or("1"));
        }
        fields.join(" ")
    }

    /// Returns the operands of `opcode`, including quotes.
    pub(super) fn operands(&self, opcode: &str) -> Option<&'a str> {
        self.operations.iter().find(|(other, _)| *other == opcode).map(|(_, operands)| *operands)
    }

    /// Returns the operands of `opcode` without the surrounding quotes.
    pub(super) fn text(&self, opcode: &str) -> Option<&'a str> {
        self.operands(opcode).map(|operands| operands.trim_matches('"').trim())
    }
}

/// Returns the fields of the position and the remaining text.
///
/// A fifth and sixth field belong to the position if they are numbers, because some suites contain
/// complete FENs.
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

/// Returns the first operation of `text` without its semicolon, and the remaining text.
///
/// A semicolon within quotes does not end the operation.
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
    fn quoted_semicolons_are_text_and_the_last_semicolon_is_optional() {
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
    fn malformed_entries_are_rejected() {
        let complaint = |text| Entry::parse(text).unwrap_err();
        assert!(complaint("b w -").starts_with("found 3 of the 4 fields"));
        assert!(complaint("b w - -; -100; P").contains("`-100` is not an operation"));
        assert!(complaint("b w - - bm e4; bm d4;").contains("`bm` appears twice"));
        assert!(complaint("b w - - id \"open; bm d4;").contains("not closed"));
    }
}

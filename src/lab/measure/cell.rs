//! Cells of tables as templates with figures from the JSON of measurements.
//!
//! `{match:/elo:+1}` is the number at the path `/elo` in the result of the run `match`, with a sign
//! and one decimal. A path is a JSON pointer whose parts may also be `name=Standard`, which is the
//! first array element with this field, in any case. A last part `#` counts the elements of an array, and
//! `#fen` those whose field `fen` is not null. `*100.1` and `*100+1` multiply first. Without a
//! format, the value is unchanged, with commas between thousands.

use serde_json::Value;

/// Returns the names of the runs whose results `template` needs.
pub(super) fn runs(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|figure| figure.split_once(':')).map(|(run, _)| run)
}

/// Replaces the figures of `template`. `result` returns the JSON of a run.
///
/// # Errors
/// If a figure is malformed, or not in the result.
pub(super) fn fill<'r>(
    template: &str,
    result: impl Fn(&str) -> Option<&'r Value>,
) -> Result<String, String> {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (figure, rest) = part.split_once('}').ok_or("a `{` is not closed")?;
        text += &value(figure, &result).ok_or_else(|| format!("no figure `{{{figure}}}`"))?;
        text += rest;
    }
    Ok(text)
}

fn value<'r>(figure: &str, result: impl Fn(&str) -> Option<&'r Value>) -> Option<String> {
    let (run, figure) = figure.split_once(':')?;
    let (path, format) = figure.split_once(':').unwrap_or((figure, ""));
    let mut value = result(run)?;
    for part in path.split('/').skip(1) {
        if let Some(field) = part.strip_prefix('#') {
            let items = value.as_array()?.iter();
            let count = items.filter(|item| field.is_empty() || !item[field].is_null()).count();
            return Some(thousands(&count.to_string()));
        }
        value = match part.split_once('=') {
            Some((field, name)) => value.as_array()?.iter().find(|item| {
                item[field].as_str().is_some_and(|text| text.eq_ignore_ascii_case(name))
            })?,
            None => value.pointer(&format!("/{part}"))?,
        };
    }
    if format.is_empty() {
        return Some(match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => thousands(&number.to_string()),
            _ => return None,
        });
    }
    formatted(value.as_f64()?, format)
}

/// Formats `number` as in `+1`, `*100+0` or `2`.
fn formatted(mut number: f64, format: &str) -> Option<String> {
    let mut format = format;
    if let Some(factor) = format.strip_prefix('*') {
        let end = factor.find(['+', '.'])?;
        number *= factor[..end].parse::<f64>().ok()?;
        format = factor[end..].trim_start_matches('.');
    }
    let (is_signed, decimals) =
        format.strip_prefix('+').map_or((false, format), |decimals| (true, decimals));
    let decimals = decimals.parse::<usize>().ok().filter(|decimals| *decimals < 10)?;
    let text =
        if is_signed { format!("{number:+.decimals$}") } else { format!("{number:.decimals$}") };
    Some(text.replace('-', "−"))
}

/// Adds commas to a whole number of four or more digits.
fn thousands(digits: &str) -> String {
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return digits.replace('-', "−");
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_taken_from_results() {
        let json = json!({
            "elo": -2.34, "games": 8610, "share": 0.3046, "test": "passed",
            "players": [{"name": "A", "draws": 3}, {"name": "B", "draws": null}],
        });
        let filled = |template| fill(template, |run| (run == "match").then_some(&json));
        for (template, text) in [
            ("{match:/elo:+1} ± {match:/share:*100.1}", "−2.3 ± 30.5"),
            ("{match:/share:2} or {match:/share:*100+0}", "0.30 or +30"),
            ("{match:/games} {match:/test}", "8,610 passed"),
            ("{match:/players/name=a/draws} of {match:/players/1/name}", "3 of B"),
            ("{match:/players/#}: {match:/players/#draws}", "2: 1"),
            ("plain", "plain"),
        ] {
            assert_eq!(filled(template).as_deref(), Ok(text), "{template}");
        }
        for template in ["{match:/none}", "{other:/elo}", "{match:/test:1}", "{match:/elo:x}"] {
            assert_eq!(filled(template), Err(format!("no figure `{template}`")));
        }
        assert!(filled("{match:/elo").is_err());
        assert_eq!(runs("{a:/b} ± {c-d:/e:+1}").collect::<Vec<_>>(), ["a", "c-d"]);
    }
}

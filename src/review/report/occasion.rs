//! Event, place and date of a game in words.

use crate::pgn::Tags;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Returns event, place and date, without those that are unknown.
pub(super) fn of(tags: &Tags) -> Vec<String> {
    let known = |text: &&String| !text.chars().all(|c| matches!(c, '?' | '-' | '.' | ' '));
    let places = [&tags.event, &tags.site].into_iter().filter(known).cloned();
    places.chain(Some(&tags.date).filter(known).map(|date| in_words(date))).collect()
}

/// Writes a date such as `1851.06.21` as `21 June 1851`. Unknown parts are omitted. A date in
/// another form is returned unchanged.
fn in_words(date: &str) -> String {
    let mut parts = date.split('.');
    let year = parts.next().unwrap_or_default();
    let [month, day] = [parts.next(), parts.next()].map(|part| part?.parse::<usize>().ok());
    let month = month.and_then(|month| MONTHS.get(month.checked_sub(1)?));
    if year.len() != 4 || year.contains('?') {
        return date.to_owned();
    }
    match (day, month) {
        (Some(day), Some(month)) => format!("{day} {month} {year}"),
        (None, Some(month)) => format!("{month} {year}"),
        (_, None) => year.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_parts_are_named() {
        let words = |event: &str, site: &str, date: &str| {
            let [event, site, date] = [event, site, date].map(str::to_owned);
            of(&Tags { event, site, date, ..Tags::default() }).join(", ")
        };
        assert_eq!(
            words("Casual game", "London", "1851.06.21"),
            "Casual game, London, 21 June 1851"
        );
        assert_eq!(words("?", "Paris", "1858.10.??"), "Paris, October 1858");
        assert_eq!(words("", "-", "1858.??.??"), "1858");
        assert_eq!(words("Match", "?", "????.??.??"), "Match");
        assert_eq!(words("", "", "summer 1900"), "summer 1900");
        assert_eq!(words("", "", "1900.13.01"), "1900");
    }
}

"""Tests how the page of `deepfeeling serve` shows feelings and what they change. Usage: feel.py BINARY"""

import re

from playwright.sync_api import sync_playwright
from support.live_page import begin, moves, play, run_checks, until, until_arrows, until_moves

# An anxious engine, as Black, shelters its king here.
CASTLED = "startpos moves e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O"
# The engine would choose other moves without its feeling. A test adds them to the server's answers.
CHOICE = '{"san":"Nd7","from":"f6","to":"d7","score":{"cp":30},"depth":9,"line":["Nd7"]}'


def start(page):
    begin(page, position=CASTLED)
    page.select_option("#profile", "anxious")
    play(page, "h3")
    until_moves(page, 18)
    until(page, "It played")


def what_the_feeling_changed_is_a_sentence_with_numbers(page, _):
    start(page)
    page.wait_for_function(
        "() => !document.getElementById('effect-text').textContent.includes('Searching')"
        " && document.querySelector('#choices tr')"
    )
    text = page.inner_text("#effect-text")
    assert re.search(r"Feeling slight fear, it weighs .*the safety of its own king \d+ % more", text), text
    played = moves(page)[-1]
    assert "Without the feeling it would" in text or "The choice was close" in text, text
    assert page.locator("#choices tr").count() == 3
    assert page.locator("#effect-bars .pair").count() > 0
    assert "Full bar" in page.inner_text("#effect-scale")
    page.uncheck("#compare")
    assert not page.is_visible("#choices") and page.locator("#effect-bars .pair").count() == 0
    assert played not in page.inner_text("#effect-text")
    page.check("#compare")
    assert page.is_visible("#choices")


def another_choice_without_the_feeling_is_an_arrow(page, _):
    start(page)
    played = page.evaluate(
        """async () => { const game = sessionStorage.getItem("game");
             const answer = await fetch(`/api/games/${game}/pgn`); return answer.text(); }"""
    )
    san = re.findall(r"9\. h3 (?:9\.\.\. )?(\S+)", played)[0]
    page.evaluate(
        """([calm, san]) => { const parse = JSON.parse; JSON.parse = (data) => {
             const state = parse(data);
             const last = state.moves?.at(-1);
             if (last) last.comparison = { with: { ...parse(calm), san }, without: parse(calm) };
             return state; }; }""",
        [CHOICE, san],
    )
    page.click("#hint")
    until(page, "A good move")
    text = "Without the feeling it would have played Nd7."
    page.wait_for_function(
        "text => document.getElementById('effect-text').textContent.includes(text)", arg=text
    )
    until_arrows(page, 1, 1, "[stroke='#6b6670']")
    page.reload()


def until_lit(page, least, most=64):
    """Waits until the number of lit squares is in this range. The board keeps unused squares, which have no size."""
    page.wait_for_function(
        """([least, most]) => { const lit = [...document.querySelectorAll("#board square.lit")];
             const count = lit.filter((square) => square.getClientRects().length).length;
             return count >= least && count <= most; }""",
        arg=[least, most],
    )


def the_squares_of_its_goal_light_up(page, _):
    start(page)
    until_lit(page, 4)
    assert "g8" in page.inner_text("#square-list")
    page.click("#squares")
    until_lit(page, 0, 0)
    assert page.text_content("#square-list") == ""
    page.reload()
    until(page, "Your move")
    until_lit(page, 0, 0)
    page.click("#squares")
    until_lit(page, 4)


def both_players_feelings_are_shown(page, _):
    start(page)
    assert "In the opponent’s place it would feel" in page.inner_text("#other-feeling")
    assert page.locator("#ribbon svg").count() == 2
    assert page.locator("#ribbon svg >> nth=1").locator(".fear, .relief").count() > 0
    assert "Full height" in page.inner_text("#ribbon")


def small_factors_are_visible(page, _):
    begin(page)
    page.select_option("#profile", "anxious")
    page.locator("#strength").fill("10")
    play(page, "e4")
    until_moves(page, 2)
    until(page, "It played")
    scale = page.inner_text("#factor-scale")
    assert re.search(r"A full bar is (5|10) %", scale), scale
    page.wait_for_function("() => document.getAnimations().length === 0")
    widths = page.locator("#factors td:not(.same)").evaluate_all(
        "cells => cells.map((cell) => parseFloat(getComputedStyle(cell, '::before').width))"
    )
    assert len(widths) >= 2 and min(widths) >= 3 and max(widths) > 8, widths
    page.locator("#strength").fill("100")


def scores_are_for_white_or_for_the_side_at_the_bottom(page, _):
    begin(page, position="4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", side="black")
    until_moves(page, 1)
    score = page.inner_text("#score")
    assert score.startswith(("+", "#")) and "−" not in score, score
    assert page.inner_text("#score-name") == "Score for White"
    page.check("#bottom")
    assert "−" in page.inner_text("#score") and page.inner_text("#score-name") == "Score for Black"
    assert "−" in page.inner_text("#moves small >> nth=0")
    page.click("#resign")
    page.wait_for_timeout(300)
    if page.is_visible("#yes"):
        page.click("#yes")
    page.click("#look-back")
    page.wait_for_url("**/review.html", timeout=60_000)
    page.wait_for_selector("#moves button")
    assert "for White" in page.inner_text("#better")
    page.click("#flip")
    assert "for Black: " in page.inner_text("#better") and "−" in page.inner_text("#better")
    page.uncheck("#bottom")
    assert "for White" in page.inner_text("#better")
    page.click("a:has-text('Back to the game')")
    until(page, "wins by resignation")


def feelings_and_clock_are_announced(page, _):
    begin(page, time="10+0")
    play(page, "e4")
    until(page, "It played")
    heard = page.text_content("#heard")
    assert "It feels" in heard and re.search(r"You have (9|10) minutes", heard), heard
    assert page.get_attribute("#heard", "aria-live") == "polite"


def main():
    with sync_playwright() as playwright:
        run_checks(
            playwright,
            [
                what_the_feeling_changed_is_a_sentence_with_numbers,
                another_choice_without_the_feeling_is_an_arrow,
                the_squares_of_its_goal_light_up,
                both_players_feelings_are_shown,
                small_factors_are_visible,
                scores_are_for_white_or_for_the_side_at_the_bottom,
                feelings_and_clock_are_announced,
            ],
            [],
        )


if __name__ == "__main__":
    main()

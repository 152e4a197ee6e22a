"""Tests blind games on the page of `deepfeeling serve`: the user guesses who is playing.

Usage: blind.py BINARY
"""

from playwright.sync_api import sync_playwright
from support.live_page import NARROW, WIDE, play, run_checks, until, until_moves

HIDDEN = ["#emotion", "#map", "#factors", "#temper", "#whatif", "#effect", "#think"]


def begin_blind(page):
    """Starts a blind game by its link and plays a move."""
    page.goto(f"{page.address}?level=full&profile=blind&nodes=1000&side=white")
    page.wait_for_function("() => !location.search && document.getElementById('board').ariaLabel")
    until(page, "Your move")
    play(page, "e4")
    until_moves(page, 2)
    until(page, "It played")


def suspects(page):
    return page.locator("#suspects button").evaluate_all("all => all.map((one) => one.value)")


def the_start_screen_offers_a_blind_game(page, _):
    page.check("[name=profile][value=blind]", force=True)
    assert "guess who" in page.inner_text("#chosen")
    page.check("[name=level][value='1400']", force=True)
    page.click("#new button.main")
    until(page, "Your move")
    assert page.inner_text("#far-name") == "Club player · 1400 · who?"


def profile_and_feelings_are_hidden_until_the_guess(page, _):
    begin_blind(page)
    assert page.inner_text("#far-name") == "Full strength · who?"
    assert page.inner_text("#blind-title") == "Who are you playing?"
    assert len(suspects(page)) == 4
    visible = [one for one in HIDDEN if page.is_visible(one)]
    assert visible == [], visible
    for side in (NARROW, WIDE):
        page.set_viewport_size(side)
        assert page.is_visible("#suspects")
    # walking back does not show what the engine felt
    page.keyboard.press("Home")
    assert not page.is_visible("#emotion")
    page.keyboard.press("End")


def the_question_stays_while_the_game_goes_on(page, _):
    begin_blind(page)
    page.focus("#suspects button:first-child")
    page.evaluate("document.activeElement.marked = true")
    play(page, "d4")
    until_moves(page, 4)
    assert page.evaluate("document.querySelector('#suspects button').marked")


def the_guess_is_answered_and_counted(page, _):
    page.evaluate("localStorage.removeItem('guesses')")
    right = 0
    for number in (1, 2, 3):
        begin_blind(page)
        page.click("#suspects button:first-child")
        page.wait_for_function("() => document.body.matches(':not(.guessing)')")
        title, text = page.inner_text("#blind-title"), page.inner_text("#blind-text")
        right += title.startswith("Right: it is")
        assert title.startswith(("Right: it is", "It is")), title
        assert f"You have guessed {right} of {number} right." in text, text
        assert page.is_visible("#emotion") and page.is_visible("#temper")
        name = page.inner_text("#far-name").removeprefix("Full strength · ")
        assert name in title, (name, title)
    # a reload counts nothing twice
    page.reload()
    page.wait_for_selector("#blind-text:not(:empty)")
    assert f"You have guessed {right} of 3 right." in page.inner_text("#blind-text")


def a_rematch_is_blind_again(page, _):
    begin_blind(page)
    page.click("#suspects button:last-child")
    page.wait_for_function("() => document.body.matches(':not(.guessing)')")
    page.click("#resign")
    page.click("#yes")
    page.wait_for_selector("#end:not([hidden])")
    page.click("#rematch")
    page.wait_for_function("() => document.body.matches('.guessing')")
    assert page.inner_text("#blind-title") == "Who are you playing?"


def main():
    with sync_playwright() as playwright:
        run_checks(
            playwright,
            [
                the_start_screen_offers_a_blind_game,
                profile_and_feelings_are_hidden_until_the_guess,
                the_question_stays_while_the_game_goes_on,
                the_guess_is_answered_and_counted,
                a_rematch_is_blind_again,
            ],
            [],
        )


if __name__ == "__main__":
    main()

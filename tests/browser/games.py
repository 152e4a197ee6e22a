"""Tests the page of `deepfeeling-games serve` in a browser. Usage: games.py BINARY

The binary of the games is in the folder of BINARY.
"""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from support.live_page import BINARY, LAPTOP, NARROW, SIDEWAYS, SMALL, WIDE, Server, open_page, print_ok

GAMES = BINARY.with_name("deepfeeling-games")
HORSES = "?game=horses&level=beginner&temperament=standard&side=white&rules=fine%3Donce&seed=7"
TILT = "?game=tilt&level=normal&temperament=standard&side=silver&rules=jumps%3Dtrue&seed=2"


class GamesServer(Server):
    """A server of the games."""

    def __init__(self):
        super().__init__()
        self.command[0] = GAMES


def begin(page, link):
    page.evaluate("sessionStorage.clear()")
    page.goto(page.address + link)
    until_yours(page)


def until_yours(page):
    page.wait_for_function(
        """() => { const status = document.getElementById("status").textContent;
             return status.includes("Your move") || status.includes("The game is over"); }""",
        timeout=60_000,
    )


def legal(page):
    """Returns the names of the cells that can be picked."""
    cells = page.locator("#cells [aria-disabled=false]")
    return cells.evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")


def pick(page, name):
    page.click(f"#cells [data-cell={name}]")


def play(page, name):
    """Picks the target of a move, and waits until it is the user's turn again."""
    pick(page, name)
    page.wait_for_function(
        "name => document.querySelector(`[data-cell=${name}]`).ariaDisabled === 'true'", arg=name
    )
    until_yours(page)


def a_game_is_chosen_and_its_link_leads_to_the_same_start(page):
    page.goto(page.address)
    page.check("input[value=tilt]")
    assert page.is_visible("text=Two sides cross a board") and page.is_visible("input[value=novice]")
    page.check("input[value=horses]")
    page.check("input[value=beginner]")
    page.check("input[value=white]")
    page.fill("#seed", "-3")
    page.click("#new .main")
    assert "whole number" in page.inner_text("#start-error")
    page.fill("#seed", "7")
    page.press("#seed", "Enter")
    until_yours(page)
    assert "seed=7" in page.url and "side=white" in page.url
    labels = "cells => cells.map((cell) => cell.ariaLabel)"
    start = page.locator("#cells button").evaluate_all(labels)
    assert len(start) == 64 and any("you can move here" in label for label in start)
    friend = open_page(page.context.new_page(), page.address)
    friend.goto(page.url)
    until_yours(friend)
    assert friend.locator("#cells button").evaluate_all(labels) == start
    assert friend.faults == [], friend.faults
    friend.close()
    page.click("#choose")
    assert page.is_visible("#new") and "seed" not in page.url


def a_move_is_answered_felt_and_taken_back(page):
    begin(page, HORSES)
    first = legal(page)
    play(page, first[0])
    assert "Black played" in page.inner_text("#status"), page.inner_text("#status")
    assert re.match(r"It is [a-z ]+: .+; wants to ", page.inner_text("#sentence"))
    page.wait_for_function("() => document.getElementById('choice').textContent.includes('last move')")
    assert page.locator("#cells .last").count() == 2
    after = legal(page)
    page.reload()
    until_yours(page)
    assert legal(page) == after
    page.click("#undo")
    page.wait_for_function("() => document.getElementById('undo').disabled")
    assert legal(page) == first


def the_feeling_is_switched_off_in_the_middle_of_a_game(page):
    begin(page, HORSES)
    play(page, legal(page)[0])
    page.uncheck("#feels")
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('It does not feel')")
    page.wait_for_function("() => /with(out)? feeling/.test(document.getElementById('choice').textContent)")
    page.check("#feels")
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('It is ')")


def a_game_is_played_to_its_end_with_the_keyboard(page):
    begin(page, HORSES)
    page.focus("#cells [tabindex='0']")
    at = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowRight" if at[0] < "h" else "ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.cell")[1] == at[1]
    for _ in range(40):
        targets = legal(page)
        if not targets:
            break
        page.focus(f"#cells [data-cell={targets[0]}]")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "name => document.querySelector(`[data-cell=${name}]`).ariaDisabled === 'true'", arg=targets[0]
        )
        until_yours(page)
    assert "The game is over" in page.inner_text("#status"), page.inner_text("#status")
    page.wait_for_selector("#review:not([hidden])")
    assert page.locator("#ribbon svg").count() == 2
    assert "would have played" in page.inner_text("#turning"), page.inner_text("#turning")
    page.click("#again")
    page.wait_for_selector("#review", state="hidden")
    assert legal(page) and page.is_disabled("#undo")


def the_board_of_tilt_tips_and_counts_the_run(page):
    begin(page, TILT)
    assert "You move one more time until" in page.inner_text("#balance"), page.inner_text("#balance")
    assert "matrix" in page.evaluate("getComputedStyle(document.getElementById('cells')).transform")
    men = legal(page)
    pick(page, men[0])
    targets = [name for name in legal(page) if name not in men]
    assert targets and page.locator("#cells .selected").count() == 1
    pick(page, targets[0])
    page.wait_for_function("() => document.getElementById('status').textContent.includes('Gold played')")
    until_yours(page)
    assert "Silver's half weighs" in page.inner_text("#balance")


def the_map_and_the_factors_are_shown(page):
    for link, concepts in [(HORSES, 7), (TILT, 7)]:
        begin(page, link)
        assert page.locator("#map [data-concept]").count() == concepts
        assert page.get_attribute("#map svg", "aria-label").startswith("Map of concepts: ")
        assert page.locator("#factors tr").count() >= 3
        assert re.match(r"A full bar is \d+ %|Every term has its usual weight", page.inner_text("#factor-scale"))


def a_stronger_feeling_is_imagined(page):
    begin(page, HORSES)
    slide = """value => { const slider = document.getElementById("strength");
                          slider.value = value; slider.dispatchEvent(new Event("change")); }"""
    page.evaluate(slide, 200)
    page.wait_for_function("() => document.getElementById('imagined').textContent.includes('not moved yet')")
    play(page, legal(page)[0])
    for value in [0, 200]:
        page.evaluate(slide, value)
        page.wait_for_function("() => document.getElementById('imagined').textContent.startsWith('Before its last move')")
        assert re.search(r"It would (still )?have played \w+", page.inner_text("#imagined"))
    assert page.is_visible("body.imagined")
    play(page, legal(page)[0])
    assert page.inner_text("#imagined") == "" and page.input_value("#strength") == "100"


def earlier_positions_are_shown_and_the_game_stays(page):
    begin(page, HORSES)
    start = legal(page)
    play(page, start[0])
    present, sentence = legal(page), page.inner_text("#sentence")
    page.click("#first")
    page.wait_for_function("() => document.querySelectorAll('#cells .last').length === 0")
    assert legal(page) == [] and "After move 0 of 2" in page.inner_text("#where")
    assert page.is_disabled("#earlier") and page.is_enabled("#later")
    page.focus("#present")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('where').textContent.includes('After move 1 of 2')")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('where').textContent === ''")
    assert legal(page) == present and page.inner_text("#sentence") == sentence
    assert page.is_disabled("#present")
    play(page, present[0])


def a_wrong_link_is_explained(page):
    page.goto(page.address + "?game=horses&level=grandmaster")
    page.wait_for_function("() => document.getElementById('start-error').textContent.includes('level: found')")
    assert page.is_visible("#new")
    page.faults.clear()  # the browser reports the refused request


def every_view_fits_and_is_accessible(page):
    for link in ["", HORSES, TILT]:
        for size in [SMALL, NARROW, SIDEWAYS, LAPTOP, WIDE]:
            page.set_viewport_size(size)
            if link:
                begin(page, link)
            else:
                page.goto(page.address)
                page.wait_for_selector("body:not(.loading) #new")
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], (link, size, width)
            for scheme in ["light", "dark"]:
                page.emulate_media(color_scheme=scheme)
                found = Axe().run(page)
                assert found.violations_count == 0, (link, size, scheme, found.generate_report())
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)


CHECKS = [
    a_game_is_chosen_and_its_link_leads_to_the_same_start,
    a_move_is_answered_felt_and_taken_back,
    the_feeling_is_switched_off_in_the_middle_of_a_game,
    a_game_is_played_to_its_end_with_the_keyboard,
    the_board_of_tilt_tips_and_counts_the_run,
    the_map_and_the_factors_are_shown,
    a_stronger_feeling_is_imagined,
    earlier_positions_are_shown_and_the_game_stays,
    a_wrong_link_is_explained,
    every_view_fits_and_is_accessible,
]

with sync_playwright() as playwright, GamesServer() as server:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = open_page(browser.new_context(viewport=WIDE).new_page(), server.address)
    for check in CHECKS:
        check(page)
        assert page.faults == [], page.faults
        print_ok(check)
    browser.close()

"""Tests whole games by every kind of input, several tabs, reloads and the installed page.

Usage: whole.py BINARY
"""

import re

from playwright.sync_api import sync_playwright
from support.live_page import (
    NARROW,
    SIDEWAYS,
    WIDE,
    Server,
    begin,
    drag,
    is_whole,
    middle,
    moves,
    open_page,
    play,
    run_checks,
    until,
    until_arrows,
    until_moves,
)
from support.opponent import play_to_mate, squares

GAME = '[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 {weak} e5 2. g4 Qh4# 0-1'


def promote(page, move):
    if move.promotion:
        page.click("#promotion button >> nth=0")


def a_game_is_won_by_dragging(page, _):
    def make(move, _):
        drag(page, *squares(move))
        promote(page, move)

    play_to_mate(page, make)


def a_game_is_won_by_clicking(page, _):
    def make(move, _):
        page.evaluate("scrollTo(0, 0)")
        for square in squares(move):
            page.mouse.click(*middle(page, square))
        promote(page, move)

    play_to_mate(page, make)


def a_game_is_won_by_keyboard(page, _):
    def make(_, san):
        page.keyboard.type(san)
        page.keyboard.press("Enter")

    play_to_mate(page, make)


def a_game_is_won_by_touch(browser):
    for size in [NARROW, SIDEWAYS]:
        with Server() as server:
            context = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
            page = open_page(context.new_page(), server.address)

            def make(move, _):
                for square in squares(move):
                    page.touchscreen.tap(*middle(page, square))
                promote(page, move)

            play_to_mate(page, make)
            assert page.evaluate("scrollY") == 0, "tapping the board scrolls the page"
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert page.faults == [], page.faults
            context.close()


def a_phone_shows_the_board_before_everything_else(page, _):
    for size in [NARROW, SIDEWAYS]:
        page.set_viewport_size(size)
        begin(page)
        drag(page, "e2", "e4")
        until(page, "It played")
        for part in ["#board", "#status", "#undo", "#hint"]:
            assert is_whole(page, part), (size, part)
    page.set_viewport_size(WIDE)


def a_reload_in_mid_search_keeps_the_search(page, _):
    begin(page, nodes=5_000_000)
    play(page, "e4")
    until(page, "It is thinking")
    page.reload()
    page.wait_for_selector("#moves button")
    assert moves(page)[0] == "e4"
    page.click("#hurry")
    until_moves(page, 2)
    until(page, "Your move")


def two_tabs_show_the_same_game(page, server):
    begin(page)
    with page.expect_popup() as popup:
        page.evaluate("open(location.href)")
    other = popup.value
    until(other, "Your move")
    drag(page, "e2", "e4")
    until_moves(page, 2)
    until_moves(other, 2)
    assert moves(page) == moves(other)
    play(other, "d4")
    until_moves(page, 4)
    assert moves(page)[2] == "d4"
    other.close()
    assert server.process.poll() is None


def a_game_of_chess960_starts_from_a_random_position(page, _):
    page.click("#choose")
    page.click("#from summary")
    page.click("#chess960")
    fen = page.input_value("#position")
    rank = fen.split("/")[7].split(" ")[0]
    assert sorted(rank) == sorted("RNBQKBNR"), fen
    assert re.search("R.*K.*R", rank), fen
    bishops = [file for file, piece in enumerate(rank) if piece == "B"]
    assert sum(bishops) % 2 == 1, fen
    page.check("[name=side][value='white']", force=True)
    page.click("#new button.main")
    page.click("#yes")
    page.wait_for_selector("body:not(.choosing)")
    until_moves(page, 0)
    assert rank.lower() == page.evaluate(
        """async () => (await (await fetch(`/api/games/${sessionStorage.getItem("game")}/pgn`)).text())
             .match(/FEN "([a-z]+)/)?.[1] ?? "rnbqkbnr" """
    )
    page.click("#choose")
    page.fill("#position", "")
    page.click("#back")


def a_pasted_game_is_looked_back_at_and_continued(page, _):
    page.click("#choose")
    page.fill("#position", "1. e4 e5 2. Ke3 *")
    page.click("#look-at")
    page.wait_for_function("() => document.getElementById('start-error').textContent.includes('Ke3')")
    chosen = "[getSelection().toString(), document.activeElement.id]"
    assert page.evaluate(chosen) == ["1. e4 e5 2. Ke3 *", "position"]
    page.fill("#position", GAME)
    assert page.inner_text("#start-error") == "" and page.is_disabled("#link")
    page.click("#look-at")
    page.wait_for_url("**/review.html", timeout=60_000)
    page.wait_for_selector("#moves button")
    assert page.inner_text("#players") == "Ann – Bob"
    page.click("a:has-text('Back to the game')")
    until(page, "Black wins by checkmate")
    assert page.inner_text("#end-title") == "Ann – Bob"
    assert (page.inner_text("#near-name"), page.inner_text("#far-name")) == ("Ann", "Bob")
    page.click("#choose")
    page.click("#from summary")
    page.fill("#position", "1. e4 e5 2. Nf3")
    page.check("[name=level][value='1400']", force=True)
    page.check("[name=side][value='black']", force=True)
    page.click("#new button.main")
    page.wait_for_selector("body:not(.choosing)")
    until_moves(page, 3)
    until(page, "Your move")
    assert moves(page) == ["e4", "e5", "Nf3"]
    page.evaluate("localStorage.clear()")
    # the browser itself reports the refused request
    page.faults[:] = [fault for fault in page.faults if "Failed to load resource" not in fault]


def the_opening_has_a_name(page, _):
    begin(page, position="startpos moves e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")
    assert page.inner_text("#opening") == "B90 Sicilian Defense: Najdorf Variation"
    page.click("#moves button >> nth=1")
    page.wait_for_function("() => document.getElementById('opening').textContent === 'B20 Sicilian Defense'")


def a_hint_shows_a_move(page, _):
    begin(page, position="startpos moves f3 e5 g4", side="black")
    page.click("#hint")
    until(page, "A good move: Qh4#")
    until_arrows(page, 1, 1)
    assert page.is_disabled("#hint")
    play(page, "Nc6")
    until_moves(page, 5)
    assert page.is_enabled("#hint")


def without_a_server_the_page_says_so(browser):
    context = browser.new_context(viewport=NARROW)
    with Server() as server:
        page = open_page(context.new_page(), server.address)
        page.wait_for_selector("#levels .choice")
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        manifest = page.evaluate("fetch('app.webmanifest').then((answer) => answer.json())")
        assert manifest["display"] == "standalone" and manifest["icons"]
        begin(page)
        play(page, "e4")
        until_moves(page, 2)
        played = moves(page)
        assert page.faults == [], page.faults
    page.goto(server.address)
    assert page.inner_text("h1") == "The engine is not running"
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    with Server(port=server.address.strip("/").rsplit(":", 1)[1]):
        page.click("text=Try again")
        until(page, "Your move")
        assert moves(page) == played
    context.close()


def main():
    with sync_playwright() as playwright:
        run_checks(
            playwright,
            [
                a_game_is_won_by_dragging,
                a_game_is_won_by_clicking,
                a_game_is_won_by_keyboard,
                a_phone_shows_the_board_before_everything_else,
                a_reload_in_mid_search_keeps_the_search,
                two_tabs_show_the_same_game,
                a_game_of_chess960_starts_from_a_random_position,
                a_pasted_game_is_looked_back_at_and_continued,
                the_opening_has_a_name,
                a_hint_shows_a_move,
            ],
            [a_game_is_won_by_touch, without_a_server_the_page_says_so],
        )


if __name__ == "__main__":
    main()

"""Tests a game on the page of `deepfeeling serve`, from the choice of an opponent to the look back.

Usage: game.py BINARY
"""

import pathlib
import urllib.parse

from playwright.sync_api import sync_playwright
from support.live_page import (
    NARROW,
    SIDEWAYS,
    SMALL,
    WIDE,
    begin,
    drag,
    is_whole,
    moves,
    open_page,
    play,
    run_checks,
    until,
    until_arrows,
    until_moves,
)

# What a person overlooks depends on the fitted weights, so a test adds this to the server's answers.
OVERLOOKED = '"overlooked":{"san":"Qxf7#","from":"h5","to":"f7"}'


def choose(page, name, value):
    page.check(f"[name={name}][value='{value}']", force=True)


def the_start_screen_asks_and_remembers(page, server):
    assert page.is_visible("#new") and not page.is_visible("#board")
    choose(page, "level", 1600)
    choose(page, "profile", "gambler")
    choose(page, "side", "black")
    choose(page, "time", "3+2")
    chosen = "Strong club player, 1600 · Gambler · you play Black · 3+2"
    assert page.inner_text("#chosen") == chosen
    page.click("#new button.main")
    until(page, "Your move")
    assert page.inner_text("#far-name") == "Strong club player · 1600 · Gambler"
    assert "orientation-black" in page.get_attribute("#board", "class")
    assert page.inner_text("#near-clock") == "3:00"
    other = open_page(page.context.new_page(), server.address)
    assert other.inner_text("#chosen") == chosen
    assert other.faults == [], other.faults
    other.close()


def the_time_can_be_chosen_freely(page, _):
    page.click("#choose")
    choose(page, "time", "custom")
    page.fill("#minutes", "0.7")
    page.click("#new button.main")
    assert "Minutes: choose from 0.5 to 180" in page.inner_text("#start-error")
    page.fill("#minutes", "1.5")
    assert page.inner_text("#start-error") == ""
    page.fill("#increment", "7")
    choose(page, "side", "white")
    page.click("#new button.main")
    page.wait_for_function("() => document.getElementById('near-clock').textContent === '1:30'")


def a_link_starts_its_game(page, _):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#choose")
    choose(page, "level", 1000)
    choose(page, "profile", "hunter")
    choose(page, "time", "15+10")
    page.click("#link")
    page.wait_for_function("() => document.getElementById('link').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)
    assert (query["level"], query["time"]) == (["1000"], ["15+10"]), link
    page.goto(link)
    page.wait_for_function("() => !location.search && document.getElementById('board').ariaLabel")
    until(page, "Your move")
    assert page.inner_text("#far-name") == "Beginner · 1000 · Hunter"
    assert page.inner_text("#near-clock") == "15:00"


def a_person_pauses_and_shows_its_mind_when_asked(page, _):
    begin(page, level=1200)
    page.uncheck("#compare")
    play(page, "e4")
    until(page, "It is thinking")
    until(page, "It played")
    assert not page.is_visible("#mind")
    page.click("#think")
    words = page.inner_text("#mind")
    assert "After e4 it thought for" in words and "came to mind" in words, words
    assert page.locator(".candidates li").count() > 1
    assert page.locator(".candidates .played").inner_text().startswith(moves(page)[1])
    until_arrows(page, 2)
    page.click("#think")
    assert not page.is_visible("#mind")
    until_arrows(page, 0, 0)
    page.check("#always")
    play(page, "d4")
    until_moves(page, 4)
    page.wait_for_selector(".candidates li")
    page.uncheck("#always")
    assert not page.is_visible("#mind")
    page.check("#compare")


def what_it_overlooked_is_told_after_the_answer(page, _):
    begin(page, level=1200)
    page.evaluate(
        """text => { const parse = JSON.parse;
             JSON.parse = (data) => parse(data.replaceAll('"overlooked":null', text)); }""",
        OVERLOOKED,
    )
    play(page, "e4")
    until_moves(page, 2)
    page.click("#think")
    assert "came to mind" in page.inner_text("#mind")
    assert "did not see" not in page.inner_text("#mind")
    play(page, "a3")
    until_moves(page, 3)
    page.click("#think")
    words = page.inner_text("#mind")
    assert "it did not see Qxf7#. You played a3." in words, words
    page.reload()


def the_move_list_walks_through_the_game(page, _):
    begin(page)
    for count, move in [(2, "e4"), (4, "Nf3"), (6, "Bc4")]:
        play(page, move)
        until_moves(page, count)
        until(page, "It played")
    page.check("#bar")
    last = page.get_attribute("#board", "aria-label")
    assert page.is_visible("#gauge")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    until(page, "After move 5 of 6")
    assert page.get_attribute("#board", "aria-label") != last
    page.keyboard.press("Home")
    until(page, "After move 0 of 6")
    assert "pawn e2" in page.get_attribute("#board", "aria-label")
    page.wait_for_function("() => document.getElementById('depth').textContent === '–'")
    page.click("#moves button >> nth=1")
    until(page, "After move 2 of 6")
    assert page.get_attribute("#moves button >> nth=1", "aria-current") == "true"
    reply = moves(page)[1]
    page.wait_for_function(
        "reply => document.getElementById('line').textContent.startsWith(reply)", arg=reply
    )
    assert page.locator(".ribbon .here").count() == 1
    # pieces cannot be moved in an earlier position
    drag(page, "d2", "d4")
    assert len(moves(page)) == 6
    page.click("[data-walk=End]")
    until(page, "It played")
    assert page.get_attribute("#board", "aria-label") == last
    page.uncheck("#bar")
    assert not page.is_visible("#gauge")


def the_move_list_scrolls_to_the_move_shown(page, _):
    shuffle = "Nf3 Nf6 Nc3 Nc6 d3 d6 e3 e6 Be2 Be7 O-O O-O a3 a6 b3 b6 c3 c6 h3 h6 g3 g6"
    begin(page, position=f"startpos moves {shuffle.replace('c3 c6', 'Bb2 Bb7')} Re1 Re8")
    within = """at => { const list = document.getElementById("moves").getBoundingClientRect();
      const move = document.querySelector(`[data-ply="${at}"]`).getBoundingClientRect();
      return move.top > list.top - 2 && move.bottom < list.bottom + 2; }"""
    page.wait_for_function(within, arg=24)
    assert not page.evaluate(within, 1)
    page.click("[data-walk=Home]")
    page.wait_for_function(within, arg=1)


def giving_up_a_game_asks_first(page, _):
    begin(page)
    play(page, "e4")
    until(page, "It played")
    page.click("#resign")
    page.click("#sure button:has-text('Cancel')")
    until(page, "It played")
    page.click("#choose")
    page.click("#new button.main")
    assert "Give up this game" in page.inner_text("#sure-text")
    page.click("#sure button:has-text('Cancel')")
    page.click("#back")
    page.click("#resign")
    page.click("#yes")
    until(page, "Black wins by resignation")
    assert page.inner_text("#end-title") == "You lost"


def a_draw_is_offered(page, _):
    begin(page)
    page.click("#draw")
    until(page, "It declines the draw.")
    play(page, "e4")
    until(page, "It played")


def a_rematch_exchanges_the_colours(page, _):
    begin(page, position="startpos moves f3 e5 g4", side="black")
    drag(page, "d8", "h4", white=False)
    until(page, "Black wins by checkmate")
    assert page.inner_text("#end-title") == "You won"
    page.click("#rematch")
    page.wait_for_selector("#end", state="hidden")
    until(page, "Your move")
    assert moves(page) == []
    assert "orientation-white" in page.get_attribute("#board", "class")


def a_finished_game_is_looked_back_at(page, _):
    begin(page, position="startpos moves f3 e5 g4", side="black")
    play(page, "Qh4")
    until(page, "checkmate")
    page.click("#look-back")
    page.wait_for_url("**/review.html")
    page.wait_for_selector("#moves button")
    assert page.locator("#moves button").count() == 4
    assert "Deep Feeling (Standard" in page.inner_text("#players")
    page.keyboard.press("End")
    assert "Qh4#" in page.inner_text("#move")
    with page.expect_download() as download:
        page.click("button:has-text('Save as a file')")
    saved = pathlib.Path(download.value.path()).read_text()
    assert saved.startswith("<!doctype html>") and "Qh4#" in saved
    page.click("a:has-text('Back to the game')")
    until(page, "Black wins by checkmate")
    page.click("#other")
    assert page.is_visible("#new")
    page.click("#back")


def a_move_is_prepared_while_the_engine_thinks(page, _):
    begin(page, level=1200)
    drag(page, "e2", "e4")
    until(page, "It is thinking")
    drag(page, "g1", "f3")
    page.wait_for_selector("square.current-premove")
    until_moves(page, 4)
    assert moves(page)[2] == "Nf3"


def moves_are_typed_as_people_write_them(page, _):
    position = "r3k2r/pppq1ppp/2n5/1B6/4P3/5N2/PPPP1PPP/R3K2R w KQkq - 0 1"
    for typed, san in [("o-o", "O-O"), ("0-0", "O-O"), ("nd4", "Nd4"), ("e4-e5", "e5"), ("1. e5", "e5")]:
        begin(page, position=position)
        play(page, typed)
        until_moves(page, 2)
        assert moves(page)[0] == san, (typed, moves(page))


def chess960_is_castled_by_moving_the_king_to_its_rook(page, _):
    begin(page, position="1r1k1bqr/pppppppp/8/8/8/8/PPPPPPPP/1R1K1BQR w HBhb - 0 1")
    drag(page, "d1", "b1")
    until_moves(page, 2)
    assert moves(page)[0] == "O-O-O", moves(page)


def captured_men_are_shown(page, _):
    begin(page, position="startpos moves e4 d5")
    drag(page, "e4", "d5")
    until_moves(page, 4)
    assert "captured pawn" in page.text_content("#near-taken")
    page.click("#moves button >> nth=0")
    assert page.text_content("#near-taken") == ""


def the_board_is_in_view_on_a_phone(page, _):
    begin(page)
    for size in [NARROW, SMALL, SIDEWAYS]:
        page.set_viewport_size(size)
        page.click("#choose")
        assert is_whole(page, "#new button.main"), size
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size
        page.evaluate("scrollTo(0, 9999)")
        page.click("#new button.main")
        page.wait_for_selector("body:not(.choosing)")
        page.wait_for_function("() => scrollY === 0")
        assert is_whole(page, "#board") and is_whole(page, "#status"), size
    page.set_viewport_size(WIDE)


def a_whole_game_is_played_by_keyboard(page, server):
    """Tabs through the start screen, and mates by typing."""
    page.goto(server.address + "?level=full&nodes=1&position=7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    until(page, "Your move")
    page.focus("#choose")
    page.keyboard.press("Enter")
    for _ in range(30):
        if page.evaluate("document.activeElement.name") == "level":
            break
        page.keyboard.press("Tab")
    before = page.inner_text("#chosen")
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#chosen") != before
    page.keyboard.press("Enter")
    page.wait_for_selector("body:not(.choosing)")
    until(page, "Your move")
    page.keyboard.type("Qg7")
    page.keyboard.press("Enter")
    until(page, "White wins by checkmate")
    page.focus("#rematch")
    page.keyboard.press("Enter")
    page.wait_for_selector("#end", state="hidden")


def the_page_is_light(page, server):
    """The page with all its files transfers less than 400 kB."""
    sizes = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    page.evaluate("sessionStorage.clear()")
    page.goto(server.address)
    page.wait_for_selector("#levels .choice")
    assert 50_000 < sum(sizes) < 400_000, sum(sizes)


def main():
    with sync_playwright() as playwright:
        run_checks(
            playwright,
            [
                the_start_screen_asks_and_remembers,
                the_time_can_be_chosen_freely,
                a_link_starts_its_game,
                a_person_pauses_and_shows_its_mind_when_asked,
                what_it_overlooked_is_told_after_the_answer,
                the_move_list_walks_through_the_game,
                the_move_list_scrolls_to_the_move_shown,
                giving_up_a_game_asks_first,
                a_draw_is_offered,
                a_rematch_exchanges_the_colours,
                a_finished_game_is_looked_back_at,
                a_move_is_prepared_while_the_engine_thinks,
                moves_are_typed_as_people_write_them,
                chess960_is_castled_by_moving_the_king_to_its_rook,
                captured_men_are_shown,
                the_board_is_in_view_on_a_phone,
                a_whole_game_is_played_by_keyboard,
                the_page_is_light,
            ],
            [],
        )


if __name__ == "__main__":
    main()

"""Tests the page of `deepfeeling serve` in a browser. Usage: live.py BINARY"""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

BINARY = pathlib.Path(sys.argv[1]).resolve()
WIDE = {"width": 1400, "height": 950}
NARROW = {"width": 390, "height": 844}
SIDEWAYS = {"width": 844, "height": 390}
LAPTOP = {"width": 1280, "height": 800}


class Server:
    """A server that runs for the duration of a `with` block and is ended by SIGINT."""

    def __init__(self, *options, port=0):
        self.command = [BINARY, "serve", "--port", str(port), *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(10) == 0, "no clean end"


def print_ok(check):
    print(f"live: {check.__name__.replace('_', ' ')}: ok")


def open_page(page, address):
    """Opens a page that collects foreign requests, errors and console messages in `page.faults`."""
    page.faults = []
    page.on("console", lambda said: page.faults.append(said.text))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    inside = (address, "data:", "blob:")
    page.on(
        "request",
        lambda request: None if request.url.startswith(inside) else page.faults.append(request.url),
    )
    page.goto(address)
    return page


def until(page: Page, words):
    said = "words => document.getElementById('status').textContent.includes(words)"
    page.wait_for_function(said, arg=words, timeout=60_000)


def begin(page, pace="nodes 1000", position="", side="white"):
    page.select_option("#side", side)
    page.select_option("#pace", pace)
    page.fill("#position", position)
    page.evaluate("document.getElementById('board').ariaLabel = ''")
    page.click("#new button:has-text('Begin')")
    page.wait_for_function("() => document.getElementById('board').ariaLabel")
    until(page, "Your move")


def moves(page):
    """Returns the moves without their scores."""
    first = "cells => cells.map((cell) => cell.firstChild.textContent)"
    return page.locator("#moves span").evaluate_all(first)


def drag(page, start, end, white=True):
    """Drags a piece with the mouse."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#board cg-board").bounding_box()
    size = box["width"] / 8

    def middle(square):
        file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
        column, row = (file, 7 - rank) if white else (7 - file, rank)
        return box["x"] + (column + 0.5) * size, box["y"] + (row + 0.5) * size

    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*middle(end), steps=4)
    page.mouse.up()


def a_move_is_answered_and_felt(page, _):
    until(page, "Your move")
    map_before = page.get_attribute("#map svg", "aria-label")
    begin(page)
    drag(page, "e2", "e4")
    until(page, "It played")
    assert len(moves(page)) == 2 and moves(page)[0] == "e4", moves(page)
    assert page.get_attribute("#map svg", "aria-label") != map_before
    assert re.search(r"[+−]?\d\.\d\d", page.inner_text("#emotion")), page.inner_text("#emotion")
    assert page.locator(".ribbon .fear, .ribbon .relief").count() == 1
    assert page.inner_text("#depth") != "–" and page.inner_text("#line")
    page.fill("#typed-move", "Nf3")
    page.press("#typed-move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('#moves span').length == 4")
    until(page, "It played")
    page.click("#undo")
    page.wait_for_function("() => document.querySelectorAll('#moves span').length == 2")


def a_reload_keeps_the_game_and_a_second_tab_has_another(page, server):
    begin(page)
    drag(page, "d2", "d4")
    until(page, "It played")
    played = moves(page)
    page.reload()
    until(page, "Your move")
    assert moves(page) == played
    other = open_page(page.context.new_page(), server.address)
    until(other, "Your move")
    assert moves(other) == [] and moves(page) == played
    assert other.faults == [], other.faults
    other.close()


def sliders_and_profiles_change_the_emotion(page, _):
    begin(page)
    felt = page.inner_text("#emotion")
    page.locator("#sliders input[name=king_safety]").fill("-1")
    page.wait_for_selector("body.imagined")
    assert "It would feel" in page.inner_text("#emotion")
    page.click("#as-is")
    page.wait_for_selector("body:not(.imagined)")
    assert page.inner_text("#emotion") == felt
    page.select_option("#profile", "anxious")
    page.wait_for_function("was => document.getElementById('emotion').innerText != was", arg=felt)
    page.locator("#strength").fill("0")
    cells = "[...document.querySelectorAll('#factors td')]"
    page.wait_for_function(f"() => {cells}.every(cell => cell.textContent === '1.00')")
    with page.expect_download() as download:
        page.click("#toml")
    assert "anxious" in download.value.suggested_filename.lower()
    page.locator("#strength").fill("100")
    page.select_option("#profile", "standard")


def a_pawn_is_promoted_to_the_chosen_piece(page, _):
    begin(page, position="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    drag(page, "a7", "a8")
    page.click("#promotion button:has-text('Rook')")
    until(page, "It played")
    assert moves(page)[0].startswith("a8=R"), moves(page)
    with page.expect_download() as download:
        page.click("#pgn")
    pgn = pathlib.Path(download.value.path()).read_text()
    assert "a8=R" in pgn and "[%emo " in pgn, pgn


def the_board_is_turned_for_black_and_resigning_ends_the_game(page, _):
    begin(page, side="black")
    assert len(moves(page)) == 1
    assert "orientation-black" in page.get_attribute("#board", "class")
    page.click("#resign")
    until(page, "White wins by resignation")
    begin(page, pace="clock 180 2")
    assert page.is_visible("#near-clock") and page.inner_text("#near-clock") == "3:00"


def the_page_fits_a_phone_in_both_themes(page, _):
    page.set_viewport_size(NARROW)
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.click("#theme")
    page.set_viewport_size(WIDE)


def is_whole(page, element):
    """Returns whether an element is completely visible."""
    box = page.locator(element).bounding_box()
    size = page.viewport_size
    return box["y"] > -1 and box["y"] + box["height"] < size["height"] + 1


def begin_shows_the_board_on_a_phone(page, _):
    for size in [NARROW, SIDEWAYS]:
        page.set_viewport_size(size)
        page.locator("#new button:has-text('Begin')").scroll_into_view_if_needed()
        assert not is_whole(page, "#board")
        begin(page)
        page.wait_for_function("() => document.getElementById('board').getBoundingClientRect().top > -1")
        assert is_whole(page, "#board") and is_whole(page, "#status"), size
    page.set_viewport_size(WIDE)


def the_whole_board_fits_the_window(page, _):
    begin(page)
    for size in [NARROW, SIDEWAYS, LAPTOP, WIDE]:
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function(
            """() => { const board = document.getElementById("board");
                 return Math.abs(board.clientWidth - board.querySelector("cg-board").clientWidth) < 9; }"""
        )
        assert is_whole(page, "#board"), size
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size
    page.set_viewport_size(WIDE)


def a_game_lost_on_time_continues_after_take_back(page, _):
    """Waits for a real clock. Ten seconds are the minimum that the server allows."""
    begin(page)
    game = page.evaluate("sessionStorage.getItem('game')")
    new = "game => fetch(`/api/games/${game}/new`, {method: 'POST', body: '{\"seconds\": 10}', "
    new += "headers: {'Content-Type': 'application/json'}})"
    page.evaluate(new, game)
    page.wait_for_selector("#near-clock:not([hidden])")
    drag(page, "e2", "e4")
    until(page, "It played")
    until(page, "Black wins on time")
    page.click("#undo")
    until(page, "Your move")
    page.wait_for_function("() => document.querySelectorAll('#moves span').length == 0")
    assert page.inner_text("#near-clock") == "10.0", page.inner_text("#near-clock")
    drag(page, "d2", "d4")
    until(page, "It played")
    assert moves(page)[0] == "d4", moves(page)


def refusals_are_sentences(page, _):
    begin(page)
    page.fill("#typed-move", "Qh7")
    page.press("#typed-move", "Enter")
    until(page, "“Qh7” is not a legal move here.")
    page.fill("#typed-move", "")
    page.fill("#position", "nonsense")
    page.click("#new button:has-text('Begin')")
    until(page, "“nonsense” is not a position that can be played.")
    page.fill("#position", "")
    page.click("#resign")
    until(page, "Black wins by resignation.")
    page.evaluate("document.getElementById('typed-move').value = 'e4'")
    page.press("#typed-move", "Enter")
    until(page, "The game is over. Take back a move or begin a new game.")
    # a refusal stays when the server sends the same state once more
    again = "fetch(`/api/games/${sessionStorage.getItem('game')}/clock`, {method: 'POST', body: '{}', "
    again += "headers: {'Content-Type': 'application/json'}}).then((answer) => answer.status)"
    assert page.evaluate(again) == 200
    page.wait_for_timeout(300)
    until(page, "The game is over. Take back a move or begin a new game.")
    begin(page)
    # the browser itself reports each refused request
    page.faults[:] = [fault for fault in page.faults if "Failed to load resource" not in fault]


def contrast_is_enough_in_both_themes(page, _):
    begin(page)
    drag(page, "e2", "e4")
    until(page, "It played")
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for size in [NARROW, SIDEWAYS, LAPTOP]:
            page.set_viewport_size(size)
            page.wait_for_timeout(400)  # colours fade
            found = Axe().run(page).response["violations"]
            grave = [one for one in found if one["impact"] in ("serious", "critical")]
            nodes = [(one["id"], node["html"]) for one in grave for node in one["nodes"]]
            assert nodes == [], (scheme, size, nodes)
        # axe cannot see the squares below the coordinates, so check these separately
        assert min(contrasts_of_coordinates(page)) >= 4.5, scheme
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)


def contrasts_of_coordinates(page):
    """Returns the contrast of each coordinate with its square."""
    pairs = page.evaluate(
        """() => {
          const [light, dark] = ["--light-square", "--dark-square"].map((name) => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = `var(${name})`;
            const color = getComputedStyle(probe).color;
            probe.remove();
            return color;
          });
          const all = [];
          for (const edge of ["ranks", "files"]) {
            const letters = [...document.querySelectorAll(`coords.${edge} coord`)];
            for (const [i, letter] of letters.entries()) {
              // both edges start at a1, which is dark
              const isLight = i % 2 === 1;
              all.push([getComputedStyle(letter).color, isLight ? light : dark]);
            }
          }
          return all;
        }"""
    )

    def luminance(color):
        parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(pair):
        low, high = sorted(map(luminance, pair))
        return (high + 0.05) / (low + 0.05)

    assert len(pairs) == 16
    return [contrast(pair) for pair in pairs]


def the_page_is_usable_by_keyboard(page, _):
    begin(page)
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.id") == "typed-move":
            break
        page.keyboard.press("Tab")
    page.keyboard.type("c2c4")
    page.keyboard.press("Enter")
    until(page, "It played")
    assert moves(page)[0] == "c4"
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select")].filter((one) =>
             !one.textContent.trim() && !one.labels?.length && !one.ariaLabel && !one.ariaHidden)
             .map((one) => one.id || one.outerHTML)"""
    )
    assert unnamed == [], f"without a name: {unnamed}"


def a_game_survives_a_server_restart(browser):
    with Server() as server:
        page = open_page(browser.new_page(viewport=WIDE), server.address)
        until(page, "Your move")
        begin(page)
        drag(page, "e2", "e4")
        until(page, "It played")
        played = moves(page)
        assert page.faults == [], page.faults
    until(page, "does not answer")
    port = server.address.strip("/").rsplit(":", 1)[1]
    with Server(port=port):
        until(page, "Your move")
        assert moves(page) == played
        page.close()


def a_locked_page_opens_with_the_token(browser):
    with Server("--token", "open-sesame-open") as server:
        page = open_page(browser.new_page(viewport=WIDE), server.address)
        page.fill("#token", "open-sesame-open")
        page.press("#token", "Enter")
        until(page, "Your move")
        page.close()


def an_engine_in_a_gui_is_followed(browser):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/feelings.jsonl"
        with Server("--follow", path) as server:
            page = open_page(browser.new_page(viewport=WIDE), server.address)
            until(page, "Waiting for an engine")
            engine = subprocess.Popen(
                [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            engine.stdin.write(f"setoption name FeelingsFile value {path}\n")
            for line in ["f2f3", "f2f3 e7e5 e2e4", "f2f3 e7e5 e2e4 d8h4 e1e2"]:
                engine.stdin.write(f"position startpos moves {line}\ngo depth 6\n")
                while not engine.stdout.readline().startswith("bestmove"):
                    pass
            engine.communicate("quit\n", 10)
            until(page, "Game 1, search 3")
            assert page.locator(".ribbon .fear, .ribbon .relief").count() > 0
            assert page.inner_text("#line") and page.inner_text("#depth") == "6"
            page.focus("#at")
            page.keyboard.press("Home")
            until(page, "Game 1, search 1")
            page.click("#latest")
            until(page, "Game 1, search 3")
            page.click("#to-play")
            until(page, "Your move")
            assert page.faults == [], page.faults
            page.close()


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        with Server() as server:
            page = open_page(browser.new_context(viewport=WIDE).new_page(), server.address)
            for check in [
                a_move_is_answered_and_felt,
                a_reload_keeps_the_game_and_a_second_tab_has_another,
                sliders_and_profiles_change_the_emotion,
                a_pawn_is_promoted_to_the_chosen_piece,
                the_board_is_turned_for_black_and_resigning_ends_the_game,
                the_page_fits_a_phone_in_both_themes,
                begin_shows_the_board_on_a_phone,
                the_whole_board_fits_the_window,
                a_game_lost_on_time_continues_after_take_back,
                refusals_are_sentences,
                contrast_is_enough_in_both_themes,
                the_page_is_usable_by_keyboard,
            ]:
                check(page, server)
                assert page.faults == [], page.faults
                print_ok(check)
        for check in [
            a_game_survives_a_server_restart,
            a_locked_page_opens_with_the_token,
            an_engine_in_a_gui_is_followed,
        ]:
            check(browser)
            print_ok(check)
        browser.close()


if __name__ == "__main__":
    main()

"""Tests the page of `deepfeeling serve` in a browser. Usage: live.py BINARY"""

import pathlib
import re
import subprocess
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from support.live_page import (
    BINARY,
    LAPTOP,
    NARROW,
    SIDEWAYS,
    SMALL,
    WIDE,
    Server,
    begin,
    drag,
    is_whole,
    moves,
    open_page,
    play,
    run_checks,
    until,
    until_moves,
)


def a_move_is_answered_and_felt(page, _):
    begin(page)
    map_before = page.get_attribute("#map svg", "aria-label")
    drag(page, "e2", "e4")
    until(page, "It played")
    assert len(moves(page)) == 2 and moves(page)[0] == "e4", moves(page)
    assert page.get_attribute("#map svg", "aria-label") != map_before
    assert re.search(r"[+−]?\d\.\d\d", page.inner_text("#emotion")), page.inner_text("#emotion")
    bars = [page.locator(f"#ribbon svg >> nth={i}").locator(".fear, .relief").count() for i in (0, 1)]
    assert bars == [1, 1], bars
    assert page.inner_text("#depth") != "–" and page.inner_text("#line")
    play(page, "Nf3")
    until_moves(page, 4)
    until(page, "It played")
    page.click("#undo")
    until_moves(page, 2)


def a_reload_keeps_the_game_and_a_second_tab_chooses_its_own(page, server):
    begin(page)
    drag(page, "d2", "d4")
    until(page, "It played")
    played = moves(page)
    page.reload()
    until(page, "Your move")
    assert moves(page) == played
    other = open_page(page.context.new_page(), server.address)
    assert other.is_visible("#new") and not other.is_visible("#board")
    begin(other)
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
    page.wait_for_function(f"() => {cells}.every(cell => cell.textContent === '0 %')")
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
    begin(page, time="3+2")
    assert page.is_visible("#near-clock") and page.inner_text("#near-clock") == "3:00"


def the_page_fits_every_window(page, _):
    begin(page)
    for size in [NARROW, SMALL, SIDEWAYS, LAPTOP, WIDE]:
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function(
            """() => { const board = document.getElementById("board");
                 return Math.abs(board.clientWidth - board.querySelector("cg-board").clientWidth) < 9; }"""
        )
        for part in ["#board", "#status", "#near-name", "#far-name", "#undo", "#resign"]:
            assert is_whole(page, part), (size, part)
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
    page.wait_for_selector("#near-clock.short")
    assert re.fullmatch("You have less than [12]0 seconds left.", page.text_content("#alarm"))
    until(page, "Black wins on time")
    page.click("#undo")
    until(page, "Your move")
    until_moves(page, 0)
    assert page.inner_text("#near-clock") == "10.0", page.inner_text("#near-clock")
    drag(page, "d2", "d4")
    until(page, "It played")
    assert moves(page)[0] == "d4", moves(page)


def refusals_are_sentences(page, _):
    begin(page)
    play(page, "Qh7")
    until(page, "“Qh7” is not a legal move here.")
    assert page.evaluate("getSelection().toString()") == "Qh7", "selected for editing"
    page.fill("#typed-move", "")
    page.click("#choose")
    page.click("#from summary")
    for position, sentence in [
        ("nonsense", "This is not a position: “nonsense”."),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "This position cannot be played: missing king."),
        ("startpos moves e4 Ke4", "“Ke4” is not a legal move here."),
    ]:
        page.fill("#position", position)
        assert page.inner_text("#start-error") == ""
        page.click("#new button.main")
        page.wait_for_function("() => document.getElementById('start-error').textContent")
        assert sentence in page.inner_text("#start-error"), page.inner_text("#start-error")
    page.click("#back")
    page.click("#resign")
    until(page, "Black wins by resignation.")
    play(page, "e4")
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


def nothing_serious_is_found_by_axe(page, _):
    begin(page, level=1200)
    drag(page, "e2", "e4")
    until(page, "It played")
    page.click("#think")
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for size in [NARROW, SIDEWAYS, LAPTOP]:
            page.set_viewport_size(size)
            check_with_axe(page, (scheme, size))
        # axe cannot see the squares below the coordinates, so check these separately
        assert min(contrasts_of_coordinates(page)) >= 4.5, scheme
        page.click("#choose")
        page.click("#from summary")
        check_with_axe(page, (scheme, "start screen"))
        page.click("#from summary")
        page.click("#back")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)


def nothing_serious_is_found_by_axe_after_a_game(page, server):
    begin(page, position="startpos moves f3 e5 g4", side="black")
    play(page, "Qh4")
    until(page, "Black wins by checkmate")
    check_with_axe(page, "end")
    page.click("#look-back")
    page.wait_for_url("**/review.html")
    page.wait_for_selector("#moves button")
    page.keyboard.press("End")
    for scheme in ["dark", "light"]:
        page.emulate_media(color_scheme=scheme)
        check_with_axe(page, (scheme, "look back"))
    page.goto(server.address + "offline.html")
    check_with_axe(page, "offline")
    begin(page)


def check_with_axe(page, place):
    page.wait_for_timeout(400)  # colours fade
    found = Axe().run(page).response["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    nodes = [(one["id"], node["html"]) for one in grave for node in one["nodes"]]
    assert nodes == [], (place, nodes)


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
    # letters go to the field for moves
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
        page.wait_for_selector("#levels .choice")
        page.click("#new button.main")
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
            page.wait_for_selector("#levels .choice")
            assert page.faults == [], page.faults
            page.close()


def main():
    with sync_playwright() as playwright:
        run_checks(
            playwright,
            [
                a_move_is_answered_and_felt,
                a_reload_keeps_the_game_and_a_second_tab_chooses_its_own,
                sliders_and_profiles_change_the_emotion,
                a_pawn_is_promoted_to_the_chosen_piece,
                the_board_is_turned_for_black_and_resigning_ends_the_game,
                the_page_fits_every_window,
                a_game_lost_on_time_continues_after_take_back,
                refusals_are_sentences,
                nothing_serious_is_found_by_axe,
                nothing_serious_is_found_by_axe_after_a_game,
                the_page_is_usable_by_keyboard,
            ],
            [
                a_game_survives_a_server_restart,
                a_locked_page_opens_with_the_token,
                an_engine_in_a_gui_is_followed,
            ],
        )


if __name__ == "__main__":
    main()

"""Starts `deepfeeling serve` and drives its page in a browser."""

import pathlib
import signal
import subprocess
import sys
import urllib.parse

from playwright.sync_api import Page

BINARY = pathlib.Path(sys.argv[1]).resolve()
WIDE = {"width": 1400, "height": 950}
NARROW = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 740}
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
    print(f"{pathlib.Path(sys.argv[0]).stem}: {check.__name__.replace('_', ' ')}: ok", flush=True)


def open_page(page, address):
    """Opens a page that collects foreign requests, errors and console messages in `page.faults`."""
    page.faults = []
    page.address = address
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


def begin(page, level="full", nodes=1000, time="none", position="", side="white"):
    """Starts a game by its link, and waits until the user is to move."""
    order = {"level": level, "profile": "standard", "side": side, "time": time, "nodes": nodes}
    order["position"] = position
    page.goto(f"{page.address}?{urllib.parse.urlencode(order)}")
    page.wait_for_function("() => !location.search && document.getElementById('board').ariaLabel")
    until(page, "Your move")


def moves(page):
    """Returns the moves without their scores."""
    first = "cells => cells.map((cell) => cell.firstChild.textContent)"
    return page.locator("#moves button").evaluate_all(first)


def until_moves(page, count):
    page.wait_for_function(
        "count => document.querySelectorAll('#moves button').length === count",
        arg=count,
        timeout=60_000,
    )


def until_arrows(page, least, most=64, kind=""):
    """Waits until the number of arrows is in this range. The board draws them in the next frame."""
    page.wait_for_function(
        """([least, most, arrows]) => { const count = document.querySelectorAll(arrows).length;
             return count >= least && count <= most; }""",
        arg=[least, most, f"#board .cg-shapes line{kind}"],
    )


def play(page, move):
    """Types a move."""
    page.fill("#typed-move", move)
    page.press("#typed-move", "Enter")


def middle(page, square, white=True):
    """Returns the middle of a square in pixels. `white` is whether White is at the bottom."""
    box = page.locator("#board cg-board").bounding_box()
    size = box["width"] / 8
    file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
    column, row = (file, 7 - rank) if white else (7 - file, rank)
    return box["x"] + (column + 0.5) * size, box["y"] + (row + 0.5) * size


def drag(page, start, end, white=True):
    """Drags a piece with the mouse."""
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(*middle(page, start, white))
    page.mouse.down()
    page.mouse.move(*middle(page, end, white), steps=4)
    page.mouse.up()


def is_whole(page, element):
    """Returns whether an element is completely visible."""
    box = page.locator(element).bounding_box()
    size = page.viewport_size
    is_high = box["y"] > -1 and box["y"] + box["height"] < size["height"] + 1
    return is_high and box["x"] > -1 and box["x"] + box["width"] < size["width"] + 1


def run_checks(playwright, on_one_page, on_their_own):
    """Runs checks that share a page, and checks that start their own servers."""
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"]
    )
    with Server() as server:
        page = open_page(browser.new_context(viewport=WIDE).new_page(), server.address)
        for check in on_one_page:
            check(page, server)
            assert page.faults == [], page.faults
            print_ok(check)
    for check in on_their_own:
        check(browser)
        print_ok(check)
    browser.close()

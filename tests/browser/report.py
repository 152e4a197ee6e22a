"""Tests the page of `deepfeeling report` in a browser. Usage: report.py BINARY"""

import pathlib
import re
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(sys.argv[1]).resolve()
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}

# Tags and comments that would end a script, an attribute or a string unless they are escaped.
HOSTILE = """[White "</script><script>window.harmed = 1</script>"]
[Black "\\"><img src=x onerror='window.harmed = 2'> {{game}} & Söhne"]
[Result "*"]

1. e4 {</script><script>window.harmed = 3</script>} e5 2. Nf3 {"'`<!--} Nc6 *
"""


def report(folder, pgn, *options):
    """Writes a report and returns its address."""
    page = pathlib.Path(folder) / "page.html"
    command = [BINARY, "report", pgn, "-o", page, "--nodes", "500", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert page.stat().st_size < 1_500_000, f"{page.stat().st_size} bytes"
    return page.as_uri()


def opened(browser, address, viewport=None, scheme="light"):
    """Opens a page that collects its requests, errors and console messages in `page.faults`."""
    page = browser.new_page(viewport=viewport or WIDE, color_scheme=scheme)
    page.faults = []
    page.on("console", lambda message: page.faults.append(message.text))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    inside = ("data:", "blob:")
    page.on(
        "request",
        lambda request: None
        if request.url == address or request.url.startswith(inside)
        else page.faults.append(request.url),
    )
    page.goto(address)
    page.wait_for_selector("#moves button")
    return page


def shown(page: Page):
    """Returns what depends on the selected move: the pieces, the map values and the sentence."""
    return (
        page.get_attribute("#board", "aria-label"),
        page.get_attribute("#map svg", "aria-label"),
        page.inner_text("#sentence"),
    )


def chosen(page: Page):
    return page.get_attribute("#moves button[aria-current]", "data-ply")


def selecting_a_move_updates_the_page(browser, address):
    page = opened(browser, address)
    assert page.locator("#sentence").get_attribute("aria-live") == "polite"
    start = shown(page)
    page.click("#moves button[data-ply='33']")
    late = shown(page)
    assert all(a != b for a, b in zip(start, late)), (start, late)
    assert "knight d5" in late[0] and "17. Nd5" in late[2], late
    goals = [page.inner_text("#course .label.now")]
    page.click("#moves button[data-ply='40']")
    goals.append(page.inner_text("#course .label.now"))
    assert goals[0] != goals[1], goals
    assert len(page.query_selector_all("#course svg.lane")) == 12
    assert len(page.query_selector_all("#course svg.ribbon")) == 2
    assert len(page.query_selector_all("#board piece")) > 20
    page.click("#course svg.chance", position={"x": 2, "y": 50})
    assert chosen(page) == "1"
    assert page.inner_text("#accuracy tbody tr:first-child").startswith("game")
    assert page.faults == [], page.faults


def keys_step_through_the_game(browser, address):
    page = opened(browser, address)
    assert page.locator("#moves button[aria-current]").count() == 0
    for key, ply in [("ArrowRight", "1"), ("End", "45"), ("ArrowRight", "45"), ("ArrowLeft", "44")]:
        page.keyboard.press(key)
        assert chosen(page) == ply, (key, ply)
    page.keyboard.press("Home")
    assert page.locator("#moves button[aria-current]").count() == 0
    assert page.inner_text("#move") == "Before the first move"
    # keyboard use: the move list is one tab stop, and the focus is visible
    page.click("#moves button[data-ply='5']")
    page.keyboard.press("ArrowRight")
    focused = "document.activeElement"
    assert page.evaluate(f"{focused}.dataset.ply") == "6"
    assert page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
    assert page.locator("#moves button[tabindex='0']").count() == 1
    before = page.evaluate("document.querySelector('.cg-wrap').className")
    page.click("#flip")
    assert page.evaluate("document.querySelector('.cg-wrap').className") != before
    assert page.faults == [], page.faults


def luminance(colour):
    """Returns the luminance of `rgb(…)` or `color(srgb …)`."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", colour.replace("srgb", ""))][:3]
    parts = [number if "srgb" in colour else number / 255 for number in numbers]
    parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(page: Page, selector, ground):
    style = "(selector) => getComputedStyle(document.querySelector(selector))"
    text = luminance(page.evaluate(f"s => ({style})(s).color", selector))
    behind = luminance(page.evaluate(f"s => ({style})(s).backgroundColor", ground))
    return (max(text, behind) + 0.05) / (min(text, behind) + 0.05)


def both_themes_are_readable(browser, address):
    grounds = []
    for scheme in ["light", "dark"]:
        page = opened(browser, address, scheme=scheme)
        page.keyboard.press("End")
        for _ in range(2):
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            for selector, ground in [
                ("#players", "body"), ("#about", "body"), ("#sentence", ".moment"),
                ("#sentence strong", ".moment"), ("#settled", ".moment"), ("#moves li > span", ".moves"),
                ("#moves button[aria-current]", "#moves button[aria-current]"),
                ("#course .label:not(.used)", ".course"), ("#terms .number.quiet", ".terms"),
                ("#theme", "#theme"),
            ]:
                found = contrast(page, selector, ground)
                assert found >= 4.5, f"{scheme}: {selector} has a contrast of {found:.2f}"
            page.click("#theme")
        assert page.faults == [], page.faults
    light, dark, *again = grounds
    assert light != dark and again == [dark, light], grounds


def a_phone_needs_no_sideways_scroll(browser, address):
    page = opened(browser, address, viewport=NARROW)
    for key in ["Home", "End"]:
        page.keyboard.press(key)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= NARROW["width"], f"{wide} pixels wide"
    assert page.faults == [], page.faults


def two_temperaments_differ(browser, address):
    page = opened(browser, address)
    assert page.locator("#course svg.ribbon").count() == 4
    assert "Standard and Anxious" in page.inner_text("#parting-sum")
    page.click("#parting tbody tr:nth-child(3) button")
    calm = shown(page)
    page.click("#temperaments button:nth-child(2)")
    assert page.get_attribute("#temperaments button:nth-child(2)", "aria-pressed") == "true"
    assert shown(page)[2] != calm[2]
    assert page.faults == [], page.faults


def names_and_comments_are_escaped(browser, address):
    page = opened(browser, address)
    page.keyboard.press("End")
    assert page.evaluate("window.harmed") is None
    assert page.inner_text("#players") == (
        "</script><script>window.harmed = 1</script> – "
        "\"><img src=x onerror='window.harmed = 2'> {{game}} & Söhne"
    )
    assert page.title().startswith("</script>")
    assert page.faults == [], page.faults


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        immortal = ROOT / "tests/data/immortal.pgn"
        hostile = pathlib.Path(folder) / "hostile.pgn"
        hostile.write_text(HOSTILE)
        for pgn, options, checks in [
            (immortal, [], [selecting_a_move_updates_the_page, keys_step_through_the_game,
                            both_themes_are_readable, a_phone_needs_no_sideways_scroll]),
            (immortal, ["--against", "anxious"],
             [two_temperaments_differ, a_phone_needs_no_sideways_scroll]),
            (hostile, [], [names_and_comments_are_escaped, a_phone_needs_no_sideways_scroll]),
        ]:
            address = report(folder, pgn, *options)
            for check in checks:
                check(browser, address)
                print(f"report: {check.__name__.replace('_', ' ')}: ok")
        browser.close()


if __name__ == "__main__":
    main()

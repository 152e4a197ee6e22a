"""Runs a workload as a client of OpenBench does: builds two revisions, checks their benches, plays, reports.

    openbench.py --dev HEAD --base HEAD~1 --book openings.epd --games 32

Takes the speed, the options and the time control from `deepfeeling doctor --host openbench`, and the expected
bench from the commit message. Works in a temporary folder. The report is JSON, with the fields that a client of
OpenBench uploads. Needs python-chess.
"""

import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.engine


def run(*command, cwd=None):
    """Returns the output of `command`, or ends the program with its errors."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def build(revision, folder):
    """Builds `revision` with `make EXE=…` and returns the program."""
    source, program = folder / f"source-{revision[:10]}", folder / revision[:10]
    if not program.exists():
        run("git", "worktree", "add", "--detach", source, revision)
        try:
            run("make", f"EXE={program}", cwd=source)
        finally:
            run("git", "worktree", "remove", "--force", source)
    return program


def bench(program, revision):
    """Returns the nodes per second of the bench. Its nodes must be those of the commit message."""
    last = run(program, "bench").splitlines()[-1]
    found = re.fullmatch(r"(\d+) nodes (\d+) nps", last)
    message = run("git", "log", "-1", "--format=%B", revision)
    expected = re.search(r"(?:bench|nodes)[ :=]+([0-9,]+)", message, re.IGNORECASE)
    if not found or not expected or int(found[1]) != int(expected[1].replace(",", "")):
        sys.exit(f"error: {revision}: the bench prints {last!r}, the commit message has {expected and expected[0]!r}")
    return int(found[2])


def play(engines, fen, base, increment):
    """Plays a game and returns the points of the first engine, who is White, and the fault, if any."""
    board, clocks, game = chess.Board(fen), {True: base, False: base}, object()
    first = board.turn  # the first engine has the side to move
    while not board.is_game_over(claim_draw=True):
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[True], black_clock=clocks[False], white_inc=increment, black_inc=increment
        )
        began = time.monotonic()
        try:
            move = engines[0 if side == first else 1].play(board, limit, game=game).move
        except chess.engine.EngineError:
            return float(side != first), "crash"
        clocks[side] += increment - (time.monotonic() - began)
        if clocks[side] < increment:
            return float(side != first), "timeloss"
        board.push(move)
    winner = board.outcome(claim_draw=True).winner
    return (0.5 if winner is None else float(winner == first)), None


def play_pairs(programs, options, openings, clock, pairs):
    """Plays each opening twice with colours swapped. Returns the counts that OpenBench wants."""
    report = {"trinomial": [0, 0, 0], "pentanomial": [0, 0, 0, 0, 0], "crashes": 0, "timelosses": 0}
    engines = [chess.engine.SimpleEngine.popen_uci(str(program)) for program in programs]
    for engine in engines:
        engine.configure(options)
    for fen in itertools.islice(itertools.cycle(openings), pairs):
        points = 0.0
        for swapped in (False, True):
            score, fault = play(engines[::-1] if swapped else engines, fen, *clock)
            score = 1 - score if swapped else score
            points += score
            report["trinomial"][int(2 * score)] += 1
            report["crashes"] += fault == "crash"
            report["timelosses"] += fault == "timeloss"
        report["pentanomial"][int(2 * points)] += 1
    for engine in engines:
        engine.quit()
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dev", required=True, help="the revision under test")
    parser.add_argument("--base", required=True, help="the revision to compare with")
    parser.add_argument("--book", required=True, type=Path, help="openings, one EPD or FEN per line")
    parser.add_argument("--games", type=int, default=32, help="number of games [default: 32]")
    parser.add_argument("--tc", help="seconds and increment, such as 8.0+0.08 [default: of the preset STC]")
    args = parser.parse_args()
    revisions = [run("git", "rev-parse", "--verify", f"{one}^{{commit}}").strip() for one in (args.dev, args.base)]
    lines = args.book.read_text(encoding="utf-8").splitlines()
    openings = [" ".join([*line.split()[:4], "0 1"]) for line in lines if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        programs = [build(revision, Path(folder)) for revision in revisions]
        speeds = [bench(*pair) for pair in zip(programs, revisions)]
        config = json.loads(run(programs[0], "doctor", "--host", "openbench"))
        preset = config["test_presets"]["STC"]
        factor = config["nps"] * len(speeds) / sum(speeds)
        clock = [round(float(part) * factor, 3) for part in (args.tc or preset["both_time_control"]).split("+")]
        options = dict(option.split("=") for option in preset["both_options"].split())
        report = play_pairs(programs, options, openings, clock, args.games // 2)
    report |= {"dev": revisions[0], "base": revisions[1], "nps": speeds, "scaled_tc": clock}
    print(json.dumps(report))
    sys.exit(report["crashes"] + report["timelosses"] > 0)


if __name__ == "__main__":
    main()

"""Tries the engine in chess programs and libraries. Prints one line each; exits with 1 after a failure.

Usage: clients.py ENGINE
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess.engine
import chess.pgn

MATE_IN_TWO = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1"


class NotInstalled(Exception):
    """The client is not on this machine."""


def need(program):
    if shutil.which(program) is None:
        raise NotInstalled(program)


def run(command, seconds=300):
    """Returns the output of `command`, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    return output


def read_games(path):
    """Returns the games of a PGN file. All moves must be legal."""
    games = []
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            games.append(game)
    return games


def check_match(path, count):
    """Checks that `path` holds `count` games that ended by the rules, and returns a summary."""
    games = read_games(path)
    assert len(games) == count, f"{len(games)} games"
    for game in games:
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2"), game.headers
        ending = str(game.headers.get("Termination", "normal")) + game.end().comment
        assert not any(word in ending.lower() for word in ("forfeit", "illegal", "time", "crash", "stall")), ending
    return f"{count} games, {sum(len(list(game.mainline_moves())) for game in games)} moves"


def python_chess(engine, _folder):
    """A game by the clock with pondering, an analysis that is stopped, and every option set to its default."""
    clock = {chess.WHITE: 2.0, chess.BLACK: 2.0}
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci(engine) as player:
        unmanaged = {n: o.default for n, o in player.options.items() if not o.is_managed() and o.type != "button"}
        player.configure(unmanaged)
        while not board.is_game_over(claim_draw=True):
            began, side = time.monotonic(), board.turn
            limit = chess.engine.Limit(
                white_clock=clock[True], black_clock=clock[False], white_inc=0.02, black_inc=0.02
            )
            result = player.play(board, limit, game=1, ponder=True, info=chess.engine.INFO_ALL)
            clock[side] += 0.02 - (time.monotonic() - began)
            assert clock[side] > 0, "lost on time"
            board.push(result.move)
        with player.analysis(chess.Board(), multipv=3) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 8 and info.get("multipv") == 3:
                    break
        best = player.play(chess.Board(MATE_IN_TWO), chess.engine.Limit(depth=6), info=chess.engine.INFO_SCORE)
        assert best.info["score"].white() == chess.engine.Mate(2), best.info
    return f"{board.ply()} plies ({board.result(claim_draw=True)}), {len(unmanaged)} options"


def xboard(engine, folder):
    """A match of two games in XBoard, which speaks to the engine through polyglot."""
    need("xboard"), need("polyglot"), need("xvfb-run")
    path = folder / "xboard.pgn"
    command = ["xvfb-run", "-a", "xboard", "-fcp", engine, "-fUCI", "-scp", engine, "-sUCI"]
    command += ["-matchGames", "2", "-timeControl", "0:03", "-saveGameFile", str(path)]
    command += ["-adapterCommand", 'polyglot -noini -ec "%fcp" -ed "%fd"']
    # XBoard stays open after a match
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as window:
        end = time.monotonic() + 120
        while time.monotonic() < end and not (path.exists() and len(read_games(path)) == 2):
            time.sleep(1)
        os.killpg(window.pid, signal.SIGTERM)
    return check_match(path, 2)


def setup_command(engine, host, games, path):
    """Returns the command that `doctor --host` prints, for a short match."""
    text = run([engine, "doctor", "--host", host])
    changes = [("games.pgn", str(path)), ("tc=8+0.08", "tc=2+0.02"), ("-rounds 50", f"-rounds {games // 2}")]
    for old, new in changes:
        assert old in text, text
        text = text.replace(old, new)
    return ["bash", "-c", text]


def cutechess_cli(engine, folder):
    """The match that `doctor --host cutechess-cli` prints, shortened."""
    need("cutechess-cli")
    path = folder / "cutechess.pgn"
    run(setup_command(engine, "cutechess-cli", 4, path))
    return check_match(path, 4)


def fastchess(engine, folder):
    """The compliance test of fastchess, and the match that `doctor --host fastchess` prints, shortened."""
    need("fastchess")
    run(["fastchess", "--compliance", engine])
    path = folder / "fastchess.pgn"
    run(setup_command(engine, "fastchess", 4, path))
    return "compliance, " + check_match(path, 4)


def main():
    engine = sys.argv[1]
    failures = 0
    for client in (python_chess, xboard, cutechess_cli, fastchess):
        name = client.__name__.replace("_", "-")
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{name:15} good   {client(engine, Path(folder))}", flush=True)
            except NotInstalled as missing:
                print(f"{name:15} not tried: {missing} is not on the path", flush=True)
            except Exception as error:  # any other failure belongs to the client
                failures += 1
                print(f"{name:15} FAILED {type(error).__name__}: {error}", flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()

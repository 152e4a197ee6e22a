"""Plays games of the engine against itself with mixed options, and checks everything that it prints.

    games.py ENGINE --games 200 --record games.jsonl [--syzygy FOLDER] [--seed 1] [--concurrency 2]
    games.py ENGINE --new-games 1000

Each game has options of its own, drawn from the seed: threads, hash, pondering, Chess960, endgame tables, feelings
file, limited strength, number of lines, profile and time control. A fault is a crash, a hang, an illegal move (also
in a line), a malformed line or a loss on time. The record holds one game per line; the same command continues it.
With --new-games, checks instead that `ucinewgame` takes no memory. Exits with 1 after a fault. Needs python-chess.
"""

import argparse
import collections
import concurrent.futures
import json
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import chess

CLOCKS = [(0.2, 0.002), (0.2, 0.002), (0.2, 0.002), (1.0, 0.01)]
# time that the script itself may need for a move, in seconds
ALLOWANCE = 0.015
# a wait longer than this is a hang
HANG = 30.0
# growth of memory over --new-games that is no fault, in MiB
GROWTH = 8.0
INFO = re.compile(
    r"info depth \d+ seldepth \d+( multipv \d+)? score (cp|mate) -?\d+( (lower|upper)bound)?( wdl \d+ \d+ \d+)?"
    r" nodes \d+ nps \d+( hashfull \d+)?( tbhits \d+)? time \d+( pv( [a-h][1-8][a-h][1-8][qrbn]?)+)?"
)
# lines about the present move, and lines for people
OTHER = re.compile(r"info (depth \d+ )?(currmove|string|nodes|hashfull|depth 0 score) ?.*")


class Fault(Exception):
    """Something that must never happen."""


class Engine:
    """A process that is read in a thread, so that a silent engine can be noticed."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        try:
            self.process.stdin.write(text + "\n")
        except BrokenPipeError as error:
            raise Fault("crash: the input is closed") from error

    def until(self, word):
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=HANG)
            except queue.Empty:
                raise Fault(f"hang: no {word} for {HANG:.0f} s") from None
            if line is None:
                raise Fault(f"crash: exit code {self.process.wait()}, {self.process.stderr.read()[-300:]!r}")
            lines.append(line)
            if line.startswith(word):
                return lines

    def memory(self):
        """Returns the resident memory in MiB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def close(self):
        self.send("quit")
        if self.process.wait(timeout=HANG) != 0 or self.process.stderr.read():
            raise Fault(f"exit code {self.process.returncode}, or a message on stderr")


def mixed_options(rng, syzygy, folder):
    """Returns the options of one player."""
    options = {
        "Threads": rng.choice([1, 1, 2]),
        "Hash": rng.choice([1, 4, 16, 64, 256]),
        "MultiPV": rng.choice([1, 1, 1, 3]),
        "UCI_ShowWDL": rng.choice(["true", "false"]),
        "Emotion": rng.choice(["true", "true", "false"]),
        "Temperament": rng.choice([50, 100, 200]),
        "Profile": rng.choice(["standard", "neutral", "anxious", "gambler", "attacker", "paper2012"]),
        "UCI_LimitStrength": rng.choice(["false", "false", "true"]),
        "UCI_Elo": rng.randrange(1000, 3400),
        "LimitStyle": rng.choice(["narrow", "human"]),
        "FeelingsFile": rng.choice(["<empty>", str(folder / "feelings.jsonl")]),
    }
    if syzygy:
        options["SyzygyPath"] = rng.choice(["<empty>", syzygy])
    return options


def check_line(line, board):
    """Checks an info line: its form, and that its moves are legal."""
    if not INFO.fullmatch(line):
        if not OTHER.fullmatch(line):
            raise Fault(f"malformed: {line}")
        return
    after = board.copy(stack=False)
    for move in line.partition(" pv ")[2].split():
        try:
            after.push(after.parse_uci(move))
        except ValueError:
            raise Fault(f"illegal move {move} of a line in {board.fen()}: {line}") from None


def best_move(lines, board):
    """Returns the move and the expected reply. Both must be legal."""
    for line in lines[:-1]:
        check_line(line, board)
    words = lines[-1].split()
    try:
        move = board.parse_uci(words[1])
        after = board.copy(stack=False)
        after.push(move)
        return move, after.parse_uci(words[3]) if len(words) > 3 else None
    except ValueError:
        raise Fault(f"illegal move in {board.fen()}: {lines[-1]}") from None


def delay():
    """Returns by how much a sleep of a millisecond is too long, in seconds: the load of the machine."""
    began = time.monotonic()
    time.sleep(0.001)
    return time.monotonic() - began - 0.001


def start(board, engines, options, chess960):
    for engine, mix in zip(engines, options):
        engine.send(f"setoption name UCI_Chess960 value {'true' if chess960 else 'false'}")
        for name, value in mix.items():
            engine.send(f"setoption name {name} value {value}")
        engine.send("ucinewgame\nisready")
        engine.until("readyok")
    return board


def position(board, start_fen):
    return f"position fen {start_fen}" + "".join([" moves", *(f" {move.uci()}" for move in board.move_stack)] if board.move_stack else [])


def play(engines, rng, syzygy, folder):
    """Plays one game. Returns its result, number of plies and losses on time."""
    chess960, ponder = rng.random() < 0.25, rng.random() < 0.3
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(4, 10)):
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))
    board = chess.Board(board.fen(), chess960=chess960)
    options = [mixed_options(rng, syzygy, folder) for _ in engines]
    start(board, engines, options, chess960)
    fen, (base, increment) = board.fen(), rng.choice(CLOCKS)
    clocks, late, guess = {True: base, False: base}, [], {}
    while not board.is_game_over(claim_draw=True) and board.ply() < 400:
        side, engine = board.turn, engines[not board.turn]
        times = " ".join(f"{c}time {max(1, round(1000 * clocks[s]))} {c}inc {round(1000 * increment)}" for c, s in (("w", True), ("b", False)))
        if side in guess:
            is_hit = guess.pop(side) == board.peek()
            began = time.monotonic()
            engine.send("ponderhit" if is_hit else "stop")
            lines = engine.until("bestmove")
            if not is_hit:
                began = time.monotonic()
                engine.send(f"{position(board, fen)}\ngo {times}")
                lines = engine.until("bestmove")
        else:
            began = time.monotonic()
            engine.send(f"{position(board, fen)}\ngo {times}")
            lines = engine.until("bestmove")
        clocks[side] -= time.monotonic() - began
        move, reply = best_move(lines, board)
        if clocks[side] < -ALLOWANCE:
            late.append({"late": round(-clocks[side], 4), "delay": round(delay(), 4)})
            break
        clocks[side] += increment
        board.push(move)
        if ponder and reply and not board.is_game_over():
            after = board.copy()
            after.push(reply)
            if not after.is_game_over():
                guess[side] = reply
                engine.send(f"{position(after, fen)}\ngo ponder {times}")
    for side in guess:
        engines[not side].send("stop")
        engines[not side].until("bestmove")
    return {"result": board.result(claim_draw=True), "plies": board.ply(), "late": late}


def games(args, numbers):
    """Plays the games with these numbers with two processes, and yields their records."""
    with tempfile.TemporaryDirectory() as folder:
        engines = []
        for number in numbers:
            if not engines:
                engines = [Engine(args.engine), Engine(args.engine)]
            record = {"game": number}
            try:
                record |= play(engines, random.Random(f"{args.seed} {number}"), args.syzygy, Path(folder))
                if number % 50 == 0:
                    closing, engines = engines, []
                    for engine in closing:
                        engine.close()
            except Fault as fault:
                record["fault"] = str(fault)
                for engine in engines:
                    engine.process.kill()
                engines = []
            yield record
        for engine in engines:
            engine.close()


def play_all(args):
    done = {}
    if args.record.exists():
        records = map(json.loads, args.record.read_text(encoding="utf-8").splitlines())
        done = {record["game"]: record for record in records}
    left = [number for number in range(1, args.games + 1) if number not in done]
    lock = threading.Lock()

    def work(numbers):
        for record in games(args, numbers):
            with lock, args.record.open("a", encoding="utf-8") as file:
                done[record["game"]] = record
                file.write(json.dumps(record) + "\n")

    with concurrent.futures.ThreadPoolExecutor(args.concurrency) as pool:
        list(pool.map(work, [left[part :: args.concurrency] for part in range(args.concurrency)]))
    faults = [record for record in done.values() if "fault" in record]
    late = [record for record in done.values() if record.get("late")]
    plies = sum(record.get("plies", 0) for record in done.values())
    results = collections.Counter(record.get("result") for record in done.values())
    print(f"{len(done)} games, {plies} plies, results {dict(results)}")
    print(f"{len(faults)} faults, {len(late)} losses on time")
    for record in faults + late:
        print(json.dumps(record))
    return not faults and not late


def new_games(args):
    engine, sizes = Engine(args.engine), []
    for number in range(args.new_games):
        engine.send(f"ucinewgame\nposition startpos moves {'e2e4 e7e5' if number % 2 else 'd2d4'}\ngo nodes 2000")
        engine.until("bestmove")
        sizes.append(engine.memory())
    engine.close()
    first, last = max(sizes[: len(sizes) // 4]), max(sizes[-len(sizes) // 4 :])
    print(f"{len(sizes)} new games: {first:.1f} MiB in the first quarter, {last:.1f} MiB in the last")
    return last - first < GROWTH


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="the program, such as target/release/deepfeeling")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--record", type=Path, default=Path("games.jsonl"))
    parser.add_argument("--concurrency", type=int, default=2, help="games at the same time; 4 on two cores overload them")
    parser.add_argument("--syzygy", help="a folder of endgame tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--new-games", type=int, default=0)
    args = parser.parse_args()
    sys.exit(0 if (new_games(args) if args.new_games else play_all(args)) else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Scores the positions of a CSV file by a UCI engine, for `deepfeeling tune --mix 1`.

    tools/rescore.py own.csv scored.csv --engine stockfish --nodes 1000 --scale 1.28

Reads the columns fen, result and, if present, game. Writes fen,result,cp,game,row, where cp is the
score from White's point of view, times --scale, and row the number of the row read. An interrupted run
continues where it ended, if its options are the same.
"""

import argparse
import csv
import pathlib
import subprocess


class Engine:
    """A UCI engine that scores positions with a fixed number of nodes."""

    def __init__(self, path, nodes):
        self.nodes = nodes
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True)
        self.send("uci\nisready")
        while self.read() != "readyok":
            pass

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise OSError(0, "the engine has ended")
        return line.strip()

    def score(self, fen):
        """Returns the score in centipawns from White's point of view, or None for a mate."""
        self.send(f"position fen {fen}\ngo nodes {self.nodes}")
        kind, number = None, 0
        while not (line := self.read()).startswith("bestmove"):
            words = line.split()
            if line.startswith("info") and "score" in words:
                at = words.index("score")
                kind, number = words[at + 1], int(words[at + 2])
        if kind != "cp":
            return None
        return number if fen.split()[1] == "w" else -number


def part_of(text):
    """Reads a part such as 1/2."""
    part, _, parts = text.partition("/")
    if part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts):
        return int(part), int(parts)
    raise argparse.ArgumentTypeError(f"found {text!r}, allowed: two numbers such as 1/2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("positions", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--engine", default="stockfish", help="path of a UCI engine")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes per position")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on all scores")
    parser.add_argument("--most", type=int, default=1900, help="leave out larger scores")
    parser.add_argument("--part", type=part_of, default="1/1", help="the part to score, such as 1/2")
    args = parser.parse_args()
    try:
        rescore(args)
    except OSError as error:
        parser.exit(2, f"error: {error.filename or args.engine}: {error.strerror}\n")
    except KeyError as error:
        parser.exit(2, f"error: {args.positions}: no column {error}; fen and result are required\n")


def rescore(args):
    part, parts = args.part
    with args.positions.open(newline="") as file:
        rows = [row for at, row in enumerate(csv.DictReader(file)) if at % parts == part - 1]
    done = 0
    if args.out.exists():
        with args.out.open(newline="") as file:
            done = max((int(row["row"]) + 1 for row in csv.DictReader(file)), default=0)
    engine = Engine(args.engine, args.nodes)
    with args.out.open("a", newline="", buffering=1) as file:
        out = csv.writer(file, lineterminator="\n")
        if not done:
            out.writerow(["fen", "result", "cp", "game", "row"])
        for number, row in enumerate(rows[done:], done):
            score = engine.score(row["fen"])
            scaled = None if score is None else round(score * args.scale)
            if scaled is not None and abs(scaled) < args.most:
                out.writerow([row["fen"], row["result"], scaled, row.get("game", number), number])
    engine.send("quit")


if __name__ == "__main__":
    main()

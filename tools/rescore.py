#!/usr/bin/env python3
"""Scores the positions of a CSV file by a UCI engine, for `deepfeeling tune --mix 1`.

    tools/rescore.py own.csv scored.csv --engine stockfish --nodes 1000 --scale 1.28

Reads the columns fen, result and, if present, game. Writes fen,result,cp,game,row, where cp is the
score from White's point of view, times --scale, and row the number of the row read. An interrupted run
continues where it ended, if its options are the same.

    tools/rescore.py own.csv moves.csv --moves target/release/deepfeeling --nodes 1000 --scale 1.28

With --moves, each row becomes the positions after the four best moves of that engine, which must be
deepfeeling, and after the best move of --engine. Their game is the number of the row, so that
`deepfeeling tune --compare` compares them with each other.
"""

import argparse
import csv
import pathlib
import subprocess

# Nodes per position to find the best moves.
MOVE_NODES = 2000


class Engine:
    """A UCI engine that scores positions with a fixed number of nodes."""

    def __init__(self, path, nodes, options=()):
        self.path = path
        self.nodes = nodes
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True)
        self.send("uci")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        while self.read() != "readyok":
            pass

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise OSError(0, "the engine has ended", self.path)
        return line.strip()

    def score(self, fen, move=None):
        """Returns the score in centipawns from White's point of view, of the position or of a move.

        A mate has no score.
        """
        kind, number = None, 0
        for words in self.search(fen, f" searchmoves {move}" if move else ""):
            if "score" in words:
                at = words.index("score")
                kind, number = words[at + 1], int(words[at + 2])
        if kind != "cp":
            return None
        return number if fen.split()[1] == "w" else -number

    def best_moves(self, fen):
        """Returns the first moves of the last lines of a search, best first."""
        moves = {}
        for words in self.search(fen):
            if "pv" in words:
                number = words[words.index("multipv") + 1] if "multipv" in words else "1"
                moves[number] = words[words.index("pv") + 1]
        return list(moves.values())

    def search(self, fen, scope=""):
        """Yields the words of each line of information of a search."""
        self.send(f"position fen {fen}\ngo nodes {self.nodes}{scope}")
        while not (line := self.read()).startswith("bestmove"):
            if line.startswith("info"):
                yield line.split()

    def after(self, fen, move):
        """Returns the FEN after a move. Only deepfeeling understands this."""
        self.send(f"position fen {fen} moves {move}\nd\nisready")
        after = None
        while (line := self.read()) != "readyok":
            if line.startswith("info string fen "):
                after = line.removeprefix("info string fen ")
        if after is None:
            raise OSError(0, "this engine does not print positions; deepfeeling does", self.path)
        return after


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
    parser.add_argument("--moves", metavar="ENGINE", help="score the moves of this engine instead")
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
    chooser = args.moves and Engine(args.moves, MOVE_NODES, [("Emotion", "false"), ("MultiPV", 4)])
    with args.out.open("a", newline="", buffering=1) as file:
        out = csv.writer(file, lineterminator="\n")
        if not done:
            out.writerow(["fen", "result", "cp", "game", "row"])
        for number, row in enumerate(rows[done:], done):
            fen, game = row["fen"], number if chooser else row.get("game", number)
            for fen, score in scored(fen, engine, chooser):
                scaled = None if score is None else round(score * args.scale)
                if scaled is not None and abs(scaled) < args.most:
                    out.writerow([fen, row["result"], scaled, game, number])
    for process in filter(None, [engine, chooser]):
        process.send("quit")


def scored(fen, engine, chooser):
    """Yields the position and its score, or those after its best moves."""
    if not chooser:
        yield fen, engine.score(fen)
        return
    moves = chooser.best_moves(fen) + engine.best_moves(fen)[-1:]
    for move in dict.fromkeys(moves):
        yield chooser.after(fen, move), engine.score(fen, move)


if __name__ == "__main__":
    main()

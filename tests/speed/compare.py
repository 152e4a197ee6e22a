"""Compares the speed of two UCI engines on the bench positions, searched in turn.

Usage: compare.py BINARY OTHER [--nodes 200000 | --depth 18] [--rounds 10] [--option NAME=VALUE] [--other-option NAME=VALUE]

Prints how many times as many nodes per second BINARY searches, or with --depth how many times as
long it takes (median of the positions), and an interval of 95 %. Both engines search a position
right after each other, from an empty table and with one thread, so that other programs slow both
alike. Positions with a forced mate do not count: an engine may stop there before the limit.
"""

import argparse
import statistics
import subprocess
import time

# shorter searches say little about speed, in seconds
SHORTEST = 0.02
# quantile of the normal distribution for an interval of 95 %
Z = 1.96


class Engine:
    """An engine that runs until it is told to quit."""

    def __init__(self, path, options):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.send("uci")
        self.read_until("uciok")
        for option in ["Threads=1", "Hash=16", *options]:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def read_until(self, word):
        """Returns the lines up to the one that starts with `word`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        raise SystemExit(f"{self.process.args[0]} stopped before {word}")

    def search(self, fen, limit):
        """Returns the seconds of a search, or None if it found a mate."""
        for line in ["ucinewgame", f"position fen {fen}", "isready"]:
            self.send(line)
        self.read_until("readyok")
        start = time.perf_counter()
        self.send(f"go {limit}")
        lines = self.read_until("bestmove")
        seconds = time.perf_counter() - start
        return None if any(" score mate " in line for line in lines) else seconds


def bench_positions(binary):
    """Returns the positions that `bench` searches."""
    bench = [binary, "bench", "--depth", "1"]
    table = subprocess.run(bench, capture_output=True, text=True, check=True).stdout
    rows = [line.split(" nps ") for line in table.splitlines()]
    return [row[1].strip() for row in rows if len(row) == 2]


def compare(engines, positions, limit, first):
    """Searches all positions once. Returns the seconds of both engines for each that counts."""
    pairs = []
    for number, fen in enumerate(positions):
        seconds = [None, None]
        for index in (0, 1) if (number + first) % 2 == 0 else (1, 0):
            seconds[index] = engines[index].search(fen, limit)
        if None not in seconds and min(seconds) >= SHORTEST:
            pairs.append(seconds)
    if not pairs:
        raise SystemExit(f"no search took {SHORTEST} s: raise the limit")
    return pairs


def ratio(pairs, is_depth):
    """Returns the ratio of the speeds at equal nodes, or of the times to equal depth."""
    if is_depth:
        return statistics.median(ours / others for ours, others in pairs)
    return sum(others for _, others in pairs) / sum(ours for ours, _ in pairs)


def positive(text):
    """Reads a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text}, must be at least 1")
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="a build of deepfeeling")
    parser.add_argument("other", help="the engine to compare with")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--nodes", type=positive, default=200_000)
    limits.add_argument("--depth", type=positive)
    parser.add_argument("--rounds", type=positive, default=10)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--other-option", action="append", default=[])
    given = parser.parse_args()

    positions = bench_positions(given.binary)
    engines = [Engine(given.binary, given.option), Engine(given.other, given.other_option)]
    limit = f"depth {given.depth}" if given.depth else f"nodes {given.nodes}"
    rounds = [compare(engines, positions, limit, number) for number in range(given.rounds)]
    for engine in engines:
        engine.send("quit")

    ratios = [ratio(pairs, given.depth) for pairs in rounds]
    error = Z * statistics.stdev(ratios) / len(ratios) ** 0.5 if len(ratios) > 1 else float("nan")
    what = f"time to depth {given.depth}" if given.depth else "nodes per second"
    print(f"{what}: {statistics.mean(ratios):.3f} ± {error:.3f} times")
    print(f"{len(rounds[0])} of {len(positions)} positions counted in the first of {len(rounds)} rounds")


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.SubprocessError) as error:
        raise SystemExit(f"compare.py: {error}") from None

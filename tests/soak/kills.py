"""Kills commands at random moments, or fills their disk, and checks that going on loses and doubles nothing.

    kills.py ENGINE --kills 100 [--seed 1] [--only duel]
    kills.py ENGINE --full-disk          (as root: mounts a small disk in memory)

Every command first runs without interruption. Then it is killed (SIGKILL) and started again until it has finished, and
its files must equal those of the first run. With --full-disk, it runs on a full disk, must say so in one line and fail,
and must finish with equal files once there is space. A command that cannot be continued must leave its output file as
it was, or write it whole. Exits with 1 after a fault.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# the command, with the files that it writes; {} is the folder of the inputs
COMMANDS = {
    "datagen": ("datagen --out rows.csv --games 60 --nodes 300 --threads 2", ["rows.csv"]),
    "duel": ("duel gambler neutral --nodes 300 --games 60 --threads 2 --pgn duel.pgn", ["duel.pgn"]),
    "annotate": ("annotate {}/games.pgn --nodes 400 --threads 2 --out notes.pgn", ["notes.pgn"]),
    "tune-style": (
        "tune --style --raise checks --iterations 12 --pairs 2 --nodes 300 --threads 2 --state state.toml --out fit.toml",
        ["state.toml", "fit.toml"],
    ),
    "tune": ("tune {}/rows.csv --out weights.toml --epochs 6", ["weights.toml"]),
    "study": ("study {}/rated.pgn --nodes 300 --placebos 20 --cache scores.txt --html page.html", ["scores.txt", "page.html"]),
    "remember": ("remember {}/games.pgn --out known.bin", ["known.bin"]),
}
# commands that start from the beginning after a kill
NOT_CONTINUED = ["tune", "remember"]
# kills before a command may finish
MOST = 8
DISK = 96  # KiB


class Fault(Exception):
    """Something that must never happen."""


def start(engine, name, inputs, folder):
    words = COMMANDS[name][0].replace("{}", str(inputs)).split()
    return subprocess.Popen([engine, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(engine, name, inputs, folder):
    process = start(engine, name, inputs, folder)
    _, errors = process.communicate()
    if process.returncode:
        raise Fault(f"{name}: exit code {process.returncode}: {errors.strip()}")


def files(name, folder):
    return {file: (folder / file).read_bytes() if (folder / file).exists() else None for file in COMMANDS[name][1]}


def prepare(engine, inputs):
    """Makes the files that commands read: games and positions."""
    for words in (
        "duel standard neutral --nodes 500 --games 40 --pgn games.pgn",
        "datagen --out rows.csv --games 100 --nodes 300",
    ):
        subprocess.run([engine, *words.split()], cwd=inputs, check=True, capture_output=True)
    # the study reads games of rated players without scores, so that it must search
    rated = '[WhiteElo "1500"]\n[BlackElo "1500"]\n[Result'
    games = (inputs / "games.pgn").read_text()
    (inputs / "rated.pgn").write_text(re.sub(r"\{[^}]*\}", "", games).replace("[Result", rated))


def compare(name, wanted, folder, when):
    for file, found in files(name, folder).items():
        if found != wanted[file]:
            raise Fault(f"{name}: {file} differs {when}")


def kill(engine, name, inputs, wanted, duration, chance):
    """Kills a command, at most MOST times, until it has finished. Returns the number of kills."""
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        while True:
            process = start(engine, name, inputs, folder)
            patience = chance.uniform(0.0, 0.8 * duration) if kills < MOST else None
            try:
                _, errors = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                if name in NOT_CONTINUED:
                    whole = files(name, folder)
                    if any(found not in (None, wanted[file]) for file, found in whole.items()):
                        raise Fault(f"{name}: a file is neither missing nor whole after {kills} kills") from None
                continue
            if process.returncode:
                raise Fault(f"{name}: exit code {process.returncode} after {kills} kills: {errors.strip()}")
            break
        compare(name, wanted, folder, f"after {kills} kills")
    return kills


def fill(engine, name, inputs, wanted):
    """Runs a command on a full disk, and again when there is space."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}k", "tmpfs", str(folder)], check=True)
        try:
            filler = folder / "filler"
            need = sum(len(found) for found in wanted.values())
            filler.write_bytes(bytes(max(0, DISK * 1024 - need // 2 - 8192)))
            process = start(engine, name, inputs, folder)
            _, errors = process.communicate()
            lines = errors.strip().splitlines()
            if process.returncode == 0:
                raise Fault(f"{name}: no error on a full disk")
            if not lines or "panicked" in errors:
                raise Fault(f"{name}: a full disk is not explained: {errors.strip()}")
            filler.unlink()
            subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
            finish(engine, name, inputs, folder)
            compare(name, wanted, folder, "after a full disk")
            return lines[-1]
        finally:
            subprocess.run(["umount", str(folder)], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--kills", type=int, default=100, help="kills of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=COMMANDS, help="one command")
    parser.add_argument("--full-disk", action="store_true")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    faults = 0
    with tempfile.TemporaryDirectory() as inputs:
        inputs = Path(inputs)
        prepare(arguments.engine, inputs)
        for name in [arguments.only] if arguments.only else COMMANDS:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    begin = time.monotonic()
                    finish(arguments.engine, name, inputs, Path(folder))
                    duration = time.monotonic() - begin
                    wanted = files(name, Path(folder))
                if arguments.full_disk:
                    print(f"{name}: {fill(arguments.engine, name, inputs, wanted)}", flush=True)
                    continue
                kills = rounds = 0
                while kills < arguments.kills:
                    kills += kill(arguments.engine, name, inputs, wanted, duration, chance)
                    rounds += 1
                print(f"{name}: {kills} kills in {rounds} runs, files equal", flush=True)
            except Fault as fault:
                faults += 1
                print(f"fault: {fault}", flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

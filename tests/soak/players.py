"""Lets many players use one server of the engine at the same time, and checks all answers.

    players.py ENGINE --players 50 --minutes 60 [--seed 1] [--threads 2]

Every player has an address of its own (127.1.0.x, which Linux routes to this machine). It plays random legal moves
against random opponents, asks "what if", takes moves back, downloads the game and sometimes reconnects. A fault is a
refused request, a reply that takes longer than 30 seconds, or a position that does not follow from the moves. Prints
the number of games, moves and requests, the slowest reply and the memory. Exits with 1 after a fault. Needs
python-chess.
"""

import argparse
import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import chess

# a reply that takes longer is a fault, in seconds
SLOWEST = 30.0
NODES = [200, 2000, 20000]
LEVELS = [None, 1000, 1400, 1800]
PROFILES = ["standard", "neutral", "berserker", "anxious", "hunter", "human", "paper2012"]


class Fault(Exception):
    """Something that must never happen."""


class Player(threading.Thread):
    """One player with one connection for requests and one for events."""

    def __init__(self, port, number, seed, until):
        super().__init__(daemon=True)
        self.port, self.until = port, until
        self.source = (f"127.1.{number // 250}.{number % 250 + 1}", 0)
        self.random = random.Random(f"{seed} {number}")
        self.games = self.moves = self.requests = 0
        self.slowest = 0.0
        # when the player last did something
        self.since = time.monotonic()
        self.fault = None

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SLOWEST, source_address=self.source)

    def call(self, method, path, body=None):
        connection = self.connect()
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        self.requests += 1
        if answer.status != 200:
            raise Fault(f"{method} {path} {text}: {answer.status} {content}")
        return content

    def act(self, what, **body):
        return self.call("POST", f"/api/games/{self.id}/{what}", body)

    def states(self):
        """Yields the states of the game. Ends at random, so that the player connects again."""
        connection = self.connect()
        connection.request("GET", f"/api/games/{self.id}/events")
        answer = connection.getresponse()
        if answer.status != 200:
            raise Fault(f"events: {answer.status} {answer.read()}")
        kind = None
        while self.random.random() > 0.01:
            line = answer.readline().decode()
            if not line:
                raise Fault("the event stream ended")
            # lines that keep the connection open come also without a reply
            if time.monotonic() - self.since > SLOWEST:
                raise Fault(f"no reply within {SLOWEST:.0f} s")
            if line.startswith("event: "):
                kind = line[7:].strip()
            elif line.startswith("data: ") and kind == "state":
                yield json.loads(line[6:])
        connection.close()

    def start_game(self):
        self.games += 1
        options = {"profile": self.random.choice(PROFILES), "side": self.random.choice(["white", "black"])}
        level = self.random.choice(LEVELS)
        options |= {"nodes": self.random.choice(NODES)} if level is None else {"level": level}
        self.act("new", **options)

    def check(self, state):
        board = chess.Board(state["start"])
        for move in state["moves"]:
            board.push_uci(move["uci"])
        if board.fen().split()[0] != state["fen"].split()[0]:
            raise Fault(f"{state['fen']} does not follow from the moves, which lead to {board.fen()}")

    def choose(self, state):
        start = self.random.choice(sorted(state["dests"]))
        end = self.random.choice(state["dests"][start])
        is_pawn = chess.Board(state["fen"]).piece_type_at(chess.parse_square(start)) == chess.PAWN
        return start + end + ("q" if is_pawn and end[1] in "18" else "")

    def answer(self, state):
        """Reacts to a state. Returns whether the player did something that changes it."""
        if state["end"]:
            self.call("GET", f"/api/games/{self.id}/pgn")
            self.start_game()
        elif state["thinking"] or state["turn"] != state["human"] or not state["dests"]:
            return False
        else:
            time.sleep(self.random.uniform(0.1, 2.0))
            chance = self.random.random()
            if chance < 0.02 and len(state["moves"]) > 3:
                self.act("undo")
            elif chance < 0.04:
                self.start_game()
            else:
                if chance < 0.1 and len(state["moves"]) > 1:
                    self.act("whatif", king_safety=-1)
                self.moves += 1
                self.act("move", move=self.choose(state))
        return True

    def run(self):
        try:
            self.id = json.loads(self.call("POST", "/api/games", {}))["id"]
            self.start_game()
            self.since = time.monotonic()
            while time.monotonic() < self.until:
                for state in self.states():
                    if time.monotonic() >= self.until:
                        break
                    self.check(state)
                    if state["turn"] == state["human"]:
                        self.slowest = max(self.slowest, time.monotonic() - self.since)
                    if self.answer(state):
                        self.since = time.monotonic()
        except (Fault, OSError, ValueError, KeyError, http.client.HTTPException) as fault:
            self.fault = f"{self.source[0]}: {fault!r}"


def memory(process):
    """Returns the resident memory of a process in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    command = [options.engine, "serve", "--port", "0", "--threads", str(options.threads)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    port = None
    while port is None:
        line = server.stdout.readline()
        if not line:
            sys.exit(f"error: the server ended with {server.wait()}")
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        port = found and int(found[1])
    until = time.monotonic() + 60.0 * options.minutes
    players = [Player(port, number, options.seed, until) for number in range(options.players)]
    for player in players:
        player.start()
    while server.poll() is None and any(player.is_alive() for player in players):
        time.sleep(min(60.0, max(1.0, until - time.monotonic())))
        moves = sum(player.moves for player in players)
        print(f"{moves} moves, memory {memory(server):.0f} MiB", flush=True)
    faults = [player.fault for player in players if player.fault]
    if server.poll() is not None:
        faults.append(f"the server ended with {server.returncode}")
    server.terminate()
    games, requests = (sum(getattr(player, what) for player in players) for what in ("games", "requests"))
    slowest = max(player.slowest for player in players)
    print(f"{games} games, {requests} requests, slowest reply {slowest:.1f} s, {len(faults)} faults")
    print("\n".join(faults[:20]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

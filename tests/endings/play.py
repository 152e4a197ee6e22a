"""Plays won endings against the best defence known, and counts the wins.

Usage: play.py BINARY --syzygy FOLDER [--judge ENGINE] [--positions 100] [--nodes 100000] [--option NAME=VALUE] KBNvK KQvKR …

Needs python-chess. Positions are drawn at random, with White to move and win. The defender plays
the move that delays the next capture or mate longest, by the endgame tables. Where a table is
missing, the engine of --judge decides what is won, and defends. A game is won if White mates before
the 50-move rule or a third repetition ends it.
"""

import argparse
import contextlib
import random
import sys

import chess
import chess.engine
import chess.syzygy

# nodes per judgement and per move of the judge
JUDGE_NODES = 200_000
# the least score, in centipawns, that a judge calls won
JUDGED_WON = 450


class Opponent:
    """Judges and defends positions: by endgame tables, and where they are missing by an engine."""

    def __init__(self, tables, judge):
        self.tables, self.judge = tables, judge

    def has_table(self, board):
        # a probe may succeed without: a capture that leads to a table can decide
        return chess.syzygy.calc_key(board) in self.tables.wdl

    def calls_won(self, board):
        """Whether White, to move, wins, and to a judge not by a capture or promotion at once."""
        if self.has_table(board):
            return self.tables.probe_wdl(board) == 2
        if board.is_game_over():
            return False
        limit = chess.engine.Limit(nodes=JUDGE_NODES)
        known = self.engine().analyse(board, limit, game=object())
        best = known["pv"][0]
        is_quiet = not board.is_capture(best) and not best.promotion
        return is_quiet and known["score"].white().score(mate_score=100_000) >= JUDGED_WON

    def defend(self, board):
        """Returns the move after which the win takes longest, or one that holds the draw."""
        if self.has_table(board):
            return max(board.legal_moves, key=lambda move: self.hardness(board, move))
        return self.engine().play(board, chess.engine.Limit(nodes=JUDGE_NODES)).move

    def hardness(self, board, move):
        board.push(move)
        wdl, dtz = self.tables.probe_wdl(board), abs(self.tables.probe_dtz(board))
        is_capture = board.halfmove_clock == 0
        board.pop()
        # a capture begins a new count
        return -wdl, 0 if is_capture else dtz

    def engine(self):
        if self.judge is None:
            print("play.py: no table of this ending; --judge ENGINE plays without", file=sys.stderr)
            sys.exit(2)
        return self.judge


def drawn_position(ending, opponent, chance):
    """Returns a random position of the ending that White, to move, wins by the 50-move rule."""
    sides = ending.split("v")
    while True:
        squares = chance.sample(chess.SQUARES, sum(map(len, sides)))
        board = chess.Board(None)
        for color, letters in zip(chess.COLORS, sides):
            for letter in letters:
                piece = chess.Piece.from_symbol(letter)
                board.set_piece_at(squares.pop(), chess.Piece(piece.piece_type, color))
        on_edge = chess.BB_RANK_1 | chess.BB_RANK_8
        if board.is_valid() and not board.pawns & on_edge and opponent.calls_won(board):
            return board


def is_won(engine, board, opponent, nodes):
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        if board.turn == chess.WHITE:
            board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move)
        else:
            board.push(opponent.defend(board))
    return board.is_checkmate()


def play(ending, opponent, args):
    """Plays the ending from random positions. Returns a line for each that was not won."""
    chance, lost = random.Random(args.seed), []
    for _ in range(args.positions):
        board = drawn_position(ending, opponent, chance)
        with chess.engine.SimpleEngine.popen_uci(args.binary) as engine:
            engine.configure({"Hash": 16, **dict(args.option)})
            start = board.fen()
            if not is_won(engine, board, opponent, args.nodes):
                lost.append(f"  {start} became {board.fen()}")
    return lost


def option(text):
    """Splits NAME=VALUE."""
    if "=" not in text:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return text.split("=", 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("endings", nargs="+")
    parser.add_argument("--syzygy", required=True)
    parser.add_argument("--judge", metavar="ENGINE")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument(
        "--option", type=option, metavar="NAME=VALUE", action="append", default=[]
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    no_judge = contextlib.nullcontext()
    judging = chess.engine.SimpleEngine.popen_uci(args.judge) if args.judge else no_judge
    faults = 0
    with judging as judge, chess.syzygy.open_tablebase(args.syzygy) as tables:
        for ending in args.endings:
            lost = play(ending, Opponent(tables, judge), args)
            print(f"{ending}: {args.positions - len(lost)} of {args.positions} won")
            print("\n".join(lost), end="\n" if lost else "", flush=True)
            faults += len(lost)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

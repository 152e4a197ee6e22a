"""Plays whole games on the page: an engine chooses the moves, and the test makes them by hand."""

import subprocess

import chess
from support.live_page import BINARY, begin, moves, until_moves

# Enough to beat an opponent that searches a single node.
NODES = 20_000
# A game that takes longer than this does not end.
LONGEST = 160


class Adviser:
    """The engine over UCI, for the duration of a `with` block."""

    def __enter__(self):
        self.engine = subprocess.Popen(
            [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        return self

    def __exit__(self, *_):
        self.engine.communicate("quit\n", 10)

    def best(self, board):
        played = " ".join(move.uci() for move in board.move_stack)
        self.engine.stdin.write(f"position startpos moves {played}\ngo nodes {NODES}\n")
        for line in self.engine.stdout:
            if line.startswith("bestmove"):
                return chess.Move.from_uci(line.split()[1])
        raise AssertionError("the engine ended")


def play_to_mate(page, make):
    """Plays White until mate. `make` makes a move on the page, given the move and its SAN."""
    begin(page, nodes=1)
    board = chess.Board()
    with Adviser() as adviser:
        for _ in range(LONGEST):
            move = adviser.best(board)
            make(move, board.san(move))
            board.push(move)
            over = board.is_game_over(claim_draw=True)
            until_moves(page, len(board.move_stack) + (0 if over else 1))
            if not over:
                board.push_san(moves(page)[-1])
            if over or board.is_game_over(claim_draw=True):
                break
    page.wait_for_selector("#end:not([hidden])")
    assert "White wins by checkmate" in page.inner_text("#end-reason"), page.inner_text("#end-reason")
    assert page.inner_text("#end-title") == "You won"


def squares(move):
    """Returns the names of the squares that a move starts from and ends on."""
    return chess.square_name(move.from_square), chess.square_name(move.to_square)

"""Plays won endings against a perfect defence, and counts the wins.

Usage: play.py BINARY --syzygy FOLDER [--positions 100] [--nodes 100000] [--profile standard] KBNvK KQvKR …

Needs python-chess. Positions are drawn at random, with White to move and win. The defender plays
the move that delays the next capture or mate longest, by the endgame tables. A game is won if White
mates before the 50-move rule or a third repetition ends it.
"""

import argparse
import random
import sys

import chess
import chess.engine
import chess.syzygy


def drawn_position(ending, tables, chance):
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
        if board.is_valid() and not board.pawns & on_edge and tables.probe_wdl(board) == 2:
            return board


def defend(board, tables):
    """Returns the move after which the win takes longest, or a move that holds the draw."""

    def hardness(move):
        board.push(move)
        wdl, dtz = tables.probe_wdl(board), abs(tables.probe_dtz(board))
        is_capture = board.halfmove_clock == 0
        board.pop()
        # a capture begins a new count
        return -wdl, 0 if is_capture else dtz

    return max(board.legal_moves, key=hardness)


def is_won(engine, board, tables, nodes):
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        if board.turn == chess.WHITE:
            board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move)
        else:
            board.push(defend(board, tables))
    return board.is_checkmate()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("endings", nargs="+")
    parser.add_argument("--syzygy", required=True)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--profile", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    faults = 0
    with chess.syzygy.open_tablebase(args.syzygy) as tables:
        for ending in args.endings:
            chance, lost = random.Random(args.seed), []
            for _ in range(args.positions):
                board = drawn_position(ending, tables, chance)
                with chess.engine.SimpleEngine.popen_uci(args.binary) as engine:
                    option = "ProfileFile" if args.profile.endswith(".toml") else "Profile"
                    engine.configure({option: args.profile, "Hash": 16})
                    start = board.fen()
                    if not is_won(engine, board, tables, args.nodes):
                        lost.append(f"  {start} became {board.fen()}")
            print(f"{ending}: {args.positions - len(lost)} of {args.positions} won")
            print("\n".join(lost), end="\n" if lost else "", flush=True)
            faults += len(lost)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

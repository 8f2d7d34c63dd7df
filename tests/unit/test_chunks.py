"""Long texts in pieces: nothing is lost, and each piece fits the encoder's window."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall.chunks import WINDOW, chunks_of, cost

ALPHABET = st.sampled_from("ab .!?\n；。！？我五月搬到了杭州한が😀é\u00a0")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(ALPHABET, max_size=400) | st.text(max_size=200), st.floats(1, 60))
def test_pieces_joined_are_the_text_and_each_fits_the_window(text: str, window: float) -> None:
    """L13: no part of a long text is lost."""
    pieces = chunks_of(text, window)
    assert "".join(pieces) == text
    assert all(piece and cost(piece) <= window for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 20_000,
        "我" * 20_000,
        "One fact. " * 2_000,
        "！" * 20_000,
        "\n" * 20_000,
        "字 " * 10_000,
    ],
)
def test_the_longest_content_fits_in_pieces(text: str) -> None:
    pieces = chunks_of(text)
    assert "".join(pieces) == text
    assert max(map(cost, pieces)) <= WINDOW


def test_a_short_text_is_one_piece() -> None:
    assert chunks_of("I moved to Hangzhou. I like it.") == ["I moved to Hangzhou. I like it."]


def test_an_empty_text_has_no_piece() -> None:
    assert chunks_of("") == []


@pytest.mark.parametrize("end", [". ", "! ", "? ", "; ", "。", "！", "？", "；", "\n"])
def test_pieces_end_where_sentences_do(end: str) -> None:
    """A sentence is cut in two only when it is longer than the window itself."""
    sentence = "我喜欢喝茶" + end
    # No multiple of the sentence's length, so that a cut by length would show.
    pieces = chunks_of(sentence * 40, window=34)
    assert len(pieces) > 1
    assert all(piece.endswith(end) and piece.startswith("我喜欢") for piece in pieces)

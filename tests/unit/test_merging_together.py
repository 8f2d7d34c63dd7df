"""Reading two texts together: what is learned, and any text."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from ledger.bundled.tuning import FROZEN, Pace
from ledger.merging import together, training, tuning
from ledger.merging.judge import RELATIONS
from ledger.merging.together import CHANGES, MOST_PIECES, leanings
from ledger.merging.training import Example, data_name, folds

TEXTS = ("I live in Berlin", "我住在北京，喜欢喝茶", "Ｉ don’t  like 寿司 anymore!! 😀")


@pytest.fixture(scope="module")
def untaught() -> tuning.Reader:
    torch.manual_seed(0)
    return tuning.Reader().eval()


@pytest.fixture
def stored(monkeypatch, tmp_path, untaught):
    """What an untaught reader with some change in it would leave behind."""
    with torch.no_grad():
        for layer in untaught.body.layers[FROZEN:]:
            layer.parts["o"].up.normal_(std=0.02)
    path = tmp_path / "together.npz"
    for module in (together, tuning):
        monkeypatch.setattr(module, "CHANGES", path)
    tuning.save(untaught, "tested")
    together.together.cache_clear()
    leanings.cache_clear()
    yield path
    together.together.cache_clear()
    leanings.cache_clear()


def test_it_reads_as_it_learned_to(stored, untaught) -> None:
    pairs = [
        Example(TEXTS[0], TEXTS[1], "other", "mixed"),
        Example(TEXTS[1], TEXTS[2], "adds", "zh"),
    ]
    wanted = tuning.logits(untaught, pairs)
    for pair, logits in zip(pairs, wanted, strict=True):
        assert leanings(pair.old, pair.new) == pytest.approx(logits, abs=0.02)


def test_the_order_of_the_texts_counts(stored) -> None:
    assert leanings(TEXTS[0], TEXTS[1]) != pytest.approx(leanings(TEXTS[1], TEXTS[0]), abs=1e-4)


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "ﷺ" * 600, "好" * 5_000, "a " * 5_000])
def test_any_text_can_be_read(stored, text: str) -> None:
    assert np.isfinite(leanings(text, "I live in Berlin")).all()
    assert np.isfinite(leanings("I live in Berlin", text)).all()


def test_a_long_text_is_read_up_to_a_limit(stored) -> None:
    long = "tea " * MOST_PIECES
    assert leanings(long, TEXTS[0]) == pytest.approx(leanings(long + "or coffee", TEXTS[0]))


def test_a_reader_learns_what_it_is_told(monkeypatch) -> None:
    monkeypatch.setattr(tuning, "PACE", Pace(12, 5e-4, 1e-3))
    told = [Example("I like tea", f"I drink tea {n} times", "adds", "en") for n in range(8)]
    told += [Example("I like tea", f"My bike has {n} gears", "other", "en") for n in range(8)]
    found = tuning.logits(tuning.learned(told), told).argmax(1)
    right = [RELATIONS[at] == pair.relation for at, pair in zip(found, told, strict=True)]
    assert sum(right) >= 14


def test_what_is_learned_belongs_to_its_data() -> None:
    with np.load(CHANGES) as learned:
        assert str(learned["data"]) == data_name()


def test_no_pair_is_read_by_a_learner_that_saw_its_fold(monkeypatch) -> None:
    for module in (tuning, training):
        monkeypatch.setattr(module, "FOLDS", 2)
    things = ("tea", "chess", "rain", "jazz", "maps", "cats", "snow", "figs")
    pairs = [Example(f"I like {thing}", f"I adore {thing}", "same", "en") for thing in things]
    with ThreadPoolExecutor(1) as pool:
        found = tuning.held_out(pairs, pool)
    fold_of = folds(pairs)
    others = [pair for pair, fold in zip(pairs, fold_of, strict=True) if fold != fold_of[0]]
    own = [pair for pair, fold in zip(pairs, fold_of, strict=True) if fold == fold_of[0]]
    assert others
    wanted = tuning.logits(tuning.learned(others), own)
    assert found[fold_of == fold_of[0]] == pytest.approx(wanted, abs=1e-3)

"""Private things that are told by their sentence: what is read, what is learned, and any text."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ledger.bundled.tuning import FROZEN, Pace
from ledger.policy.privacy import Action, Privacy, PrivateKind
from ledger.privacy import action, find_private, tagger, training
from ledger.privacy.findings import GUESSED, Finding
from ledger.privacy.pieces import WINDOW, Piece, pieces, windows
from ledger.privacy.reading import read
from ledger.privacy.tagger import KINDS, read_private
from ledger.privacy.training import Example, Told, Varied, data_name

PASSWORD, ADDRESS = PrivateKind.PASSWORD, PrivateKind.ADDRESS
TEXTS = (
    "The gate opens with 4471, the wifi is Maple_5G",
    "口令是天王盖地虎，别告诉别人",
    "p@ss/x y",
)


def example(text: str) -> Example:
    """A text in which [[…]] marks a password."""
    before, value, after = text.replace("]]", "[[").split("[[")
    told = Told(len(before), len(before + value), PASSWORD)
    return Example(before + value + after, (told,), (PASSWORD,))


def said(text: str, kind: PrivateKind) -> list[str]:
    return [text[begin:end] for begin, end in read_private(text, Privacy())[kind]]


@pytest.fixture(scope="module")
def untaught() -> training.Reader:
    torch.manual_seed(0)
    return training.Reader().eval()


@pytest.fixture
def stored(monkeypatch, tmp_path, untaught):
    """What an untaught reader with some change in it would leave behind."""
    with torch.no_grad():
        for layer in untaught.body.layers[FROZEN:]:
            layer.parts["o"].up.normal_(std=0.02)
    for module in (tagger, training):
        monkeypatch.setattr(module, "CHANGES", tmp_path / "tagger.npz")
    training.save(untaught, "tested")
    tagger.tagger.cache_clear()
    yield
    tagger.tagger.cache_clear()


def test_it_reads_as_it_learned_to(stored, untaught) -> None:
    for text in TEXTS:
        row = pieces(text)
        with torch.no_grad():
            wanted = untaught([row])[0].numpy()
        assert tagger.tagger().logits(row) == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("It asks for a PIN. Mine's 0070, but the keypad only beeps.", "0070"),
        ("our neighbours' garage opens with 5512, in case of fire", "5512"),
        ("IT changed the wifi to acorn-street-coffee and nobody told us", "acorn-street-coffee"),
        ("储物柜的密码我想起来了，是 2749", "2749"),
        ("电脑解锁用的是 sunflower 加上 88，连起来 sunflower88", "sunflower88"),
    ],
)
def test_a_password_is_told_by_its_sentence(text: str, password: str) -> None:
    assert password in said(text, PASSWORD)


@pytest.mark.parametrize(
    "text",
    [
        "my pin keeps getting declined and the bank is closed",
        "the password must have at least 12 characters, one of them a digit",
        "密码学这门课期末占 60 分，我考了 85",
        "the gate of flight 4471 is B12",
    ],
)
def test_what_is_said_of_passwords_is_none(text: str) -> None:
    assert said(text, PASSWORD) == []


def test_an_address_over_several_lines_is_one() -> None:
    address = "Unit 9, Larkfield Industrial Park\nMill Lane\nStockport\nSK4 2PQ"
    assert said(f"Please send the invoice to:\n{address}\n\nThank you", ADDRESS) == [address]


class Sure:
    """Stands in for the network: as sure of each piece as `of` says of its text."""

    def __init__(self, text: str, of: Callable[[str], float]) -> None:
        self.text, self.of = text, of

    def logits(self, window: list[Piece]) -> np.ndarray:
        chances = np.array([self.of(self.text[piece.begin : piece.end]) for piece in window])
        return np.repeat(np.log(chances / (1 - chances))[:, None], len(KINDS), 1)


def heard(
    monkeypatch, text: str, of: Callable[[str], float], kind: str = PASSWORD, **privacy: float
) -> list[str]:
    """The passwords, or what else, that are read by such a network."""
    monkeypatch.setattr(tagger, "tagger", lambda: Sure(text, of))
    read = read_private(text, Privacy(**privacy))[kind]
    return [text[begin:end] for begin, end in read]


def test_codes_on_lines_of_their_own_are_several(monkeypatch) -> None:
    text = "codes\n7f3k-92ma\nx81d-pq40\nblue velvet"
    assert heard(monkeypatch, text, lambda _: 0.9) == [
        "codes",
        "7f3k-92ma",
        "x81d-pq40",
        "blue velvet",
    ]


@pytest.mark.parametrize(("kind", "rule"), [(PASSWORD, "password_from"), (ADDRESS, "read_from")])
def test_the_policy_says_how_likely_a_word_must_be(monkeypatch, kind, rule) -> None:
    said = partial(heard, monkeypatch, "locker 4471", lambda _: 0.6, kind)
    assert said(**{rule: 0.55}) == ["locker 4471"]
    assert said(**{rule: 0.65}) == []


def test_the_rest_of_a_chinese_phrase_needs_less(monkeypatch) -> None:
    def of(piece: str) -> float:
        return 0.9 if piece in "天王" else 0.08 if piece in "盖地虎" else 0.01

    text = "输入 天王盖地虎"
    assert heard(monkeypatch, text, of, glued_from=0.05) == ["天王盖地虎"]
    assert heard(monkeypatch, text, of, glued_from=0.3) == ["天王"]


def test_a_policy_that_believes_no_guess_has_none() -> None:
    text = "It asks for a PIN. Mine's 0070, but the keypad only beeps."
    assert [finding.kind for finding in find_private(text, Privacy())] == [PASSWORD]
    assert find_private(text, Privacy(least_score=0.7)) == []


@pytest.mark.parametrize(
    ("chance", "drop_from", "done"),
    [(0.95, 0.9, Action.DROP), (0.85, 0.9, Action.MASK), (0.85, 0.8, Action.DROP)],
)
def test_only_what_is_nearly_certain_is_dropped(monkeypatch, chance, drop_from, done) -> None:
    text = "locker 4471"
    monkeypatch.setattr(tagger, "tagger", lambda: Sure(text, lambda _: chance))
    privacy = Privacy(actions={ADDRESS: Action.KEEP}, drop_from=drop_from)
    assert [action(found, privacy) for found in tagger.find(text, privacy)] == [done]


def test_a_guess_is_refused_where_the_policy_says_so() -> None:
    guess = Finding(PASSWORD, 0, 4, "read in its sentence", GUESSED, 0.6)
    assert action(guess, Privacy(actions={PASSWORD: Action.REFUSE})) == Action.REFUSE


def test_a_kind_that_is_kept_is_not_read() -> None:
    text = "It asks for a PIN. Mine's 0070, but the keypad only beeps."
    assert find_private(text, Privacy(actions={PASSWORD: Action.KEEP})) == []


def test_a_word_across_the_border_of_a_window_is_read_whole(monkeypatch) -> None:
    monkeypatch.setattr("ledger.privacy.pieces.WINDOW", 10)
    monkeypatch.setattr("ledger.privacy.pieces.OVERLAP", 3)
    text = ", ".join(f"Kx{n}-Trumpet-Lagoon-{n}31-Velvet" for n in range(40))
    assert heard(monkeypatch, text, lambda piece: 0.01 if piece == "," else 0.9) == text.split(", ")


def test_what_is_no_key_between_dashes_is_read() -> None:
    assert "plum-tree-44" in said(
        "-----BEGIN STORY-----\nour wifi password is plum-tree-44", PASSWORD
    )


def test_what_is_typed_over_a_password_is_none(monkeypatch) -> None:
    assert heard(monkeypatch, "pin ****, 44****71", lambda _: 0.9) == []


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", "pin \ufdfa" * 600, "码" * 5_000, "pin 1 " * 5_000]
)
def test_any_text_can_be_read(text: str) -> None:
    for finding in find_private(text, Privacy()):
        assert 0 <= finding.start < finding.end <= len(text)


def test_what_stands_far_back_in_a_long_text_is_read() -> None:
    long = "We talked about the weather and the garden. " * 60
    assert len(pieces(long)) > 2 * WINDOW
    assert "kiwi-4-ever" in said(f"{long}My wifi password is kiwi-4-ever.", PASSWORD)


def test_a_text_that_says_nothing_of_the_kind_is_not_read() -> None:
    text = "I like tea and long walks"
    assert list(windows(text, pieces(text))) == []


@given(st.text(max_size=200))
def test_pieces_are_in_order_and_leave_out_no_letter_and_no_digit(text: str) -> None:
    reading = read(text)
    found = pieces(reading)
    assert all(piece.begin < piece.end for piece in found)
    assert all(one.begin <= other.begin and one.end <= other.end for one, other in pairwise(found))
    covered = {at for piece in found for at in range(piece.begin, piece.end)}
    left = [letter for at, letter in enumerate(reading) if at not in covered]
    assert not any(map(str.isalnum, left))


def test_what_is_known_by_its_shape_is_no_guessed_password() -> None:
    text = "the ssh key passphrase is on the server 203.0.113.77, ask me for it"
    found = {
        finding.kind
        for finding in find_private(text, Privacy())
        if "203" in text[finding.start : finding.end]
    }
    assert found == {PrivateKind.IP}


def test_other_values_stand_where_the_first_ones_did() -> None:
    texts = [
        example("the gate is [[4471]] now"),
        example("locker [[902]]"),
        example("输[[1234]]就行"),
    ]
    varied = Varied(texts)
    for _ in range(50):
        for text in texts:
            ((value, kind),) = varied.one(text).values()
            assert kind == PASSWORD
            assert value.isdigit()


def test_a_reader_learns_what_it_is_told(monkeypatch) -> None:
    monkeypatch.setattr(training, "PACE", Pace(60, 1e-3, 2e-3))
    told = [example(f"the code of house {n} is [[{n}{n + 1}{n + 2}]]") for n in range(1, 9)]
    told += [Example(f"bus {n}{n + 1}{n + 2} goes there", (), (PASSWORD,)) for n in range(1, 9)]
    reader = training.learned(told)
    found = [training.tagged(reader, text)[PASSWORD] for text in told]
    right = [
        list(spans) == [(thing.begin, thing.end) for thing in text.told]
        for spans, text in zip(found, told, strict=True)
    ]
    assert sum(right) >= 14


def test_what_is_learned_belongs_to_its_data() -> None:
    with np.load(tagger.CHANGES) as learned:
        assert str(learned["data"]) == data_name()


def test_no_text_is_read_by_a_learner_that_saw_its_fold(monkeypatch) -> None:
    monkeypatch.setattr(training, "FOLDS", 2)
    monkeypatch.setattr(training, "NEIGHBOURS", 1)
    seen: list[set[str]] = []

    def learned(texts: list[Example]) -> set[str]:
        seen.append({text.text for text in texts})
        return seen[-1]

    def tagged(reader: set[str], text: Example) -> dict:
        assert text.text not in reader
        return {PASSWORD: {(0, len(text.text)): 0.9}}

    monkeypatch.setattr(training, "learned", learned)
    monkeypatch.setattr(training, "tagged", tagged)
    texts = [Example("x" * n, (), (PASSWORD,)) for n in range(1, 6)]
    with ThreadPoolExecutor(1) as pool:
        found = training.held_out(texts, pool)
    assert [end for spans in found for _, end in spans[PASSWORD]] == [1, 2, 3, 4, 5]
    assert len(seen) == 2


def test_quality_counts_what_was_looked_for() -> None:
    texts = [example("pin [[4471]]"), Example("house 4471", (), (ADDRESS,))]
    found = [
        {PASSWORD: {(4, 8): 0.9}, ADDRESS: {}},
        {PASSWORD: {(6, 10): 0.9}, ADDRESS: {(0, 10): 0.9}},
    ]
    empty = {key: {} for key in KINDS}
    figures = training.quality(texts, [empty | spans for spans in found])
    assert figures[PASSWORD] == training.Quality(texts=1, told=1, covered=1, false=0)
    assert figures[ADDRESS] == training.Quality(texts=1, told=0, covered=0, false=1)


def test_nothing_that_is_held_out_teaches() -> None:
    def texts(path: Path) -> set[str]:
        lines = path.read_text("utf-8").splitlines()
        return {re.sub(r"\W+", "", json.loads(line)["text"].lower()) for line in lines}

    masking = Path(__file__).parents[2] / "bench/data/masking"
    taught = texts(training.DATA) | texts(masking / "dev.jsonl")
    assert not taught & texts(masking / "test.jsonl")

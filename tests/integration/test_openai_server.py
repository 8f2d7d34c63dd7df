"""The server that stands in for OpenAI's, as OpenAI's own library sees it."""

from contextlib import closing

import openai
import pytest

from tests.openai_server import answer, error, openai_server


def test_it_answers_as_scripted_and_the_last_answer_again() -> None:
    with openai_server() as server, closing(_client(server.url)) as client:
        server.says(
            error(429, "busy", code="rate_limit_exceeded", Retry_After="7"), answer("Hello")
        )
        with pytest.raises(openai.RateLimitError) as caught:
            _ask(client)
        assert caught.value.response.headers["retry-after"] == "7"
        assert [_ask(client), _ask(client)] == ["Hello", "Hello"]
        assert [received.prose for received in server.received] == ["Hi"] * 3


def test_its_vectors_are_of_length_one_and_the_same_for_the_same_text() -> None:
    with openai_server() as server, closing(_client(server.url)) as client:
        made = client.embeddings.create(model="any", input=["tea", "茶", "tea"]).data
        first, second, third = (item.embedding for item in made)
    assert sum(number * number for number in first) == pytest.approx(1)
    assert first == third != second


def _client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


def _ask(client: openai.OpenAI) -> str | None:
    messages = [{"role": "system", "content": "Hi"}]
    return client.chat.completions.create(model="any", messages=messages).choices[0].message.content

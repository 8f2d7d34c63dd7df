"""The hash chain: one spelling of JSON, and a hash that depends on every part."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.chain import GENESIS, canonical, entry_hash, new_salt, payload_digest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
HEADER = {"verb": "assert", "memory": "m", "actor": "key:mh_x", "importance": 5}
DIGEST = bytes(range(32))


def test_the_canonical_form_is_sorted_tight_utf_8() -> None:
    assert canonical({"b": [1, None], "a": "杭州"}) == '{"a":"杭州","b":[1,null]}'.encode()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_the_canonical_form_does_not_depend_on_the_order_of_members(value: dict) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_not_json_has_no_canonical_form(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"x": number})


def test_the_hash_is_the_same_for_the_same_parts() -> None:
    assert entry_hash(GENESIS, 1, HEADER, DIGEST) == entry_hash(GENESIS, 1, dict(HEADER), DIGEST)
    assert len(entry_hash(GENESIS, 1, HEADER, DIGEST)) == 32


@pytest.mark.parametrize(
    "parts",
    [
        (DIGEST, 1, HEADER, DIGEST),
        (GENESIS, 2, HEADER, DIGEST),
        *((GENESIS, 1, HEADER | {name: "other"}, DIGEST) for name in HEADER),
        (GENESIS, 1, HEADER | {"more": None}, DIGEST),
        (GENESIS, 1, {k: v for k, v in HEADER.items() if k != "actor"}, DIGEST),
        (GENESIS, 1, HEADER, GENESIS),
    ],
)
def test_the_hash_depends_on_every_part(parts: tuple) -> None:
    assert entry_hash(*parts) != entry_hash(GENESIS, 1, HEADER, DIGEST)


def test_the_payload_digest_depends_on_salt_and_words() -> None:
    salt, words = new_salt(), {"content": "words", "value": None}
    assert payload_digest(salt, words) == payload_digest(salt, dict(words))
    assert payload_digest(salt, words) != payload_digest(new_salt(), words)
    assert payload_digest(salt, words) != payload_digest(salt, words | {"content": "other"})

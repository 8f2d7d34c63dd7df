"""Sealing: only the same row of the same subject opens what was sealed, and only unaltered."""

import uuid
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.crypto import SubjectCipher, digest, new_key
from tenants.errors import ContentDamaged

ROW = uuid.uuid4()


def new_cipher() -> SubjectCipher:
    return SubjectCipher(uuid.uuid4(), uuid.uuid4(), new_key())


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.binary(max_size=2_000))
def test_what_was_sealed_can_be_opened_again(text: bytes) -> None:
    cipher = new_cipher()
    assert cipher.open(ROW, cipher.seal(ROW, text)) == text
    assert cipher.open(ROW, memoryview(cipher.seal(ROW, text))) == text


def test_the_sealed_form_holds_nothing_of_the_text_and_is_never_the_same_twice() -> None:
    cipher = new_cipher()
    text = b"I moved to Hangzhou"
    one, two = cipher.seal(ROW, text), cipher.seal(ROW, text)
    assert one != two
    assert text not in one


@pytest.mark.parametrize(
    "stranger",
    [
        lambda c: replace(c, tenant_id=uuid.uuid4()),
        lambda c: replace(c, subject_id=uuid.uuid4()),
        lambda c: replace(c, data_key=new_key()),
    ],
    ids=["tenant", "subject", "key"],
)
def test_another_tenant_subject_or_key_opens_nothing(stranger: object) -> None:
    cipher = new_cipher()
    sealed = cipher.seal(ROW, b"words")
    with pytest.raises(ContentDamaged):
        stranger(cipher).open(ROW, sealed)  # type: ignore[operator]


def test_a_sealed_text_moved_to_another_row_does_not_open() -> None:
    cipher = new_cipher()
    with pytest.raises(ContentDamaged):
        cipher.open(uuid.uuid4(), cipher.seal(ROW, b"words"))


def test_one_flipped_bit_anywhere_is_noticed() -> None:
    cipher = new_cipher()
    sealed = cipher.seal(ROW, b"words")
    for place in range(len(sealed)):
        damaged = bytearray(sealed)
        damaged[place] ^= 1
        with pytest.raises(ContentDamaged):
            cipher.open(ROW, bytes(damaged))


@pytest.mark.parametrize("length", [0, 1, 5, 13, 20])
def test_a_cut_off_text_is_noticed(length: int) -> None:
    cipher = new_cipher()
    with pytest.raises(ContentDamaged):
        cipher.open(ROW, cipher.seal(ROW, b"words")[:length])


def test_a_term_is_equal_within_one_subject_and_differs_between_subjects() -> None:
    """Terms of two subjects cannot be compared, so that frequent words betray nothing."""
    one, other = new_cipher(), new_cipher()
    assert one.term("hangzhou") == one.term("hangzhou")
    assert one.term("hangzhou") != one.term("peking")
    assert one.term("hangzhou") != other.term("hangzhou")
    assert -(2**63) <= one.term("杭州") < 2**63


def test_a_fingerprint_is_equal_within_one_subject_and_differs_between_subjects() -> None:
    one, other = new_cipher(), new_cipher()
    assert one.fingerprint("x") == one.fingerprint("x")
    assert one.fingerprint("x") != one.fingerprint("y")
    assert one.fingerprint("x") != other.fingerprint("x")


def test_a_cipher_does_not_show_its_key_when_printed() -> None:
    cipher = new_cipher()
    for shown in (repr(cipher), str(cipher), f"{cipher}"):
        assert repr(cipher.data_key) not in shown
        assert cipher.data_key.hex() not in shown


def test_a_digest_depends_on_where_its_parts_are_split() -> None:
    assert digest(b"ab", b"c") != digest(b"a", b"bc")
    assert digest(b"", b"a") != digest(b"a", b"")
    assert digest(b"a") != digest(b"a", b"")

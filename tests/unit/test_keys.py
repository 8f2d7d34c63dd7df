"""Wrapped keys: what is not ours is refused, whatever it looks like."""

import base64

import pytest
from cryptography.fernet import Fernet

from tenants import keys
from tenants.crypto import new_key
from tenants.errors import KeyUnavailable


def test_a_wrapped_key_comes_back() -> None:
    key = new_key()
    assert keys.unwrap(keys.wrap(key)) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        keys.MARK,
        Fernet(Fernet.generate_key()).encrypt(keys.wrap(new_key()).encode()).decode(),
        base64.b64encode(new_key()).decode(),
        keys.MARK + base64.b64encode(b"short").decode(),
        keys.MARK + base64.b64encode(new_key() + b"x").decode(),
        keys.MARK + "not base64!",
        keys.wrap(new_key()) + "\n",
        "mhk2:" + base64.b64encode(new_key()).decode(),
        "密钥",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    """With its key gone, the library gives the ciphertext back as if it were the text."""
    with pytest.raises(KeyUnavailable):
        keys.unwrap(text)

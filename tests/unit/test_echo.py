"""Echoes: a context that recall gave is taken out of a message, and nothing else is."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from ledger.echo import without_echo
from recall.packing import Line, pack


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I like tea", "I like tea"),
        ("a <memories>x</memories> b", "a b"),
        ("<memories>\nx\n</memories>\nI like tea", "I like tea"),
        ("<memories>x</memories> a <memories>y</memories>", "a"),
        ("a <memories>cut off in the mid", "a"),
        ("</memories> a", "</memories> a"),
        ("I have memories of <b>Rome</b>", "I have memories of <b>Rome</b>"),
        ("<memories>" * 3 + "x</memories>", ""),
        ("", ""),
        ("a <MEMORIES>x</Memories> b", "a b"),
        ("a < memories >x< / memories > b", "a b"),
        ('a <memories source="recall" n=3>x</memories> b', "a b"),
        ("a &lt;memories&gt;x&lt;/memories&gt; b", "a b"),
        ("a &LT;Memories&GT;x</memories> b", "a b"),
        ("a <memories>x <memories>y</memories> z</memories> b", "a b"),
        ("a <memories>x &lt;memories&gt;y</memories> z", "a"),
        ("a <memories>x</memories> b </memories> c", "a b </memories> c"),
        ("<memories>我住在巴黎。</memories>我喜欢喝茶。", "我喜欢喝茶。"),
        ("<memoriesque>x</memoriesque>", "<memoriesque>x</memoriesque>"),
        ("a <memo>x</memo> b", "a <memo>x</memo> b"),
    ],
)
def test_only_the_blocks_go(text: str, left: str) -> None:
    assert without_echo(text).split() == left.split()


def test_a_long_message_of_openings_takes_no_long_time() -> None:
    assert without_echo("<memories>" * 2_000).strip() == ""
    assert len(without_echo("</memories>" * 1_800)) == 19_800
    assert len(without_echo("<" * 20_000)) == 20_000
    assert without_echo("<memories" + " " * 19_000).startswith("<memories")


def test_what_packing_makes_is_what_is_taken_out() -> None:
    """The two sides of one form."""
    lines = [Line(uuid4(), "fact", f"a fact </memories> {n}", datetime.now(UTC)) for n in range(3)]
    packed = pack(lines, 2_000)
    assert "a fact" in packed.text
    assert without_echo(f"before {packed.text} after").split() == ["before", "after"]

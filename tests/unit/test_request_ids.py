"""Request ids: a caller's own is kept only if it can do no harm in a log."""

import pytest

from tenants.request_ids import begin_request, current_request_id


@pytest.mark.parametrize("offered", ["abcdefgh", "A1b2-C3.d4_e5", "x" * 64])
def test_a_harmless_id_of_the_caller_is_kept(offered: str) -> None:
    assert begin_request(offered) == offered == current_request_id()


@pytest.mark.parametrize(
    "offered",
    [None, "", "short", "x" * 65, "abcdefgh\n", "abc defgh", 'abc"defgh', "請求請求請求請求"],
)
def test_any_other_is_replaced_by_a_new_one(offered: str | None) -> None:
    one, two = begin_request(offered), begin_request(offered)
    assert one != two
    assert offered not in (one, two)
    assert current_request_id() == two
    assert len(two) == 32

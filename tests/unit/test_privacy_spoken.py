"""An encoder does not hear the names that tell no memories apart, and hears everything else."""

import pytest

from ledger.privacy.spoken import names_in, spoken

COMMON = frozenset({"[NAME_1]", "[NAME_12]"})


@pytest.mark.parametrize(
    ("question", "heard"),
    [
        ("What did [NAME_1] research?", "What did research?"),
        ("What is [NAME_1]'s job, and [NAME_12]’s?", "What is job, and ?"),
        ("[NAME_1]的生日是哪天？", "生日是哪天？"),
        ("Does [NAME_1] know [NAME_2]'s boss?", "Does know [NAME_2]'s boss?"),
        ("Whose phone is [PHONE_1]?", "Whose phone is [PHONE_1]?"),
        ("plain words", "plain words"),
    ],
)
def test_common_names_alone_are_left_out(question: str, heard: str):
    assert spoken(question, COMMON) == heard


@pytest.mark.parametrize("question", ["[NAME_1]", " [NAME_1]? ", "[NAME_1]、[NAME_12]", ""])
def test_a_question_of_nothing_else_is_heard_whole(question: str):
    assert spoken(question, COMMON) == question


def test_nothing_is_left_out_where_no_name_is_common():
    question = "When did [NAME_1]  meet\n[NAME_2]?"
    assert spoken(question, frozenset()) == "When did [NAME_1] meet [NAME_2]?"


def test_names_are_told_from_other_placeholders():
    found = names_in("[NAME_3] and [PHONE_3] and [NAME_3] and [name_4] and [NAME_0]")
    assert found == {"[NAME_3]"}

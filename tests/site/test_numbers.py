"""Whole numbers in addresses and forms: whatever is typed there, nothing breaks."""

import pytest

from magic_site.numbers import number_in


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_a_number_is_read(text, number):
    assert number_in(text) == number


@pytest.mark.parametrize("text", ["", "x", "-1", "1.0", " 1", "٣", "²", "9" * 10, "9" * 5000])
def test_any_other_text_is_none(text):
    assert number_in(text) is None


def test_longer_ones_are_read_where_they_may_be():
    assert (number_in("123", 2), number_in("1" * 18, 18)) == (None, int("1" * 18))

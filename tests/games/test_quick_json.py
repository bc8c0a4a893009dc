"""JSON of the database comes to the very same by either library."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from games.match.quick_json import TidyJSON, encoded, read, tidy
from games.rules.logfile import as_json

TEXTS = some.text(some.characters(exclude_categories=()))
NUMBERS = (
    some.integers(-(2**66), 2**66)
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.floats(-1e-3, 1e-3)
    | some.builds(lambda part, power: part * 10.0**power, some.floats(1, 10), some.integers(-330, 307))
)
VALUES = some.recursive(
    some.none() | some.booleans() | NUMBERS | TEXTS,
    lambda inner: some.lists(inner) | some.dictionaries(TEXTS, inner),
)


@settings(max_examples=300)
@given(NUMBERS | TEXTS | VALUES)
@example({"b": 1e-05, "a": 1e16, "é": [2**63, 2**64, -(2**63) - 1, 0.1 + 0.2, -0.0, 1e22, 123456789012345680.0]})
@example(['\x00\x1f\x7f\u2028\ud800"\\/', 5e-324, 1.7976931348623157e308, 0.00001, 0.0001])
def test_values_are_read_and_written_as_by_the_standard_library(value):
    assert encoded(value) == as_json(value)
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), as_json(value)):
        assert as_json(read(text)) == as_json(json.loads(text))


@given(some.dictionaries(TEXTS, VALUES))
@example({"a": ' ": ', "b": [{}, {"c": 1e-7}]})
@example({})
def test_an_object_is_tidy_however_it_was_stored(value):
    tidied = {
        TidyJSON(default=dict).encoder().encode(value),
        as_json(value),
        json.dumps(value),
        json.dumps(value, ensure_ascii=False),
    }
    assert {tidy(text) for text in tidied} == {as_json(value)}


@pytest.mark.parametrize(
    "text", ["NaN", "-Infinity", "1e999", "-0", "1E5", '{"a":1,"a":2}', '"\\ud83d"', "1.0E-7", "[]"]
)
def test_odd_texts_are_read_as_by_the_standard_library(text):
    assert as_json(read(text)) == as_json(json.loads(text))


def test_what_is_no_json_is_refused_as_by_the_standard_library():
    with pytest.raises(json.JSONDecodeError, match="Expecting value"):
        read("[1,")

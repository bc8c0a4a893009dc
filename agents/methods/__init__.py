"""Reasoning methods, one file each. `METHODS` is all of them, by name.

Adding one: a file with a `Method` subclass, its line here, and a folder of templates under `agents/prompts/`.
"""

from .base import Method, Move, Reader, Stage, Words
from .cot import Cot
from .direct import Direct

METHODS: dict[str, Method] = {method.name: method for method in (Direct(), Cot())}

__all__ = ["METHODS", "Method", "Move", "Reader", "Stage", "Words"]

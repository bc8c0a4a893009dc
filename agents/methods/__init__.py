"""Reasoning methods, one file each. `METHODS` is all of them, by name.

Adding one: a file with a `Method` subclass, its line here, and a folder of templates under `agents/prompts/`.
"""

from .base import Method, Stage, Steps, Switch, SwitchError, Turn
from .cot import Cot
from .direct import Direct
from .mptt import Mptt
from .pgm import Pgm
from .readers import Draft, Form, Move, PerSeat, Reader, Words
from .recon import Recon
from .two_step import TwoStep

METHODS: dict[str, Method] = {method.name: method for method in (Direct(), Cot(), TwoStep(), Pgm(), Recon(), Mptt())}

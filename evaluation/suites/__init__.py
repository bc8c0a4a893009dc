"""Suites: which matches a competition plays. `SUITES` is all of them, by name.

Adding one: a file with a `Suite` subclass, and its line here.
"""

from .base import Entry, Planned, Suite, SuiteError
from .human_study import HumanStudy
from .magic import Magic, MagicBalanced, MagicM1, MagicPublished
from .own import Own
from .recon import Recon
from .spygame import SpyGame
from .wiu import Wiu

SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (Magic(), MagicM1(), MagicBalanced(), MagicPublished(), Wiu(), Recon(), SpyGame(), HumanStudy(), Own())
}

"""All metrics. `METRICS` has them by name, `measure` applies them to records, `seen` lists what a number counts.

Adding one: a function under `counted` in the file of its paper; docs/metrics.md is written from the registry.
"""

from evaluation.metrics import beliefs, magic, magic_avalon, magic_points, ours, recon, spygame, wiu
from evaluation.metrics.base import METRICS, Combined, Counted, Metric, agent, challenger, kind, role, side, together
from evaluation.metrics.measuring import Measured, Seen, measure, seen
from evaluation.metrics.values import Composite, Item, Mean, Ratio, Sums, Value

"""What is made of words that were not understood: nothing for and nothing against whoever said them.

If they only counted as no evidence, the others would be cleared by what was understood of them, and suspicion would be
left to one who writes freely. So what was not understood counts like what was, of the others, on average.
"""

import numpy as np


def like_the_others(evidence: np.ndarray, understood: np.ndarray, unread: np.ndarray) -> np.ndarray:
    """Evidence on each speaker, an array (speakers, ...), with what was not understood of them added.

    understood, unread: how many of each speaker's utterances were and were not, as sums of certainties from 0 to 1.
    """
    shape = (-1, *[1] * (evidence.ndim - 1))
    others = np.maximum(understood.sum() - understood, 0).reshape(shape)
    average = (evidence.sum(axis=0) - evidence) / np.where(others > 0, others, np.inf)
    return evidence + unread.reshape(shape) * average

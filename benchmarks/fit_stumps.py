"""A small classifier: boosted stumps on numbers, judged on groups that it was not trained on."""

import numpy as np

ROUNDS, RATE, CUTS, FOLDS = 60, 0.15, 12, 5


def within(
    scores: np.ndarray, labels: np.ndarray, groups: np.ndarray, draws: int = 300
) -> tuple[float, tuple[float, float]]:
    """The AUC over pairs of one group: how often the positive has the higher score, ties counting half. With its 95%
    interval, by drawing groups anew."""
    rights, sizes = [], []
    for group in np.unique(groups):
        mine = groups == group
        positive, negative = scores[mine & (labels == 1)], scores[mine & (labels == 0)]
        above = np.sign(positive[:, None] - negative[None, :])
        rights.append(((above + 1) / 2).sum())
        sizes.append(above.size)
    right, pairs = np.array(rights), np.array(sizes)
    chosen = np.random.default_rng(0).integers(len(pairs), size=(draws, len(pairs)))
    found = right[chosen].sum(axis=1) / np.maximum(pairs[chosen].sum(axis=1), 1)
    return float(right.sum() / pairs.sum()), tuple(np.quantile(found, (0.025, 0.975)))


def out_of_fold(features: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """For each row the score that boosted stumps give it which were fitted without its group."""
    fold = np.random.default_rng(1).permutation(groups.max() + 1)[groups] % FOLDS
    scores = np.empty(len(labels))
    for number in range(FOLDS):
        held = fold == number
        scores[held] = _fit(features[~held], labels[~held])(features[held])
    return scores


def _fit(features: np.ndarray, labels: np.ndarray):
    """Boosted stumps for the logistic loss. A missing value (nan) is on the lower side of every cut."""
    features = np.nan_to_num(features, nan=-1e9)
    cuts = [np.unique(np.quantile(column, np.linspace(0.05, 0.95, CUTS))) for column in features.T]
    sides = np.concatenate([features[:, n, None] > cut[None, :] for n, cut in enumerate(cuts)], axis=1).astype(
        np.float32
    )
    which = [(n, value) for n, cut in enumerate(cuts) for value in cut]
    score = np.full(len(labels), np.log(labels.mean() / (1 - labels.mean())))
    stumps = []
    above = sides.sum(axis=0)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-score))
        residual, weight = labels - chance, chance * (1 - chance)
        up, up_weight = sides.T @ residual, sides.T @ weight
        down, down_weight = residual.sum() - up, weight.sum() - up_weight
        gain = up**2 / (up_weight + 1) + down**2 / (down_weight + 1)
        gain[(above < 20) | (above > len(labels) - 20)] = -1
        best = int(gain.argmax())
        high, low = RATE * up[best] / (up_weight[best] + 1), RATE * down[best] / (down_weight[best] + 1)
        score = score + np.where(sides[:, best] > 0, high, low)
        stumps.append((*which[best], high, low))

    def scores(rows: np.ndarray) -> np.ndarray:
        rows = np.nan_to_num(rows, nan=-1e9)
        return sum(np.where(rows[:, n] > cut, high, low) for n, cut, high, low in stumps)

    return scores

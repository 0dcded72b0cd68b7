"""Fit the tables of ``muniment.domain.learned`` on labelled texts: ``make learn`` writes them.

``--check`` writes nothing: it leaves one author's texts out at a time, and says how often what
was learned from the others agrees with that author.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from muniment.domain import learned
from muniment.domain.learned import SCALE, features_of
from tools.learned_examples import NAMES, Example, digest, examples

WRITTEN = Path(learned.__file__).parent
LEAST: Final = (2, 3)
"""So many texts have a run of words, a piece of a word; what is rarer says nothing."""
MOST: Final = 12_000
"""So many features a table has; the ones that weigh most in a first fit."""
STRENGTH: Final = 5.0
"""The inverse of the ridge."""


@dataclass(frozen=True)
class Fit:
    """Features by group with their rarities, and the fitted weights, a row a class."""

    groups: list[dict[str, float]]
    model: Any

    def rows(self, texts: Sequence[str]) -> Any:
        """The features of texts, each group of length 1."""
        return _rows(self.groups, texts)


def _rows(groups: Sequence[dict[str, float]], texts: Sequence[str]) -> Any:
    found = [features_of(text) for text in texts]
    parts = []
    for place, rarity in enumerate(groups):
        column = {feature: number for number, feature in enumerate(rarity)}
        cells = [
            (row, column[one], rarity[one])
            for row, features in enumerate(found)
            for one in features[place]
            if one in column
        ]
        rows, columns, values = map(np.array, zip(*cells, strict=True))
        matrix = csr_matrix((values, (rows, columns)), shape=(len(texts), len(column)))
        length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1))).ravel()
        parts.append(diags(1 / np.where(length == 0, 1, length)) @ matrix)
    return hstack(parts).tocsr()


def fit(given: Sequence[Example]) -> Fit:
    """Twice: with everything that is not rare, then with what weighed most."""
    texts, labels = [one.text for one in given], [one.label for one in given]
    groups = _rarities(texts)
    first = _regress(_rows(groups, texts), labels)
    weight = np.abs(first.coef_).max(axis=0)
    names = [(place, one) for place, rarity in enumerate(groups) for one in rarity]
    order = sorted(range(len(names)), key=lambda one: (-weight[one], names[one]))[:MOST]
    kept = {names[one] for one in order}
    groups = [
        {one: rarity for one, rarity in group.items() if (place, one) in kept}
        for place, group in enumerate(groups)
    ]
    return Fit(groups, _regress(_rows(groups, texts), labels))


def _rarities(texts: Sequence[str]) -> list[dict[str, float]]:
    found = [features_of(text) for text in texts]
    return [
        {
            one: round(float(np.log((1 + len(texts)) / (1 + count)) + 1), 2)
            for one, count in sorted(Counter(each for row in found for each in row[place]).items())
            if count >= least
        }
        for place, least in enumerate(LEAST)
    ]


def _regress(rows: Any, labels: Sequence[str]) -> Any:
    return LogisticRegression(C=STRENGTH, max_iter=3000).fit(rows, labels)


def write(name: str) -> None:
    """The table, in hundredths, behind a line with the digest of its examples and the biases."""
    done = fit(examples(name))
    # Of two classes the library keeps one row.
    weights, bias = done.model.coef_, done.model.intercept_
    if len(bias) == 1:
        weights, bias = np.vstack([0 * weights, weights]), np.array([0.0, bias[0]])
    head = [digest(name)]
    head += [f"{one}={round(SCALE * b)}" for one, b in zip(done.model.classes_, bias, strict=True)]
    lines = ["\t".join(head)]
    features = [item for group in done.groups for item in group.items()]
    for (feature, rarity), row in zip(features, weights.T, strict=True):
        cells = [round(SCALE * rarity), *(round(SCALE * one) for one in row)]
        lines.append("\t".join([feature, *map(str, cells)]))
    (WRITTEN / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(name: str) -> None:
    """One author left out at a time."""
    given = examples(name)
    shares = []
    for author in sorted({one.author for one in given}):
        done = fit([one for one in given if one.author != author])
        left = [one for one in given if one.author == author]
        said = done.model.predict(done.rows([one.text for one in left]))
        right = sum(a == one.label for a, one in zip(said, left, strict=True))
        shares.append(right / len(left))
        print(f"{name}\t{author}\t{len(left)}\t{shares[-1]:.3f}", flush=True)
    print(f"{name}\tall\t{len(given)}\t{np.mean(shares):.3f}")


def main() -> None:
    """Write every table, or check them."""
    for name in NAMES:
        if "--check" in sys.argv[1:]:
            check(name)
        else:
            write(name)


if __name__ == "__main__":
    main()

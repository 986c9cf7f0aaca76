# SPDX-License-Identifier: Apache-2.0
"""What the comparisons here say of the ratios of their rounds."""
import math


def interval(values):
    """Of the median, at 95 %, by the sign test; None of fewer than six values."""
    n, below, k = len(values), 0, -1
    while below + math.comb(n, k + 1) <= 0.025 * 2**n:
        k += 1
        below += math.comb(n, k)
    return (sorted(values)[k], sorted(values)[n - 1 - k]) if k >= 0 else None


def interval_text(values):
    """To stand before other words; empty of too few values."""
    found = interval(values)
    return f"interval {found[0]:.3f} to {found[1]:.3f}, " if found else ""

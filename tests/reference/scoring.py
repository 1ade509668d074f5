"""Scores of attacks, pair by pair and threshold by threshold."""


def auc(members, scores):
    """The share of (member, non-member) pairs in which the member scores higher; a tie is half."""
    wins = pairs = 0
    for m1, s1 in zip(members, scores, strict=True):
        for m0, s0 in zip(members, scores, strict=True):
            if m1 == 1 and m0 == 0:
                pairs += 1
                wins += 1 if s1 > s0 else 0.5 if s1 == s0 else 0
    return wins / pairs


def privacy_loss(auc):
    """KK, Eq. 3."""
    return (auc - 0.5) / 0.5 if auc > 0.5 else 0


def privacy_gain(auc_raw, auc_released):
    """KK, Eq. 6."""
    if auc_raw > auc_released >= 0.5:
        return (auc_raw - auc_released) / (auc_raw - 0.5)
    return 0


def tpr_at_fpr(members, scores, fpr):
    """The best TPR over all thresholds whose FPR is at most `fpr`."""
    inside = [s for m, s in zip(members, scores, strict=True) if m == 1]
    outside = [s for m, s in zip(members, scores, strict=True) if m == 0]
    best = 0.0
    for threshold in [min(scores) - 1, *scores]:
        if sum(s > threshold for s in outside) <= fpr * len(outside):
            best = max(best, sum(s > threshold for s in inside) / len(inside))
    return best

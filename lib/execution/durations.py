"""Lengths of time in words."""


def duration(seconds: float) -> str:
    """Write a length of time as people say it.

    Parameters
    ----------
    seconds : float
        The length.

    Returns
    -------
    str
        Such as "12 s", "3 min" or "1 h 20 min".
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"

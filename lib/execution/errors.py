"""What a command reports in one line instead of a traceback."""


class ChapterError(RuntimeError):
    """A page that stopped with an error; the message says where its notebook lies."""

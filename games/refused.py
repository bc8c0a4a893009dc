"""What cannot be done, by why not. The message is a sentence for the person who tried."""


class Refused(Exception):
    """Not as things stand: it is too late, too early, or somebody was quicker."""


class Unfit(Refused):
    """What was asked for makes no sense, now or later."""


class NotYours(Refused):
    """Somebody else may do it, and this person may not."""


class NotThere(Refused):
    """What it is about does not exist, or not for this person."""

"""Which signals end a command, with what it knows by then."""

import signal


def ending_signals() -> list[signal.Signals]:
    """That of a closed terminal is one of them, unless whoever began the command wants it to go on then."""
    always = [signal.SIGINT, signal.SIGTERM]
    return always if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [*always, signal.SIGHUP]

import socket

import pytest


@pytest.mark.slow
def test_no_test_reaches_another_machine():
    with socket.socket() as probe, pytest.raises(AssertionError, match=r"192\.0\.2\.1"):
        probe.connect(("192.0.2.1", 80))

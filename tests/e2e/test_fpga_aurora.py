# SPDX-License-Identifier: Apache-2.0
"""AuroraFlow's ports, of emulated cards whose images have them: they have to be up before links are tested, what they count
is in the record, and warnings name what should not have grown."""
import json
import os
import re
import pytest
from netbench import NETBENCH, equal, named, need, ok, run

IMAGES = os.path.join(os.path.dirname(NETBENCH), "kernels")
COUNTERS = ["aurora_rx_overflows", "aurora_tx_fifo_full", "aurora_hard_errors", "aurora_soft_errors", "aurora_channel_down_cycles"]


@pytest.fixture(autouse=True)
def emulated_cards():
    need("fpga", "--emulate", "fast")


def over(image, *args, command="beff", n=1):
    """A short run with an image of the tests."""
    path = os.path.join(IMAGES, "tests", f"netbench-{image}.xclbin")
    return run(command, "-b", "fpga", "--emulate", "fast", "--xclbin", path, "-n", n, "--sizes", 64, "--repetitions", 2,
               "--point-time", 0, "--ci", 0, "-f", "json", *args, timeout=60)


def counters(done):
    """Of the record; None if there are none."""
    return json.loads(done.out or "{}").get("summary", {}).get("counters")


def said(done):
    """What was said of AuroraFlow."""
    return [x for x in done.err.splitlines() if "AuroraFlow" in x or "aurora_" in x]


# ---- what is well ----

@pytest.mark.parametrize("n", [1, 2])
def test_ports_that_are_up(n):
    done = over("aurora", "-u", 5, "-v", n=n)
    ok(done.rc == 0 and sorted(said(done)) == [f"netbench: rank {r}: AuroraFlow's port {p} is up" for r in range(n) for p in (0, 1)],
       "each port is up", done)
    ok(done.err.find("AuroraFlow's port 1 is up") < done.err.find("is joined to"), "before the links are tested", done)
    equal(counters(done), dict.fromkeys(COUNTERS, 0), "the record")


def test_port_that_comes_up_late():
    done = over("late", "-u", 5, "-v", "--link-timeout", "30s")
    ok(done.rc == 0 and len(said(done)) == 2 and counters(done), "it is waited for", done)


def test_nobody_waits_for_a_port_without_a_cable(file):
    """Nobody waits for it: rank 0 has pair 1 alone, rank 1 pair 0."""
    done = over("aurora", "-l", 5, "-v", "--wiring", file("one", "0 1 1 0\n"), command="latency", n=2)
    ok(done.rc == 0 and sorted(said(done)) == ["netbench: rank 0: AuroraFlow's port 1 is up", "netbench: rank 1: AuroraFlow's port 0 is up"],
       "the port of no cable", done)


def test_nothing_is_said_of_ports_that_an_image_lacks():
    done = over("lossy", "-u", 5, "-v")
    ok(done.rc == 0 and not said(done) and counters(done) is None, "nothing is said of it", done)


def test_list_shows_the_aurora_kernels_of_an_image():
    done = run("list", "-b", "fpga", os.path.join(IMAGES, "tests", "netbench-aurora.xclbin"))
    ok(done.rc == 0 and "describe:describe_0 aurora_flow_0:aurora_flow_0 aurora_flow_1:aurora_flow_1\n" in done.out, "list", done)


# ---- what is not ----

NO_LANES = "all lanes are down, the channel is not up"
CABLE = "look at the cable, and at the card at its other end"


@pytest.mark.parametrize("image, cables, what", named([
    ("torn", None, f"port 1 is not up within 0.2 s: lanes 2 and 3 are down, the channel is not up; {CABLE}"),
    ("aurora", "0 1 0 0 0", f"port 0 is not up within 0.2 s: {NO_LANES}; port 1 is not up within 0.2 s: {NO_LANES}; {CABLE}"),
    ("late", None, "port 0 is not up within 0.2 s: lanes 1, 2 and 3 are without power, the transceivers' clock has no lock, "
     f"the link's clock has no lock, {NO_LANES}; reset the card")]))
def test_port_that_is_down(image, cables, what, file):
    more = ["--emulate-cables", file("cables", cables)] if cables else []
    done = over(image, "-u", 5, "--link-timeout", "0.2s", *more)
    ok(done.rc == 1 and done.faults == [f"netbench: rank 0: AuroraFlow's {what}"] and done.seconds >= 0.2, image, done)


def test_port_that_is_down_among_ranks(file):
    done = over("aurora", "-u", 5, "--link-timeout", "0.2s", "--emulate-cables", file("cables", "0 1 1 0\n1 1 0 0 0\n"), n=2)
    ok(done.rc == 1 and len(done.faults) == 1 and
       re.fullmatch(f"netbench: rank (0: AuroraFlow's port 0|1: AuroraFlow's port 1) is not up within 0.2 s: {NO_LANES}; {CABLE}", done.faults[0]),
       "one end of the cable", done)


NOISE = "netbench: warning: rank 0: AuroraFlow's port 0 on card '0' has had 1 overflow of the receiving FIFO, which loses data, " \
    "3 soft errors: suspect its cable"


def test_what_ports_count_is_counted_from_the_beginning_of_the_run():
    """From what they had before, and past the end of their 32 bits."""
    done = over("noisy", "-u", 3000)
    found = counters(done) or {}
    ok(done.rc == 0 and found.pop("aurora_tx_fifo_full", 0) > 3000, "a full FIFO to send, which does no harm", done)
    equal(found, {"aurora_rx_overflows": 1, "aurora_hard_errors": 0, "aurora_soft_errors": 3, "aurora_channel_down_cycles": 0}, "the record")
    equal(said(done), ["netbench: warning: aurora_rx_overflows: 1 during the run", "netbench: warning: aurora_soft_errors: 3 during the run",
                       NOISE], "warnings")


def test_what_ports_have_counted_when_a_message_is_lost():
    done = over("noisy", "-u", 200000, "--kernel-timeout", "0.5s")
    ok(done.rc == 1 and len(done.faults) == 1 and "has not ended within 0.5 s" in done.faults[0] and said(done) == [NOISE], "they are told", done)


def test_ports_that_cannot_be_read():
    done = over("mute", "-u", 5)
    ok(done.rc == 0 and counters(done) is None and len(said(done)) == 1 and said(done)[0].startswith(
        "netbench: warning: rank 0: AuroraFlow's registers on card '0' cannot be read: "), "a warning", done)

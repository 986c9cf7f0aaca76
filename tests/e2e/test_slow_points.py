# SPDX-License-Identifier: Apache-2.0
"""Points over a link so slow that they would take minutes: measured in 10 s, and what was reduced is said. The link is a
loop-back of its own with a token bucket of 60 Mbit/s."""
import os
import pty
import re
import select
import shutil
import subprocess
import time
import pytest
from netbench import NETBENCH, SLOW, Csv, close_to, equal, measure, need, note, ok, run

LINK = 60e6 / 8 * 1448 / 1514   # of TCP, B/s; Ethernet frames of 1514 bytes; acknowledgements take some of it here
LONGEST = 10                    # s of a point
SHELL = """ip link set lo mtu 1500 up && tc qdisc add dev lo root tbf rate 60mbit burst 16kb latency 2s && exec "$@" """


def on_slow_link(*command):
    return ["unshare", "-rn", "sh", "-c", SHELL, "sh", *map(str, command)]


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    for tool in ("unshare", "ip", "tc"):
        if not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            pytest.skip(f"{tool} is missing")
    if subprocess.run(on_slow_link("true"), stdin=subprocess.DEVNULL, capture_output=True).returncode:
        pytest.skip("no network namespace with a token bucket here")
    need("tcp")


# What is measured, each over a link of its own.
CASES = {
    "window": ["bandwidth", "--sizes", "1M"],
    "given": ["bandwidth", "--sizes", "1M", "--window", 64],
    "preset": ["bandwidth", "--sizes", "1M", "--preset", "unbatched"],
    "longer": ["bandwidth", "--sizes", "64k", "--window", 64, "--point-time", "1ms"],
    "sliding": ["bandwidth", "--sizes", "64k", "--window", 16, "--ack", "each"],
    "ping-pong": ["latency", "--sizes", "4M"],
    "loops": ["latency", "--sizes", "64k", "--loops", 100],
    "visits": ["bandwidth", "--sizes", "1M", "--visits", 2],
    "quick": ["bandwidth", "--sizes", "1k", "--point-time", "100ms"],
}


@pytest.fixture(scope="module")
def results(namespaces):
    """All at once, as they wait for links of their own: {case: (seconds, exit status, stderr, table)}."""
    started = {name: (time.monotonic(),
                      subprocess.Popen(on_slow_link(NETBENCH, *args, "-b", "tcp", "-f", "csv"), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
               for name, args in CASES.items()}
    done = {}
    while len(done) < len(started):
        for name, (start, p) in started.items():
            if name not in done and p.poll() is not None:
                done[name] = time.monotonic() - start
        time.sleep(0.02)
    return {name: (done[name], p.returncode, p.stderr.read(), Csv(p.stdout.read())) for name, (_, p) in started.items()}


def rate_of_the_link(got):
    ok(0.5 * LINK < got < 1.1 * LINK, "the rate of the link", f"{got} B/s of {LINK}")


def good(results, name, most_s):
    """The only row of a case, which has ended in time and verified all."""
    seconds, rc, err, table = results[name]
    note(f"{name}: {seconds:.1f} s")
    ok(rc == 0 and table.status == "complete" and len(table.rows) == 1, f"{name}: measured", (rc, err))
    row = table.rows[0]
    equal(row["errors"], 0, f"{name}: no errors")
    ok(row["checked"] >= row["repetitions"], f"{name}: each repetition was verified", row)
    ok(seconds < most_s * SLOW, f"{name}: within {most_s} s", seconds)
    return row, err


@pytest.mark.slow
def test_default_window_is_shortened(results):
    row, err = good(results, "window", LONGEST + 3)
    ok(row["window"] in (2, 4, 8), "a window of which six repetitions fit", row)
    ok(row["repetitions"] >= 6 and row["stop"] != "slow" and row["bandwidth_lo_Bps"], "with an interval", row)
    equal(row["loops"], 1, "one window a repetition")
    rate_of_the_link(row["bandwidth_Bps"])
    ok(re.search(rf"1 point would have taken longer than 10 s: windows shorter than the default \(shortest: {row['window']}\)", err),
       "a warning says so", err)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["given", "preset"])
def test_window_asked_for_stays(results, name):
    """One window takes 9 s: one repetition, and no interval."""
    row, err = good(results, name, 2 * LONGEST)
    equal((row["window"], row["loops"], row["stop"]), (64, 1, "slow"), "the window stays, the repetitions do not")
    ok(row["repetitions"] < 6 and row["ci_method"] == "none" and row["bandwidth_lo_Bps"] is None, "no interval", row)
    rate_of_the_link(row["bandwidth_Bps"])
    ok("1 point would have taken longer than 10 s: fewer than 6 repetitions" in err and "windows shorter" not in err,
       "a warning says so", err)


@pytest.mark.slow
def test_six_repetitions_if_they_fit(results):
    """A window of 4 MiB takes 0.6 s: six of them fit, whatever --point-time says."""
    row, err = good(results, "longer", LONGEST + 3)
    equal((row["window"], row["repetitions"], row["stop"]), (64, 6, "point-time"), "six repetitions")
    ok("longer than 10 s" not in err, "nothing was reduced", err)


@pytest.mark.slow
def test_of_a_slow_point_fewer_windows_slide(results):
    """64 of them would take 9 s."""
    row, _ = good(results, "sliding", LONGEST + 3)
    ok(row["window"] == 16 and 2 <= row["loops"] <= 8 and row["repetitions"] >= 5, "the window stays", row)
    rate_of_the_link(row["bandwidth_Bps"])


@pytest.mark.slow
def test_a_slow_ping_pong_has_as_many_repetitions_as_fit(results):
    """1.2 s a round trip."""
    row, _ = good(results, "ping-pong", LONGEST + 3)
    ok(2 <= row["repetitions"] <= 6 and row["loops"] == 1, "as many as fit", row)
    rate_of_the_link((4 << 20) / row["half_rtt_epoch_s"])
    ok(row["half_rtt_min_s"] <= row["half_rtt_p50_s"] <= row["half_rtt_max_s"] and
       close_to(row["half_rtt_p50_s"], row["half_rtt_epoch_s"], 0.3), "iterations are those of the same rounds", row)


@pytest.mark.slow
def test_loops_asked_for_stay(results):
    """100 round trips of 64 KiB take 1.8 s."""
    row, _ = good(results, "loops", 2 * LONGEST)
    equal((row["loops"], row["stop"], row["repetitions"] < 6), (100, "slow", True), "fewer repetitions")


@pytest.mark.slow
def test_each_visit_of_a_slow_point_has_its_time(results):
    row, _ = good(results, "visits", LONGEST + 6)
    ok(row["visits"] == 2 and row["window"] <= 8 and row["repetitions"] >= 6, "the visits share its time", row)


@pytest.mark.slow
def test_quick_points_do_not_change(results):
    row, err = good(results, "quick", LONGEST)
    ok(row["window"] == 64 and row["repetitions"] >= 6 and row["stop"] != "slow" and "longer than" not in err,
       "64 messages of 1 KiB take 10 ms", row)


@pytest.mark.slow
def test_the_progress_line_names_a_slow_point():
    """On a terminal, before the first repetition has ended."""
    master, slave = pty.openpty()
    p = subprocess.Popen(on_slow_link(NETBENCH, "bandwidth", "--sizes", "1M", "--window", 64, "-b", "tcp"),
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    start, text = time.monotonic(), b""
    while b"slow" not in text and time.monotonic() - start < 8 * SLOW:
        if select.select([master], [], [], 0.1)[0]:
            text += os.read(master, 4096)
    p.terminate()
    p.wait()
    os.close(master)
    ok(b"[1/6] size 1048576, visit 1 of 6: pilot" in text, "the pilot is shown", text)
    ok(re.search(rb"\[1/6\] size 1048576, visit 1 of 6: 0 repetitions, slow: (8|9|1[0-3])\S* s each", text), "what each will take", text)


def test_the_plan_states_the_bound_of_slow_points():
    said = " ".join(run("bandwidth", "--dry-run", "-b", "tcp").out.split())
    ok("; a slow point ends within 10 s, with fewer repetitions" in said, "--dry-run", said)
    said = " ".join(run("bandwidth", "--dry-run", "-b", "tcp", "--point-time", "20s").out.split())
    ok("; a slow point ends within 20 s" in said, "--point-time is longer", said)
    ok("slow" not in run("bandwidth", "--dry-run", "-b", "tcp", "--point-time", 0).out, "no limit")
    ok("slow" not in run("bandwidth", "--dry-run", "-b", "sim").out, "none in virtual time")


def test_slow_in_virtual_time_is_quick():
    """60 Mbit/s: G = 133 ns; a window takes 9 s there and none here."""
    done, table = measure("bandwidth", "-b", "sim", "--sim", "L=10us,o=1us,g=2us,G=133ns", "--sizes", "1M")
    row = table.rows[0]
    ok(done.rc == 0 and (row["window"], row["stop"]) == (64, "deterministic") and not done.warnings, "nothing is reduced", done)
    ok(row["time_s"] / row["loops"] > 8 and done.seconds < 5 * SLOW, "9 s of virtual time", (row["time_s"], done.seconds))

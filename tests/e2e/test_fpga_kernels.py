# SPDX-License-Identifier: Apache-2.0
"""What the kernels of backend fpga take beside the link, by the emulator's model of their pipelines: against the closed form of
kernels/README.md."""
import json
import os
import re
import pytest
from netbench import MPI_ENV, SLOW, SOURCE, measure, named, need, ok, run

TIMED = ["-b", "fpga", "--emulate", "timed", "--repetitions", 3, "--point-time", 0, "--ci", 0]
LINK_HZ, LATENCY_S = 156.25e6, 520e-9           # of the 520N
CYCLES = 14                                     # of a message, or a window, from credit to credit
END = 70                                        # at most, of a launch: until the last chunk is in memory


@pytest.fixture(autouse=True)
def emulated_cards(monkeypatch):
    for name, value in MPI_ENV.items():
        monkeypatch.setenv(name, value)
    need("fpga", "--emulate", "fast")


def takes(seconds, link_s, cycles, mhz, loops, slack, *args):
    """The best of three attempts, as a busy machine disturbs the clock: no less than the closed form, and hardly more."""
    low = link_s + cycles / (mhz * 1e6)
    high = low + END / (mhz * 1e6) / loops
    for _ in range(3):
        done, table = measure(*args, *TIMED, "--kernel-clock", mhz)
        s = seconds(table.rows[0]) if done.rc == 0 and table.rows else 0
        if low * 0.999 <= s <= high * (1 + slack):
            break
    ok(done.rc == 0 and low * 0.999 <= s <= high * (1 + slack), f"{args[0]} at {mhz} MHz", f"{s} s, expected {low} to {high}\n{done}")


@pytest.mark.slow
@pytest.mark.skipif(SLOW > 1, reason="sanitizers are too slow for a pace")
@pytest.mark.parametrize("mhz", [10, 100])
def test_a_message_takes_the_cycles_of_the_kernels_and_the_link(mhz):
    """At 10 MHz the kernels are three times the link."""
    takes(lambda r: r["time_min_s"] / r["loops"], 1 / LINK_HZ + LATENCY_S, CYCLES, mhz, 40, 0.05,
          "beff", "-n", 1, "--sizes", 64, "-u", 40, "-l", 40, "--slowdown", 2048)


@pytest.mark.slow
@pytest.mark.skipif(SLOW > 1, reason="sanitizers are too slow for a pace")
def test_messages_of_a_window_flow_at_the_rate_of_the_link():
    """Messages of a window flow: a loop for each would double the time."""
    takes(lambda r: 64 / r["rate_max_msgps"], 65 / LINK_HZ + 2 * LATENCY_S, 2 * CYCLES, 200, 20, 0.08,
          "msgrate", "--sizes", 64, "--window", 64, "-l", 20, "--slowdown", 4096)


@pytest.mark.parametrize("mhz, word", named([(0, ""), (300, ", kernels 300 MHz")]))
def test_the_record_has_the_clock_of_the_kernels(mhz, word):
    done = run("beff", "-n", 1, "--sizes", 64, "-u", 3, "-f", "json", *TIMED, "--kernel-clock", mhz)
    b = json.loads(done.out or "{}").get("environment", {}).get("backend", {})
    ok(b.get("kernel_clock_Hz") == mhz * 1e6 and ("pace of 520n 1 : 2048" + word + ", 2 pairs") in b.get("method", ""),
       f"the record of kernels at {mhz} MHz", done)


def test_a_clock_for_kernels_is_refused_without_timing():
    done = run("beff", "-n", 1, "-b", "fpga", "--emulate", "fast", "--kernel-clock", 300)
    ok(done.rc == 2 and len(done.faults) == 1 and "option '--kernel-clock' needs '--emulate timed'" in done.err,
       "refused: --kernel-clock without timed", done)


def test_the_cycles_in_the_readme_are_those_that_the_emulator_counts():
    """The table of cycles is what the emulator counts."""
    kernels = os.path.join(SOURCE, "kernels")
    with open(os.path.join(kernels, "unit.h")) as f:
        c = {name: int(n) for name, n in re.findall(r"#define CYCLES_(\w+)\s+(\d+)", f.read())}
    with open(os.path.join(kernels, "README.md")) as f:
        text = f.read()
    said = {name: int(n) for n, name in re.findall(r"^\| (\d+) \| `CYCLES_(\w+)`", text, re.M)}
    ok(c and said == c, "README: cycles of unit.h", f"{said}, {c}")
    ours = 3 * c["CHANNEL"] + c["ENTER"] + 1 + c["CREDIT"]
    sums = [ours, ours + c["MEMORY"] + c["CHANNEL"], ours + 2 * c["MEMORY"] + c["CHANNEL"]]
    rows = [[int(x) for x in r] for r in re.findall(r"^\| (?:0 to )?(\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", text, re.M)]
    bad = [r for r in rows if r[1:] != [r[0] // 64] + [r[0] // 64 + s - 1 for s in sums]]
    ok(CYCLES == ours and len(rows) == 15 and not bad, "README: cycles of each size", bad or rows)

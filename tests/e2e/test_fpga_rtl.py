# SPDX-License-Identifier: Apache-2.0
"""Link cores on emulated cards (--emulate rtl): times are the cores' cycles, the same each time; content, faults, clock, refusals."""
import json
import os
import pytest
from netbench import MPI_ENV, NETBENCH, equal, faults, measure, need, ok, run

IMAGES = os.path.join(os.path.dirname(NETBENCH), "kernels", "rtl")
RTL = ["-b", "fpga", "--emulate", "rtl"]
BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
HZ, D = 156.25e6, 83     # the 520N: 520 ns rounded up to cycles, and a crossing


@pytest.fixture(autouse=True)
def emulated_cores(monkeypatch):
    for name, value in MPI_ENV.items():
        monkeypatch.setenv(name, value)
    need("fpga", "--emulate", "rtl")
    if not os.path.exists(os.path.join(IMAGES, "netbench-emulated-rtl.xclbin")):
        pytest.skip("no image of link cores: it is built where Verilator is")


def cycles(seconds):
    return seconds * HZ


def exchange(size):
    return max(1, (size + 63) // 64) + D + 2


def image(name):
    return ["--xclbin", os.path.join(IMAGES, f"netbench-rtl-{name}.xclbin")]


def measured(name, rows, *args):
    done, table = measure(*args, *RTL, *BRIEF)
    bad = [] if done.rc == 0 and not faults(done) and len(table.rows) == rows else [str(done)]
    bad += [str(r) for r in table.rows if r["errors"] != 0 or not r["checked"] or r["emulated"] != "emulated"]
    ok(not bad, name, "\n".join(bad[:3]))
    return table


def test_an_exchange_takes_the_cores_cycles_at_each_size():
    t = measured("beff", 5, "beff", "-n", 1, "--sizes", "1,64,65,4096,65536", "-u", 20)
    found = {r["size_B"]: round(cycles(r["time_min_s"] / r["loops"]), 3) for r in t.rows}
    equal(found, {size: exchange(size) for size in (1, 64, 65, 4096, 65536)}, "cycles of an exchange: n + D + 2")
    ok("cycles of the core" in t.one("environment.backend.method"), "the record says whose time it is", t.one("environment.backend.method"))
    ok(all(r["link_stall"] == 0 and r["link_gap"] == 0 for r in t.rows), "no stall and no gap on a line with the cores' clock", t.rows[:1])


@pytest.mark.slow
def test_all_sizes_have_the_cores_cycles_and_b_eff_is_below_the_models_by_them():
    """By XRT's own library, 2^0 to 2^20 B. The model's exchange takes n + 81.25 cycles, the core's n + D + 2."""
    t = measured("beff", 21, "beff", "-n", 1, "-u", 4)
    found = {r["size_B"]: round(cycles(r["time_min_s"] / r["loops"]), 3) for r in t.rows}
    sizes = [2 ** i for i in range(21)]
    equal(found, {size: exchange(size) for size in sizes}, "cycles of an exchange: n + D + 2")
    equal([found[s] for s in (1, 4096, 65536, 1 << 20)], [86, 149, 1109, 16469], "the golden ones")
    model = json.loads(run("model", "--board", "520n", "-f", "json").out)
    by_model = [HZ * r["model_s"] for r in model["rows"]]
    equal([round(found[s] - m, 6) for s, m in zip(sizes, by_model)], [3.75] * 21, "cycles above the model's")
    b_eff = sum(2 * s / (exchange(s) / HZ) for s in sizes) / 21
    ok(abs(t.one("summary.b_eff_Bps") / b_eff - 1) < 1e-9, "b_eff", t.one("summary.b_eff_Bps"))
    equal([f"{b / 1e9:.4f}" for b in (b_eff, model["summary"]["b_eff_Bps"])], ["7.7100", "7.7718"], "beside the model's, GB/s")


@pytest.mark.slow
def test_between_ranks_results_are_the_same_each_time():
    lines = ["latency", "-n", 2, "--sizes", "1,1000", "-l", 400]
    first, again = (measured("latency", 2, *lines).rows for _ in range(2))
    equal([r["half_rtt_p50_s"] for r in first], [r["half_rtt_p50_s"] for r in again], "the same percentiles")
    equal([round(cycles(r["half_rtt_p50_s"]), 3) for r in first], [exchange(1), exchange(1000)], "half a ping-pong: n + D + 2 cycles")
    equal([r["half_rtt_p99_s"] for r in first], [r["half_rtt_p50_s"] for r in first], "a line without jitter has one percentile")


def test_percentiles_of_a_link_with_jitter_are_those_of_its_beats():
    """One of 20 beats of pair 1 comes 100 cycles later, and three 20 cycles: the percentiles are exact, or to a bucket."""
    done, table = measure("latency", "-n", 2, "--sizes", 1, "-l", 400, *RTL, *BRIEF, *image("jitter"))
    row, = table.rows
    base, found = exchange(1), {p: cycles(row[f"half_rtt_{p}_s"]) for p in ("min", "p50", "p90", "p99", "max")}
    ok(done.rc == 0 and not faults(done) and all(abs(found[p] - base - late / 2) <= tolerance for p, late, tolerance in (
        ("min", 0, 0.001), ("p50", 0, 0.001), ("p90", 20, 0.001), ("p99", 100, 1), ("max", 100, 0.001))), "half round trips", found)


def test_windows_are_measured_and_verified():
    measured("msgrate", 2, "msgrate", "-n", 2, "--sizes", "64,200", "--window", 8, "-l", 4)
    measured("bandwidth, both ways", 1, "bandwidth", "-n", 2, "--sizes", 5000, "--window", 4, "-l", 4, "--bidirectional")


def test_a_line_slower_than_the_cores_stalls_them():
    t = measured("beff, cores of 300 MHz", 1, "beff", "-n", 1, "--sizes", 65536, "-u", 20, "--kernel-clock", 300)
    row, = t.rows
    ok(abs(row["time_min_s"] / row["loops"] * 300e6 - 2130.8) < 1.5, "cycles of an exchange over a line of another clock", row)
    ok(0.3 < row["link_stall"] < 0.6 and 0.3 < row["link_gap"] < 0.6, "the line holds the sender up, and leaves gaps", row)


def test_a_lost_beat_is_told_from_a_flipped_one():
    done = run("beff", "-n", 1, "--sizes", 65536, "-u", 20, *RTL, *image("lossy"))
    ok(done.rc == 1 and "the link has lost 1 beat" in done.err, "a lost beat", done)
    done = run("beff", "-n", 1, "--sizes", 65536, "-u", 20, *RTL, *BRIEF, *image("flipping"))
    ok(done.rc == 1 and "1 bit is flipped" in done.err and "wrong content" in done.err, "a flipped bit", done)


def test_a_clock_apart_from_the_images_is_a_fault():
    done = run("beff", "-n", 1, "--sizes", 64, *RTL, *image("slow-clock"))
    ok(done.rc == 1 and "the cores' clock is 154.6" in done.err and "the image says 156.25 MHz" in done.err, "a slow clock", done)


def test_a_wrong_cable_is_told(tmp_path):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("0 0 1 0\n0 1 1 1\n")
    done = run("beff", "-n", 2, "--sizes", 64, *RTL, "--emulate-cables", str(wrong))
    ok(done.rc == 1 and "wrong wiring" in done.err, "a wrong cable", done)


def test_images_and_options_that_do_not_suit_are_refused():
    done = run("beff", "-n", 1, *RTL, "--slowdown", 3)
    ok(done.rc == 2 and "option '--slowdown' needs '--emulate timed'" in done.err, "slowdown is none of a core's", done)
    done = run("beff", "-n", 1, "-b", "fpga", "--emulate", "fast", "--xclbin", os.path.join(IMAGES, "netbench-emulated-rtl.xclbin"))
    ok(done.rc == 1 and "has link cores: use '--emulate rtl'" in done.err, "an image of cores", done)
    listed = run("list", "--backend", "fpga", os.path.join(IMAGES, "netbench-emulated-rtl.xclbin"))
    ok("link cores: nb_link:nb_link_0 nb_link:nb_link_1" in listed.out and "clock 300 MHz" in listed.out, "the list of an image", listed)

# SPDX-License-Identifier: Apache-2.0
"""Backend fpga on emulated cards: every command that it offers with all content verified, wirings, what is refused, and what
goes wrong, after which nothing may be left; the pace of a board."""
import json
import os
import re
import signal
import pytest
from netbench import (MPI_ENV, NETBENCH, SLOW, Command, Csv, close_to, equal, faults, measure, named, need, note, ok, run, until)

FAULTS = os.path.join(os.path.dirname(NETBENCH), "tests", "libfpga_faults.so")
IMAGES = os.path.join(os.path.dirname(NETBENCH), "kernels")
ALVEO = os.path.join(IMAGES, "netbench-emulated-alveo.xclbin")
BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
FPGA = ["-b", "fpga", "--emulate", "fast"]
SMALL = ["--sizes", 64]
BOARDS = os.path.isdir("/sys/bus/pci/drivers/xocl")     # cards may be here
thorough = pytest.mark.skipif(SLOW > 1, reason="sanitizers need not look at what is the same code")


@pytest.fixture(autouse=True)
def emulated_cards(monkeypatch):
    for name, value in MPI_ENV.items():
        monkeypatch.setenv(name, value)
    need("fpga", "--emulate", "fast")


def image(name="netbench-emulated"):
    with open(os.path.join(IMAGES, name + ".xclbin"), "rb") as f:
        return f.read()


def left():
    """What runs of netbench leave in shared memory."""
    return [x for x in os.listdir("/dev/shm") if x.startswith("netbench")]


def processes(session):
    """Those of a session that are alive."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                state, _, _, sid = f.read().rsplit(")", 1)[1].split()[:4]
        except OSError:
            continue
        if int(sid) == session and state not in "ZX":
            found.append(pid)
    return found


def nothing_left(name, command, before):
    """Of a command, in shared memory, where others may come and go, and among the processes."""
    ok(until(lambda: set(left()) <= set(before) and not processes(command.p.pid), 2), name + ": nothing left",
       f"{left()}, before {before}; processes {processes(command.p.pid)}")


# ---- what it measures ----

def verified(name, rows, *args, **kwargs):
    done, table = measure(*args, *FPGA, *BRIEF, **kwargs)
    bad = [] if done.rc == 0 and not faults(done) and table.status == "complete" else [str(done)]
    if len(table.rows) != rows:
        bad.append(f"{len(table.rows)} rows, expected {rows}")
    bad += [str(r) for r in table.rows if r["errors"] != 0 or r["size_B"] and not r["checked"] or r["emulated"] != "emulated"]
    ok(not bad, name, "\n".join(bad[:4]))
    return table


@pytest.mark.parametrize("n, more", named([(1, []), (1, ["--wiring", "loopback"]), (2, []), (4, [])] if SLOW == 1 else [(2, [])]))
def test_beff_measures_all_sizes_on_rings_of_cards(n, more):
    t = verified(f"beff, {n} ranks {more}, all sizes", 21, "beff", "-n", n, "-m", 20, "-u", 20, *more)
    equal([r["size_B"] for r in t.rows], [2 ** i for i in range(21)], f"beff, {n} ranks: sizes")
    bad = [r for r in t.rows if not close_to(r["bandwidth_max_Bps"], 2 * n * r["size_B"] * r["loops"] / r["time_min_s"])]
    ok(not bad, f"beff, {n} ranks: bandwidth of what both pairs of all cards send", bad[:1])


def test_sizes_beside_chunks_are_verified():
    odd = "0,1,31,32,33,63,64,65,127,128,129,4095,4097,65537"
    verified("beff, sizes beside chunks", 14, "beff", "-n", 2, "--sizes", odd, "-u", 3)
    t = verified("beff, the image for Alveo", 14, "beff", "-n", 2, "--sizes", odd, "-u", 3, "--xclbin", ALVEO)
    equal((t.one("environment.backend.lanes"), t.one("environment.backend.channel_width_B")), (1, 64), "the image for Alveo")


def test_memory_bank_for_each_receiver():
    """Pair 1 stores into bank 1, and the content of what it received is verified, as that of pair 0 in bank 0."""
    banks = os.path.join(IMAGES, "tests", "netbench-banks.xclbin")
    verified("beff, two banks", 5, "beff", "-n", 2, "--sizes", "0,1,64,5000,1M", "-u", 3, "--xclbin", banks)
    verified("bandwidth, both ways, two banks", 2, "bandwidth", "-n", 3, "--sizes", "1,5000", "-l", 3, "--bidirectional", "--window", 4, "--xclbin", banks)


def test_latency_on_cards_has_no_times_of_single_iterations():
    t = verified("latency", 4, "latency", "--sizes", "0,1,33,64k", "-l", 30)
    ok(all(r["half_rtt_epoch_s"] > 0 and r["half_rtt_p50_s"] is None for r in t.rows), "latency: no single iterations", t.rows[:1])


@pytest.mark.parametrize("command", ["msgrate", "bandwidth"])
def test_windows_batches_and_pairs_are_measured_on_cards(command):
    windows = ["--window", "1,2,64", "--batch", "1,2"]
    t = verified(command, 10, command, "--sizes", "1,5000", "-l", 3, *windows)
    equal([(r["window"], r["batch"]) for r in t.rows if r["size_B"] == 1], [(1, 1), (2, 1), (2, 2), (64, 1), (64, 2)],
          f"{command}: windows")
    verified(f"{command}, both ways", 5, command, "--sizes", 5000, "-l", 3, "--bidirectional", *windows)
    verified(f"{command}, 2 pairs", 1, command, "-n", 4, "--pairs", 2, "--sizes", 64, "-l", 3)


def test_atlas_benchmarks_between_two_cards_are_measured():
    verified("atlas-1.1", 2, "atlas-1.1", "--sizes", "64,9000", "-l", 20, "--load", "none")
    verified("atlas-1.1 beside a computing task", 4, "atlas-1.1", "--sizes", "64", "-l", 20)
    verified("atlas-1.2", 6, "atlas-1.2", "--sizes", "64,9000", "--window", "1,2,8", "-l", 20, "--load", "none")


def test_model_measure_finds_round_trips_on_cards_but_no_delayed_messages():
    done = run("model", "--measure", "--rounds", 2, "--sizes", "1,64,1k,4k", "-f", "csv", *FPGA)
    rows = Csv(done.out).rows
    ok(done.rc == 0 and len(rows) == 4 and all(r["half_rtt_epoch_s"] > 0 and r["send_delayed_s"] is None and r["emulated"] for r in rows),
       "model --measure, but for delayed messages", done)


def test_the_record_names_platform_image_wiring_and_launch():
    done = run("beff", "-n", 1, "--sizes", "64", "-u", 3, "-f", "json", *FPGA, *BRIEF)
    b = json.loads(done.out or "{}").get("environment", {}).get("backend", {})
    expected = {"name": "fpga", "emulated": "yes", "platform": "xrt", "pairs": 2, "lanes": 2, "channel_width_B": 32,
                "wiring": "a ring", "card": "0"}
    equal({k: b.get(k) for k in expected}, expected, "the record")
    ok(b.get("launch_s", 0) > 0 and 0 < b["open_s"] < 1 and b["image"].endswith("netbench-emulated.xclbin"), "the record: launch, image", done)


def test_every_line_says_emulated():
    done = run("beff", "-n", 1, "--sizes", "1,64", "-u", 3, "-b", "fpga", *BRIEF, env={**os.environ, "NETBENCH_FPGA": "emulate"})
    lines = [x for x in re.sub(r"\n  (?=\S)", " ", done.out).splitlines() if x.strip()]	# whole that go on in others
    ok(done.rc == 0 and len(lines) == 6 and all("emulated" in x for x in lines), "every line says emulated", done)


# ---- ranks that others start ----

needs_mpirun = pytest.mark.usefixtures("needs_mpirun")


@needs_mpirun
def test_ranks_of_mpirun_have_a_card_each():
    t = Command(["mpirun", "-n", "4", NETBENCH, "beff", *map(str, FPGA + BRIEF), "--sizes", "1,64k", "-u", 5, "-f", "csv"]).end(60)
    table = Csv(t.out)
    ok(t.rc == 0 and len(table.rows) == 2 and not any(r["errors"] for r in table.rows), "mpirun", t)


@pytest.mark.slow
@needs_mpirun
@pytest.mark.skipif(BOARDS, reason="cards may be here")
def test_ranks_of_mpirun_without_cards_are_told_once():
    t = Command(["mpirun", "-n", "2", NETBENCH, "beff", "-b", "fpga", "--xclbin", os.path.join(IMAGES, "netbench-emulated.xclbin")]).end(30)
    lines = [x for x in t.faults if x.startswith("netbench: ")]
    ok(t.rc == 3 and len(lines) == 1 and "no card with XRT's driver; '--emulate fast'" in lines[0], "mpirun without cards", t)


def test_ranks_that_join_by_hand_share_the_cables(file):
    where = ["--secret-file", file("secret", "of-the-tests-only")]
    os.chmod(where[1], 0o600)
    a = Command([NETBENCH, "latency", *map(str, FPGA + BRIEF), "--listen", "127.0.0.1:0", "-n", 2, "--sizes", 64, "-f", "csv", *where])
    found = a.until_said(r"--join (\S+)") or a.until_said(r"(127\.0\.0\.1:\d+)")
    b = Command([NETBENCH, "latency", "--join", found[1] if found else "nowhere", *where])
    done, other = a.end(30), b.end(30)
    ok(done.rc == 0 and other.rc == 0 and len(Csv(done.out).rows) == 1, "joined by hand", f"{done}\n{other}")


# ---- the pace of a board ----

# The host's clock, in slow motion, against the model. A busy machine may disturb it: three attempts.

@pytest.fixture(scope="module")
def model():
    table = Csv(run("model", "--board", "520n", "-m", 20, "-f", "csv").out)
    return {r["size_B"]: r for r in table.rows}


@pytest.mark.slow
@thorough
def test_beff_keeps_the_pace_of_the_board(model):
    for _ in range(3):
        done, table = measure("beff", "-n", 1, "-b", "fpga", "--emulate", "timed", "-m", 20)
        off = {r["size_B"]: r["bandwidth_max_Bps"] / model[r["size_B"]]["card_model_Bps"] - 1 for r in table.rows}
        good = done.rc == 0 and len(off) == 21 and all(abs(off[s]) < 0.03 for s in off if s >= 4096) and max(off.values()) < 0.001
        if good:
            break
    ok(good, "520N: b(L) within 3 % of the model from 4 KiB on, and never more", f"{off}\n{done}")
    note(", ".join(f"{size} B: {x:+.2%}" for size, x in off.items()))
    equal((table.one("environment.backend.board"), table.one("environment.backend.slowdown")), ("520n", 2048), "the record of a pace")


@pytest.mark.slow
@thorough
def test_latency_keeps_the_pace_of_the_board(model):
    for _ in range(3):
        done, table = measure("latency", "-b", "fpga", "--emulate", "timed", "--slowdown", 4096, "--sizes", "64,4096", *BRIEF)
        off = [r["half_rtt_epoch_s"] / model[r["size_B"]]["model_s"] - 1 for r in table.rows]
        if all(x < 0.1 for x in off):
            break
    ok(done.rc == 0 and len(off) == 2 and all(-0.001 < x < 0.1 for x in off), "half a round trip is a message's time", f"{off}\n{done}")


@pytest.mark.slow
@thorough
def test_any_pace_and_boards_of_ones_own_are_emulated():
    done, table = measure("bandwidth", "-b", "fpga", "--emulate", "timed", "--slowdown", 50000, "--sizes", "16k", "--window", 16,
                          "--kernel-timeout", "100ms", "-l", 1, "--check", "none", *BRIEF)
    ok(done.rc == 0 and 16 * 16384 / table.rows[0]["bandwidth_max_Bps"] * 50000 > 0.5, "a pace slower than the time-out for kernels", done)
    done, table = measure("beff", "-n", 1, "-b", "fpga", "--emulate", "timed", "--slowdown", 1, "--sizes", "64", *BRIEF)
    equal((table.one("environment.backend.board"), table.one("environment.backend.slowdown")), ("520n", 1), "a slow-down of 1")
    board = "custom:c=2,w=32,f=1e9,lat=1e-6,R=2"
    done, table = measure("beff", "-n", 1, "-b", "fpga", "--emulate", "timed", "--board", board, "--slowdown", 4096, "--sizes",
                          "1M", *BRIEF)
    ok(done.rc == 0 and close_to(table.rows[0]["time_min_s"] / table.rows[0]["loops"], 2 ** 20 / 64e9 + 1e-6, 0.05), "a board of one's own", done)


LAUNCH = ["-n", 1, "-b", "fpga", "--emulate", "timed", "--emulate-launch", "60us", "--slowdown", 256, "--sizes", "4k,1M",
          "--repetitions", 2, "--point-time", 0, "--ci", 0, "--verify", "last"]


def off_model(model, more):
    done, table = measure("beff", *LAUNCH, *more)
    return {r["size_B"]: r["bandwidth_max_Bps"] / model[r["size_B"]]["card_model_Bps"] - 1 for r in table.rows}, table, done


@pytest.mark.slow
@thorough
def test_launch_is_below_one_percent_of_a_round(model):
    """By default, at each size; and so b(L) of a card is within 1 % of its model."""
    for _ in range(3):
        off, table, done = off_model(model, [])
        if done.rc == 0 and len(off) == 2 and all(-0.01 < x < 0.001 for x in off.values()):
            break
    ok(done.rc == 0 and len(off) == 2 and all(-0.01 < x < 0.001 for x in off.values()), "within 1 % of the model", f"{off}\n{done}")
    ok(all(0 < r["launch_share"] < 0.01 and not r["launch_note"] for r in table.rows), "no row has a note", table.rows)
    note(", ".join(f"{size} B: {x:+.2%}" for size, x in off.items()))


@pytest.mark.slow
@thorough
def test_row_says_that_its_launch_is_more(model):
    """With the loops that a round of 10 ms has at 1 B, u = 19011."""
    for _ in range(3):
        off, table, done = off_model(model, ["-u", 19011])
        if done.rc == 0 and len(off) == 2 and -0.22 < off[4096] < -0.16 and -0.42 < off[1 << 20] < -0.34:
            break
    ok(done.rc == 0 and -0.22 < off[4096] < -0.16 and -0.42 < off[1 << 20] < -0.34, "far below the model", f"{off}\n{done}")
    ok(all(re.fullmatch(r"launch \d+ %", r["launch_note"] or "") and 0.1 < r["launch_share"] < 0.5 for r in table.rows), "each row says it", table.rows)
    backend = table.one("environment.backend.launch_s")
    ok(59e-6 < backend < 90e-6 and table.one("environment.backend.emulated_launch_s") == 60e-6, "the record of a launch", backend)


def test_launch_share_is_that_of_the_median_round():
    _, table = measure("beff", *FPGA, *BRIEF, "--sizes", "64,4k", "-u", 2)
    launch = table.one("environment.backend.launch_s")
    # a round that other work held up makes the launch a small share, of which the row says nothing
    bad = [r for r in table.rows if not close_to(r["launch_share"], min(1, launch / r["time_s"])) or bool(r["launch_note"]) != (r["launch_share"] > .01)]
    ok(len(table.rows) == 2 and not bad, "launch_share", bad)


def test_a_result_evaluated_again_keeps_the_launch_of_a_round():
    done = run("beff", *FPGA, *BRIEF, "--sizes", "64,4k", "-u", 2, "--samples", "-o", "launched.json", "--overwrite")
    was = json.load(open("launched.json"))
    again = json.loads(run("beff", "--from", "launched.json", "-f", "json").out)
    ok(done.rc == 0 and all(r["launch_share"] > 0 for r in was["rows"]), "measured", done)
    equal((again["columns"], again["rows"]), (was["columns"], was["rows"]), "the same columns and cells")


# ---- what is refused ----

def refused(rc, pattern, *args, env=None, emulated=True, name=None):
    """One line that says why, the exit status, and nothing left."""
    before = left()
    c = Command([NETBENCH, *args, *(FPGA if emulated else ["-b", "fpga"]), *BRIEF], env=env)
    done = c.end(40)
    name = name or "refused: " + " ".join(map(str, args))
    ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err), name, done)
    nothing_left(name, c, before)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("command", [f"atlas-{x}" for x in ("1.3", "1.4", "1.5", "1.6", "1.7", "2.1", "2.2", "2.3")]
                         [0 if SLOW == 1 else -1:])
def test_commands_that_need_messages_between_any_ranks_are_refused_on_cards(command):
    refused(3, f"^netbench: {command} needs 'pair', messages between any two ranks, which backend 'fpga' does not offer$", command)


CUSTOM = "custom:c=1,w=64,f=1e9,lat=1us,R=2"


@pytest.mark.slow
@pytest.mark.parametrize("args, rc, pattern, emulated", named([
    (["beff", "--rule", "hlrs"], 3, "beff needs 'pair', messages between any two ranks, which backend 'fpga'", True),
    (["latency", "--emulate-cables", "/dev/null"], 2, "'--emulate-cables' needs '--emulate'", False),
    (["latency", "--board", "520n"], 2, "'--board' needs '--emulate timed'", True),
    (["latency", "--slowdown", 5], 2, "'--slowdown' needs '--emulate timed'", True),
    (["latency", "--emulate-launch", "60us"], 2, "'--emulate-launch' needs '--emulate timed'", True),
    (["latency", "--platform", "intel"], 2, "'--emulate' needs '--platform xrt'", True),
    (["latency", "--emulate", "timed", "--board", "521n"], 2, "no board named .521n.", False),
    (["latency", "--emulate", "timed", "--board", "vnx-100g"], 2, "no serial channels", False),
    (["latency", "--emulate", "timed", "--board", "520n-meas"], 2, "one after the other", False),
    (["beff", "-n", 1, "--emulate", "timed", "--board", CUSTOM], 1, "board 'custom' has 1 channels of 64 B per pair, but image .* has 2 of 32 B", False),
    (["latency", *SMALL, "-n", 4, "--between", "0:2"], 2, "ranks 0 and 2 of '--between' are not neighbours", True),
    (["latency"], 2, "'--xclbin' has to name an image", False),
    (["latency", *SMALL, "--wiring", "/tmp"], 2, "of '--wiring' cannot be read: Is a directory", True),
    (["latency", *SMALL, "--wiring", "/dev/zero"], 2, "line 1 is no text", True),
    (["latency", *SMALL, "--wiring", "/nonexistent"], 2, "'/nonexistent' of '--wiring' cannot be read", True),
    *[(["latency", *SMALL, "--device", device], 3, "there is no card '.*'", True) for device in ("-1", "+1", "4294967296", "x")]]))
def test_options_that_do_not_go_with_cards_are_refused_by_name(args, rc, pattern, emulated):
    refused(rc, pattern, *args, emulated=emulated)


@pytest.mark.slow
@pytest.mark.skipif(BOARDS, reason="cards may be here")
def test_without_a_card_the_error_names_emulation():
    refused(3, "no card with XRT's driver; '--emulate fast'", "latency", "--xclbin", "x.xclbin", emulated=False)


@pytest.mark.slow
def test_a_bad_word_in_the_variable_for_emulation_is_refused():
    refused(2, "NETBENCH_FPGA=quick: expected emulate, fast, timed or off", "latency", emulated=False, env={"NETBENCH_FPGA": "quick"})


@pytest.mark.slow
@pytest.mark.parametrize("text, why", [
    ("0 1 1", "line 1: '0 1 1' is not a cable"), ("# a\n0 1 2 0", "line 2: '0 1 2 0' is not a cable"),
    ("0 1 1 0\n1 0 0 0", "line 2.*uses a pair that has a cable already"), ("0 7 1 0", "pair 7.*pairs 0 to 1"),
    ("4294967296 1 1 0", "line 1.*is not a cable"), ("0 4294967297 1 0", "line 1.*is not a cable"),
    ("0 1 -1 0", "is not a cable"), ("0 1 0 1", "joins a pair to itself; for plugs.*'--wiring plug'"), ("0 1 1 0 9", "is not a cable"),
    ("#" + 5000 * "x", "line 1 is longer than")], ids=lambda v: ascii(v)[1:15])
def test_a_file_that_describes_no_wiring_is_refused_with_its_line(text, why, file):
    refused(2, why, "latency", *SMALL, "--wiring", file("wiring", text), name=f"wiring {text[:40]!r}")


def test_cables_are_read_from_files_and_pipes(file, place):
    verified("a file that describes a ring", 1, "beff", "-n", 2, "--sizes", "5000", "-u", 3, "--wiring",
             file("ring", "0 1 1 0	# there" + 300 * "x" + "\r\n\r\n1 1 0 0\r\n"))
    fifo = place / "fifo"
    os.mkfifo(fifo)
    c = Command([NETBENCH, "beff", "-n", 2, *FPGA, *BRIEF, "--sizes", 64, "-u", 3, "--wiring", fifo])
    with open(fifo, "w") as f:
        f.write("0 1 1 0\n1 1 0 0\n")
    done = c.end(20)
    ok(done.rc == 0, "cables from a pipe", done)
    verified("one cable is enough for a pair", 1, "latency", "--sizes", "5000", "-l", 3, "--wiring", file("one", "0 0 1 1\n"))
    verified("a ring with cables the other way round", 1, "beff", "-n", 3, "--sizes", "5000", "-u", 3, "--wiring",
             file("round", "1 1 0 0\n2 0 1 0\n0 1 2 1\n"))


@pytest.mark.slow
def test_a_wiring_that_is_not_that_of_the_file_is_named(file):
    refused(3, "no cable joins the cards of ranks [01] and [01]", "beff", "-n", 2, "--sizes", 64, "--wiring", file("one", "0 1 1 0"))
    swapped = file("swapped", "0 1 1 1\n1 0 0 0\n")
    end = r"rank \d, pair (0 \(channels 0, 2|1 \(channels 1, 3)\)"
    refused(1, f"wrong wiring: {end}, is joined to {end}, not to {end}$", "beff", "-n", 2, "--sizes", 64, "--emulate-cables", swapped, name="cables swapped")
    for limit in ("0.5s", "1s"):
        done = refused(1, r"rank 0: nothing comes within [0-9.]+ s over channel 1 \(pair 1, lane 0, lanes after it untested\) from rank 0, channel 0; "
                       r"channel 0 \(pair 0, lane 0, lanes after it untested\) from rank 0, channel 1: is", "beff", "-n", 1, "--sizes", 64, "--emulate-cables", file("none", "# none\n"),
                       "--link-timeout", limit, name=f"a cable is not there, {limit}")
        ok(done.seconds >= float(limit[:-1]), "--link-timeout", done)
    refused(1, r"wrong wiring: rank \d.*joined to rank \d", "beff", "-n", 3, "--sizes", 64, "--emulate-cables",
            file("cross", "0 1 2 0\n2 1 1 0\n1 1 0 0\n"), name="a ring in another order")


def test_an_image_that_is_damaged_or_no_image_is_refused_in_a_line(file, place):
    whole = image()
    small = ["latency", *SMALL]
    refused(3, "image '/nonexistent' cannot be read", *small, "--xclbin", "/nonexistent")
    refused(1, "is damaged, or not for XRT", *small, "--xclbin", file("short.xclbin", whole[:len(whole) // 2]), name="half an image")
    refused(1, "is damaged, or not for XRT", *small, "--xclbin", file("text.xclbin", "kernels"), name="a text as an image")
    elf = whole.index(b"\x7fELF")
    refused(1, "kernel 'describe_0' has failed on card '[01]'", *small, "--xclbin",
            file("bits.xclbin", whole[:elf] + bytes(4096) + whole[elf + 4096:]), name="an image with a damaged bitstream")
    other = whole.replace(b"send:send_", b"vadd:vadd_").replace(b"recv:recv_", b"mult:mult_")
    refused(1, "image '.*other.xclbin' has no kernels of netbench", *small, "--xclbin", file("other.xclbin", other),
            name="an image without netbench's kernels")
    os.mkfifo(place / "fifo")
    refused(1, "ranks 0 and 1 of one host share card '0': each needs its own", *small, "--device", 0)
    refused(3, "image '.*fifo' cannot be read", *small, "--xclbin", place / "fifo")
    refused(3, "path of image '.*' is too long", *small, "--xclbin", 5000 * "a", name="a path that is too long")


def test_list_shows_the_card_its_kernels_and_the_library():
    done = run("list", "-b", "fpga")
    ok(done.rc == 0 and "send:send_1" in done.out and "libxrt_netbench.so.2" in done.out and "card " in done.out, "list", done)


def test_list_tells_what_each_image_is(file):
    done = run("list", "-b", "fpga", file("text.xclbin", "kernels"), ALVEO)
    ok(done.rc == 0 and "damaged" in done.out and "netbench_emulated-alveo" in done.out, "list: images", done)


@pytest.mark.parametrize("args, why", named([(["-b", "shm", "x"], "backend 'shm' has no images"),
                                             (["x"], "unexpected operand 'x'"), (["-b", "x"], "unknown backend 'x'")]))
def test_list_of_what_is_not_there(args, why):
    done = run("list", *args)
    ok(done.rc == 2 and len(done.faults) == 1 and why in done.err, f"list {args}", done)


# ---- what goes wrong ----

def fault(what, after):
    return {"LD_PRELOAD": FAULTS, "FPGA_FAULT": what, "FPGA_FAULT_AFTER": str(after),
            "ASAN_OPTIONS": MPI_ENV["ASAN_OPTIONS"] + ":verify_asan_link_order=0"}


@pytest.mark.slow
@pytest.mark.parametrize("what, after, name", named([("content", 12, "forgotten: the content of the last message is not told"),
                                                     ("from-card", 12, "forgotten: a buffer is not copied from the card"),
                                                     ("start", 120, "a kernel is not started")]))
def test_content_that_a_forgotten_step_leaves_wrong_is_found(what, after, name):
    refused(1, "messages arrived with wrong content", "latency", "--sizes", 5000, "-l", 3, env=fault(what, after), name=name)


@pytest.mark.slow
@pytest.mark.parametrize("after, why", named([
    (0, r"kernel 'describe_0' on card '\d' has not ended within 3 s$"), (2, "kernel 'send_0' on card '.' has not ended within 3 s$"), (104, "nothing comes within"),
    (120, r"rank \d: kernel '(send|recv)_\d' on card '\d' has not ended within 1 s")]))
def test_kernel_that_does_not_end(after, why):
    refused(1, why, "latency", "--sizes", 5000, "-l", 3, "--kernel-timeout", 1, env=fault("end", after),
            name=f"a kernel does not end: {why[:30]}")


# ---- results of emulated cards are such wherever they are used ----

@pytest.fixture(scope="module")
def results(shared_place):
    """One of emulated cards, one of others, one to be fitted."""
    need("fpga", "--emulate", "fast")
    a, b, fit = (str(shared_place / name) for name in ("a.json", "b.json", "fit.json"))
    for path, more in ((a, [*FPGA, *BRIEF]), (b, ["-b", "sim", "--board", "520n"])):
        run("beff", "-n", 2, "--sizes", "64,4k", "-u", 3, "--samples", "-o", path, *more)
    run("model", "--measure", "--rounds", 2, "--sizes", "1,64,1k,4k", "-o", fit, *FPGA)
    return {"emulated": a, "other": b, "fit": fit}


@pytest.mark.slow
@pytest.mark.parametrize("name, args", named([
    ("beff --from", ["beff", "--from", "{emulated}"]), ("compare", ["compare", "{emulated}", "{emulated}"]),
    ("compare with others", ["compare", "{other}", "{emulated}"]), ("model --fit", ["model", "--fit", "{fit}"]),
    ("model --against", ["model", "--board", "520n", "--against", "{emulated}"])]))
def test_each_row_of_an_emulated_card_says_emulated(name, args, results):
    args = [a.format(**results) for a in args]
    done = run(*args)
    lines = [x for x in done.out.splitlines()[1:] if x.strip()]
    ok(done.rc == 0 and len(lines) >= 3 and all("emulated" in x for x in lines), f"every line says emulated: {name}", done)
    table = Csv(run(*args, "-f", "csv").out)
    ok(table.rows and all(r["emulated"] == "emulated" for r in table.rows), f"every row says emulated: {name}", table.rows[:1])


@pytest.mark.slow
def test_nothing_else_says_emulated(results):
    done = run("compare", results["other"], results["emulated"])
    ok("B is emulated, A is not" in done.err, "compare: one is emulated", done)
    done = run("beff", "--from", results["other"])
    ok("emulated" not in done.out, "nothing else is emulated", done)


# ---- ranks ----

@pytest.mark.slow
def test_ranks_have_their_cables_where_shared_memory_is_full_or_missing():
    """Ranks whose shared memory is full, or not there, have their cables."""
    script = "mount -t tmpfs -o size=64k none /dev/shm && exec " + " ".join(map(str, [
        NETBENCH, "beff", *FPGA, *BRIEF, "-n", 3, "--sizes", "64k", "-u", 3]))
    done = Command(["unshare", "-m", "bash", "-c", script]).end(20)
    if "unshare" in done.err or "mount" in done.err:
        pytest.skip(done.err.strip())
    ok(done.rc == 0, "a small /dev/shm", done)


def test_a_rank_that_is_killed_is_named_and_nothing_is_left_of_the_cards():
    before = left()
    c = Command([NETBENCH, "beff", "-n", 3, *map(str, FPGA), "--sizes", "64k", "--point-time", "30s", "--ci", 0, "--pin", "none"])
    until(lambda: len(processes(c.p.pid)) == 4 and "MSize" in c.said(c.out), 10)
    ranks = [int(p) for p in processes(c.p.pid) if int(p) != c.p.pid]
    victim = max(ranks, default=0)
    if victim:
        os.kill(victim, signal.SIGKILL)
    done = c.end(10)
    ok(done.rc == 1 and len(done.faults) == 1 and re.search(r"rank \d was killed by signal 9", done.err), "a rank dies", done)
    nothing_left("a rank dies", c, before)

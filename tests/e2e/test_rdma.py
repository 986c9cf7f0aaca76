# SPDX-License-Identifier: Apache-2.0
"""The RDMA form: the symbols of the document that it is from, its rates beside a simulation, reads, parameters that were
measured, and where one message is when; and the same picture of a LogP message."""
import json
import os
import random
import re
import xml.etree.ElementTree as xml

import pytest
from netbench import NETBENCH, close_to, equal, measure, named, need, ok, run, words, write_result

pytestmark = pytest.mark.usefixtures("inside")

EXAMPLE = dict(o_wqe=20, o_db=65, o_cqe=15, o_nsnd=70, o_nrcv=60, G=0.0825, L=900, L_ack=2050)


def text_of(parameters):
    return ",".join(f"{name}={value!r}" for name, value in parameters.items())


def model(*args):
    """Rows of a model and the result; none if it fails."""
    done, table = measure("model", *args)
    good = done.rc == 0 and not done.err and table.status == "complete" and table.one("computed") == "true"
    return (table.rows if ok(good, f"model {words(args)}", done) else []), table


def record_of(*args):
    """The result in JSON, {} if there is none."""
    done = run(*args, "-f", "json")
    return json.loads(done.out) if ok(done.rc == 0, f"{words(args)}", done) else {}


# ---- the document's symbols ----

def test_the_knee_is_the_delay_over_the_overhead():
    """o_snd is a 32nd of the time until a message of 16 B is acknowledged: linear up to 32, then flat."""
    rows, _ = model("--rdma", "o_snd=100,g=3100,L=900,o_nsnd=70,o_nrcv=60", "--window", "1,2,8,32,64,256", "--sizes", 16)
    equal([round(r["rate_model_msgps"]) for r in rows], [round(min(w / 3.2e-6, 1e7)) for w in (1, 2, 8, 32, 64, 256)],
          "rates up to the knee, and after it")
    equal([r["binding"] for r in rows], ["window"] * 3 + ["CPU"] * 3, "what binds")
    ok(all(close_to(r["knee_window"], 32) for r in rows), "the knee", rows)


def test_both_sets_of_symbols_say_the_same():
    """g is RTT_1 - o_snd of a byte, o_snd what a message costs the processor at batch 1."""
    own, _ = model("--rdma", text_of({**EXAMPLE, "o_wqe": 100, "o_db": 0, "o_cqe": 0}), "--batch", 1, "--window", "1,64")
    for gap in ("g=3080", "g_snd=3.08us", "g=3080,g_snd=3080"):
        theirs, _ = model("--rdma", f"o_snd=100,{gap},o_nsnd=70,o_nrcv=60,G=0.0825,L=900", "--batch", 1, "--window", "1,64")
        ok(len(own) == 10 and all(close_to(a[c], b[c]) for a, b in zip(own, theirs) for c in
                                  ("rate_model_msgps", "model_s", "rtt_model_s", "knee_window")), f"by {gap}", theirs)


def test_the_mapping_is_printed_and_recorded():
    args = ["model", "--rdma", text_of({**EXAMPLE, "o_rcv": 30, "o_free": 20}), "--sizes", 16]
    out = " ".join(run(*args).out.split())
    ok("o_snd = o_wqe + (o_db + o_cqe)/B, 100.0 ns at B = 1; g = g_snd = RTT_1 - o_snd, 3.080 us at 1 B; g_rcv = o_free, "
       "20.00 ns" in out, "under the table", out)
    symbols = record_of(*args)["environment"]["rdma"]["symbols"]
    ok(close_to(symbols["o_snd"]["batch_1_s"], 100e-9) and close_to(symbols["g"]["size_1_s"], 3080e-9) and
       symbols["g_rcv"] == {"is": "o_free", "s": 20e-9} and symbols["o_snd"]["is"] == "o_wqe + (o_db + o_cqe)/B" and
       symbols["g"]["is"] == "RTT_1 - o_snd", "in the record", symbols)


def test_the_receivers_gap_is_not_its_overhead():
    """The receiver's term is o_rcv + g_rcv as the document prints it, and o_rcv + o_free where no g_rcv is given."""
    for given, gap, named_by in (("o_free=50,g_rcv=400", 400, "g_rcv"), ("g_rcv=400", 400, "g_rcv"), ("o_free=50", 50, "o_free")):
        args = ["--rdma", f"o_snd=1,o_rcv=100,{given},L=1", "--window", 64, "--sizes", 1]
        rows, table = model(*args)
        ok(close_to(rows[0]["rate_model_msgps"], 1e9 / (100 + gap)) and rows[0]["binding"] == "receiver", given, rows)
        equal(table.one("environment.rdma.symbols.g_rcv.is"), named_by, f"{given}: what g_rcv is")


@pytest.mark.parametrize("text, parts", named((
    ("o_snd=1,o_wqe=1", "'o_snd' o_wqe + o_db + o_cqe"), ("o_snd=1,o_cqe=1", "'o_snd' o_wqe + o_db + o_cqe"),
    ("o_snd=1,g=5,g_snd=6", "'g' 'g_snd' differ"), ("o_snd=1,g=5,L_ack=3", "'g' 'L_ack' acknowledged"),
    ("o_snd=1,g=5,o_nsnd=2,L=3,o_nrcv=1", "g = 5 ns o_nsnd + L + o_nrcv = 6 ns"),
    ("o_snd=1,g_rcv=5,o_free=6", "g_rcv = 5 ns o_free = 6 ns"), ("g=1", "all work is 0"), ("o_sndd=1", "'o_sndd' unknown"))))
def test_mixtures_that_contradict_are_refused(text, parts):
    done = run("model", "--rdma", text)
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(w in done.err for w in parts.split()),
       f"--rdma {text}", done)


def test_serial_receives_the_bytes_too():
    """The document's k/(o_nrcv + (k-1)G)."""
    rows, _ = model("--serial", "--rdma", "o_wqe=1,o_nsnd=10,o_nrcv=500,G=1,L=1", "--sizes", 1000, "--window", "1,64,1000")
    ok(all(close_to(r["bandwidth_model_Bps"], 1000e9 / 1499) and r["binding"] == "receiving NIC" for r in rows[1:]),
       "667 MB/s", rows)
    rows, _ = model("--rdma", "o_wqe=1,o_nsnd=10,o_nrcv=500,G=1,L=1", "--sizes", 1000, "--window", 1000)
    ok(close_to(rows[0]["bandwidth_model_Bps"], 1000e9 / 999), "interfaces that overlap: METHODS (34)", rows)


# ---- beside a simulation ----

def between_interfaces(p, free, ready, tail, serial):
    """When the other interface has taken a message. They are free from `free` on: the sender's work, its wire, the receiver."""
    free[0] = max(ready, free[0]) + p["o_nsnd"]
    free[1] = max(free[0], free[1]) + tail
    arrived = free[1] + p["L"]
    if serial:
        free[0] = free[1]
        free[2] = max(arrived - tail, free[2]) + tail + p["o_nrcv"]
    else:
        free[2] = max(arrived, free[2]) + p["o_nrcv"]
    return free[2]


def simulated_rate(p, k, W, B, serial, read):
    """Messages a ns of many, each of which goes through the stages as soon as these are free."""
    tail, batches = (k - 1) * p["G"], 3000 // B
    there, back, acked = [0.0] * 3, [0.0] * 3, []
    cpu = 0.0
    for n in range(batches):
        if n >= W // B:
            cpu = max(cpu, acked[n - W // B]) + p["o_cqe"]
        cpu += B * p["o_wqe"] + p["o_db"]
        for _ in range(B):
            done = between_interfaces(p, there, cpu, 0 if read else tail, serial)
            done = between_interfaces(p, back, done, tail, serial) if read else done + p["L_ack"]
        acked.append(done)
    half = batches // 2
    return (batches - half) * B / (acked[-1] - acked[half - 1])


@pytest.mark.parametrize("how", [[], ["--serial"], ["--reads"], ["--serial", "--reads"]], ids=words)
def test_rates_are_those_of_a_simulation(how):
    rng = random.Random(7)
    for _ in range(12):
        p = {name: round(10 ** rng.uniform(0, 3), 3) for name in EXAMPLE} | {"G": round(10 ** rng.uniform(-2, 0), 4)}
        if "--reads" in how:
            del p["L_ack"]
        W, B, k = rng.choice([(1, 1), (4, 1), (32, 1), (8, 8), (64, 16), (256, 8)]) + (rng.choice([1, 64, 1000, 4096]),)
        rows, _ = model("--rdma", text_of(p), *how, "--window", W, "--batch", B, "--sizes", k)
        rate = simulated_rate(p, k, W, B, "--serial" in how, "--reads" in how)
        ok(rows and close_to(rows[0]["rate_model_msgps"] * 1e-9, rate, 5e-3), f"W={W} B={B} k={k} {words(how)} {text_of(p)}",
           (rows and rows[0], rate))


# ---- reads ----

def test_a_read_is_a_request_and_its_answer():
    """Two messages between the interfaces, of which the second has the bytes, and no processor but one."""
    rows, table = model("--example", "--reads", "--sizes", "1,4096", "--window", "1,64")
    want = {k: 20 + 65 + 15 + 2 * (70 + 60 + 900) + (k - 1) * 0.0825 for k in (1, 4096)}
    ok(all(close_to(r["model_s"], want[r["size_B"]] * 1e-9) and close_to(r["rtt_model_s"], r["model_s"]) for r in rows),
       "time of a read", rows)
    rates = {(r["window"], r["size_B"]): r for r in rows}
    ok(close_to(rates[1, 1]["rate_model_msgps"], 1e9 / want[1]) and close_to(rates[64, 1]["rate_model_msgps"], 1e7) and
       rates[64, 4096]["binding"] == "wire", "rates of reads", rows)
    equal(table.one("environment.rdma.read"), "true", "reads are called so")
    ok("RDMA reads" in run("model", "--example", "--reads").out.splitlines()[0], "in the title, too")
    by_gap, _ = model("--reads", "--rdma", "o_snd=100,g=2060,o_nsnd=70,o_nrcv=60,G=0.0825", "--sizes", "1,4096", "--window", 1)
    ok(all(close_to(r["model_s"], want[r["size_B"]] * 1e-9) for r in by_gap), "by the document's g", by_gap)


@pytest.mark.parametrize("text, parts", named((
    ("o_snd=1,o_rcv=1", "'o_rcv' reads"), ("o_snd=1,L_ack=1", "'L_ack' reads"), ("o_snd=1,g=9,L=2", "'g' 'L' read"),
    ("o_snd=1,g=9,o_nsnd=5", "g = 9 ns 2 (o_nsnd + o_nrcv) = 10 ns"))))
def test_what_a_read_has_not_is_refused(text, parts):
    done = run("model", "--reads", "--rdma", text)
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(w in done.err for w in parts.split()),
       f"--reads --rdma {text}", done)


def test_a_result_of_writes_is_not_set_against_the_model_of_reads():
    """Of a result of writes the model of reads says nothing, and the other way round."""
    run("msgrate", "-b", "sim", "--sizes", 16, "--window", 4, "-o", "x.json")
    with open("x.json", encoding="utf-8") as f:
        result = json.load(f)
    result["definition"] = "msgrate.window-read.v2"
    write_result(".", "reads.json", result)
    rows, _ = model("--example", "--reads", "--against", "reads.json")
    want = (3 * max(100, 70) + 100 + 2 * 1030 + 15 * 0.0825) / 4 * 1e-9
    ok(len(rows) == 1 and close_to(rows[0]["model_s"], want) and rows[0]["pattern"] == "read", "a window of reads", rows)
    for how, file in (([], "reads.json"), (["--reads"], "x.json")):
        done = run("model", "--example", *how, "--against", file)
        ok(done.rc == 2 and "predicts no row of" in done.err, f"{words(how)} against {file}", done)


# ---- measured parameters ----

@pytest.fixture
def measured(monkeypatch):
    """A backend that is told what it measures: o_wqe, ... in the order of struct rdma, ns."""
    monkeypatch.setenv("NETBENCH_MODULES", os.path.join(os.path.dirname(NETBENCH), "tests", "faults"))
    monkeypatch.setenv("NETBENCH_RDMA", "20 65 15 nan nan 30 10 0 0.0825 900 2050")
    need("parametric")
    return monkeypatch


QUICK = ["-b", "parametric", "--repetitions", 2, "--point-time", "1ms"]
MISSING = "not determined, and 0 in the formulas: o_nsnd, o_nrcv"


def test_measured_parameters_are_shown_and_kept(measured):
    done = run("msgrate", *QUICK, "--ci", 0, "--sizes", 16, "--window", "1,16", "--predict", "-o", "x.json")
    out = " ".join(done.out.split())
    ok(done.rc == 0 and "RDMA form (measured by this run, between ranks 0 and 1): o_wqe 20.00 ns, o_db 65.00 ns" in out and
       MISSING in out and "g_rcv = o_free, 10.00 ns" in out, "under the table", done)
    with open("x.json", encoding="utf-8") as f:
        kept = json.load(f)["environment"]["rdma"]
    ok(kept["o_nsnd_s"] is None and kept["o_nrcv_s"] is None and close_to(kept["o_db_s"], 65e-9), "in the result", kept)
    own, _ = model("--rdma", "o_wqe=20,o_db=65,o_cqe=15,o_rcv=30,o_free=10,G=0.0825,L=900,L_ack=2050")
    for how in (["--like", "x.json"], ["--rdma", "x.json"]):
        rows, table = model(*how)
        equal(rows, own, f"the model by {words(how)}")
        ok("x.json" in table.one("environment.rdma.source") and "measured" in table.one("environment.rdma.source"),
           f"{words(how)}: where they are from", table.meta)
        ok(MISSING in " ".join(run("model", *how).out.split()), f"{words(how)}: what is not determined")
    rows, _ = model("--like", "x.json", "--window", "1,16", "--sizes", 16)
    equal([r["binding"] for r in rows], ["window", "window"], "--like with windows")
    rows, _ = model("--like", "x.json", "--rdma", "o_nsnd=500", "--window", 64, "--sizes", 16)
    ok(close_to(rows[0]["rate_model_msgps"], 2e6) and rows[0]["binding"] == "sending NIC", "and what is said beside", rows)


def test_parameters_that_count_as_nothing_are_named_beside_a_result(measured):
    run("msgrate", *QUICK, "--ci", 0, "--sizes", 16, "--predict", "-o", "x.json")
    done = run("model", "--like", "x.json", "--against", "x.json")
    ok(done.rc == 0 and not done.err and "deviates from the model" in done.out and MISSING in " ".join(done.out.split()), "said", done)


def test_model_measure_measures_them_too(measured):
    args = ["model", "--measure", "-b", "parametric", "--rounds", 2, "--sizes", "1,8,64,512,1024,4096"]
    done = run(*args, "-o", "x.json")
    ok(done.rc == 0 and "o_wqe 20.00 ns" in done.out and MISSING in " ".join(done.out.split()), "beside LogGP's", done)
    rows, _ = model("--rdma", "x.json", "--sizes", 16)
    ok(len(rows) == 3 and close_to(rows[1]["rate_model_msgps"], 1e7), "--rdma takes them", rows)
    measured.setenv("NETBENCH_RDMA", "nan " * 11)
    done = run(*args)
    ok(done.rc == 0 and "RDMA" not in done.out, "nothing is said where the form does not fit", done)


def test_parameters_of_reads_stay_those_of_reads(measured):
    measured.setenv("NETBENCH_RDMA", "20 65 15 nan nan 0 0 0 0.08 900 nan read")
    run("msgrate", *QUICK, "--ci", 0, "--sizes", 16, "--predict", "-o", "x.json")
    rows, table = model("--rdma", "x.json", "--sizes", 1, "--window", 1)
    ok(close_to(rows[0]["model_s"], 1900e-9) and table.one("environment.rdma.read") == "true", "the model is of reads", rows)
    ok("reads" in run("model", "--rdma", "x.json").out.splitlines()[0], "and says so")


@pytest.mark.parametrize("args, parts", named((
    (["--rdma", "none.json"], "none.json cannot read"), (["--rdma", "loggp.json"], "loggp.json no parameters RDMA"),
    (["--like", "rdma.json", "--pattern", "ring"], "rdma.json RDMA --pattern"),
    (["--like", "rdma.json", "--rdma", "rdma.json"], "--like --rdma"), (["--like", "rdma.json", "--example"], "--like --example"),
    (["--rdma", "bad.json"], "bad.json 'L_s' negative"))))
def test_files_without_parameters_are_refused(args, parts):
    run("model", "--example", "--sizes", 16, "-o", "rdma.json")
    run("model", "--loggp", "L=1,o=1,g=1,G=1", "--sizes", 16, "-o", "loggp.json")
    with open("rdma.json", encoding="utf-8") as f:
        result = json.load(f)
    result["environment"]["rdma"]["L_s"] = -1
    write_result(".", "bad.json", result)
    done = run("model", *args)
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(w in done.err for w in parts.split()),
       f"model {words(args)}", done)


# ---- where a message is when ----

def picture(*args):
    """Its bars, ways and texts, and the titles of what it shows."""
    done = run("model", *args, "--schedule", "svg")
    if not ok(done.rc == 0, f"svg: {words(args)}", done):
        return [], [], [], []
    svg = xml.fromstring(done.out)
    return (svg.findall("{*}g/{*}rect"), svg.findall("{*}g/{*}line"), [t.text for t in svg.findall("{*}text")],
            [t.text for t in svg.findall("{*}g/{*}title")])


def test_one_message_goes_through_the_stages_in_the_time_of_the_rates():
    p = {**EXAMPLE, "o_rcv": 30, "o_free": 20}
    rows, _ = model("--rdma", text_of(p), "--schedule", "table", "--sizes", 1001)
    got = {(r["stage"], r["place"]): (r["begins_s"], r["ends_s"]) for r in rows}
    want = {("o_wqe", "P0"): (0, 20), ("o_db", "P0"): (20, 85), ("o_nsnd", "P0 NIC"): (85, 155), ("(k-1)G", "P0 NIC"): (155, 237.5),
            ("L", "P0 NIC"): (237.5, 1137.5), ("o_nrcv", "P1 NIC"): (1137.5, 1197.5), ("o_rcv", "P1"): (1197.5, 1227.5),
            ("o_free", "P1"): (1227.5, 1247.5), ("L_ack", "P1 NIC"): (1197.5, 3247.5), ("g", "P0"): (85, 3247.5),
            ("o_cqe", "P0"): (3247.5, 3262.5)}
    equal(set(got), set(want), "the stages")
    ok(all(close_to(got[s][i], want[s][i] * 1e-9, 1e-9) for s in want for i in (0, 1) if want[s][i]), "their times", got)
    rates, _ = model("--rdma", text_of(p), "--sizes", 1001, "--window", 1)
    ok(close_to(got["o_rcv", "P1"][1], rates[0]["model_s"]) and close_to(got["o_cqe", "P0"][1], rates[0]["rtt_model_s"]),
       "the latency and the round trip of the rates", rates)
    bars, ways, texts, titles = picture("--rdma", text_of(p), "--sizes", 1001)
    equal((len(bars), len(ways), len(titles)), (9, 3, 11), "bars, ways of the first and last byte and back, titles")
    ok(all(name in texts for name in ("P0 NIC", "P1 NIC", "o_wqe", "(k-1)G", "L_ack", "g")), "names in the picture", texts)


def test_one_read_through_the_stages():
    rows, _ = model("--example", "--reads", "--schedule", "table", "--sizes", 1)
    equal([(r["stage"], r["place"], r["to_place"]) for r in rows],
          [("o_wqe", "P0", None), ("o_db", "P0", None), ("o_nsnd", "P0 NIC", None), ("L", "P0 NIC", "P1 NIC"),
           ("o_nrcv", "P1 NIC", None), ("o_nsnd", "P1 NIC", None), ("L", "P1 NIC", "P0 NIC"), ("o_nrcv", "P0 NIC", None),
           ("g", "P0", None), ("o_cqe", "P0", None)], "the stages of a read")
    ok(close_to(rows[-1]["ends_s"], 2160e-9), "its end", rows)


@pytest.mark.parametrize("pattern, want", named((
    ("one-way", [("o_s", 0, 2), ("g", 0, 4), ("L", 2, 8), ("o_r", 8, 10)]),
    ("ping-pong", [("o_s", 0, 2), ("g", 0, 4), ("L", 2, 8), ("o_r", 8, 10), ("o_s", 10, 12), ("g", 10, 14), ("L", 12, 18),
                   ("o_r", 18, 20)]))))
def test_a_logp_message_has_its_stages_bars_and_gaps(pattern, want):
    rows, _ = model("--logp", "L=6,o=2,g=4", "--schedule", "table", "--pattern", pattern)
    equal([(r["stage"], r["begins_cycles"], r["ends_cycles"]) for r in rows], want, f"{pattern}: stages")
    bars, ways, texts, _ = picture("--logp", "L=6,o=2,g=4", "--pattern", pattern)
    equal((len(bars), len(ways)), (len(want) * 3 // 4, len(want) // 4), f"{pattern}: bars and ways")
    ok("P0" in texts and "P1" in texts and texts.count("o_s") == len(want) // 4, f"{pattern}: names", texts)
    rows, _ = model("--logp", "L=6us,o=2us,g=1us", "--schedule", "table", "--pattern", pattern)
    equal([r["stage"] for r in rows], [s[0] for s in want if s[0] != "g"], f"{pattern}: a gap within the overhead is none")
    ok(close_to(rows[-1]["ends_s"], want[-1][2] * 1e-6), f"{pattern}: in seconds", rows)


@pytest.mark.parametrize("args, parts", named((
    (["--example", "--schedule", "tree"], "message tree table svg"), (["--example", "--schedule", "svg", "-f", "csv"], "--format"),
    (["--example", "--schedule", "svg", "--sizes", "1,2"], "one message 2 sizes"),
    (["--example", "--schedule", "svg", "--window", 4], "--window"),
    (["--logp", "L=6,o=2,g=4,P=8", "--schedule", "dot", "--pattern", "one-way"], "message tree"),
    (["--logp", "L=6,o=2,g=4,P=8", "--schedule", "svg", "--pattern", "ring"], "one-way ping-pong broadcast"),
    (["--logp", "L=6,o=2,g=4,P=8", "--schedule", "svg", "--pattern", "one-way,ping-pong"], "one-way ping-pong broadcast"),
    (["--logp", "L=6,o=2,g=4,P=8", "--schedule", "svg", "--pattern", "one-way", "--arity", 3], "--arity one-way"),
    (["--logp", "L=6,o=2,g=4,P=8", "--pattern", "one-way"], "--pattern"),
    (["--logp", "L=6,o=2,g=4", "--schedule", "svg"], "'P' missing"))))
def test_what_has_no_schedule_is_refused(args, parts):
    done = run("model", *args)
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(re.search(re.escape(w), done.err) for w in
                                                                                parts.split()), f"model {words(args)}", done)


@pytest.mark.parametrize("given, name", (("o_snd=100,L=900", "o_snd"), ("o_wqe=100,L=900", "o_wqe")))
def test_a_schedule_calls_a_parameter_as_it_was_given(given, name):
    rows, _ = model("--rdma", given, "--schedule", "table", "--sizes", 1)
    equal([r["stage"] for r in rows][:2], [name, "L"], "stages")

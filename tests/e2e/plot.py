# SPDX-License-Identifier: Apache-2.0
"""netbench plot: what is drawn of every kind of result, and what is said where nothing can be."""
import json
import os
import re
import shutil
import stat
import struct
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from tap import close_to, equal, finish, make_results, ok, run, skip, write_result

# Results, each of another kind, and how to come by it.
RESULTS = {
    "latency": ["latency", "-b", "sim", "--sizes", "0,8,64,512,4k"],
    "shm": ["latency", "-b", "shm", "--sizes", "0,8,64,4k", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
    "bandwidth": ["bandwidth", "-b", "shm", "--sizes", "0,8,4k", "--window", "1,16", "--point-time", "5ms"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "8,64", "--window", "1,4,16"],
    "beff": ["beff", "-b", "sim", "--board", "520n", "-n", "2"],
    "beff-shm": ["beff", "-b", "shm", "-m", "6", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
    "hlrs": ["beff", "-b", "sim", "-n", "4", "--rule", "hlrs", "-m", "6"],
    "model": ["model", "--board", "520n", "-n", "2"],
    "formula": ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sizes", "1,1k,64k"],
    "loggp": ["model", "--measure", "-b", "sim", "--rounds", "2"],
    "all": ["atlas-all", "-b", "sim", "--sizes", "0,64,1k", "--ranks", "14"],
    "multicast": ["atlas-1.6", "-b", "sim", "--ranks", "3,5,9", "--algorithm", "linear,binomial,native",
                  "--sizes", "0,1k"],
    "oneway": ["atlas-1.1", "-b", "shm", "--point-time", "5ms"],
    "farm": ["atlas-2.1", "-b", "sim", "-n", "10", "--occupation", "0,50"],
}

SVG = "{http://www.w3.org/2000/svg}"
USE = "{http://www.w3.org/1999/xlink}href"


def changed(record, **members):
    return json.loads(json.dumps({**record, **members}))


class Picture:
    """An SVG: its texts, and of each plotted part its marks and paths without those of the legend."""

    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.texts = ["".join(t.itertext()) for t in self.root.iter(SVG + "text")]
        self.parts = [g for g in self.root.iter(SVG + "g") if g.get("id", "").startswith("gnuplot_plot_")]
        self.marks = [sum(u.get(USE, "").startswith("#gpPt") for u in g.iter(SVG + "use")) for g in self.parts]
        self.size = (int(self.root.get("width")), int(self.root.get("height")))

    def has(self, text):
        """In one text, or wrapped into several."""
        return text in " ".join(self.texts)


def draw(place, *args):
    """(Done, Picture or None)"""
    out = os.path.join(place, "out.svg")
    if os.path.exists(out):
        os.unlink(out)
    done = run("plot", *args, "-o", out, cwd=place)
    return done, Picture(out) if done.rc == 0 else None


def script_of(place, *args):
    """(script, {name of a block of data: its rows})"""
    done = run("plot", *args, "--script", cwd=place)
    blocks = {}
    for name, text in re.findall(r"^\$(\w+) << END\n(.*?)^END$", done.out, re.M | re.S):
        blocks[name] = [[float(v) for v in line.split()] for line in text.splitlines() if line]
    return done.out, blocks


# ---- what is drawn ----

def each_alone(place, records):
    """Every result as SVG: well-formed, with who, where and when, and as many points as rows with a value."""
    columns = {"latency": "half_rtt_s", "shm": "half_rtt_s", "bandwidth": "bandwidth_Bps", "msgrate": "rate_msgps",
               "beff": "bandwidth_max_Bps", "beff-shm": "bandwidth_max_Bps", "model": "bandwidth_model_Bps",
               "hlrs": "pattern_bandwidth_Bps", "loggp": "half_rtt_s", "formula": "model_s",
               "all": "event_s", "multicast": "event_s", "oneway": "event_s", "farm": "frequency_Hz"}
    for name, record in records.items():
        done, picture = draw(place, f"{name}.json")
        if not ok(done.rc == 0 and not done.err and not done.out, f"{name}: drawn", done):
            continue
        column, env = columns[name], record["environment"]
        said = [record["command"], record["definition"], env["host"]["name"], env["time"]["start"], column]
        said += ["backend " + env["backend"]["name"]] if "backend" in env else []
        said += {"model": ["board 520n"], "formula": ["loggp L=1us,"]}.get(name, [])
        missing = [s for s in said if not picture.has(s)]
        ok(not missing, f"{name}: says what it is", (missing, picture.texts))
        rows = [r for r in record["rows"] if r[column] is not None]
        legend = sum(m > 0 and g.find(f".//{SVG}text") is not None for m, g in zip(picture.marks, picture.parts))
        equal(sum(picture.marks) - legend, len(rows), f"{name}: a point for each row with a value")
        ok(picture.has(", computed, host") == record["computed"], f"{name}: computed or measured", picture.texts)
        ok(picture.has("joined points are computed, without intervals") ==
           (record["computed"] and name not in ("hlrs", "loggp")), f"{name}: what is joined", picture.texts)
        ok(picture.has(" repetitions a point") or record["computed"], f"{name}: number of repetitions")


def joined(place):
    """Lines join computed points and no others."""
    text, blocks = script_of(place, "latency.json", "shm.json", "model.json")
    styles = re.findall(r"\$points(\d) using 1:2 with (\w+)", text)
    lines = re.findall(r"\$(\w+) using 1:2 with lines", text)
    equal((styles, lines), ([(str(i), "points") for i in range(3)], ["lines0", "lines2"]),
          "only computed points are joined")
    bad = [(x, y) for x, y in blocks["lines0"][1:] if not close_to(y, 1.4e-6 + max(x - 1, 0) * 1e-10, 1e-6)]
    ok(not bad and len(blocks["lines0"]) > 20, "by their time between them", bad)
    bandwidths = dict(script_of(place, "beff.json")[1]["lines0"])
    times = {x: x / y for x, y in bandwidths.items()}
    bad = [(x, t) for x, t in times.items() if 524288 < x < 1048576 and not close_to(
        t, times[524288] + (x / 524288 - 1) * (times[1048576] - times[524288]), 1e-6)]
    ok(not bad and len(times) > 21, "of bandwidths, too", bad)
    text, _ = script_of(place, "multicast.json")
    ok(text.count("with linespoints") == 4 and "interpolated" not in text, "straight over ranks", text)
    text, _ = script_of(place, "multicast.json", "--x", "algorithm")
    ok("linespoints" not in text and "what is computed has no intervals" in text, "none between texts", text)


def points(place, records):
    """Points, intervals and quantiles are those of the file; size 0 stands before a break."""
    text, blocks = script_of(place, "shm.json")
    rows = records["shm"]["rows"]
    got, want = blocks["points0"], [(r["size_B"], r["half_rtt_s"]) for r in rows]
    ok(len(got) == len(want) and all(close_to(g[1], w[1], 1e-6) for g, w in zip(got, want)), "values", (got, want))
    equal([g[0] for g in got[1:]], [w[0] for w in want[1:]], "places")
    ok(0 < got[0][0] < 8 and "'0 B' " in text and "'//'" in text, "size 0 has a place before a break", text)
    ok("0 B stands before the break, outside the logarithmic scale" in text, "and the caption says so", text)
    bars = [g[2:] for g in blocks.get("bars0", [])]
    ok(len(bars) == 4 and all(close_to(b[0], r["half_rtt_lo_s"], 1e-6) and close_to(b[1], r["half_rtt_hi_s"], 1e-6)
                              for b, r in zip(bars, rows)), "intervals", bars)
    ok("n = 8 repetitions a point; bars: 95 % interval of the median'" in text.replace("\n", ""), "what bars are", text)
    _, blocks = script_of(place, "shm.json", "-o", "x.svg")
    boxes = [g[3:] for g in blocks.get("boxes0", [])]
    ok(len(boxes) == 4 and all(close_to(g, r[f"half_rtt_{q}_s"], 1e-6) for b, r in zip(boxes, rows)
                               for g, q in zip(b, ("p50", "p90", "p99"))), "quantiles", boxes)


def gaps(place):
    """The line of computed points does not cross the break."""
    text, _ = script_of(place, "latency.json")
    block = re.search(r"^\$lines0 << END\n(.*?)^END$", text, re.M | re.S)[1]
    ok(len(block.split("\n\n")) == 2, "a gap behind size 0", block)


def scaled_intervals(place, records):
    """A column that is a multiple of another has its interval, to scale."""
    _, blocks = script_of(place, "beff-shm.json", "--column", "bandwidth_Bps")
    rows = records["beff-shm"]["rows"]
    want = [(r["bandwidth_Bps"] * r["time_s"] / r["time_hi_s"], r["bandwidth_Bps"] * r["time_s"] / r["time_lo_s"])
            for r in rows]
    got = [g[2:] for g in blocks.get("bars0", [])]
    ok(len(got) == len(rows) and all(close_to(g[i], w[i], 1e-6) for g, w in zip(got, want) for i in (0, 1)),
       "bandwidth by time", (got, want))


def series(place, records):
    """What makes series, and over what they are drawn."""
    def legend(*args):
        text, _ = script_of(place, *args)
        over = re.search(r"set label '(\w+)[^']*' at graph 0.5", text)
        return over and over[1], re.findall(r" title '([^']*)'", text)

    equal(legend("msgrate.json"), ("window", ["8 B", "64 B"]), "msgrate: over windows, a series for each size")
    equal(legend("bandwidth.json"), ("size_B", ["window 1", "window 16"]), "bandwidth: over sizes")
    equal(legend("multicast.json"), ("ranks", ["linear, 0 B", "linear, 1 KiB", "binomial, 0 B", "binomial, 1 KiB"]),
          "multicast: over ranks")
    equal(legend("multicast.json", "--x", "size_B"),
          ("size_B", [f"{a}, {r} ranks" for a in ("linear", "binomial") for r in (3, 5, 9)]), "multicast: over sizes")
    equal(legend("multicast.json", "--where", "algorithm=linear", "--where", "size_B=1k"), ("ranks", ["event_s"]),
          "only some rows")
    equal(legend("multicast.json", "--x", "algorithm", "--where", "size_B=0"),
          ("algorithm", [f"{r} ranks" for r in (3, 5, 9)]), "multicast: over texts")
    equal(legend("hlrs.json"), ("pattern", ["pattern_bandwidth_Bps"]), "patterns of b_eff")
    equal(legend("farm.json"), ("size_B", ["occupation 0 s", "occupation 50 us"]), "farm: one number of ranks")
    equal(legend("farm.json", "--x", "occupation_s", "--where", "size_B=0", "--column", "event_s"),
          ("occupation_s", ["event_s"]), "farm: over the occupation")
    over, labels = legend("all.json")
    equal(over, "size_B", "all benchmarks: over sizes")
    ok("atlas-1.6, binomial, load none, 14 ranks" in labels, "all benchmarks: a series for each", labels)
    equal(legend("beff.json", "model.json"), ("size_B", ["beff.json", "model.json, bandwidth_model_Bps"]),
          "measured and model: names of the files")
    equal(legend("model.json", "latency.json"), ("size_B", ["model.json, model_s", "latency.json"]),
          "what was measured decides")
    equal(legend("latency.json", "formula.json"), ("size_B", ["latency.json", "formula.json, model_s"]),
          "of a model's patterns the one to compare with")
    equal(legend("latency.json", "formula.json", "--where", "pattern=one-way,stream"),
          ("size_B", ["latency.json", "formula.json, model_s, one-way", "formula.json, model_s, stream"]),
          "or those that are wanted")
    equal(legend("beff.json", "model.json", "--title", "one", "--title", "two"),
          ("size_B", ["one", "two, bandwidth_model_Bps"]), "titles")
    equal(legend("latency.json", "--title", "one"), ("size_B", ["one"]), "the title of one")
    os.makedirs(os.path.join(place, "sub"), exist_ok=True)
    write_result(place, "sub/latency.json", records["latency"])
    equal(legend("latency.json", "sub/latency.json")[1], ["latency.json", "sub/latency.json"], "two files of one name")


def overlay(place, records):
    """The simulated ring lies on the formula."""
    _, blocks = script_of(place, "beff.json", "model.json")
    same = [(a, b) for a, b in zip(blocks["points0"], blocks["points1"]) if a[0] == b[0] and close_to(a[1], b[1], 1e-3)]
    equal(len(same), len(records["model"]["rows"]), "simulated and computed points are the same")


def segments(place, records):
    """Lines stand for what was fitted, within its segments."""
    text, blocks = script_of(place, "loggp.json")
    bad = [(x, y) for x, y in blocks.get("fit0", []) if not close_to(y, 1.4e-6 + (x - 1) * 1e-10, 1e-6)]
    ok(blocks.get("fit0") and not bad, "the line of one segment", bad or text)
    equal((blocks["fit0"][0][0], blocks["fit0"][-1][0]), (1, 1048576), "from its first point to its last")
    ok("with points" in text and "linespoints" not in text, "the points themselves are not joined", text)
    ok("lines without marks: fitted" in text and "n = 2 repetitions a point" in text, "and the caption says so", text)
    two = changed(records["loggp"])
    for i, row in enumerate(two["rows"]):
        row["segment"] = 1 + (i >= 40)
        row["gap_error"] = 0.25 if i >= 40 else 0
    write_result(place, "x.json", two)
    text, blocks = script_of(place, "x.json", "--column", "gap_s")
    pieces = re.search(r"^\$fit0 << END\n(.*?)^END$", text, re.M | re.S)[1].strip().split("\n\n")
    ends = [[tuple(map(float, piece.splitlines()[i].split())) for i in (0, -1)] for piece in pieces]
    want = [[(r["size_B"], r["gap_s"] * (1 + r["gap_error"])) for r in (two["rows"][i], two["rows"][k])]
            for i, k in ((0, 39), (40, 75))]
    good = [close_to(a, b, 1e-6) for e, w in zip(ends, want) for p, q in zip(e, w) for a, b in zip(p, q)]
    ok(len(ends) == 2 and all(good), "two segments", (ends, want))


def fitted(place, records):
    """The line of a measured series: t0 + n/r_inf of its last row."""
    text, blocks = script_of(place, "oneway.json", "--where", "load=none")
    rows = [r for r in records["oneway"]["rows"] if r["load"] == "none"]
    t0, r_inf = rows[-1]["t0_s"], rows[-1]["r_inf_Bps"]
    if t0 is None or r_inf is None:
        skip("fitted line", "this series has none")
        return
    bad = [(x, y) for x, y in blocks.get("fit0", []) if not close_to(y, t0 + x / r_inf, 1e-6)]
    ok(blocks.get("fit0") and not bad, "the line of a series", bad or text)
    ok("lines without marks: fitted" in text, "and the caption says so", text)


# ---- what is said ----

def remarks(place, records):
    _, picture = draw(place, "multicast.json")
    ok(picture.has("not drawn: 6 of 18 rows, without event_s or ranks (n/a: needs 'bcast', which sim does not offer)"),
       "what could not be measured", picture.texts)
    _, picture = draw(place, "bandwidth.json")
    ok(picture.has("not drawn: messages of 0 B, which have no bandwidth_Bps"), "no bandwidth at 0 B", picture.texts)
    for status, want in {"incomplete": "incomplete, points may be missing", "interrupted": "interrupted, points may be",
                         "failed": "failed, these numbers are not to be trusted"}.items():
        write_result(place, "x.json", changed(records["shm"], status=status, warnings=["one", "two"]))
        _, picture = draw(place, "x.json", "latency.json")
        ok(picture and picture.has("x.json: " + want), f"status {status}", picture and picture.texts)
        ok(picture and picture.has("x.json: warning: one") and picture.has("x.json: warning: two"), "warnings",
           picture and picture.texts)
    write_result(place, "x.json", changed(records["shm"], warnings=[f"warning {i}" for i in range(9)]))
    _, picture = draw(place, "x.json")
    ok(picture.has("warning 3") and not picture.has("warning 4") and picture.has("and 5 more warnings"),
       "many warnings", picture.texts)
    few = changed(records["shm"])
    for row in few["rows"][1:]:
        row["half_rtt_lo_s"] = row["half_rtt_hi_s"] = None
        row["repetitions"] = 5
    write_result(place, "x.json", few)
    _, picture = draw(place, "x.json")
    ok(picture.has("n = 5 to 8 repetitions a point; bars: 95 % interval of the median, which 3 of 4 points have not; "
                   "it needs 6 repetitions"), "points without interval", picture.texts)


def texts(place, records):
    """No text means anything to gnuplot, XML or a terminal, wherever it comes from."""
    plain = "a'b\"c\\n`touch hacked`@x_{1}^2 <&> %s %d $points0 "
    nasty = plain + "\x1b[31m\x7f \u00e9\u4e16\U0001f600\n!touch hacked\nexit"
    shown = plain + "?[31m? \u00e9\u4e16\U0001f600?!touch"
    new = changed(records["multicast"], command="atlas" + nasty, definition=nasty, status=nasty, warnings=[nasty])
    new["environment"]["host"]["name"] = new["environment"]["backend"]["name"] = nasty
    for c in new["columns"]:
        if c["name"] == "event_s":
            c["unit"] = "%s%n'" + nasty
    for row in new["rows"]:
        row["algorithm"] += nasty
        row["note"] = row["note"] and nasty
    write_result(place, "x.json", new)
    for args in (["x.json"], ["x.json", "--title", nasty]):
        done, picture = draw(place, *args)
        ok(done.rc == 0 and not done.err, f"drawn: {args[:2]}", done)
        ok(picture and picture.has(shown), "the text is there as it was", picture and picture.texts)
    done = run("plot", "x.json", "--size", "200x60", cwd=place)
    ok(done.rc == 0 and "\x1b" not in done.out, "in a terminal", done)
    name = os.path.join(place, "it's \u00e9.svg")
    text = run("plot", "latency.json", "--script", "-o", name, cwd=place).out
    done = subprocess.run(["gnuplot"], input=text, text=True, capture_output=True, cwd=place)
    ok(done.returncode == 0 and os.path.exists(name), "a script writes to a file of any name", done)
    equal(run("plot", "latency.json", "--script", "-o", "a\nb.svg", cwd=place).rc, 2, "but for a control character")
    done = run("plot", "latency.json", "-o", b"\xff'\n`touch hacked`.svg".decode(errors="surrogateescape"), cwd=place)
    ok(done.rc == 0 and os.path.exists(os.path.join(os.fsencode(place), b"\xff'\n`touch hacked`.svg")),
       "the file's name is none of gnuplot's business", done)
    ok(not os.path.exists(os.path.join(place, "hacked")), "nothing was run")


# ---- forms ----

def forms(place):
    done = run("plot", "latency.json", "-o", "x.png", "--size", "700x500", cwd=place)
    with open(os.path.join(place, "x.png"), "rb") as f:
        head = f.read(24)
    ok(done.rc == 0 and not done.out and head[:8] == b"\x89PNG\r\n\x1a\n", "PNG", done)
    equal(struct.unpack(">II", head[16:24]), (700, 500), "its size")
    done = run("plot", "latency.json", "-o", "x.pdf", cwd=place)
    if done.rc == 3:
        skip("PDF", done.err.strip())
    else:
        with open(os.path.join(place, "x.pdf"), "rb") as f:
            text = f.read()
        ok(done.rc == 0 and text[:5] == b"%PDF-" and b"%%EOF" in text[-32:], "PDF", done)
    _, picture = draw(place, "latency.json", "--size", "640x480")
    equal(picture.size, (640, 480), "size of an SVG")
    _, picture = draw(place, "all.json")
    ok(picture.size[0] == 960 and picture.size[1] > 600, "the height grows with the legend", picture.size)
    with open(os.path.join(place, "old.svg"), "w") as f:
        f.write("x" * 1000000)
    done = run("plot", "latency.json", "-o", "old.svg", cwd=place)
    ok(done.rc == 0 and Picture(os.path.join(place, "old.svg")).marks, "a file that was there is replaced", done)


def terminal(place):
    """All text is there whole, at any size; lines are no longer than that."""
    wants = {
        "latency.json": ["half_rtt_s: half round trip in s", "size_B: message size in B", " 0 B ", " 4 KiB ",
                         "joined points are computed, without intervals", "A half_rtt_s"],
        "msgrate.json": ["rate_msgps: message rate in msg/s", "window: messages in flight", "A*8 B", "B#64 B", " 16 "],
        "multicast.json": ["event_s: time of an iteration", "ranks: ranks that take part", "linear, 0 B",
                           "binomial, 1 KiB"],
    }
    for file, want in wants.items():
        for size in ("80x24", "80x25", "101x33", "133x50"):
            done = run("plot", file, "--size", size, cwd=place)
            lines = done.out.splitlines()
            missing = [w for w in want if w not in done.out]
            ok(done.rc == 0 and not missing, f"terminal: {file}, {size}", f"{missing}\n{done.out}\n{done}")
            w, h = map(int, size.split("x"))
            ok(len(lines) <= h and max(map(len, lines)) <= w, "it fits", (len(lines), max(map(len, lines))))
    done = run("plot", "latency.json", "--term", cwd=place)
    ok(done.rc == 0 and done.out.count("A") >= 6, "--term", done)
    two = run("plot", "latency.json", "latency.json", cwd=place)
    ok(two.rc == 0, "a file twice", two)


def in_a_terminal(place):
    """The size is that of the terminal, less a line for the prompt."""
    if not shutil.which("script"):
        skip("terminal's size", "no script(1)")
        return
    from tap import NETBENCH
    p = subprocess.run(["script", "-qec", f"stty cols 97 rows 41; '{NETBENCH}' plot latency.json", "/dev/null"],
                       cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = [x for x in p.stdout.replace("\r", "").split("\n") if x.strip()]
    ok(p.returncode == 0 and lines and max(map(len, lines)) == 97 and 37 <= len(lines) <= 40, "the terminal's size",
       p.stdout)


def scripts(place):
    """The script draws the same when it is run by hand."""
    done = run("plot", "latency.json", "model.json", "--script", "-o", "by-hand.svg", cwd=place)
    ok(done.rc == 0 and not done.err and not os.path.exists(os.path.join(place, "by-hand.svg")),
       "a script draws nothing", done)
    env = {**os.environ, "PATH": ""}
    equal(run("plot", "latency.json", "--script", cwd=place, env=env).rc, 0, "a script needs no gnuplot")
    p = subprocess.run(["gnuplot"], input=done.out, text=True, capture_output=True, cwd=place)
    direct, picture = draw(place, "latency.json", "model.json")
    ok(p.returncode == 0 and not p.stderr and direct.rc == 0, "run by hand", p)
    by_hand = Picture(os.path.join(place, "by-hand.svg"))
    equal((by_hand.texts, by_hand.marks), (picture.texts, picture.marks), "the same picture")


# ---- faults ----

def refused(done, rc, words, name):
    ok(done.rc == rc and len(done.err.splitlines()) == 1 and done.err.startswith("netbench: ") and words in done.err and
       not done.out, name, done)


def usage(place, records):
    for args, words in {
        (): "no result file given",
        ("missing",): "cannot read 'missing'",
        ("out.svg",): "is not JSON",
        ("latency.json", "-o", "x.gif"): "must end in .svg, .png or .pdf",
        ("latency.json", "-o", "x"): "must end in",
        ("latency.json", "-o", "x.svg", "--term"): "'--term'",
        ("latency.json", "--column", "half_rtt"): "has no column 'half_rtt', did you mean 'half_rtt_s'?",
        ("latency.json", "--column", "stop"): "column 'stop' of 'latency.json' has texts, not numbers",
        ("latency.json", "--x", "wombat"): "'latency.json' has no column 'wombat'",
        ("latency.json", "msgrate.json"): "'msgrate.json' has no column 'half_rtt_s'",
        ("latency.json", "--where", "size_B"): "is not name=value",
        ("latency.json", "--where", "=1"): "is not name=value",
        ("latency.json", "--where", "wombat=1"): "has no column 'wombat'",
        ("latency.json", "--where", "size_B=7"): "nothing to draw",
        ("latency.json", "--title", "a", "--title", "b"): "'--title' is given 2 times",
        ("latency.json", "--size", "big"): "size 'big' is not WxH, such as 960x600",
        ("latency.json", "--size", "80x24x2"): "is not WxH",
        ("latency.json", "--size", "10x10"): "size '10x10' is not between",
        ("latency.json", "--size", "99999x99999"): "is not between",
        ("all.json", "--size", "80x24"): "no room in 80x24",
        ("latency.json", "-o", "no/such/x.svg"): "cannot open 'no/such/x.svg'",
        ("latency.json", "-o", "sub.svg"): "cannot open 'sub.svg'",
    }.items():
        if args[-1:] == ("sub.svg",):
            os.makedirs(os.path.join(place, "sub.svg"), exist_ok=True)
        refused(run("plot", *args, cwd=place), 2, words, f"refused: {' '.join(args)}")
    plain = changed(records["latency"])
    plain["columns"] = [c for c in plain["columns"] if c["type"] == "text"]
    write_result(place, "x.json", plain)
    refused(run("plot", "x.json", cwd=place), 2, "'x.json' has no numeric column to draw", "no numeric columns")
    write_result(place, "x.json", changed(records["latency"], rows=[]))
    refused(run("plot", "x.json", cwd=place), 2, "nothing to draw: no row has both 'half_rtt_s' and 'size_B'",
            "no rows")


def unwritable(place):
    os.symlink("/dev/full", os.path.join(place, "full.svg"))
    refused(run("plot", "latency.json", "-o", "full.svg", cwd=place), 1, "cannot write 'full.svg'", "a full disk")
    with open("/dev/full", "w") as full:
        for more in ([], ["--script"]):
            done = run("plot", "latency.json", *more, cwd=place, stdout=full)
            ok(done.rc == 1 and "cannot write standard output" in done.err, f"full standard output {more}", done)


def fake(place, text):
    """PATH with a gnuplot that does something else."""
    there = os.path.join(place, "bin")
    os.makedirs(there, exist_ok=True)
    with open(os.path.join(there, "gnuplot"), "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(os.path.join(there, "gnuplot"), 0o755)
    return {**os.environ, "PATH": there + ":/usr/bin:/bin"}


def without_gnuplot(place):
    env = {**os.environ, "PATH": ""}
    refused(run("plot", "latency.json", cwd=place, env=env), 3, "gnuplot is not installed", "no gnuplot")
    refused(run("plot", "latency.json", "-o", "none.svg", cwd=place, env=env), 3, "gnuplot is not installed",
            "none for a file")
    ok(not os.path.exists(os.path.join(place, "none.svg")), "no file is left")
    env = fake(place, "")
    os.chmod(os.path.join(place, "bin/gnuplot"), stat.S_IREAD)
    refused(run("plot", "latency.json", cwd=place, env={**env, "PATH": place + "/bin"}), 3, "cannot run 'gnuplot'",
            "not executable")


def failing(place):
    complaint = "printf 'gnuplot> plot\\n  ^\\n    line 7: something odd\\n    line 9: more\\n' >&2\n"
    for text, rc, words in (
            ("cat >/dev/null\n" + complaint + "exit 1\n", 1, "gnuplot failed: line 7: something odd\n"),
            (complaint + "exit 1\n", 1, "gnuplot failed: line 7: something odd\n"),
            ("cat >/dev/null\nexit 5\n", 1, "gnuplot failed: no message\n"),
            ("cat >/dev/null\necho half\necho oops >&2\nexit 1\n", 1, "gnuplot failed: oops\n"),
            ("cat >/dev/null\nexit 0\n", 1, "gnuplot drew nothing"),
            ("kill -9 $$\n", 1, "gnuplot was killed by signal 9"),
            ("cat >/dev/null\nexit 3\n", 3, "this gnuplot lacks the terminal 'pdfcairo'")):
        done = run("plot", "latency.json", "-o", "none.pdf", cwd=place, env=fake(place, text))
        refused(done, rc, words, f"gnuplot: {text!r}")
        ok(not os.path.exists(os.path.join(place, "none.pdf")), "no file is left")
    done = run("plot", "latency.json", "-o", "warned.pdf", cwd=place,
               env=fake(place, "cat >/dev/null\necho drawn\n" + complaint))
    ok(done.rc == 0 and done.err == "netbench: warning: gnuplot: line 7: something odd\n",
       "what it remarks is passed on", done)
    real = shutil.which("gnuplot")
    env = fake(place, f"sed 's/GPVAL_TERMINALS/\"none\"/' | {real} \"$@\"\n")
    refused(run("plot", "latency.json", "-o", "none.png", cwd=place, env=env), 3, "lacks the terminal 'pngcairo'",
            "the script looks for the terminal")


def odd_values(place, records):
    """No value of any type where another is expected brings it down, nor do extreme numbers."""
    base = records["multicast"]
    for value in (None, True, -7, 0, 1e300, 1e-300, -1e308, "text", [], [1], {}, {"a": None}):
        new = changed(base, status=value, warnings=value, definition=value, summary=value)
        new["options"] = {k: value for k in new["options"]}
        new["environment"] = {k: value for k in new["environment"]}
        for rows in ([{k: value for k in row} for row in base["rows"]],
                     [{**row, "event_s": value} if i % 2 else row for i, row in enumerate(base["rows"])],
                     [{**row, "ranks": value} if i % 2 else row for i, row in enumerate(base["rows"])]):
            write_result(place, "x.json", {**new, "rows": rows + [{}]})
            for more in ([], ["-o", "x.svg"]):
                done = run("plot", "x.json", *more, cwd=place)
                ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"values {value!r} {more}", done)


with tempfile.TemporaryDirectory() as there:
    made = make_results(there, RESULTS)
    if not shutil.which("gnuplot"):
        skip("everything", "no gnuplot")
    elif len(made) == len(RESULTS):
        each_alone(there, made)
        joined(there)
        points(there, made)
        gaps(there)
        scaled_intervals(there, made)
        series(there, made)
        overlay(there, made)
        segments(there, made)
        fitted(there, made)
        remarks(there, made)
        texts(there, made)
        forms(there)
        terminal(there)
        in_a_terminal(there)
        scripts(there)
        usage(there, made)
        unwritable(there)
        without_gnuplot(there)
        failing(there)
        odd_values(there, made)
finish()

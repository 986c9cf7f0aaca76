# SPDX-License-Identifier: Apache-2.0
"""netbench plot: what is said where nothing can be drawn, and where gnuplot is not what it should be."""
import os
import shutil

import pytest
from netbench import equal, named, ok, run, write_result
from picture import changed

pytestmark = [pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot"), pytest.mark.usefixtures("records")]

RESULTS = {
    "latency": ["latency", "-b", "sim", "--sizes", "0,8,64,512,4k"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "8,64", "--window", "1,4,16"],
    "all": ["atlas-all", "-b", "sim", "--sizes", "0,64,1k", "--ranks", "14"],
}


def refused(done, rc, words, name):
    ok(done.rc == rc and len(done.err.splitlines()) == 1 and done.err.startswith("netbench: ") and words in done.err and
       not done.out, name, done)


@pytest.mark.parametrize("args, text", named((
    ((), "no result file given"),
    (("missing",), "cannot read 'missing'"),
    (("out.svg",), "is not JSON"),
    (("latency.json", "-o", "x.gif"), "must end in .svg, .png or .pdf"),
    (("latency.json", "-o", "x"), "must end in"),
    (("latency.json", "-o", "x.svg", "--term"), "'--term'"),
    (("latency.json", "--column", "half_rtt"), "has no column 'half_rtt', did you mean 'half_rtt_p50_s'?"),
    (("latency.json", "--column", "stop"), "column 'stop' of 'latency.json' has texts, not numbers"),
    (("latency.json", "--x", "wombat"), "'latency.json' has no column 'wombat'"),
    (("latency.json", "msgrate.json"), "'msgrate.json' has no column 'half_rtt_p50_s'"),
    (("latency.json", "--where", "size_B"), "is not name=value"),
    (("latency.json", "--where", "=1"), "is not name=value"),
    (("latency.json", "--where", "wombat=1"), "has no column 'wombat'"),
    (("latency.json", "--where", "size_B=7"), "nothing to draw"),
    (("latency.json", "--label", "a", "--label", "b"), "'--label' is given 2 times"),
    (("latency.json", "--size", "big"), "size 'big' is not WxH, such as 960x600"),
    (("latency.json", "--size", "80x24x2"), "is not WxH"),
    (("latency.json", "--size", "10x10"), "size '10x10' is not between"),
    (("latency.json", "--size", "99999x99999"), "is not between"),
    (("latency.json", "--linear", "z"), "'z' of '--linear'"),
    (("latency.json", "--x-range", "8"), "value '8' of '--x-range' is not A:B"),
    (("latency.json", "--x-range", "8:1furlong"), "value '8:1furlong' of '--x-range' is not a range of 'size_B', which is in B"),
    (("latency.json", "--x-range", "4k:8"), "range '4k:8' of '--x-range' is empty"),
    (("latency.json", "--y-range", "1us:1B"), "is not a range of 'half_rtt_p50_s', which is in s"),
    (("latency.json", "--y-range", "nan:1"), "is not a range of"),
    (("latency.json", "--y-range", "1s:"), "no point is within the range of the axes"),
    (("all.json", "--where", "benchmark=1.1", "--x", "load", "--x-range", "1:2"), "which have no range"),
    (("all.json", "--size", "80x16"), "no room in 80x16"),
    (("latency.json", "-o", "no/such/x.svg"), "cannot open 'no/such/x.svg'"),
    (("latency.json", "-o", "sub.svg"), "cannot open 'sub.svg'"))))
def test_what_cannot_be_drawn_is_refused_by_name(args, text):
    os.makedirs("sub.svg")
    run("plot", "latency.json", "-o", "out.svg")
    refused(run("plot", *args), 2, text, f"refused: {' '.join(args)}")


def test_a_result_without_numbers_is_not_drawn(records):
    plain = changed(records["latency"])
    plain["columns"] = [c for c in plain["columns"] if c["type"] == "text"]
    write_result(".", "x.json", plain)
    refused(run("plot", "x.json"), 2, "'x.json' has no numeric column to draw", "no numeric columns")


def test_a_result_without_rows_is_not_drawn(records):
    write_result(".", "x.json", changed(records["latency"], rows=[]))
    refused(run("plot", "x.json"), 2, "nothing to draw of 'x.json': it has no rows", "no rows")


def test_a_full_disk_is_told():
    os.symlink("/dev/full", "full.svg")
    refused(run("plot", "latency.json", "-o", "full.svg"), 1, "cannot write 'full.svg'", "a full disk")


@pytest.mark.parametrize("more", ([], ["--script"]), ids=("drawn", "script"))
def test_a_full_standard_output_is_told(more):
    with open("/dev/full", "w") as full:
        done = run("plot", "latency.json", *more, stdout=full)
    ok(done.rc == 1 and "cannot write standard output" in done.err, f"full standard output {more}", done)


# ---- gnuplot ----

NO_PATH = {**os.environ, "PATH": ""}


def fake(text, mode=0o755):
    """The environment with a gnuplot that does something else."""
    os.makedirs("bin")
    with open("bin/gnuplot", "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod("bin/gnuplot", mode)
    return {**os.environ, "PATH": os.path.abspath("bin") + ":/usr/bin:/bin"}


def test_without_gnuplot_there_is_a_line_and_no_file():
    refused(run("plot", "latency.json", env=NO_PATH), 3, "gnuplot is not installed", "no gnuplot")
    refused(run("plot", "latency.json", "-o", "none.svg", env=NO_PATH), 3, "gnuplot is not installed", "none for a file")
    ok(not os.path.exists("none.svg"), "no file is left")


def test_a_script_needs_no_gnuplot():
    equal(run("plot", "latency.json", "--script", env=NO_PATH).rc, 0, "a script needs no gnuplot")


def test_gnuplot_that_is_not_executable():
    env = {**fake("", 0o400), "PATH": os.path.abspath("bin")}
    refused(run("plot", "latency.json", env=env), 3, "cannot run 'gnuplot'", "not executable")


COMPLAINT = "printf 'gnuplot> plot\\n  ^\\n    line 7: something odd\\n    line 9: more\\n' >&2\n"


@pytest.mark.parametrize("text, rc, said", (
    ("cat >/dev/null\n" + COMPLAINT + "exit 1\n", 1, "gnuplot failed: line 7: something odd\n"),
    (COMPLAINT + "exit 1\n", 1, "gnuplot failed: line 7: something odd\n"),
    ("cat >/dev/null\nexit 5\n", 1, "gnuplot failed: no message\n"),
    ("cat >/dev/null\necho half\necho oops >&2\nexit 1\n", 1, "gnuplot failed: oops\n"),
    ("cat >/dev/null\nexit 0\n", 1, "gnuplot drew nothing"),
    ("kill -9 $$\n", 1, "gnuplot was killed by signal 9"),
    ("cat >/dev/null\nexit 3\n", 3, "this gnuplot lacks the terminal 'pdfcairo'")))
def test_a_failure_of_gnuplot_is_told_and_no_file_is_left(text, rc, said):
    done = run("plot", "latency.json", "-o", "none.pdf", env=fake(text))
    refused(done, rc, said, f"gnuplot: {text!r}")
    ok(not os.path.exists("none.pdf"), "no file is left")


def test_remarks_of_gnuplot_are_passed_on():
    done = run("plot", "latency.json", "-o", "warned.pdf", env=fake("cat >/dev/null\necho drawn\n" + COMPLAINT))
    ok(done.rc == 0 and done.err == "netbench: warning: gnuplot: line 7: something odd\n",
       "what it remarks is passed on", done)


def test_the_script_looks_for_the_terminal():
    real = shutil.which("gnuplot")
    env = fake(f"sed 's/GPVAL_TERMINALS/\"none\"/' | {real} \"$@\"\n")
    refused(run("plot", "latency.json", "-o", "none.png", env=env), 3, "lacks the terminal 'pngcairo'",
            "the script looks for the terminal")

# SPDX-License-Identifier: Apache-2.0
"""No line is wider than 80 columns where all columns are not asked for and no terminal has room; files keep the same whatever the
terminal."""
import json
import os
import pty
import re
import subprocess
import pytest
from netbench import NETBENCH, equal, ok, run

COMMANDS = (["beff"], ["latency"], ["msgrate"], ["bandwidth"], ["atlas-1.1"], ["atlas-1.2"], ["atlas-1.3"], ["atlas-1.6", "-n", 3],
            ["atlas-1.7"], ["atlas-2.1", "-n", 6], ["atlas-2.2", "-n", 6], ["atlas-2.3", "-n", 7])


HINT = "(more columns: --wide)"


def table_of(out):
    """Heading and rows of a table: from behind its title, which may go on in other lines, to the first empty one, or the hint."""
    lines = out.splitlines()[1:]
    while re.match(r"  \S", lines[0]) and "  " not in lines[0].strip():
        lines.pop(0)
    return lines[:next((i for i, x in enumerate(lines) if not x or x == HINT), len(lines))]


def on_terminal(columns, *args, cwd=None):
    """What netbench prints on a terminal of so many columns."""
    main, other = pty.openpty()
    subprocess.run(["stty", "cols", str(columns)], stdin=other, check=True)
    with subprocess.Popen([NETBENCH, *args], stdout=other, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=cwd) as p:
        p.wait(60)
    os.close(other)
    text = b""
    try:
        while part := os.read(main, 65536):
            text += part
    except OSError:     # the other end is closed
        pass
    os.close(main)
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_tables_fit_80_columns_and_point_to_the_rest(command):
    done = run(*command, "-b", "sim", "--sizes", "0,1M")
    wide = run(*command, "-b", "sim", "--sizes", "0,1M", "--wide")
    narrow = table_of(done.out)
    ok(len(narrow) >= 3 and max(map(len, narrow)) < 80, "in 79 characters", done)
    ok(HINT in done.out.splitlines(), "a hint to the rest", done)
    ok(len(table_of(wide.out)[0]) > 100 and "--wide" not in wide.out, "all columns if they are asked for", wide)
    heads, all_heads = (re.split(r" {2,}", x[0].strip()) for x in (narrow, table_of(wide.out)))
    equal([h for h in heads if h not in all_heads], [], "the same columns, fewer of them")


LOGP, CYCLES, LOGGP = "L=6us,o=2us,g=4us", "L=6,o=2,g=4", "L=1us,o=200ns,g=300ns,G=0.1ns"
RESULTS = {     # what others below read
    "latency.json": ["latency", "--sizes", "8,1M"], "slower.json": ["latency", "--sizes", "8,1M", "--sim", "L=1.3us,o=200ns,g=300ns,G=0.1ns"],
    "msgrate.json": ["msgrate", "--sizes", "8,1k", "--window", "1,8", "--batch", "1,2", "--sim", "rdma:o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us"], "beff.json": ["beff"],
    "atlas.json": ["atlas-all", "-n", "4", "--sizes", "8"], "map.json": ["map", "-n", "4"],
    "worse.json": ["map", "-n", "4", "--sim-fault", "host:2,send,0.7"],
}
LINES = [line.split() for line in f"""
beff -b sim
beff -b sim -n 3 --rate-unit bit
beff -b sim -n 4 --rule hlrs
beff -b sim -n 4 --rule hpcc-fpga
check -b sim
latency -b sim --sizes 8 --predict
msgrate -b sim --sizes 8 --predict
msgrate -b sim --sizes 8 --ack each --window 1,2,4,8,16,32,64
bandwidth -b sim --sizes 8
atlas-all -b sim -n 4 --sizes 8
map -b sim -n 4
map -b sim -n 12 --sim-fault host:2,send,0.7 --sim-fault latency:8,+500ns
map --from worse.json
compare latency.json slower.json
compare latency.json slower.json slower.json
compare msgrate.json msgrate.json
compare beff.json beff.json
compare atlas.json atlas.json
compare map.json worse.json
model --logp {CYCLES},P=8
model --logp {LOGP},P=4,8,1000 --arity 2,3
model --logp L=6us,o_s=2us,o_r=3us,g=4us,P=4,8
model --logp {CYCLES} --reach 30
model --logp {LOGP} --reach 30us
model --logp {CYCLES},P=4 --fft 16
model --logp {LOGP},P=4 --fft 16
model --logp {LOGP},P=4 --fft 16 --picture text
model --logp {CYCLES},P=8 --schedule table
model --logp {CYCLES},P=8 --schedule tree
model --logp {CYCLES} --schedule table --pattern ping-pong
model --loggp {LOGGP}
model --loggp {LOGGP},P=8 --fft 1024
model --loggp {LOGGP} --window 1,8,64
model --loggp {LOGGP} --against latency.json
model --loggp {LOGGP} --against msgrate.json
model --loggp {LOGGP} --against atlas.json
model --rdma o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us
model --example
model --example --read
model --example --window 1,4 --batch 1
model --example --schedule table
model --board 520n -n 2
model --measure -b sim --rounds 2
explain half_rtt_epoch_s
explain B/s
explain
list
atlas
latency -b sim --dry-run
check -b shm --dry-run
atlas-1.4 -b sim -n 4,8 --dry-run
--help
model --help
""".strip().splitlines()]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    there = tmp_path_factory.mktemp("results")
    for name, args in RESULTS.items():
        done = run(*args, "-b", "sim", "-o", name, cwd=there)
        assert done.rc == 0, done
    return there


@pytest.mark.parametrize("args", LINES, ids=" ".join)
def test_no_line_is_wider_than_80(args, results):
    done = run(*args, cwd=results)
    long = [x for x in done.out.splitlines() if len(x) > 80]
    ok(done.rc == 0 and done.out and not long, "as text", long or done)
    shown = on_terminal(80, *args, cwd=results)
    long = [x for x in shown.splitlines() if len(x) > 80]
    ok(shown and not long, "on a terminal", long)


@pytest.mark.parametrize("args", ["compare msgrate.json msgrate.json", f"model --logp {CYCLES},P=8", f"model --logp {CYCLES},P=4 --fft 16",
                                  "model --example", f"model --loggp {LOGGP}"])
def test_what_is_left_out_is_said_and_had(args, results):
    narrow, wide = run(*args.split(), cwd=results).out, run(*args.split(), "--wide", cwd=results).out
    heads, all_heads = (re.split(r" {2,}", table_of(x)[0].strip()) for x in (narrow, wide))
    ok(HINT in narrow.splitlines() and HINT not in wide, "a hint", narrow)
    ok(set(heads) < set(all_heads), "fewer of them", (heads, all_heads))
    equal(table_of(on_terminal(250, *args.split(), cwd=results)), table_of(wide), "a wide terminal has all")


def test_a_terminal_with_room_has_all(place):
    args = ["latency", "-b", "sim", "--sizes", "8"]
    path = str(place / "x.txt")
    ok("p99.9" in on_terminal(200, *args, "-o", path), "all columns on 200")
    ok("p99.9" not in on_terminal(100, *args), "some on 100")
    with open(path, encoding="utf-8") as f:
        equal(f.read(), run(*args).out, "a file has those of 80 whatever the terminal")


@pytest.mark.parametrize("columns", (80, 57))
def test_words_go_on_in_another_line_on_a_terminal(columns):
    args = ["atlas-1.6", "-b", "sim", "-n", "4", "--sizes", "8"]
    shown, whole = on_terminal(columns, *args), run(*args).out
    lines = [x for x in shown.splitlines() if not x.startswith(("algorithm", "linear", "binomial"))]
    ok(max(map(len, lines)) < columns and "MB/s" in whole, "none is too long", shown)
    ok(not re.search(r"\d$", "\n".join(lines), re.M), "a number stays beside its unit", shown)
    equal(shown.split(), whole.split(), "the same words")


def test_where_there_is_no_table():
    done = run("latency", "-b", "sim", "-f", "json", "--wide")
    ok(done.rc == 2 and "'--wide' is for tables" in done.err, "is refused", done)


def test_what_an_option_adds_is_shown():
    done = run("latency", "-b", "sim", "--sizes", "8", "--predict")
    ok("model" in table_of(done.out)[0], "beside the others", done)
    doc = json.loads(run("latency", "-b", "sim", "--sizes", "8", "-f", "json").out)
    ok({"half_rtt_p999_s", "loops"} <= {c["name"] for c in doc["columns"]}, "other formats have every column")

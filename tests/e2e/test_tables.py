# SPDX-License-Identifier: Apache-2.0
"""Tables fit 80 columns where all of them are not asked for and no terminal has room; files keep the same whatever the terminal."""
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
    """Heading and rows of a table: from its second line to the first empty one, or the hint."""
    lines = out.splitlines()[1:]
    return lines[:next((i for i, x in enumerate(lines) if not x or x == HINT), len(lines))]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_fits_80_columns(command):
    done = run(*command, "-b", "sim", "--sizes", "0,1M")
    wide = run(*command, "-b", "sim", "--sizes", "0,1M", "--wide")
    narrow = table_of(done.out)
    ok(len(narrow) >= 3 and max(map(len, narrow)) < 80, "in 79 characters", done)
    ok(HINT in done.out.splitlines(), "a hint to the rest", done)
    ok(len(table_of(wide.out)[0]) > 100 and "--wide" not in wide.out, "all columns if they are asked for", wide)
    heads, all_heads = (re.split(r" {2,}", x[0].strip()) for x in (narrow, table_of(wide.out)))
    equal([h for h in heads if h not in all_heads], [], "the same columns, fewer of them")


def on_terminal(columns, *args):
    """What netbench prints on a terminal of so many columns."""
    main, other = pty.openpty()
    subprocess.run(["stty", "cols", str(columns)], stdin=other, check=True)
    with subprocess.Popen([NETBENCH, *args], stdout=other, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as p:
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

# SPDX-License-Identifier: Apache-2.0
"""netbench plot of results of map: a cell for each ordered pair, the verdicts, the order of the hosts, tiles."""
import random
import re
import shutil

import pytest
from netbench import close_to, equal, named, ok, run, slow_but, write_result
from picture import SVG, Picture, changed, draw, script_of

pytestmark = pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")

RESULTS = {
    "twelve": ["map", "-b", "sim", "-n", "12", "--sim-fault", "host:2,send,0.7"],
    "four": ["map", "-b", "sim", "-n", "4"],
    "latency": ["latency", "-b", "sim", "--sizes", "8,64"],
}


@pytest.fixture(autouse=True)
def made(records):
    return records


def cells(blocks, number=0):
    """{(sender, receiver): value} of a map, without those that have none."""
    return {(int(y), int(x)): v for x, y, v in blocks[f"cells{number}"] if v == v}


def result_of(made, n, value, note=lambda i, j: None, name="made.json"):
    """Writes a result of n hosts, whose pairs have these bandwidths, and yields its name."""
    rows = [{"sender_host": f"n{i}", "receiver_host": f"n{j}", "bandwidth_Bps": value(i, j), "note": note(i, j)}
            for i in range(n) for j in range(n) if i != j]
    write_result(".", name, {**made["twelve"], "rows": rows})
    return name


def row_of(record, sender, receiver):
    return next(r for r in record["rows"] if (r["sender"], r["receiver"]) == (sender, receiver))


# ---- what is drawn ----

def test_each_pair_is_a_cell(made):
    """Rows send, columns receive; both quantities have their own."""
    text, blocks = script_of("twelve.json", "-o", "x.svg")
    for k, column in enumerate(("bandwidth_Bps", "half_rtt_epoch_s")):
        want = {(r["sender"], r["receiver"]): r[column] for r in made["twelve"]["rows"]}
        got = cells(blocks, k)
        ok(got.keys() == want.keys() and all(close_to(got[p], want[p], 1e-5) for p in want), column, (got, want))
    ok(text.count("set yrange [11.5:-0.5]") == 2 and text.count("set xrange [-0.5:11.5]") == 2, "the first row is on top", text)
    equal([(int(x), int(y)) for x, y in blocks["diagonal"]], [(i, i) for i in range(12)], "the diagonal is empty")
    ok("'n2' 2" in text and "'receive'" in text and "'send'" in text, "names", text)


def test_the_picture_says_what_it_is(made):
    done, picture = draw("twelve.json")
    if not ok(done.rc == 0 and not done.err and not done.out, "drawn", done):
        return
    verdict = made["twelve"]["summary"]["verdicts"][0]["text"]
    for text in ("map on sim: bandwidth and half round trip of all pairs of 12 hosts", f"bandwidth: {verdict}",
                 "latency: no host differs by more than 5 %, no pair by more than 8 %", "rows send, columns receive; hosts by name; dark is slow",
                 "map.v1", "computed"):
        ok(picture.has(text), text, picture.texts)
    equal([t for t in picture.texts if re.fullmatch(r"n\d+", t.strip())].count("n2"), 4, "names of rows and columns of both")
    ok(any("GB/s" in t for t in picture.texts) and any(t.endswith(" us") for t in picture.texts), "the bars have units")
    colours = re.findall(r"<polygon fill = 'rgb\(([\d, ]+)\)' points", open("out.svg", encoding="utf-8").read())
    ok(len(colours) > 2 * 12 * 11, "rectangles, which stay sharp", len(colours))


@pytest.mark.parametrize("size", slow_but([f"{s}-of-{n}" for n in (12, 4, 64) for s in ("400x300", "960x600", "1280x720", "400x900")],
                                          0, 1, 3, 11))
def test_all_text_is_within(size, made):
    size, n = size.split("-of-")
    name = result_of(made, int(n), lambda i, j: 1e10 if i == 2 else 1.4e10)
    done, picture = draw(name, "--size", size)
    ok(done.rc == 0 and not picture.outside(), f"{n} hosts, {size}", picture.outside() if picture else done)


@pytest.mark.parametrize("suffix", ("png", "pdf"))
def test_heat_maps_are_drawn_as_png_and_pdf(suffix, made):
    done = run("plot", "twelve.json", "-o", f"x.{suffix}")
    with open(f"x.{suffix}", "rb") as f:
        ok(done.rc == 0 and not done.err and f.read(4) in (b"\x89PNG", b"%PDF"), suffix, done)


def test_one_column_alone_is_drawn_with_its_meaning_of_dark(made):
    text, blocks = script_of("twelve.json", "-o", "x.svg", "--column", "half_rtt_epoch_s")
    ok("cells1" not in blocks and close_to(cells(blocks)[(2, 3)], row_of(made["twelve"], 2, 3)["half_rtt_epoch_s"], 1e-5) and
       "half round trip of all pairs" in text, "the half round trip alone", text[:600])
    text, _ = script_of("twelve.json", "-o", "x.svg", "--column", "visits")
    ok("dark is low" in text, "a count is neither slow nor fast", text[-600:])


def test_csv_has_the_same_picture(made):
    run("map", "-b", "sim", "-n", "4", "-o", "x.csv", "-o", "x.json")
    texts = [script_of(name, "-o", "x.svg")[0] for name in ("x.csv", "x.json")]
    equal(texts[0], texts[1], "script")


def test_bandwidths_of_pairs_are_in_bits_on_demand(made):
    text, blocks = script_of("twelve.json", "-o", "x.svg", "--rate-unit", "bit")
    ok(close_to(cells(blocks)[(0, 1)], 8 * row_of(made["twelve"], 0, 1)["bandwidth_Bps"], 1e-5) and "%cbit/s'" in text, "bits", text[:900])


def test_option_where_selects_the_hosts_of_a_heat_map(made):
    text, blocks = script_of("twelve.json", "-o", "x.svg", "--where", "sender_host=n2,n3,n10", "--where", "receiver_host=n2,n3,n10")
    equal((len(cells(blocks)), re.findall(r"'(n\d+)' \d", text)[:3]), (6, ["n2", "n3", "n10"]), "three hosts")
    ok("only rows with sender_host=n2,n3,n10" in text, "the caption says so")


def test_long_names_are_told_apart(made):
    """Without the domain that all have; of long ones the ends."""
    def named_as(pattern):
        rows = [{"sender_host": pattern.format(i), "receiver_host": pattern.format(j), "bandwidth_Bps": 1e9, "note": None}
                for i in range(4) for j in range(4) if i != j]
        write_result(".", "x.json", {**made["twelve"], "rows": rows})
        text, _ = script_of("x.json", "-o", "x.svg")
        return text, re.findall(r"'([^']*)' \d", re.search(r"set ytics.*", text)[0])
    text, names = named_as("n{}.rack1.example.org")
    ok(names == ["n0", "n1", "n2", "n3"] and "names of hosts end in .rack1.example.org" in text, "domain", (names, text[-500:]))
    equal(named_as("cluster-with-a-long-name-{}")[1], [f"...long-name-{i}" for i in range(4)], "ends")
    text, names = named_as("n0.rack{}.example.org")
    ok(names == [f"n0.rack{i}" for i in range(4)] and "end in .example.org" in text, "of a domain the rest", names)


# ---- pairs without a value ----

def test_missing_pairs_are_marked(made):
    lost, skipped = {(1, 2), (2, 1)}, {(0, 3)}
    name = result_of(made, 5, lambda i, j: None if (i, j) in lost | skipped else 1e9,
                     lambda i, j: "no answer" if (i, j) in lost else "not measured" if (i, j) in skipped else None)
    text, blocks = script_of(name, "-o", "x.svg")
    equal(sorted((int(y), int(x)) for x, y in blocks["failed0"]), sorted(lost), "crosses of those that failed")
    equal(len(cells(blocks)), 20 - 3, "the others")
    ok("2 pairs failed: red crosses" in text and "1 pair was not measured: grey" in text and "'#BDBDBD'" in text, "the caption", text[-900:])
    rows = [line[4:13:2] for line in run("plot", name, "--size", "80x30").out.splitlines() if re.match(r" n\d ", line)]
    equal(rows, [" .._.", ". X..", ".X ..", "... .", ".... "], "of characters")


def test_pairs_without_a_row_are_missing(made):
    rows = [r for r in made["four"]["rows"] if (r["sender"], r["receiver"]) != (1, 3)]
    write_result(".", "x.json", changed(made["four"], rows=rows))
    text, blocks = script_of("x.json", "-o", "x.svg")
    ok(len(cells(blocks)) == 11 and "1 pair was not measured: grey" in text, "eleven of twelve", text[-600:])


# ---- colours ----

def ends(text):
    return [float(v) for v in re.search(r"set cbrange \[(.*):(.*)\]", text).groups()]


def test_slow_is_dark_in_both(made):
    text, _ = script_of("twelve.json", "-o", "x.svg")
    palettes = re.findall(r"set palette defined \((.*)\)", text)
    ok(palettes[0].startswith("0 '#440154'") and palettes[1].endswith("9 '#440154'"), "low bandwidths, long times", palettes)


def test_the_scale_spans_the_values_and_noise_does_not_fill_it(made):
    """Spans what is drawn, but noise does not fill it; logarithmic if there is much between."""
    healthy, _ = script_of(result_of(made, 5, lambda i, j: 1e9 + i), "-o", "x.svg")
    ok(close_to(ends(healthy)[1] / ends(healthy)[0], 1.25, 1e-6), "of alike values a quarter", ends(healthy))
    slow, _ = script_of(result_of(made, 5, lambda i, j: 5e8 if i == 1 else 1e9), "-o", "x.svg")
    ok(ends(slow) == [5e8, 1e9] and "unset logscale cb" not in slow.replace("\nunset logscale cb", "", 1), "linear", ends(slow))
    far, _ = script_of(result_of(made, 5, lambda i, j: 1e6 if i == 1 else 1e9), "-o", "x.svg")
    ok("\nset logscale cb" in far and ends(far) == [1e6, 1e9], "logarithmic", ends(far))
    linear, _ = script_of("made.json", "-o", "x.svg", "--linear", "y")
    ok("\nset logscale cb" not in linear, "unless that is not wanted")
    given, _ = script_of("made.json", "-o", "x.svg", "--y-range", "1MB/s:500MB/s")
    ok(ends(given) == [1e6, 5e8] and "16 cells are beyond the scale and drawn like its end" in given, "a given range", given[-600:])


# ---- order ----

def order_of(name, *args):
    text, _ = script_of(name, "-o", "x.svg", *args)
    return re.findall(r"'n(\d+)' \d", re.search(r"set ytics.*", text)[0])


def test_hosts_are_in_order_of_name_or_effect(made):
    equal(order_of("twelve.json")[:4], ["0", "1", "2", "3"], "by name")
    equal(order_of("twelve.json", "--order", "effect")[:3], ["2", "0", "1"], "the slowest first")
    receives = result_of(made, 6, lambda i, j: 7e8 if j == 4 else 8e8 if i == 3 else 1e9)
    equal(order_of(receives, "--order", "effect"), ["4", "3", "0", "1", "2", "5"], "in their slower direction")


def test_cells_move_with_the_order_of_hosts(made):
    _, blocks = script_of("twelve.json", "-o", "x.svg", "--order", "effect")
    values = cells(blocks)
    ok(max(values[(0, j)] for j in range(1, 12)) < min(values[(i, j)] for i in range(1, 12) for j in range(12) if i != j),
       "the slow row is the first")


def test_hosts_of_a_switch_stand_together(made):
    """Two switches whose hosts alternate, and noise."""
    r = random.Random(1)
    name = result_of(made, 16, lambda i, j: (1e9 if i % 2 == j % 2 else 6e8) * r.lognormvariate(0, 0.02))
    order = [int(v) % 2 for v in order_of(name, "--order", "cluster")]
    equal(order, [0] * 8 + [1] * 8, "hosts of a switch stand together")


# ---- tiles ----

@pytest.mark.parametrize("tile, value", (("worst", 1e8), ("median", 1e9)))
def test_a_tile_is_the_worst_or_the_median_of_its_pairs(tile, value, made):
    """Of 8 hosts in a terminal of so few lines one cell is four pairs."""
    name = result_of(made, 8, lambda i, j: 1e8 if (i, j) == (0, 7) else 1e9)
    text, _ = script_of(name, "--size", "60x19", "--tile", tile)
    said = " ".join(re.findall(r"set label '(.*)' at", text))
    what = "slowest" if tile == "worst" else "median"
    ok(f"a cell is a tile: the {what} of the pairs of 2 hosts with 2, named after the first host" in said, "the title says so", text)
    first = re.search(r"set label '(. . . .) *' at .*\nset label 'n0'", text)
    equal(first and first[1], ". . . @" if value == 1e8 else ". . . .", "its value")


@pytest.mark.slow
def test_many_hosts_are_tiles(made):
    name = result_of(made, 600, lambda i, j: 7e8 if i == 17 else 1e9)
    text, blocks = script_of(name, "-o", "x.svg")
    ok("the slowest of the pairs of 2 hosts with 2" in text and "with image," not in text, "tiles", text[:2000])
    values = cells(blocks)
    equal(({row for (row, _), v in values.items() if v < 8e8}, len(values)), ({8}, 300 * 300), "a slow host is seen")


def test_sixty_five_hosts_are_an_image(made):
    """A browser keeps its cells sharp."""
    done, picture = draw(result_of(made, 65, lambda i, j: 1e9))
    ok(done.rc == 0 and len(list(picture.root.iter(SVG + "image"))) == 1 and not picture.has("tile"), "of pairs", done)
    with open("out.svg", encoding="utf-8") as f:
        text = f.read()
    ok("image-rendering:pixelated" in text and len(text) < 100000, "sharp and small", len(text))


# ---- characters ----

def test_a_terminal_shows_cells_scale_and_verdicts(made):
    """Verdicts stand below."""
    done = run("plot", "twelve.json")
    lines = done.out.splitlines()
    row = next((line for line in lines if line.startswith(" n2 ")), "")
    ok(done.rc == 0 and not done.err and row.count("@") == 11, "the slow row", done.out)
    verdict = next((i for i, line in enumerate(lines) if made["twelve"]["summary"]["verdicts"][0]["text"] in line), 0)
    ok(verdict > lines.index(row), "a verdict", done.out)
    ok(re.search(r"6\.\d+ GB/s @%#\*\+=-:\. 9\.\d+ GB/s", done.out), "the scale", done.out)
    ok(all(len(line) <= 80 for line in lines), "80 columns")


# ---- what cannot be ----

@pytest.mark.parametrize("args, text", named((
    (("twelve.json", "four.json"), "a heat map shows one result"),
    (("twelve.json", "--y-range", "1us:2us"), "'--y-range' needs one quantity"),
    (("twelve.json", "--x-range", "1:2"), "has no x axis"),
    (("twelve.json", "--line", "1GB/s"), "option '--line' does not apply to heat maps"),
    (("twelve.json", "--column", "note"), "has texts, not numbers"),
    (("twelve.json", "--column", "bandwith_Bps"), "did you mean 'bandwidth_Bps'?"),
    (("twelve.json", "--where", "sender_host=zz"), "no row meets"),
    (("latency.json", "--order", "name"), "'--order' applies only to heat maps"),
    (("latency.json", "--tile", "worst"), "'--tile' applies only to heat maps"),
    (("twelve.json", "--x", "sender", "--order", "effect"), "'--order' applies only to heat maps"),
    (("twelve.json", "--size", "40x12"), "no room in 40x12"))))
def test_what_no_heat_map_shows_is_refused(args, text, made):
    done = run("plot", *args)
    ok(done.rc == 2 and len(done.err.splitlines()) == 1 and text in done.err and not done.out, text, done)


def test_pairs_without_values_are_not_drawn(made):
    name = result_of(made, 3, lambda i, j: None, lambda i, j: "no answer")
    done = run("plot", name)
    ok(done.rc == 2 and "no pair of hosts has a value" in done.err, "nothing to draw", done)


def test_points_of_maps_are_drawn_over_a_column(made):
    """As of other results."""
    done, picture = draw("twelve.json", "four.json", "--x", "size_B")
    ok(done.rc == 0 and isinstance(picture, Picture) and picture.points > 0, "--x draws points", done)

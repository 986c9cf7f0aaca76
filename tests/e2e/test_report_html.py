# SPDX-License-Identifier: Apache-2.0
"""netbench report --html: one page that asks nobody for anything, well-formed, with what the Markdown report has, pictures and the
files; in a browser if there is one."""
import base64
import collections
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import urllib.parse
import xml.etree.ElementTree as ElementTree

import pytest
from netbench import equal, make_results, ok, run, skip, write_result
from test_report import RESULTS, SECTIONS, changed

H = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script>\"'&amp;]]>\u202e"
FILES = [f"{name}.json" for name in RESULTS]
MOST = 5_000_000

HAS_GNUPLOT = shutil.which("gnuplot") is not None
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def made(shared_place):
    """(folder, {name: record})"""
    return shared_place, make_results(shared_place, RESULTS)


@pytest.fixture
def records(made, inside):
    """The records of RESULTS, whose files are in the folder in which the test runs."""
    shutil.copytree(made[0], inside, dirs_exist_ok=True)
    return made[1]


class Html:
    """A page, read as XML."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.root = ElementTree.fromstring(self.bytes)
        self.main = ["".join(h.itertext()) for h in self.root.iter(H + "h2")]
        self.text = "".join(self.root.find(H + "body").itertext())
        self.links = {"".join(a.itertext()): a for a in self.root.iter(H + "a") if a.get("download")}

    def attributes(self, *names):
        return [v for e in self.root.iter() for k, v in e.attrib.items() if k.split("}")[-1] in names]

    def section(self, title):
        """The text from a heading of the second level to the next."""
        parts, last = {}, ""
        for e in self.root.find(H + "body"):
            said = "".join(e.itertext())
            last = said if e.tag == H + "h2" else last
            parts[last] = "" if e.tag == H + "h2" else parts.get(last, "") + said + "\n"
        return parts[title]


def html_of(*args, out="out.html", **kwargs):
    done = run("report", "--html", out, *args, **kwargs)
    ok(done.rc == 0 and not done.out, "reported", done)
    return Html(out)


def bytes_of(link, kind="application/json"):
    head, _, data = link.get("href").partition(",")
    equal(head, f"data:{kind};base64", "the link's type")
    return base64.b64decode(data, validate=True)


# ---- the page as a whole ----

def check_page(page):
    """Well-formed, it has been read; what it names is in it, and nothing else is."""
    ok(len(page.bytes) < MOST, "below 5 MB", len(page.bytes))
    names = collections.Counter(page.attributes("id"))
    ok(all(n == 1 for n in names.values()), "each id once", names.most_common(3))
    places = page.attributes("src", "href", "action", "data", "srcset")
    away = [p[:60] for p in places if not p.startswith(("#", "data:application/json;base64,"))]
    ok(not away and places, "no link leaves the page", away)
    dangling = [p for p in places if p.startswith("#") and p[1:] not in names]
    ok(not dangling, "links within it arrive", dangling[:5])
    styles = "".join(e.text or "" for e in page.root.iter(H + "style")) + " ".join(page.attributes("style"))
    ok(not re.search(r"url\(|@import", styles), "no style fetches anything")
    fetching = {"link", "img", "iframe", "object", "embed", "base", "image", "audio", "video", "form"}
    ok(not fetching & {e.tag.split("}")[-1] for e in page.root.iter()}, "nothing that fetches")
    ok(not [k for e in page.root.iter() for k in e.attrib if k.startswith("on")], "no script in attributes")


def check_policy(page):
    """The browser refuses what is fetched, and each script but the one that is there."""
    scripts = [e.text for e in page.root.iter(H + "script")]
    policy = [e.get("content") for e in page.root.iter(H + "meta") if e.get("http-equiv") == "Content-Security-Policy"]
    equal(len(scripts), 1, "one script")
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    ok("default-src 'none'" in policy[0] and f"script-src 'sha256-{digest}'" in policy[0], "policy", policy)


def test_a_page_of_all_results_has_its_sections_in_order(records):
    page = html_of(*FILES)
    check_page(page)
    check_policy(page)
    equal(page.main, ["Pictures", *SECTIONS, "Raw data"], "sections in order")
    for name, record in records.items():
        ok(record["environment"]["netbench"]["command_line"] in page.text, f"{name}: the command that repeats it")


def test_it_has_what_the_markdown_has(records):
    """Word for word, but for links, lists and tables."""
    def plain(text):
        return re.sub(r"[\s|:*`\\-]+", "", text)
    markdown = run("report", "shm.json", "all.json", "--date", "x").out
    page = html_of("shm.json", "all.json", "--date", "x")
    for title in SECTIONS:
        said = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", markdown, re.M | re.S).group(1)
        said = re.sub(r"^#+ ", "", said, flags=re.M)
        equal(plain(page.section(title)), plain(said), f"'{title}' says the same")


def test_each_result_alone_has_tables(records):
    for name, record in records.items():
        page = html_of(f"{name}.json")
        check_page(page)
        equal(len(list(page.root.iter(H + "table"))) > 0, len(record["rows"]) > 0, f"{name}: has tables")


# ---- summary ----

def test_summary_names_number_interval_and_warnings(records):
    new = changed(records["shm"], warnings=["a", "b"])
    new["rows"][0].update(half_rtt_p50_s=1.25e-6, half_rtt_p50_lo_s=1e-6, half_rtt_p50_hi_s=2e-6)
    write_result(".", "shm.json", new)
    said = html_of("shm.json", "beff.json").section("Summary")
    ok("half round trip 1.250 us (95 % interval 1.000 us to 2.000 us) for messages of 8 B, the smallest of 2 sizes" in said,
       "latency", said)
    ok("b_eff " in said and "computed, not measured" in said, "b_eff", said)
    ok("2 of 2 results are complete. Warnings: 2, of 1 result" in said, "warnings are counted", said)


def test_summary_takes_the_most_of_rates_and_says_of_what(records):
    rows = records["msgrate"]["rows"]
    most = max(rows, key=lambda r: r["rate_msgps"])
    said = html_of("msgrate.json").section("Summary")
    ok(f"window {most['window']}, the most of {len(rows)} points" in said, "message rate", said)


def test_summary_of_what_is_not_complete(records):
    write_result(".", "x.json", changed(records["shm"], status="interrupted"))
    write_result(".", "y.json", changed(records["shm"], rows=[]))
    page = html_of("x.json", "y.json")
    said = page.section("Summary")
    ok("1 of 2 results are complete" in said and "no point was measured" in said, "said", said)
    ok("; interrupted: half round trip" in said, "in the sentence", said)
    ok("the run was interrupted" in [e.text for e in page.root.iter(H + "strong")], "it is called so")


def test_summary_prefers_what_ran_alone(records):
    rows = [dict(records["note"]["rows"][0], size_B=0, load=load, event_s=time, event_lo_s=time, event_hi_s=time)
            for load, time in (("both", 1e-6), ("none", 3e-6), ("none", 2e-6), ("receiver", 1e-6))]
    write_result(".", "x.json", changed(records["note"], rows=rows))
    said = html_of("x.json").section("Summary")
    ok("time of an iteration 2.000 us" in said and "load none" in said and "the least of its 2 points" in said, "without load", said)


def test_summary_of_what_could_not_be_measured_says_why(records):
    rows = [{**r, "event_s": None, "note": "n/a: too few ranks"} for r in records["note"]["rows"]]
    write_result(".", "x.json", changed(records["note"], rows=rows))
    ok("no value: n/a: too few ranks" in html_of("x.json").section("Summary"), "said")


def test_summary_names_wrong_messages_and_emulators(records):
    new = changed(records["shm"], rows=[{**r, "errors": 2} for r in records["shm"]["rows"]])
    new["environment"]["backend"]["emulated"] = "yes"
    write_result(".", "x.json", new)
    said = html_of("x.json").section("Summary")
    ok("; 4 messages wrong: " in said and "times of an emulator" in said, "both", said)


# ---- texts ----

def test_texts_are_no_html(records):
    new = changed(records["shm"], warnings=[EVIL], command="latency")
    new["environment"]["host"]["name"] = EVIL
    new["environment"]["netbench"]["command_line"] = EVIL
    new["environment"]["backend"]["method"] = EVIL + "\x1b\ufffe"
    new["rows"][0]["stop"] = EVIL
    new["columns"][0]["definition"] = EVIL
    name = "<b>'\" id='x.json"
    write_result(".", name, new)
    page = html_of("--title", EVIL, "--site", EVIL, "--author", EVIL, "--date", EVIL, name)
    check_page(page)
    check_policy(page)
    equal(page.root.find(f"{H}head/{H}title").text, EVIL, "the title is a text")
    equal([h.text for h in page.root.iter(H + "h1")], [EVIL], "so is the heading")
    for what in ("site", "author", "date"):
        ok(f"{what}: {EVIL}" in page.text, f"so is {what}")
    ok(page.text.count(EVIL) > 8 and "\x1b" not in page.text and "\ufffe" not in page.text, "and the others", page.text.count(EVIL))
    ok(name in page.links, "and the file's name", list(page.links))


def test_what_is_no_utf8_becomes_ascii(records):
    done = run("report", "--html", "out.html", "--title", b"a\xffb\xe4".decode(errors="surrogateescape"), "latency.json")
    ok(done.rc == 0, "reported", done)
    equal([h.text for h in Html("out.html").root.iter(H + "h1")], ["a?b?"], "the title")


@pytest.mark.parametrize("value", (None, True, -7, 1e300, "text", [], [1, [2]], {}, {"a": {"b": None}}), ids=repr)
def test_values_of_any_type_where_another_is_expected(value, records):
    new = changed(records["note"], summary={k: value for k in ("series", "loggp", "counters", "b_eff_Bps", "no_difference_seen")},
                  status=value, warnings=value)
    new["options"] = {k: value for k in new["options"]}
    new["environment"] = {k: value for k in new["environment"]}
    new["rows"] = [{k: value for k in row} for row in new["rows"]] + [{}]
    write_result(".", "x.json", new)
    done = run("report", "--html", "out.html", "x.json")
    ok(done.rc in (0, 2) and len(done.faults) == (done.rc == 2), f"all values {value!r}", done)
    if done.rc == 0:
        check_page(Html("out.html"))


def test_title_site_author_and_date_stand_on_top_of_markdown_too(records):
    out = run("report", "latency.json", "--title", "T*", "--site", "S", "--author", "A", "--date", "D").out
    ok(out.startswith("# T\\*\n\n* site: S\n* author: A\n* date: D\n\n"), "on top", out[:200])
    days = {str(datetime.date.today() - datetime.timedelta(days=d)) for d in (0, 1)}
    ok(re.search(r"^\* date: (.*)$", run("report", "latency.json").out, re.M).group(1) in days, "today is the default")


# ---- tables ----

def test_tables_have_what_sorts_them(records):
    page = html_of("shm.json")
    table = next(t for t in page.root.iter(H + "table") if "half rtt" in [h.text for h in t.iter(H + "th")])
    heads = [h.text for h in table.findall(f"{H}thead/{H}tr/{H}th")]
    rows = table.findall(f"{H}tbody/{H}tr")
    equal(len(rows), len(records["shm"]["rows"]), "a row for each point")
    for row, record in zip(rows, records["shm"]["rows"]):
        cells = dict(zip(heads, row.findall(H + "td")))
        equal(len(cells), len(row), "as many cells as heads")
        equal(float(cells["half rtt"].get("data-v")), record["half_rtt_p50_s"], "sorted by the number, not by its text")
        equal(cells["stop"].get("data-v"), None, "texts are sorted by themselves")


def test_bandwidths_are_in_bits_on_demand(records):
    ok("bit/s" in html_of("--rate-unit", "bit", "bandwidth.json").section("Summary"), "bandwidths in bit/s")


# ---- pictures ----

@pytest.mark.skipif(not HAS_GNUPLOT, reason="no gnuplot")
def test_each_benchmark_has_a_picture_in_which_something_is_drawn(records):
    page = html_of("latency.json", "all.json")
    pictures = list(page.root.iter(SVG + "svg"))
    equal(len(pictures), 1 + 10, "one, and one for each benchmark")
    marks = [len(list(p.iter(SVG + "use"))) + len(list(p.iter(SVG + "path"))) for p in pictures]
    ok(min(marks) > 10, "something is drawn in each", marks)
    ok("No picture" not in page.text, "none is missing")


@pytest.mark.skipif(not HAS_GNUPLOT, reason="no gnuplot")
def test_results_of_the_same_columns_are_in_one_picture(records):
    """The page begins with it."""
    write_result(".", "tcp.json", changed(records["shm"], environment={**records["shm"]["environment"], "backend": {"name": "tcp"}}))
    page = html_of("shm.json", "beff.json", "tcp.json")
    check_page(page)
    equal(page.main[0], "Pictures", "first")
    equal(len(list(page.root.iter(SVG + "svg"))), 2, "a picture of latencies, and one of b_eff")
    said = page.section("Pictures")
    ok("Results 1, 3, latency" in said and "Result 2, beff" in said, "whose", said[:500])
    ok("shm.json: backend shm" in said and "tcp.json: backend tcp" in said, "both in its legend", said)


def test_without_gnuplot_the_page_says_so(records):
    done = run("report", "--html", "out.html", "latency.json", "shm.json", env={**os.environ, "PATH": "/nonexistent"})
    ok(done.rc == 0 and len(done.warnings) == 1 and "no pictures: gnuplot is not installed" in done.err, "warned of once", done)
    page = Html("out.html")
    check_page(page)
    equal(page.text.count("No picture: gnuplot is not installed"), 1, "said of the picture that both would be in")
    equal(list(page.root.iter(SVG + "svg")), [], "no picture")


@pytest.mark.skipif(not HAS_GNUPLOT, reason="no gnuplot")
def test_what_cannot_be_drawn_has_no_picture_and_says_why(records):
    write_result(".", "x.json", changed(records["shm"], rows=[{**r, "half_rtt_epoch_s": None, "half_rtt_p50_s": None} for r in records["shm"]["rows"]]))
    page = html_of("x.json")
    ok("No picture: nothing to draw of 'x.json'" in page.text and "half rtt" in page.text, "said", page.section("Tables")[:300])


# ---- raw data ----

def test_data_links_have_the_files(records):
    page = html_of(*FILES)
    equal(sorted(page.links), sorted(FILES), "a link for each")
    for name, link in page.links.items():
        with open(name, "rb") as f:
            data = f.read()
        equal(link.get("download"), name, "saved under its name")
        ok(bytes_of(link) == data, f"{name}: as in the file")
        ok(hashlib.sha256(data).hexdigest() in page.section("Raw data"), f"{name}: its digest")


def test_a_data_link_of_csv_says_so(records):
    run("latency", "-b", "sim", "--sizes", "8,1k", "-f", "csv", "-o", "latency.csv")
    with open("latency.csv", "rb") as f:
        ok(bytes_of(html_of("latency.csv").links["latency.csv"], "text/csv") == f.read(), "as in the file")


def test_a_pipe_is_read_once(records):
    with open("latency.json", "rb") as f:
        data = f.read()
    fd, to = os.pipe()
    os.write(to, data)
    os.close(to)
    page = html_of(f"/dev/fd/{fd}", pass_fds=[fd])
    ok(bytes_of(page.links[str(fd)]) == data, "as it was read")
    os.close(fd)


def test_files_that_are_too_large_are_named(records):
    write_result(".", "large.json", changed(records["shm"], padding="x" * 4_000_000))
    page = html_of("large.json", "latency.json")
    check_page(page)
    equal(list(page.links), ["latency.json"], "the large one has no link")
    ok("large.json: " in page.section("Raw data") and "not in this page" in page.section("Raw data"), "and is named")


@pytest.mark.slow
def test_more_than_a_page_can_show(records):
    """Rows and points are left out, but not the extremes; it is said before, and in the page."""
    record = changed(records["latency"])
    row = record["rows"][-1]
    values = [1e-6 * (1 + (i * 7919 % 1000) / 1000) for i in range(9000)]
    values[4321], values[8765] = 1e-9, 1e-3
    record["rows"] = [{**row, "size_B": i + 1, "half_rtt_p50_s": v, "half_rtt_epoch_s": v} for i, v in enumerate(values)]
    write_result(".", "many.json", record)
    done = run("report", "--html", "out.html", "many.json")
    ok(done.rc == 0 and len(done.warnings) == 1 and "'many.json' has 9000 rows, more than a page can show" in done.err, "it is said", done)
    page = Html("out.html")
    ok(len(page.bytes) < MOST, "below 5 MB", len(page.bytes))
    table = next(t for t in page.root.iter(H + "table"))
    rows = [[c.get("data-v") for c in r.iter(H + "td")] for r in table.iter(H + "tr")]
    shown = {float(c) for r in rows for c in r if c}
    ok(2000 < len(rows) <= 3001 and {1e-9, 1e-3} <= shown, "the table has the extremes", len(rows))
    ok(re.search(r"The table has \d+ of 9000 rows: .* half_rtt_p50_s .*the file has all", page.text), "which it says")
    if HAS_GNUPLOT:
        svg = next(page.root.iter(SVG + "svg"))
        ok(re.search(r"\d+ of 9000 points are drawn: .*least.*median.*greatest", " ".join(svg.itertext())), "as the picture does")
        ok(len(ElementTree.tostring(svg)) < 1_000_000, "which is small")
        heights = [float(p) for p in re.findall(r"translate\([\d.]+,([\d.]+)\)", ElementTree.tostring(svg, "unicode"))]
        ok(1000 < len(list(svg.iter(SVG + "use"))) <= 3100 and heights, "so many points")
    run("report", "--html", "few.html", "latency.json")
    ok("rows:" not in Html("few.html").text, "of few rows it has all")


# ---- what is refused ----

def test_what_is_refused_writes_nothing(records):
    for args in ([], ["missing.json"], ["latency.json", "missing.json"]):
        done = run("report", "--html", "out.html", *args)
        ok(done.rc == 2 and len(done.faults) == 1 and not os.path.exists("out.html"), f"refused: {args}", done)
    done = run("report", "--html", "latency.json", "latency.json")
    ok(done.rc == 2 and len(done.faults) == 1, "a page over its file", done)
    with open("latency.json", encoding="utf-8") as f:
        equal(json.load(f), records["latency"], "which stays")
    done = run("report", "--html", "/dev/full", "latency.json")
    ok(done.rc == 1 and len(done.faults) == 1, "a full disk", done)


# ---- in a browser ----

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def browse(path, *flags):
    """Chromium with a page; its messages. Console messages are lines with CONSOLE."""
    url = path if path.startswith("data:") else "file://" + urllib.parse.quote(os.path.abspath(path))
    done = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={os.getcwd()}/profile", "--enable-logging=stderr", *flags, url],
                          capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def need_browser():
    if not CHROMIUM:
        pytest.skip("no chromium")


def pixels(path):
    """The different bytes of a PNG's image data, as a measure of how much it shows."""
    import zlib
    with open(path, "rb") as f:
        data = f.read()
    chunks, at = b"", 8
    while at < len(data):
        n = int.from_bytes(data[at:at + 4], "big")
        chunks += data[at + 8:at + 8 + n] if data[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + n
    return len(set(zlib.decompress(chunks)))


@pytest.mark.slow
def test_a_browser_shows_it_without_complaint(records):
    need_browser()
    html_of(*FILES)
    rc, _, err = browse("out.html", "--screenshot=out.png", "--window-size=1200,2000")
    said = [x for x in err.splitlines() if "CONSOLE" in x]
    ok(rc == 0 and not said, "nothing on the console", said or err[-500:])
    ok(os.path.exists("out.png") and pixels("out.png") > 50, "the screenshot is not blank")


@pytest.mark.slow
def test_a_click_on_a_heading_sorts_the_table_in_a_browser(records):
    need_browser()
    html_of("shm.json", "--date", "x")
    with open("out.html", encoding="utf-8") as f:
        text = f.read()
    # The page's policy allows no other script: taken out, here clicks follow the page's own script.
    text = re.sub(r"<meta http-equiv=.*?/>", "", text)
    click = ("<script>var h = Array.from(document.querySelectorAll('th')).find(function (x) { return x.textContent === 'MSize'; });"
             "h.click(); h.click();</script></body>")
    with open("sorted.html", "w", encoding="utf-8") as f:
        f.write(text.replace("</body>", click))
    rc, dom, err = browse("sorted.html", "--dump-dom")
    sizes = [int(s) for s in re.findall(r'<tr><td class="n" data-v="(\d+)">\d+</td>', dom)]
    ok(rc == 0 and 'aria-sort="descending"' in dom, "it was clicked", err[-500:])
    equal(sizes, sorted((r["size_B"] for r in records["shm"]["rows"]), reverse=True), "from the largest")


@pytest.mark.slow
def test_a_browser_refuses_other_scripts(records):
    need_browser()
    html_of("shm.json")
    with open("out.html", encoding="utf-8") as f:
        text = f.read()
    with open("evil.html", "w", encoding="utf-8") as f:
        f.write(text.replace("</body>", "<script>document.title = 'evil';</script></body>"))
    _, dom, err = browse("evil.html", "--dump-dom")
    ok("<title>evil" not in dom and "<title>Communication" in dom and "CONSOLE" in err, "refused, and said", err[-500:])


@pytest.mark.slow
def test_print_has_all_columns(records):
    need_browser()
    if not shutil.which("pdftotext"):
        skip("print", "no pdftotext")
        return
    html_of("all.json")
    browse("out.html", "--print-to-pdf=out.pdf", "--no-pdf-header-footer")
    text = subprocess.run(["pdftotext", "-layout", "out.pdf", "-"], capture_output=True, text=True).stdout
    info = subprocess.run(["pdfinfo", "out.pdf"], capture_output=True, text=True).stdout
    ok("(A4)" in info, "on A4", info)
    ok(text.count("deterministic") >= len(records["all"]["rows"]), "the last column is there in each row", text.count("deterministic"))

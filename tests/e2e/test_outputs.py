# SPDX-License-Identifier: Apache-2.0
"""Files that netbench reads and writes: none is lost to a result, none is opened because another host says so; secrets that
are none."""
import json
import os
import shutil
import signal
import subprocess
import time
import pytest
from netbench import (COME, SECRET, SLOW, Command, Csv, Rank, children, command, equal, lacks, ok, one_fault, run, slow_but,
                      until)

SIM = ["-b", "sim", "--sim", "L=2us,o=300ns,g=1us,G=0.1ns"]
QUICK = ["--sizes", "1,64", "-l", 20, "--point-time", "5ms"]
LONG = ["beff", "-n", 2, "--point-time", "300ms", "--ci", 0]
OLD = "an older result\n"
LIKE = {"loggp": {"L_s": 2e-6, "o_s_s": 3e-7, "o_r_s": 3e-7, "g_s": 1e-6, "G_s_per_B": 1e-10}}


def text_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(name, text=OLD):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return name


def status_of(path):
    return json.loads(text_of(path))["status"]


@pytest.fixture(scope="module")
def results(shared_place):
    """Results that commands read."""
    for name, args in {"beff": ["beff", "--samples", "-n", 2, "-m", 4, *SIM], "lat": ["latency", "-m", 3, *SIM],
                       "fit": ["model", "--measure", "-b", "sim", "--rounds", 2]}.items():
        done = run(*args, "-o", f"{name}.json", cwd=shared_place)
        assert done.rc == 0, done
    write(shared_place / "net.json", json.dumps(LIKE))
    write(shared_place / "cables.txt", "0 0 0 1\n")
    return shared_place


@pytest.fixture
def copies(results, inside):
    """Copies of them in the test's own directory."""
    for name in os.listdir(results):
        if os.path.isfile(results / name):
            write(name, text_of(results / name))
    return inside


# ---- an input is no output ----

INPUTS = [  # what is read, by which option (none: an operand), and the command without its outputs
    ("beff.json", "--from", ["beff", "--from", "beff.json"]),
    ("fit.json", "--fit", ["model", "--fit", "fit.json"]),
    ("net.json", "--like", ["model", "--like", "net.json"]),
    ("lat.json", "--against", ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns,P=2", "--against", "lat.json"]),
    ("net.json", "--like", ["latency", "-b", "sim", "--like", "net.json"]),
    ("lat.json", None, ["compare", "beff.json", "lat.json"]),
    ("cables.txt", "--wiring", ["latency", "-b", "fpga", "--emulate", "fast", "--wiring", "cables.txt"]),
    ("cables.txt", "--emulate-cables", ["latency", "-b", "fpga", "--emulate", "fast", "--emulate-cables", "cables.txt"]),
    ("secret.txt", "--secret-file", ["latency", "--listen", "1", "--secret-file", "secret.txt"]),
]


@pytest.mark.parametrize("name, option, args", INPUTS, ids=[" ".join(map(str, i[2][:3])) for i in INPUTS])
def test_input_is_no_output(copies, name, option, args):
    if "fpga" in args and lacks("fpga"):
        pytest.skip(lacks("fpga"))
    os.chmod(write("secret.txt", "of-the-tests-only\n"), 0o600)
    before = text_of(name)
    suffix = os.path.splitext(name)[1]
    os.mkdir("d")
    os.symlink(name, "symbolic" + suffix)
    os.link(name, "hard" + suffix)
    there = sorted(os.listdir("."))
    for output in (name, "./" + name, "d/../" + name, "symbolic" + suffix, "hard" + suffix, os.path.abspath(name)):
        done = run(*args, "-o", "first.json", "-o", output)
        words = [f"'{output}'", "--output", option or "is also read"]
        ok(one_fault(done, 2, *words) and not done.out, f"{output} is refused", done)
        equal((text_of(name) == before, sorted(os.listdir("."))), (True, there), f"{output}: all is as it was")
    done = run(*[a.replace(name, "symbolic" + suffix) for a in map(str, args)], "-o", name)
    ok(one_fault(done, 2, f"'{name}'", f"'symbolic{suffix}'"), "the link is read", done)


def test_picture_is_no_input(copies):
    for args in (["plot", "lat.json"], ["plot", "beff.json", "lat.json"]):
        os.symlink("lat.json", "x.svg")
        done = run(*args, "-o", "x.svg")
        ok(one_fault(done, 2, "'x.svg'", "'lat.json'", "is also read"), "plot: refused", done)
        os.remove("x.svg")


@pytest.mark.parametrize("args", [["beff", *SIM], ["model", "--board", "520n"]], ids=["beff", "model"])
def test_an_output_that_is_named_twice_is_refused(inside, args):
    os.mkdir("d")
    os.symlink("new.csv", "link.csv")
    os.symlink("d", "e")
    for one, other in (("new.csv", "new.csv"), ("new.csv", "./new.csv"), ("d/x.csv", "e/x.csv"), ("new.csv", "link.csv"),
                       ("link.csv", "d/../new.csv")):
        done = run(*args, "-o", one, "-o", other)
        ok(one_fault(done, 2, f"'{other}'", "--output", "twice"), f"{one} {other}: refused", done)
        equal(sorted(os.listdir(".")) + os.listdir("d"), ["d", "e", "link.csv"], f"{one} {other}: nothing is made")
    os.mkdir("f")
    done = run(*args, "-q", "-m", 2, "-o", "d/x.csv", "-o", "f/x.csv", "-o", "d/x.json")
    equal((done.rc, len(os.listdir("d")), len(os.listdir("f"))), (0, 2, 1), "one name in two directories")


def test_the_file_that_is_standard_output_is_no_other_file_of_the_run(copies):
    with open("beff.json", "r+", encoding="utf-8") as f:
        before = f.read()
        done = run("beff", "--from", "beff.json", "-f", "json", stdout=f)
    ok(one_fault(done, 2, "'beff.json'", "--from", "standard output"), "what is read is the standard output", done)
    equal(text_of("beff.json"), before, "and stays")
    with open("x.csv", "w", encoding="utf-8") as f:
        done = run("model", "--board", "520n", "-o", "x.csv", stdout=f)
    ok(one_fault(done, 2, "'x.csv'", "--output", "standard output"), "an output is the standard output", done)


# ---- an older result is replaced in the end, or not at all ----

REPLACING = [["latency", "-m", 2, *SIM, "-o", "x.json", "-o", "x.csv"], ["latency", *QUICK, "-o", "x.json", "-o", "x.csv"],
             ["beff", "--from", "beff.json", "-o", "x.json", "-o", "x.csv"],
             ["model", "--board", "520n", "-o", "x.json", "-o", "x.csv"],
             ["compare", "lat.json", "lat.json", "-o", "x.json", "-o", "x.csv"]]


@pytest.mark.parametrize("args", REPLACING, ids=[" ".join(map(str, r[:3])) for r in REPLACING])
def test_a_new_result_takes_the_name_and_the_mode_of_the_older_one(copies, args):
    """At the end the new result has the name, the older one lives on under its other names."""
    for name in ("x.json", "x.csv"):
        os.chmod(write(name), 0o640)
        os.link(name, "old-" + name)
    done = run(*args)
    equal(done.rc, 0, "exit status")
    for name in ("x.json", "x.csv"):
        equal((text_of("old-" + name), os.stat(name).st_mode & 0o777), (OLD, 0o640), f"{name}: old content, mode")
    equal((status_of("x.json"), Csv(text_of("x.csv")).status), ("complete", "complete"), "new content")
    ok(not [x for x in os.listdir(".") if x.endswith(".part")], "no .part is left", os.listdir("."))


def test_what_a_link_names_is_replaced_and_the_link_stays(inside):
    os.mkdir("d")
    write("d/real.json")
    os.link("d/real.json", "d/old")
    os.symlink("d/real.json", "x.json")
    done = run("latency", "-m", 2, *SIM, "-o", "x.json")
    equal((done.rc, os.readlink("x.json"), text_of("d/old"), status_of("d/real.json"), sorted(os.listdir("d"))),
          (0, "d/real.json", OLD, "complete", ["old", "real.json"]), "the link stays, what it names is replaced")


def test_a_new_file_has_its_rows_under_its_own_name_at_once(inside):
    """What is new, or empty, is written under its own name from the first row on."""
    write("empty.csv", "")
    r = Rank(*LONG, "-o", "new.csv", "-o", "empty.csv", secret=None)
    for name in ("new.csv", "empty.csv"):
        ok(until(lambda n=name: os.path.exists(n) and len(Csv(text_of(n)).rows) >= 1, 30), f"{name} has rows", r.said())
    r.p.terminate()
    equal((r.end().rc, sorted(os.listdir("."))), (143, ["empty.csv", "new.csv"]), "no .part")


def test_a_new_picture_takes_the_name_of_the_older_one(copies):
    write("x.svg")
    os.link("x.svg", "old")
    done = run("plot", "lat.json", "-o", "x.svg")
    if done.rc == 3:
        pytest.skip(done.err)
    equal((done.rc, text_of("old"), "<svg" in text_of("x.svg"), os.path.exists("x.svg.part")), (0, OLD, True, False),
          "a picture")
    done = run("plot", "lat.json", "-o", "nosuch/x.svg")
    ok(one_fault(done, 2, "'nosuch/x.svg'"), "no directory", done)


def running(*args):
    """A run over older results, once it has measured a row."""
    for name in ("x.json", "x.csv"):
        write(name)
    r = Rank(*args, "-o", "x.json", "-o", "x.csv", secret=None)
    ok(until(lambda: rows_so_far("x.csv.part") >= 1, 30), "rows are in .part", r.said())
    return r


def rows_so_far(path):
    """A line may be read while it is written."""
    try:
        return len(Csv(text_of(path)).rows)
    except (OSError, ValueError):
        return 0


def judge_part(name, statuses):
    equal((text_of("x.json"), text_of("x.csv")), (OLD, OLD), f"{name}: older results")
    t = Csv(text_of("x.csv.part"))
    ok(text_of("x.csv.part").endswith("\n") and len(t.rows) >= 1 and not t.broken, f"{name}: CSV", text_of("x.csv.part")[-300:])
    doc = json.loads(text_of("x.json.part"))
    ok(doc["status"] in statuses and len(doc["rows"]) == len(t.rows), f"{name}: JSON", doc["status"])


@pytest.mark.parametrize("who", slow_but(["supervisor", "rank"], 1))
def test_a_killed_run_keeps_the_rows_measured_so_far_beside_the_older_result(inside, who):
    r = running(*LONG)
    ranks = children(r.p.pid)
    os.kill(ranks[1] if who == "rank" else r.p.pid, signal.SIGKILL)
    done = r.end(10)
    ok(done.rc == (1 if who == "rank" else -signal.SIGKILL), f"{who} killed: exit status", done)
    until(lambda: not [p for p in ranks if os.path.exists(f"/proc/{p}")], 2)
    judge_part(f"{who} killed", ["incomplete"])


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_its_rows_beside_the_older_result_and_says_so(inside, sig):
    r = running(*LONG)
    os.kill(r.p.pid, sig)
    done = r.end(10)
    ok(done.rc == 128 + sig and not done.faults, "exit status", done)
    judge_part("interrupted", ["interrupted"])
    for name in ("x.json", "x.csv"):
        ok(sum(f"'{name}'" in w and f"'{name}.part'" in w for w in done.warnings) == 1, f"{name}: it is said", done)


def test_verdict_is_no_failure(copies):
    """A comparison that ends with status 1 by --fail-if is a result."""
    net = SIM[3].replace("L=2us", "L=4us")
    equal(run("latency", "-m", 3, *SIM[:3], net, "-o", "slow.json").rc, 0, "a slower network")
    write("c.json")
    done = run("compare", "lat.json", "slow.json", "--fail-if", "slower:5%", "-o", "c.json")
    equal((done.rc, status_of("c.json"), os.path.exists("c.json.part")), (1, "complete", False), "replaced")


@pytest.mark.slow
def test_a_run_that_a_time_limit_ends_replaces_the_older_result(inside):
    """What a time limit has ended in order replaces."""
    for name in ("x.json", "x.csv"):
        write(name)
    done = run(*LONG, "--time-limit", "1s", "-o", "x.json", "-o", "x.csv")
    equal((done.rc, status_of("x.json"), Csv(text_of("x.csv")).status, sorted(os.listdir("."))),
          (0, "incomplete", "incomplete", ["x.csv", "x.json"]), "replaced")


def test_a_failed_run_leaves_the_older_result(inside):
    """A full disk, here a full standard output: the run has failed."""
    write("x.json")
    with open("/dev/full", "w") as full:
        done = run("latency", *QUICK, "-o", "x.json", stdout=full)
    ok(done.rc == 1 and len(done.faults) == 1, "exit status", done)
    equal(text_of("x.json"), OLD, "the older result")
    ok(not os.path.exists("x.json.part") or status_of("x.json.part") == "failed", "rows, if any, are beside it",
       os.listdir("."))


def test_a_run_without_a_row_leaves_the_older_result_and_nothing_else(inside):
    """No row, no .part."""
    for args, rc in ((["latency", "--sizes", "1G", "--pin", "8191"], 2), (["latency", "-b", "sim", "-m", 99], 2),
                     (["beff", "--from", "x.json"], 2)):
        write("x.csv")
        write("x.json", "{}")
        done = run(*args, "-o", "x.csv")
        equal((done.rc, text_of("x.csv"), sorted(os.listdir("."))), (rc, OLD, ["x.csv", "x.json"]), " ".join(map(str, args)))


def test_part_that_was_left(inside):
    """Rows that nobody has looked at are kept under a number, and are in nobody's way."""
    write("x.csv")
    write("y.json")
    for i in (1, 2, 3):
        write("x.csv.part", f"rows {i}\n")
        if i == 2:
            write("x.csv.part.2", "mine\n")
        done = run("latency", "-m", 2, *SIM, "-o", "y.json", "-o", "x.csv")
        name = f"x.csv.part.{i if i == 1 else i + 1}"
        equal((done.rc, Csv(text_of("x.csv")).status, status_of("y.json")), (0, "complete", "complete"), f"run {i}")
        ok(len([w for w in done.warnings if "'x.csv.part'" in w and f"'{name}'" in w]) == 1, "it is said", done)
        equal(os.path.exists(name) and text_of(name), f"rows {i}\n", "as it was left")
    equal(sorted(os.listdir(".")), ["x.csv", "x.csv.part.1", "x.csv.part.2", "x.csv.part.3", "x.csv.part.4", "y.json"], "by the next free number")
    equal(text_of("x.csv.part.2"), "mine\n", "which that was not")
    write("x.csv.part", "rows\n")
    os.remove("x.csv")
    equal(run("latency", "-m", 2, *SIM, "-o", "x.csv").rc, 0, "without an older result it is not in the way")
    equal(text_of("x.csv.part"), "rows\n", "and stays")


def test_part_that_is_no_file(inside):
    write("x.csv")
    os.mkdir("x.csv.part")
    ok(one_fault(run("latency", "-m", 2, *SIM, "-o", "x.csv"), 2, "'x.csv.part'", "remove"), "a directory")
    os.rmdir("x.csv.part")
    os.symlink("nowhere", "x.csv.part")
    ok(one_fault(run("latency", "-m", 2, *SIM, "-o", "x.csv"), 2, "'x.csv.part'", "remove"), "a link")
    equal((text_of("x.csv"), sorted(os.listdir("."))), (OLD, ["x.csv", "x.csv.part"]), "all is as it was")


@pytest.mark.slow
def test_part_of_a_run_that_goes_on(inside):
    """Two runs onto one file: the second is refused while the first lives; of one that was killed the next takes over."""
    r = running(*LONG)
    done = run("latency", "-m", 2, *SIM, "-o", "x.csv")
    ok(one_fault(done, 2, "'x.csv.part'", "another run"), "refused", done)
    ranks = children(r.p.pid)
    os.kill(r.p.pid, signal.SIGKILL)
    r.end(10)
    ok(until(lambda: not [p for p in ranks if os.path.exists(f"/proc/{p}")], 5), "all ranks are gone", ranks)
    left = text_of("x.csv.part")
    done = run("latency", "-m", 2, *SIM, "-o", "x.csv")
    equal((done.rc, os.path.exists("x.csv.part.1") and text_of("x.csv.part.1") == left, os.path.exists("x.csv.part")), (0, True, False),
          "what it had is kept")
    equal(Csv(text_of("x.csv")).status, "complete", "and the result is there")


# ---- a result is replaced by a result alone ----

REPLACING = [  # the command without its file; whether it writes something else than a result, and its suffix
    (["report", "beff.json", "--html"], True, ".html"), (["plot", "lat.json", "-o"], True, ".svg"),
    (["merge", "beff.json", "-f", "csv", "-o"], True, ".csv"), (["merge", "beff.json", "-f", "jsonl", "-o"], True, ".jsonl"),
    (["merge", "beff.json", "-f", "sqlite", "-o"], True, ".db"), (["latency", "-m", 3, *SIM, "-o"], True, ".txt"),
    (["latency", "-m", 3, *SIM, "--csv-header", "short", "-o"], True, ".csv"),
    (["map", "-n", 3, *SIM, "--write-exclude"], True, ".txt"), (["map", "--from", "map.csv", "--write-exclude"], True, ".txt"),
    (["latency", "-m", 3, *SIM, "-o"], False, ".json"), (["compare", "lat.json", "lat.json", "-o"], False, ".csv"),
]


@pytest.mark.parametrize("args, refused, suffix", REPLACING, ids=[" ".join(map(str, r[0])) + r[2] for r in REPLACING])
def test_a_result_is_not_replaced_by_something_else(copies, args, refused, suffix):
    write("map.csv", "visit,sender,receiver,bandwidth_Bps\n" + "".join(
        f"{v},{a},{b},1e9\n" for v in range(6) for a in "xyz" for b in "xyz" if a != b))
    if args[0] == "plot" and not shutil.which("gnuplot"):
        pytest.skip("no gnuplot")
    run("latency", "-m", 2, *SIM, "-o", "made.csv")
    text = text_of("lat.json")
    made = {"json": text, "csv": text_of("made.csv"), "mark": "\ufeff" + text, "cut": text[:-300],
            "sorted": json.dumps(dict(sorted(json.loads(text).items(), reverse=True)), indent=1)}
    name = "there" + suffix
    for kind, text in made.items():
        write(name, text)
        done = run(*args, name)
        if done.rc == 3:
            pytest.skip(done.err)
        if refused:
            ok(one_fault(done, 2, f"'{name}' is a result of 'netbench latency'", "--overwrite") and not done.out, f"refused: {kind}", done)
            ok(text_of(name) == text, f"as it was: {kind}")
        else:
            ok(done.rc == 0 and text_of(name) != text, f"a result takes its place: {kind}", done)
    ok(not [n for n in os.listdir(".") if ".part" in n], "nothing beside it", os.listdir("."))
    if refused:
        done = run(*args, name, "--overwrite")
        with open(name, "rb") as f:
            ok(done.rc in (0, 4) and f.read() != text.encode(), "with --overwrite", done)


NO_RESULTS = ["", "{}", '{"schema": "netbench-csv"}', '{"a": {"schema": "netbench", "command": "x"}}', "# command: x\n# other: 1\n",
              '{"a": "\\"schema\\": \\"netbench\\"", "command": "x"}', '<html>{"schema": "netbench", "command": "x"}']


@pytest.mark.parametrize("text", NO_RESULTS, ids=range(len(NO_RESULTS)))
def test_what_is_no_result_is_replaced(copies, text):
    write("x.csv", text)
    done = run("merge", "lat.json", "-o", "x.csv")
    equal((done.rc, text_of("x.csv").startswith("run_id,")), (0, True), "by a table")
    equal(run("merge", "beff.json", "-o", "x.csv").rc, 0, "and that by another")


def test_a_page_that_was_not_named(copies):
    """Whoever forgets the name of the page does not lose the first result."""
    before = text_of("lat.json")
    done = run("report", "--html", "lat.json", "beff.json")
    ok(one_fault(done, 2, "'lat.json' is a result of 'netbench latency'", "'--html page.html lat.json beff.json'"), "refused", done)
    ok(text_of("lat.json") == before, "as it was")
    ok(one_fault(run("report", "--html", "lat.json"), 2, "'--html page.html lat.json'"), "with no other file")


def test_directory_cannot_be_written(inside):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    os.mkdir("d")
    write("d/x.csv")
    os.chmod("d", 0o500)
    done = run("latency", "-m", 2, *SIM, "-o", "d/x.csv")
    ok(one_fault(done, 2, "'d/x.csv.part'") and text_of("d/x.csv") == OLD, "refused", done)
    os.chmod("d", 0o700)


# ---- devices and FIFOs ----

@pytest.mark.slow
def test_a_fifo_is_written_even_to_a_reader_that_comes_late(inside):
    os.mkfifo("x.csv")
    with open("got", "w") as got:
        reader = subprocess.Popen(["cat", "x.csv"], stdout=got)
        done = run("latency", "-m", 2, *SIM, "-o", "x.csv", timeout=20)
        reader.wait(10)
    equal((done.rc, Csv(text_of("got")).status, sorted(os.listdir("."))), (0, "complete", ["got", "x.csv"]), "all is read")
    r = Rank("latency", "-m", 2, *SIM, "-o", "x.csv", secret=None)
    time.sleep(1)
    late = subprocess.run(["cat", "x.csv"], stdout=subprocess.PIPE, text=True, timeout=20 * SLOW)
    equal((r.end().rc, Csv(late.stdout).status), (0, "complete"), "a reader that comes late")


@pytest.mark.slow
@pytest.mark.parametrize("args", [["latency", *QUICK], ["latency", "-m", 2, *SIM], ["model", "--board", "520n"]])
def test_a_fifo_without_a_reader_is_refused(inside, args):
    os.mkfifo("x.csv")
    write("y.json")
    done = run(*args, "-o", "y.json", "-o", "x.csv", timeout=15)
    ok(one_fault(done, 2, "'x.csv'", "FIFO"), "refused", done)
    equal((text_of("y.json"), sorted(os.listdir("."))), (OLD, ["x.csv", "y.json"]), "nothing is made")


def test_devices_are_written_in_place(inside):
    os.symlink("/dev/null", "x.csv")
    os.symlink("/dev/stdout", "x.json")
    done = run("latency", "-m", 2, *SIM, "-q", "-o", "x.csv", "-o", "x.json")
    ok(done.rc == 0 and '"status": "complete"' in done.out, "devices", done)
    equal(sorted(os.listdir(".")), ["x.csv", "x.json"], "nothing beside them")


@pytest.mark.slow
def test_few_descriptors_end_a_run_with_a_line_and_keep_the_older_result(inside):
    """Each number of descriptors that a process may have: one line or success, and no waiting."""
    write("x.csv")
    for args in (["latency", "-m", 2, *SIM], ["latency", *QUICK], ["beff", "--listen", "0"]):
        for n in range(3, 12):
            p = Command(["sh", "-c", f'ulimit -n {n}; exec "$@"', "sh", *command([*args, "-o", "x.csv", "-q", *(
                ["-n", 2, "--join-timeout", "0.2s"] if "--listen" in args else [])])])
            done = p.end(10)
            ok(done.rc is not None and (done.rc == 0 or len(done.faults) >= 1), f"{n} descriptors: {args}", done)
            if done.rc and not ok(text_of("x.csv") == OLD, f"{n} descriptors: the older result", done):
                return
            for name in ("x.csv", "x.csv.part"):
                if os.path.exists(name):
                    os.remove(name)
            write("x.csv")


# ---- secrets ----

@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o602, 0o666], ids=oct)
def test_a_secret_file_that_others_may_read_is_refused(inside, mode):
    os.chmod(write("secret", "of-the-tests-only\n"), mode)
    for how in (["--listen", "1", "-n", 2, "--join-timeout", "0.2s"], ["--join", "localhost:1", "--join-timeout", "0.2s"]):
        done = Rank("latency", *how, "--secret-file", "secret", secret=None).end()
        ok(one_fault(done, 2, "'secret'", "chmod 600 secret"), f"{mode:o}, {how[0]}", done)


def test_a_secret_file_of_its_owner_is_taken(inside, job):
    for mode in (0o600, 0o400):
        os.chmod(write(f"secret{mode}", "of-the-tests-only\n"), mode)
        job.ranks.clear()
        for start, args in ((job.listen, ["latency", *QUICK, "-n", 2]), (job.join, ["latency"])):
            start(*args, "--secret-file", f"secret{mode}", secret=None)
        done = job.end()
        ok([d.rc for d in done] == [0, 0] and "secret file" not in done[0].err, f"{mode:o}", done)


STEP = {"SLURM_STEP_NUM_TASKS": "2", "SLURM_STEP_NODELIST": "localhost", "SLURM_STEP_ID": "0", "SLURM_JOB_UID": "1000"}


def srun(*args, secret=SECRET):
    """Both ranks of a step of Slurm, without Slurm."""
    ranks = [Rank(*args, secret=secret, env={**STEP, "SLURM_JOB_ID": str(os.getpid()), "SLURM_PROCID": str(r)}) for r in (0, 1)]
    return [r.end() for r in ranks]


def test_tasks_of_srun_without_a_secret_are_refused_once(inside):
    write("x.csv")
    done = srun("latency", *QUICK, "-o", "x.csv", secret=None)
    ok(one_fault(done[0], 2, "NETBENCH_SECRET", "srun"), "rank 0 says it", done[0])
    ok(done[1].rc == 2 and not done[1].err, "the other says nothing", done[1])
    equal(text_of("x.csv"), OLD, "the older result")
    done = srun("latency", *QUICK, *COME)
    ok(all(d.rc == 0 for d in done) and "secret" not in done[0].err, "with a secret", done)
    os.chmod(write("secret", "of-the-tests-only\n"), 0o600)
    done = srun("latency", *QUICK, *COME, "--secret-file", "secret", secret=None)
    equal([d.rc for d in done], [0, 0], "with a file")
    done = srun("latency", *QUICK, "--job", "fork", secret=None)
    equal([d.rc for d in done], [0, 0], "without a job it needs none")


@pytest.mark.slow
def test_a_bad_secret_of_srun_is_told_once(inside):
    done = srun("latency", *QUICK, secret="short")
    ok(one_fault(done[0], 2, "NETBENCH_SECRET", "8 to 64"), "it is said once", done[0])


# ---- what a backend is called, and what a rank that joins opens ----

@pytest.mark.parametrize("name", ["../x", "a b", "/tmp/x.so", "./netbench-null.so", "", "a" * 24, "Ü"])
def test_a_name_that_no_backend_can_have_is_refused(inside, name):
    for args in (["latency", "-b", name], ["list", "-b", name], ["latency", "-b", name, "--listen", "1", "-n", "2"]):
        done = run(*args)
        ok(one_fault(done, 2, f"'{name}'" if name else "''", "a-z"), " ".join(args), done)


def test_names_that_are_close(inside):
    for name in ("SHM", "shmm", "tpc"):
        ok(one_fault(run("latency", "-b", name), 2, f"'{name}'", "did you mean"), name)
    ok(one_fault(run("latency", "-b", "nothing-such_1"), 2, "unknown backend 'nothing-such_1'"), "unknown")


GUESTS = [("--like", "net.json", ["atlas-1.6", "-n", 2, "--algorithm", "optimal", "--sizes", "64", "--load", "none"], []),
          ("--wiring", "cables.txt", ["latency", "-n", 2, *QUICK], ["-b", "fpga", "--emulate", "fast"]),
          ("--emulate-cables", "cables.txt", ["latency", "-n", 2, *QUICK], ["-b", "fpga", "--emulate", "fast"])]


@pytest.mark.parametrize("option, name, args, backend", GUESTS, ids=[g[0] for g in GUESTS])
def test_a_guest_opens_only_files_that_it_names_itself(copies, job, option, name, args, backend):
    """A file that the rank that listens names is not opened on the host of the one that joins."""
    if backend and lacks("fpga"):
        pytest.skip(lacks("fpga"))
    write("cables.txt", "0 1 1 0\n1 1 0 0\n")
    host = job.listen(*args, *backend, option, name, "--join-timeout", "15s")
    guest = job.join(args[0])
    done = guest.end(10)
    ok(one_fault(done, 2, f"'{option}'", "listens"), "without one of its own it does not take part", done)
    mine = write("mine-" + name, text_of(name))
    guest = job.join(args[0], *backend[:2], option, mine)
    ok(host.end().rc == 0 and guest.end().rc == 0, "with one it does", (host.said(), guest.said()))


def test_a_guest_with_another_network_is_refused(copies, job):
    """The parameters of --like are the same on all ranks, whatever the files are called."""
    other = json.loads(text_of("net.json"))
    other["loggp"]["L_s"] *= 2
    write("other.json", json.dumps(other))
    job.listen("atlas-1.6", "-n", 2, "--algorithm", "optimal", "--sizes", "64", "--load", "none", "--like", "net.json")
    job.join("atlas-1.6", "--like", "other.json")
    done = job.end()
    ok(one_fault(done[0], 2, "other options") and done[1].rc == 2, "refused", done)


def test_a_joining_rank_takes_option_values_from_the_listening_one(job):
    """A word that is no file comes from the rank that listens."""
    if lacks("fpga"):
        pytest.skip(lacks("fpga"))
    job.listen("latency", "-n", 2, *QUICK, "-b", "fpga", "--emulate", "fast", "--wiring", "ring")
    job.join("latency")
    equal([d.rc for d in job.end()], [0, 0], "--wiring ring")


def test_guest_leaves_outputs_alone(inside, job):
    """Neither the outputs nor the secret of the rank that listens are opened where another joins."""
    for directory in ("here", "there"):
        os.mkdir(directory)
    os.chmod(write("here/secret", SECRET + "\n"), 0o600)
    os.mkfifo("there/secret")
    write("there/x.csv")
    job.listen("latency", "-n", 2, *QUICK, "-o", "x.csv", "-o", "y.json", "--secret-file", "secret", secret=None, cwd="here")
    job.join("latency", cwd="there")
    done = job.end()
    equal([d.rc for d in done], [0, 0], "both run")
    equal((text_of("there/x.csv"), sorted(os.listdir("there")), sorted(os.listdir("here"))),
          (OLD, ["secret", "x.csv"], ["secret", "x.csv", "y.json"]), "files are rank 0's")
    guest = Rank("latency", "--join", "localhost:1", "-o", "x.csv", cwd="there").end()
    ok(one_fault(guest, 2, "'--output'", "listens") and text_of("there/x.csv") == OLD, "it may not name any itself", guest)


@pytest.mark.parametrize("launcher", ["join", pytest.param("mpirun", marks=pytest.mark.slow)])
def test_in_other_jobs_rank_0_alone_refuses_or_replaces(inside, job, launcher):
    """In other jobs as well rank 0 alone looks after the files, and one line says what is refused."""
    write("x.json", json.dumps(LIKE))
    os.link("x.json", "y.json")
    args = ["atlas-1.6", "-n", 2, "--algorithm", "optimal", "--sizes", "64", "--load", "none"]
    if launcher == "mpirun" and lacks("mpi"):
        pytest.skip(lacks("mpi"))
    for more, rc in ((["--like", "x.json", "-o", "y.json"], 2), (["--like", "x.json", "-o", "z.json"], 0),
                     (["--like", "x.json", "-o", "z.json"], 0)):
        if launcher == "mpirun":
            done = Rank(*args, *more, launcher=["mpirun", "-n", 2]).end(30)
        else:
            job.ranks.clear()
            done = job.listen(*args, *more)
            guest = None if rc else job.join("atlas-1.6", "--like", "x.json")
            done = done.end(30)
            ok(rc or guest.end().rc == 0, "the rank that joins", guest and guest.said())
        ok(one_fault(done, 2, "'y.json'", "'x.json'", "--like") if rc else done.rc == 0, " ".join(more), done)
    equal((json.loads(text_of("x.json")), status_of("z.json"), sorted(os.listdir("."))),
          (LIKE, "complete", ["x.json", "y.json", "z.json"]), "files")


READERS = [["beff", "--from", "x.json"], ["report", "x.json"], ["model", "--like", "x.json"], ["latency", *SIM[:2], "--like", "x.json"],
           ["latency", "--listen", "1", "--secret-file", "x.json"],
           ["latency", "-b", "fpga", "--emulate", "fast", "--wiring", "x.json"]]


@pytest.mark.parametrize("args", slow_but([(r,) for r in READERS]))
def test_a_fifo_without_a_writer_is_refused(inside, args):
    if "fpga" in args and lacks("fpga"):
        pytest.skip(lacks("fpga"))
    os.mkfifo("x.json", 0o600)
    done = run(*args, timeout=15)
    ok(one_fault(done, 2, "'x.json'", "FIFO"), "refused", done)


@pytest.mark.slow
def test_a_result_is_read_from_a_fifo_whose_writer_is_late(copies):
    """A writer may come late, and take its time."""
    os.mkfifo("x.json")
    for args in (["report", "x.json"], ["model", "--like", "x.json"]):
        r = Rank(*args, secret=None)
        time.sleep(0.5)
        with open("x.json", "w", encoding="utf-8") as f:
            text = text_of("lat.json" if args[0] == "report" else "net.json")
            f.write(text[:10])
            f.flush()
            time.sleep(0.5)
            f.write(text[10:])
        done = r.end()
        ok(done.rc == 0 and done.out, " ".join(args), done)


@pytest.mark.slow
def test_a_result_from_a_process_is_waited_for(copies):
    p = subprocess.run(["bash", "-c", 'exec "$@" <(sleep 6; cat lat.json)', "bash", *command(["report"])], text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    equal((p.returncode, p.stderr, "lat" in p.stdout), (0, "", True), "it is waited for as long as there is a writer")

# SPDX-License-Identifier: Apache-2.0
"""What a user gets wrong: exit 2, one line that names it, nothing on stdout, nothing created."""
import json
import os
import re
import shutil
import subprocess
import pytest
from netbench import Csv, NETBENCH, NOISE, SOURCE, equal, named, need, ok, run, write_result

MEASURING = ["beff", "latency", "msgrate", "bandwidth"]
ATLAS = [f"atlas-{n}" for n in ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.1", "2.2", "2.3", "all")]
COMMANDS = MEASURING + ["atlas"] + ATLAS + ["model", "report", "compare", "list", "explain", "completion"]
CUSTOM = {"c": "2", "w": "32", "f": "156.25e6", "lat": "520e-9", "R": "2"}
LONG = "x" * 3000

LOGGP = {"L_s": 1e-6, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 1e-7, "G_s_per_B": 1e-10}
NETWORKS = {		# files of these names are in the folder above that in which a test runs
    "network.json": {"loggp": LOGGP},
    "none.json": {"summary": {}},
    "half.json": {"loggp": {"L_s": 1e-6}},
    "negative.json": {"loggp": {**LOGGP, "g_s": -1e-7}},
}


def custom(**changed):
    fields = {**CUSTOM, **changed}
    return "custom:" + ",".join(f"{k}={v}" for k, v in fields.items() if v is not None)


# Arguments, and what the line must contain; the exit status where it is not 2.
BAD = [
    # commands and options
    (["bef"], ["'bef'", "'beff'"]),
    (["latencyy"], ["'latencyy'", "'latency'"]),
    (["latency", "-b", "infiniband"], ["'infiniband'", "'verbs'"]),
    (["latency", "-b", "Ethernet"], ["'Ethernet'", "'tcp'"]),
    (["zzzzzzzz"], ["'zzzzzzzz'"]),
    (["-x"], ["-x"]),
    (["beff", "--sizess", "1"], ["'--sizess'", "'--sizes'"]),
    (["msgrate", "--windwo=3"], ["'--windwo'", "'--window'"]),
    (["beff", "--wombat"], ["'--wombat'"]),
    (["beff", "-Z"], ["'-Z'"]),
    (["beff", "--s"], ["'--s'", "--sizes", "--seed"]),
    (["beff", "--window", "3"], ["'--window'"]),
    (["latency", "--pairs", "1"], ["'--pairs'"]),
    (["beff", "--backend"], ["'--backend'"]),
    (["beff", "-m"], ["'--max-size'"]),
    (["beff", "--samples=1"], ["'--samples'"]),
    (["explain", "--nope"], ["'--nope'"]),
    (["list", "-f", "csv"], ["'-f'"]),
    # options of another mode
    (["model", "--board", "520n", "--rounds", "3"], ["'--rounds'", "'--board'"]),
    (["model", "--meas", "--fft", "8"], ["'--fft'", "'--measure'"]),
    (["model", "--ranks", "3"], ["'--ranks'", "'--measure'"]),
    (["model", "--measure", "--logp", "L=1"], ["'--measure'", "'--logp'"]),
    (["beff", "--rul", "hlrs", "--upper", "3"], ["'--upper'", "'--rule hlrs'"]),
    (["beff", "--loops", "3"], ["'--loops'", "'--rule hlrs'"]),
    (["beff", "--from", "x", "-n", "3"], ["'--ranks'", "'--from'"]),
    # operands where none are taken
    (["beff", "7"], ["'7'"]),
    (["latency", "--", "--sizes"], ["'--sizes'"]),
    (["msgrate", "-m", "3", "four"], ["'four'"]),
    (["model", "520n"], ["'520n'"]),
    (["list", "all"], ["'all'"]),
    # numbers
    (["beff", "-m", "99"], ["'99'", "--max-size", "30"]),
    (["beff", "-m", "-1"], ["'-1'", "--max-size"]),
    (["beff", "-m", "many"], ["'many'", "--max-size"]),
    (["beff", "-m", "1.5"], ["'1.5'"]),
    (["beff", "-m", "0x4"], ["'0x4'"]),
    (["beff", "-m", ""], ["''", "--max-size"]),
    (["beff", "-m", "18446744073709551617"], ["'18446744073709551617'"]),
    (["beff", "--min-size", "31"], ["'31'", "--min-size"]),
    (["beff", "--min-size", "10", "-m", "5"], ["10", "5"]),
    (["model", "--board", "520n", "--min-size", "10", "-m", "5"], ["10", "5"]),
    (["model", "--board", "520n", "-m", "41"], ["'41'", "--max-size"]),
    (["model", "--board", "520n", "--cards", "0"], ["'0'", "--cards"]),
    (["beff", "-n", "0"], ["'0'", "--ranks"]),
    (["beff", "-n", "100000"], ["'100000'", "--ranks", "256"]),
    (["beff", "-n", "257"], ["'257'", "--ranks", "256"]),
    (["beff", "--backend", "sim", "-n", "1000001"], ["'1000001'", "--ranks", "1000000"]),
    (["latency", "-n", "1"], ["'1'", "--ranks", "latency"]),
    (["bandwidth", "-n", "1"], ["'1'", "--ranks", "bandwidth"]),
    (["beff", "-u", "0"], ["'0'", "--upper"]),
    (["beff", "-l", "0"], ["'0'", "--lower"]),
    (["latency", "-l", "0"], ["'0'", "--loops"]),
    (["beff", "--channel-width", "0"], ["'0'", "--channel-width"]),
    (["beff", "--repetitions", "0"], ["'0'", "--repetitions"]),
    (["beff", "--ci", "101"], ["'101'", "--ci"]),
    (["beff", "--ci", "-1"], ["'-1'", "--ci"]),
    (["beff", "--ci", "nan"], ["'nan'", "--ci"]),
    (["beff", "--seed", "-1"], ["'-1'", "--seed"]),
    (["beff", "--seed", "9007199254740994"], ["'9007199254740994'", "--seed"]),
    # times and sizes
    (["beff", "--point-time", "-1"], ["'-1'", "--point-time"]),
    (["beff", "--point-time", "5 parsecs"], ["'5 parsecs'", "--point-time"]),
    (["beff", "--time-limit", "inf"], ["'inf'", "--time-limit"]),
    (["beff", "--sizes", "1:0"], ["'1:0'", "--sizes"]),
    (["beff", "--sizes", "0:8:*2"], ["'0:8:*2'", "--sizes"]),
    (["beff", "--sizes", "1:8:*1"], ["'1:8:*1'", "--sizes"]),
    (["beff", "--sizes", "0:1M:+1"], ["'0:1M:+1'", "--sizes"]),
    (["beff", "--sizes", "1,,2"], ["'1,,2'", "--sizes"]),
    (["beff", "--sizes", "2G"], ["'2G'", "--sizes"]),
    (["beff", "--sizes", "1,64,4kk"], ["'4kk'", "--sizes"]),
    (["beff", "--sizes", "-4"], ["'-4'", "--sizes"]),
    (["beff", "--ring-size", "5000"], ["'5000'", "--ring-size"]),
    (["beff", "--ring-size", "2k"], ["'2k'", "--ring-size"]),
    (["beff", "--eager", "2G"], ["'2G'", "--eager"]),
    # choices
    (["beff", "--backend", "nope"], ["'nope'"]),
    (["beff", "--backend", "simm"], ["'simm'", "'sim'"]),
    (["beff", "--backend", "../sim"], ["'../sim'"]),
    (["beff", "--backend", ""], ["''"]),
    (["beff", "--job", "nope"], ["'nope'", "fork"]),
    (["beff", "--job", "fork", "-b", "mpi"], ["'mpi'", "'fork'"]),
    (["beff", "--job", "join"], ["--listen", "--join"]),
    (["beff", "--listen", "a:b:1"], ["'a:b:1'", "--listen"]),
    (["beff", "--listen", "70000"], ["'70000'", "--listen"]),
    (["beff", "--listen", "a:"], ["'a:'", "--listen"]),
    (["beff", "--listen", "1", "--rank", "1"], ["--listen", "--rank"]),
    (["beff", "--join", "localhost:1", "--sizes", "1"], ["--sizes"]),
    (["beff", "--join", "localhost:1", "--join-timeout", "0"], ["'0'", "--join-timeout"]),
    (["beff", "-b", "tcp", "--tcp-wait", "never"], ["'never'", "--tcp-wait"]),
    (["beff", "-b", "tcp", "--tcp-sndbuf", "1"], ["'1'", "--tcp-sndbuf"]),
    (["beff", "-b", "tcp", "--tcp-interface", "a", "--tcp-address", "b"], ["--tcp-interface", "--tcp-address"]),
    (["beff", "--job", "sim", "-b", "shm"], ["'shm'", "'sim'"]),
    (["beff", "--backend", "sim", "--job", "fork"], ["'sim'", "'fork'"]),
    (["beff", "--verify", "maybe"], ["'maybe'", "--verify"]),
    (["beff", "--timer", "sundial"], ["'sundial'", "--timer"]),
    (["beff", "--rule", "thumb"], ["'thumb'", "--rule"]),
    (["beff", "-f", "xml"], ["'xml'", "--format"]),
    (["beff", "--shm-copy", "twice"], ["'twice'", "--shm-copy"]),
    (["msgrate", "--preset", "fast"], ["'fast'", "--preset"]),
    (["explain", "nope"], ["'nope'"]),
    (["explain", "size_b"], ["'size_b'", "'size_B'"]),
    (["completion", "nope"], ["'nope'"]),
    # options of another backend
    (["beff", "--board", "520n"], ["'--board'"]),
    (["beff", "--sim", "L=1"], ["'--sim'"]),
    (["beff", "--backend", "sim", "--eager", "1"], ["'--eager'"]),
    # windows, batches, pairs
    (["msgrate", "--window", "0"], ["'0'", "--window"]),
    (["msgrate", "--window", "65537"], ["'65537'", "--window"]),
    (["msgrate", "--window", "1,x"], ["'x'", "--window"]),
    (["msgrate", "--batch", "0"], ["'0'", "--batch"]),
    (["msgrate", "--batch", "128", "--window", "64"], ["'128'", "--batch"]),
    (["msgrate", "--batch", "1,128", "--window", "1,64"], ["'128'", "--batch"]),
    (["msgrate", "--preset", "batched", "--window", "3"], ["--preset", "--window"]),
    (["msgrate", "--preset", "batched", "--batch", "3"], ["--preset", "--batch"]),
    (["msgrate", "--pairs", "0"], ["'0'", "--pairs"]),
    (["msgrate", "--pairs", "3", "-n", "4"], ["'3'", "--pairs", "4"]),
    (["bandwidth", "--pairs", "200"], ["200", "--pairs"]),
    # numbers of ranks: lists are for those that sweep them
    (["beff", "-n", "1,2"], ["--ranks", "beff", "list"]),
    (["latency", "--ranks", "2:8:*2"], ["--ranks", "latency", "list"]),
    (["latency", "--ranks", "auto"], ["'auto'", "--ranks"]),
    (["beff", "--ranks", "4,x"], ["'x'", "--ranks"]),
    (["atlas-1.3", "--ranks", "4,,8"], ["'4,,8'", "--ranks"]),
    (["atlas-1.3", "--ranks", "0"], ["'0'", "--ranks"]),
    (["atlas-1.3", "--ranks", "1"], ["'1'", "--ranks", "atlas-1.3"]),
    (["atlas-1.3", "--ranks", "4,257"], ["'257'", "--ranks", "256"]),
    (["atlas-2.1", "-b", "sim", "--ranks", "4,1000001"], ["'1000001'", "--ranks", "1000000"]),
    # the ATLAS benchmarks
    (["atlas-9.9"], ["'atlas-9.9'"]),
    (["atlas-1.8"], ["'atlas-1.8'", "atlas"]),
    (["atlas", "1.1"], ["'1.1'"]),
    (["atlas", "--sizes", "8"], ["'--sizes'"]),
    (["atlas-1.1", "--window", "3"], ["'--window'"]),
    (["atlas-1.3", "--peers", "3"], ["'--peers'"]),
    (["atlas-1.5", "--algorithm", "linear"], ["'--algorithm'"]),
    (["atlas-1.5", "--sources", "4"], ["'--sources'"]),
    (["atlas-2.1", "--load", "none"], ["'--load'"]),
    (["atlas-2.1", "--topology", "4-2-1"], ["'--topology'"]),
    (["atlas-2.3", "--credits", "3"], ["'--credits'"]),
    (["atlas-all", "--peers", "3"], ["'--peers'"]),
    (["atlas-all", "--board", "520n"], ["'--board'"]),
    (["atlas-1.1", "--load", "all"], ["'all'", "--load", "receiver"]),
    (["atlas-1.1", "--load", "none,nobody"], ["'nobody'", "--load"]),
    (["atlas-1.1", "-b", "sim", "--load", "sender"], ["--load", "sim"]),
    (["atlas-1.1", "--loops", "0"], ["'0'", "--loops"]),
    (["atlas-1.4", "--window", "65537"], ["'65537'", "--window"]),
    (["atlas-1.5", "--peers", "0"], ["'0'", "--peers"]),
    (["atlas-1.5", "--peers", "3,1,3"], ["3", "--peers", "twice"]),
    (["atlas-1.5", "--peers", "1,x"], ["'x'", "--peers"]),
    (["atlas-1.4", "--peers", "2,1"], ["1", "--peers", "send"]),
    (["atlas-1.6", "--algorithm", "fastest"], ["'fastest'", "--algorithm", "k-nomial=K"]),
    (["atlas-1.6", "--algorithm", "linear,"], ["''", "--algorithm"]),
    (["atlas-1.6", "--algorithm", ""], ["''", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "linear,,binary"], ["''", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "k-ary"], ["'k-ary'", "--algorithm", "k-ary=K"]),
    (["atlas-1.6", "--algorithm", "linear=2"], ["'linear=2'", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "k-ary=1"], ["'k-ary=1'", "--algorithm", "2"]),
    (["atlas-1.6", "--algorithm", "k-ary=2x"], ["'k-ary=2x'", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "k-nomial="], ["'k-nomial='", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "k-nomial=9999999999"], ["'k-nomial=9999999999'", "--algorithm"]),
    (["atlas-1.6", "--algorithm", "optimal"], ["'optimal'", "--loggp", "--like"]),
    (["atlas-1.6", "-b", "sim", "--board", "520n"], ["atlas-1.6", "'pair'"], 3),
    (["atlas-1.6", "--algorithm", "optimal", "--loggp", "X=1"], ["'X'"]),
    (["atlas-1.6", "--algorithm", "optimal", "--loggp", "L=-1"], ["'-1'", "'L'"]),
    (["atlas-1.6", "--change-list", "--loops", "2"], ["--change-list", "--loops"]),
    (["atlas-1.6", "--change-list", "--load", "sender"], ["--change-list", "--load"]),
    (["atlas-2.1", "--sources", "0"], ["'0'", "--sources"]),
    (["atlas-2.1", "--destinations", "1,0"], ["'0'", "--destinations"]),
    (["atlas-2.1", "--credits", "0"], ["'0'", "--credits"]),
    (["atlas-2.1", "--occupation", "-1"], ["'-1'", "--occupation"]),
    (["atlas-2.1", "--occupation", "50us"], ["'50us'", "--occupation"]),
    (["atlas-2.3", "--topology", "4-2"], ["'4-2'", "--topology", "4-2-1"]),
    (["atlas-2.3", "--topology", "2-4-1"], ["'2-4-1'", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-3"], ["'4-2-3'", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-1-1"], ["'4-2-1-1'", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-0"], ["'4-2-0'", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-1,"], ["''", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-1,six"], ["'six'", "--topology"]),
    (["atlas-2.3", "--topology", "4-2-99999999999999999999"], ["--topology"]),
    # the network of a file
    (["atlas-1.6", "--like", "/nonexistent/x.json"], ["'/nonexistent/x.json'"]),
    (["beff", "-b", "sim", "--like", "/dev/null"], ["'/dev/null'"]),
    (["beff", "-b", "sim", "--like", "../none.json"], ["'../none.json'", "LogGP"]),
    (["beff", "-b", "sim", "--like", "../half.json"], ["'../half.json'", "LogGP"]),
    (["beff", "-b", "sim", "--like", "../negative.json"], ["'../negative.json'", "negative"]),
    (["beff", "-b", "sim", "--like", "../network.json", "--sim", "L=1"], ["--like", "--sim"]),
    (["beff", "-b", "sim", "--like", "../network.json", "--board", "520n"], ["--like", "--board"]),
    (["model", "--board", "520n", "--like", "../network.json"], ["'--like'"]),
    # places
    (["beff", "--pin", "foo"], ["'foo'", "--pin"]),
    (["beff", "--pin", "1-0"], ["'1-0'", "--pin"]),
    (["beff", "--pin", "0,"], ["'0,'", "--pin"]),
    (["beff", "--pin", ""], ["''", "--pin"]),
    (["beff", "--pin", "0", "-n", "2"], ["'0'", "--pin"]),
    (["beff", "--pin", "8191"], ["'8191'", "--pin"]),
    (["beff", "--pin", "0-1000000000"], ["'0-1000000000'", "--pin"]),
    # networks and boards
    (["model"], ["--board"]),
    (["model", "--board", "nope"], ["'nope'", "520n"]),
    (["model", "--board", ""], ["''", "520n"]),
    (["model", "--board", "custom"], ["'c'"]),
    (["beff", "--backend", "sim", "--board", "nope"], ["'nope'", "520n"]),
    (["beff", "--backend", "sim", "--board", custom(w="0")], ["'0'", "'w'"]),
    (["beff", "--backend", "sim", "--serial"], ["--serial", "--board"]),
    (["beff", "--backend", "sim", "--board", "520n", "--sim", "L=1"], ["--sim", "--board"]),
    (["beff", "--backend", "sim", "--pin", "0"], ["--pin", "sim"]),
    (["beff", "--backend", "sim", "--timer", "raw"], ["--timer", "sim"]),
    (["beff", "--backend", "sim", "--repetitions", "7"], ["--repetitions", "sim"]),
    (["beff", "--shm-copy", "ring", "--eager", "1k"], ["--eager", "ring"]),
    (["latency", "--sizes", "8", "-m", "4"], ["--sizes", "--max-size"]),
    (["model", "--board", "520n", "--sizes", "8", "--min-size", "1"], ["--sizes", "--min-size"]),
    (["beff", "--samples"], ["--samples", "json"]),
    (["model", "--board", "custom:c=2,w=32,f=156.25e6,lat=520,R=2"], ["'520'", "'lat'"]),
    (["beff", "--backend", "sim", "--sim", "L=-1"], ["'-1'", "'L'"]),
    (["beff", "--backend", "sim", "--sim", "X=3"], ["'X'"]),
    (["beff", "--backend", "sim", "--sim", "L=1,L=2"], ["'L'"]),
    (["beff", "--backend", "sim", "--sim", "L"], ["'L'"]),
    (["beff", "--backend", "sim", "--sim", "o=fast"], ["'fast'", "'o'"]),
    (["model", "--board", custom() + ",c=2"], ["'c'"]),
    (["model", "--board", custom(f="nan")], ["'nan'", "'f'"]),
    (["model", "--board", custom(w="-32")], ["'-32'", "'w'"]),
    (["model", "--board", custom(q="1")], ["'q'"]),
] + [
    (["model", "--board", custom(**{name: None})], [f"'{name}'"]) for name in CUSTOM
] + [
    (["model", "--board", custom(**{name: "0"})], ["'0'", f"'{name}'"])
    for name in CUSTOM if name != "lat"
] + [
    # whatever is in it, it is one line
    ([*args, "new\nline"], ["new"]) for args in (
        [], ["beff"], ["beff", "--backend"], ["beff", "--job"], ["beff", "--pin"],
        ["beff", "--sizes"], ["beff", "-o"], ["beff", "--rule"], ["model", "--board"], ["explain"],
        ["beff", "--backend", "sim", "--sim"])
] + [
    ([*args, LONG], ["xxxx"]) for args in (
        [], ["beff"], ["beff", "--backend"], ["beff", "--pin"], ["beff", "--sizes"],
        ["model", "--board"], ["explain"])
]

# The same with files to write.
BAD_FILES = [
    (["-o", "x.unknown"], ["'x.unknown'"]),
    (["-o", "x"], ["'x'"]),
    (["-o", "/nonexistent/x.csv"], ["'/nonexistent/x.csv'"]),
    (["-o", "a.csv", "-o", "x.unknown"], ["'x.unknown'"]),
    (["-o", "a.csv", "-o", "b.json", "-o", "/nonexistent/x.csv"], ["'/nonexistent/x.csv'"]),
    (["-o", "a.csv", "-o", "a.csv"], ["'a.csv'"]),
    (["-o", "a.csv", "-o", "./a.csv"], ["'./a.csv'"]),
    (["-o", LONG + ".csv"], ["xxxx"]),
]


COMMANDS_WITH_FILES = (["beff"], ["latency", "--backend", "sim"], ["model", "--board", "520n"])


def shown(args):
    """Arguments as the name of a case."""
    return " ".join(a if len(a) < 60 else a[:20] + "..." for a in args)


def cases(table):
    """Arguments, words of the line, exit status; named by the arguments."""
    return [pytest.param(args, words, *rc or [2], id=shown(args)) for args, words, *rc in table]


def takes_files(args):
    return len(args) > 2 and args[0] in MEASURING + ATLAS + ["model"] and "--" not in args


@pytest.fixture
def empty(place, monkeypatch):
    """The folder in which the test runs: it is empty, the files of networks are beside it."""
    for name, members in NETWORKS.items():
        write_result(place, name, members)
    folder = place / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def refused(args, words, rc, folder):
    if "mpi" in args:
        need("mpi")
    done = run(*args)
    lines = done.err.splitlines()
    bad = [f"exit {done.rc}, expected {rc}"] if done.rc != rc else []
    if len(lines) != 1 or not done.err.endswith("\n"):
        bad.append(f"{len(lines)} lines on stderr")
    bad += [f"begins otherwise: {x[:60]}" for x in lines[:1] if not x.startswith("netbench: ")]
    bad += [f"does not name {w}" for w in words if w not in done.err]
    bad += ["something on stdout"] if done.out else []
    bad += [f"created {sorted(left)}"] if (left := os.listdir(folder)) else []
    ok(not bad, f"refused: {shown(args)!r}", "\n".join(bad + [str(done)]))


@pytest.mark.parametrize("args, words, rc", cases(BAD))
def test_bad_arguments_are_refused(args, words, rc, empty):
    refused(args, words, rc, empty)


@pytest.mark.parametrize("args, words, rc", cases(row for row in BAD if takes_files(row[0])))
def test_bad_arguments_create_no_file(args, words, rc, empty):
    refused([args[0], "-o", "a.csv", "-o", "b.json", *args[1:]], words, rc, empty)


@pytest.mark.parametrize("command", COMMANDS_WITH_FILES, ids=shown)
@pytest.mark.parametrize("args, words, rc", cases(BAD_FILES))
def test_bad_files_are_refused(command, args, words, rc, empty):
    refused(command + args, words, rc, empty)


@pytest.mark.parametrize("args", (["-o", "/nonexistent/x.csv"], ["-o", "new.x"], ["-o", "./old.csv"], ["-m", "99"],
                                  ["--pin", "8191"], ["--dry-run"]), ids=shown)
def test_a_run_that_does_not_take_place_keeps_older_results(args, empty):
    (empty / "old.csv").write_text("older results\n")
    run("beff", "-o", "old.csv", *args)
    equal(((empty / "old.csv").read_text(), os.listdir(empty)), ("older results\n", ["old.csv"]), "older results are kept")


def test_a_directory_is_no_result_file(empty):
    (empty / "dir.csv").mkdir()
    done = run("beff", "-o", "dir.csv")
    equal((done.rc, done.err.count("\n"), done.out), (2, 1, ""), "a directory is no result file")


def test_the_file_that_is_standard_output_is_no_other_sink(empty):
    with open("a.csv", "w") as f:
        done = run("model", "--board", "520n", "-f", "csv", "-o", "a.csv", stdout=f)
    equal((done.rc, len(done.faults)), (2, 1), "the file that is standard output")
    equal(os.path.getsize("a.csv"), 0, "is left alone")


# ---- help ----

@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ("--help", "-h"))
def test_every_command_has_help(command, option):
    done = run(command, option)
    ok(done.rc == 0 and f"netbench {command}" in done.out and not done.err, f"help: {command} {option}", done)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_many_options_leads_with_five(command):
    """Each in a line, as it stands below."""
    text = run(command, "--help").out
    lead, _, rest = text.partition("most used:\n")[2].partition("\n\n")
    heads = [line[:28].split("=")[0].rstrip() for line in lead.splitlines() if re.match("  (-., |    )--", line)]
    many = len(re.findall(r"^  (?:-., |    )--", rest or text, re.M)) > 12
    ok(len(heads) == (5 if many else 0) and all(re.search("^" + re.escape(h), rest, re.M) for h in heads), "which there are", text[:900])


@pytest.mark.parametrize("backend, option", (("shm", "--ring-size"), ("sim", "--board"), ("null", "")))
def test_help_has_the_options_of_the_backend(backend, option):
    done = run("beff", "--backend", backend, "--help")
    ok(done.rc == 0 and option in done.out and not done.err, f"help with backend {backend}", done)


@pytest.mark.parametrize("args", (["--help"], ["-h"], ["help"], ["help", "help"], ["help", "--help"]), ids=shown)
def test_help_lists_the_commands(args):
    done = run(*args)
    ok(done.rc == 0 and all(f"  {c} " in done.out for c in COMMANDS) and not done.err, f"{args} lists the commands", done)


@pytest.mark.parametrize("long", (["model", "--measure"], ["beff", "--rule", "hlrs"], ["latency", "--backend", "sim"]),
                         ids=shown)
def test_options_may_be_shortened(long):
    short = [long[0], long[1][:-2], *long[2:]]
    done = run(*short, "--help")
    equal(done.out, run(*long, "--help").out, f"{short} is {long}")
    ok("usage:" in done.out, "it is a help", done)


def test_version_has_number_and_commit_and_the_newest_change():
    done = run("--version")
    git = shutil.which("git") and subprocess.run(["git", "-C", SOURCE, "--git-dir=.git", "rev-parse", "HEAD"],
                                                 capture_output=True, check=False).returncode == 0
    commit = r" \([0-9a-f]{12,40}(-dirty)?\)" if git else ""
    ok(done.rc == 0 and re.fullmatch(rf"netbench \d+\.\d+\.\d+(-dev)?{commit}\n", done.out) and not done.err, "--version", done)
    version = done.out.split()[1]
    with open(os.path.join(SOURCE, "CHANGELOG.md"), encoding="utf-8") as f:
        newest = re.findall(r"^## \[([\d.]+)\] - ", f.read(), re.M)[0]
    if version.endswith("-dev"):        # the files name what was released, and this comes after it
        ok(tuple(map(int, version[:-4].split("."))) > tuple(map(int, newest.split("."))), "a version after the last", (version, newest))
        version = newest
    for file, line in (("CITATION.cff", f"version: {version}\n"), ("CHANGELOG.md", f"\n## [{version}] - ")):
        with open(os.path.join(SOURCE, file), encoding="utf-8") as f:
            ok(line in f.read(), f"{file} names version {version}")


@pytest.mark.parametrize("line", ["netbench beff -m 20", "netbench model --board 520n"])
def test_the_lines_of_job_files_stand_in_the_readme(line):
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as f:
        ok(re.search(rf"^    {re.escape(line)}(?: {{2,}}#.*)?$", f.read(), re.M), "as they are typed", line)
    more = ["-b", "sim"] if "beff" in line else []
    equal(run(*line.split()[1:], *more).rc, 0, "and they work")


def test_contributing_names_what_there_is():
    """What it says of `label`, `fill` and roles of columns is where it says."""
    def text(*path):
        with open(os.path.join(SOURCE, *path), encoding="utf-8") as f:
            return f.read()
    said = text("CONTRIBUTING.md")
    ok("`column_role`" in said and "table `roles`" not in said and "column_role(enum column_id id)\n{" in text("src", "result", "columns.c"), "roles")
    ok("`label`" in said and re.search(r"\*label\)", text("src", "measure", "plan", "benchmark.h")), "label")
    ok("could not be measured as well: then" not in said, "fill is not called for what was left out")


def test_a_missing_module_is_named_as_it_would_be(place):
    """A program without its modules: those of MPI have a variant in their names."""
    need("mpi")
    shutil.copy(NETBENCH, place / "netbench")
    p = subprocess.run([place / "netbench", "list", "--backend", "mpi"], capture_output=True, text=True, check=False,
                       env={**os.environ, "NETBENCH_MODULES": ""})
    if p.returncode == 0:
        pytest.skip("modules of netbench are installed on this machine")
    ok(p.returncode == 3 and "'netbench-mpi-openmpi.so' or 'netbench-mpi-mpich.so'" in p.stderr, "named", p.stderr)


def test_a_backend_that_is_not_built_is_listed():
    out = " ".join(run("list").out.split())
    left_out = [b for b in ("fpga", "mpi", "ofi", "verbs") if f" {b} module " not in out.split(" command ")[0]]
    if not left_out:
        pytest.skip("this build has all backends")
    for name in left_out:
        ok(f" {name} build netbench with " in out.split("not part of this build:")[1], "with the package that it needs", out)
        ok("build netbench with " in run("list", "--backend", name).err, "also by itself")


def without_reader(*args, cwd=None):
    """Exit status and standard error where nobody reads standard output any more."""
    end, out = os.pipe()
    os.close(end)
    with subprocess.Popen([NETBENCH, *map(str, args)], stdout=out, stderr=subprocess.PIPE, text=True, cwd=cwd) as p:
        os.close(out)
        err = p.communicate(timeout=60)[1]
    return p.returncode, NOISE.sub("", err)


@pytest.mark.parametrize("line", ["explain", "list", "schema", "--help", "compare x.json x.json", "latency -b sim --sizes 1:4096", "latency -b shm --sizes 1:512 --point-time 1ms"])
def test_ends_quietly_when_nobody_reads_on(line, place):
    """As head leaves: as if by SIGPIPE, and a file of the result is complete nevertheless."""
    measures = line.startswith("latency")
    if "x.json" in line:
        run("latency", "-b", "sim", "--sizes", 8, "-o", "x.json", cwd=place)
    files = ["-o", str(place / "x.json")] if measures and "sim" in line else []
    rc, err = without_reader(*line.split(), *files, cwd=place)
    ok(rc == 141 and not [x for x in err.splitlines() if "warning" not in x], "status 141, and no word", (rc, err))
    if files:
        doc = json.loads((place / "x.json").read_text())
        equal((len(doc["rows"]), doc["status"]), (4096, "complete"), "all rows are in the file")


def test_no_reader_hides_no_verdict(place):
    """A fault counts for more than a reader that has left."""
    rc, err = without_reader("check", "-b", "sim", "--require", "latency.half_rtt_epoch_s <= 1ns", "-o", place / "x.json")
    equal((rc, "is not met" in err or "are not met" in err), (1, True), "failed, and said")


def test_without_arguments_the_usage_is_told():
    done = run()
    ok(done.rc == 2 and "usage" in done.err and not done.out, "no arguments", done)


def test_what_is_wrong_before_help_is_told():
    done = run("beff", "--sizes", "nonsense", "--help")
    equal((done.rc, done.out), (2, ""), "what is wrong before --help is told")


def test_completion_needs_a_shell():
    done = run("completion")
    ok(done.rc == 2 and done.err.count("\n") == 1, "completion for no shell", done)


@pytest.mark.parametrize("shell", ("bash", "zsh", "fish"))
def test_completion_is_printed(shell):
    done = run("completion", shell)
    ok(done.rc == 0 and "netbench" in done.out and "beff" in done.out, f"completion {shell}", done)


# ---- explain ----

def explained():
    return [x.split()[0] for x in run("explain").out.splitlines()]


def test_explain_lists_and_explains_all_columns():
    listed = explained()
    ok(len(listed) > 30 and len(set(listed)) == len(listed), "explain lists columns", listed)
    done = run("explain", *listed)
    ok(done.rc == 0 and all(f"{c} (unit" in done.out for c in listed), "explain explains them", done)


@pytest.mark.parametrize("command", MEASURING + ATLAS)
def test_columns_of_a_command_are_explained(command):
    done = run(command, "--backend", "sim", "--sizes", "1", "-f", "csv", "-l", 1)
    head = next((x for x in done.out.splitlines() if not x.startswith("#")), "none").split(",")
    listed = explained()
    ok(set(head) <= set(listed), f"{command}: columns are known", set(head) - set(listed))


@pytest.mark.parametrize("word, number", [
    ("one-way", "1.1"), ("two-way", "1.2"), ("pairs", "1.4"), ("outfarming", "1.5"), ("multicast", "1.6"), ("funnel", "1.7"),
    ("push-farm", "2.1"), ("pull-farm", "2.2"), ("pipeline", "2.3"),
])
def test_a_word_for_a_benchmark_means_its_number(word, number):
    ranks = ["-n", 12, "--sizes", 64, "-b", "sim", "-f", "csv"]
    by_word, by_number = run(word, *ranks), run(f"atlas-{number}", *ranks)
    ok(by_word.rc == 0 and "# command: atlas-" + number in by_word.out, "its result has the number", by_word)
    equal(Csv(by_word.out).rows, Csv(by_number.out).rows, "the same rows")


def test_backends_and_commands_fit_a_terminal():
    text = run("list").out
    equal([x for x in text.splitlines() if len(x) > 79 and "/" not in x], [], "in 79 characters, but for paths")
    head, *commands = text.split("\n\n")[1].splitlines()
    names = re.findall(r"^  (\S+)", text.split("\n\n")[0], re.M)
    equal(head.split(), ["command", *names], "a column for each backend")
    equal({len(x) for x in commands}, {len(head)}, "columns are aligned")
    ok("latency" in [x.split()[0] for x in commands], "a line for each command that measures", text)


def test_commands_are_listed_by_what_they_are_for():
    text = run("--help").out
    groups = re.findall(r"^(\S[\w ]*):\n((?:  .*\n)+)", text, re.M)
    equal([x for x in text.splitlines() if len(x) > 79], [], "in 79 characters")
    listed = {name: [line.split()[0] for line in text.splitlines()] for name, text in groups}
    equal(list(listed), ["measure", "compute", "read results", "tools"], "four groups")
    equal([name for name, of in listed.items() for c in ("check", "model", "compare", "list") if c in of], list(listed), "one of each")


@pytest.mark.parametrize("args, meant", named((
    (["latency", "--json"], "did you mean '--format json'?"), (["latency", "--csv"], "did you mean '--format csv'?"),
    (["compare", "--json", "a", "b"], "did you mean '--format json'?"), (["latency", "--iterations", "5"], "did you mean '--loops'?"),
    (["beff", "--reps=5"], "did you mean '--repetitions'?"), (["msgrate", "--message-size", "8"], "did you mean '--sizes'?"),
    (["beff", "--duration", "3"], "did you mean '--point-time'?"), (["latency", "--no-pin"], "did you mean '--pin'?"),
    (["ping"], "unknown command 'ping', did you mean 'latency'?"), (["BW"], "did you mean 'bandwidth'?"),
    (["latency", "-b", "quic"], "unknown backend 'quic'; 'netbench list' shows all backends"),
    (["-b", "tcp"], "option '-b' stands before the command: options follow it"),
    (["latency", "-n", 2, "-b", "mpi"], "this process alone has started: 1; set the number with 'mpirun -n'"))))
def test_words_of_others_are_told_what_they_are_here(args, meant):
    done = run(*args)
    if "module" in done.err:
        pytest.skip(f"no such backend: {done.err}")
    ok(done.rc == 2 and meant in done.err and done.err.count("\n") == 1 and not done.out, f"{args}", done)


def test_an_option_may_still_be_shortened():
    done = run("latency", "-b", "sim", "--sizes", 8, "--csv-h", "none", "-f", "csv")
    ok(done.rc == 0 and done.out.startswith("size_B"), "--csv-h", done)

# SPDX-License-Identifier: Apache-2.0
"""netbench model: what cannot be is refused in one line, which names it."""
import pytest
from netbench import named, ok, run, words

WRONG = [
    (), ("--board", "520n", "--example"), ("--logp", "L=1,o=1,g=1,P=2", "--loggp", "L=1,o=1,g=1,G=1"),
    ("--logp", "L=-6,o=2,g=4,P=8"), ("--logp", "L=6,o=0,g=0,P=8"), ("--logp", "L=6,o=2,g=4,P=1"),
    ("--logp", "L=6,o=2,g=4,P=0"), ("--logp", "L=6,o=2,g=4"), ("--logp", "L=6,o=2,g=4,P=16777217"),
    ("--logp", "L=6,o=2,P=8"), ("--logp", "L=6,g=2,P=8"), ("--logp", "L=6us,o=2,g=4,P=8"),
    ("--logp", "L=6,o=2,g=4,P=8us"),
    ("--logp", "L=6,o=2,g=4,P=8", "--arity", 1), ("--logp", "L=6,o=2,g=4,P=8", "--fft", 100),
    ("--logp", "L=6,o=2,g=4,P=8", "--fft", 4), ("--logp", "L=6,o=2,g=4,P=6", "--fft", 64),
    ("--logp", "L=6,o=2,g=4,P=8", "--reach", "10us"), ("--logp", "L=6us,o=2us,g=4us,P=8", "--reach", "10"),
    ("--logp", "L=6,o=2,g=4,P=8", "--reach", "-1"), ("--logp", "L=6,o=2,g=4,P=8", "--reach", "10000"),
    ("--logp", "L=0,o=0,g=4,P=8", "--reach", "10"), ("--logp", "L=6,o=2,g=4,P=8", "--reach", 5, "--fft", 8),
    ("--logp", "L=6,o=2,g=4,P=8", "--sizes", "8"), ("--logp", "L=6,o=2,g=4,P=8", "--algorithm", "linear"),
    ("--logp", "L=6,o=2,g=4,P=8", "--schedule", "svg", "-f", "csv"),
    ("--logp", "L=6,o=2,g=4,P=5000", "--schedule", "dot"),
    ("--logp", "L=6,o=2,g=4,P=8", "--against", "a.json"), ("--loggp", "L=1us,o=1,g=1"), ("--loggp", "L=1,o=0,g=0,G=0"),
    ("--loggp", "L=1,o=1,g=1,G=1,P=1"), ("--loggp", "L=1,o=1,g=1,G=1", "--pattern", "ring"),
    ("--loggp", "L=1,o=1,g=1,G=1", "--fft", "8"), ("--loggp", "L=1,o=1,g=1,G=1,P=3", "--fft", "8"),
    ("--loggp", "L=1,o=1,g=1,G=1", "--batch", "8"), ("--like", "none.json"), ("--rdma", ""), ("--rdma", "o_wqe=-1"),
    ("--rdma", "o_wqe=1", "--example"), ("--example", "--window", 2, "--batch", 4), ("--example", "--batch", 0),
    ("--example", "--against", "none.json"), ("--board", "520n", "--against", "pairs.json"),
    ("--board", "520n", "--messages", 3), ("--loggp", "L=1,o=1,g=1,G=1", "--against", "none.json"),
    ("--example", "--against", "x.json", "--window", 3),
]

# The same, and the words that the one line about it has.
LOGP, LOGGP = ("--logp", "L=6,o=2,g=4,P=8"), ("--loggp", "L=1,o=1,g=1,G=1,P=8")
IMPOSSIBLE = [
    (("--logp", "L=-6,o=2,g=4,P=8"), "'L' out of range"), (("--logp", "L=6,o=-2,g=4,P=8"), "'o' out of range"),
    (("--logp", "L=6,o=2,g=-4,P=8"), "'g' out of range"), (("--logp", "L=nan,o=2,g=4,P=8"), "nan 'L'"),
    (("--logp", "L=inf,o=2,g=4,P=8"), "inf 'L'"), (("--logp", "L=6,o=0,g=0,P=8"), "o and g are 0"),
    (("--logp", "L=6,o_s=0,o_r=0,g=0,P=8"), "o and g are 0"), (("--logp", "L=6,o=0,g=0", "--reach", 9), "o and g are 0"),
    (("--logp", "L=6,o=2,g=4,P=1"), "'P' out of range"), (("--logp", "L=6,o=2,g=4,P=2.5"), "'P' number list"),
    (("--logp", "L=6,L=7,o=2,g=4,P=8"), "'L' twice"), (("--logp", "L=6,o=2,g=4,Q=8"), "'Q' unknown"),
    ((*LOGP, "--arity", 1), "--arity out of range"), ((*LOGP, "--arity", 0), "--arity out of range"),
    ((*LOGP, "--schedule", "table", "--algorithm", "k-ary", "--arity", 1), "--arity out of range"),
    ((*LOGP, "--fft", 1), "--fft out of range"), ((*LOGP, "--fft", 100), "--fft power of two"),
    (("--logp", "L=6,o=2,g=4,P=6", "--fft", 64), "P=6 power of two"), ((*LOGP, "--fft", 4), "--fft P=8"),
    ((*LOGP, "--messages", 0), "--messages out of range"), ((*LOGP, "--fft", 64, "--arity", 2), "--fft --arity"),
    ((*LOGP, "--fft", 64, "--messages", 2), "--fft --messages"), ((*LOGP, "--reach", 9, "--arity", 2), "--reach --arity"),
    ((*LOGP, "--reach", 9, "--messages", 2), "--reach --messages"),
    ((*LOGP, "--schedule", "tree", "--messages", 2), "--schedule --messages"),
    ((*LOGP, "--against", "x.json", "--arity", 2), "--against --arity"),
    (("--loggp", "L=-1,o=1,g=1,G=1"), "'L' out of range"), (("--loggp", "L=1,o=1,g=1,G=-1"), "'G' out of range"),
    (("--loggp", "L=1,o_r=-1,o_s=1,g=1,G=1"), "'o_r' out of range"), (("--loggp", "L=1,o=0,g=0,G=0"), "o and g are 0"),
    (("--loggp", "L=1,o=0,g=0,G=1"), "o and g are 0"), (("--loggp", "L=1,o=1,g=1,G=1,P=1"), "'P' out of range"),
    (("--loggp", "L=1,o=1,g=1,G=1,P=2000000"), "'P' out of range"), ((*LOGGP, "--fft", 24), "--fft power of two"),
    (("--loggp", "L=1,o=1,g=1,G=1,P=12", "--fft", 64), "P=12 power of two"), ((*LOGGP, "--fft", 4), "--fft P=8"),
    ((*LOGGP, "--segment", 0), "--segment out of range"), ((*LOGGP, "--destinations", 0), "--destinations out of range"),
    ((*LOGGP, "--occupation", -1), "--occupation out of range"), ((*LOGGP, "--messages", 0), "--messages out of range"),
    ((*LOGGP, "--fft", 64, "--pattern", "ring"), "--fft --pattern"),
    ((*LOGGP, "--against", "x.json", "--sizes", 8), "--against --sizes"),
    ((*LOGGP, "--against", "x.json", "--pattern", "ring"), "--against --pattern"),
    ((*LOGGP, "--sizes", 8, "--max-size", 4), "--sizes --max-size"),
    ((*LOGGP, "--min-size", 9, "--max-size", 4), "smallest largest"), ((*LOGGP, "--arity", 2), "--arity --loggp"),
    (("--rdma", "o_wqe=-1"), "'o_wqe' out of range"), (("--rdma", "o_wqe=0,o_nsnd=0,L=1us"), "0"),
    (("--rdma", "o_wqe=1,o_wqe=2"), "'o_wqe' twice"), (("--rdma", "f=1"), "'f' unknown"),
    (("--example", "--window", 0), "--window out of range"), (("--example", "--batch", 0), "--batch out of range"),
    (("--example", "--window", 4, "--batch", 8), "--batch larger"), (("--rdma", "o_wqe=1", "--example"), "--rdma --example"),
    (("--example", "--against", "x.json", "--batch", 2), "--against --batch"),
    (("--board", "999n"), "999n"), (("--board", "custom:c=0,w=32,f=1e6,lat=1us"), "'c' out of range"),
    (("--board", "custom:c=2,w=0,f=1e6,lat=1us"), "'w' out of range"),
    (("--board", "custom:c=2,w=32,f=0,lat=1us"), "'f' out of range"),
    (("--board", "custom:c=2,w=32,f=-1,lat=1us"), "'f' out of range"),
    (("--board", "custom:c=2,w=32,f=1e6,lat=-1us"), "'lat' out of range"),
    (("--board", "custom:c=2,w=32,lat=1us"), "'f' missing"), (("--board", "520n", "-n", 0), "--cards out of range"),
    (("--board", "520n", "--against", "x.json", "--cards", 2), "--against --cards"),
    (("--measure", "-b", "sim", "-n", 1), "--ranks out of range"), (("--measure", "-b", "sim", "--rounds", 1), "--rounds range"),
    (("--measure", "-b", "sim", "--sizes", "1,2,3"), "4"), (("--measure", "-b", "sim", "-m", 2), "4"),
    (("--measure", "-b", "sim", "--sizes", "0,1,2,4"), "--sizes ascend"),
    (("--measure", "-b", "sim", "--sizes", "1,2,2,4"), "--sizes ascend"), (("--fit", "x.json"), "x.json --measure"),
    (("--fit", "x.json", "--rounds", 2), "rounds"),
]


@pytest.fixture(scope="module")
def results(shared_place):
    """The folder in which netbench runs here; it has an atlas-all in a.json, pairs of it in pairs.json and a latency in x.json."""
    run("atlas-all", "-b", "sim", "--sizes", "0,1k", "-o", "a.json", cwd=shared_place)
    run("atlas-1.4", "-b", "sim", "--sizes", "0,1k", "-o", "pairs.json", cwd=shared_place)
    run("latency", "-b", "sim", "--sizes", "1,100,101,1000,1001,4k", "-o", "x.json", cwd=shared_place)
    return shared_place


def refused(args, results, parts=()):
    done = run("model", *args, cwd=results)
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(w in done.err for w in parts),
       f"cannot be: {' '.join(map(str, args))}", done)


@pytest.mark.parametrize("args", WRONG, ids=words)
def test_wrong_arguments_are_refused(args, results):
    refused(args, results)


@pytest.mark.parametrize("args, parts", named(IMPOSSIBLE))
def test_what_is_wrong_is_named(args, parts, results):
    refused(args, results, parts.split())

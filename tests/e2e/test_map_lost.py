# SPDX-License-Identifier: Apache-2.0
"""netbench map outlives what is lost: ranks that end or hang, a run that is killed. The others are
measured, the verdict names what was lost, and what was measured is on disk."""
import json
import os
import signal

import pytest
import lost
from lost import unreachable, visits_on_disk
from netbench import Command, command, equal, ok, one_fault, run, slow_but, until

pytestmark = pytest.mark.usefixtures("inside")
MANY = ["--backend", "tcp", "--unit", "rank", "--repetitions", 2, "--sizes", "8,64k", "--no-retest"]
VISITS = {3: 30, 4: 12, 5: 12}        # of so many ranks: long enough for one to be lost meanwhile


def joined(n, *args):
    """n ranks that join and have measured for a while."""
    return lost.joined(n, [*MANY, "--visits", VISITS[n], *args], 3 * n)


@pytest.mark.parametrize("n", slow_but((3, 5), 0))
def test_a_rank_that_dies_is_judged_and_the_others_end_as_always(n):
    job = joined(n)
    job.ranks[2].p.kill()
    done = job.end(60)
    equal([d.rc for d in done], [0 if i != 2 else -signal.SIGKILL for i in range(n)], "the others end as always")
    ok("rank 2 on host" in done[0].err and "was lost" in done[0].err and "the others go on" in done[0].err, "a warning", done[0])
    with open("lost.json", encoding="utf-8") as f:
        record = json.load(f)
    equal(unreachable(record), ["rank2"], "the verdict")
    ok("rank2 stopped answering" in done[0].out, "in words", done[0])
    for row in record["rows"]:
        dead = "rank2" in (row["sender_host"], row["receiver_host"])
        ok(row["visits"] < VISITS[n] if dead else row["visits"] == VISITS[n], "visits", row)
        ok(row.get("note", "").startswith("no answer") if dead else "note" not in row, "the row says so", row)
    ok(not os.path.exists("lost.json.visits.csv"), "visits are in the rows now")
    again = run("map", "--from", "lost.json", "--fail-if", "unreachable", "--write-exclude", "bad", "-f", "json")
    equal((again.rc, unreachable(json.loads(again.out))), (1, ["rank2"]), "judged again from the file")
    with open("bad", encoding="utf-8") as f:
        ok("rank2" in f.read().split(), "left out")


@pytest.mark.long
def test_a_rank_that_hangs_is_judged_and_the_others_end_as_always():
    job = joined(4, "--stall", "2s")
    job.ranks[3].p.send_signal(signal.SIGSTOP)
    done = [rank.end(60) for rank in job.ranks[:3]]
    job.ranks[3].p.kill()
    job.ranks[3].end(10)
    equal([d.rc for d in done], [0, 0, 0], "the others end as always")
    with open("lost.json", encoding="utf-8") as f:
        equal(unreachable(json.load(f)), ["rank3"], "the verdict")


@pytest.mark.slow
def test_visits_before_the_death_of_rank_0_are_judged_from_disk():
    """There is nobody to go on then: one line each, and what was measured is on disk, to be judged."""
    job = joined(3)
    job.ranks[0].p.kill()
    done = job.end(30)
    ok(all(one_fault(d, 1, "rank 0") for d in done[1:]), "the others say so", done)
    kept = visits_on_disk("lost.json.visits.csv")
    done = run("map", "--from", "lost.json.visits.csv", "-f", "json")
    summary = json.loads(done.out)["summary"]
    ok(summary["hosts"] == 3 and len(kept) >= 9, "judged by what there is", done)
    done = run("map", "-b", "sim", "--ranks", 3, "-o", "lost.json")
    ok(one_fault(done, 2, "'lost.json.visits.csv' already exists"), "and it is not overwritten", done)


@pytest.mark.long
def test_rows_come_with_rounds():
    """Those of the last visit, before the run ends."""
    r = Command(command(["map", "-b", "tcp", "--ranks", 4, "--visits", 1, "--repetitions", 400, "--sizes", "8,256k", "--no-retest",
                         "-f", "csv"]), args=["map"])
    ok(until(lambda: any(line.split(",")[0] in "0123" for line in r.said(r.out).splitlines()), 60), "a row", r.said())
    ok(r.p.poll() is None, "while it runs")
    r.p.send_signal(signal.SIGINT)
    done = r.end(30)
    rows = [line for line in done.out.splitlines() if line[:2] in ("0,", "1,", "2,", "3,")]
    equal((len(rows), len({tuple(row.split(",")[:2]) for row in rows})), (12, 12), "each pair once")


@pytest.mark.parametrize("option, words", ((["--sync", "window"], ["'--sync window' is not possible: map connects ranks of backend 'tcp' only during rounds"]),
                                           (["--verify", "every-timed"], ["'--verify every-timed' is not possible", "leave it out"])))
def test_what_needs_all_connections_is_refused(option, words):
    done = run("map", "-b", "tcp", "--ranks", 3, *option)
    ok(one_fault(done, 3, *words), "refused", done)


@pytest.mark.slow
def test_who_lives_is_not_accused_where_all_others_die():
    """Who lives is not accused, though nobody answers it."""
    job = joined(3, "--write-exclude", "bad")
    for rank in job.ranks[1:]:
        rank.p.kill()
    done = job.end(60)
    with open("lost.json", encoding="utf-8") as f:
        equal((done[0].rc, unreachable(json.load(f))), (0, ["rank1", "rank2"]), "the verdicts")
    with open("bad", encoding="utf-8") as f:
        equal(f.read().split()[:2], ["rank1", "rank2"], "left out")

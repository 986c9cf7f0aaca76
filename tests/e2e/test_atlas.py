# SPDX-License-Identifier: Apache-2.0
"""The ATLAS benchmarks in virtual time: what they do with their options, their rows and series, rows that cannot be measured."""
import math
import os
import subprocess

import pytest
from netbench import MPI_ENV, NETBENCH, SLOW, Csv, close_to, equal, measure, named, ok, run
from virtual import ATLAS, DEFAULT, MANY, json_of, place, sim

each_number = pytest.mark.parametrize("number", ATLAS)


# ---- which ranks ----

def times_of(doc):
    """Of each row, the ranks' times in ns, None for those that take no part."""
    return [[t if t is None else round(t * 1e9, 6) for t in row["samples"]["rank_time_s"][0]] for row in doc["rows"]]


@pytest.mark.parametrize("args, want", named((
    (["atlas-1.5", "--peers", "3,1,4"], [[600, 1700, None, 1400, 2000, None]]),
    (["atlas-1.6", "--peers", "3,1,4", "--algorithm", "linear"], [[600, 1700, None, 1400, 2000, None]]),
    (["atlas-1.6", "--peers", "3,1,4", "--algorithm", "binomial"], [[400, 1600, None, 1700, 2800, None]]),
    (["atlas-1.7", "--peers", "3,4"], [[1700, None, None, 200, 200, None]]),
    (["atlas-1.1", "--peers", "3,4"], [[2800, None, None, None, None, None]] * 2),
    (["atlas-1.2", "--peers", "3,4"], [[1400, None, None, 1400, None, None], [1400, None, None, None, 1400, None]]),
    (["atlas-1.4", "--peers", "5,3"], [[200, 200, None, 1400, None, 1400]]))))
def test_who_takes_part_in_which_order(args, want):
    """The default network: A is 1400 ns at 1 byte, I 300 ns, a send 200 ns."""
    done, doc = json_of(*args, "-n", 6, "--sizes", 1, "-l", 1)
    equal(times_of(doc), want, f"{' '.join(args)}: who takes part, in which order")
    lists = args[2].split(",") if args[0] in ("atlas-1.1", "atlas-1.2") else [args[2]]
    equal([r["peers"] for r in doc["rows"]], lists, f"{' '.join(args)}: the list is in its rows")


def test_as_many_ranks_as_the_list_of_peers_needs():
    done, table = sim(DEFAULT, "atlas-1.5", "--peers", "3,1,7", "--sizes", 1)
    equal(table.one("environment.nranks"), 8, "as many ranks as the list needs")


def test_a_peer_that_is_not_there():
    done, table = sim(DEFAULT, "atlas-1.5", "--peers", "3,9", "-n", 4, "--sizes", 1)
    ok(done.rc == 3 and [r["note"] for r in table.rows] == ["n/a: needs 10 ranks, have 4"] and
       len(done.faults) == 1, "a peer that is not there", done)


@pytest.mark.parametrize("algorithms", ("linear,binomial", "optimal,k-ary=3"))
def test_changing_lists_take_as_long(algorithms):
    """Receivers are others, the time is the same; all get what was sent."""
    args = ["atlas-1.6", "--sizes", "0,64,1000", "--algorithm", algorithms, "--ranks", "5,9"]
    (done, drawn), (_, plain) = json_of(*args, "--change-list"), json_of(*args)
    equal([(r["ranks"], r["size_B"], r["time_s"]) for r in drawn["rows"]],
          [(r["ranks"], r["size_B"], r["time_s"]) for r in plain["rows"]], f"--change-list: {algorithms} take as long")
    ok(len(drawn["rows"]) == 12 and all(r["errors"] == 0 and (r["checked"] > 0) == (r["size_B"] > 0)
                                         for r in drawn["rows"]), "--change-list: content verified", done)
    taking_part = [tuple(t is not None for t in ts) for ts in times_of(drawn)]
    equal([sum(t) for t in taking_part], [r["ranks"] for r in drawn["rows"]], "--change-list: as many as without")
    ok(all(t[0] for t in taking_part) and len(set(taking_part)) > 2, "--change-list: the lists differ", taking_part)


# ---- sizes and ranks ----

@each_number
def test_sizes_and_ranks_are_those_of_the_note_by_default(number):
    done, table = sim(DEFAULT, f"atlas-{number}", "-l", 3)
    sizes = [0, 64, 256, 1024]
    ok(done.rc == 0 and [r["size_B"] for r in table.rows] == sizes * (len(table.rows) // 4) and table.rows and
       all(r["benchmark"] == float(number) for r in table.rows), f"{number}: sizes of the note", done)
    ranks = list(dict.fromkeys(r["ranks"] for r in table.rows))
    want = {"1.1": [2], "1.2": [2], "1.3": [4, 8, 16], "1.4": [4, 8, 16], "2.1": [6, 8, 10], "2.2": [6, 8, 10],
            "2.3": [7, 9, 13]}.get(number, [5, 9, 17])
    equal(ranks, want, f"{number}: ranks of the note")
    if number[0] == "2":
        equal(sorted({round(r["occupation_s"] * 1e6, 9) for r in table.rows}), [0, 50, 500], f"{number}: its occupations")


@each_number
def test_sizes_and_ranks_that_are_given(number):
    done, table = sim(DEFAULT, f"atlas-{number}", "-l", 3, "-m", 4, "--ranks", "16,30")
    equal([r["size_B"] for r in table.rows][:5], [1, 2, 4, 8, 16], f"{number} -m 4: powers of two")
    more = {"1.1": {2}, "1.2": {2}, "2.3": {9, 13, 14, 26, 27, 28}}.get(number, {16, 30})
    equal({r["ranks"] for r in table.rows}, more, f"{number} --ranks 16,30")
    done, table = sim(DEFAULT, f"atlas-{number}", "-l", 3, "--min-size", 2, "-m", 3)
    equal({r["size_B"] for r in table.rows}, {4, 8}, f"{number} --min-size 2 -m 3")


def test_ranks_are_a_list_in_json():
    done, doc = json_of("atlas-1.3", "--ranks", "4,7", "--sizes", 8)
    equal((doc["options"].get("ranks"), [r["ranks"] for r in doc["rows"]]), ([4, 7], [4, 7]), "ranks are a list in JSON")


def test_ranks_that_are_no_destinations_are_sources():
    done, table = sim(DEFAULT, "atlas-2.1", "--ranks", "2,5", "--destinations", "2,1", "--sizes", 8, "--occupation", 0)
    none = "n/a: too few ranks: none is left as a source"
    equal([(r["ranks"], r["sources"], r["destinations"], r["note"]) for r in table.rows],
          [(2, 0, 2, none), (5, 2, 2, None), (2, 0, 1, none), (5, 3, 1, None)], "2.1: ranks that are no destinations are sources")


@pytest.mark.slow
@each_number
def test_a_hundred_and_a_thousand_ranks_are_simulated_without_a_wrong_message(number):
    """100 and 1000 ranks, which no machine here has."""
    more = ["--occupation", 0, "-l", 50] if number[0] == "2" else []
    done, table = sim(DEFAULT, f"atlas-{number}", "--ranks", MANY, "--sizes", "0,1024", *more, timeout=120)
    ranks = {"1.1": {2}, "1.2": {2}, "2.3": {91, 98, 99, 988, 994, 999}}.get(number, {100, 1000})
    ranks = {r for r in ranks if SLOW == 1 or r <= 100}
    ok(done.rc == 0 and {r["ranks"] for r in table.rows} == ranks and done.seconds < 60 * SLOW and
       not any(r["errors"] for r in table.rows) and all(r["checked"] for r in table.rows if r["size_B"]),
       f"{number}: 100 and 1000 ranks in {done.seconds:.0f} s", done)


# ---- what cannot be measured has a row that says why, and nothing in it ----

def test_pairs_of_an_odd_number_of_ranks_are_left_out():
    done, table = sim(DEFAULT, "atlas-1.4", "--ranks", "5,6", "--sizes", "0,64")
    notes = [r["note"] for r in table.rows]
    equal((done.rc, notes), (0, ["n/a: pairs need an even number of ranks, not 5"] * 2 + [None] * 2), "pairs of 5 ranks")
    empty = [c for c in table.columns if c not in ("ranks", "load", "size_B", "note", "benchmark", "window")]
    ok(not any(r[c] is not None for r in table.rows[:2] for c in empty), "a row that is left out has no results",
       table.rows[:1])


def test_pairs_of_an_odd_number_of_ranks_alone_are_refused():
    done, table = sim(DEFAULT, "atlas-1.4", "--ranks", 5)
    ok(done.rc == 3 and len(done.faults) == 1 and "even" in done.faults[0], "nothing but pairs of 5 ranks", done)


def test_a_native_broadcast_is_refused_in_virtual_time():
    done, table = sim(DEFAULT, "atlas-1.6", "--algorithm", "native,linear", "--sizes", 64, "--ranks", 4)
    ok(done.rc == 0 and "'native'" in table.rows[0]["note"] and table.rows[1]["note"] is None and
       table.rows[1]["time_s"], "no native broadcast in virtual time", done)


def test_one_rank_alone_has_nothing_to_measure():
    done, table = sim(DEFAULT, "atlas-1.3", "--ranks", "1,4", "--sizes", 64)
    ok(done.rc == 2 or len(table.rows) == 2 and table.rows[0]["note"] and not table.rows[1]["note"],
       "one rank alone has nothing to measure", table.rows[:1])


needs_mpirun = pytest.mark.usefixtures("needs_mpirun")


def by_mpirun(n, *args):
    return subprocess.run(["mpirun", "-n", str(n), NETBENCH, *args, "--point-time", "10ms", "-f", "csv"], capture_output=True,
                          text=True, timeout=60 * SLOW, env={**os.environ, **MPI_ENV})


@needs_mpirun
@pytest.mark.parametrize("n, number, rc, want", (
    (5, "1.3", 0, {4: None, 8: "n/a: needs 8 ranks, have 5", 16: "n/a: needs 16 ranks, have 5"}),
    (2, "1.5", 3, {i: f"n/a: needs {i} ranks, have 2" for i in (5, 9, 17)})), ids=("some", "none"))
@pytest.mark.slow
def test_fewer_ranks_of_mpirun_than_asked_for_are_told(n, number, rc, want):
    p = by_mpirun(n, f"atlas-{number}", "--sizes", "0,64", "--load", "none")
    equal((p.returncode, {r["ranks"]: r["note"] for r in Csv(p.stdout).rows}), (rc, want), f"{number} on {n} ranks of mpirun")
    said = [x for x in p.stderr.splitlines() if x.startswith("netbench: ") and "warning" not in x]
    ok(len(said) == (rc != 0) and all("nothing could be measured" in x for x in said), "one line says so, if nothing was",
       p.stderr)


@needs_mpirun
@pytest.mark.slow
def test_changing_lists_are_drawn_from_all_ranks_of_the_job():
    p = by_mpirun(6, "atlas-1.6", "--change-list", "--ranks", "4", "--sizes", "64")
    ok(p.returncode == 0 and [(r["ranks"], r["errors"]) for r in Csv(p.stdout).rows] == [(4, 0)] * 2,
       "--change-list: receivers are drawn from all ranks of the job", p.stderr[:600])


# ---- on a board: channels go to the neighbours of a ring, pairs of them can be measured ----

BOARD = ["-b", "sim", "--board", "520n"]


@pytest.mark.parametrize("number", ("1.1", "1.2"))
@pytest.mark.parametrize("n", (2, 5))
def test_messages_between_two_cards_take_the_time_of_the_board(number, n):
    sizes = [0, 1, 64, 1000, 65536]
    done, table = measure(f"atlas-{number}", *BOARD, "-n", n, "-l", 4, "--sizes", ",".join(map(str, sizes)))
    bad = [r for r in table.rows if not close_to(r["message_s"], math.ceil(r["size_B"] / 64) / 156.25e6 + 520e-9)]
    ok(done.rc == 0 and len(table.rows) == len(sizes) and not bad, f"{number} on a board, {n} cards", bad[:2] or done)


def test_a_card_has_both_neighbours_as_peers():
    done, table = measure("atlas-1.2", *BOARD, "-n", 4, "--peers", "3,1", "--sizes", 64)
    ok(done.rc == 0 and [r["peers"] for r in table.rows] == [3, 1], "both neighbours on a board", done)


def test_a_peer_without_a_channel_to_it_is_refused():
    done = run("atlas-1.1", *BOARD, "-n", 4, "--peers", "2", "--sizes", 64)
    ok(done.rc != 0 and len(done.faults) == 1 and "no channel" in done.faults[0], "no neighbour on a board", done)


@pytest.mark.parametrize("number", ATLAS[2:])
def test_what_a_board_cannot_do_is_refused_by_name(number):
    done = run(f"atlas-{number}", *BOARD)
    ok(done.rc == 3 and done.out.count("\n") <= 2 and len(done.faults) == 1 and f"atlas-{number} needs " in done.faults[0]
       and "'pair'" in done.faults[0], f"{number} on a board is refused by name", done)


def test_atlas_all_measures_on_a_board_what_it_can_and_notes_the_rest():
    done, table = measure("atlas-all", *BOARD, "--sizes", 64)
    ok(done.rc == 0 and all((r["note"] is None) == (r["benchmark"] in (1.1, 1.2)) for r in table.rows) and
       {r["benchmark"] for r in table.rows} == set(map(float, ATLAS)), "atlas-all on a board", done)


@each_number
@pytest.mark.slow
def test_over_null_rounds_are_measured_and_farms_are_refused(number):
    """What carries nothing is measured as any other; farms need messages that tell something."""
    done, table = measure(f"atlas-{number}", "-b", "null", "--sizes", "0,64", "-l", 100, "--point-time", "5ms",
                          *(["--load", "none"] if number[0] == "1" else []))
    if number[0] == "1":
        ok(done.rc == 0 and not done.faults and table.rows and all(r["checked"] == 0 and r["time_s"] > 0
                                                                     for r in table.rows), f"{number} on null", done)
    else:
        ok(done.rc == 3 and done.faults == [f"netbench: atlas-{number} needs 'msg', which backend 'null' does not offer"],
           f"{number} on null", done)


# ---- series ----

def test_each_setup_has_a_series():
    done, doc = json_of("atlas-1.4", "--ranks", "4,8", "--window", "1,8", "--sizes", "0,64,256,1024")
    series, rows = doc["summary"].get("series", []), doc["rows"]
    equal([(s["ranks"], s["window"]) for s in series], [(4, 1), (4, 8), (8, 1), (8, 8)], "a series for each set-up")
    equal([s["overhead_s"] for s in series], [r["message_s"] for r in rows if not r["size_B"]],
          "overhead is the time at 0 bytes")


def test_a_farm_has_a_series_for_each_occupation():
    done, doc = json_of("atlas-2.2", "--sizes", "0,64,256,1024", "--occupation", "0,50", "-l", 50)
    equal([(s["sources"], s["occupation_s"], s["overhead_s"]) for s in doc["summary"].get("series", [])],
          [(r["sources"], r["occupation_s"], r["event_s"]) for r in doc["rows"] if not r["size_B"]], "series of a farm")


# ---- all of them ----

def same_but_rounding(a, b):
    return a == b or isinstance(a, (int, float)) and isinstance(b, (int, float)) and close_to(a, b, 1e-6)


@pytest.fixture(scope="module")
def whole():
    """An atlas-all."""
    return measure("atlas-all", "-b", "sim", "--sizes", "0,64,65536", timeout=120)


def test_atlas_all_runs_the_ten_at_once(whole):
    done, table = whole
    ok(done.rc == 0 and not done.err and table.status == "complete", "atlas-all", done)


@each_number
def test_all_has_the_rows_of_each(number, whole):
    """Whatever was measured before it."""
    done, table = measure(f"atlas-{number}", "-b", "sim", "--sizes", "0,64,65536")
    rows = [r for r in whole[1].rows if r["benchmark"] == float(number)]
    bad = [f"{place(r)}: {c} is {w[c]} in atlas-all, {r[c]} alone" for r, w in zip(table.rows, rows) for c in r
           if c in w and not same_but_rounding(r[c], w[c])]
    ok(len(rows) == len(table.rows) and rows and not bad, f"{number} in atlas-all is as alone",
       "\n".join(bad[:5]) or f"{len(rows)} rows of {len(table.rows)}\n{done}")


def test_two_runs_of_all_are_the_same():
    got = [measure("atlas-all", "-b", "sim", "--sizes", "0,1000")[1] for _ in (1, 2)]
    ok(got[0].rows and got[0].rows == got[1].rows, "two runs of atlas-all are the same")


def test_atlas_lists_the_ten_and_all():
    done = run("atlas")
    names = [x.split()[0] for x in done.out.splitlines() if x.startswith("  ")]
    equal((done.rc, done.err, names), (0, "", [f"atlas-{x}" for x in ATLAS] + ["atlas-all"]), "atlas lists the ten and all")

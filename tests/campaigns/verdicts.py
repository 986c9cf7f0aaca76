#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether two netbenches judge alike: results that are made up from a seed, of map and of compare, whole and damaged ones; what
both say of them is compared byte for byte, and how many there were of each kind of verdict is counted.

usage: verdicts.py OLD NEW [N [SEED]] [--json-sentences]

N: cases of one to a dozen results, 1000 by default. Fails if one differs, or if a kind of verdict is there in less than N/50.
NEW -: counts alone.
"""
import argparse
import collections
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from alike import OUT, Programs, compare_all        # noqa: E402
from recipes import make                            # noqa: E402

REASONS = {     # words of map where there is no verdict
    "half differ": "half of the hosts or more differ", "one side is faster": "slower than", "none is steady": "more than half of the hosts vary",
    "one host": "one host has no pair", "one visit": "one visit of fewer", "two visits": "two visits of fewer", "two hosts": "two hosts are one pair",
}
LACKS = {       # of compare
    "no value": "no value in", "wrong content": "wrong content in", "other loops": "rounds of", "few repetitions": "too few or not kept",
    "few epochs": "too few for epochs", "no interval": "has no interval", "few turns": "of 6 that are needed", "only in A": "only in A",
    "one run": "one run of each",
    "only in B": "only in B",
}


def kinds_of_map(record):
    summary = record["summary"]
    for v in summary["verdicts"]:
        kind, subject = v["kind"], v["subject"]
        if kind == "group":
            kind = "group" if "among themselves" in v["text"] else "halves" if summary["hosts"] == 4 else "two sides"
        elif kind == "direction" and summary["hosts"] == 2:
            kind = "one way"
        elif kind == "unreachable":
            kind += ", a pair" if isinstance(subject, list) else ", a host"
        yield f"verdict: {kind}"
        yield f"verdict on {v['quantity']}"
        yield f"verdict is {v.get('confidence')}"
        yield f"verdict is {v.get('persistence')}"
        if v["evidence"]:
            yield "evidence"
        if v.get("class"):
            yield "verdict within a class"
    for j in summary["judged"]:
        why = j.get("no_verdict")
        if why:
            yield "no verdict: " + next((k for k, words in REASONS.items() if words in why), why)
        for name in ("normal", "unjudged", "chance"):
            if j.get(name):
                yield {"normal": "a suspect is normal", "unjudged": "a side is not judged", "chance": "chance makes as many"}[name]
    if not summary["verdicts"] and not any(j.get("no_verdict") for j in summary["judged"]):
        yield "healthy"
    if summary["differences"]:
        yield "hosts differ"
    if summary.get("distances"):
        yield "classes of pairs"


def kinds_of_comparison(record):
    summary = record["summary"]
    of_maps = "changes" in summary
    for row in record["rows"]:
        if row.get("verdict") and not of_maps:
            yield f"compare: {row['verdict']}"
        if row.get("method") and not of_maps:
            yield f"compare: method {row['method']}"
        remark = row.get("remark") or ""
        yield from (f"compare: {k}" for k, words in LACKS.items() if words in remark and not of_maps)
    if not of_maps:
        return
    yield from (f"maps: network {n['verdict'] or 'without a verdict'}" for n in summary["network"])
    yield from (f"maps: {c['kind']} {c['verdict']}" for c in summary["changes"])
    yield from (f"maps: verdicts {k}" for k in ("new", "gone", "still") if summary[f"verdicts_{k}"])
    yield from (f"maps: hosts {k}" for k in ("only_in_a", "only_in_b") if summary[f"hosts_{k}"])


def kinds_of(command, outcome, number):
    """In what a line of a case has said."""
    yield f"{command}: exit status {outcome.statuses[number]}"
    out = outcome.texts.get(f"{OUT} of line {number + 1}", outcome.texts.get(OUT, ""))
    if out.startswith("{"):
        yield from (kinds_of_map if command == "map" else kinds_of_comparison)(json.loads(out))


def kinds(done):
    """All that are there in what OLD has made of a case, each once."""
    lines, damage, outcome = done.case.lines, done.case.kind, done.old
    if damage:
        return {damage, *(f"{damage}, {'refused' if status == 2 else 'judged'}" for status in outcome.statuses),
                *(f"{line[0]}: exit status {status}" for line, status in zip(lines, outcome.statuses))}
    return {kind for k, line in enumerate(lines) for kind in kinds_of(line[0], outcome, k)}


# What has to be there.
WANTED = """verdict: host; verdict: host_send; verdict: host_receive; verdict: pair; verdict: direction; verdict: group; verdict: two sides;
verdict: halves; verdict: one way; verdict: unsteady; verdict: unreachable, a host; verdict: unreachable, a pair; verdict on bandwidth;
verdict on latency; verdict on bidirectional; verdict is certain; verdict is probable; verdict is ambiguous; verdict is untested;
verdict is persistent; verdict within a class; evidence; hosts differ; classes of pairs; healthy; a suspect is normal; a side is not judged;
chance makes as many; no verdict: half differ; no verdict: one side is faster; no verdict: none is steady; no verdict: one host;
no verdict: one visit; no verdict: two visits; no verdict: two hosts; map: exit status 0; map: exit status 1; map: exit status 2;
map: exit status 4; compare: faster; compare: slower; compare: no difference seen; compare: method exact; compare: method intervals;
compare: method bootstrap; compare: method epochs; compare: method blocks; compare: one run; compare: no value; compare: wrong content; compare: other loops;
compare: few repetitions; compare: few epochs; compare: no interval; compare: few turns; compare: only in A; compare: only in B;
compare: exit status 0; compare: exit status 1; compare: exit status 2; compare: exit status 4; maps: network faster; maps: network slower;
maps: network no difference seen; maps: network without a verdict; maps: host slower; maps: host faster; maps: host_send slower;
maps: host_send faster; maps: host_receive slower; maps: host_receive faster; maps: pair slower; maps: pair faster;
maps: direction slower; maps: direction faster; maps: group slower; maps: group faster; maps: verdicts new; maps: verdicts gone;
maps: verdicts still; maps: hosts only_in_a; maps: hosts only_in_b; damaged: cut; damaged: wrong types; damaged: missing keys;
damaged: not a number; damaged: huge numbers; damaged: wrong names; damaged: in bytes"""


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    words.add_argument("old")
    words.add_argument("new")
    words.add_argument("n", type=int, nargs="?", default=1000)
    words.add_argument("seed", type=int, nargs="?", default=1)
    words.add_argument("--json-sentences", action="store_true")
    given = words.parse_args()
    programs = Programs([given.old] if given.new == "-" else [given.old, given.new])
    count = collections.Counter()
    failed = compare_all(programs, range(given.n), lambda number: make(number, given.seed), given.json_sentences, lambda done: count.update(kinds(done)))
    wanted = [" ".join(w.split()) for w in WANTED.split(";")]
    for kind in sorted({*wanted, *count}):
        print(f"{count[kind]:5} {kind}")
    few_of = [kind for kind in wanted if count[kind] < max(1, given.n // 50)]
    if few_of:
        print(f"too few of: {'; '.join(few_of)}")
    return bool(failed or few_of)


if __name__ == "__main__":
    sys.exit(main())

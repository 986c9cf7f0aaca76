# SPDX-License-Identifier: Apache-2.0
"""What tests of netbench map that lose a rank, or a link, share."""
from netbench import Job, ok, until


def unreachable(record):
    """Subjects of the verdicts that something does not answer."""
    return [v["subject"] for v in record["summary"]["verdicts"] if v["kind"] == "unreachable"]


def visits_on_disk(path):
    try:
        with open(path, encoding="utf-8") as f:
            return [line.split(",") for line in f.read().splitlines()[1:]]
    except OSError:
        return []


def joined(n, args, enough):
    """n ranks that join, write lost.json, and have this many measurements on disk."""
    job = Job()
    job.listen("map", *args, "-n", n, "-o", "lost.json")
    for rank in range(1, n):
        job.join("map", "--rank", rank)
    ok(until(lambda: len(visits_on_disk("lost.json.visits.csv")) > enough, 90), "under way", job.ranks[0].said())
    return job

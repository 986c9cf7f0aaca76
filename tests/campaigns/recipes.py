# SPDX-License-Identifier: Apache-2.0
"""Results of map and of compare that are made up from random numbers, and command lines that judge them: for verdicts.py. A
recipe is a function from random numbers to a Case; RECIPES has all, make() follows them in turn.
"""
import json
import os
import random
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from alike import Case                              # noqa: E402
from made_up import record_of, row_of               # noqa: E402
from results import OTHERS, in_bytes, places        # noqa: E402

RATE, TIME = 6e6, 20e-6
COLUMNS = {"bandwidth": "bandwidth_Bps", "latency": "half_rtt_epoch_s", "bidirectional": "bidirectional_Bps"}


# ---- clusters ----

class Cluster:
    """What all pairs of n hosts measure in some visits: slow(i, j, v) is a factor of the bandwidth, late(i, j) are seconds."""

    def __init__(self, r, n, visits=3, slow=None, late=None, noise=0.005, what="bandwidth", rounds=None):
        self.r, self.n, self.visits, self.noise, self.what = r, n, visits, noise, what
        self.slow, self.late = slow or (lambda i, j, v: 1), late or (lambda i, j: 0)
        self.rounds = r.random() < .5 if rounds is None else rounds
        self.name = r.choice(["n{}", "n{}", "node-{}", "{}"])
        self.silent = lambda i, j, v: False

    def pairs(self):
        return [(i, j) for i in range(self.n) for j in range(self.n) if i != j]

    def round_of(self, i, j):
        """As in a tournament."""
        n = self.n - 1 + self.n % 2
        return 2 * min(i, j) % n if max(i, j) == n else (i + j) % n

    def measured(self, i, j, v):
        """(bandwidth, half round trip, both ways), each None if it is not measured or there was no answer."""
        if self.silent(i, j, v):
            return None, None, None
        rate = RATE * self.slow(i, j, v) * self.r.lognormvariate(0, self.noise)
        time = (TIME + self.late(i, j)) * self.r.lognormvariate(0, self.noise)
        return ("bandwidth" in self.what and rate or None, "latency" in self.what and time or None,
                "bidirectional" in self.what and 1.8 * rate or None)

    def csv(self):
        lines = [",".join(["visit", "round", "sender", "receiver", *COLUMNS.values()])]
        for v in range(self.visits):
            for i, j in self.pairs():
                cells = ["" if x is None else f"{x:.7g}" for x in self.measured(i, j, v)]
                at = self.round_of(i, j) if self.rounds else ""
                lines.append(f"{v + 1},{at},{self.name.format(i)},{self.name.format(j)},{','.join(cells)}")
        return "\n".join([*lines, ""]).encode()

    def record(self, **summary):
        """As map writes it."""
        rows = []
        for i, j in self.pairs():
            values = zip(*(self.measured(i, j, v) for v in range(self.visits)))
            samples = {column: list(x) for (name, column), x in zip(COLUMNS.items(), values) if name in self.what}
            if self.rounds:
                samples["round"] = [self.round_of(i, j)] * self.visits
            rows.append({"sender": i, "receiver": j, "sender_host": self.name.format(i), "receiver_host": self.name.format(j),
                         "size_B": 1048576, "visits": self.visits, "samples": samples})
        names = ["sender", "receiver", "sender_host", "receiver_host", "size_B", "visits"]
        return record_of(rows, command="map", definition="map.v1", options={"min-effect": 5.0}, summary=summary,
                         columns=[{"name": c, "unit": "", "type": "text", "definition": ""} for c in names])


def text_of(record):
    return json.dumps(record).encode()


def judged(cluster, *more, files=None):
    """map --from, of a file that it has made."""
    r = cluster.r
    name, content = ("x.csv", cluster.csv()) if r.random() < .7 else ("x.json", text_of(cluster.record()))
    limits = ["host:10%", "host:25%", "pair", "pair:20%", "direction:20%", "group", "unsteady", "unreachable", "host_send:10%", "host:50us"]
    if r.random() < .3:
        more = [*more, "--fail-if", r.choice(limits)]
    if r.random() < .2:
        more = [*more, "--write-exclude", "bad.txt"]
    return Case([["map", "--from", name, *more, "-f", "json", "-o", "x.txt"]], {name: content, **(files or {})})


def usual(r):
    """How many hosts, and how well they measure."""
    return r.choice([5, 6, 8, 9, 12, 12, 16, 20, 30, 40]), {"noise": r.choice([.002, .005, .01, .02]), "what": a_quantity(r)}


def a_quantity(r):
    return r.choice(["bandwidth"] * 3 + ["bandwidth latency", "bandwidth latency bidirectional", "bidirectional"])


def healthy(r):
    n, more = usual(r)
    return judged(Cluster(r, n, r.choice([3, 3, 4, 5]), **more))


def slow_hosts(way):
    def make(r):
        n, more = usual(r)
        bad = {x: r.uniform(.5, .85) for x in r.sample(range(n), 1 if n < 8 else r.choice([1, 1, 2]))}
        return judged(Cluster(r, n, slow=lambda i, j, v: min(bad.get(i, 1) if way != "receive" else 1,
                                                             bad.get(j, 1) if way != "send" else 1), **more))
    return make


def slow_pair(both):
    def make(r):
        n, more = usual(r)
        a, b, by = *r.sample(range(n), 2), r.uniform(.4, .8)
        return judged(Cluster(r, n, slow=lambda i, j, v: by if (i, j) == (a, b) or (both and (j, i) == (a, b)) else 1, **more))
    return make


def apart(members, by):
    return lambda i, j, v: by if (i in members) != (j in members) else 1


def two_sides(r):
    """Two groups with a slow link, one host or more slow besides, of which a side may be too small to be judged."""
    n, by = r.choice([6, 8, 10, 12, 14]), r.uniform(.4, .8)
    members, bad = set(range(r.choice([3, 4, n // 2]) if n > 6 else 3)), r.randrange(n) if r.random() < .4 else None
    side = apart(members, by)
    return judged(Cluster(r, n, slow=lambda i, j, v: side(i, j, v) * (.75 if bad in (i, j) else 1), what=a_quantity(r)))


def group(r):
    """Slow hosts that are not slow among themselves, beside others that send slowly: no two sides."""
    n, by = r.choice([16, 20, 24]), r.uniform(.55, .65)
    order = r.sample(range(n), n)
    members, others = set(order[:4]), set(order[4:8])
    side = apart(members, by)
    return judged(Cluster(r, n, slow=lambda i, j, v: .8 if i in others and j not in others else side(i, j, v)))


def halves(r):
    return judged(Cluster(r, 4, r.choice([3, 5]), slow=apart({0, r.choice([1, 2, 3])}, r.uniform(.4, .75)), noise=r.choice([.001, .005])))


def one_way(r):
    return judged(Cluster(r, 2, r.choice([3, 5, 9]), slow=lambda i, j, v: .7 if i else 1, noise=r.choice([.002, .01])))


def few(r):
    n, a, b = r.choice([3, 4]), 1, r.choice([0, 2])
    by = r.uniform(.5, .8)
    way = r.choice([lambda i, j, v: by if a in (i, j) else 1, lambda i, j, v: by if i == a else 1, lambda i, j, v: by if j == a else 1,
                    lambda i, j, v: by if {i, j} == {a, b} else 1, lambda i, j, v: by if (i, j) == (a, b) else 1])
    return judged(Cluster(r, n, r.choice([3, 5]), slow=way, noise=r.choice([.001, .005]), what=r.choice(["bandwidth", "latency bandwidth"])))


def ambiguous(r):
    a, b = r.sample(range(4), 2)
    return judged(Cluster(r, 4, slow=lambda i, j, v: (.87 if j == b else .95) if i == a else 1, noise=.001))


def unsteady(r):
    n, by = r.choice([8, 12, 16]), r.uniform(.4, .65)
    bad, coin = r.randrange(n), r.random()
    return judged(Cluster(r, n, slow=lambda i, j, v: by if bad in (i, j) and random.Random(f"{coin} {i + j} {i * j} {v}").random() < .5 else 1))


def late(r):
    """Round trips alone."""
    n = r.choice([5, 8, 12, 20])
    bad, by = r.randrange(n), r.choice([4e-6, 30e-6, 205e-6])
    return judged(Cluster(r, n, late=lambda i, j: by if bad in (i, j) else 0, what="latency", noise=r.choice([.005, .03])))


def late_pair(r):
    n = r.choice([5, 8, 12])
    bad = set(r.sample(range(n), 2))
    return judged(Cluster(r, n, late=lambda i, j: 40e-6 if {i, j} == bad else 0, what="latency"))


def faint(r):
    """Near to what is seen, with noise."""
    n, by = r.choice([8, 12, 16]), r.uniform(.85, .93)
    bad = r.randrange(n)
    return judged(Cluster(r, n, slow=lambda i, j, v: by if bad in (i, j) else 1, noise=r.uniform(.02, .05)))


def silent(r):
    """A host that stops answering, and two that never answer each other."""
    n, visits, first = r.choice([5, 6, 8, 12]), r.choice([3, 4]), r.choice([0, 1])
    host, a, b = r.sample(range(n), 3)
    cluster = Cluster(r, n, visits, what=a_quantity(r))
    cluster.silent = lambda i, j, v: (v >= first and host in (i, j)) or {i, j} == {a, b}
    return judged(cluster)


def no_normal(way):
    """Half of the hosts or more are slow, which the others show."""
    def make(r):
        n, slow, by = *r.choice([(5, 3), (6, 3), (8, 5), (12, 6), (12, 8), (30, 20)]), r.uniform(.5, .75)
        return judged(Cluster(r, n, slow=lambda i, j, v: by if (way != "receive" and i < slow) or (way != "send" and j < slow) else 1,
                              what=r.choice(["bandwidth", "bandwidth latency"])))
    return make


def half_differ(r):
    """Each in its own way, so that none of the others are faster together."""
    n = r.choice([5, 6])
    a, b, c = r.sample(range(n), 3)
    return judged(Cluster(r, n, slow=lambda i, j, v: (.8 if i == a else 1) * (.65 if j == b else 1) * (.5 if i == c else 1)))


def no_steady(r):
    coin = r.random()
    return judged(Cluster(r, r.choice([12, 20]), 4, rounds=False, slow=lambda i, j, v: .5 if random.Random(
        f"{coin} {min(i, j)} {max(i, j)}").randrange(5) == v else 1))


def no_noise(r):
    return judged(Cluster(r, r.choice([2, 3, 4, 5, 7]), 1))


def no_third(r):
    return judged(Cluster(r, r.choice([2, 3, 4, 5, 7]), 2))


def no_cause(r):
    return judged(Cluster(r, 2, r.choice([3, 5]), what="latency"))


def one_visit(r):
    n = r.choice([8, 12, 20])
    a, b = r.sample(range(n), 2)
    fault = r.choice([lambda i, j, v: .6 if {i, j} == {a, b} else 1, lambda i, j, v: .7 if i == a else 1])
    return judged(Cluster(r, n, 1, slow=fault))


def chance(r):
    """Much noise: pairs that are slow in all visits, of which chance makes as many."""
    return judged(Cluster(r, r.choice([12, 16, 20]), 3, slow=lambda i, j, v: .5 if r.random() < .25 else 1, noise=.02))


def classes(r):
    """With a host slow in one, and a class of a single host."""
    n, bad = r.choice([9, 11, 13]), r.randrange(4)
    lines = "".join(f"{{}} {'alone' if i == n - 1 else 'old' if i < n // 2 else 'new'}\n" for i in range(n))
    cluster = Cluster(r, n, slow=lambda i, j, v: (.1 if max(i, j) >= n // 2 else 1) * (.7 if bad in (i, j) else 1))
    return judged(cluster, "--classes", "classes.txt", files={"classes.txt": lines.format(*map(cluster.name.format, range(n))).encode()})


def topology(r):
    n, bad = r.choice([8, 12, 16]), r.randrange(4)
    side = apart(set(range(n // 2)), .5)
    cluster = Cluster(r, n, slow=lambda i, j, v: side(i, j, v) * (.6 if bad == i else 1), what=a_quantity(r))
    switches = [",".join(map(cluster.name.format, x)) for x in (range(n // 2), range(n // 2, n))]
    text = "".join(f"SwitchName=s{k} Nodes={x}\n" for k, x in enumerate(switches)) + "SwitchName=top Switches=s[0-1]\n"
    return judged(cluster, "--topology", "topology.conf", files={"topology.conf": text.encode()})


def machines(r):
    """What hosts have counted, and how they differ."""
    n = r.choice([8, 12])
    bad, others = r.randrange(n), r.sample(range(n), 2)
    common = {"link.0.name": "eth0", "link.0.mtu_B": 9000, "link.0.speed_Mbps": 100000, "cpu.governor": "performance",
              "host.kernel": "Linux 6.1.0 x86_64"}
    own = r.choice([{"link.0.mtu_B": 1500}, {"cpu.governor": "powersave"}, {"link.0.speed_Mbps": 10000}])
    cluster = Cluster(r, n, slow=lambda i, j, v: .7 if bad == i else 1)
    cluster.name = "n{}"
    hosts = [{"host": f"n{i}", "own": own if i in (bad, *others[:1]) else {"host.kernel": "Linux 5"} if i == others[1] else {},
              "links": ["eth0"], "changed": {"link.0.speed_Mbps": [100000, 25000]} if i == bad and r.random() < .5 else {},
              "counters": {"link.0.rx_crc_errors": [5, 5 + 1245 * (i == bad)], "link.0.bytes": [0, 10**9]}} for i in range(n)]
    content = text_of(cluster.record(machines={"common": common, "hosts": hosts}, shared_cores=r.random() < .2))
    return Case([["map", "--from", "x.json", "-f", "json", "-o", "x.txt"]], {"x.json": content})


def retested(*faults, hosts=(3, 4, 8, 12), noise=(2, 5, 8)):
    """A simulated network, where suspects are measured again."""
    def make(r):
        n = r.choice(hosts)
        a, b = r.sample(range(n), 2)
        words = [w for f in (r.choice(faults), f"noise:{r.choice(noise)}%") for w in ("--sim-fault", f.format(a=a, b=b))]
        return Case([["map", "-b", "sim", "-n", n, *words, "--seed", r.randrange(1000), "--sim-seed", r.randrange(1000), "-f", "json",
                      "-o", "x.txt", *r.choice([[], [], ["--fail-if", "host:10%"], ["--fail-if", "pair"]])]])
    return make


# ---- comparisons ----

def compared(r, records, *more):
    """compare of these records, a.json, b.json and so on; some as CSV."""
    names, files = [], {}
    for letter, record in zip("abcdefghijklmnop", records):
        as_csv = "--paired" not in more and not any("samples" in row for row in record["rows"]) and r.random() < .3
        names.append(f"{letter}.csv" if as_csv else f"{letter}.json")
        files[names[-1]] = csv_of(record) if as_csv else text_of(record)
    if r.random() < .4:
        more = [*more, "--fail-if", r.choice(["slower:5%", "faster:5%", "slower:30%,faster:30%", "slower:0%"])]
    return Case([["compare", *names, *more, "-f", "json", "-o", "x.txt"]], files)


def csv_of(record):
    """As netbench writes it."""
    names = [c["name"] for c in record["columns"]]
    cells = [["" if row.get(name) is None else str(row[name]) for name in names] for row in record["rows"]]
    head = ["schema: netbench-csv/1", *(f"{k}: {record[k]}" for k in ("command", "definition")),
            f"computed: {str(record['computed']).lower()}", f"options: {json.dumps(record['options'])}",
            *(f"environment.{k}: {json.dumps(v)}" for k, v in record["environment"].items())]
    return "\n".join([*(f"# {x}" for x in head), *(",".join(x) for x in [names, *cells]), f"# status: {record['status']}", ""]).encode()


def drawn(r, n, scale=1.0, sigma=.05, rho=0.0):
    z, out = r.gauss(0, 1), []
    for _ in range(n):
        z = rho * z + (1 - rho * rho) ** .5 * r.gauss(0, 1)
        out.append(scale * 2.718281828 ** (sigma * z))
    return out


def median(x):
    s = sorted(x)
    return (s[len(s) // 2] + s[(len(s) - 1) // 2]) / 2


SIZES = (8, 64, 512)


def around(r, value, by=None):
    by = by or r.uniform(.01, .1)
    return value * (1 - by), value * (1 + by)


def changed(r, record):
    """Now and then another machine, or a run that did not end."""
    if r.random() < .3:
        record["environment"]["host"]["kernel"] = "l"
        record["options"]["ci"] = 1.0
    if r.random() < .1:
        record["status"] = "interrupted"
    if r.random() < .1:
        record["warnings"] = ["others used 1 core"]
    return record


def intervals(r):
    a = [row_of(s, 1.0, interval=around(r, 1)) for s in SIZES]
    b = [row_of(s, v, interval=around(r, v)) for s, v in zip(SIZES, (r.uniform(.4, .8), 1, r.uniform(1.3, 3)))]
    return compared(r, [record_of(a), changed(r, record_of(b))])


def sampled(rho):
    def make(r):
        sets = [[drawn(r, 400 if rho else r.randrange(6, 60), s, rho=rho) for s in scales] for scales in ((1, 1), (1, r.choice([.7, 1, 1.5])))]
        rows = [[row_of(s, median(x), x) for s, x in zip(SIZES, of)] for of in sets]
        return compared(r, [record_of(rows[0]), changed(r, record_of(rows[1]))])
    return make


def exact(r):
    a, b = ([row_of(s, v) for s, v in zip(SIZES, (r.uniform(1, 2), 1, 1 + r.choice([0, 1e-12, .1])))] for _ in range(2))
    return compared(r, [record_of(a, computed=True), record_of(b, computed=True)])


def beside_computed(r):
    a = [row_of(s, 1.0, interval=around(r, 1, .1)) for s in SIZES]
    b = [row_of(s, r.choice([1.0, 2.0, .5])) for s in SIZES]
    both = [record_of(a), record_of(b, computed=True)]
    r.shuffle(both)
    return compared(r, both)


def paired(turns):
    def make(r):
        scale = r.choice([1.3, .8, 1, 1.3])
        records = [record_of([row_of(s, r.uniform(.98, 1.02) * (scale if k % 2 else 1)) for s in SIZES]) for k in range(2 * r.choice(turns))]
        return compared(r, records, "--paired", *r.choice([[], ["--measure", "half_rtt_p99_s"]]))
    return make


def lacking(alone):
    """Rows for each reason why there is no verdict, and of A or B alone; or for one of them, the same in all rows."""
    def make(r):
        good, dependent = row_of(0, 1.0, interval=(.9, 1.1)), sorted(drawn(r, 10, rho=.99))
        rows = [(row_of(1, 1.0), good), (good, row_of(1, 1.0, [1.0] * 5)), (row_of(1, None, note="n/a"), good), (good, row_of(1, "much")),
                ({**good, "errors": 3}, good), (good, {**good, "errors": 1}),
                (row_of(1, median(dependent), dependent, time_acf1=.6), good), (good, None), (None, good)]
        chosen = [r.choice(rows)] * 2 if alone else rows
        sides = [[{**pair[k], "size_B": s} for s, pair in enumerate(chosen) if pair[k]] for k in (0, 1)]
        return compared(r, [record_of(side) for side in sides])
    return make


def loops(r):
    """Times of whole rounds, of as many loops or others."""
    names = ["size_B", "loops", "time_s", "time_lo_s", "time_hi_s", "bandwidth_Bps"]
    more = {"command": "beff", "definition": "beff.ring.v1", "columns": [{"name": n, "unit": ""} for n in names]}
    sides = [[{"size_B": s, "loops": 1 + (s == SIZES[side]), "bandwidth_Bps": 100 / v, "time_s": v, "time_lo_s": .98 * v, "time_hi_s": 1.02 * v}
              for s, v in zip(SIZES, (1, r.uniform(.5, 2), 1))] for side in range(2)]
    return compared(r, [record_of(side, **more) for side in sides], "--measure", "time_s")


def percentile(r):
    sides = [[row_of(s, r.uniform(1, 2), interval=(.9, 2.1)) for s in SIZES] for _ in range(2)]
    return compared(r, [record_of(side) for side in sides], "--measure", "half_rtt_p99_s")


def single(r):
    """Medians of single round trips, with bounds or as samples."""
    kept = r.random() < .5

    def row(size, p50):
        more = {"half_rtt_p50_s": p50, "half_rtt_p50_lo_s": .97 * p50, "half_rtt_p50_hi_s": 1.03 * p50}
        made = row_of(size, 3.0, drawn(r, 30) if kept else None, (2.0, 4.0), **more)
        if kept:
            made["samples"]["iteration_p50_s"] = drawn(r, 30, p50)
        return made

    columns = [{"name": c, "unit": ""} for c in row(8, 1) if c != "samples"]
    sides = [[row(s, r.choice([1.0, 1.1, .8])) for s in SIZES] for _ in range(2)]
    return compared(r, [record_of(side, columns=columns) for side in sides])


def rates(r):
    names = ["size_B", "window", "rate_msgps", "rate_lo_msgps", "rate_hi_msgps", "pair_rate_msgps"]
    more = {"command": "msgrate", "definition": "msgrate.window-reply.v1", "columns": [{"name": n, "unit": ""} for n in names]}
    sides = [[dict(zip(names, (s, w, v, .97 * v, 1.03 * v, v / 2))) for s in SIZES for w, v in ((1, 100), (16, r.choice([90, 100, 120])))]
             for _ in range(2)]
    return compared(r, [record_of(side, **more) for side in sides], *r.choice([[], ["--measure", "pair_rate_msgps"]]))


def several(r):
    records = [[row_of(s, v, interval=around(r, v)) for s in SIZES[:r.choice([2, 3, 3])]] for v in (1, r.uniform(.5, 1.5), 1.2)]
    return compared(r, [changed(r, record_of(rows)) for rows in records])


def strangers(r):
    """No point, or not even the command in common."""
    a, b = record_of([row_of(8, 1.0, interval=(.9, 1.1))]), record_of([row_of(9, 1.0, interval=(.9, 1.1))])
    b.update(r.choice([{}, {}, {"command": "msgrate"}, {"definition": "latency.half-rtt.v9"}]))
    return compared(r, [a, b])


def maps(fault, still=False, visits=(3, 3, 5)):
    """Two maps, compared both ways; one has the fault, or both; hosts may be lost, and the whole network be another."""
    def make(r):
        n = r.choice([5, 8, 12])
        a, b, by = *r.sample(range(n), 2), r.uniform(.5, .75)
        slow = {"send": lambda i, j, v: by if i == a else 1, "receive": lambda i, j, v: by if j == a else 1,
                "both": lambda i, j, v: by if a in (i, j) else 1, "pair": lambda i, j, v: by if {i, j} == {a, b} else 1,
                "direction": lambda i, j, v: by if (i, j) == (a, b) else 1, "group": apart(set(range(max(3, n // 2))), by)}[fault]
        files, of_both = {}, {"visits": r.choice(visits), "noise": .01, "what": r.choice(["bandwidth", "bandwidth latency"])}
        for name, network in (("a", 1), ("b", r.choice([.8, 1, 1, 1.3]))):
            here = network if name == "a" and not still else None
            cluster = Cluster(r, n + r.choice([0, 0, 1]), slow=lambda i, j, v: here or network * slow(i, j, v), **of_both)
            cluster.name = "n{}"
            files[f"{name}.csv"] = cluster.csv()
        made = [["map", "--from", f"{name}.csv", "-q", "-o", f"{name}.json"] for name in "ab"]
        more = r.choice([[], [], ["--fail-if", "slower:10%"], ["--measure", "bandwidth_Bps"]])
        return Case([*made, *(["compare", f"{x}.json", f"{y}.json", *more, "-f", "json", "-o", f"{x}{y}.txt"] for x, y in ("ab", "ba"))], files)
    return make


def foreign_maps(r):
    """Few hosts in common, or none."""
    files = {}
    for name, first in (("a", 0), ("b", r.choice([3, 4]))):
        cluster = Cluster(r, 4, 3)
        cluster.name = "n{}"
        files[f"{name}.json"] = text_of({**cluster.record(verdicts=[]), "rows": [
            {**row, **{k: f"n{int(row[k][1:]) + first}" for k in ("sender_host", "receiver_host")}} for row in cluster.record()["rows"]]})
    return Case([["compare", "a.json", "b.json", "-f", "json", "-o", "x.txt"]], files)


# ---- damage ----

HUGE = (1e308, -1e308, 2**63 - 1, -2**63, 1e-320, 10**30, 4294967296)


def damaged(how):
    """Two files with something wrong, one to be judged, the other to be compared with a whole one."""
    def make(r):
        cluster = Cluster(r, r.choice([3, 5, 8]), slow=lambda i, j, v: .7 if i == 1 else 1, what="bandwidth latency")
        rows = [row_of(s, 1.0, interval=(.9, 1.1)) for s in SIZES]
        files = dict([r.choice([("x.csv", cluster.csv()), ("x.json", text_of(cluster.record(verdicts=[])))]),
                      r.choice([("a.json", text_of(record_of([row_of(s, 1.0, drawn(r, 12)) for s in SIZES]))), ("a.csv", csv_of(record_of(rows)))])])
        x, a = files
        files = {name: how(r, content) for name, content in files.items()}
        files["b.json"] = text_of(record_of([row_of(s, 1.2, interval=(1.1, 1.3)) for s in SIZES]))
        return Case([["map", "--from", x, "-f", "json", "-o", "x.txt"], ["compare", *r.sample([a, "b.json"], 2), "-f", "json", "-o", "c.txt"]],
                    files, f"damaged: {how.__name__.replace('_', ' ')}")
    return make


def cut(r, content):
    return content[:r.randrange(len(content))]


def in_one_place(r, content, in_json, in_csv):
    """Changes a value of JSON by in_json(holder, key), a cell or a name of CSV by in_csv(cells, column, is_name)."""
    for _ in range(r.choice([1, 1, 3, 10])):
        if content[:1] == b"{":
            record = json.loads(content)
            holder, key = r.choice(list(places(record)))
            in_json(holder, key)
            content = json.dumps(record).encode()
        else:
            lines = content.decode().split("\n")
            rows = [k for k, line in enumerate(lines) if line and line[0] != "#"]
            k = rows[0] if r.random() < .2 else r.choice(rows)
            cells = lines[k].split(",")
            in_csv(cells, r.randrange(len(cells)), k == rows[0])
            lines[k] = ",".join(cells)
            content = "\n".join(lines).encode()
    return content


def set_to(r, content, values):
    def in_json(holder, key):
        holder[key] = r.choice(values)

    def in_csv(cells, at, is_name):
        cells[at] = str(r.choice(values)).replace(",", ";").replace("\n", " ")

    return in_one_place(r, content, in_json, in_csv)


def wrong_types(r, content):
    return set_to(r, content, OTHERS)


def huge_numbers(r, content):
    return set_to(r, content, HUGE)


def not_a_number(r, content):
    return set_to(r, content, [float("nan"), float("inf"), -float("inf"), "nan", None])


def missing_keys(r, content):
    def in_json(holder, key):
        del holder[key]

    def in_csv(cells, at, is_name):
        del cells[at]

    return in_one_place(r, content, in_json, in_csv)


def wrong_names(r, content):
    def in_json(holder, key):
        if isinstance(holder, dict):
            holder[r.choice([key.upper(), key + "_", "", "size_B", "bandwidth_Bps"])] = holder.pop(key)

    def in_csv(cells, at, is_name):
        cells[at] = r.choice([cells[at].upper(), cells[at] + "_", "", "half_rtt_epoch_s", "n1"])

    return in_one_place(r, content, in_json, in_csv)


# ---- all of them ----

def together(*recipes):
    """Several in one folder, each with file names of its own."""
    def make(r):
        lines, files, kind = [], {}, None
        for k, recipe in enumerate(recipes):
            case = recipe(r)
            kind = case.kind
            files.update({f"{k}{name}": content for name, content in case.files.items()})
            lines += [[f"{k}{w}" if re.search(r"^\w+\.(csv|json|txt|conf)$", str(w)) else w for w in line] for line in case.lines]
        return Case(lines, files, kind)
    return make


RECIPES = [
    together(healthy, no_noise), slow_hosts("both"), slow_hosts("send"), together(slow_hosts("receive"), slow_hosts("receive")),
    slow_pair(True), slow_pair(False), together(two_sides, two_sides, two_sides), together(group, group), together(halves, no_third), together(one_way, no_cause), together(few, few),
    together(ambiguous, ambiguous), together(unsteady, unsteady), together(late, late_pair), together(faint, faint), together(silent, silent),
    no_normal("both"), together(no_normal("send"), no_normal("receive")), half_differ, together(no_steady, no_steady),
    together(one_visit, chance, chance, chance), classes, topology, machines,
    retested("host:{a},both,0.7", "host:{a},send,0.7", "pair:{a}-{b},0.5", "direction:{a}-{b},0.5", "flap:{a},0.5,0.5"),
    retested("latency:{a},+1us", "host:{a},both,0.9", hosts=(30, 40), noise=(10, 20)),
    together(intervals, rates), sampled(0), sampled(.8), together(exact, beside_computed), together(paired((6, 7)), paired((1, 3, 5))),
    together(lacking(False), lacking(True)), together(loops, percentile), single, several, together(strangers, foreign_maps),
    together(maps("send"), maps("receive")), together(maps("receive"), maps("both")), together(maps("both"), maps("pair")),
    together(maps("pair"), maps("direction")), together(maps("direction"), maps("group")),
    together(maps("group"), maps("send", still=True), maps("both", still=True), maps("send", visits=(1,))),
    *(together(damaged(how), damaged(how)) for how in (cut, wrong_types, missing_keys, not_a_number, huge_numbers, wrong_names, in_bytes)),
]


def make(number, seed):
    """The case of this number: of each recipe in turn one."""
    return RECIPES[number % len(RECIPES)](random.Random(f"{seed} {number}"))

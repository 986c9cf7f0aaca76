# SPDX-License-Identifier: Apache-2.0
"""Virtual time: networks under LogGP, what becomes of messages in them step by step, netbench's rows against that."""
import heapq
import json

from netbench import SLOW, close_to, measure, ok, run

DEFAULT = "default"	# the network that netbench simulates by itself

# Text of --sim, and L, o_s, o_r, g, G in ns.
NETWORKS = [
    (DEFAULT, (1000, 200, 200, 300, 0.1)),
    ("L=2us,o=100ns,g=1us,G=0.5ns", (2000, 100, 100, 1000, 0.5)),
    ("L=500,o=800,g=10,G=0.01", (500, 800, 800, 10, 0.01)),
    ("L=1.5us,o_s=100,o_r=0.9us,g=50,G=0.2", (1500, 100, 900, 50, 0.2)),
    ("L=1.5us,o_s=900,o_r=100,g=50,G=0.2", (1500, 900, 100, 50, 0.2)),
    ("L=10,o=5,g=1us,G=1", (10, 5, 5, 1000, 1)),
    ("L=30,o=5,o_r=25,g=500,G=10", (30, 5, 25, 500, 10)),
    ("G=0.125,g=40,o_r=7,o_s=3,L=1ms", (1e6, 3, 7, 40, 0.125)),
    ("L=100,o=0,g=0,G=2", (100, 0, 0, 0, 2)),
    ("L=0,o=1,g=2,G=0", (0, 1, 1, 2, 0)),
][:10 if SLOW == 1 else 3]      # what a sanitizer finds, it finds on few of them


ATLAS = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.1", "2.2", "2.3"]
MANY = "100,1000" if SLOW == 1 else "100"	# numbers of ranks


# ---- the simulation: METHODS 1.0, step by step ----

class Network:
    def __init__(self, p, n):
        self.L, self.o_s, self.o_r, self.g, self.G = p
        self.cpu, self.send_ok, self.recv_ok = [0.0] * n, [0.0] * n, [0.0] * n

    def gamma(self, k):
        return self.g + max(k - 1, 0) * self.G

    def send(self, rank, k):
        """Returns the arrival."""
        start = max(self.cpu[rank], self.send_ok[rank])
        self.cpu[rank] = start + self.o_s
        self.send_ok[rank] = start + self.gamma(k)
        return start + self.o_s + max(k - 1, 0) * self.G + self.L

    def receive(self, rank, arrivals, k):
        for a in sorted(arrivals):
            start = max(self.cpu[rank], a, self.recv_ok[rank])
            self.cpu[rank] = start + self.o_r
            self.recv_ok[rank] = start + self.gamma(k)


def one_way(p, k):
    L, o_s, o_r, _, G = p
    return o_s + max(k - 1, 0) * G + L + o_r


def gamma(p, k):
    return p[3] + max(k - 1, 0) * p[4]


def send_interval(p, k):
    return max(p[1], gamma(p, k))


def receive_interval(p, k):
    return max(p[2], gamma(p, k))


def in_flight(p, k):
    """From the end of a send to the arrival."""
    return max(k - 1, 0) * p[4] + p[0]


def simulate_rounds(p, k, programs, loops):
    """What happens if rank r does programs[r] so many times: a list of steps, each of which is the ranks it sends to,
    in order, and then the ranks from which it receives, in whatever order they arrive. All messages have k bytes."""
    net, on_way = Network(p, len(programs)), {}
    left = [[s for _ in range(loops) for s in program][::-1] for program in programs]
    sent = [False] * len(programs)

    def step(r):
        """Whether rank r can go a step further."""
        sends, receives = left[r][-1]
        for dst in sends if not sent[r] else ():
            on_way.setdefault((r, dst), []).append(net.send(r, k))
        sent[r] = True
        if any(len(on_way.get((s, r), ())) < receives.count(s) for s in set(receives)):
            return False
        net.receive(r, [on_way[s, r].pop(0) for s in receives], k)
        left[r].pop()
        sent[r] = False
        return True

    while any(left):
        if not sum([step(r) for r in range(len(programs)) if left[r]]):
            raise RuntimeError("the programs wait for one another")
    return net


# ---- farms: their roles' programs, where everyone gets its messages in the order of the events ----

CONTROL = 16		# bytes of each packet that a supervisor sends or gets, and of a request
AHEAD = {"control": 16, "data": 4}	# sends that a rank has under way at most


class Messages(Network):
    """A send is handed over: it takes the processor for o at once, and the gap is the network's to wait for."""

    def __init__(self, p, n):
        super().__init__(p, n)
        self.leaving = {}

    def isend(self, rank, k, kind="data"):
        """Returns the arrival."""
        leaving = self.leaving.setdefault((rank, kind), [])
        if len(leaving) == AHEAD[kind]:
            self.cpu[rank] = max(self.cpu[rank], leaving.pop(0))
        start = max(self.cpu[rank], self.send_ok[rank])
        self.cpu[rank] += self.o_s
        self.send_ok[rank] = start + self.gamma(k)
        leaving.append(start + self.o_s)
        return start + self.o_s + max(k - 1, 0) * self.G + self.L

    def control(self, rank):
        return self.isend(rank, CONTROL, "control")

    def take(self, rank, arrival, k, occupation=0):
        self.receive(rank, [arrival], k)
        self.cpu[rank] += occupation


def simulate_push(p, k, sources, destinations, occupation, credits, events):
    """ns until the supervisor, rank 0, has the last decision."""
    net, decisions = Messages(p, 1 + sources + destinations), []

    def assign(event):
        d = 1 + sources + event % destinations
        told = [net.control(0) for _ in range(sources)]
        packets = []
        for s, arrival in enumerate(told, 1):
            net.take(s, arrival, CONTROL)
            packets.append(net.isend(s, k))
        for arrival in packets:
            net.take(d, arrival, k, occupation)
        heapq.heappush(decisions, (net.control(d), event))

    for event in range(min(credits, events)):
        assign(event)
    for event in range(credits, credits + events):
        net.take(0, heapq.heappop(decisions)[0], CONTROL)
        if event < events:
            assign(event)
    return net.cpu[0]


def simulate_pull(p, k, sources, occupation, credits, events):
    """The same; one destination."""
    net, d = Messages(p, 2 + sources), 1 + sources
    told = [net.control(0) for _ in range(min(credits, events))]
    for event in range(events):
        net.take(d, told[event], CONTROL)
        asked = [net.control(d) for _ in range(sources)]
        packets = []
        for s, arrival in enumerate(asked, 1):
            net.take(s, arrival, CONTROL)
            packets.append(net.isend(s, k))
        for arrival in packets:
            net.take(d, arrival, k, occupation)
        net.take(0, net.control(d), CONTROL)
        if event + credits < events:
            told.append(net.control(0))
    return net.cpu[0]


def simulate_pipeline(p, k, sources, stages, destinations, occupation, events):
    """ns until the first destination, rank 0, has its last event; sources and stages must divide evenly."""
    net = Messages(p, sources + stages + destinations)
    stage, source = destinations, destinations + stages
    for _ in range(events):
        arrivals = [net.isend(source + i, k) for i in range(sources)]
        for level, width, fed in ((stage, stages, sources), (0, destinations, stages)):
            passed_on = []
            for j in range(width):
                for arrival in arrivals[j * fed // width:(j + 1) * fed // width]:
                    net.take(level + j, arrival, k, occupation)
                passed_on += [net.isend(level + j, k)] if level else []
            arrivals = passed_on
    return net.cpu[0]


# ---- comparing ----

def sim(network, *args, **kwargs):
    extra = [] if network == DEFAULT else ["--sim", network]
    return measure(*args, "--backend", "sim", *extra, **kwargs)


def json_of(*args):
    """(Done, the result with its samples)"""
    done = run(*args, "-b", "sim", "-f", "json", "--samples")
    try:
        return done, json.loads(done.out)
    except ValueError as e:
        ok(False, f"JSON of {args}", f"{e}\n{done}")
        return done, {"rows": [], "summary": {}, "options": {}}


SAY_WHICH = ["ranks", "algorithm", "window", "sources", "stages", "destinations", "occupation_s", "size_B"]


def place(row):
    """Which row of a table it is."""
    return ", ".join(f"{c} {row[c]}" for c in SAY_WHICH if row.get(c) is not None)


def same(got, want):
    """Numbers but for rounding, anything else as it is."""
    numbers = isinstance(got, (int, float)) and isinstance(want, (int, float))
    return close_to(got, want) if numbers else got == want


def compare(name, got, want_of_row, columns, n_rows, checks_content=True):
    """Each row's columns against want_of_row(row): a dict. One line for all rows."""
    done, table = got
    bad = []
    for row in table.rows:
        want = want_of_row(row)
        for c in columns:
            if not same(row.get(c), want[c]):
                bad.append(f"{place(row)}: {c} is {row.get(c)}, expected {want[c]}")
        if row["errors"] or (checks_content and row["size_B"] and not row["checked"]):
            bad.append(f"{place(row)}: checked {row['checked']}, errors {row['errors']}")
        if row["stop"] != "deterministic" or row["repetitions"] != 1:
            bad.append(f"{place(row)}: {row['repetitions']} repetitions, {row['stop']}")
    good = (done.rc == 0 and not done.err and table.status == "complete" and
            len(table.rows) == n_rows and not bad)
    return ok(good, name, "\n".join(bad[:6]) + f"\n{len(table.rows)} rows of {n_rows}\n{done}")

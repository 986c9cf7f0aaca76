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

ATLAS = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.1", "2.2", "2.3"]	# the benchmarks
MANY = "100,1000" if SLOW == 1 else "100"	# numbers of ranks


# ---- the simulation: SIM.md (78)-(83), event by event ----

class Links:
    """Links that ranks share, SIMNET.md (N1), (N2): a leaf's uplinks to the spine, and as many back."""

    def __init__(self, p, leaf, uplinks, rate=1, hash="none", seed=1, meeting=0):
        self.leaf, self.uplinks, self.hash, self.seed, self.meeting = leaf, uplinks, hash, seed, 0 if hash == "pair" else meeting
        self.byte = p[4] / rate / (uplinks if hash == "none" else 1)
        self.legs = [p[0] / 4, p[0] / 4, p[0] / 2]
        self.free = {}

    @staticmethod
    def mix(x):
        x = (x + 0x9e3779b97f4a7c15) % 2**64
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        x = (x ^ x >> 27) * 0x94d049bb133111eb % 2**64
        return x ^ x >> 31

    def path(self, sender, receiver):
        if sender // self.leaf == receiver // self.leaf:
            return []
        mix = self.mix
        h = mix(mix(self.seed) ^ mix(65536 * sender + receiver) ^ mix(self.meeting + 1000003))
        up, down = (0, 0) if self.hash == "none" else (h % self.uplinks, (h >> 32) % self.uplinks)
        return [("up", sender // self.leaf, up), ("down", receiver // self.leaf, down)]


class OneLink(Links):
    """One link each way between ranks 0 to side-1 and the others, LOAD.md (61)."""

    def __init__(self, p, byte, side):
        super().__init__(p, side, 1)
        self.byte, self.side, self.legs = byte, side, [p[0] / 2, p[0] / 2]

    def path(self, sender, receiver):
        return [] if (sender < self.side) == (receiver < self.side) else [sender < self.side]


class Ranks:
    """Ranks under LogGP: each a processor, and an interface with two sides. Programs are generators that yield what they do:
    ("send", rank, bytes), ("post", rank or None for any), ("take",), which gets the sender, or ("work", ns)."""

    def __init__(self, p, n, links=None):
        self.links, self.crossings = links, []	# links that they share; messages before them, in the order of x
        self.L, self.o_s, self.o_r, self.g, self.G = p
        self.cpu, self.out_free, self.in_free = [0.0] * n, [0.0] * n, [0.0] * n
        self.here = [[] for _ in range(n)]	# messages, in the order of their heads: when they can be taken, sender
        self.posted = [{} for _ in range(n)]	# receives by sender; None: from any
        self.heads, self.order = [], 0
        self.running, self.waiting = [(0.0, r) for r in range(n)], set()

    def bytes(self, k):
        return max(k - 1, 0) * self.G

    def send(self, rank, to, k):
        self.cpu[rank] += self.o_s
        x = max(self.cpu[rank], self.out_free[rank])
        self.out_free[rank] = x + self.g + self.bytes(k)
        self.order += 1
        last, path = x + self.L + self.bytes(k), self.links.path(rank, to) if self.links else []
        if path:
            heapq.heappush(self.crossings, (x + self.links.legs[0], rank, self.order, to, k, path, last))
        else:
            heapq.heappush(self.heads, (x + self.L, rank, self.order, to, k, last))

    def cross(self):
        """The first message before a link passes it."""
        x, rank, order, to, k, path, last = heapq.heappop(self.crossings)
        legs = self.links.legs[-len(path):]
        b = max(x, self.links.free.get(path[0], 0))
        self.links.free[path[0]] = b + k * self.links.byte
        last = max(last, b + k * self.links.byte + sum(legs))
        if path[1:]:
            heapq.heappush(self.crossings, (b + legs[0], rank, order, to, k, path[1:], last))
        else:
            heapq.heappush(self.heads, (b + legs[0], rank, order, to, k, last))

    def arrive(self):
        """The in side takes the first message of all."""
        head, sender, _, rank, k, last = heapq.heappop(self.heads)
        d = max(max(head, self.in_free[rank]) + self.bytes(k), last)
        self.in_free[rank] = d + self.g
        self.here[rank].append((d, sender))
        if rank in self.waiting:
            self.go_on(rank)

    def take(self, rank):
        """The sender of the first message here that is asked for; None: there is none."""
        posted = self.posted[rank]
        for i, (d, sender) in enumerate(self.here[rank]):
            asked = sender if posted.get(sender) else None
            if posted.get(asked):
                posted[asked] -= 1
                del self.here[rank][i]
                self.cpu[rank] = max(self.cpu[rank], d) + self.o_r
                return sender
        return None

    def go_on(self, rank):
        """Lets a rank that waits take a message, if it can."""
        sender = self.take(rank)
        if sender is None:
            self.waiting.add(rank)
            return
        self.waiting.discard(rank)
        self.got[rank] = sender
        heapq.heappush(self.running, (self.cpu[rank], rank))

    def step(self, rank, program):
        """Goes on with a program until it waits for a message or ends."""
        got, self.got[rank] = self.got[rank], None
        try:
            while True:
                did = program.send(got)
                got = None
                if did[0] == "send":
                    self.send(rank, *did[1:])
                elif did[0] == "post":
                    self.posted[rank][did[1]] = self.posted[rank].get(did[1], 0) + 1
                elif did[0] == "work":
                    self.cpu[rank] += did[1]
                else:
                    self.go_on(rank)
                    return
        except StopIteration:
            pass

    def run(self, programs):
        self.got = [None] * len(programs)
        while self.running or self.heads or self.crossings:
            ready, head = (queue[0][0] if queue else float("inf") for queue in (self.running, self.heads))
            if self.crossings and self.crossings[0][0] <= min(ready, head):
                self.cross()
            elif self.heads and head <= ready:
                self.arrive()
            else:
                rank = heapq.heappop(self.running)[1]
                self.step(rank, programs[rank])
        if self.waiting:
            raise RuntimeError("the programs wait for one another")
        return self


def one_way(p, k):
    L, o_s, o_r, _, G = p
    return o_s + max(k - 1, 0) * G + L + o_r


def gamma(p, k):
    return p[3] + max(k - 1, 0) * p[4]


def send_interval(p, k):
    return max(p[1], gamma(p, k))


def receive_interval(p, k):
    return max(p[2], gamma(p, k))


def interval(p, k):
    return max(p[1], p[2], gamma(p, k))


def in_flight(p, k):
    """From the end of a send to the arrival."""
    return max(k - 1, 0) * p[4] + p[0]


def exchanged(p, k, n):
    """(87): n messages each way."""
    return max(one_way(p, k) + (n - 1) * interval(p, k), n * (p[1] + p[2]))


def steps(program, loops):
    """A program of steps: (sends, receives), each a list of ranks and bytes, or of ranks."""
    for _ in range(loops):
        for sends, receives in program:
            for source in receives:
                yield "post", source
            for to, k in sends:
                yield "send", to, k
            for _ in receives:
                yield ("take",)


def simulate_rounds(p, k, programs, loops, links=None):
    """What happens if rank r does programs[r] so many times: a list of steps, each of which is the ranks it sends to,
    in order, and then the ranks from which it receives, in whatever order they arrive. All messages have k bytes."""
    each = [[([(to, k) for to in sends], receives) for sends, receives in program] for program in programs]
    return Ranks(p, len(programs), links).run([steps(program, loops) for program in each])


# ---- farms: their roles' programs ----

CONTROL = 16		# bytes of each packet that a supervisor sends or gets, and of a request
DATA_DEPTH = 4		# receives posted from each source


def taken(source, have):
    """Takes messages until there is one of a source (None: of any) that no one has looked at."""
    while not have.get(source):
        sender = yield ("take",)
        have[None if None in have else sender] = have.get(None if None in have else sender, 0) + 1
    have[source] -= 1


def packets_of(sources, have, k, occupation):
    """A packet from each source; the receive of the next one is posted."""
    for s in sources:
        yield from taken(s, have)
        yield "work", occupation
        yield "post", s


def ask_ahead(sources):
    for s in sources:
        for _ in range(DATA_DEPTH):
            yield "post", s


def served(events, tell, credits):
    """The supervisor: `credits` events at first, then one for each decision."""
    for _ in range(CONTROL):
        yield "post", None
    for event in range(min(credits, events)):
        yield from tell(event)
    for event in range(credits, credits + events):
        yield from taken(None, have := {None: 0})
        yield "post", None
        if event < events:
            yield from tell(event)


def simulate_push(p, k, sources, destinations, occupation, credits, events, links=None):
    """ns until the supervisor, rank 0, has the last decision."""
    all_sources, first = range(1, 1 + sources), 1 + sources

    def tell(event):
        for s in all_sources:
            yield "send", s, CONTROL

    def source():
        for _ in range(CONTROL):
            yield "post", 0
        for event in range(events):
            yield ("take",)
            yield "post", 0
            yield "send", first + event % destinations, k

    def destination(d):
        have = {}
        yield from ask_ahead(all_sources)
        for _ in range(d, events, destinations):
            yield from packets_of(all_sources, have, k, occupation)
            yield "send", 0, CONTROL

    return Ranks(p, 1 + sources + destinations, links).run(
        [served(events, tell, credits)] + [source() for _ in all_sources] +
        [destination(d) for d in range(destinations)]).cpu[0]


def simulate_pull(p, k, sources, occupation, credits, events, destinations=1):
    """The same, where a destination asks the sources."""
    all_sources, first = range(1, 1 + sources), 1 + sources

    def tell(event):
        yield "send", first + event % destinations, CONTROL

    def source():
        for _ in range(CONTROL):
            yield "post", None
        for _ in range(events):
            destination = yield ("take",)
            yield "post", None
            yield "send", destination, k

    def destination(d):
        have = {}
        yield from ask_ahead(all_sources)
        yield "post", 0
        for _ in range(d, events, destinations):
            yield from taken(0, have)
            for s in all_sources:
                yield "send", s, CONTROL
            yield from packets_of(all_sources, have, k, occupation)
            yield "send", 0, CONTROL
            yield "post", 0

    return Ranks(p, 1 + sources + destinations).run(
        [served(events, tell, credits)] + [source() for _ in all_sources] +
        [destination(d) for d in range(destinations)]).cpu[0]


def simulate_pipeline(p, k, sources, stages, destinations, occupation, events):
    """ns until the first destination, rank 0, has its last event; sources and stages must divide evenly."""
    stage, source = destinations, destinations + stages

    def send_all(to):
        for _ in range(events):
            yield "send", to, k

    def pass_on(feeders, to):
        have = {}
        yield from ask_ahead(feeders)
        for _ in range(events):
            yield from packets_of(feeders, have, k, occupation)
            if to is not None:
                yield "send", to, k

    def feeders(first, j, fed, width):
        return range(first + j * fed // width, first + (j + 1) * fed // width)

    return Ranks(p, destinations + stages + sources).run(
        [pass_on(feeders(stage, j, stages, destinations), None) for j in range(destinations)] +
        [pass_on(feeders(source, j, sources, stages), j * destinations // stages) for j in range(stages)] +
        [send_all(stage + i * stages // sources) for i in range(sources)]).cpu[0]


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

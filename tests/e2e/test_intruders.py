# SPDX-License-Identifier: Apache-2.0
"""Someone between two ranks, and strangers at the door of a run that is under way."""
import os
import shutil
import socket
import subprocess
import threading
import time
import pytest
from netbench import COME, SECRET, Csv, Rank, equal, faults, free_port, ok, one_fault, until

SHORT = ["--point-time", "20ms", "-f", "csv"]
LONG = ["beff", "-n", "2", "-m", "6", "--point-time", "30s", "--ci", "0", "-f", "csv"]
HANDSHAKE = {"host": 576 + 208, "guest": 196}     # bytes


class Relay(threading.Thread):
    """Takes one connection at .port and passes it on to another port; keeps what it reads of each, changes a bit if told."""

    def __init__(self, to):
        super().__init__(daemon=True)
        self.to, self.read, self.flip = to, {"host": b"", "guest": b""}, None
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.start()

    def run(self):
        guest, _ = self.door.accept()
        host = socket.create_connection(("127.0.0.1", self.to))
        other = threading.Thread(target=self.pump, args=("host", host, guest), daemon=True)
        other.start()
        self.pump("guest", guest, host)
        other.join()
        for s in (guest, host, self.door):
            s.close()

    def pump(self, who, source, sink):
        try:
            while got := source.recv(65536):
                if self.flip == who and len(self.read[who]) >= HANDSHAKE[who]:
                    got, self.flip = got[:-1] + bytes([got[-1] ^ 1]), None
                self.read[who] += got
                sink.sendall(got)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def relayed(job, listener, command, **kwargs):
    """A run of two ranks with a relay between them."""
    a = job.listen(*listener, **kwargs)
    until(lambda: "waiting" in a.said(), 10)
    relay = Relay(job.port)
    job.port = relay.port
    job.join(command)
    return relay


@pytest.mark.slow
def test_a_relay_reads_neither_options_nor_secrets(job):
    """Neither the command line, nor what opens the mesh of backend tcp, crosses the connection in clear."""
    relay = relayed(job, ["latency", "--sizes", "8,4321", "-l", 50, *SHORT], "latency")
    a, b = job.end()
    relay.join(5)
    equal((a.rc, b.rc, len(Csv(a.out).rows)), (0, 0, 2), "the run completes")
    with open("/proc/sys/kernel/random/boot_id") as f:
        machine = f.read().strip()      # each rank tells it beside what else the mesh needs
    for who, got in relay.read.items():
        ok(len(got) > HANDSHAKE[who] + 500, f"{who}: something was sent", len(got))
        for what in (b"4321", b"--sizes", b"--point-time", machine.encode(), SECRET.encode()):
            ok(what not in got, f"{who}: {what} cannot be read", got)


@pytest.mark.parametrize("who", ["host", "guest"])
def test_relay_changes_a_bit(job, who):
    relay = relayed(job, LONG, "beff")
    until(lambda: "# schema" in job.ranks[0].said(job.ranks[0].out), 20)
    relay.flip = who
    if who == "host":       # until something is sent
        time.sleep(0.5)
    a, b = job.end(20)
    words = ["rank 0 did not get what rank 1 on host"] if who == "guest" else ["rank 1 did not get what rank 0 on host"]
    ok(one_fault(a, 1, *words), "rank 0 says so in one line and ends with 1", a)
    ok(one_fault(b, 1, *words), "rank 1 too", b)


@pytest.mark.slow
def test_refused_strangers_are_counted_in_the_result(job):
    """Of those that come during the run the record has the number; few of them have a line."""
    a = job.listen(*LONG)
    job.join("beff")
    until(lambda: "# schema" in a.said(a.out), 20)
    for _ in range(300):
        with socket.create_connection(("127.0.0.1", job.port)) as s:
            s.sendall(b"GET / HTTP/1.0\r\n\r\n" * 20)
    late = [job.join("beff", *args, secret=secret)
            for secret, args in [("another secret", [])] * 6 + [(SECRET, [])] * 6 + [(SECRET, ["--rank", 1])]]
    late = [r.end() for r in late]
    a.p.terminate()
    a, b = [r.end() for r in job.ranks[:2]]
    ok(a.rc == b.rc == 143 and not faults(a), "the run goes on until it is ended", f"{a}\n{b}")
    for i, done in enumerate(late):
        ok(one_fault(done, 1, "wrong secret" if i < 6 else "run has begun: the job is full" if i < 12 else "rank 1 is taken"),
           f"late {i} is told why", done)
    equal(Csv(a.out).one("summary.strangers_refused"), 313, "the record counts them")
    equal(len([w for w in a.warnings if "refuse" in w]), 9, "there are few warnings")


def test_without_strangers_the_count_is_zero(job):
    job.listen("latency", "--sizes", "8", "-l", 50, *SHORT)
    job.join("latency")
    a, b = job.end()
    equal((a.rc, b.rc, Csv(a.out).one("summary.strangers_refused")), (0, 0, 0), "no stranger came")


def test_the_text_of_a_stranger_does_not_reach_the_terminal(job):
    """A stranger's text does not reach the terminal of the rank that it refuses."""
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as door:
        job.port = port
        b = job.join("latency")
        s, _ = door.accept()
        with s:
            s.sendall(b"NETBNCH2" + 56 * b"\1" + 512 * b"\0" + 16 * b"\0" + b"go away\033[2J".ljust(192, b"\0"))
            done = b.end()
    ok(one_fault(done, 1, "go away?[2J"), "the refusal is tamed", done)


# ---- a step of Slurm's without a secret of its own: munge hands out one ----

@pytest.fixture
def munged(place):
    """The socket of a munged."""
    programs = [shutil.which(p, path=os.environ["PATH"] + ":/usr/sbin") for p in ("munged", "munge")]
    if not all(programs):
        pytest.skip("no munged")
    key, path = place / "key", place / "socket"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    place.chmod(0o755)
    daemon = subprocess.Popen([programs[0], "--foreground", "--force", f"--key-file={key}", f"--socket={path}",
                               f"--pid-file={place}/pid", f"--log-file={place}/log", f"--seed-file={place}/seed"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        if not until(lambda: path.exists() or daemon.poll() is not None, 5) or daemon.poll() is not None:
            pytest.skip(f"munged does not start: {daemon.stderr.read()}")
        if "built without munge" in Rank("beff", "-v", "--join-timeout", "0.1s", secret=None, env=step(0, str(path))).end().err:
            pytest.skip("this netbench was built without munge")
        yield str(path)
    finally:
        daemon.terminate()
        daemon.wait()


def step(rank, munged, size=3, **more):
    return {"SLURM_STEP_NUM_TASKS": str(size), "SLURM_STEP_NODELIST": "localhost", "SLURM_STEP_ID": "0",
            "SLURM_JOB_ID": str(os.getpid()), "SLURM_PROCID": str(rank), "NETBENCH_MUNGE_SOCKET": munged, **more}


def slurm_port():
    """The first that ranks of this step try."""
    h = 2166136261
    for text in (str(os.getpid()), "0"):
        for c in text.encode():
            h = (h ^ c) * 16777619 % 2**32
    return 20000 + h % 12000


def test_munge_hands_out_the_secret(munged):
    ranks = [Rank("beff", "-m", 3, "-u", 20, *SHORT, *COME, secret=None, env=step(r, munged)) for r in range(3)]
    done = [r.end() for r in ranks]
    t = Csv(done[0].out)
    ok(all(d.rc == 0 for d in done) and t.one("environment.nranks") == 3 and "SECRET" not in done[0].err and
       not done[1].err + done[2].err, "the run completes, without a warning of secrets", "\n".join(map(str, done)))
    equal(t.one("environment.job.secret"), "made by rank 0, handed over by munge", "the record says how")


def test_who_offers_a_secret_of_another_user_learns_nothing(munged):
    """Who offers a secret of his own is no rank 0, and learns nothing."""
    as_other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    made = subprocess.run([*as_other, "munge", f"--socket={munged}", "--string=sixteen letters."], capture_output=True)
    if made.returncode:
        pytest.skip(f"no credential of another user: {made.stderr}")
    with socket.create_server(("", slurm_port())) as door:
        b = Rank("beff", "--join-timeout", "1s", secret=None, env=step(1, munged))
        s, _ = door.accept()
        with s:
            s.sendall(b"NETBNCH2" + 24 * b"\0" + 32 * b"\1" + made.stdout.strip().ljust(512, b"\0"))
            got = s.recv(1000)
    done = b.end()
    equal(got, b"", "nothing is sent")
    ok(one_fault(done, 1, "cannot join 'node localhost'"), "it does not join", done)

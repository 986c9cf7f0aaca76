# SPDX-License-Identifier: Apache-2.0
"""Backend fpga on platform vrt, which reads and writes registers of link cores and does nothing else: over a double of SLASH's VRT
whose card has two cores of Verilator, wired to each other (kernels/rtl/tb/vrt). Their clock is this machine's, so cycles are
compared, not seconds."""
import os
import pytest
from netbench import NETBENCH, Csv, equal, named, ok, run

DOUBLE = os.path.join(os.path.dirname(NETBENCH), "kernels", "rtl", "tb", "vrt")
BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
CARD = "0000:21:00.0"
D = 83


@pytest.fixture(autouse=True)
def double():
    if not os.path.exists(os.path.join(DOUBLE, "libnetbench_vrt.so")):
        pytest.skip("no double of VRT: it is built where Verilator and the emulated cards are")


@pytest.fixture
def image(place):
    path = place / "cores.vbin"
    path.write_text("for a double")
    return path


def on_card(*args, image, device=CARD, library=DOUBLE, **env):
    at = ["--device", device] if device else []
    paths = [library, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])] if library else [p for p in os.environ.get(
        "LD_LIBRARY_PATH", "").split(":") if p and os.path.realpath(p) != os.path.realpath(DOUBLE)]
    return run(*args, "-b", "fpga", "--platform", "vrt", *at, "--xclbin", image, "-n", 1, "--wiring", "loopback", *BRIEF,
               env={**{k: v for k, v in os.environ.items() if k != "NETBENCH_FPGA"}, "LD_LIBRARY_PATH": ":".join(paths), **env})


def test_a_ring_takes_the_cores_cycles(image):
    done = on_card("beff", "--sizes", "1,65,4096", "-u", 100, "-l", 100, "-f", "csv", image=image)
    t = Csv(done.out)
    ok(done.rc == 0 and not done.faults and len(t.rows) == 3 and all(r["errors"] == 0 and r["checked"] for r in t.rows), "beff", done)
    hz = t.one("environment.backend.clock_Hz")
    equal({r["size_B"]: round(hz * r["time_min_s"] / r["loops"], 3) for r in t.rows},
          {s: (s + 63) // 64 + D + 2 for s in (1, 65, 4096)}, "cycles of an exchange: n + D + 2")
    equal([t.one("environment.backend." + x) for x in ("platform", "card", "emulated")], ["vrt", CARD, "no"], "the record")
    ok("the core's clock, 2 link cores with beats of 64 B" in t.one("environment.backend.method"), "the method", done)


@pytest.mark.parametrize("why, rc, words, how", named((
    ("address", 3, "platform vrt needs '--device', the PCI address of a V80", {"device": None}),
    ("card", 3, "cannot be opened: Failed to find device 0000:22:00.0", {"device": "0000:22:00.0"}),
    ("library", 3, "it is built where the headers of SLASH's VRT are", {"library": None}),
    ("clock", 1, "the image says 300 MHz", {"NETBENCH_DOUBLE_MHZ": "300"}))))
def test_what_is_missing_or_wrong_is_told(why, rc, words, how, image):
    done = on_card("beff", "--sizes", 64, image=image, **how)
    ok(done.rc == rc and len(done.faults) == 1 and words in done.err, why, done)


def test_an_image_that_the_driver_refuses(place):
    (place / "x.pdi").write_text("no image")
    done = on_card("beff", "--sizes", 64, image=place / "x.pdi")
    ok(done.rc == 3 and "cannot be opened: Failed to extract" in done.err, "an image", done)

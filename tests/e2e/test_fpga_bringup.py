# SPDX-License-Identifier: Apache-2.0
"""What a first run on cards goes through, tried on emulated ones: loop-back plugs, the test of card and links that names dead
lanes, and kernels/bring-up with faults of cards and cables."""
import json
import os
import re
import pytest
from netbench import NETBENCH, SLOW, SOURCE, Command, Csv, equal, named, need, ok, run, slow_but

IMAGES = os.path.join(os.path.dirname(NETBENCH), "kernels")
ALVEO = os.path.join(IMAGES, "netbench-emulated-alveo.xclbin")
BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
FPGA = ["-b", "fpga", "--emulate", "fast"]


@pytest.fixture(autouse=True)
def emulated_cards():
    need("fpga", "--emulate", "fast")


def refused(rc, pattern, *args, env=None, name=None):
    done = run(*args, *FPGA, *BRIEF, env=env, timeout=60)
    ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err), name or f"refused: {args}", done)
    return done


# ---- loop-back plugs ----

@pytest.mark.parametrize("image", named([[], ["--xclbin", ALVEO]]))
def test_with_plugs_each_pair_receives_what_it_sends(image):
    """Each pair has its own plug: what lane 0 sends, lane 0 receives; all content is compared."""
    done = run("beff", "-n", 1, "--wiring", "plug", "--sizes", "0,1,33,64,5001", "-u", 5, "-f", "csv", *image, *FPGA, *BRIEF)
    table = Csv(done.out)
    ok(done.rc == 0 and not done.faults and len(table.rows) == 5 and not any(r["errors"] for r in table.rows) and
       all(r["checked"] for r in table.rows if r["size_B"]), "beff with plugs", done)
    equal(table.one("environment.backend.wiring"), "loop-back plugs", "the record")


def test_plug_is_told_from_cables(file):
    refused(1, r"wrong wiring: rank 0, pair [01].*is joined to rank 0, pair [01].*not to rank 0, pair [01]", "beff", "-n", 1,
            "--sizes", 64, "--wiring", "plug", "--emulate-cables", "loopback", name="a cable where plugs should be")
    refused(1, r"wrong wiring: rank 0, pair [01].*is joined to rank 0, pair [01].*not to rank 0, pair [01]", "beff", "-n", 1,
            "--sizes", 64, "--wiring", "loopback", "--emulate-cables", "plug", name="plugs where a cable should be")


def test_plugs_are_refused_for_several_ranks():
    refused(2, "'--wiring plug' suits one rank, not 2: with plugs each card gets back what it sends", "beff", "-n", 2, "--sizes", 64,
            "--wiring", "plug", name="plugs and several ranks")


# ---- the vendors' emulators ----

@pytest.mark.parametrize("mode, why", named([
    ("hw_emu", "no './emconfig.json' for XCL_EMULATION_MODE=hw_emu: emconfigutil makes it, and EMCONFIG_PATH says where"),
    ("sw_emu", "no './emconfig.json' for XCL_EMULATION_MODE=sw_emu"),
    ("fast", "XCL_EMULATION_MODE=fast: expected hw_emu or sw_emu")]))
def test_vitis_emulation_is_not_here(mode, why):
    done = run("beff", "-b", "fpga", "-n", 1, "--sizes", 64, "--xclbin", ALVEO, env={**os.environ, "XCL_EMULATION_MODE": mode})
    ok(done.rc == 3 and len(done.faults) == 1 and why in done.err, mode, done)


def test_with_the_variable_of_vitis_its_emulation_library_is_asked(file):
    """XRT's library for software emulation is loaded, not that for cards; here it finds no process of Vitis to talk to, which it
    notices at once, or, one time in forty, only after five minutes."""
    where = os.path.dirname(file("emconfig.json", "{}"))
    for _ in range(3):
        done = run("beff", "-b", "fpga", "-n", 1, "--sizes", 64, "--xclbin", ALVEO,
                   env={**os.environ, "XCL_EMULATION_MODE": "sw_emu", "EMCONFIG_PATH": where}, timeout=15 * SLOW)
        if done.rc is not None:
            break
    ok(done.rc in (1, 3) and len(done.faults) == 1 and not done.out and "no card with XRT's driver" not in done.err,
       "software emulation", done)


def test_our_emulation_comes_before_that_of_vitis():
    done = run("beff", "-n", 1, "--sizes", 64, "-u", 3, *FPGA, *BRIEF, env={**os.environ, "XCL_EMULATION_MODE": "hw_emu"})
    ok(done.rc == 0 and not done.faults, "'--emulate' comes first", done)


# ---- the test of links ----

ONE = ["beff", "-n", 1, "--sizes", 64, "-u", 3]


@pytest.mark.parametrize("cables, dead", named([
    ("0 1 0 0 0", r"channel 1 \(pair 1, lane 0, lanes after it untested\) from rank 0, channel 0; channel 0 \(pair 0, lane 0, lanes after it untested\) from rank 0, channel 1: "),
    ("0 1 0 0 1", r"channel 3 \(pair 1, lane 1\) from rank 0, channel 2; channel 2 \(pair 0, lane 1\) from rank 0, channel 3: ")]))
def test_a_dead_lane_is_named_by_each_pair_on_its_cable(cables, dead, file):
    """It is named, of each pair that hangs on the cable."""
    refused(1, "rank 0: nothing comes within 0.5 s over " + dead, *ONE, "--emulate-cables", file("cables", cables),
            "--link-timeout", "0.5s", name="a dead lane")


def test_a_dead_lane_is_named_among_ranks(file):
    refused(1, r"rank [01]: nothing comes within 0.5 s over channel [23] \(pair [01], lane 1\) from rank [01], channel [23]: ", "beff",
            "-n", 2, "--sizes", 64, "--emulate-cables", file("cables", "0 1 1 0 1\n1 1 0 0\n"), "--link-timeout", "0.5s")


def test_each_step_is_told():
    done = run(*ONE, "-v", *FPGA, *BRIEF)
    for step in ("card '0' is open, with image '.*', after .* s", "the image has 2 pairs of 2 channels of 32 B, version [0-9]+",
                 "1 MiB into memory of card '0' and back takes .* us", "a launch takes .* us",
                 "pair 0 is joined to rank 0, pair 1, by all channels", "pair 1 is joined to rank 0, pair 0, by all channels"):
        ok(done.rc == 0 and len(re.findall(f"netbench: rank 0: {step}\n", done.err)) == 1, f"-v: {step}", done)


# ---- kernels/bring-up ----

BRING_UP = os.path.join(SOURCE, "kernels", "bring-up")
FAULTY = os.path.join(IMAGES, "tests", "netbench-{}.xclbin")
QUICK = ["--emulate", "fast", "--link-timeout", "0.5s", "--kernel-timeout", "2s", "--point-time", "0.05s"]


def bring_up(*args):
    return Command([BRING_UP, *map(str, args)], env={"NETBENCH": NETBENCH}).end(60 * SLOW)


@pytest.fixture
def here(place, monkeypatch):
    monkeypatch.chdir(place)
    return place


@pytest.mark.parametrize("wiring, steps", slow_but([(["-w", "loopback"], 4), (["-w", "plug"], 4), (["-n", 2], 6)], 0))
def test_bring_up_takes_all_steps_and_leaves_results(wiring, steps, here):
    done = bring_up(*wiring, os.path.join(IMAGES, "netbench-emulated.xclbin"), *QUICK)
    lines = [x for x in done.out.splitlines() if x.startswith("bring-up: ")]
    ok(done.rc == 0 and len(lines) == steps + 2 and lines[-2].startswith("bring-up: all well") and "a launch takes" in done.out,
       "bring-up", done)
    ok("'netbench model --board 520n --against bring-up-beff.csv' compares" in lines[-1], "the board of the image", done)
    equal(len(Csv((here / "bring-up-beff.csv").read_text()).rows), 21, "its results")


@pytest.mark.slow
@pytest.mark.parametrize("image, board", named([("aurora", "u280"), ("emulated-alveo", None)]))
def test_bring_up_names_the_board_of_the_image(image, board, here):
    done = bring_up(FAULTY.format(image) if board else ALVEO, *QUICK)
    ok(done.rc == 0 and re.findall(r"--board (\S+)", done.out) == ([board] if board else []), "the board", done)


@pytest.mark.parametrize("image, cables, at, said, advice", slow_but([
    ("emulated", "0 1 0 0 1", "links", "over channel 3 (pair 1, lane 1) from rank 0, channel 2", "that cable or link"),
    ("emulated", "plug", "links", "wrong wiring: rank 0, pair", "exchange the cables"),
    ("lossy", None, "sizes up to 4 KiB", "has not ended within 2 s", "a message was lost"),
    ("old", None, "links", "has kernels of version 1, but this netbench needs version", "build the image again"),
    ("stuck", None, "links", "kernel 'describe_0' on card '0' has not ended within 3 s", "reset the card"),
    ("torn", None, "links", "AuroraFlow's port 1 is not up within 0.5 s: lanes 2 and 3 are down", "that port's cable")], 0, 3, 5))
def test_bring_up_stops_at_the_first_fault_and_says_why(image, cables, at, said, advice, here, file):
    path = FAULTY.format(image) if image != "emulated" else os.path.join(IMAGES, "netbench-emulated.xclbin")
    done = bring_up(path, *QUICK, *(["--emulate-cables", cables if cables == "plug" else file("cables", cables)] if cables else []))
    failed = [x for x in done.out.splitlines() if "FAILED" in x]
    ok(done.rc == 1 and len(failed) == 1 and at in failed[0] and said in done.out and
       re.search(f"look at: .*{advice}", done.out) and not (here / "bring-up-beff.csv").exists(), "it stops, and says why", done)


RTL = os.path.join(IMAGES, "rtl", "netbench-{}.xclbin")
EMULATED_CORES = ["--emulate", "rtl", "--link-timeout", "2s", "--point-time", "0", "--ci", 0, "--repetitions", 2]


@pytest.mark.slow
@pytest.mark.parametrize("image, rc, said", named([
    ("emulated-rtl", 0, "link cores with beats of 64 B"), ("rtl-slow-clock", 1, "look at:  the image's clock"),
    ("rtl-lossy", 1, "look at:  the link loses beats; no reset is needed")]))
def test_bring_up_knows_link_cores(image, rc, said, here):
    if not os.path.exists(RTL.format(image)):
        pytest.skip("no image of link cores: it is built where Verilator is")
    done = bring_up(RTL.format(image), *EMULATED_CORES, "-u", 400 if rc else 4)
    ok(done.rc == rc and said in done.out and ("all well" in done.out) == (not rc) and "--board" not in done.out, "bring-up", done)


@pytest.mark.slow
def test_bring_up_finds_cables_that_cross(here, file):
    done = bring_up("-n", 3, os.path.join(IMAGES, "netbench-emulated.xclbin"), *QUICK, "--emulate-cables",
                    file("cables", "0 1 2 0\n2 1 1 0\n1 1 0 0\n"))
    ok(done.rc == 1 and re.search(r"wrong wiring: rank \d.*joined to rank \d", done.out) and "exchange the cables" in done.out, "crossed", done)


@pytest.mark.parametrize("args, links", named([
    (["-n", 2, "links", "520n"], ["n00:acl0:ch1-n00:acl1:ch0", "n00:acl0:ch3-n00:acl1:ch2", "n00:acl1:ch1-n00:acl0:ch0",
                                  "n00:acl1:ch3-n00:acl0:ch2"]),
    (["-n", 4, "links", "u280"], ["n00:acl0:ch1-n00:acl1:ch0", "n00:acl1:ch1-n00:acl2:ch0", "n00:acl2:ch1-n01:acl0:ch0",
                                  "n01:acl0:ch1-n00:acl0:ch0"]),
    (["-w", "plug", "links", "u280"], ["n00:acl0:ch0-n00:acl0:ch0", "n00:acl0:ch1-n00:acl0:ch1"]),
    (["links", "u280"], ["n00:acl0:ch1-n00:acl0:ch0"])]))
def test_bring_up_prints_the_links_that_a_scheduler_needs(args, links):
    done = bring_up(*args)
    ok(done.rc == 0 and [x for x in done.out.split("\n") if x.startswith("--")] == ["--fpgalink=" + x for x in links], "links", done)


@pytest.mark.parametrize("args, rc", named([(["links", "521n"], 2), ([], 2), (["-n", "x", "image"], 2), (["/nonexistent.xclbin"], 3)]))
def test_bring_up_refuses_what_it_does_not_know(args, rc, here):
    equal(bring_up(*args).rc, rc, "status")


# ---- kernels/build, with stand-ins for the vendors' compilers that say what they are asked for ----

CORES = "vnx/NetLayers/100G-fpga-network-stack-core"


@pytest.fixture
def build(here, monkeypatch):
    for tool in ("v++", "aoc", "aocl", "vivado", "slashkit"):
        path = here / "bin" / tool
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{tool} $*"\n')
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{here}/bin:{os.environ['PATH']}")
    for name in ("aurora/build/aurora_flow_hw_0.xo", "aurora/build/aurora_flow_hw_1.xo", "aurora/build/aurora_flow_hw_emu_0.xo",
                 "aurora/build/aurora_flow_hw_emu_1.xo", "vnx/Ethernet/post_sys_link.tcl", "vnx/Ethernet/_x.u280/cmac_0.xo",
                 "vnx/Ethernet/_x.u280/cmac_1.xo", "vnx/NetLayers/_x.u280/networklayer.xo"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text("")
    (here / CORES / "synthesis_results_HBM").mkdir(parents=True)
    return lambda *args: Command([os.path.join(SOURCE, "kernels", "build"), *args]).end()


def test_the_build_for_aurora_compiles_and_links_with_its_arguments(build):
    done = build("alveo", "xilinx_u280_x", "aurora", "--aurora", "aurora", "--link", "-j4", "--compile", "-g")
    calls = done.out.splitlines()
    ok(done.rc == 0 and len(calls) == 4 and all(" -c -t hw " in c and " -g " in c and "-j4" not in c and "STREAM_DEST" not in c
                                                for c in calls[:3]), "compiling", done)
    link = calls[-1] if calls else ""
    ok(all(w in link for w in (" -l -t hw ", "alveo_aurora.cfg", "alveo_aurora_ports.cfg", " -j4 ", "--connectivity.sp recv_0.message:HBM[0]", "--connectivity.sp recv_1.message1:HBM[1]", "describe_0.record:HBM[0]",
                               "aurora_flow_hw_0.xo", "aurora_flow_hw_1.xo", "send.xo recv.xo describe.xo",
                               "-o netbench-xilinx_u280_x-aurora.xclbin")) and " -g" not in link, "linking", done)
    done = build("alveo", "xilinx_u280_x", "aurora", "hw_emu", "--aurora", "aurora")
    ok(done.rc == 0 and "-t hw_emu" in done.out and "aurora_flow_dpi.c" in done.out and "-aurora-hw_emu.xclbin" in done.out and
       "alveo_aurora.cfg" in done.out and "alveo_aurora_ports.cfg" not in done.out, "hw_emu has no ports to connect", done)
    done = build("alveo", "xilinx_u280_x", "aurora", "compile")
    ok(done.rc == 0 and len(done.out.splitlines()) == 3, "the kernels alone", done)


def test_the_build_for_vnx_links_the_network_layer(build):
    done = build("alveo", "xilinx_u280_x", "vnx", "--vnx", "vnx", "--bank", "DDR[1]")
    link = (done.out.splitlines() or [""])[-1]
    ok(done.rc == 0 and "-DSTREAM_DEST=16" in done.out and "-DSTREAM_DEST" not in link and all(w in link for w in (
        "--kernel_frequency 250", "--user_ip_repo_paths vnx/Ethernet/cmac", f"--user_ip_repo_paths {CORES}/synthesis_results_HBM", "record:DDR[1]", "recv_1.message:DDR[1]",
        "compiler.userPostSysLinkOverlayTcl=vnx/Ethernet/post_sys_link.tcl", "cmac_0.xo", "networklayer.xo")), "VNx", done)


@pytest.mark.parametrize("links, stream, top, words", named((
    ("aurora", "unframed", "nb_link_unframed", ("aurora_flow_hw_1.xo", "alveo_aurora_ports.cfg")),
    ("vnx", "packets", "nb_link_packets", ("cmac_0.xo", "--kernel_frequency 250")), ("loopback", "framed", "nb_link", ()))))
def test_the_build_of_link_cores_packs_and_links_them(links, stream, top, words, build, here):
    """In the form that the link layer takes; there are no kernels beside them, and no memory."""
    done = build("core", "xilinx_u280_x", links, "--aurora", "aurora", "--vnx", "vnx", "--link", "-j4")
    pack, link = (done.out.splitlines() + ["", ""])[:2]
    ok(done.rc == 0 and len(done.out.splitlines()) == 2 and pack.startswith("vivado -mode batch -source ") and
       pack.endswith(f"pack.tcl -tclargs {here}/core-{stream} {here}/core-{stream}/kernel.xml {top}"), "packing", done)
    ok(all(w in link for w in (f"alveo_core_{links}.cfg", f"core-{stream}/nb_link.xo", " -j4 ", f"-o netbench-xilinx_u280_x-core-{links}.xclbin",
                               *words)) and "send" not in link and "connectivity.sp" not in link, "linking", link)
    dest = 16 if links == "vnx" else 0
    ok(f"ap_axiu&lt;512,0,0,{dest}>>" in (here / f"core-{stream}" / "kernel.xml").read_text(), "its kernel.xml", done)
    done = build("core", "xilinx_u280_x", links, "compile")
    ok(done.rc == 0 and len(done.out.splitlines()) == 1, "the core alone", done)


def test_the_build_for_v80_takes_the_packed_core(build, here):
    calls = build("v80", "--jobs", "4").out.splitlines()
    ok(len(calls) == 2 and calls[0].startswith("vivado ") and calls[1].startswith("slashkit link -c ") and all(w in calls[1] for w in (
        "v80_core.cfg -p hw -k core-framed/ip/component.xml -o netbench-v80-core.vbin --jobs 4",)), "slashkit", calls)


def test_the_clock_for_aoc_becomes_a_library(build, here):
    done = build("clock")
    equal(done.out.splitlines(), ["aocl library hdl-comp-pkg nb_clock.xml -o nb_clock.aoco", "aocl library create -name nb_clock nb_clock.aoco"],
          "aocl")
    ok(all((here / f"nb_clock.{x}").exists() for x in ("sv", "xml", "cl")), "its sources are here", done)


def test_build_gives_each_receive_port_its_memory_bank(build):
    link = (build("alveo", "xilinx_u250_x", "loopback", "--bank", "DDR[2]", "--bank", "DDR[3]").out.splitlines() or [""])[-1]
    ok(all(f"{port}:DDR[{bank}] " in link for port, bank in (("recv_0.message1", 2), ("describe_0.record", 2), ("recv_1.message", 3))), "banks", link)


def test_build_vnx_names_what_was_not_built(build, here):
    (here / CORES / "synthesis_results_HBM").rmdir()
    done = build("alveo", "xilinx_u280_x", "vnx", "--vnx", "vnx")
    ok(done.rc == 1 and "synthesis_results_HBM': 'make' in the network example's directory NetLayers" in done.err and not done.out, "VNx", done)


def test_the_build_for_intel_makes_image_emulator_and_report(build):
    for target, words in (([], "-o netbench-p520_max_sg280l.aocx"), (["emulator"], "-march=emulator -o netbench-p520_max_sg280l-emulator.aocx"),
                          (["report"], "-rtl -o netbench-p520_max_sg280l-report.aocr ")):
        done = build("intel", "p520_max_sg280l", *target, "-v")
        ok(done.rc == 0 and words in done.out and " -v " in done.out, f"intel {target}", done)


@pytest.mark.parametrize("args, why", named([
    (["alveo", "u280", "ring"], "there are aurora, vnx and loopback"), (["alveo", "u280", "aurora"], "--aurora names AuroraFlow's directory"),
    (["alveo", "u280", "vnx"], "--vnx names the network example's directory"), (["alveo", "u280", "vnx", "hw_emu"], "have no target 'hw_emu'"),
    (["alveo", "u280", "loopback", "--bank"], "'--bank' needs a value"), (["alveo", "u280", "loopback", "x.xo"], "no file 'x.xo'")]))
def test_a_build_that_lacks_something_says_what(args, why, build):
    done = build(*args)
    ok(done.rc == 1 and why in done.err and not done.out, "refused", done)


@pytest.mark.parametrize("board, tool, links", named([("520n", "changeFPGAlinks", 8), ("u280", "changeFPGAlinksXilinx", 4)]))
def test_the_ring_of_a_job_is_set_up_before_it_measures(board, tool, links, here):
    """examples/slurm-fpga.sh sets up the ring of 4 ranks on 2 nodes before it measures."""
    for name in ("changeFPGAlinks", "changeFPGAlinksXilinx", "mpirun", "netbench"):
        (here / name).write_text(f'#!/bin/sh\necho "{name} $*"\n')
        (here / name).chmod(0o755)
    done = Command(["bash", os.path.join(SOURCE, "examples", "slurm-fpga.sh")], env={
        "PATH": f"{here}:{os.environ['PATH']}", "BOARD": board, "BRING_UP": BRING_UP, "SLURM_NTASKS": "4", "SLURM_NNODES": "2",
        "SLURM_JOB_ID": "1", "SLURM_JOB_END_TIME": "1", "SLURM_SUBMIT_DIR": str(here)}).end()
    lines = done.out.splitlines()
    ok(done.rc == 0 and len(lines) == 5 and lines[0].startswith(tool + " --fpgalink=n00:acl0:ch1-n00:acl1:ch0 ") and
       lines[0].count("--fpgalink=") == links and "beff -b fpga" in lines[1], f"the links of {board}", done)

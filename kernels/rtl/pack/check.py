# SPDX-License-Identifier: Apache-2.0
"""check.py RTL MANUAL: checks that the packaging of the link core fits its SystemVerilog.

The vendors' tools read these files, and are not here: kernel.xml, pack.tcl (under stand-ins for
Vivado's commands), nb_link_hw.tcl (under stand-ins for Platform Designer's) and nb_clock.xml. Each
port that they name must exist, with its direction and width. The output is TAP."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True  # of the next module, beside the sources
import registers  # noqa: E402

RTL, MANUAL = os.path.abspath(sys.argv[1]), sys.argv[2]


def read(path):
    with open(os.path.join(RTL, path)) as f:
        return f.read()


def path_of(module):
    return f"wrap/{module}.sv" if module.startswith("nb_link_") else f"{module}.sv"


def ports_of(path, w=512):
    """Returns {port: (direction, bits)} of the first module of a file."""
    head = re.search(r"^module .*?^\);", read(path), re.M | re.S)[0]
    found = re.findall(r"^\s+(input|output)\s+(?:wire|reg)\s+(?:\[([^:]+):0\]\s+)?(\w+)", head,
                       re.M)
    return {name: (way, eval(high.replace("/", "//"), {"W": w}) + 1 if high else 1)
            for way, high, name in found}


def tcl(script, arguments, before=""):
    """Runs a script under stand-ins. Returns the commands that it gave, and the fault or ""."""
    with tempfile.TemporaryDirectory() as place:
        log, stand = os.path.join(place, "log"), os.path.join(place, "stand.tcl")
        with open(stand, "w") as f:
            f.write(f"proc unknown {{args}} {{\n set f [open {log} a]\n puts $f $args\n close $f\n"
                    f" return stand_in\n}}\n{before}\n"
                    f"set argv [list {' '.join(arguments)}]\nset argc [llength $argv]\n"
                    f"source {os.path.join(RTL, script)}\n"
                    "if {[info commands add_streams] ne {}} { add_streams }\n")
        done = subprocess.run([shutil.which("tclsh"), stand], capture_output=True, text=True)
        said = ""
        if os.path.exists(log):
            with open(log) as f:
                said = f.read()
    return said, done.stderr[-300:] if done.returncode else ""


def faults_of_xml(stream):
    text = registers.make_xml(RTL, stream)
    tree, ports = ET.fromstring(text), ports_of(path_of(registers.STREAMS[stream][0]))
    offsets = [int(a.get("offset"), 16) for a in tree.iter("arg")
               if a.get("port") == "s_axi_control"]
    bad = [p.get("name") for p in tree.iter("port")
           if not any(name.startswith(p.get("name") + "_") for name in ports)]
    bad += [f"{p.get('name')}: width" for p in tree.iter("port")
            if p.get("portType") == "stream" and
            ports[p.get("name") + "_tdata"][1] != int(p.get("dataWidth"))]
    dest = int(re.search(r"ap_axiu&lt;512,0,0,(\d+)>", text)[1])
    bad += ["TDEST"] if dest != ports.get("out_tdest", ("", 0))[1] else []
    return bad + ([] if offsets == sorted(set(offsets)) and len(offsets) == 21 else ["arguments"])


def faults_of_pack(stream):
    top = registers.STREAMS[stream][0]
    said, fault = tcl("pack/pack.tcl", ["/there", "/there/kernel.xml", top])
    ports = ports_of(path_of(top))
    named = re.findall(r"-(?:busif|clock|reset) (\w+)|infer_bus_interface (\w+)", said)
    bad = [n for pair in named for n in pair
           if n and n not in ports and not any(p.startswith(n + "_") for p in ports)]
    files = re.findall(r"([^\s{]+\.sv)", said)
    bad += [f for f in files if not os.path.exists(f)]
    wanted = ("ap_ctrl_hs", "package_xo", f"top {top} ", "s_axi_control", "ap_clk", "nb_regs.sv",
              os.path.basename(path_of(top)))
    return ([fault] if fault else []) + bad + [w for w in wanted if w not in said]


def faults_of_designer(w):
    before = f"proc package {{args}} {{}}\nproc get_parameter_value {{name}} {{ return {w} }}"
    said, fault = tcl("pack/nb_link_hw.tcl", [], before)
    ports = ports_of("wrap/nb_link_prot.sv", w)
    named = re.findall(r"^add_interface_port (\w+) (\w+) (\w+) (Input|Output) (\d+)$", said, re.M)
    bad = [port for _, port, role, way, bits in named
           if ports.get(port) != (way.lower(), int(bits)) or
           not (port.endswith(role) or port in ("ap_clk", "ap_rst_n", "interrupt"))]
    bad += sorted(set(ports) ^ {port for _, port, *_ in named})
    there = set(re.findall(r"^add_interface (\w+) ", said, re.M))
    bad += [name for name, *_ in named if name not in there]
    files = re.findall(r"PATH (\S+)", said)
    bad += [f for f in files if not os.path.exists(os.path.join(RTL, "pack", f))]
    return ([fault] if fault else []) + bad + ([] if len(files) == 6 else ["files"])


def faults_of_clock():
    tree, ports = ET.fromstring(read("pack/nb_clock.xml")), ports_of("pack/nb_clock.sv")
    function = tree.find("FUNCTION")
    named = {a.get("port"): (a.tag, a.get("width") or "1") for a in function.find("INTERFACE")}
    bad = sorted(set(named) ^ set(ports))
    bad += [p for p, (_, bits) in named.items() if p in ports and ports[p][1] != int(bits)]
    bad += [a.get("port") for a in function.iter("AVALON") if a.get("port") != a.get("type")]
    bad += [f.get("name") for f in function.iter("FILE")
            if not os.path.exists(os.path.join(RTL, "pack", f.get("name")))]
    return bad + ([] if function.get("module") == "nb_clock" else ["module"])


def main():
    with open(MANUAL) as f:
        lines = set(f.read().split("\n"))
    absent = [x for x in registers.make_man(RTL).splitlines() if x not in lines]
    checks = [("the manual has the map of registers.h", absent[:3])]
    checks += [(f"kernel.xml, {s}: ports and arguments of the core", faults_of_xml(s))
               for s in registers.STREAMS]
    checks += [("nb_clock.xml has the ports of nb_clock.sv", faults_of_clock())]
    if shutil.which("tclsh"):
        checks += [(f"pack.tcl, {s}, under stand-ins for Vivado", faults_of_pack(s))
                   for s in registers.STREAMS]
        checks += [(f"nb_link_hw.tcl, W = {w}, under stand-ins for Platform Designer",
                    faults_of_designer(w)) for w in (512, 256)]
    print(f"1..{len(checks) + (not shutil.which('tclsh'))}")
    for i, (name, bad) in enumerate(checks, 1):
        print(("not " if bad else "") + f"ok {i} - {name}" + "".join(f"\n# {b}" for b in bad))
    if not shutil.which("tclsh"):
        print(f"ok {len(checks) + 1} - the scripts for Vivado and Quartus # SKIP no tclsh")
    return any(bad for _, bad in checks)


if __name__ == "__main__":
    sys.exit(main())

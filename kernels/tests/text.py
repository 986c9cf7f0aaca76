# SPDX-License-Identifier: Apache-2.0
"""text.py KERNELS: checks what only compilers for cards read in sources and link configurations.

These are names of channels, pragmas, attributes and connections. They are compared with the list of
platforms in platforms.json beside this file. The output is TAP."""
import json
import os
import re
import sys

PIPELINED = "#pragma HLS PIPELINE II=1"
CREDITS = 16            # depth of the channel of credits on each card


def read(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def lines_of(cfg, key):
    return re.findall(rf"^{key}=(.*)$", cfg, re.M)


# ---- Intel ----

def channels(text, platform):
    """Each external channel of the board has one declaration with its number and its width."""
    pattern = r'^channel struct chunk (\w+)_(\d) __attribute__\(\(io\("(\w+)"\)\)\);$'
    declared = re.findall(pattern, text, re.M)
    bad = [f"{way}_{n}: {name}" for way, n, name in declared
           if name not in platform["send" if way == "transmit" else "receive"] or
           not name.endswith("ch" + n)]
    names = sorted(name for _, _, name in declared)
    if names != sorted(platform["send"] + platform["receive"]):
        bad.append(f"channels {names}")
    if f'#define CHANNEL_WIDTH {platform["channel_B"]}\n' not in text:
        bad.append("width of a channel")
    return bad


def credits_of_intel(text, _):
    pattern = r"^channel word64 credit_(\d) __attribute__\(\(depth\((\w+)\)\)\);$"
    found = re.findall(pattern, text, re.M)
    good = found == [("0", "CREDITS"), ("1", "CREDITS")] and f"#define CREDITS {CREDITS}\t" in text
    return [] if good else [str(found)]


def pairs(text, _):
    """Pair p has channels p and p + 2, as in HPCC_FPGA, and a credit channel of its own."""
    names = "TRANSMIT_A|TRANSMIT_B|RECEIVE_A|RECEIVE_B|CREDIT"
    used = re.findall(rf"^#define ({names}) (\w+)$", text, re.M)
    expected = [(w, f"{w.split('_')[0].lower()}_{p + 2 * w.endswith('_B')}") for p in (0, 1)
                for w in ("TRANSMIT_A", "TRANSMIT_B", "RECEIVE_A", "RECEIVE_B", "CREDIT")]
    return [] if used == expected else [str(used)]


def attributes(text, _):
    """Kernels are single work-items without a work size from the host, with restrict pointers."""
    kernels = re.findall(r"(.*)\n__kernel void (\w+)\(([^)]*)\)", text)
    bad = [name for before, name, _ in kernels
           if before != "__attribute__((max_global_work_dim(0)))"]
    if sorted(name for _, name, _ in kernels) != ["describe_0", "recv_0", "recv_1", "send_0",
                                                  "send_1"]:
        bad.append(str(kernels))
    bad += re.findall(r"__global \w+ ?\w* \*(?!restrict)\w+, (?=const)", text)
    bad += [p for p in ("#pragma OPENCL EXTENSION cl_intel_channels : enable\n",
                        '#define UNROLL _Pragma("unroll")\n',
                        '#define ONCE _Pragma("unroll 1")\n') if p not in text]
    return bad


# ---- AMD ----

def functions(text):
    """Returns for each kernel's name its parameters by name, and its pragmas."""
    found = {}
    kernels = text[text.index('extern "C"'):]
    pattern = r"^void (\w+)\(([^{]*)\)\n\{\n((?:.|\n)*?)^\}"
    for name, params, body in re.findall(pattern, kernels, re.M):
        by_name = {re.search(r"(\w+)$", p)[1]: p for p in re.split(r",\s*", params)}
        found[name] = (by_name, re.findall(r"^#pragma HLS (.*)$", body, re.M))
    return found


def interfaces(text, _):
    """Each stream is an axis, each pointer has its own m_axi, the host sets the other arguments."""
    bad, kernels = [], functions(text)
    for name, (params, pragmas) in kernels.items():
        streams = [p for p, decl in params.items() if "hls::stream" in decl]
        pointers = [p for p, decl in params.items() if "*" in decl]
        bundles = [re.search(rf"^INTERFACE m_axi port = {p} offset = slave bundle = (\w+)$",
                             "\n".join(pragmas), re.M) for p in pointers]
        bad += [f"{name}: axis {p}" for p in streams if f"INTERFACE axis port = {p}" not in pragmas]
        bad += [f"{name}: m_axi {p}" for p, b in zip(pointers, bundles) if not b]
        if len({b and b[1] for b in bundles}) < len(bundles):
            bad.append(f"{name}: pointers share an m_axi")
        if "INTERFACE s_axilite port = return" not in pragmas:
            bad.append(f"{name}: s_axilite")
    recv = kernels.get("recv", ((), ()))[1]
    if sorted(kernels) != ["describe", "recv", "send"] or "DATAFLOW" not in recv:
        bad.append("kernels, or recv's dataflow")
    return bad


def pipelines(text, _):
    """Loops over streams begin an iteration in each cycle. Functions called in them are inlined."""
    bad = [p for p in ('#define IN_PIPELINE _Pragma("HLS PIPELINE II=1")\n',
                       '#define IN_UNROLL _Pragma("HLS UNROLL")\n') if p not in text]
    store = text[text.index("static void store_messages"):text.index('extern "C"')]
    loops = len(re.findall(r"\bfor \(", store))
    bad += ["store_messages"] * (loops != len(re.findall(r"\) \{\n" + PIPELINED, store)))
    inlined = re.findall(r"^static \w+ (\w+_(?:chunk|credit))\([^)]*\)\n\{\n(.*)$", text, re.M)
    bad += [name for name, body in inlined if body != "#pragma HLS INLINE"]
    return bad


def connections(text, cfg, links, board):
    """Each stream of each unit has one connection, from its writer to its reader. Pair or core i is
    at the i-th port."""
    ends, bad = {}, []
    for kernel, _, units in (x.split(":") for x in lines_of(cfg, "nk")):
        params = functions(text).get(kernel, ({}, []))[0]
        for unit in units.split("."):
            ways = {p: "out" if p in ("out", "give") else "in"
                    for p, decl in params.items() if "hls::stream" in decl}
            ways.update({p: way for way in ("in", "out")
                         for p in links.get(kernel, {}).get(way, [])})
            ends.update({f"{unit}.{p}": way for p, way in ways.items()})
    networks = re.findall(r"^(eth_\d)=1$", cfg, re.M)     # SLASH's ports, in the order of the pairs
    ends.update({f"{n}.{p}": way for n in networks for way in ("in", "out") for p in links[n][way]})
    used = []
    for a, b, depth in ((x + ":").split(":")[:3] for x in lines_of(cfg, "stream_connect")):
        used += [a, b]
        if ends.get(a) != "out" or ends.get(b) != "in":
            bad.append(f"{a} to {b}")
        if a.endswith(".give") and (depth != str(CREDITS) or
                                    a.split(".")[0][-1] != b.split(".")[0][-1]):
            bad.append(f"the credit of {a}")
        units = [x.split(".")[0] for x in (a, b)]
        layers = [u for u in units if u.rsplit("_", 1)[0] not in ("send", "recv", "nb_link")]
        at = {str(networks.index(u)) if u in networks else u[-1] for u in units}
        if layers and len(at) > 1:
            bad.append(f"{a} and {b} are of two ports")
    if sorted(used) != sorted(ends):
        bad.append(f"not once: {sorted(set(used) ^ set(ends)) or sorted(used)}")
    for a, b in (re.split(":", x, maxsplit=1) for x in lines_of(cfg, "connect")):
        for end in (a, b):
            unit, _, port = end.partition("/")
            if end not in board["ports"] and port not in links.get(unit, {}).get("ports", []):
                bad.append(f"no port {end}")
    wanted = sorted(f"{u}/{p}" for u, layer in links.items() if f"nk={u}:1:{u}" in cfg
                    for p in layer["ports"])
    connected = sorted(e for x in lines_of(cfg, "connect") for e in x.split(":")
                       if e not in board["ports"])
    if "connect=" in cfg and cfg.count("\nconnect=") and connected != wanted:
        bad.append(f"ports {connected}, of {wanted}")
    return bad


def run(kernels):
    platforms = json.loads(read(os.path.dirname(os.path.abspath(__file__)), "platforms.json"))
    intel, xilinx = read(kernels, "beff_intel.cl"), read(kernels, "beff_xilinx.cpp")
    names = ("aurora", "aurora_ports", "vnx", "loopback", "core_aurora", "core_vnx",
             "core_loopback")
    cfg = {name: read(kernels, f"alveo_{name}.cfg") for name in names}
    cards, links = platforms["u280"], platforms["links"]
    found = [
        ("the 520N's channels are declared, each once",
         channels(intel, platforms["p520_max_sg280l"])),
        ("credits of the 520N have their depth", credits_of_intel(intel, None)),
        ("pairs of the 520N are HPCC_FPGA's", pairs(intel, None)),
        ("kernels for the 520N have their attributes", attributes(intel, None)),
        ("kernels for Alveo have their interfaces", interfaces(xilinx, None)),
        ("loops for Alveo are pipelined", pipelines(xilinx, None)),
        ("AuroraFlow on a card is connected",
         connections(xilinx, cfg["aurora"] + cfg["aurora_ports"], links, cards)),
        ("AuroraFlow in hw_emu is connected, without ports of a card",
         connections(xilinx, cfg["aurora"], links, cards) + lines_of(cfg["aurora"], "connect")),
        ("VNx is connected", connections(xilinx, cfg["vnx"], links, cards)),
        ("loop-back on the card is connected", connections(xilinx, cfg["loopback"], links, cards)),
        ("link cores at AuroraFlow are connected",
         connections(xilinx, cfg["core_aurora"] + cfg["aurora_ports"], links, cards)),
        ("link cores at VNx are connected", connections(xilinx, cfg["core_vnx"], links, cards)),
        ("link cores on one card are connected",
         connections(xilinx, cfg["core_loopback"], links, cards)),
        ("link cores of a V80 are connected",
         connections(xilinx, read(kernels, "v80_core.cfg"), links, cards)),
        ("a stream for VNx has a TDEST of 16 bits",
         [] if "$compiles -DSTREAM_DEST=16" in read(kernels, "build") else ["build"]),
    ]
    print(f"1..{len(found)}")
    for i, (name, bad) in enumerate(found, 1):
        print(("not " if bad else "") + f"ok {i} - {name}" + "".join(f"\n# {b}" for b in bad))
    return any(bad for _, bad in found)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))

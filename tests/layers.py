#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: fails for an include that the layers do not allow."""
import pathlib
import re
import sys

SRC = pathlib.Path(sys.argv[1]) / "src"

# Layers from the bottom; a file may include its own layer and those that its row names.
LAYERS = {
    "base": ["error", "clock", "config"],
    "pure": ["options*", "values", "nearest", "plan", "pattern", "stats", "content", "xfer", "tree", "model/*", "report/*"],
    "machine": ["env", "placement", "places", "progress"],
    "contract": ["job", "backend", "round", "registry", "job/*"],
    "backends": ["backends/*"],
    "bench": ["bench", "choose", "enter", "outset", "share", "shape", "spaced", "farm", "farm_play", "load", "like", "result", "point", "sweep", "sync", "verify", "run", "command", "commands"],
    "cmd": ["cmd/*"],
    "main": ["main"],
}
MAY = {
    "base": [],
    "pure": ["base"],
    "machine": ["base", "pure"],
    "contract": ["base", "pure"],
    "backends": ["base", "pure", "contract"],
    "bench": ["base", "pure", "machine", "contract"],
    "cmd": ["base", "pure", "machine", "contract", "bench"],
    "main": ["base", "pure", "machine", "contract", "bench", "cmd"],
}
# Of the pure modules a backend sees only these.
BACKENDS_SEE = ["options*", "values", "model/*", "xfer"]
# Headers of outside libraries, and the only files that may include them.
OUTSIDE = {r"mpi\.h": "backends/mpi", r"infiniband/": "backends/verbs", r"xrt/|experimental/xrt|xrt\.h|xclbin\.h": "backends/fpga",
           r"CL/": "backends/fpga"}
# Headers of kernels/, for the backend that runs them.
KERNELS = ["kernels.h", "emulate.h"]
# The one pure module that needs capability bits to say what a pattern needs.
EXCEPTIONS = {("pattern.c", "backend.h")}


def matches(name, patterns):
    return any(pathlib.PurePath(name).match(p) for p in patterns)


def layer(path):
    name = str(path.with_suffix(""))
    for key, patterns in LAYERS.items():
        for p in patterns:
            if "/" in p and name.startswith(p[:-1]) or "/" not in p and "/" not in name and matches(name, [p]):
                return key
    return None


def faults():
    for file in sorted(SRC.rglob("*.[ch]")):
        rel = file.relative_to(SRC)
        mine = layer(rel)
        if not mine:
            yield f"{rel}: belongs to no layer"
            continue
        for line in file.read_text().splitlines():
            found = re.match(r'#include ([<"])([^>"]+)[>"]', line)
            if not found:
                continue
            name = found.group(2)
            if found.group(1) == "<":
                for pattern, owner in OUTSIDE.items():
                    if re.match(pattern, name) and not str(rel).startswith(owner):
                        yield f"{rel}: includes <{name}>"
                continue
            if name in KERNELS:
                if not str(rel).startswith("backends/fpga"):
                    yield f"{rel}: includes {name}"
                continue
            theirs = layer(pathlib.Path(name))
            if theirs != mine and theirs not in MAY[mine] and (str(rel), name) not in EXCEPTIONS:
                yield f"{rel} ({mine}): includes {name} ({theirs})"
            if mine == "backends" and theirs == "pure" and not (
                    matches(name[:-2], BACKENDS_SEE) or name.startswith("model/")):
                yield f"{rel}: a backend includes {name}"


bad = list(faults())
print("\n".join(bad) if bad else "ok")
sys.exit(1 if bad else 0)

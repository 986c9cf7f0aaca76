#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom, by folder: fails for an include that points upwards, or at a backend's or a command's inside."""
import pathlib
import re
import sys

SRC = pathlib.Path(sys.argv[1]) / "src"

# A room, and the rooms below it that its files may include. Each may include itself.
ROOMS = {
    "base": "",
    "options": "base",
    "model": "base",
    "net": "base",
    "transport": "base options model net",
    "job": "base options net transport",
    "backends": "base options model net transport job",
    "host": "base options job",
    "result": "base options",
    "measure": "base options model transport job host result",
    "analyse": "base model result",
    "show": "base model result analyse",
    "cli": "base options model transport job host result measure",
    "cmd": "base options model transport job host result measure cli analyse show",
    "main.c": "base options transport job measure cli",
}
# Rooms of rooms: a file here includes of its own room only its own directory, or what lies flat in the room.
PRIVATE = ["backends", "cmd"]
# Headers of outside libraries, and the backend that alone may include them.
OUTSIDE = {r"mpi\.h": "mpi", r"infiniband/": "verbs", r"rdma/": "ofi", r"xrt/|experimental/xrt|xrt\.h|xclbin\.h": "fpga", r"CL/": "fpga"}
# Headers that the build makes, and those of kernels/, for the backend that runs them.
GENERATED = {"config.h": None, "commit.h": None, "backends.h": "transport", "commands.h": "cli", "page_files.h": "show", "schema_lines.h": "cmd",
             "shells.h": "cmd"}
KERNELS = {"aurora.h": "fpga", "kernels.h": "fpga", "emulate.h": "fpga", "rtl/registers.h": "fpga"}


def owner(path):
    """backends/verbs/arm.c and backends/verbs.c belong to verbs."""
    return pathlib.PurePath(path.parts[1]).stem


def fault(file, quoted, name):
    room = file.parts[0]
    if not quoted:
        wanted = [who for pattern, who in OUTSIDE.items() if re.match(pattern, name)]
        return wanted and not (room == "backends" and owner(file) in wanted)
    if name in GENERATED:
        return GENERATED[name] not in (None, room)
    if name in KERNELS:
        return not (room == "backends" and owner(file) == KERNELS[name])
    path = pathlib.PurePath(name)
    if path.parts[0] != room:
        return path.parts[0] not in ROOMS[room].split()
    return room in PRIVATE and len(path.parts) > 2 and path.parts[1] != owner(file)


def faults():
    for file in sorted([*SRC.rglob("*.[ch]"), *SRC.rglob("*.cpp")]):
        rel = file.relative_to(SRC)
        if rel.parts[0] not in ROOMS:
            yield f"{rel}: is in no room"
            continue
        for quote, name in re.findall(r'^#include ([<"])([^>"]+)[>"]', file.read_text(), re.M):
            if fault(rel, quote == '"', name):
                yield f"{rel}: includes {name}"
        if rel.suffix == ".h" and not rel.with_suffix(".c").name.startswith(".") and is_alone(file):
            yield f"{rel}: declares what no file of its name defines"


def is_alone(header):
    """A header that declares functions (not only inline ones) without a .c, or .cpp, of the same name."""
    text = re.sub(r"/\*.*?\*/|\"(\\.|[^\"])*\"", "", header.read_text(), flags=re.S)
    declares = re.search(r"^(?!static|typedef|#|\s)[\w\s\*]+\([^;{]*\)[^;{]*;", text, re.M)
    return declares and not any(header.with_suffix(end).exists() for end in (".c", ".cpp"))


bad = list(faults())
print("\n".join(bad) if bad else "ok")
sys.exit(1 if bad else 0)

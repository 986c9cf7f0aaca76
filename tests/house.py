#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The house rules that a reader feels: what a header declares, what a name means, how large a folder or a struct is,
who includes whom within a room, and how many functions are shreds. Who may include which room is layers.py's."""
import collections
import pathlib
import re
import sys

SRC = pathlib.Path(sys.argv[1]) / "src"

FILES_IN_A_FOLDER = 15	# sources, and headers
MEMBERS = {"benchmark": 14, "session": 15, "part": 15, "plan": 15, "sink": 15}
ONE_CALLER = 40	# percent of static functions that have one caller
# Defined twice, for builds with and without a library.
EITHER = {"csv_read", "csv_each", "merge_write_sqlite", "store_append", "store_read", "munge_offer", "munge_take", "clock_drift"}

FUNCTION = re.compile(r"(?:^|\n)((?:[\w*]+[\s*]+)+?)(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*"
                      r"((?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)\s*)*)(\{\}|;)")
TAG = re.compile(r"\b((?:struct|enum) \w+)\s*\{")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)


def without_bodies(text):
    """What stands in braces becomes {}; so do the directives of the preprocessor nothing."""
    text, kept, depth = re.sub(r"^#.*(?:\\\n.*)*", "", text, flags=re.M), [], 0
    for c in text:
        depth += c == "{"
        if depth == 0 or (c == "{" and depth == 1):
            kept.append(c)
        if c == "}":
            depth -= 1
            if depth == 0:
                kept.append(c)
    return "".join(kept)


FILES = sorted(SRC.rglob("*.[ch]"))
TEXT = {f: without_comments(f.read_text()) for f in FILES}
FLAT = {f: without_bodies(t) for f, t in TEXT.items()}


def name_of(path):
    return str(path.relative_to(SRC))


def functions(file):
    """Name, whether it is static, whether it is defined here; of each function."""
    for m in FUNCTION.finditer(FLAT[file]):
        before, name, _, end = m.groups()
        if "typedef" not in before and not re.search(r"\b(return|else)\b", before):
            yield name, "static" in before or "INLINE" in before, end == "{}"


DEFINED = collections.defaultdict(list)
for f in FILES:
    for name, static, here in functions(f):
        if here and not static:
            DEFINED[name].append(f)


def headers():
    """A header declares what the source of its name defines."""
    for header in FILES:
        for name, static, here in functions(header):
            where = DEFINED.get(name, [])
            if header.suffix == ".h" and not static and not here and where and header.with_suffix(".c") not in where:
                yield f"{name_of(header)}: declares {name}, which {name_of(where[0])} defines"


def names():
    """A struct, an enum and an exported function have one meaning in the tree."""
    tags = collections.defaultdict(set)
    for file in FILES:
        for tag in TAG.findall(TEXT[file]):
            tags[tag].add(file)
    for what, where in [*tags.items(), *((n, set(f)) for n, f in DEFINED.items() if n not in EITHER)]:
        if len(where) > 1:
            yield f"{what}: is defined in {', '.join(sorted(map(name_of, where)))}"


def folders():
    for folder in sorted({f.parent for f in FILES}):
        for ending in ("c", "h"):
            n = len(list(folder.glob(f"*.{ending}")))
            if n > FILES_IN_A_FOLDER:
                yield f"{name_of(folder)}: {n} files .{ending}, more than {FILES_IN_A_FOLDER}"


def members(body):
    """Members of a struct, several of a type in a line as well."""
    for line in without_bodies(body).split(";"):
        if line.strip():
            yield from [line] if "(*" in line else re.sub(r"\([^()]*\)", "", line).split(",")


def structs():
    for file in FILES:
        for tag, most in MEMBERS.items():
            m = re.search(rf"\nstruct {tag} \{{(.*?)\n\}}", TEXT[file], re.S)
            n = len(list(members(m.group(1)))) if m and file.suffix == ".h" else 0
            if n > most:
                yield f"{name_of(file)}: struct {tag} has {n} members, more than {most}"


def unit(file):
    """x.c and x.h are one; so are a backend and its parts."""
    parts = file.relative_to(SRC).with_suffix("").parts
    return parts[:2] if parts[0] == "backends" else parts


def circles():
    """Units of a room that include each other in a circle."""
    includes = collections.defaultdict(set)
    for file in FILES:
        for path in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M):
            other = SRC / path
            if other in TEXT and unit(other) != unit(file) and unit(other)[0] == unit(file)[0]:
                includes[unit(file)].add(unit(other))
    reach = {}
    for start in list(includes):
        seen, todo = set(), [start]
        while todo:
            for other in includes[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        reach[start] = seen
    told = set()
    for u in sorted(reach):
        circle = sorted(v for v in reach[u] if u in reach.get(v, ()))
        if circle and u not in told:
            told.update(circle)
            yield "include each other: " + ", ".join("/".join(v) for v in circle)


def shreds():
    """Static functions that have one caller."""
    of_one = of_all = 0
    for file in FILES:
        names = {n for n, static, here in functions(file) if static and here} if file.suffix == ".c" else ()
        for name in names:
            uses = len(re.findall(rf"\b{name}\b", TEXT[file])) - 1
            declared = len(re.findall(rf"static[^;{{}}]*\b{name}\s*\([^{{}};]*\);", TEXT[file]))
            calls = len(re.findall(rf"\b{name}\s*\(", TEXT[file])) - 1 - declared
            of_all += 1
            of_one += uses - declared == 1 and calls == 1
    if 100 * of_one >= ONE_CALLER * of_all:
        yield f"{of_one} of {of_all} static functions have one caller: {100 * of_one / of_all:.1f} %, not below {ONE_CALLER}"


def chains():
    for file in FILES:
        for line in re.findall(r"\b(err) = err \? err :", TEXT[file]):
            yield f"{name_of(file)}: a chain of '{line} = {line} ? {line} :'"


CHECKS = [headers, names, folders, structs, circles, shreds, chains]
only = sys.argv[2:]
bad = [line for check in CHECKS if not only or check.__name__ in only for line in check()]
print("\n".join(bad) if bad else "ok")
sys.exit(1 if bad else 0)

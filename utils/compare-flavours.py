#!/usr/bin/python3
"""Compiles MIL programs in flavour `clean` and in `zin-9.509`, which follows a recorded
compiler, and counts with the simulator what each needs. Our own choices must never need
more tasks or more DRAM bytes for the same program.

usage: compare-flavours.py RECORDS.jsonl... --work DIR [--bin DIR] [--target h13] [--expect LIST]
                           [--case WORD] [--every N] [--verbose]

A line of RECORDS has `case`, `target`, the text as `mil`, and what the compiler made of it
as `program` (null when it refused). Where zin-9.509 does not compile a program yet, the
recorded number of tasks is what `clean` is held against. LIST names the programs where
`clean` needs more, with the reason: lines of

    more CASE: reason

Prints a line for each program where it needs more, and a figure at the end. The exit code
is 1 when one of them is not in the list, or when one is in it needlessly.
"""
import argparse
import importlib.util
import json
import os
import re
import shutil
import sys
import zlib

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("programs", os.path.join(HERE, "check-mil-programs.py"))
programs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(programs)


def read_records(paths, options):
    records = []
    for path in paths:
        with open(path) as file:
            lines = [json.loads(line) for line in file if line.strip()]
        records += [r for r in lines if r["target"] == options.target and options.case in r["case"]]
    return records[::options.every]


def count(folder, flavour, options):
    """(tasks, DRAM bytes) of the program in a folder, None when it does not compile."""
    hwx, stats = os.path.join(folder, flavour + ".hwx"), os.path.join(folder, flavour + ".json")
    tool = lambda name: os.path.join(options.bin, name)
    try:
        programs.run("ane-compile", [tool("ane-compile"), os.path.join(folder, "x.mil"), f"--mil-root={folder}",
                                     f"--target={options.target}", f"--hwx-flavour={flavour}", "-o", hwx])
    except programs.Failure:
        return None
    programs.run("ane-run", [tool("ane-run"), hwx, "--device=sim", f"--stats={stats}"])
    with open(stats) as file:
        found = json.load(file)
    moved = found["dram_bytes"]
    return found["tasks"], moved if isinstance(moved, int) else moved["total"] if "total" in moved else sum(moved.values())


def compare(record, folder, functions, options):
    """What `clean` needs more of, in words; "" when nothing, None when it does not compile."""
    blobs = [b for f in functions for b in f["blobs"]]
    programs.write_weights(folder, blobs, np.random.default_rng(zlib.crc32(record["case"].encode())))
    try:
        ours = count(folder, "clean", options)
    except programs.Failure as failure:
        return f"a repair, for the simulator says: {programs.error_text(str(failure))}"
    if ours is None:
        return None
    try:
        theirs = count(folder, "zin-9.509", options)
    except programs.Failure:
        theirs = None  # that flavour's own tests say so
    recorded = (record.get("program") or {}).get("task_count")
    more = []
    if theirs and ours[1] > theirs[1]:
        more.append(f"{ours[1]} bytes of DRAM instead of {theirs[1]}")
    tasks = min([n for n in (theirs and theirs[0], recorded) if n], default=None)
    if tasks and ours[0] > tasks:
        more.append(f"{ours[0]} tasks instead of {tasks}" + ("" if theirs else ", as recorded"))
    if options.verbose:
        print(f"  {record['case']}: clean {ours}, zin-9.509 {theirs}, recorded {recorded} tasks", flush=True)
    return ", ".join(more)


def read_list(path):
    expected = {}
    for number, line in enumerate(open(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.match(r"more (\S+): (.+)", line)
        if not match:
            sys.exit(f"{path}:{number}: expected 'more CASE: reason'")
        expected[match.group(1)] = match.group(2)
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--work", required=True)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--target", default="h13")
    parser.add_argument("--expect")
    parser.add_argument("--case", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    records = read_records(options.records, options)
    if not records:
        sys.exit("compare-flavours.py: error: no record is selected")
    expected = read_list(options.expect) if options.expect else {}
    places = programs.prepare([(r["case"], r["mil"]) for r in records], options)
    bad = compared = 0
    for record, (name, folder, functions) in zip(records, places):
        more = compare(record, folder, functions, options) if functions else None
        shutil.rmtree(folder, ignore_errors=True)
        compared += more is not None
        if more and name not in expected:
            bad += 1
            print(f"{name}: clean needs {more}")
        elif more:
            print(f"{name}: clean needs {more} (known: {expected[name]})")
        elif name in expected:
            bad += 1
            print(f"{name}: is in the list, but clean {'needs no more' if more == '' else 'refuses it'}: take it out")
    if not options.case and options.every == 1:
        for name in sorted(set(expected) - {r["case"] for r in records}):
            bad += 1
            print(f"{name}: is in the list, but no record is called so: take it out")
    print(f"{compared} of {len(records)} programs compared, {bad} not as expected")
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    sys.exit(main())

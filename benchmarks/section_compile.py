"""how long the compiler takes from ane ops to a program: compile NETWORK MS PEAK_MB, growth KIND EXPONENT

MS is the least of several runs and without writing the file, which is packing of weights;
what that takes and how large the program is stands on standard error. EXPONENT is the
slope of log time over log ops between a small and a large network of a kind (networks.py says
which there are), with what an empty program takes subtracted.
"""
import json
import math
import os
import tempfile

import networks

REPETITIONS = 3
SMALL_REPETITIONS = 12  # of what takes milliseconds, as starting it does
GROWTH = {"chain": (64, 4096), "branches": (16, 256), "sums": (256, 2048), "shared": (512, 4096), "layouts": (512, 4096)}


def report(context, folder, name, repetitions=REPETITIONS):
    """The report with the least time of compilation; its number of ops beside it."""
    net, result = networks.build(name)
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        net.write(file, result)
    reports = []
    try:
        for _ in range(repetitions):
            context.compile(path + ".mlir", "-o", path + ".hwx", "--report", path + ".json")
            with open(path + ".json", encoding="utf-8") as file:
                reports.append(json.load(file))
    finally:
        if os.path.exists(path + ".hwx"):
            os.remove(path + ".hwx")
    return min(reports, key=lambda one: one["milliseconds"]["compile"]), net.count


def run(context):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in context.some(networks.NETWORKS):
            try:
                one, _ = report(context, folder, name)
            except context.Failure as failure:
                context.note(f"  {name}: {failure}")
                failed.append(name)
                continue
            times = one["milliseconds"]
            context.figure("compile", name, f"{times['compile']:.1f}", f"{one['peak_memory_bytes'] / 1e6:.0f}")
            context.note(f"  {name}: {one['program']['tasks']} tasks, {one['output_bytes'] / 1e6:.1f} MB, "
                         f"written in {times['write']:.1f} ms")
        least = report(context, folder, "chain-1", SMALL_REPETITIONS)[0]["milliseconds"]["compile"]
        for kind in context.some(GROWTH):
            (few, ops), (many, more) = (report(context, folder, f"{kind}-{size}", repetitions)
                                        for size, repetitions in zip(GROWTH[kind], (SMALL_REPETITIONS, REPETITIONS)))
            few, many = (max(r["milliseconds"]["compile"] - least, 0.1) for r in (few, many))
            context.figure("growth", kind, f"{math.log(many / few) / math.log(more / ops):.2f}")
            context.note(f"  {kind}: {few:.1f} ms for {ops} ops, {many:.1f} ms for {more}")
    if failed:
        raise context.Failure(f"{len(failed)} of {len(networks.NETWORKS)} networks do not compile: {', '.join(failed)}")

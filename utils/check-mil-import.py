#!/usr/bin/python3
"""A MIL program, twice: directly by mil-eval, and imported into the ane dialect and computed
by the definitions of its ops. Exit 0 when all results agree. No target is involved, so this
holds for operations that no generation of the engine does.

usage: check-mil-import.py PROGRAM.mil [--bin DIR] [--low L] [--high H] [--step S] [--max-err E]

Inputs are f16 values between L and H, multiples of S if that is given.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def run(what, command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode:
        sys.exit(f"{what} failed: {' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def names(text, what):
    """The names of the arguments or results of the one function."""
    header = re.search(r"func \w+<\w+>\((.*)\)\s*\{" if what == "inputs" else r"\}\s*->\s*\(([^)]*)\)", text).group(1)
    if what == "results":
        return [name.strip() for name in header.split(",")]
    return re.findall(r">\s+(\w+)", header)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--low", type=float, default=-2.0)
    parser.add_argument("--high", type=float, default=2.0)
    parser.add_argument("--step", type=float, default=0.0)
    parser.add_argument("--max-err", type=float, default=0.002, help="of the largest magnitude of a result, at least of 1")
    options = parser.parse_args()
    with open(options.program) as file:
        text = file.read()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        dialect = run("the reader", [f"{options.bin}/ane-translate", "--from-mil", options.program])
        reference = (f"builtin.module(convert-mil-to-ane,func.func(ane-write-reference{{folder={folder} "
                     f"low={options.low} high={options.high} step={options.step}}}))")
        run("the import", [f"{options.bin}/ane-opt", f"--pass-pipeline={reference}", "-o", os.devnull], input=dialect)
        evaluate = [f"{options.bin}/mil-eval", options.program]
        for index, name in enumerate(names(text, "inputs")):
            evaluate += ["--input", f"{name}={folder}/in{index}.npy"]
        results = names(text, "results")
        for name in results:
            evaluate += ["--output", f"{name}={folder}/{name}.npy"]
        run("mil-eval", evaluate)
        for index, name in enumerate(results):
            # The definitions are in f32; mil-eval rounds to the type of the result.
            ours = np.load(f"{folder}/want{index}.npy").astype(np.float64)
            theirs = np.load(f"{folder}/{name}.npy").astype(np.float64)
            if ours.shape != theirs.shape:
                print(f"{name}: shape {ours.shape}, but mil-eval has {theirs.shape}")
                bad += 1
                continue
            limit = options.max_err * max(1.0, float(np.max(np.abs(theirs), initial=0.0)))
            same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
            error = float(np.max(np.where(same, 0.0, np.abs(ours - theirs)), initial=0.0))
            if not error <= limit:
                print(f"{name}: largest error {error:.6g}, allowed {limit:.6g}")
                bad += 1
    print(f"{len(results) - bad} of {len(results)} results agree")
    return 1 if bad or not results else 0


sys.exit(main())

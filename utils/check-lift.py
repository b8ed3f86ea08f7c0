#!/usr/bin/python3
"""Programs, lifted to ops and compiled again, compute the same.

usage: check-lift.py [--bin DIR] [--target GENERATION] [--verbose] FILE_OR_FOLDER...

Each .hwx or .anec goes through `ane-opt --ane-lift` and `ane-compile`; both programs run in the simulator on
the same random inputs. Results agree when they differ by no more than what a table, which may be another one,
and roundings of steps explain: 2^-6 of the largest magnitude. The last line is
'N programs, M lifted, K bit for bit, F failed'; failures are printed with their reason before it.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TOLERANCE = 2.0**-6


class Failure(Exception):
    pass


def run(command, **options):
    """Standard output of a command that must succeed."""
    result = subprocess.run(command, capture_output=True, **options)
    if result.returncode:
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["exit code %d" % result.returncode]
        raise Failure(f"{os.path.basename(command[0])}: {next((l for l in lines if 'error' in l), lines[0])}")
    return result.stdout


def results_of(tools, program, inputs, names, folder, stem):
    """The outputs of a program, by name."""
    command = [tools + "/ane-run", program]
    for name, path in inputs.items():
        command += ["--input", f"{name}={path}"]
    files = {name: os.path.join(folder, f"{stem}-{i}.npy") for i, name in enumerate(names)}
    for name, path in files.items():
        command += ["--output", f"{name}={path}"]
    run(command)
    return {name: np.load(path).astype(np.float64) for name, path in files.items()}


def lift(tools, path, target, folder):
    """Whether the results are the same bit for bit; raises a Failure where they differ."""
    kind = "--from-anec" if path.endswith(".anec") else "--from-hwx"
    text = run([tools + "/ane-translate", kind, path])
    lifted, again = os.path.join(folder, "lifted.mlir"), os.path.join(folder, "again.hwx")
    run([tools + "/ane-opt", "--ane-lift" + (f"=target={target}" if target else ""), "-o", lifted], input=text)
    run([tools + "/ane-compile", lifted, "-o", again])
    tensors = json.loads(run([tools + "/ane-translate", "--dump-hwx=json", path]))["tensors"]
    random, inputs = np.random.default_rng(7), {}
    for i, tensor in enumerate(t for t in tensors if t["kind"] == "input"):
        # A program that divides may be infinite beside 0 where the new one is not.
        values = random.standard_normal(tensor["shape"])
        values += np.copysign(2.0**-8, values)
        if tensor["type"] != "float16":
            values = np.round(values * 20 if tensor["type"] == "int8" else np.abs(values) * 40)
        inputs[tensor["name"]] = os.path.join(folder, f"in-{i}.npy")
        np.save(inputs[tensor["name"]], values.astype(tensor["type"]))
    names = [t["name"] for t in tensors if t["kind"] == "output"]
    expected = results_of(tools, path, inputs, names, folder, "before")
    actual = results_of(tools, again, inputs, names, folder, "after")
    same = True
    for name in names:
        a, b = actual[name].ravel(), expected[name].ravel()
        if a.shape != b.shape:
            raise Failure(f"output '{name}' has {a.size} elements, expected {b.size}")
        special = ~np.isfinite(b)
        if not np.array_equal(np.nan_to_num(a[special], nan=1e9), np.nan_to_num(b[special], nan=1e9)):
            raise Failure(f"output '{name}' has other infinities or NaN")
        a, b = a[~special], b[~special]
        same &= bool(np.array_equal(a, b))
        scale = np.abs(b).max() if b.size else 0
        error = np.abs(a - b).max() if b.size else 0
        if not error <= TOLERANCE * scale:
            raise Failure(f"output '{name}' differs by {error:.3g} of values up to {scale:.3g}")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=ROOT + "/build/bin", help="folder of the tools")
    parser.add_argument("--target", help="generation to compile for (default: that of the program)")
    parser.add_argument("--verbose", action="store_true", help="a line for each program")
    parser.add_argument("paths", nargs="+", metavar="FILE_OR_FOLDER")
    arguments = parser.parse_args()
    files = []
    for path in arguments.paths:
        if not os.path.isdir(path):
            files.append(path)
        for folder, _, found in os.walk(path):
            files += [os.path.join(folder, name) for name in found if name.endswith((".hwx", ".anec"))]
    if not files:
        sys.exit("check-lift.py: there are no programs in " + " ".join(arguments.paths))
    same = failed = 0
    for path in sorted(files):
        with tempfile.TemporaryDirectory() as folder:
            try:
                is_same = lift(arguments.bin, path, arguments.target, folder)
                same += is_same
                said = "the same bits" if is_same else "the same within rounding"
            except Failure as failure:
                failed += 1
                said = f"failed: {failure}"
        if arguments.verbose or said.startswith("failed"):
            print(f"{os.path.basename(path)}: {said}", flush=True)
    print(f"{len(files)} programs, {len(files) - failed} lifted, {same} bit for bit, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

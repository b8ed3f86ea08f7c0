#!/usr/bin/python3
"""Run the node tests of ONNX: each model, with its inputs, against its outputs.

  check-onnx-nodes.py FOLDER [--bin DIR] [--only REGEX] [--jobs N] [--verbose] [--list FILE]

FOLDER has a folder for each test, with model.onnx and test_data_set_0/{input,output}_N.pb, as the
package libonnx-testdata installs them (/usr/share/libonnx-testdata/data/node). Each model is
compiled (with --host for what the engine has no form for), run in the simulator, and compared
to 1 in 100 of the largest number of its output, or exactly where that is of integers. Models
whose outputs are no tensors of numbers, and those of double precision beyond f32, are left out.
--list writes a line for each test: right, wrong or refused, and why. Needs numpy and onnx.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

# Whose first input is a size.
SHAPES = ("ConstantOfShape", "Range", "HannWindow", "HammingWindow", "BlackmanWindow")
# Whose scales and zero points are inputs.
STEPS = ("QuantizeLinear", "DequantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger",
         "Resize", "OneHot", "NonMaxSuppression")
HERE = os.path.dirname(os.path.abspath(__file__))


def load(path, message):
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    return message


def tensors(folder, name, values):
    """The arrays of inputs or outputs; None for what is no tensor."""
    result = []
    for number, value in enumerate(values):
        path = os.path.join(folder, "test_data_set_0", f"{name}_{number}.pb")
        kind = value.type.tensor_type.elem_type if value.type.HasField("tensor_type") else 0
        if kind in (0, onnx.TensorProto.BFLOAT16) or not os.path.exists(path):
            return None
        tensor = load(path, onnx.TensorProto())
        if tensor.data_type == onnx.TensorProto.BFLOAT16:
            return None
        array = numpy_helper.to_array(tensor)
        if array.dtype.kind not in "fiub":
            return None
        result.append(array)
    return result


def run(command, timeout=120):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "timed out"


def compare(got, want):
    if got.size != want.size:
        return f"{got.size} elements for {want.size}"
    got = got.reshape(want.shape).astype(np.float64)
    if want.dtype.kind in "iub":
        wrong = got != want
        return "" if not wrong.any() else f"{wrong.sum()} of {want.size} integers differ"
    want = want.astype(np.float64)
    finite = np.isfinite(want) & (np.abs(want) < 65000)
    largest = np.abs(want[finite]).max() if finite.any() else 0
    with np.errstate(all="ignore"):
        wrong = ~(np.abs(got - want) <= 1e-2 * largest + 1e-6) & finite
        wrong |= np.isnan(want) & ~np.isnan(got)
    if not wrong.any():
        return ""
    at = np.unravel_index(np.argmax(wrong), wrong.shape)
    return f"{wrong.sum()} of {want.size} differ, at {at} {got[at]:.5g} for {want[at]:.5g}"


def check(folder, options):
    """right, wrong, refused or left out, and why."""
    path = os.path.join(folder, "model.onnx")
    model = load(path, onnx.ModelProto())
    names = {weight.name for weight in model.graph.initializer}
    inputs = tensors(folder, "input", [v for v in model.graph.input if v.name not in names])
    outputs = tensors(folder, "output", model.graph.output)
    if inputs is None or not outputs:
        return "left out", "no tensors of numbers"
    with tempfile.TemporaryDirectory() as work:
        program, host = os.path.join(work, "x.hwx"), os.path.join(work, "x-host.mlir")
        command = [os.path.join(options.bin, "ane-compile"), path, "--target=h13", "-o", program, f"--host={host}"]
        given = []
        for number, array in enumerate(inputs):
            is_size = array.dtype.kind == "i" and array.ndim <= 1 and (number or model.graph.node[0].op_type in SHAPES)
            kind = model.graph.node[0].op_type
            is_step = number and (kind in ("LSTM", "GRU", "RNN") or array.ndim <= 1 and kind in STEPS)
            is_number = array.dtype.kind == "f" and array.ndim == 0 and (number or model.graph.node[0].op_type in SHAPES)
            if is_size or is_step or is_number or array.dtype.kind == "b" and (
                    model.graph.node[0].op_type == "Compress"):
                name = os.path.join(work, f"{number}.npy")
                np.save(name, array.astype(np.uint8) if array.dtype.kind == "b" else
                        array.astype(np.float32) if array.dtype.kind == "f" else array)
                command.append(f"--bind={number}=@{name}")
                continue
            kind = array.dtype.kind
            given.append(array if array.dtype == np.float16 else
                         array.astype({"f": np.float32, "b": np.uint8}.get(kind, np.int32)))
            if array.ndim and array.size:
                command.append(f"--shape={number}=" + "x".join(map(str, array.shape)))
        code, text = run(command)
        if code < 0:
            return "wrong", f"crash {code}: {text[-300:]}"
        if code:
            lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or ["?"]
            return "refused", lines[0]
        # Imported here: the library lies beside the tools.
        import ane
        try:
            compiled = ane.load_host(host)
            got = compiled.run(given)
        except Exception as error:  # noqa: whatever it says is the result
            return "wrong", f"run: {str(error)[:200]}"
        for value, want in zip(model.graph.output, outputs):
            name = re.sub(r"\W", "_", value.name)
            name = "_" + name if not name or name[0].isdigit() else name
            if name not in got:
                return "wrong", f"no output '{name}' in {sorted(got)}"
            result = np.asarray(got[name])
            if model.graph.node[0].op_type == "NonMaxSuppression":
                result = result[result[:, 0] >= 0]  # rows of no box
            problem = compare(result, want)
            if problem:
                return "wrong", problem
    return "right", ""


def guarded(folder, options):
    try:
        return check(folder, options)
    except Exception as error:  # noqa: a test that cannot be read is one too
        return "left out", f"{type(error).__name__}: {error}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--list")
    options = parser.parse_args()
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))
    os.environ.setdefault("ANE_LIBRARY_DIR", os.path.join(os.path.dirname(options.bin), "lib"))
    os.environ.setdefault("LLVM_BIN", "/usr/lib/llvm-22/bin")
    tests = [name for name in sorted(os.listdir(options.folder)) if re.search(options.only, name)]
    counts = collections.Counter()
    lines = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(guarded, os.path.join(options.folder, name), options) for name in tests]
        for name, job in zip(tests, jobs):
            kind, why = job.result()
            counts[kind] += 1
            lines.append(f"{kind}\t{name}\t{why}")
            if options.verbose or kind == "wrong":
                print(lines[-1], flush=True)
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{len(tests)} tests: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

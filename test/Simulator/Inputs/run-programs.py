"""Runs real register programs and compares them with the functions they are named after.

run-programs.py FOLDER MODE     FOLDER holds hwx/ and programs/; last line: N of M right
"""
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

folder, mode = sys.argv[1:3]
rng = np.random.default_rng(1)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# Files that no list describes: inputs with shapes, output, function, tolerance.
cases = {
    "hwx/relu.hwx": ({"image": (1, 1, 1, 77)}, "probs@output", "np.maximum(image, 0)", 0, True),
    "hwx/sigmoid.hwx": ({"image": (1, 1, 1, 77)}, "probs@output", "1 / (1 + np.exp(-image))", 5e-3, False),
    "hwx/sum.hwx": ({"image": (1, 64, 1, 1), "image2": (1, 64, 1, 1)}, "probs@output", "image + image2", 5e-4, False),
    "hwx/concat.hwx": (
        {"input_0": (1, 16384, 1, 1), "input_1": (1, 16, 1, 1)},
        "output@output",
        "np.concatenate([input_0, input_1], 1)",
        0,
        True,
    ),
}
names = {"np": np, "softmax": softmax, "erf": np.vectorize(math.erf, otypes=[float])}
listed = json.load(open(folder + "/programs/EXPECT.json"))
for name, entry in listed.items():
    if "expression" in entry:
        shape = tuple(entry["shape"])
        cases["programs/" + name] = (
            {n: shape for n in entry["inputs"]},
            entry["output"],
            entry["expression"],
            entry["tolerance"],
            False,
        )
good = 0
for name, (inputs, output, expression, tolerance, exact) in sorted(cases.items()):
    entry = listed.get(name.removeprefix("programs/"), {})
    with tempfile.TemporaryDirectory() as temporary:
        command = ["ane-run", folder + "/" + name, "--mode=" + mode]
        feeds = {}
        for n, shape in inputs.items():
            # Within a range where the probabilities of a softmax stay above what a half
            # can hold, so that their logarithm is finite.
            data = rng.normal(0, 1, shape)
            if entry.get("data") == "positive":
                data = np.abs(data) + 0.05
            feeds[n] = data.astype(np.float16)
            np.save("%s/%s.npy" % (temporary, n), feeds[n])
            command += ["--input", "%s=%s/%s.npy" % (n, temporary, n)]
        command += ["--output", "%s=%s/y.npy" % (output, temporary)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            print("%s: %s" % (name, run.stderr.strip()))
            continue
        got = np.load(temporary + "/y.npy").astype(np.float64)
    values = {n: v.astype(np.float64) for n, v in feeds.items()}
    values |= {"ab"[i]: values[n] for i, n in enumerate(inputs) if i < 2}
    expected = eval(expression, names | values)
    error = np.abs(got - expected).max() / np.abs(expected).max()
    if got.shape == expected.shape and (error == 0 if exact else error <= tolerance):
        good += 1
    else:
        print("%s: %s, expected %s; error %g, limit %g" % (name, got.shape, expected.shape, error, tolerance))
print("%d of %d right" % (good, len(cases)))
sys.exit(good != len(cases))

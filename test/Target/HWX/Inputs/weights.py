"""weights.py make FOLDER: random weights with zeros. weights.py check FOLDER EXTRACTED: they came out of a program."""
import json
import os
import sys

import numpy as np

SHAPES = {"dense": (20, 8, 3, 3), "bias": (20,), "stride": (6, 20, 3, 3), "groups": (4, 3, 3, 3), "depth": (20, 1, 3, 3)}


def arrays():
    numbers = np.random.default_rng(5)
    for name, shape in SHAPES.items():
        array = numbers.standard_normal(shape).astype(np.float16)
        array[numbers.random(shape) < 0.2] = 0
        yield name, array


def check(made, folder):
    index = json.load(open(os.path.join(folder, "weights.json")))
    assert index["not_understood"] == [], index
    found = {"weights": [], "bias": [], "table": []}
    files = {"weights.json"}
    for entry in index["weights"]:
        for kind, list_of_kind in found.items():
            if kind in entry:
                files.add(entry[kind])
                list_of_kind.append(np.load(os.path.join(folder, entry[kind])))
        print(entry["op"], [task["task"] for task in entry["tasks"]], entry.get("weights"))
    assert set(os.listdir(folder)) == files, (os.listdir(folder), files)
    for name in SHAPES:
        array = np.load(os.path.join(made, name + ".npy"))
        kind = "bias" if name == "bias" else "weights"
        assert any(a.dtype == np.float16 and a.shape == array.shape and np.array_equal(a, array) for a in found[kind]), name
    assert [(a.dtype, a.shape) for a in found["table"]] == [(np.uint8, (128,))]


if sys.argv[1] == "make":
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, array in arrays():
        np.save(os.path.join(sys.argv[2], name + ".npy"), array)
else:
    check(sys.argv[2], sys.argv[3])

#!/usr/bin/python3
"""Every form of rnn, gru and lstm: what is imported and what mil-eval computes, against numpy.

usage: check-mil-recurrent.py [--bin DIR] [--seed N] [--keep DIR]

Directions, output_sequence, biases, reset_after, peepholes and clips in all combinations, and each function in each
place that one has. numpy follows the public definitions (fuzz_mil_recurrent.py). The importer is judged by the
definitions of the ops that it makes, so that no target is involved. Exit 0 when all results agree.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import numpy as np  # noqa: E402

import fuzz_mil_program as text  # noqa: E402
import fuzz_mil_recurrent as layers  # noqa: E402

STEPS, BATCH, INPUTS, HIDDEN = 4, 2, 3, 2
# x, then h and c of a layer with one direction, and of one with two.
SHAPES = [[STEPS, BATCH, INPUTS], [BATCH, HIDDEN], [BATCH, HIDDEN], [BATCH, 2 * HIDDEN], [BATCH, 2 * HIDDEN]]


def forms():
    """Operations with their arguments but for x, states and weights, and which of the optional weights they have."""
    names = itertools.cycle(layers.FUNCTIONS)
    for direction, keeps, bias, name in itertools.product(["forward", "reverse"], [False, True], [False, True], layers.FUNCTIONS):
        yield "rnn", dict(direction=direction, output_sequence=keeps, activation=name), dict(bias=bias)
    # The combinations, each with functions of its own, and then each function in each place.
    places = {"gru": ["recurrent_activation", "activation"], "lstm": ["recurrent_activation", "cell_activation", "activation"]}
    for direction, keeps, bias, extra, after in itertools.product(["forward", "reverse"], [False, True], [False, True], [False, True], [False, True]):
        words = dict(direction=direction, output_sequence=keeps, **({"reset_after": True} if after else {}))
        yield "gru", words, dict(bias=bias and not after, input_bias=extra)
        yield "gru", {**words, "activation": next(names)}, dict(bias=bias and not after, input_bias=extra)
    directions = ["forward", "reverse", "bidirectional"]
    for direction, keeps, bias, peephole, clip in itertools.product(directions, [False, True], [False, True], [False, True], [None, 0.25]):
        words = dict(direction=direction, output_sequence=keeps, **({"clip": clip} if clip else {}))
        yield "lstm", words, dict(bias=bias, peephole=peephole)
        yield "lstm", {**words, "activation": next(names)}, dict(bias=bias, peephole=peephole)
    for operation, arguments in places.items():
        for place, name, keeps in itertools.product(arguments, layers.FUNCTIONS, [False, True]):
            yield operation, dict(direction="reverse" if keeps else "forward", output_sequence=keeps, **{place: name}), dict(bias=True)


def run(command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the program and the arrays")
    options = parser.parse_args()
    g = text.Graph(options.seed)
    inputs = [g.given(np.zeros(shape)) for shape in SHAPES]
    made = []  # operation, arguments, numbers of its states, numbers of its results
    for operation, words, weights in forms():
        both = words["direction"] == "bidirectional"
        words = {**words, **layers.constants(g, operation, INPUTS, HIDDEN, ["", "_back"] if both else [""], **weights)}
        h, c = (3, 4) if both else (1, 2)
        shapes = layers.evaluate(operation, *(inputs[i].data for i in (0, h, c)), layers.data_of(words))
        first = len(g.results)
        g.add(operation, shapes, x=inputs[0], initial_h=inputs[h], initial_c=inputs[c] if operation == "lstm" else None, **words)
        made.append((operation, words, (h, c), range(first, len(g.results))))
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/layers.mil"
        with open(path, "w") as file:
            file.write(g.text(g.results))
        dialect = run([f"{options.bin}/ane-translate", "--from-mil", path])
        run([f"{options.bin}/ane-opt", f"--pass-pipeline=builtin.module(convert-mil-to-ane,func.func(ane-write-reference{{folder={folder}}}))",
             "-o", os.devnull], input=dialect)
        data = [np.load(f"{folder}/in{i}.npy").astype(np.float64) for i in range(len(SHAPES))]
        files = [f"--input={value.name}={folder}/in{i}.npy" for i, value in enumerate(inputs)]
        run([f"{options.bin}/mil-eval", path] + files + [f"--output={value.name}={folder}/{value.name}.npy" for value in g.results])
        bad = 0
        for operation, words, (h, c), results in made:
            want = layers.evaluate(operation, data[0], data[h], data[c], layers.data_of(words))
            told = ", ".join(f"{name}={value}" for name, value in words.items() if not isinstance(value, text.Value))
            for number, array in zip(results, want):
                # The definitions of the ops are in f32, mil-eval rounds to the type of the result.
                for who, file in (("imported", f"want{number}.npy"), ("mil-eval", f"{g.results[number].name}.npy")):
                    got = np.load(f"{folder}/{file}").astype(np.float64)
                    error = np.abs(got - array).max() if got.shape == array.shape else np.inf
                    if not error <= 0.002 * max(1, np.abs(array).max()):
                        print(f"{operation}({told}), result {number - results[0]}, {who}: largest error {error:.3g}")
                        bad += 1
    print(f"{len(made)} layers, {2 * len(g.results) - bad} of {2 * len(g.results)} results agree")
    return 1 if bad else 0


sys.exit(main())

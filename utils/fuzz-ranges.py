#!/usr/bin/python3
"""Compile random formulas whose values go over 12 decades, and look for numbers that are wrong without a word.

  fuzz-ranges.py [--bin DIR] [--seed N] [--count N] [--only SEED] [--mil] [--blind] [--keep DIR] [--verbose]

Formulas of f32 ops (products, squares, sums, roots, quotients, logarithms, guards) of one or two
arrays, in TOSA, for which ane-compile is told the range of each argument. What the program
computes has to be right to 2 in 100 of the largest number of its row, or the compiler has warned
of it. Left out are formulas that f16 could not compute with any range of exponents: those whose
result changes when each value is off by its last bit. --blind tells no ranges; then what the
formula lets out of f16 in the end is not looked at, as nobody could know. Each formula has a
seed of its own, which is printed with it; --only runs one. Needs numpy.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, COLUMNS = 4, 32
WIDE, NARROW = (1, ROWS, COLUMNS), (1, ROWS, 1)


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


class Value:
    def __init__(self, name, data):
        self.name, self.data, self.shape = name, data, data.shape
        self.type = type_of(data.shape)


class Formula:
    """Lines of TOSA, and functions that compute the same."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.lines, self.steps, self.values, self.arguments = [], [], [], []
        for _ in range(self.random.integers(1, 3)):
            scale = 10.0 ** self.random.uniform(-4, 4.5)
            data = np.clip(self.random.normal(0, 1, WIDE), -3, 3) * scale
            if self.random.random() < 0.3:
                data[0, self.random.integers(ROWS)] = 0
            if self.random.random() < 0.3:
                data = np.abs(data)
            data = np.clip(data, -65000, 65000).astype(np.float16).astype(np.float64)
            self.arguments.append(Value(f"%a{len(self.arguments)}", data))
        self.values = list(self.arguments)
        goal = self.random.integers(3, 9)
        for _ in range(60):
            if len(self.steps) >= goal:
                break
            self.grow()

    def add(self, text, operands, function, shape):
        """A step, if f32 has its values."""
        with np.errstate(all="ignore"):
            data = function(*[operand.data for operand in operands])
        data = np.broadcast_to(data, shape).astype(np.float64)
        finite = np.isfinite(data).all()
        if not finite or np.abs(data).max() > 1e25 or (np.abs(data).max() < 1e-25):
            return
        value = Value(f"%v{len(self.steps)}", data.copy())
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(operand.type for operand in operands)
        self.lines.append("  " + text.format(result=value.name, names=names, types=types, type=value.type))
        self.steps.append((value, operands, function))
        self.values.append(value)

    def constant(self, number):
        name = f"%c{len(self.lines)}"
        bits = np.float32(number).view(np.uint32)
        self.lines.append(f'  {name} = "tosa.const"() <{{values = dense<0x{bits:08X}> : tensor<1x1x1xf32>}}> : '
                          "() -> tensor<1x1x1xf32>")
        value = Value(name, np.full((1, 1, 1), np.float32(number), np.float64))
        return value

    def binary(self, op, a, b, function):
        shape = np.broadcast_shapes(a.shape, b.shape)
        if op == "mul":
            self.add("{result} = tosa.mul {names}, %shift : ({types}, tensor<1xi8>) -> {type}", [a, b], function, shape)
        else:
            self.add(f"{{result}} = tosa.{op} {{names}} : ({{types}}) -> {{type}}", [a, b], function, shape)

    def unary(self, op, a, function):
        self.add(f"{{result}} = tosa.{op} {{names}} : ({{types}}) -> {{type}}", [a], function, a.shape)

    def grow(self):
        pick = self.random.choice
        a = self.values[-1] if self.random.random() < 0.7 else self.values[self.random.integers(len(self.values))]
        b = self.values[self.random.integers(len(self.values))]
        positive = a.data.min() > 0
        known = ["scale", "square", "abs", "sum", "mul", "add", "sub", "max", "guard", "shift", "div"]
        if a.data.min() >= 0:
            known += ["sqrt", "sqrt", "guard", "guard"]
        if positive:
            known += ["rsqrt", "reciprocal", "log", "reciprocal", "rsqrt", "log"]
        if np.abs(a.data).max() < 40:
            known += ["exp", "tanh", "sigmoid"]
        op = pick(known)
        if op == "scale":
            self.binary("mul", a, self.constant(10.0 ** self.random.uniform(-5, 5)), np.multiply)
        elif op == "square":
            self.binary("mul", a, a, np.multiply)
        elif op == "abs":
            self.unary("abs", a, np.abs)
        elif op == "sum" and a.shape == WIDE:
            reduction = pick(["sum", "max"])
            self.add(f"{{result}} = tosa.reduce_{reduction} {{names}} {{{{axis = 2 : i32}}}} : ({{types}}) -> {{type}}",
                     [a], lambda x: getattr(x, reduction)(-1, keepdims=True), NARROW)
        elif op in ("mul", "add", "sub"):
            self.binary(op, a, b, {"mul": np.multiply, "add": np.add, "sub": np.subtract}[op])
        elif op == "max":
            self.binary("maximum", a, b, np.maximum)
        elif op == "guard":
            guard = 10.0 ** self.random.uniform(-12, -3)
            if self.random.random() < 0.5:
                self.binary("maximum", a, self.constant(guard), np.maximum)
            else:
                self.binary("add", a, self.constant(guard), np.add)
        elif op == "shift":
            self.binary("add", a, self.constant(np.abs(a.data).max() * self.random.uniform(0.2, 2)), np.add)
        elif op == "div" and b.data.min() > 0:
            self.unary("reciprocal", b, lambda x: 1 / x)
            if self.values[-1].name.startswith("%v"):
                self.binary("mul", a, self.values[-1], np.multiply)
        elif op == "sqrt":
            half = self.constant(0.5)
            self.add("{result} = tosa.pow {names} : ({types}) -> {type}", [a, half],
                     lambda x, _: np.sqrt(np.maximum(x, 0)), a.shape)
        elif op in ("rsqrt", "reciprocal", "log"):
            self.unary(op, a, {"rsqrt": lambda x: 1 / np.sqrt(x), "reciprocal": lambda x: 1 / x, "log": np.log}[op])
        elif op in ("exp", "tanh", "sigmoid"):
            self.unary(op, a, {"exp": np.exp, "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}[op])

    def result(self):
        return self.steps[-1][0] if self.steps else None

    def text(self):
        arguments = ", ".join(f"{value.name}: {value.type}" for value in self.arguments)
        result = self.result()
        return (f"func.func @main({arguments}) -> {result.type} {{\n"
                '  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n' +
                "\n".join(self.lines) + f"\n  return {result.name} : {result.type}\n}}\n")

    def is_stable(self):
        """Whether the last bit of each value changes little."""
        want = self.result().data
        scale = np.abs(want).max(-1, keepdims=True)
        for _ in range(4):
            off = {value.name: value.data for value in self.arguments}
            with np.errstate(all="ignore"):
                for value, operands, function in self.steps:
                    data = function(*[off.get(operand.name, operand.data) for operand in operands])
                    data = np.broadcast_to(data, value.shape)
                    off[value.name] = data * (1 + self.random.uniform(-1, 1, value.shape) * 2.0 ** -10)
            got = off[self.result().name]
            if not np.isfinite(got).all() or (np.abs(got - want) > 4e-3 * scale).any():
                return False
        return True


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def check(formula, folder, options):
    """right, told, refused or silent, and what it is about."""
    path = os.path.join(folder, "f.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(formula.text())
    command = [os.path.join(options.bin, "ane-compile"), path, "--target=h13", "-o", os.path.join(folder, "f.hwx")]
    inputs = []
    for number, value in enumerate(formula.arguments):
        if not options.blind:
            command.append(f"--range={number}={float(value.data.min())!r}:{float(value.data.max())!r}")
        name = os.path.join(folder, f"a{number}.npy")
        np.save(name, value.data.astype(np.float32))
        inputs += ["--input", name]
    compiled = run(command)
    if compiled.returncode < 0:
        return "silent", f"crash {compiled.returncode}: {compiled.stderr[-400:]}"
    if compiled.returncode:
        return "refused", compiled.stderr
    output = os.path.join(folder, "y.npy")
    ran = run([os.path.join(options.bin, "ane-run"), os.path.join(folder, "f.hwx"), *inputs, "--output", output])
    if ran.returncode:
        return "silent", f"ane-run: {ran.stderr[-400:]}"
    want = formula.result().data
    got = np.load(output).astype(np.float64).reshape(want.shape)
    largest = np.abs(want).max(-1, keepdims=True)
    if options.blind:  # what leaves f16 as a result
        got = np.where(largest > 65504, want, got)
    with np.errstate(all="ignore"):
        wrong = ~(np.abs(got - want) <= 2e-2 * largest + 2.0 ** -23)
    if not wrong.any():
        return "right", ""
    at = np.unravel_index(np.argmax(wrong), want.shape)
    text = f"{wrong.sum()} of {want.size} wrong, at {at}: got {got[at]:.6g} want {want[at]:.6g}"
    return ("told" if "warning:" in compiled.stderr else "silent"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", type=int)
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts = {"right": 0, "told": 0, "refused": 0, "silent": 0, "left out": 0}
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.count)
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for seed in seeds:
            formula = Formula(seed)
            if not formula.steps or not formula.is_stable():
                counts["left out"] += 1
                continue
            kind, text = check(formula, folder, options)
            counts[kind] += 1
            if kind == "silent" or options.verbose:
                print(f"seed {seed}: {kind}: {text}")
                if options.verbose:
                    print(formula.text())
    print(f"seeds {seeds[0]} to {seeds[-1]}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["silent"] else 0


if __name__ == "__main__":
    sys.exit(main())

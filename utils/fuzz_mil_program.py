"""Text of random MIL programs, for fuzz-mil.py: values, arguments, and the list of operations."""
import importlib.util
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_file_location(
    "fuzz_ops", os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz-ops.py"))
base = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(base)


def mil_type(shape, kind="fp16"):
    return f"tensor<{kind}, [{', '.join(map(str, shape))}]>" if len(shape) else kind


def literal(data, kind):
    """The text of numbers, or of truth values."""
    data = np.asarray(data)
    word = {"fp16": lambda x: float(x).hex(), "bool": lambda x: str(bool(x)).lower()}.get(kind, lambda x: str(int(x)))

    def nested(part):
        return word(part) if part.ndim == 0 else "[" + ", ".join(nested(x) for x in part) + "]"
    return f"{mil_type(data.shape, kind)}({nested(data)})"


class Literal:
    """Numbers of a type that says more than they do."""

    def __init__(self, data, kind):
        self.text = literal(data, kind)

    def __str__(self):
        return self.text


def argument_text(value):
    if isinstance(value, Value):
        return value.name
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(argument_text(x) for x in value) + ")"
    if isinstance(value, str):
        return f'string("{value}")'
    data = np.asarray(value)
    return literal(data, {"b": "bool", "i": "int32", "f": "fp16"}[data.dtype.kind])


class Value:
    """`exact`: what is not smooth may be done to it."""

    def __init__(self, name, data, kind="fp16", exact=False):
        self.name, self.kind, self.exact = name, kind, exact
        self.data = np.asarray(data, np.float32).astype(np.float16).astype(np.float64)
        self.shape, self.type = self.data.shape, mil_type(self.data.shape, kind)


class Graph(base.Graph):
    compressed = None  # makes a constant of bytes

    def argument(self, shape, low=-1, high=1):
        return self.given(np.round(self.random(shape, low, high) * 64) / 64)

    def given(self, data):
        self.arguments.append(Value(f"a{len(self.arguments)}", data, exact=True))
        return self.arguments[-1]

    def constant(self, shape, low=-1, high=1):
        if (low, high) == (-1, 1) and shape and self.compressed and self.rng.random() < 0.25:
            mark = len(self.lines)
            if value := self.compressed(self, shape):
                return value
            del self.lines[mark:]
        value = Value(f"k{len(self.lines)}", np.round(self.random(shape, low, high) * 64) / 64, exact=True)
        self.lines.append(f'  {value.type} {value.name} = const()[name = string("{value.name}"), '
                          f"val = {literal(value.data, 'fp16')}];")
        return value

    def add(self, operation, data, /, kind="fp16", exact=False, **arguments):
        """Arguments that are None are left out. Data may be several results."""
        several = isinstance(data, list)
        values = [Value(f"v{len(self.lines)}x{i}", part, kind, exact) for i, part in enumerate(data if several else [data])]
        text = ", ".join(f"{name} = {argument_text(value)}" for name, value in arguments.items() if value is not None)
        self.lines.append("  " + ", ".join(f"{v.type} {v.name}" for v in values) + f" = {operation}({text});")
        if kind in ("fp16", "bool"):
            self.results += values
        return self.rng.choice(values) if several else values[0]

    def maybe(self, value, default=None):
        """An argument that says what it would be without it may be left out."""
        return None if value == default and self.rng.random() < 0.5 else value

    def axis(self, value, rank):
        return value - rank if self.rng.random() < 0.4 else value

    def used(self):
        return set(re.findall(r"\b[akv]\d+(?:x\d+)?\b", "\n".join(line.split(" = ", 1)[1] for line in self.lines)))

    def text(self, outputs):
        used = self.used() | {value.name for value in outputs}
        self.arguments = [value for value in self.arguments if value.name in used]
        parameters = ", ".join(f"{value.type} {value.name}" for value in self.arguments)
        names = ", ".join(value.name for value in outputs)
        return f"program(1.3)\n[buildInfo = dict<string, string>({{}})]\n{{\nfunc main<ios18>({parameters}) {{\n" + \
            "\n".join(self.lines) + f"\n}} -> ({names});\n}}\n"


OPS = {}


def op(function):
    OPS[function.__name__.rstrip("_")] = function
    return function


def some_axes(g, rank):
    axes = sorted(g.rng.sample(range(rank), g.rng.randrange(1, rank + 1)))
    return axes, [g.axis(axis, rank) for axis in axes]

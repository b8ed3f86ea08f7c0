#!/usr/bin/python3
"""Are answers of ane.Query those of compiling? usage: check-queries.py [--count N | --functions] [--seed N] [--target T] [--rate N]

Random ops of the ane dialect and TOSA, small and far too large, are asked about and compiled: both must say that an op
runs, or both that it does not, with the same reason. Prints how far predicted times and bytes are from those of the
compiled programs, and with --rate how many distinct ops, and how many known ones, are answered in a second.
"""
import argparse
import itertools
import os
import random
import re
import statistics
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.environ.get("ANE_PYTHON", os.path.join(ROOT, "python")))

import ane  # noqa: E402
import numpy as np  # noqa: E402


def tensor(shape, element="f16"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def pick(rng, *sizes):
    return rng.choice(sizes)


def conv(rng, simple=False):
    """A convolution; a simple one has no more than any engine does at once."""
    channels = rng.randint(1, 96) if simple else pick(rng, 1, 3, 16, 33, 64, 512, 3000)
    outputs = rng.randint(1, 96) if simple else pick(rng, 1, 4, 32, 100, 1024)
    height, width = (rng.randint(4, 40) for _ in range(2)) if simple else (pick(rng, 1, 7, 32, 224, 20000),
                                                                           pick(rng, 1, 14, 64, 300, 17000))
    kernel = pick(rng, 1, 1, 3) if simple else pick(rng, 1, 2, 3, 5, 9, 17, 40)
    stride = 1 if simple else pick(rng, 1, 1, 2, 3)
    height, width = max(height, kernel), max(width, kernel)
    result = (1, outputs, (height - kernel) // stride + 1, (width - kernel) // stride + 1)
    act = "" if simple else pick(rng, "", ", activation = #ane.act<relu>", ", activation = #ane.act<sigmoid>",
                                 ", activation = #ane.act<gelu>")
    x, w = tensor((1, channels, height, width)), tensor((outputs, channels, kernel, kernel))
    return [x], tensor(result), (
        f"%w = ane.constant dense<0.01> : {w}\n"
        f"  %r = ane.conv %a0, %w {{strides = array<i64: {stride}, {stride}>{act}}} : {x}, {w} -> {tensor(result)}")


def pair(rng, simple=False):
    kind = pick(rng, "add", "mul", "max", "min", "sub") if simple else pick(rng, "add", "mul", "div", "pow", "max")
    shape = (1, rng.randint(1, 96), rng.randint(1, 40), rng.randint(1, 40)) if simple else (
        pick(rng, 1, 1, 2), pick(rng, 1, 16, 70000), pick(rng, 1, 30, 20000), pick(rng, 1, 50, 17000))
    t = tensor(shape)
    return [t, t], t, f"%r = ane.elementwise {kind} %a0, %a1 : {t}, {t} -> {t}"


def activation(rng, simple=False):
    kind = "relu" if simple else pick(rng, "relu", "sigmoid", "tanh", "abs", "neg", "gelu", "silu", "erf")
    shape = (1, rng.randint(1, 96), rng.randint(1, 40), rng.randint(1, 40)) if simple else (
        pick(rng, 1, 3), pick(rng, 1, 64), pick(rng, 1, 30, 18000), pick(rng, 1, 50, 400))
    t = tensor(shape)
    return [t], t, f"%r = ane.activation %a0 {{function = #ane.act<{kind}>}} : {t} -> {t}"


def reduction(rng):
    shape = [1, pick(rng, 4, 300), pick(rng, 1, 60), pick(rng, 8, 500)]
    axis = pick(rng, 1, 2, 3)
    x = tensor(shape)
    shape[axis] = 1
    return [x], tensor(shape), (f"%r = ane.reduce {pick(rng, 'sum', 'max', 'mean', 'min')} %a0 "
                                f"{{axes = array<i64: {axis}>}} : {x} -> {tensor(shape)}")


def softmax(rng):
    t = tensor((1, pick(rng, 4, 80), pick(rng, 1, 20), pick(rng, 16, 333)))
    return [t], t, f"%r = ane.softmax %a0 {{axis = {pick(rng, 1, 3)} : i64}} : {t} -> {t}"


def softmax_of_any(rng):
    t = tensor((1, rng.randint(2, 80), rng.randint(1, 20), rng.randint(2, 99)))
    return [t], t, f"%r = ane.softmax %a0 {{axis = {pick(rng, 1, 3)} : i64}} : {t} -> {t}"


def tosa_log(rng):
    t = tensor(tuple(rng.randint(1, 40) for _ in range(3)), "f32")
    return [t], t, f"%r = tosa.log %a0 : ({t}) -> {t}"


def tosa_matmul(rng):
    n, h, k, w = pick(rng, 1, 4), pick(rng, 1, 50, 300), pick(rng, 8, 64, 5000), pick(rng, 1, 77)
    a, b, r = (tensor(shape, "f32") for shape in ((n, h, k), (n, k, w), (n, h, w)))
    return [a, b], r, ('%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>\n'
                       f"  %r = tosa.matmul %a0, %a1, %z, %z : ({a}, {b}, tensor<1xf32>, tensor<1xf32>) -> {r}")


def tosa_unary(rng):
    kind = pick(rng, "exp", "log", "floor", "rsqrt", "sin", "tanh", "ceil", "clz")
    element = "i32" if kind == "clz" else "f32"
    t = tensor(tuple(pick(rng, 1, 5, 40) for _ in range(rng.randint(0, 6))), element) if rng.random() < 0.9 else tensor(
        (1, 2, 17000, 3), element)
    return [t], t, f"%r = tosa.{kind} %a0 : ({t}) -> {t}"


def tosa_pair(rng):
    kind = pick(rng, "add", "sub", "maximum", "minimum", "pow")
    t = tensor(tuple(pick(rng, 1, 5, 40) for _ in range(rng.randint(0, 6))), "f32") if rng.random() < 0.8 else tensor(
        pick(rng, (1, 2, 17000, 3), (70000, 2), (1, 64, 224, 224)), "f32")
    return [t, t], t, f"%r = tosa.{kind} %a0, %a1 : ({t}, {t}) -> {t}"


KINDS = [conv, conv, pair, activation, reduction, softmax, tosa_matmul, tosa_unary, tosa_pair]
SIMPLE = [conv, pair, activation]


def ask_anything(rng):
    """A third of the questions are about what the engine does as it is."""
    return rng.choice(SIMPLE)(rng, simple=True) if rng.random() < 1 / 3 else rng.choice(KINDS)(rng)


def function(name, question):
    inputs, result, body = question
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(inputs))
    return f"func.func @{name}({arguments}) -> {result} {{\n  {body}\n  return %r : {result}\n}}\n"


def spread(ratios):
    ratios = sorted(max(r, 1 / r) for r in ratios)
    return f"median {statistics.median(ratios):.3f}, 90 % within {ratios[int(0.9 * (len(ratios) - 1))]:.3f}"


def functions_and_reductions():
    """Each function of one element without parameters, and each reduction, of one small and one wide image."""
    with open(os.path.join(ROOT, "include", "ane", "Dialect", "ANE", "IR", "ANEFunctions.td"), encoding="ascii") as file:
        functions = re.findall(r'ANE_Function<"\w+", \d+, "(\w+)">', file.read())
    for shape in (1, 8, 8, 8), (1, 3, 20, 300):
        x = tensor(shape)
        for kind in functions:
            yield [x], x, f"%r = ane.activation %a0 {{function = #ane.act<{kind}>}} : {x} -> {x}"
        for kind, axes in itertools.product(("sum", "max", "mean", "min"), ((1,), (2,), (3,), (2, 3))):
            result = tensor([1 if i in axes else size for i, size in enumerate(shape)])
            yield [x], result, (f"%r = ane.reduce {kind} %a0 {{axes = array<i64: {', '.join(map(str, axes))}>}} : "
                                f"{x} -> {result}")


def compare(questions, seed, target):
    """Asks and compiles; the number of disagreements."""
    query, bad, runs, direct, other_tasks = ane.Query(target), 0, 0, 0, 0
    seconds, traffic = [], []
    for index, question in enumerate(questions):
        text = function(f"op{index}", question)
        [answer] = query.ask(text)
        try:
            program, said = ane.compile_text(text, target=target), ""
        except ane.CompileError as error:
            program, said = None, error.message
        if answer.runs != (program is not None) or (not answer.runs and answer.reason != said):
            bad += 1
            print(f"seed {seed}, op {index}: the query says {answer}, compiling {said or 'a program'}\n{text}")
        runs += answer.runs
        direct += answer.is_direct
        if program and answer.is_direct:
            program.run([np.zeros(t.shape, t.dtype) for t in program.inputs], mode="count")
            other_tasks += answer.tasks != program.stats.tasks
            seconds.append((answer.seconds - answer.dispatch_seconds) /
                           (program.stats.predicted_ms / 1e3 - answer.dispatch_seconds))
            traffic.append(answer.bytes / program.stats.dram_bytes)
    print(f"{index + 1} ops: {runs} run, {direct} of them as they are; {bad} answers differ from compiling")
    if seconds:
        print(f"of those as they are, time without dispatch against the program's: {spread(seconds)}; "
              f"bytes: {spread(traffic)}; {other_tasks} have another number of tasks")
    return bad


def small_tosa(rng):
    """An op of TOSA that is imported as one that the engine does as it is."""
    t = tensor(tuple(rng.randint(1, 16) for _ in range(rng.randint(1, 3))), "f32")
    kind = pick(rng, "add", "sub", "maximum", "minimum", "exp", "tanh", "rsqrt", "abs")
    inputs = [t] if kind in ("exp", "tanh", "rsqrt", "abs") else [t, t]
    operands = ", ".join(f"%a{i}" for i in range(len(inputs)))
    return inputs, t, f"%r = tosa.{kind} {operands} : ({', '.join(inputs)}) -> {t}"


def distinct(rng, kinds, count):
    questions = {}
    while len(questions) < count:
        question = rng.choice(kinds)(rng)
        questions.setdefault(str(question), question)
    return "".join(function(f"op{i}", question) for i, question in enumerate(questions.values()))


def measure(count, seed, target):
    rng = random.Random(seed + 1)
    simple = [lambda rng, kind=kind: kind(rng, simple=True) for kind in SIMPLE]
    few = min(count // 10, 200)
    compiled = distinct(rng, [softmax_of_any, tosa_log], few)
    query = ane.Query(target)
    query.ask(function("first", conv(rng, simple=True)))
    for what, network in (("distinct ops that run as they are", distinct(rng, simple, count)),
                          ("distinct ops of TOSA that are imported as such", distinct(rng, [small_tosa], count)),
                          ("distinct ops that are compiled", compiled), ("the same once more", compiled)):
        start = time.process_time()
        answers = query.ask(network)
        spent = time.process_time() - start
        print(f"{len(answers) / spent:.0f} answers a second: {what}, "
              f"{sum(a.is_direct for a in answers)} of {len(answers)} as they are")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="h13")
    parser.add_argument("--functions", action="store_true", help="ask about each function and reduction instead")
    parser.add_argument("--rate", type=int, default=0, metavar="N", help="also time N distinct ops")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    questions = functions_and_reductions() if options.functions else (ask_anything(rng) for _ in range(options.count))
    bad = compare(questions, options.seed, options.target)
    if options.rate:
        measure(options.rate, options.seed, options.target)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

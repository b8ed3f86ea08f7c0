#!/usr/bin/python3
"""Change where tasks of small networks have their tensors, and see who finds out.

  fuzz-tasks.py [--bin DIR] [--seed N] [--count N] [--networks chain,strips] [--ways L2,DRAM] [--changes swap,stride] [--keep DIR]

A network is compiled to tasks with addresses: with what stays in L2, with all in DRAM, and by
the choices of Apple's compiler. Then one offset, stride, tile height or residency of it is
changed, a view, or the order of tasks, and three judges look at it: the verifiers of the IR
with ane-verify-memory, the simulator, and the numbers. What they should be comes from the same
tasks whose memory is given out anew.

A change is missed where all verifiers pass it and the simulator refuses it or finds other
numbers, or convert-ane-to-hwx crashes. What is refused though it does no harm is listed at the
end by its message, with the seed of the first; --seed N --count 1 makes it again. Missed
changes are left in --keep. Needs numpy.
"""
import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

WAYS = {"L2": ("clean", "ane-keep-in-l2,"), "DRAM": ("clean", ""), "zin-9.509": ("zin-9.509", "ane-keep-in-l2{flavour=zin-9.509},")}
VERIFY = "func.func(ane-verify-memory)"


def conv(result, source, channels_in, channels, size, extra="", kernel=3):
    pad = kernel // 2
    shape = f"tensor<1x%dx{size}x{size}xf16>"
    weight = f"tensor<{channels}x{channels_in}x{kernel}x{kernel}xf16>"
    return (f"  %w{result} = ane.constant dense<0.0625> : {weight}\n"
            f"  %{result} = ane.conv %{source}, %w{result} {{pad = array<i64: {pad}, {pad}, {pad}, {pad}>, "
            f"activation = #ane.act<relu>{extra}}} : {shape % channels_in}, {weight} -> {shape % channels}\n")


def function(arguments, result, body):
    name, shape = result
    arguments = ", ".join(f"%{name}: tensor<{shape}xf16>" for name, shape in arguments)
    return f"func.func @net({arguments}) -> tensor<{shape}xf16> {{\n{body}  return %{name} : tensor<{shape}xf16>\n}}\n"


def chain():
    """What a later task reads again lies beside what the next one reads."""
    t = "tensor<1x16x12x12xf16>"
    return function([("x", "1x16x12x12")], ("z", "1x16x12x12"), conv("a", "x", 16, 16, 12) + conv("b", "a", 16, 16, 12) +
                    f"  %z = ane.elementwise add %b, %a : {t}, {t} -> {t}\n")


def strips():
    tile = ", ane.tile = #ane.tile<group = 0, dim = 2, size = 4>"
    return function([("x", "1x8x12x12")], ("b", "1x16x12x12"), conv("a", "x", 8, 8, 12, tile) + conv("b", "a", 8, 16, 12, tile))


def branches():
    """Parts of a concat are written where it is."""
    t, u = "tensor<1x8x8x8xf16>", "tensor<1x24x8x8xf16>"
    return function([("x", "1x8x8x8")], ("z", "1x8x8x8"), conv("a", "x", 8, 8, 8) + conv("b", "a", 8, 8, 8, kernel=1) +
                    f"  %c = ane.concat %a, %b, %x {{axis = 1 : i64}} : {t}, {t}, {t} -> {u}\n" + conv("z", "c", 24, 8, 8))


def pools():
    t, h = "tensor<1x8x12x12xf16>", "tensor<1x8x6x6xf16>"
    attributes = "{kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}"
    return function([("x", "1x8x12x12")], ("z", "1x8x6x6"), conv("a", "x", 8, 8, 12) +
                    f"  %p = ane.pool max %a {attributes} : {t} -> {h}\n  %q = ane.pool average %a {attributes} : {t} -> {h}\n"
                    f"  %z = ane.elementwise add %p, %q : {h}, {h} -> {h}\n")


def attention():
    """Coefficients that are a tensor, softmax and norm."""
    t, s = "tensor<1x2x16x16xf16>", "tensor<1x2x16x16xf16>"
    return function([(n, "1x2x16x16") for n in "qkv"], ("y", "1x2x16x16"),
                    f"  %s = ane.matmul %q, %k {{transpose_rhs}} : {t}, {t} -> {s}\n"
                    f"  %p = ane.softmax %s {{axis = 3 : i64}} : {s} -> {s}\n"
                    f"  %y = ane.matmul %p, %v : {s}, {t} -> {t}\n")


def norm():
    t, m = "tensor<1x8x8x16xf16>", "tensor<1x8x8x1xf16>"
    return function([("x", "1x8x8x16")], ("z", "1x8x8x16"),
                    f"  %m = ane.reduce mean %x {{axes = array<i64: 3>}} : {t} -> {m}\n"
                    f"  %d = ane.elementwise sub %x, %m : {t}, {m} -> {t}\n"
                    f"  %z = ane.elementwise mul %d, %x : {t}, {t} -> {t}\n")


def batch():
    """Images one after the other, and a transpose."""
    t, u = "tensor<2x8x4x8xf16>", "tensor<2x4x8x8xf16>"
    return function([("x", "2x8x4x8"), ("y", "2x4x8x8")], ("z", "2x4x8x8"),
                    f"  %a = ane.activation %x {{function = #ane.act<relu>}} : {t} -> {t}\n"
                    f"  %b = ane.transpose %a {{perm = array<i64: 0, 2, 1, 3>}} : {t} -> {u}\n"
                    f"  %z = ane.elementwise add %b, %y : {u}, {u} -> {u}\n")


def wide():
    """Rows that lie in L2 in strips, and a factor for each channel."""
    t, f = "tensor<1x4x6x600xf16>", "tensor<1x4x1x1xf16>"
    return function([("x", "1x4x6x600"), ("f", "1x4x1x1")], ("z", "1x4x6x600"),
                    f"  %a = ane.elementwise mul %x, %f : {t}, {f} -> {t}\n"
                    f"  %b = ane.activation %a {{function = #ane.act<sigmoid>}} : {t} -> {t}\n"
                    f"  %z = ane.elementwise max %b, %x : {t}, {t} -> {t}\n")


def columns():
    """A sum over channels, and reshapes of what stays."""
    t, r, u = "tensor<1x16x4x8xf16>", "tensor<1x1x4x8xf16>", "tensor<1x32x2x8xf16>"
    return function([("x", "1x16x4x8")], ("z", "1x32x2x8"),
                    f"  %a = ane.activation %x {{function = #ane.act<relu>}} : {t} -> {t}\n"
                    f"  %m = ane.reduce max %a {{axes = array<i64: 1>}} : {t} -> {r}\n"
                    f"  %s = ane.elementwise sub %a, %m : {t}, {r} -> {t}\n"
                    f"  %v = ane.reshape %s : {t} -> {u}\n  %w = ane.reshape %x : {t} -> {u}\n"
                    f"  %z = ane.elementwise add %v, %w : {u}, {u} -> {u}\n")


NETWORKS = {f.__name__: f for f in (chain, strips, branches, pools, attention, norm, batch, wide, columns)}


# Tasks as text ---------------------------------------------------------------

LAYOUT = re.compile(r"memref<([0-9x]+)x(f16|u?i8)(?:, strided<\[([-0-9, ]+)\](?:, offset: (-?\d+))?>)?, #ane.space<(\w+)>>")


class Type:
    """A memref, whose layout may be changed."""

    def __init__(self, match):
        self.shape = [int(n) for n in match[1].split("x")]
        self.element, self.space = match[2], match[5]
        self.strides = [int(n) for n in match[3].split(",")] if match[3] else None
        self.offset = int(match[4] or 0)

    def __str__(self):
        offset = f", offset: {self.offset}" if self.offset else ""
        strided = f", strided<[{', '.join(map(str, self.strides))}]{offset}>" if self.strides else ""
        return f"memref<{'x'.join(map(str, self.shape))}x{self.element}{strided}, #ane.space<{self.space}>>"


class Tasks:
    """Lines of a module in generic form. Every type of a line belongs to a value, so that it
    changes wherever the value is."""

    def __init__(self, text):
        self.types, self.lines = {}, []
        self.same, open_tasks = {}, []  # value -> what has its type; tasks whose region goes on
        for line in text.split("\n"):
            names = self.names(line)
            found = list(LAYOUT.finditer(line))
            if '"ane.task"' in line:
                open_tasks.append(names)
            elif line.strip().startswith("})") and open_tasks:
                names = open_tasks.pop()
            elif '"ane.yield"' in line and open_tasks:
                self.same.update(zip(open_tasks[-1], names))
            elif '"ane.keep"' in line:
                self.same[names[1]] = names[0]
            elif '"func.func"' in line:
                names = [f"%arg{i}" for i in range(len(found))]
            else:  # operands come first, then results; tensors have no layout
                kinds = re.findall(r"(memref|tensor)<[^<>]*(?:<[^<>]*>[^<>]*)*>", line[line.rfind("> :" if "<{" in line else " : "):])
                kinds = kinds or re.findall(r"(memref|tensor)<", line.split(" : ", 1)[-1])
                names = [name for name, kind in zip(names, kinds) if kind == "memref"]
            parts, at = [], 0
            for name, match in zip(names, found):
                self.types.setdefault(name, Type(match))
                parts += [line[at:match.start()], name]
                at = match.end()
            self.lines.append((parts, line[at:]))

    @staticmethod
    def names(line):
        if line.strip().startswith("^bb"):
            return re.findall(r"%\w+", line)
        result, _, rest = line.rpartition(" = \"")
        operands = re.search(r"\(((?:%[\w#]+(?:, )?)*)\)", rest)
        results = re.match(r"\s*(%\w+)(?::(\d+))?", result)
        found = re.findall(r"%[\w#]+", operands[1] if operands else "")
        if not results:
            return found
        return found + ([f"{results[1]}#{i}" for i in range(int(results[2]))] if results[2] else [results[1]])

    def of(self, name):
        while name in self.same:
            name = self.same[name]
        return self.types[name]

    def text(self):
        return "\n".join("".join(str(self.of(part)) if part[:1] == "%" and i % 2 else part
                                 for i, part in enumerate(parts)) + rest for parts, rest in self.lines)

    def places(self):
        """Values of which each has its own layout."""
        return [name for name in self.types if name not in self.same and self.types[name].strides]

    def edit(self, rng, pattern, change):
        """Changes one match of `pattern` in what is no type."""
        spots = [(i, k) for i, (parts, rest) in enumerate(self.lines) for k, part in enumerate(parts + [rest])
                 if k % 2 == 0 and re.search(pattern, part)]
        if not spots:
            return None
        i, k = rng.choice(spots)
        parts, rest = self.lines[i]
        parts = list(parts) + [rest]
        old = parts[k]
        parts[k] = re.sub(pattern, change, old, count=1)
        self.lines[i] = (parts[:-1], parts[-1])
        return f"line {i + 1}: {re.search(pattern, old)[0]} became {re.search(pattern, parts[k])[0]}" if old != parts[k] else None

    def views(self):
        """Source -> (view, first elements and steps) for boxes and orders of dimensions."""
        found = []
        for parts, rest in self.lines:
            line = "".join(parts) + rest
            match = re.search(r'(%\w+) = "ane.(subview|permute_view|reshape_view)"\((%\w+)\) <\{(.*?)\}>', line)
            if match:
                found.append((match[3], match[1], match[2], match[4]))
        return found

    def follow(self, root):
        """Views of `root` go where it goes. False where one cannot."""
        for source, view, kind, attributes in self.views():
            if source != root:
                continue
            a, b = self.of(source), self.of(view)
            numbers = {name: [int(n) for n in values.split(",")]
                       for name, values in re.findall(r"(\w+) = array<i64: ([-0-9, ]+)>", attributes)}
            if kind == "subview":
                steps = numbers.get("strides", [1] * len(a.shape))
                b.offset = a.offset + sum(n * s for n, s in zip(numbers["offsets"], a.strides))
                b.strides = [n * s for n, s in zip(steps, a.strides)]
            elif kind == "permute_view":
                b.offset, b.strides = a.offset, [a.strides[i] for i in numbers["perm"]]
            else:
                return False
            if not self.follow(view):
                return False
        return True


# Changes: each takes tasks and a generator, and says what it did, or nothing ----

CHANGES = {}


def change(function):
    CHANGES[function.__name__] = function
    return function


def unit(type_):
    return (32 if type_.space == "dram" else 8) * (2 if type_.element != "f16" else 1)


@change
def offset(tasks, rng):
    """A value comes to lie elsewhere, with its views or without."""
    name = rng.choice([n for n in tasks.places() if tasks.of(n).space == "l2" or rng.random() < 0.2] or tasks.places())
    type_, old = tasks.of(name), str(tasks.of(name))
    others = [tasks.of(n).offset for n in tasks.places() if tasks.of(n).space == type_.space]
    top = (2 << 20) // (2 if type_.element == "f16" else 1) if type_.space == "l2" else type_.offset
    by = unit(type_) * rng.choice([-64, -16, -4, -1, 0, 1, 2, 7, 16, 40, 64])
    type_.offset = rng.choice([rng.choice(others), rng.choice(others), type_.offset, type_.offset, top]) + by
    whole = rng.random() < 0.8 and tasks.follow(name)
    return f"{name}: {old} became {type_}{'' if whole else ', not its views'}" if str(type_) != old else None


@change
def stride(tasks, rng):
    name = rng.choice(tasks.places())
    type_, old = tasks.of(name), str(tasks.of(name))
    dim = rng.randrange(len(type_.strides))
    now = type_.strides[dim]
    by = unit(type_)
    if dim + 1 == len(type_.strides):
        type_.strides[dim] = rng.choice([0, 2, -1])
    else:
        type_.strides[dim] = rng.choice([now // 2, now * 2, now - by, now + by, 0, -now, by, now * 4, rng.choice(type_.strides[:-1])])
    whole = rng.random() < 0.8 and tasks.follow(name)
    return f"{name}: {old} became {type_}{'' if whole else ', not its views'}" if str(type_) != old else None


@change
def exchange(tasks, rng):
    """Two strides change places."""
    name = rng.choice(tasks.places())
    type_, old = tasks.of(name), str(tasks.of(name))
    a, b = rng.sample(range(len(type_.strides) - 1), 2)
    type_.strides[a], type_.strides[b] = type_.strides[b], type_.strides[a]
    tasks.follow(name)
    return f"{name}: {old} became {type_}" if str(type_) != old else None


@change
def bare(tasks, rng):
    """A value has no place at all."""
    name = rng.choice(tasks.places())
    tasks.of(name).strides, tasks.of(name).offset = None, 0
    return f"{name} has no layout"


@change
def height(tasks, rng):
    return tasks.edit(rng, r"tile_height = \d+", f"tile_height = {rng.choice([1, 2, 3, 5, 12, 13, 40, 4000, 70000])}")


@change
def scratch(tasks, rng):
    return tasks.edit(rng, r"(?<!_)offset = \d+", f"offset = {64 * rng.choice([0, 1, 2, 16, 100, 192, 1000])}")


@change
def scratch_bytes(tasks, rng):
    return tasks.edit(rng, r"scratch_bytes = \d+", f"scratch_bytes = {64 * rng.choice([0, 1, 10, 100, 192])}")


@change
def residency(tasks, rng):
    return tasks.edit(rng, r"residency<\w+>", f"residency<{rng.choice(['streamed', 'staged', 'kept'])}>")


@change
def interleave(tasks, rng):
    return tasks.edit(rng, r"(interleave|factor) = \d+", rf"\1 = {rng.choice([1, 2, 3, 4, 8])}")


@change
def swap(tasks, rng):
    """A task runs before the one in front of it, or after one later."""
    starts = [i for i, (parts, rest) in enumerate(tasks.lines) if '"ane.task"' in "".join(parts) + rest]
    if len(starts) < 2:
        return None

    def end(start):
        return next(i for i in range(start, len(tasks.lines)) if ("".join(tasks.lines[i][0]) + tasks.lines[i][1]).startswith("    })")) + 1

    a, b = sorted(rng.sample(starts, 2))
    lines, first = tasks.lines, tasks.lines[a:end(a)]
    tasks.lines = lines[:a] + lines[end(a):end(b)] + first + lines[end(b):]
    return f"the task of line {a + 1} runs behind that of line {b + 1}"


@change
def view(tasks, rng):
    """Another box of a tensor."""
    done = tasks.edit(rng, r"offsets = array<i64: \d+, \d+, \d+",
                      "offsets = array<i64: 0, " + ", ".join(str(rng.choice([0, 1, 2, 4, 8, 16])) for _ in "ab"))
    if done:
        for source, _, _, _ in tasks.views():
            tasks.follow(source)
    return done


@change
def perm(tasks, rng):
    return tasks.edit(rng, r"perm = array<i64: \d+, \d+, \d+", "perm = array<i64: " + ", ".join(map(str, rng.sample(range(3), 3))))


# Judges ----------------------------------------------------------------------


class Runner:
    def __init__(self, folder, binaries):
        self.folder, self.binaries = folder, binaries
        self.compiled = {}

    def run(self, tool, *arguments):
        result = subprocess.run([os.path.join(self.binaries, tool), *arguments], capture_output=True, text=True, cwd=self.folder)
        if result.returncode not in (0, 1) or "PLEASE submit" in result.stderr:
            raise RuntimeError(f"{tool} ended with {result.returncode}: {result.stderr[-400:]}")
        error = re.search(r"^.*\berror: .*$", result.stderr, re.M)
        return None if result.returncode == 0 else error[0] if error else result.stderr[:200] or "failed without a message"

    def passes(self, source, pipeline, target):
        return self.run("ane-opt", source, f"--pass-pipeline=builtin.module({pipeline})", "-o", target,
                        "--mlir-print-op-generic", "--mlir-print-unique-ssa-ids")

    @staticmethod
    def memory(flavour):
        return f"ane-allocate-dram,ane-allocate-l2{{flavour={flavour}}}"

    def tasks(self, network, way):
        """Of a network, with addresses, and their numbers."""
        if (network, way) not in self.compiled:
            self.write("net.mlir", NETWORKS[network]())
            flavour, keeps = WAYS[way]
            passes = f"ane-schedule{{flavour={flavour}}},{keeps}{self.memory(flavour)}"
            problem = self.run("ane-opt", "net.mlir", f"--ane-pipeline=target=h13 flavour={flavour} stop-after=layout", "-o", "laid.mlir") or \
                self.passes("laid.mlir", f"func.func({passes}),{VERIFY}", "tasks.mlir")
            if problem:
                raise RuntimeError(f"{network}: {problem}")
            with open(os.path.join(self.folder, "tasks.mlir"), encoding="utf-8") as file:
                text = file.read()
            self.compiled[network, way] = text, self.simulate("tasks.mlir", flavour)
        return self.compiled[network, way]

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def simulate(self, source, flavour):
        """Numbers, or what is wrong."""
        problem = self.passes(source, f"convert-ane-to-hwx{{flavour={flavour}}}", "program.mlir")
        if problem:
            return "convert-ane-to-hwx: " + problem
        problem = self.run("ane-run", "program.mlir", "--seed=1", "--output=y.npy")
        return f"ane-run: {problem}" if problem else np.load(os.path.join(self.folder, "y.npy"))

    def judge(self, text, flavour):
        """What the verifiers say, and what happens without them."""
        self.write("changed.mlir", text)
        verdict = self.passes("changed.mlir", VERIFY, "verified.mlir")
        broken = verdict and self.passes("changed.mlir", "", "parsed.mlir")
        return verdict, None if broken else self.simulate("changed.mlir", flavour)

    def expected(self, text, flavour):
        """The numbers of these tasks where nothing lies over anything."""
        self.write("changed.mlir", text)
        if self.passes("changed.mlir", f"func.func(ane-assign-layout,{self.memory(flavour)})", "again.mlir"):
            return None
        return self.simulate("again.mlir", flavour)


def attempt(runner, seed, networks, ways, changes):
    """(text, what was done, what is wrong, refusal without need)"""
    rng = random.Random(seed)
    network, way = rng.choice(networks), rng.choice(ways)
    text, numbers = runner.tasks(network, way)
    tasks, done = Tasks(text), None
    assert tasks.text() == text, "the text of tasks is read wrongly"
    while not done:
        done = CHANGES[rng.choice(changes)](tasks, rng)
    done = f"{network}, {way}: {done}"
    changed = tasks.text()
    verdict, outcome = runner.judge(changed, WAYS[way][0])
    if verdict and not re.match(r"changed.mlir:\d+:\d+: error: ", verdict):
        return changed, done, f"refused without a place: {verdict}", None
    if outcome is None:
        return changed, done, None, None
    if isinstance(outcome, str):
        missed = not verdict and outcome.startswith("ane-run")
        return changed, done, outcome if missed else None, None
    if not verdict and not np.array_equal(outcome, numbers, equal_nan=True):
        # Tasks may mean something else now.
        expected = runner.expected(changed, WAYS[way][0])
        if isinstance(expected, np.ndarray) and not np.array_equal(outcome, expected, equal_nan=True):
            return changed, done, "other numbers, which no verifier refuses", None
    if verdict and np.array_equal(outcome, numbers, equal_nan=True):
        return changed, done, None, verdict
    return changed, done, None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--networks", default=",".join(NETWORKS), help="with commas (default: all)")
    parser.add_argument("--ways", default=",".join(WAYS), help="with commas (default: all)")
    parser.add_argument("--changes", default=",".join(CHANGES), help="with commas (default: all)")
    parser.add_argument("--keep", default=".", help="where missed changes go")
    options = parser.parse_args()
    networks, ways, changes = options.networks.split(","), options.ways.split(","), options.changes.split(",")
    for kind, known, given in (("network", NETWORKS, networks), ("way", WAYS, ways), ("change", CHANGES, changes)):
        for name in given:
            if name not in known:
                parser.error(f"there is no {kind} '{name}'; known: {', '.join(known)}")
    for tool in ("ane-opt", "ane-run"):
        if not os.path.exists(os.path.join(options.bin, tool)):
            parser.error(f"{options.bin} has no {tool}; name the folder of the tools with --bin")
    missed, harmless, first = 0, collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, os.path.abspath(options.bin))
        for seed in range(options.seed, options.seed + options.count):
            text, done, problem, refusal = attempt(runner, seed, networks, ways, changes)
            if problem:
                missed += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"missed-{seed}.mlir")
                with open(kept, "w", encoding="utf-8") as file:
                    file.write(text)
                print(f"{kept}: {done}: {problem}")
            elif refusal:
                kind = re.sub(r"\d+|'[^']*'|memref<.*>", "N", refusal.split("error: ", 1)[1])
                harmless[kind] += 1
                first.setdefault(kind, f"seed {seed}, {done}: {refusal}")
    for kind, count in harmless.most_common():
        print(f"refused {count} times without harm: {first[kind]}")
    print(f"{options.count} changes, {sum(harmless.values())} refused without harm, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

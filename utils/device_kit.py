#!/usr/bin/python3
"""Builds the kit for owners of a machine with a Neural Engine.

usage: device_kit.py OUT [--bin build/bin] [--library build/lib/libane-runtime.so] [--only NAME]...

OUT gets the runner, and a folder of programs for each generation and form with kit.json: of each program the
inputs, and the outputs under each value of the fact that it is about, as the simulator computes them. Outputs
that depend on other open facts are left out of the comparison. It is an error where a program does not tell
the values of its fact apart, where one without a fact depends on one, and where the verifier refuses a program.
"""
import argparse
import json
import os
import random
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "device-kit")]
import device_kit_probes
import run as runner

FORMS = {"h13": ("anec", "hwx"), "h14": ("anec", "hwx")}
# Whole sets of values beside those that differ in one, against interplay of two facts.
MIXED, SEED = 6, 37
LARGE_BYTES = 1 << 20  # of results: then as many sets as have each value of each fact once
MOST_IGNORED = 0.5  # of the elements


class BuildError(Exception):
    pass


def pack(values):
    return struct.pack(f"<{len(values)}e", *values)


def write_npy(path, shape, values):
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + pack(values))


def compile_probe(probe, target, tool, folder, name):
    """Writes FOLDER/NAME from the network of the probe."""
    source = os.path.join(folder, probe.name + ".mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(probe.net)
    command = [tool, source, "-o", os.path.join(folder, name)]
    if name.endswith(".mil"):
        command += ["--weights-dir", os.path.join(folder, os.path.dirname(name))]
    else:
        command += [f"--target={target}", f"--hwx-flavour={probe.flavour}"]
    arrays = []
    for argument, (shape, values) in probe.constants.items():
        arrays.append(os.path.join(folder, f"{probe.name}.{argument}.npy"))
        write_npy(arrays[-1], shape, values)
        command += ["--bind", f"{argument}=@{arrays[-1]}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"probe '{probe.name}' does not compile for {target}: {done.stderr.strip()}")
    for path in [source] + arrays:
        os.remove(path)


class Simulated:
    """A program in the simulator, under any assumptions."""

    def __init__(self, library, path, runs):
        self.library, self.path, self.runs = library, path, runs

    def outputs(self, assumptions):
        """Of all runs, as halves; equal NaN are equal."""
        program = runner.Program(self.library, self.path, "sim")
        program.assume(",".join(f"{fact}={value}" for fact, value in assumptions.items()))
        data = b"".join(program.run(inputs) for inputs in self.runs)
        program.close()
        return data


def same_half(a, b):
    return a == b or (a != a and b != b)


def varying(base, other):
    """Indices of elements that differ."""
    return set() if base == other else {index for index, (a, b) in enumerate(zip(runner.halves(base), runner.halves(other))) if not same_half(a, b)}


class Expectation:
    """What a probe gives under each value of its fact, and which elements say nothing."""

    def __init__(self, probe, simulated, facts, defaults):
        self.probe, self.simulated, self.facts, self.defaults = probe, simulated, facts, defaults
        own = list(facts[probe.fact][1]) if probe.fact else [None]
        self.expected = {value or "right": simulated.outputs(self.assume(value, {})) for value in own}
        self.ignored = set()
        for value in own:
            for others in self.variations():
                other = simulated.outputs(self.assume(value, others))
                self.compare(value, others, other)
        self.check()

    def assume(self, value, others):
        assumptions = dict(self.defaults, **others)
        for fact in self.probe.needs:
            assumptions[fact] = next(iter(self.facts[fact][1]))
        if value:
            assumptions[self.probe.fact] = value
        return assumptions

    def variations(self):
        """Sets of values of the other facts."""
        others = {fact: list(values) for fact, (_, values) in self.facts.items()
                  if fact != self.probe.fact and fact not in self.probe.needs}
        if len(next(iter(self.expected.values()))) > LARGE_BYTES:
            for index in range(max(map(len, others.values()))):
                yield {fact: values[index % len(values)] for fact, values in others.items()}
            return
        for fact, values in others.items():
            for value in values:
                yield {fact: value}
        generator = random.Random(SEED)
        for _ in range(MIXED):
            yield {fact: generator.choice(values) for fact, values in others.items()}

    def compare(self, value, others, other):
        base = self.expected[value or "right"]
        if not self.probe.tolerance:
            self.ignored |= varying(base, other)
        elif runner.differing(other, base, set(), self.probe.tolerance):
            raise BuildError(f"probe '{self.probe.name}': the result depends on {others} beyond its tolerance")

    def check(self):
        name, count = self.probe.name, len(next(iter(self.expected.values()))) // 2
        if not self.probe.fact and len(self.ignored) > MOST_IGNORED * count:
            raise BuildError(f"probe '{name}': {len(self.ignored)} of {count} elements depend on open facts; it is no rung of "
                             "the ladder")
        values = list(self.expected)
        for index, first in enumerate(values):
            for second in values[index + 1:]:
                if not runner.differing(self.expected[first], self.expected[second], self.ignored):
                    raise BuildError(f"probe '{name}': its outputs do not tell {self.probe.fact} '{first}' from '{second}'")


def describe(probe, expectation, program, runs, first, tells_needs):
    return {"name": probe.name, "says": probe.says, "program": program, "fact": probe.fact,
            "needs": {fact: first[fact] for fact in probe.needs if tells_needs}, "tolerance": probe.tolerance,
            "measures": probe.measures,
            "inputs": [[runner.to_text(data) for data in inputs] for inputs in runs], "ignored": sorted(expectation.ignored),
            "expected": runner.pack_expected(expectation.expected)}


def check_order(probes):
    """What a probe needs is told by one before it."""
    told = set()
    for probe in probes:
        for fact in probe.needs:
            if fact not in told:
                raise BuildError(f"probe '{probe.name}' needs '{fact}', which no probe before it tells")
        if probe.fact:
            told.add(probe.fact)


def build_folder(arguments, library, facts, target, form):
    probes = [probe for probe in arguments.probes if target in probe.targets and (form != "mil" or probe.mil)]
    if form != "mil":  # whose tasks macOS orders
        check_order(probes)
    folder = os.path.join(arguments.out, form if form == "mil" else f"{target}-{form}")
    os.makedirs(folder)
    first = {fact: next(iter(values)) for fact, (_, values) in facts.items()}
    entries = []
    for probe in probes:
        # .anec files have the order of surfaces of one flavour; the driver's device takes .hwx files, too.
        kind = form if probe.flavour == "clean" else "hwx"
        name = f"{probe.name}/model.mil" if form == "mil" else f"{probe.name}.{kind}"
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        compile_probe(probe, target, arguments.tool, folder, name)
        path = os.path.join(folder, name)
        if form == "mil":  # the simulator runs the register program of the same network
            compile_probe(probe, target, arguments.tool, folder, "model.hwx")
            path = os.path.join(folder, "model.hwx")
        runs = [[pack(values) for values in inputs] for inputs in [probe.inputs] + ([probe.second] if probe.second else [])]
        try:
            program = runner.Program(library, path)
            program.verify()
            program.close()
            expectation = Expectation(probe, Simulated(library, path, runs), facts, {})
        except runner.KitError as error:
            raise BuildError(f"probe '{probe.name}' of {target}: {error}") from None
        if form == "mil":
            os.remove(path)
        entries.append(describe(probe, expectation, name, runs, first, form != "mil"))
    with open(os.path.join(folder, "kit.json"), "w", encoding="utf-8") as file:
        json.dump({"target": target, "form": form, "made_by": library.version(), "probes": entries}, file)
    return len(entries)


def write_readme(arguments, facts):
    """What the kit asks, for its owner."""
    lines = ["The kit of mlir-ane for owners of a machine with a Neural Engine.", "", runner.__doc__.strip(), "", "What it asks:", ""]
    for fact, (question, values) in facts.items():
        asked = [probe.name for probe in arguments.probes if probe.fact == fact]
        if asked:
            meanings = "; ".join(f"{value}: {meaning}" for value, meaning in values.items())
            lines.append(f"- {fact}: {question} ({', '.join(asked)})? {meanings}")
    with open(os.path.join(arguments.out, "README.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def load_probes(path):
    """The probes of this project, or those of a file with `all_probes`."""
    if not path:
        return list(device_kit_probes.all_probes())
    scope = {}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), scope)
    return list(scope["all_probes"]())


def main():
    build = os.path.join(os.path.dirname(HERE), "build")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--bin", default=os.path.join(build, "bin"))
    parser.add_argument("--library", default=os.path.join(build, "lib", "libane-runtime.so"))
    parser.add_argument("--only", action="append", help="build this program alone; may be repeated")
    parser.add_argument("--form", action="append", help="such as h13-anec or mil; may be repeated (default: all)")
    parser.add_argument("--probes", help="another file of probes, for tests")
    arguments = parser.parse_args()
    arguments.tool = os.path.join(arguments.bin, "ane-compile")
    try:
        arguments.probes = [probe for probe in load_probes(arguments.probes)
                            if not arguments.only or probe.name in arguments.only]
        library = runner.Library(arguments.library)
        facts = library.facts()
        if os.path.exists(arguments.out):
            raise BuildError(f"{arguments.out} exists; give a new folder")
        os.makedirs(arguments.out)
        shutil.copy(runner.__file__, arguments.out)
        counts = {}
        for target, forms in list(FORMS.items()) + [("h13", ("mil",))]:
            for form in forms:
                name = form if form == "mil" else f"{target}-{form}"
                if not arguments.form or name in arguments.form:
                    counts[name] = build_folder(arguments, library, facts, target, form)
        write_readme(arguments, facts)
    except (BuildError, runner.KitError) as error:
        print(f"device-kit: error: {error}", file=sys.stderr)
        return 1
    print(", ".join(f"{name}: {count} programs" for name, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

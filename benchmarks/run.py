#!/usr/bin/python3
"""All benchmarks; one figure a line on standard output, notes on standard error.

usage: run.py [--only SECTION] [--target GENERATION] [--bin DIR] [--measurements FILE] [--short] [--verbose]

sections:
{sections}

GENERATION is what programs are compiled for (default: h13): its limits and memories, and in
all predicted times the rates of its chip. Figures have the same names for each. It is no matter
of blobs, nor of cost, which judges each chip that was measured.

DIR has the built tools (default: build/bin, which is built if there is none). Benchmark programs
that it lacks are built in the build folder that it is part of, else in build/. A section that
cannot run says why and makes the exit code 1. --short runs all of the code and little of the
work: few networks, a single repetition. Its times are worth nothing.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)

# name -> module in this folder with a docstring and run(context). A new section is a line
# here and a file section_NAME.py.
SECTIONS = ["bits", "blobs", "compile", "cost", "packing", "parts", "sensitivity", "simulator", "traffic"]


class Failure(Exception):
    """What keeps a section from running, for people."""


class Context:
    """What a section needs from the outside."""

    Failure = Failure

    def __init__(self, arguments):
        self.bin = os.path.abspath(arguments.bin or os.path.join(ROOT, "build", "bin"))
        self.may_build_tools = not arguments.bin
        self.short = arguments.short
        self.measurements = arguments.measurements
        self.verbose = arguments.verbose
        self.target = arguments.target

    def figure(self, *words):
        print(*words, flush=True)

    def note(self, text):
        print(text, file=sys.stderr, flush=True)

    def tool(self, name):
        """A tool of the project, which the user has built."""
        path = os.path.join(self.bin, name)
        if not os.path.exists(path):
            if not self.may_build_tools:
                raise Failure(f"{path} does not exist; build the project, or give its folder as --bin")
            self.build(name)
        return path

    def check_target(self):
        """Says once, not for each network, that nothing can be compiled for the target."""
        tool = os.path.join(self.bin, "ane-compile")
        if not os.path.exists(tool):
            return  # sections that need it say so
        shape = "tensor<1x1x1x1xf16>"
        net = f"func.func @net(%x: {shape}) -> {shape} {{\n  %0 = ane.activation %x {{function = #ane.act<relu>}} : " \
              f"{shape} -> {shape}\n  return %0 : {shape}\n}}\n"
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([tool, f"--target={self.target}", "-", "-o", os.path.join(folder, "net.hwx")],
                                    input=net, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"run.py: {result.stderr.strip()}")

    def compile(self, *arguments):
        """A program for the target; its file is among the arguments."""
        self.run([self.tool("ane-compile"), f"--target={self.target}", *arguments])

    def program(self, name):
        """A benchmark program: from the tools' folder, else built on its own."""
        path = os.path.join(self.bin, name)
        if os.path.exists(path):
            return path
        return os.path.join(self.build(name), "bin", name)

    def build(self, name):
        """Builds a tool or a benchmark program; returns the build folder."""
        folder = os.path.dirname(self.bin)
        if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
            folder = os.path.join(ROOT, "build")
        self.note(f"building {name} in {folder}")
        if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
            self.run(["cmake", "--preset", "dev", "-B", folder, "-DANE_BUILD_TESTS=OFF"], cwd=ROOT)
        said = self.run(["cmake", "-B", folder, "-DANE_BUILD_BENCHMARKS=ON"], cwd=ROOT)
        for line in said.splitlines():
            if name in line and "left out" in line:
                raise Failure(line.lstrip("- "))
        self.run(["cmake", "--build", folder, "--target", name])
        return folder

    def some(self, names):
        """All of them, or one in the short form."""
        return list(names)[:1] if self.short else list(names)

    def timing(self, seconds):
        """Options of a program on Google Benchmark."""
        repetitions, seconds = (1, 0.001) if self.short else (7, seconds)
        return ["--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
                f"--benchmark_min_time={seconds}", "--benchmark_enable_random_interleaving=true"]

    def run(self, command, **options):
        """Standard output of a command that must succeed."""
        result = subprocess.run(command, capture_output=True, text=True, **options)
        if result.returncode:
            text = (result.stdout + result.stderr).strip()[-4000:]
            raise Failure(f"{' '.join(command)} failed with {result.returncode}:\n{text}")
        return result.stdout


def load(name):
    return __import__("section_" + name)


def main():
    listing = "\n".join(f"  {name:<11} {load(name).__doc__.splitlines()[0]}" for name in SECTIONS)
    parser = argparse.ArgumentParser(description=__doc__.format(sections=listing),
                                     formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--only", metavar="SECTION", help="run one section")
    parser.add_argument("--target", default="h13", metavar="GENERATION", help="what is compiled for, as in ane-compile")
    parser.add_argument("--bin", metavar="DIR")
    parser.add_argument("--measurements", metavar="FILE", help="table of published measurements, for cost")
    parser.add_argument("--short", action="store_true", help="few networks, one repetition: whether all of it still runs")
    parser.add_argument("--verbose", action="store_true", help="tables behind the figures, on standard error")
    arguments = parser.parse_args()
    if arguments.only and arguments.only not in SECTIONS:
        sys.exit(f"run.py: error: no section is called '{arguments.only}', expected one of: {', '.join(SECTIONS)}")
    context, status = Context(arguments), 0
    context.check_target()
    for name in [arguments.only] if arguments.only else SECTIONS:
        try:
            load(name).run(context)
        except Failure as failure:
            context.note(f"run.py: error: {name}: {failure}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

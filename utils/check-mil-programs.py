#!/usr/bin/python3
"""Compiles MIL programs for a target, runs them in the simulator and compares each result
with mil-eval, which computes the program directly. Weight files are made up, with the types
and sizes that the programs name; inputs are random, the same in every run.

usage: check-mil-programs.py SOURCE... --work DIR [--bin DIR] [--expect LIST [--update]]
                             [--only WORD] [--every N] [--slow] [--jobs N] [--min-cos C]
                             [--max-err E] [--keep] [--host | --open]

A SOURCE is a .mil file, a folder of them, or a .jsonl file with an object a line that has
`case`, `target` and the text as `mil`. Prints a line for each program and a figure at the
end. With --host the part that the engine cannot do runs on the host. LIST names the programs that do not come out right, and why: lines of

    fails FOLDER/PROGRAM: words that are in the error of ane-compile
    differs FOLDER/PROGRAM: reason
    broken FOLDER/PROGRAM: reason           ane-run or mil-eval refuses
    slow FOLDER/PROGRAM                     left out without --slow; may have another line, too

With it the exit code is 0 only when every program does what the list says: a program that
is not in it must compile and agree, and one that is in it must still fail, in these words.
--update writes the list anew. With --slow, programs that do not compile are evaluated, too.
Needs numpy.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import zlib

import numpy as np

sys.dont_write_bytecode = True
from fuzz_open_sizes import leave_open  # noqa: E402
HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("compare_npy", os.path.join(HERE, "compare-npy.py"))
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)
compare.use_numpy()

# Type, its number in a weight file, how numpy or (for packed ones) a number of bits hold it.
BLOB_TYPES = {"fp16": (1, "<f2"), "fp32": (2, "<f4"), "uint8": (3, "u1"), "int8": (4, "i1"), "int16": (6, "<i2"),
              "uint16": (7, "<u2"), "int32": (14, "<i4"), "uint32": (15, "<u4"), "int4": (8, 4), "uint1": (9, 1),
              "uint2": (10, 2), "uint4": (11, 4), "uint3": (12, 3), "uint6": (13, 6)}
# Arguments that must stay away from zero and be positive.
POSITIVE = {"log.x", "sqrt.x", "rsqrt.x", "inverse.x", "pow.x", "real_div.y", "floor_div.y", "mod.y", "reduce_log_sum.x",
            "batch_norm.variance", "batch_norm.gamma", "layer_norm.gamma", "instance_norm.gamma"}
# Arguments that say more about their operation when they leave -1..1.
WIDE = {f"{op}.{name}" for op in
        ("abs add atan ceil clip cos elu erf exp exp2 floor gelu greater leaky_relu less maximum minimum relu round scaled_tanh "
         "sigmoid sign silu sin softplus softsign sub tanh threshold thresholded_relu").split() for name in ("x", "y")}
# An index is right or wrong.
INDEX_TYPES = {"int16", "uint16", "int32"}
TIMEOUT = 600


# ---------------------------------------------------------------- made-up data
def weights_for(blob, random):
    """Values that keep the results of products near one."""
    shape, uses, kind = blob["shape"], set(blob["uses"]), blob["type"]
    if kind not in ("fp16", "fp32"):
        low, high = (0, 1 << int(re.sub(r"\D", "", kind))) if kind[0] == "u" else (-(1 << int(kind[3:]) - 1), 1 << int(kind[3:]) - 1)
        return random.integers(low, min(high, 1 << 31), shape)
    if any("scale" in use for use in uses):
        return random.uniform(0.005, 0.01, shape)
    if uses & POSITIVE or (len(shape) == 4 and shape[0] == 1 and "conv.weight" not in uses and 1 in shape[2:]):
        return random.uniform(0.5, 1.5, shape)
    fan = 12
    if "matmul.y" in uses or "matmul.x" in uses:
        fan = shape[-2]
    elif len(shape) >= 2:
        fan = math.prod(shape[1:])
    bound = math.sqrt(3 / max(fan, 1))
    return random.uniform(-bound, bound, shape)


def packed(values, bits):
    values = values.reshape(-1).astype(np.int64)
    flat = (values[:, None] >> np.arange(bits)) & 1
    return np.packbits(flat.astype(np.uint8).reshape(-1), bitorder="little").tobytes()


def write_weights(folder, blobs, random):
    """Records where the program says, data behind the last of them: records of hand-written
    programs can lie closer together than their data are long."""
    files = {}
    for blob in blobs:
        files.setdefault(blob["path"], {}).setdefault(blob["offset"], blob)
    for path, records in files.items():
        full = os.path.join(folder, path.replace("@model_path/", ""))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        start = (max(records) + 64 + 63) // 64 * 64
        with open(full, "wb") as file:
            file.write(struct.pack("<II", len(records), 2))
            for offset, blob in sorted(records.items()):
                code, form = BLOB_TYPES[blob["type"]]
                values = np.asarray(weights_for(blob, random))
                data = values.astype(form).tobytes() if isinstance(form, str) else packed(values, form)
                spare = len(data) * 8 - values.size * form if not isinstance(form, str) else 0
                file.seek(offset)
                file.write(struct.pack("<IIQQQ", 0xDEADBEEF, code, len(data), start, spare))
                file.seek(start)
                file.write(data)
                start = (start + len(data) + 63) // 64 * 64


def separate(text):
    """The program with an offset of its own for each constant in a file: some published
    ones have several constants of different sizes at one place."""
    count = 0

    def renumber(match):
        nonlocal count
        count += 1
        return f"{match.group(1)}{64 * count})"

    return re.sub(r"(\boffset = (?:uint64|tensor<uint64, \[\]>)\()\d+\)", renumber, text)


def collide(blobs):
    """Two constants at one place, or records that lie in each other."""
    places = {(b["path"], b["offset"]): (b["type"], b["shape"]) for b in blobs}
    return any(places[b["path"], b["offset"]] != (b["type"], b["shape"]) or b["offset"] % 64 for b in blobs)


def input_for(argument, random):
    shape, kind = argument["shape"], argument["type"]
    # NAME_N says how large integers are: in [-N, N), or [0, N) without a sign. Floats are whole then.
    bound = re.search(r"_(\d+)$", argument["name"])
    if bound and kind.startswith("fp"):
        return random.integers(-int(bound.group(1)), int(bound.group(1)), shape).astype(np.float32)
    if bound and "int" in kind:
        return random.integers(0 if kind[0] == "u" else -int(bound.group(1)), int(bound.group(1)), shape).astype(
            np.dtype(kind))
    if kind == "bool":
        return random.integers(0, 2, shape).astype(np.uint8)
    if not kind.startswith("fp"):
        return random.integers(0, 3, shape).astype({"int8": np.int8, "uint8": np.uint8}.get(kind, np.int32))
    uses = set(argument["uses"])
    low, high = (0.25, 3) if uses & POSITIVE else (-3, 3) if uses and uses <= WIDE else (-1, 1)
    if uses and uses <= {"transpose.x", "reshape.x"}:
        # Weights that come as inputs.
        low, high = low / math.sqrt(max(shape)), high / math.sqrt(max(shape))
    # What the engine can hold; arrays of floats are given back as float32.
    return random.uniform(low, high, shape).astype(np.float16).astype(np.float32)


# ---------------------------------------------------------------- one program
class Failure(Exception):
    def __init__(self, what, text):
        super().__init__(text)
        self.what = what


def run(what, command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Failure(what, f"needs more than {TIMEOUT} s")
    if result.returncode:
        raise Failure(what, result.stderr.strip() or f"exit code {result.returncode}")
    return result.stdout


def error_text(text):
    """The first error without its place."""
    for line in text.splitlines():
        if "error:" in line:
            return line.split("error:", 1)[1].strip()
    return text.splitlines()[0] if text else "no message"


def describe(paths, options):
    """The functions of each program, None for one that cannot be read."""
    result = subprocess.run([os.path.join(options.bin, "mil-eval"), "--describe", *paths], capture_output=True, text=True)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if len(lines) != len(paths):
        sys.exit(f"mil-eval --describe fails: {result.stderr}")
    return lines


def prepare(programs, options):
    """Writes the programs to folders of their names; (name, folder, functions) of each."""
    places = []
    for name, text in programs:
        folder = os.path.join(options.work, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, "x.mil"), "w") as file:
            file.write(text)
        places.append(os.path.join(folder, "x.mil"))
    functions = describe(places, options)
    for i, (_, text) in enumerate(programs):
        if functions[i] and collide([b for f in functions[i] for b in f["blobs"]]):
            with open(places[i], "w") as file:
                file.write(separate(text))
            functions[i] = describe([places[i]], options)[0]
    return [(name, os.path.dirname(p), f) for (name, _), p, f in zip(programs, places, functions)]


def check(program, options):
    """(state, words, seconds): state is agrees, differs, fails or broken (a tool other than
    the compiler refused)."""
    name, folder, functions = program
    started = time.time()
    try:
        if not functions:
            raise Failure("mil-eval", "the program cannot be read")
        state, words = check_in(folder, name, functions, options)
    except Failure as failure:
        state, words = ("fails" if failure.what == "ane-compile" else "broken"), f"{failure.what}: {error_text(str(failure))}"
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return state, words, time.time() - started


def fix_shapes(function, text):
    """Gives inputs that leave sizes open (-1) the shape that the text calls their default;
    the options of ane-compile that do so, too."""
    for argument in function["inputs"]:
        if -1 in argument["shape"]:
            default = re.search(r'"DefaultShapes".*?\{"%s", \[([\d, ]+)\]\}' % argument["name"], text)
            if not default:
                raise Failure("mil-eval", f"no default shape of {argument['name']} is given")
            argument["shape"] = [int(size) for size in default.group(1).split(",")]
            yield f"--shape={argument['name']}=" + "x".join(map(str, argument["shape"]))


def check_open(folder, compile_to):
    """Whether the program is the same where the text has the sizes of constants alone."""
    with open(os.path.join(folder, "x.mil")) as file:
        text, shapes = leave_open(file.read())
    if "?" not in text:
        raise Failure("--open", "the program has no size that could be left open")
    with open(os.path.join(folder, "open.mil"), "w") as file:
        file.write(text)
    compile_to("x.mil", [])
    compile_to("open.mil", shapes)
    programs = [open(os.path.join(folder, f"{name}.hwx"), "rb").read() for name in ("x", "open")]
    return ("agrees", "the same program") if programs[0] == programs[1] else ("differs", "another program with sizes left open")


def check_in(folder, name, functions, options):
    tool = lambda t: os.path.join(options.bin, t)
    source, program = os.path.join(folder, "x.mil"), os.path.join(folder, "x.hwx")
    random = np.random.default_rng(zlib.crc32(name.encode()))
    function = next((f for f in functions if f["name"] == "main"), functions[0])
    write_weights(folder, [b for f in functions for b in f["blobs"]], random)
    compile_to = lambda text, more: run("ane-compile", [
        tool("ane-compile"), os.path.join(folder, text), f"--mil-root={folder}", f"--target={options.target}",
        f"--hwx-flavour={options.flavour}", *more, "-o", os.path.join(folder, text[:-4] + ".hwx")])
    if options.open:
        return check_open(folder, compile_to)
    ours, theirs, given = [], [], {}
    with open(source) as file:
        fixed = list(fix_shapes(function, file.read()))
    for argument in function["inputs"]:
        if argument.get("state"):
            continue
        path = os.path.join(folder, f"in-{argument['name']}.npy")
        given[argument["name"]] = input_for(argument, random)
        np.save(path, given[argument["name"]])
        theirs += ["--input", f"{argument['name']}={path}"]
        if argument["type"] in INDEX_TYPES and not options.host:
            # Such cannot enter; the program is for these ones.
            fixed.append(f"--bind={argument['name']}=@{path}")
        else:
            ours += theirs[-2:]
    taken = {argument["name"] for argument in function["inputs"] if argument.get("state")}
    for output in function["outputs"]:
        # A name is one output: what is returned again gets another one.
        called = output["name"] + "_out" * (output["name"] in taken)
        taken.add(output["name"])
        ours += ["--output", f"{called}={folder}/got-{output['name']}.npy"]
        theirs += ["--output", f"{output['name']}={folder}/want-{output['name']}.npy"]
    evaluate = lambda: run("mil-eval", [tool("mil-eval"), source, f"--mil-root={folder}", *theirs])
    if options.slow:
        evaluate()
    if options.host:
        compile_to("x.mil", [*fixed, f"--host={folder}/host.mlir"])
        evaluate()
        run_host(folder, given, [o for o in ours if "/got-" in o], options)
        return measure(folder, function["outputs"], options)
    compile_to("x.mil", fixed)
    run("ane-run", [tool("ane-run"), program, "--device=sim", f"--mode={options.mode}", "--threads=1", *ours])
    if not options.slow:
        evaluate()
    return measure(folder, function["outputs"], options)


def run_host(folder, inputs, outputs, options):
    """Writes NAME=FILE of the outputs, computed by the part of the host and its programs."""
    sys.path.insert(0, os.path.join(HERE, "..", "python"))
    os.environ.setdefault("ANE_LIBRARY_DIR", os.path.join(options.bin, "..", "lib"))
    import ane

    try:
        results = ane.load_host(f"{folder}/host.mlir").run(inputs, mode=options.mode)
    except ane.RunError as error:
        raise Failure("host", str(error)) from None
    for output in outputs:
        name, path = output.split("=", 1)
        array = results[name]
        np.save(path, array.astype(np.uint8) if array.dtype == bool else array)


def measure(folder, outputs, options):
    cosine, error = 1.0, 0.0
    for output in outputs:
        _, got = compare.read(f"{folder}/got-{output['name']}.npy")
        _, want = compare.read(f"{folder}/want-{output['name']}.npy")
        if len(got) != len(want):
            return "differs", f"{output['name']} has {len(got)} values instead of {len(want)}"
        if not np.isfinite(want).all():
            raise Failure("mil-eval", f"{output['name']} has values that are not finite")
        if not np.isfinite(got).all():
            return "differs", f"{output['name']} has values that are not finite"
        if output["type"] in INDEX_TYPES and (got != want).any():
            return "differs", f"{output['name']} has {int((got != want).sum())} other indices of {len(want)}"
        c, e = compare.measure(got, want)
        cosine, error = min(cosine, c), max(error, e)
    words = f"cosine {cosine:.6f}, largest error {error:.5f}"
    good = cosine >= options.min_cos and error <= options.max_err
    return "agrees" if good else "differs", words


# ---------------------------------------------------------------- many programs
def read_sources(sources, target):
    """(FOLDER/PROGRAM, text) of each."""
    programs = []
    for source in sources:
        if source.endswith(".jsonl"):
            with open(source) as file:
                cases = [json.loads(line) for line in file if line.strip()]
            folder = os.path.splitext(os.path.basename(source))[0]
            programs += [(f"{folder}/{c['case']}", c["mil"]) for c in cases if c["target"] == target]
            continue
        files = [source] if source.endswith(".mil") else sorted(
            os.path.join(source, f) for f in os.listdir(source) if f.endswith(".mil"))
        for path in files:
            folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
            with open(path) as file:
                programs.append((f"{folder}/{os.path.basename(path)[:-4]}", file.read()))
    if not programs:
        sys.exit("no programs found")
    return programs


def read_list(path):
    """{name: (state, words)} and the names of slow programs."""
    expected, slow = {}, set()
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            match = re.fullmatch(r"slow (\S+)|(fails|differs|broken) ([^\s:]+): (.+)", line)
            if not match:
                sys.exit(f"{path}:{number}: expected 'slow NAME' or 'fails|differs|broken NAME: words', found '{line}'")
            if match.group(1):
                slow.add(match.group(1))
            else:
                expected[match.group(3)] = (match.group(2), match.group(4).strip())
    return expected, slow


def essence(state, words):
    """What of an error goes to the list: the number of the rule, or its first words."""
    if state != "fails":
        return words
    words = words.split(": ", 1)[1]
    rule = re.search(r"\([a-z_0-9]+_r\d+\)", words)
    return rule.group() if rule else re.split(r"[,;:#]|\d", words, maxsplit=1)[0].strip()


def write_list(path, results, slow):
    """The heading of the old list stays."""
    with open(path) as file:
        lines = file.read().splitlines()
    heading = lines[: next((i for i, line in enumerate(lines) if line and line[0] != "#"), len(lines))]
    with open(path, "w") as file:
        file.write("\n".join(heading) + "\n")
        for name in sorted(slow):
            file.write(f"slow {name}\n")
        for name, (state, words) in sorted(results.items()):
            if state != "agrees":
                file.write(f"{state} {name}: {essence(state, words)}\n")


def judge(name, state, words, expected):
    """What is wrong with a result, or None."""
    want, reason = expected.get(name, ("agrees", ""))
    if state != want:
        return f"{name}: {state}, but the list says {want}: {words}"
    if state == "fails" and reason not in words:
        return f"{name} fails with other words than '{reason}': {words}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--work", required=True, help="folder for the intermediate files")
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--expect", metavar="LIST")
    parser.add_argument("--update", action="store_true", help="write the list anew")
    parser.add_argument("--only", help="programs with this in their names")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one program of N")
    parser.add_argument("--open", action="store_true", help="whether the program is the same with all sizes left open")
    parser.add_argument("--host", action="store_true", help="leave to the host what the engine cannot do")
    parser.add_argument("--slow", action="store_true", help="slow programs, too")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--target", default="h13")
    parser.add_argument("--flavour", default="clean", help="whose choices the programs make")
    parser.add_argument("--mode", default="fast", choices=["fast", "exact"])
    parser.add_argument("--min-cos", type=float, default=0.999)
    parser.add_argument("--max-err", type=float, default=0.03)
    parser.add_argument("--keep", action="store_true", help="keep the intermediate files")
    options = parser.parse_args()
    expected, slow = read_list(options.expect) if options.expect else ({}, set())
    programs = read_sources(options.sources, options.target)
    known = {name for name, _ in programs}
    wrong = [f"the list has {name}, which is no program" for name in sorted((set(expected) | slow) - known)] if not options.only else []
    programs = [(n, t) for n, t in programs[:: options.every] if (options.slow or n not in slow) and (options.only or "") in n]
    counts, seen = {}, {n: e for n, e in expected.items() if n in known}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda p: check(p, options), prepare(programs, options))
        for (name, _), (state, words, seconds) in zip(programs, results):
            counts[state] = counts.get(state, 0) + 1
            seen[name] = (state, words)
            print(f"{state:8} {name:60} {seconds:6.1f} s  {words}", flush=True)
            problem = judge(name, state, words, expected) if options.expect else None
            wrong += [problem] if problem else []
    if options.update:
        seen = {n: r if r[0] != "fails" or r != expected.get(n) else ("fails", ": " + r[1]) for n, r in seen.items()}
        write_list(options.expect, seen, slow)
        wrong = []
    for problem in wrong:
        print(f"WRONG: {problem}")
    if wrong:
        print("--update writes the list as the programs are now")
    agree = counts.get("agrees", 0)
    compiled = agree + counts.get("differs", 0)
    if counts.get("broken"):
        print(f"{counts['broken']} programs could not be evaluated or run")
    print(f"mil programs: {compiled} of {len(programs)} compile, {agree} of {compiled} agree")
    return 1 if wrong or (not options.expect and agree < len(programs)) else 0


if __name__ == "__main__":
    sys.exit(main())

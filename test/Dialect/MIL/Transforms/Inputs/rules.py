"""Runs ane-check-mil and ane-legalize-mil on small programs.

usage: rules.py check|evaluate|coverage ane-translate ane-opt CASES...

check: what the case lists is reported, and nothing else. evaluate: after
ane-legalize-mil nothing is reported that has a rewrite, and mil-eval computes the same
before and after. coverage: each rule stands in a case.

A case, up to a line of ====:
    OPTIONS of the pass
    SEVERITY RULE: PART OF THE MESSAGE      every violation, in any order
    in TYPE NAME                            inputs; default: fp16 [1, 32, 32, 32] in0
    as VERSION OPSET | no build info        of the program
    no evaluation                           the rewrite changes the result
    STATEMENT;
    -> RESULTS
In a statement, ${VALUE} is a const of its own, ${blob DIMS} fp16 in a weight file
and ${dense DIMS} fp16 in the text.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

mode, translate, opt, *files = sys.argv[1:]
REPORT = re.compile(r"^<stdin>:\d+:\d+: (error|warning|remark): (.*), but .*\((\w+), (?:seen|deduced|claimed by one author): ")


def parse(text):
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    case = dict(options=lines[0], expected=[], inputs=[], version="1.3", opset="ios18", info=True, evaluated=True, blobs=[], body=[], results="")
    for line in lines[1:]:
        if m := re.match(r"(error|warning|remark) (\w+): (.*)$", line):
            case["expected"].append(m.groups())
        elif line == "no evaluation":
            case["evaluated"] = False
        elif line.startswith("in "):
            case["inputs"].append(line[3:])
        elif line.startswith("as "):
            case["version"], case["opset"] = line.split()[1:]
        elif line == "no build info":
            case["info"] = False
        elif line.startswith("->"):
            case["results"] = line[2:].strip()
        else:
            case["body"].append(line)
    return case


def product(dims):
    result = 1
    for dim in dims.split(","):
        result *= int(dim)
    return result


def program(case):
    statements = []
    for line in case["body"]:

        def constant(match):
            value = match.group(1)
            name = f"k{len(statements)}"
            if value.startswith("blob "):
                kind = f"tensor<fp16, [{value[5:]}]>"
                size = 2 * product(value[5:])
                offset = case["blobs"][-1][1] if case["blobs"] else 64
                case["blobs"].append((offset, (offset + 64 + size + 63) // 64 * 64, size))
                value = f'{kind}(BLOBFILE(path = string("@model_path/weights/given.bin"), offset = uint64({offset})))'
            elif value.startswith("dense "):
                kind = f"tensor<fp16, [{value[6:]}]>"
                value = f"{kind}([{', '.join(str((7 * i % 64 - 31) / 64) for i in range(product(value[6:])))}])"
            else:
                kind = value[: value.index("(")]
            statements.append(f'{kind} {name} = const()[name = string("{name}"), val = {value}];')
            return name

        line = re.sub(r"\$\{([^}]*)\}", constant, line)
        statements.append(line)
    inputs = case["inputs"] or ["tensor<fp16, [1, 32, 32, 32]> in0"]
    info = '[buildInfo = dict<string, string>({{"coremlc-version", "1"}})]' if case["info"] else ""
    text = f"program({case['version']}){info} {{ func main<{case['opset']}>({', '.join(inputs)}) {{\n"
    text += "\n".join(statements) + f"\n}} -> ({case['results'] or inputs[0].split()[-1]}); }}"
    if case["version"] == "1.0":
        text = re.sub(r"\bstring(?=[,>(])", "tensor<string, []>", text)
    return text


def run(arguments, text):
    try:
        return subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 1, "", "takes over 60 s")


def reports(stderr):
    return [m.groups() for line in stderr.split("\n") if (m := REPORT.match(line))]


def check(case, module):
    done = run([opt, f"--ane-check-mil={case['options']}"], module)
    found = reports(done.stderr)
    problems = []
    for severity, rule, part in case["expected"]:
        match = [f for f in found if f[0] == severity and f[2] == rule and part in f[1]]
        if match:
            found.remove(match[0])
        else:
            problems.append(f"not reported: {severity} {rule}: {part}")
    problems += [f"not expected: {' | '.join(f)}" for f in found]
    if (done.returncode != 0) != any(e[0] == "error" for e in case["expected"]):
        problems.append(f"exit status {done.returncode}")
    return problems, done.stderr


def legalize(case, module):
    done = run([opt, f"--ane-legalize-mil={case['options']}"], module)
    if done.returncode:
        return ["ane-legalize-mil failed"], done.stderr
    again = run([opt, f"--ane-check-mil={case['options']}"], done.stdout)
    # What has a rewrite says so.
    problems = [line for line in again.stderr.split("\n") if "as ane-legalize-mil does" in line]
    text = run([translate, "--to-mil", "--weights-dir=" + folder], done.stdout)
    if text.returncode:
        problems.append("cannot be printed: " + text.stderr)
    case["rewritten"] = text.stdout
    return problems, again.stderr


def write_blobs(case):
    """The weight file of a case: storage version 2, values of both signs."""
    import numpy as np

    with open(f"{folder}/weights/given.bin", "wb") as file:
        file.write(struct.pack("<II56x", len(case["blobs"]), 2))
        for offset, _, size in case["blobs"]:
            file.seek(offset)
            file.write(struct.pack("<IIQQ40x", 0xDEADBEEF, 1, size, offset + 64))
            file.write((np.arange(size // 2) * 37 % 128 / 128 - 0.5).astype("<f2").tobytes())


def results(text, name, inputs):
    import numpy as np

    path = f"{folder}/{name}.mil"
    with open(path, "w") as file:
        file.write(text)
    command = ["mil-eval", path, f"--mil-root={folder}"]
    parameters = re.search(r"func \w+<\w+>\((.*)\) {", text).group(1)
    for kind, argument in re.findall(r"tensor<(fp16|fp32), \[[^]]*\]> (\w+)", parameters):
        if argument in inputs:
            np.save(f"{folder}/{argument}.npy", inputs[argument].astype({"fp16": "f2", "fp32": "f4"}[kind]))
            command.append(f"--input={argument}={folder}/{argument}.npy")
    names = re.search(r"-> \(([^)]*)\);\s*}\s*$", text).group(1).split(", ")
    command += [f"--output={n}={folder}/{name}.{n}.npy" for n in names]
    done = run(command, "")
    if done.returncode:
        return None, done.stderr
    return {n: np.load(f"{folder}/{name}.{n}.npy").astype("f8") for n in names}, ""


def evaluate(case, module):
    import numpy as np

    global evaluated
    problems, output = legalize(case, module)
    before = run([translate, "--to-mil", "--weights-dir=" + folder], module)
    if problems or not case["evaluated"] or before.stdout == case["rewritten"]:
        return problems, output
    os.makedirs(f"{folder}/weights", exist_ok=True)
    write_blobs(case)
    evaluated += 1
    inputs = {}
    for line in case["inputs"] or ["tensor<fp16, [1, 32, 32, 32]> in0"]:
        shape = [int(d) for d in re.search(r"\[(.*)\]", line).group(1).split(",")]
        values = np.random.default_rng(len(inputs)).uniform(-1, 1, shape)
        inputs[line.split()[-1]] = values.astype("f2")
    want, error = results(before.stdout, "before", inputs)
    if want is None:
        return ["cannot be evaluated: " + error], ""
    got, error = results(case["rewritten"], "after", inputs)
    if got is None:
        return ["cannot be evaluated after the rewrite: " + error], case["rewritten"]
    for name, array in want.items():
        if name not in got or got[name].shape != array.shape:
            problems.append(f"output {name} is missing or has another shape")
            continue
        finite = np.isfinite(array)
        scale = np.abs(array[finite]).max(initial=1e-30)
        worst = np.abs(got[name][finite] - array[finite]).max(initial=0) / scale
        # Constants are rounded to fp16, and gelu becomes its tanh form.
        if worst > 2e-3 or not finite.mean() > 0.5 or scale < 1e-3:
            problems.append(f"output {name} differs by {worst:.2g} of {scale:.2g}, {finite.mean():.0%} finite")
    return problems, case["rewritten"]


cases = [(f, parse(c)) for f in files for c in open(f).read().split("====") if c.strip()]
assert len(cases) > 3, len(cases)
if mode == "coverage":
    # Every rule of the page stands in a case with the chip or system that has it.
    page = run([opt, "--ane-print-mil-rules"], "").stdout
    rules = set(re.findall(r"^\| `(\w+)` \| (?:error|warning) ", page, re.M))
    covered = {rule for _, case in cases for _, rule, _ in case["expected"]}
    for rule in sorted(rules - covered):
        print(f"no case for rule {rule}")
    assert len(rules) > 50
    sys.exit(bool(rules - covered))
bad = evaluated = 0
scratch = tempfile.TemporaryDirectory()
folder = scratch.name
for _, case in cases:
    text = program(case)
    module = run([translate, "--from-mil", "-"], text)
    if module.returncode:
        problems, output = ["is not read"], module.stderr
    else:
        problems, output = dict(check=check, evaluate=evaluate)[mode](case, module.stdout)
    if problems:
        bad += 1
        print(f"{text}\n{case['options']}\n  " + "\n  ".join(problems) + f"\n{output}\n")
print(f"{len(cases)} cases, {bad} bad" + (f", {evaluated} evaluated" if mode == "evaluate" else ""))
assert mode != "evaluate" or evaluated > 30, evaluated
sys.exit(bad != 0)

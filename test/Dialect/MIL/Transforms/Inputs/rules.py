"""Runs ane-check-mil and ane-legalize-mil on small programs.

usage: rules.py check|legalize|coverage ane-translate ane-opt CASES...

A case, up to a line of ====:
    OPTIONS of the pass
    SEVERITY RULE: PART OF THE MESSAGE      every violation, in any order
    in TYPE NAME                            inputs; default: fp16 [1, 32, 32, 32] in0
    as VERSION OPSET | no build info        of the program
    STATEMENT;
    -> RESULTS
In a statement, ${VALUE} is a const of its own and ${blob DIMS} fp16 in a weight
file. Each case also has to be silent for the pass without the rules that it names,
so nothing may be reported that is not listed.
"""
import re
import subprocess
import sys
import tempfile

mode, translate, opt, *files = sys.argv[1:]
REPORT = re.compile(r"^<stdin>:\d+:\d+: (error|warning|remark): (.*), but .*\((\w+), (?:seen|deduced|claimed by one author): ")


def parse(text):
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    case = dict(options=lines[0], expected=[], inputs=[], version="1.3", opset="ios18", info=True, body=[], results="")
    for line in lines[1:]:
        if m := re.match(r"(error|warning|remark) (\w+): (.*)$", line):
            case["expected"].append(m.groups())
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


def program(case):
    statements = []
    for line in case["body"]:

        def constant(match):
            value = match.group(1)
            name = f"k{len(statements)}"
            if value.startswith("blob "):
                kind = f"tensor<fp16, [{value[5:]}]>"
                value = f'{kind}(BLOBFILE(path = string("@model_path/weights/given.bin"), offset = uint64(64)))'
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
    return subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=60)


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
    return problems, again.stderr


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
bad = 0
folder = tempfile.mkdtemp()
for _, case in cases:
    text = program(case)
    module = run([translate, "--from-mil", "-"], text)
    if module.returncode:
        problems, output = ["is not read"], module.stderr
    else:
        problems, output = (check if mode == "check" else legalize)(case, module.stdout)
    if problems:
        bad += 1
        print(f"{text}\n{case['options']}\n  " + "\n  ".join(problems) + f"\n{output}\n")
print(f"{len(cases)} cases, {bad} bad")
sys.exit(bad != 0)

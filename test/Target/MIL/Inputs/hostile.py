"""Texts that ask for more than they are worth: each ends in time and within its
memory, with a located error or a program.

usage: hostile.py ane-translate
"""
import resource
import subprocess
import sys
import time

HEAD = "program(1.3) {{ func main<ios18>(fp16 x) {{ {} }} -> (x); }}"
BYTES = 1 << 24
MANY = 200000


def statement(text):
    return HEAD.format(text)


CASES = {
    # name: (text, part of the error, None for a program)
    "types without end": ("program(1.3)[a = " + "list<" * (BYTES // 5), "64 levels"),
    "dicts without end": ("program(1.3)[a = " + "dict<string, " * (BYTES // 13), "64 levels"),
    "literals without end": (statement("tensor<fp16, [1]> y = const()[val = tensor<fp16, [1]>(" + "[" * BYTES), "64 levels"),
    "tuples without end": ("program(1.3)[a = tuple<string>(" + "(" * BYTES, "expected a string"),
    "parentheses without end": (statement("fp16 y = relu(x = " + "(" * BYTES), "expected the name of a value"),
    "brackets without end": (statement("fp16 y = relu(x = x)" + "[" * BYTES), "expected"),
    "an unterminated string": (statement('string y = const()[val = string("' + "a" * BYTES), "expected a string"),
    "a string of backslashes": (statement('string y = const()[val = string("' + "\\" * BYTES), "expected a string"),
    "an extent of 2^62": (statement(f"tensor<fp16, [{1 << 62}]> y = const()[val = tensor<fp16, [{1 << 62}]>([1])]; "), "literal has 1 elements"),
    "extents that overflow": (statement("tensor<fp16, [1000000000, 1000000000, 1000000000]> y = relu(x = x);"), "more than 2^63 elements"),
    "an extent with many digits": (statement(f"tensor<fp16, [{'9' * BYTES}]> y = relu(x = x);"), "expected an extent"),
    "a billion elements in a file": (
        statement('tensor<fp16, [1000000000]> y = const()[val = tensor<fp16, [1000000000]>(BLOBFILE(path = string("w"), offset = uint64(64)))];'),
        None,
    ),
    "more elements than the type has": (
        statement("tensor<fp16, [3]> y = const()[val = tensor<fp16, [3]>([" + "1, " * (BYTES // 8) + "1])];"),
        "elements, but its type",
    ),
    "a number with many digits": (statement(f"fp16 y = const()[val = fp16({'1' * BYTES})];"), "expected a number"),
    "an exponent with many digits": (statement(f"fp16 y = const()[val = fp16(0x1p+{'1' * 60})];"), "expected a number"),
    "a list of unknown length": (statement("list<fp16, 99999999999> y = relu(x = x);"), None),
    # To print a line of 16 MB with a caret below takes 10 s.
    "a name without end": (statement("fp16 " + "y" * (BYTES // 16)), "expected '='"),
    "comments without end": ("//" * (BYTES // 32), "but the text ends"),
    "nothing but line ends": ("\n" * BYTES + "x", f":{BYTES + 1}:1: error"),
    "zeros": ("\0" * BYTES, "expected 'program'"),
    "many statements": (statement(" ".join(f"fp16 y{i} = relu(x = x);" for i in range(MANY))), None),
    "many values that nobody defines": (statement("fp16 y = add(x = x, y = z);" * MANY), "'z' is not defined"),
    "many arguments": (statement("fp16 y = strange(" + ", ".join(f"a{i} = x" for i in range(MANY)) + ");"), None),
    "many attributes": (statement("fp16 y = relu(x = x)[" + ", ".join(f"a{i} = bool(true)" for i in range(MANY)) + "];"), None),
    "many results": (statement(", ".join(f"fp16 y{i}" for i in range(MANY)) + " = strange(x = x);"), None),
    "many parameters": (f"program(1.3) {{ func main<ios18>({', '.join(f'fp16 y{i}' for i in range(MANY))}) {{ }} -> (y0); }}", None),
    "many functions": ("program(1.3) {" + " ".join(f"func f{i}<ios18>(fp16 x) {{ }} -> (x);" for i in range(MANY // 4)) + "}", None),
    "a tuple of many values": (statement("fp16 y = strange(values = (" + ", ".join(["x"] * MANY) + "));"), None),
    "a dict of many entries": (
        "program(1.3)[a = dict<string, string>({" + ", ".join(f'{{"{i}", ""}}' for i in range(MANY)) + "})] {}",
        None,
    ),
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


bad = 0
for name, (text, error) in CASES.items():
    started = time.time()
    try:
        done = subprocess.run(
            [sys.argv[1], "--from-mil", "-"], input=text.encode(), capture_output=True, timeout=30, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        print(f"{name}: takes over 30 s")
        bad += 1
        continue
    message = done.stderr.decode(errors="replace")
    good = done.returncode == 0 and not message if error is None else done.returncode == 1 and error in message and not done.stdout
    if not good:
        bad += 1
    print(f"{name}: {time.time() - started:.1f} s{'' if good else f', exit status {done.returncode}: {message[:300]}'}")
sys.exit(bad != 0)

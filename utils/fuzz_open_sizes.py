"""Programs whose text leaves sizes open: what the fuzzers and check-mil-programs.py make of one that does not."""
import random
import re
import zlib

MIL_TENSOR = re.compile(r"tensor<(\w+), \[([\d, ]+)\]>")


def is_constant(operation):
    return operation.startswith(("const(", "constexpr_"))


def open_mil(text, argument, result):
    """The text with other types of the arguments of its function and of the results of its operations."""
    lines = []
    for line in text.splitlines():
        head, equals, tail = line.partition(" = ")
        if "func main" in line:
            head = re.sub(MIL_TENSOR.pattern + r">? (\w+)", argument, head)
        elif equals and not is_constant(tail):
            head = MIL_TENSOR.sub(result, head)
        lines.append(head + equals + tail)
    return "\n".join(lines)


def unknown(match):
    """No size is known."""
    return f"tensor<{match[1]}, [{', '.join('?' for _ in match[2].split(','))}]>"


def leave_open(text):
    """A MIL program without the sizes of inputs and results, and options with the shapes of the inputs."""
    shapes = []

    def argument(match):
        shapes.append(f"--shape={match[3]}={match[2].replace(', ', 'x')}")
        return match[0].replace(MIL_TENSOR.match(match[0])[0], unknown(match))
    return open_mil(text, argument, unknown), shapes


def change_sizes(text):
    """A MIL program and options with other shapes than it was written for: few of them mean anything."""
    rng = random.Random(zlib.crc32(text.encode()))
    shapes, extremes = [], [1, 2, 7, 33, 65536, 2**31 - 1]

    def argument(match):
        sizes = [int(size) for size in match[2].split(",")]
        sizes = [rng.choice([n] * 5 + [n + 1, max(1, n - 1), rng.choice(extremes)]) for n in sizes]
        shapes.append(f"--shape={match[3]}={'x'.join(map(str, sizes))}")
        return match[0].replace(MIL_TENSOR.match(match[0])[0], unknown(match))

    def result(match):
        sizes = ["?" if rng.random() < 0.95 else size for size in match[2].split(", ")]
        return f"tensor<{match[1]}, [{', '.join(sizes)}]>"

    def number(match):
        return rng.choice([match[0]] * 8 + [str(n) for n in (-1, 0, 1, 7, 2**31 - 1, -2**31)])
    lines = open_mil(text, argument, result).splitlines()
    for i, line in enumerate(lines):
        head, equals, tail = line.partition(" = ")
        if equals and not is_constant(tail) and rng.random() < 0.2:
            values = r"(?<=int32\()-?\d+|(?<=\(\[)[-\d, ]+(?=\]\))"  # a number, or a list of them
            lines[i] = head + equals + re.sub(values, lambda m: re.sub(r"-?\d+", number, m[0]), tail)
    return "\n".join(lines), [*shapes, "--stop-after=import"]


def leave_tosa_open(text):
    """A TOSA function without the sizes of arguments and results, and options with the shapes of the arguments."""
    if re.search("while_loop|fft2d|linalg", text):  # not written here
        return text, []
    name_and_type = r"(%[av]\d+): (tensor<([\dx]*)x(\w+)>)"
    shapes, opened = [], {}

    def unknown_type(kind):
        return re.sub(r"\d+x", "?x", kind)

    def argument(match):
        shapes.append(f"--shape={len(shapes)}={match[3]}")
        opened[match[1]] = unknown_type(match[2])
        return f"{match[1]}: {opened[match[1]]}"
    lines = []
    for line in text.splitlines():
        value = re.match(r"  (%v\d+) = (tosa\.\w+ )(.*) : \((.*)\) -> (\S+)$", line)
        if "func.func" in line:
            head, arrow, results = line.partition(" -> ")
            line = re.sub(name_and_type, argument, head) + arrow + unknown_type(results)
        elif value:
            operands = re.findall(r"%\w+", value[3].split("{")[0])
            types = [opened.get(name, kind) for name, kind in zip(operands, value[4].split(", "))]
            opened[value[1]] = unknown_type(value[5])
            line = f"  {value[1]} = {value[2]}{value[3]} : ({', '.join(types)}) -> {opened[value[1]]}"
        elif line.lstrip().startswith("return"):
            line = unknown_type(line)
        lines.append(line)
    return "\n".join(lines) + "\n", shapes

"""Statements of MIL with what they must give: collects them into one program, has
mil-eval compute it, compares each result with an array from elsewhere."""
import os
import subprocess

import numpy as np

TYPES = {"float32": "fp32", "float16": "fp16", "int32": "int32", "bool": "bool", "int8": "int8", "uint8": "uint8"}


def literal(value):
    """A Python value as MIL has it in place of an argument."""
    if isinstance(value, bool):
        return f"bool({str(value).lower()})"
    if isinstance(value, int):
        return f"int32({value})"
    if isinstance(value, float):
        return f"fp32({value.hex()})"
    if isinstance(value, str):
        return f'string("{value}")'
    words = ", ".join(str(v).lower() for v in value)
    return f"tensor<{'bool' if isinstance(value[0], bool) else 'int32'}, [{len(value)}]>([{words}])"


class Cases:
    def __init__(self):
        self.inputs, self.statements, self.expected = {}, [], {}

    def argument(self, value):
        if isinstance(value, tuple):
            return "(" + ", ".join(self.argument(v) for v in value) + ")"
        if hasattr(value, "text"):  # a value that is spelled already
            return value.text
        if not isinstance(value, np.ndarray):
            return literal(value)
        for name, known in self.inputs.items():
            if known is value:
                return name
        name = f"in{len(self.inputs)}"
        self.inputs[name] = value
        return name

    def check(self, op, *expected, **arguments):
        """`op(arguments)` gives the arrays `expected`; (type, array) names the type."""
        text = ", ".join(f"{k} = {self.argument(v)}" for k, v in sorted(arguments.items()))
        outs = []
        for array in expected:
            kind = None
            if isinstance(array, tuple):
                kind, array = array
            array = np.asarray(array)
            if array.dtype == np.float64:
                array = array.astype(np.float32)
            elif array.dtype == np.int64:
                array = array.astype(np.int32)
            name = f"y{len(self.expected)}"
            self.expected[name] = (op, arguments, array)
            outs.append(f"tensor<{kind or TYPES[str(array.dtype)]}, {list(array.shape)}> {name}")
        self.statements.append(f"    {', '.join(outs)} = {op}({text});")

    def run(self, scratch, tolerance=2e-6):
        os.makedirs(scratch, exist_ok=True)
        parameters = ", ".join(f"tensor<{TYPES[str(a.dtype)]}, {list(a.shape)}> {n}" for n, a in self.inputs.items())
        program = os.path.join(scratch, "cases.mil")
        with open(program, "w") as file:
            file.write("program(1.3)\n{\n  func main<ios18>(" + parameters + ") {\n" + "\n".join(self.statements) +
                       "\n  } -> (" + ", ".join(self.expected) + ");\n}\n")
        command = ["mil-eval", program]
        for name, array in self.inputs.items():
            path = os.path.join(scratch, name + ".npy")
            np.save(path, array.copy(order="C"))
            command += ["--input", f"{name}={path}"]
        for name in self.expected:
            command += ["--output", f"{name}={os.path.join(scratch, name)}.npy"]
        if subprocess.run(command).returncode:
            return 1
        wrong = 0
        for name, (op, arguments, want) in self.expected.items():
            got = np.load(os.path.join(scratch, name + ".npy"))
            if want.dtype.kind == "f":
                scale = np.abs(want[np.isfinite(want)]).max(initial=1e-30)
                good = got.shape == want.shape and np.allclose(got, want, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
            else:
                good = got.dtype == want.dtype and np.array_equal(got, want)
            if not good:
                wrong += 1
                shown = {k: v if not isinstance(v, np.ndarray) else f"{v.dtype}{list(v.shape)}" for k, v in arguments.items()}
                print(f"{op}{shown}\n  gives {got.reshape(-1)[:12]}\n  not   {want.reshape(-1)[:12]}")
        print(f"{len(self.expected) - wrong} of {len(self.expected)} results are right")
        return 1 if wrong else 0

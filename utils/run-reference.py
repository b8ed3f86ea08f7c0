#!/usr/bin/python3
"""Computes a TOSA network on the CPU with stock MLIR, in f32: the truth of our tests.

usage: run-reference.py NET.mlir [--function NAME] --input X.npy ... --output Y.npy

NET.mlir holds one function (default: the only public one) from f32 tensors to one f32
tensor; weights are constants in it. The inputs are .npy files (f16 or f32, C order), the
output is written as f32. LLVM_BIN names the folder of mlir-opt and mlir-runner.
Python's standard library is enough.
"""
import argparse
import array
import ast
import importlib.util
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("lowering", os.path.join(HERE, "..", "python", "ane", "_lowering.py"))
lowering = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lowering)
LLVM_BIN, LLVM_LIB = lowering.LLVM_BIN, lowering.LLVM_LIB

# Large constants pass by the tools: these see a name only, and the program maps the bytes
# from a file. As text they would be parsed twice, and LLVM would make an object of each
# innermost row of them.
LARGE = PAGE = 4096
MAPPING = """llvm.mlir.global private constant @reference_file("{path}\\00")
llvm.func @open(!llvm.ptr, i32, ...) -> i32
llvm.func @mmap(!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
llvm.func @close(i32) -> i32
llvm.func @reference_constant(%offset: i64, %bytes: i64) -> !llvm.ptr {{
  %path = llvm.mlir.addressof @reference_file : !llvm.ptr
  %read_only = llvm.mlir.constant(0 : i32) : i32
  %file = llvm.call @open(%path, %read_only) vararg(!llvm.func<i32 (ptr, i32, ...)>) : (!llvm.ptr, i32) -> i32
  %anywhere = llvm.mlir.zero : !llvm.ptr
  %prot_read = llvm.mlir.constant(1 : i32) : i32
  %map_private = llvm.mlir.constant(2 : i32) : i32
  %data = llvm.call @mmap(%anywhere, %bytes, %prot_read, %map_private, %file, %offset)
    : (!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
  %closed = llvm.call @close(%file) : (i32) -> i32
  llvm.return %data : !llvm.ptr
}}
"""


def read_npy(path):
    """Shape and f32 values of an f16 or f32 array."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x93NUMPY":
        sys.exit(f"{path}: not a .npy file")
    length, start = (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    header = ast.literal_eval(data[start : start + length].decode("latin1"))
    body = data[start + length :]
    if header["fortran_order"]:
        sys.exit(f"{path}: Fortran order is not supported")
    if header["descr"] == "<f4":
        values = array.array("f", body)
    elif header["descr"] == "<f2":
        values = array.array("f", struct.unpack(f"<{len(body) // 2}e", body))
    else:
        sys.exit(f"{path}: type {header['descr']}, expected <f4 or <f2")
    return header["shape"], values


def write_npy(path, shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}).encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values.tobytes())


def dims(type_text):
    return [int(d) for d in re.findall(r"(\d+)x", type_text)]


def find_function(text, name):
    pattern = rf"func\.func (?:public )?@({name or '[A-Za-z_][A-Za-z_0-9]*'})\s*\("
    match = re.search(pattern, text)
    if not match:
        sys.exit(f"there is no function @{name or '...'} in the network")
    depth, at = 1, match.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    arguments = re.findall(r"%\w+\s*:\s*(tensor<[^>]*>)", text[match.end() : at - 1])
    result = re.search(r"->\s*\(?\s*(tensor<[^>]*>)", text[at : at + 4096])
    if not result:
        sys.exit(f"@{match.group(1)} does not return a tensor")
    return match.group(1), arguments, result.group(1)


class Constants:
    """The large constants of a network, in a file."""

    def __init__(self, file):
        self.file, self.places = file, {}

    def add(self, name, data):
        self.file.write(b"\0" * (-self.file.tell() % PAGE))
        self.places[name] = (self.file.tell(), len(data))
        self.file.write(data)

    def take_from(self, resources):
        """Moves the large ones of the entries `name: "0x04000000..."` to the file; the others."""
        small = []
        entry = re.compile(r'\s*,?\s*([\w.$-]+|"[^"]*")\s*:\s*"0x([0-9a-fA-F]{8})')
        at = resources.find("builtin: {") + len("builtin: {")
        while match := entry.match(resources, at):
            end = resources.index('"', match.end())
            if match.group(2) == "04000000" and end - match.end() > 2 * LARGE:
                self.add(match.group(1).strip('"'), bytes.fromhex(resources[match.end() : end]))
            else:
                small.append(resources[at : end + 1].strip(" \n,"))
            at = end + 1
        return small

    def map_into(self, lowered):
        """The program with its large constants mapped."""
        self.file.flush()
        mapped = {}

        def drop(match):
            place = self.places.get(match.group(2).strip('"'))
            if place is None:
                return match.group(0)
            mapped[match.group(1)] = place
            return ""

        def call(match):
            value, name = match.groups()
            if name not in mapped:
                return match.group(0)
            offset, count = mapped[name]
            return (f"%offset_{value} = llvm.mlir.constant({offset} : i64) : i64\n"
                    f"%bytes_{value} = llvm.mlir.constant({count} : i64) : i64\n"
                    f"%{value} = llvm.call @reference_constant(%offset_{value}, %bytes_{value}) : (i64, i64) -> !llvm.ptr")

        lowered = re.sub(r"^ *llvm\.mlir\.global \w+ constant @(\w+)\(dense_resource<([^>]*)>.*\n", drop, lowered, flags=re.M)
        lowered = re.sub(r"%(\w+) = llvm\.mlir\.addressof @(\w+) : !llvm\.ptr", call, lowered)
        mapping = MAPPING.format(path=self.file.name)
        return re.sub(r"^module\b.*\n", lambda match: match.group(0) + mapping, lowered, count=1, flags=re.M)


def with_main(body, resources, name, arguments, result):
    """The module with a @main that feeds the constants and prints the result."""
    lines = ["func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}", "func.func @main() {"]
    for i, type_text in enumerate(arguments):
        lines.append(f"  %in{i} = arith.constant dense_resource<reference_input{i}> : {type_text}")
    operands = ", ".join(f"%in{i}" for i in range(len(arguments)))
    lines += [
        f"  %out = call @{name}({operands}) : ({', '.join(arguments)}) -> {result}",
        f"  %any = tensor.cast %out : {result} to tensor<*xf32>",
        "  call @printMemrefF32(%any) : (tensor<*xf32>) -> ()",
        "  return",
        "}",
    ]
    main = "\n".join(lines) + "\n"
    if re.search(r"^\s*module\b", body, re.M):
        end = body.rindex("}")
        body = body[:end] + main + body[end:]
    else:
        body += main
    if resources:
        body += "{-# dialect_resources: { builtin: {\n" + ",\n".join(resources) + "\n} } #-}\n"
    return body


def run(source, constants):
    """What the program prints."""
    opt = subprocess.run(
        [f"{LLVM_BIN}/mlir-opt", f"--pass-pipeline={lowering.pipeline()}"],
        input=source, capture_output=True, text=True)
    if opt.returncode:
        sys.exit("stock MLIR cannot lower the network:\n" + opt.stderr[:2000])
    libraries = ",".join(f"{LLVM_LIB}/lib{n}.so" for n in ("mlir_runner_utils", "mlir_c_runner_utils", "mlir_float16_utils"))
    run = subprocess.run(
        [f"{LLVM_BIN}/mlir-runner", "-O1", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"],
        input=constants.map_into(opt.stdout), capture_output=True, text=True)
    if run.returncode or "data =" not in run.stdout:
        sys.exit("stock MLIR cannot run the network:\n" + run.stderr[:2000])
    return run.stdout[run.stdout.index("data =") + 6 :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--function")
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--output", required=True)
    options = parser.parse_args()

    with open(options.network) as file:
        text = file.read()
    tail = text.find("{-#")
    body, resources = (text[:tail], text[tail:]) if tail >= 0 else (text, "")
    name, arguments, result = find_function(body, options.function)
    if len(arguments) != len(options.input):
        sys.exit(f"@{name} has {len(arguments)} inputs, but {len(options.input)} files are given")
    with tempfile.NamedTemporaryFile() as file:
        constants = Constants(file)
        small = constants.take_from(resources)
        for i, (type_text, path) in enumerate(zip(arguments, options.input)):
            shape, values = read_npy(path)
            if math.prod(dims(type_text)) != len(values):
                sys.exit(f"{path}: shape {list(shape)}, expected {dims(type_text)}")
            constants.add(f"reference_input{i}", values.tobytes())
        printed = run(with_main(body, small, name, arguments, result), constants)
    numbers = re.findall(r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)", printed)
    values = array.array("f", map(float, numbers))
    if len(values) != math.prod(dims(result)):
        sys.exit(f"the reference printed {len(values)} values, expected {math.prod(dims(result))}")
    write_npy(options.output, dims(result), values)


try:
    main()
except OSError as error:
    sys.exit(f"run-reference.py: error: {error}")

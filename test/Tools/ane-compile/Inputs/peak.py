"""The peak memory of the compiler, beside the size of the weights.

usage: peak.py BIN FOLDER

A MIL program of layers whose weights are 8 MB each, in half and in single precision, and one whose
weights are arrays that arguments are bound to. Weights are mapped, rounded, packed and written, and
nothing has all of them twice: the peak is at most 1.3 times their size and 100 MB.
"""
import array
import os
import struct
import subprocess
import sys

BIN, FOLDER = sys.argv[1:]
CHANNELS, LAYERS = 2048, 16
TYPES = {"fp16": ("H", 1), "fp32": ("f", 2)}


def write(folder, element):
    """The program and its weights; returns how many bytes these have."""
    code, number = TYPES[element]
    layers = LAYERS if element == "fp16" else LAYERS // 2
    os.makedirs(os.path.join(folder, "weights"), exist_ok=True)
    # Values differ, so that no two layers are one.
    few = array.array("f", ((i * 7919 % 1009 - 504) / 2**15 for i in range(4096)))
    if element == "fp16":
        few = array.array("H", struct.unpack("<4096H", struct.pack("<4096e", *few)))
    tensor = f"tensor<{element}, [1, {CHANNELS}, 1, 64]>"
    kernel = f"tensor<{element}, [{CHANNELS}, {CHANNELS}, 1, 1]>"
    lines = ["program(1.3)", "[buildInfo = dict<string, string>({})]", "{", f"    func main<ios18>({tensor} x0) {{"]
    with open(os.path.join(folder, "weights", "weight.bin"), "wb") as file:
        file.write(struct.pack("<II", layers, 2) + bytes(56))
        for layer in range(layers):
            at, size = file.tell(), CHANNELS * CHANNELS * few.itemsize
            file.write(struct.pack("<IIQQQ", 0xDEADBEEF, number, size, at + 64, 0) + bytes(32))
            data = few[layer:] + few[:layer]
            file.write(data.tobytes() * (CHANNELS * CHANNELS // len(data)))
            lines.append(f'        {kernel} w{layer} = const()[name = string("w{layer}"), val = {kernel}(BLOBFILE('
                         f'path = string("@model_path/weights/weight.bin"), offset = uint64({at})))];')
            lines.append(f'        {tensor} x{layer + 1} = conv(weight = w{layer}, x = x{layer})[name = string("x{layer + 1}")];')
    lines += [f"    }} -> (x{layers});", "}"]
    with open(os.path.join(folder, "net.mil"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return os.path.getsize(os.path.join(folder, "weights", "weight.bin"))


def write_bound(folder):
    """A network and one array of all its weights, an argument; flags, and the bytes of the array."""
    os.makedirs(folder, exist_ok=True)
    few = array.array("f", ((i * 7919 % 1009 - 504) / 2**15 for i in range(4096)))
    few = array.array("H", struct.unpack("<4096H", struct.pack("<4096e", *few)))
    tensor, kernel = f"tensor<1x{CHANNELS}x1x64xf16>", f"tensor<{CHANNELS}x{CHANNELS}x1x1xf16>"
    whole = f"tensor<{LAYERS * CHANNELS}x{CHANNELS}x1x1xf16>"
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({LAYERS * CHANNELS}, {CHANNELS}, 1, 1), }}"
    header += " " * (117 - len(header)) + "\n"
    path, lines = os.path.join(folder, "w.npy"), []
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for layer in range(LAYERS):
            data = few[layer:] + few[:layer]
            file.write(data.tobytes() * (CHANNELS * CHANNELS // len(data)))
            lines.append(f"  %w{layer} = ane.slice %w {{offsets = array<i64: {layer * CHANNELS}, 0, 0, 0>, sizes = array<i64: {CHANNELS}, "
                         f"{CHANNELS}, 1, 1>, strides = array<i64: 1, 1, 1, 1>}} : {whole} -> {kernel}\n"
                         f"  %x{layer + 1} = ane.conv %x{layer}, %w{layer} : {tensor}, {kernel} -> {tensor}\n")
    with open(os.path.join(folder, "net.mlir"), "w", encoding="utf-8") as file:
        file.write(f"func.func @net(%x0: {tensor}, %w: {whole}) -> {tensor} {{\n{''.join(lines)}"
                   f"  return %x{LAYERS} : {tensor}\n}}\n")
    return [f"--bind=1=@{path}"], os.path.getsize(path)


for element in [*TYPES, "npy"]:
    folder = os.path.join(FOLDER, element)
    if element == "npy":
        flags, weights = write_bound(folder)
        flags.append(os.path.join(folder, "net.mlir"))
    else:
        weights = write(folder, element)
        flags = [os.path.join(folder, "net.mil"), f"--mil-root={folder}"]
    process = subprocess.Popen([os.path.join(BIN, "ane-compile"), *flags, "-o", os.path.join(FOLDER, "net.hwx")])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{element}: the compiler failed")
    peak, limit = usage.ru_maxrss * 1024 / 1e6, 1.3 * weights / 1e6 + 100
    print(f"{element}: {weights / 1e6:.0f} MB of weights, peak {peak:.0f} MB, limit {limit:.0f} MB: "
          f"{'within' if peak <= limit else 'beyond'}")

"""Runs a fuzzer for a while on seeds from the test tree.

usage: fuzz.py KIND FUZZER SECONDS SCRATCH SOURCE_TREE

Nothing is kept between runs: the seeds are texts of the test tree, and what the
tools make of them. A crash, memory over the limit or an input that takes longer
than 10 seconds fails, and the input is left in SCRATCH.
"""
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys

kind, fuzzer, seconds, scratch, tree = sys.argv[1:]
corpus = os.path.join(scratch, "corpus")
shutil.rmtree(scratch, ignore_errors=True)
os.makedirs(corpus)
count = 0


def seed(data):
    global count
    with open(os.path.join(corpus, f"seed{count}"), "wb") as file:
        file.write(data)
    count += 1


def tool(*command):
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.stdout if done.returncode == 0 else b""


def mil_seeds():
    for path in glob.glob(f"{tree}/test/**/*.mil", recursive=True):
        seed(open(path, "rb").read())
    # Programs in tests of several files and of errors.
    for path in glob.glob(f"{tree}/test/**/*.test", recursive=True):
        for text in re.findall(r"^program\(.*?(?=^====|^#|^//---|\Z)", open(path).read(), re.M | re.S):
            seed(text.encode())
    for path in glob.glob(f"{tree}/test/Dialect/MIL/**/*.mlir", recursive=True):
        seed(tool("ane-translate", "--to-mil", path))
    # Each statement of the cases of the private paths' rules.
    for path in glob.glob(f"{tree}/test/Dialect/MIL/Transforms/Inputs/*.txt"):
        for line in re.findall(r"^tensor.*;$", open(path).read(), re.M):
            blob = r'tensor<fp16, [\1]>(BLOBFILE(path = string("@model_path/w"), offset = uint64(64)))'
            line = re.sub(r"\$\{(?:blob|dense) ([^}]*)\}", blob, line)
            line = re.sub(r"\$\{([^}]*)\}", r"\1", line)
            seed(f"program(1.3) {{ func main<ios18>(tensor<fp16, [1, 32, 32, 32]> in0) {{ {line} }} -> (r); }}".encode())


def onnx_seeds():
    """What the tests of the reader make."""
    inputs = f"{tree}/test/Target/ONNX/Inputs"
    folder = os.path.join(scratch, "models")
    os.makedirs(folder)
    for test in ("import", "operators"):
        subprocess.run(["/usr/bin/python3", f"{tree}/test/Target/ONNX/{test}.test", inputs, folder, "seeds"],
                       capture_output=True)
    for path in glob.glob(folder + "/*.onnx"):
        seed(open(path, "rb").read())


def layer_seeds(test, pattern):
    inputs = f"{tree}/test/Target/Models/Inputs"
    folder = os.path.join(scratch, "models")
    os.makedirs(folder + "/w")
    subprocess.run(["/usr/bin/python3", f"{tree}/test/Target/Models/{test}.test", inputs, folder, "seeds"],
                   capture_output=True)
    for path in glob.glob(f"{folder}/{pattern}"):
        seed(open(path, "rb").read())


def plist_seeds():
    layer_seeds("plist-units", "w/*.plist")


def mlmodel_seeds():
    layer_seeds("mlmodel-layers", "*.mlmodel")


def espresso_seeds():
    folder = os.path.join(scratch, "models")
    os.makedirs(folder)
    subprocess.run(["/usr/bin/python3", f"{tree}/test/Target/Models/espresso.test", folder, "seeds"], capture_output=True)
    for path in glob.glob(folder + "/*.mlmodelc"):
        seed(b"\0".join(open(f"{path}/model.espresso.{part}", "rb").read() for part in ("net", "shape", "weights")))


def blob_seeds():
    random.seed(1)
    for number in range(1, 18):
        bits = [0, 16, 32, 8, 8, 16, 16, 16, 4, 1, 2, 4, 3, 6, 32, 32, 8, 8][number]
        for elements in (1, 9, 64):
            data = bytes(random.randrange(256) for _ in range((elements * bits + 7) // 8))
            padding = -elements * bits % 8 if bits < 8 else 0
            record = struct.pack("<IIQQQ32x", 0xDEADBEEF, number, len(data), 128, padding)
            seed(struct.pack("<QQB", 64, elements, number) + struct.pack("<II56x", 1, 2) + record + data)


def compiled(extension, target="h13"):
    """Small networks of the test tree, as files of this kind."""
    networks = glob.glob(f"{tree}/test/Integration/*.mlir")
    for path in sorted(networks, key=os.path.getsize)[:8]:
        out = os.path.join(scratch, "seed." + extension)
        if subprocess.run(["ane-compile", path, f"--target={target}", "-o", out], capture_output=True, timeout=60).returncode == 0:
            yield open(out, "rb").read()
            os.remove(out)


def hwx_seeds():
    for data in compiled("hwx"):
        seed(data)


def anec_seeds():
    for data in compiled("anec"):
        seed(data)
        seed(data[:0x800] + data[0x1000:])
    for data in compiled("anec", "h14"):
        seed(data)


def simulator_seeds():
    for extension in ("hwx", "anec"):
        for data in compiled(extension):
            seed(data)


def texts(pattern):
    """Modules of files with several, without what is for their test."""
    for path in sorted(glob.glob(f"{tree}/test/{pattern}")):
        for text in re.split(r"^// -----$", open(path).read(), flags=re.M):
            # Checks are half of these files, and resources are MLIR's.
            text = re.sub(r"(?m)^ *//.*\n", "", text)
            text = re.sub(r"(?s)\{-#.*#-\}", "", text)
            if text.strip():
                seed(text.encode())


def stablehlo_seeds():
    texts("Conversion/StableHLOToANE/*.mlir")
    texts("Dialect/StableHLO/*.mlir")


def bytecode_seeds():
    random.seed(1)
    for dialect in ("ANE", "HWX", "MIL"):
        texts(f"Dialect/{dialect}/*.mlir")
    for choice in range(256):
        seed(b"\0" + bytes([choice]) + random.randbytes(40))


def npy_seeds():
    for code in ("<f2", "<f4", "|i1", "|u1", "<i2", "<i4", "<i8"):
        for shape in ("()", "(3,)", "(2, 0, 3)", "(1, 2, 3, 1)"):
            dims = [int(dim) for dim in re.findall(r"\d+", shape)]
            count = 1
            for dim in dims:
                count *= dim
            text = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
            for version, length in ((1, struct.pack("<H", len(text))), (2, struct.pack("<I", len(text)))):
                seed(b"\x93NUMPY" + bytes([version, 0]) + length + text + bytes(count * int(code[-1])))


def plan_seeds():
    seed(b'{"function": "f", "ops": 3, "column_parts": 1, "groups": []}')
    seed(b'{"function": "f", "ops": 3, "groups": [{"first": 0, "last": 2, "dim": 2, "size": 8, "keep": true}]}')
    seed(b'[{"function": "f", "ops": 3, "column_parts": [{"first": 0, "last": 2, "parts": 2}], "groups": '
         b'[{"first": 1, "last": 2, "dim": [2, 3], "size": [8, 16], "keep": "narrow"}]}]')
    seed(b'{"function": "f", "ops": 3, "groups": [{"first": 0, "last": 0, "dim": 1, "size": 4}], "reductions": [{"op": 0, '
         b'"input_channels": 4}], "residency": [{"op": 1, "in": "l2"}, {"argument": 0, "in": "dram"}]}')


globals()[kind + "_seeds"]()
assert count >= 3, count
environment = dict(os.environ)
# The packaged libraries have no instrumentation: they neither unpoison what they
# hand out nor keep the books of containers.
environment["ASAN_OPTIONS"] = ":".join(
    ["allow_user_poisoning=0", "detect_leaks=0", "detect_container_overflow=0", "allocator_may_return_null=1"]
)
command = [fuzzer, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=1500", "-max_len=65536"]
command += ["-print_final_stats=1", f"-artifact_prefix={scratch}/", corpus]
done = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, text=True, errors="replace")
runs = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
print(f"{count} seeds, {runs.group(1) if runs else 'no'} inputs")
if done.returncode or not runs or int(runs.group(1)) < count:
    print(done.stderr[-6000:])
    sys.exit(1)

"""Compiles and runs the networks of a folder and compares each with its units in numpy.

usage: plist-networks.py NETWORKS WORK

Writes also the networks that are made to compare files. This reader shares nothing with the compiler's.
"""
import glob
import os
import plistlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Target/Models/Inputs"))
from plists import conv, net, unit, write

source, work = sys.argv[1:3]
AXES = {"Batch": 0, "Channel": 1, "Depth": 2, "Height": 3, "Width": 4}
KINDS = {"Float16": np.float16, "Float32": np.float32, "UInt8": np.uint8}


def half(bits):
    return np.array(bits, np.uint16).view(np.float16).astype(np.float64)


def weights(network, folder, kind, index, offset, count):
    name = os.path.basename(network["Weights"][index])
    for place in (folder, os.path.join(folder, "..")):
        if os.path.exists(os.path.join(place, name)):
            with open(os.path.join(place, name), "rb") as file:
                data = file.read()
            # As the engine stores them.
            return np.frombuffer(data, KINDS[kind], count, offset).astype(np.float16).astype(np.float64)
    raise FileNotFoundError(name)


def evaluate(network, folder, values):
    for name in network["Units"]:
        entry = network[name]
        params = entry.get("Params", {})
        bottoms = entry["Bottom"] if isinstance(entry["Bottom"], list) else [entry["Bottom"]]
        x, *rest = [values[each] for each in bottoms]
        kind = entry["Type"]
        if kind == "Conv":
            shape = (entry["OutputChannels"], x.shape[1])
            w = weights(network, folder, params["KernelType"], params.get("KernelIndex", 0), params["KernelOffset"],
                        shape[0] * shape[1]).reshape(shape)
            assert params["KernelHeight"] == params["KernelWidth"] == 1
            y = np.einsum("ncdhw,oc->nodhw", x, w)
            if entry["OutputType"] == "UInt8":
                y = np.clip(y, 0, 255)
        elif kind == "GOC":
            data = params.get("BiasScaleGroupData")
            bias = half(params.get("BiasScalar", 0)) if data is None else weights(
                network, folder, data["BiasType"], data["BiasIndex"], data["BiasOffset"],
                data["BiasCount"]).reshape(1, -1, 1, 1, 1)
            y = (x + bias) * half(params.get("ScaleScalar", 0x3c00))
        elif kind == "Neuron":
            y = {"Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Exp2": np.exp2, "Sign": np.sign}[params["Type"]](x)
        elif kind == "ScaledElementWise":
            y = {"Add": np.add, "Min": np.minimum}[params["Type"]](x, rest[0]) * half(params["Scale"])
        elif kind == "Concat":
            y = np.concatenate([x, *rest], AXES[params.get("Dimension", "Channel")])
        elif kind == "Reshape":
            y = x.reshape([params["Reshaped" + each] for each in AXES])
        elif kind == "InputView":
            y = np.take(x, range(params["Offset"], params["Offset"] + params["Size"]), AXES[params["Dimension"]])
        else:
            assert kind == "Broadcast"
            shape = list(x.shape)
            for each in params["BroadcastInfo"]:
                shape[AXES[each["Dimension"]]] = each["Size"]
            y = np.broadcast_to(x, shape)
        values[name] = y
    return values


rng = np.random.default_rng(5)
right = total = missing = 0
for path in sorted(glob.glob(source + "/*.plist") + glob.glob(source + "/simple/*.plist")):
    total += 1
    with open(path, "rb") as file:
        root = plistlib.load(file)
    network = root[root["Networks"][0]]
    inputs = {}
    for name in network["Inputs"]:
        entry = network[name]
        shape = [entry.get("BatchSize", 1), entry["InputChannels"], entry.get("InputDepth", 1), entry["InputHeight"],
                 entry["InputWidth"]]
        inputs[name] = (rng.integers(0, 4, shape).astype(np.uint8) if entry["InputType"] == "UInt8" else
                        rng.uniform(-2, 2, shape).astype(np.float16))
    program = work + "/network.hwx"
    done = subprocess.run(["ane-compile", path, "-o", program], stderr=subprocess.PIPE, text=True)
    try:
        values = evaluate(network, os.path.dirname(path), {key: x.astype(np.float64) for key, x in inputs.items()})
    except (FileNotFoundError, ValueError):
        missing += 1
        assert done.returncode == 1 and ("neither beside the network" in done.stderr or "but the file has" in done.stderr)
        continue
    if done.returncode:
        print(done.stderr)
        continue
    volume = any(x.shape[2] > 1 for x in values.values())
    command = ["ane-run", program]
    for name, x in inputs.items():
        np.save(f"{work}/{name}.npy", x if volume else x[:, :, 0])
        command += ["--input", f"{name}={work}/{name}.npy"]
    for name in network["Outputs"]:
        command += ["--output", f"{name}={work}/{name}.out.npy"]
    subprocess.run(command, check=True)
    good = True
    for name in network["Outputs"]:
        want = values[network[name]["Bottom"]]
        got = np.load(f"{work}/{name}.out.npy").astype(np.float64).reshape(want.shape)
        if not np.abs(got - want).max() <= 4e-3 * max(np.abs(want).max(), 1):
            good = False
            print(f"{os.path.basename(path)}: {name} is off by {np.abs(got - want).max()}")
    right += good
print(f"{right} of {total} networks agree, {missing} without their weights")

write(work + "/relu.plist", net({"image": (1, 1, 1, 77)}, unit("u", "Neuron", "image", {"Type": "ReLU"}), {"probs@output": "u"}))
write(work + "/sigmoid.plist",
      net({"image": (1, 1, 1, 77)}, unit("u", "Neuron", "image", {"Type": "Sigmoid"}), {"probs@output": "u"}))
write(work + "/concat.plist", net({"input_1": (1, 16, 1, 1), "input_0": (1, 16384, 1, 1)},
                                  unit("output", "Concat", ["input_0", "input_1"]), {"output@output": "output"}))
for name, value, channels in ("conv", 2, 3), ("conv2x3", 3, 3), ("gemm", 0, 512):
    np.full((channels, channels), value, np.float16).tofile(f"{work}/{name}.weights")
    write(f"{work}/{name}.plist", net({"image": (1, channels, 1, 1)}, conv("u", "image", channels), {"probs@output": "u"},
                                      [name + ".weights"]))

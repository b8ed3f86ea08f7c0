"""Networks as net.plist, of both versions, for the tests of this folder and as seeds."""
import plistlib


import numpy as np


def half(value):
    return int(np.array(value, np.float16).view(np.uint16))


def sizes(prefix, shape, batch):
    n, c, d, h, w = (*shape[:2], 1, *shape[2:]) if len(shape) == 4 else shape
    return {batch: n, prefix + "Channels": c, prefix + "Depth": d, prefix + "Height": h, prefix + "Width": w}


def unit(name, kind, bottom, params=None, **more):
    out = {"Name": name, "Type": kind, "Bottom": bottom, "OutputType": "Float16", **more}
    return {name: out if params is None else {**out, "Params": params}}


def net(inputs, units, outputs, weights=(), constants=None, kind="Float16"):
    """Version 1.0.9; `outputs` are names of units by names of outputs."""
    network = {"Inputs": list(inputs), "Outputs": list(outputs), "Units": list(units), "Weights": list(weights), **units}
    for name, shape in inputs.items():
        network[name] = {"InputType": kind, "InputInterleave": 1, "InputRowStride": 64,
                         **sizes("Input", shape, "BatchSize")}
    for name, source in outputs.items():
        network[name] = {"Bottom": source, "OutputInterleave": 1}
    if constants:
        network.update(constants, Constants=list(constants))
    return {"Networks": ["net"], "Version": "1.0.9", "net": network}


def procedure(inputs, units, outputs):
    """Version 1.0.10; each input is listed once for each unit that reads it."""
    ports = [{"InputName": name, "InputType": "Float16", "Name": reader["Name"], "OperationName": "op0",
              **sizes("Input", shape, "BatchSize")}
             for reader in units.values() for name, shape in inputs.items() if name in reader["Bottom"]]
    return {"Networks": ["n"], "Version": "1.0.10",
            "ProcedureList": [{"Name": "p", "InputList": ports,
                               "OperationList": [{"NetworkName": "n", "OperationName": "op0"}],
                               "OutputList": [{"OutputName": name, "Name": source, "OutputType": "Float16"}
                                              for name, source in outputs.items()]}],
            "n": {"Units": list(units), "Weights": ["weights.0"], **units}}


def conv(name, bottom, channels, kernel=(1, 1), pad=0, step=1, index=0, offset=0, kind="Float16", **more):
    return unit(name, "Conv", bottom,
                {"KernelHeight": kernel[0], "KernelWidth": kernel[1], "KernelIndex": index, "KernelOffset": offset,
                 "KernelType": kind, "KernelMode": "Dense", "KernelGroupReuse": False, "PadTop": pad, "PadBot": pad,
                 "PadLeft": pad, "PadRight": pad, "PaddingMode": "Zero", "Step": [step, step], "Type": "Conv"},
                OutputChannels=channels, **more)


def write(path, network, binary=False):
    with open(path, "wb") as file:
        plistlib.dump(network, file, fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML)

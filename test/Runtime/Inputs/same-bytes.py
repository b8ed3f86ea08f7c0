"""Runs one program everywhere and compares: same-bytes.py STAND_IN"""
import os
import subprocess
import sys

import numpy as np

import ane

BIN = os.environ["ANE_BIN_DIR"]
SHAPE = (1, 4, 8, 8)
STEPS = 3

random = np.random.default_rng(7)
image, state = (random.uniform(-2, 2, SHAPE).astype(np.float16) for _ in range(2))
for name, array in (("image", image), ("state", state)):
    np.save(name + ".npy", array)
    array.tofile(name + ".raw")
simulated = ane.load("net.hwx")
first = simulated.run({"state": state, "image": image})
steps = [first]
for _ in range(STEPS - 1):
    steps.append(simulated.run({"state": steps[-1]["next"], "image": image}))


def same(one, other):
    return all(np.array_equal(one[name].view(np.uint16), other[name].view(np.uint16)) for name in ("next", "square"))


def check(path, device):
    kind = device.split(":")[0]
    os.environ.pop("ANE_APPLE_STAND_IN", None)
    os.environ.pop("ANE_ASAHI_STAND_IN", None)
    if kind != "sim":
        os.environ[f"ANE_{kind.upper()}_STAND_IN"] = sys.argv[1]
    os.environ["ANE_ASAHI_STAND_IN_PROGRAM"] = os.path.abspath(path)
    subprocess.run([f"{BIN}/ane-run", path, f"--device={device}", "--input", "state.npy", "--input", "image.npy",
                    "--output", "next.npy", "--output", "square.npy"], check=True)
    told = {"C++": same(first, {name: np.load(name + ".npy").reshape(SHAPE) for name in ("next", "square")})}
    subprocess.run(["./run-in-c", path, device, str(STEPS)], check=True)
    told["C"] = same(steps[-1], {name: np.fromfile(name + ".raw", np.float16).reshape(SHAPE) for name in ("next", "square")})
    told["Python"], told["in the background"], told["with a state"] = in_python(path, device)
    bad = [way for way, good in told.items() if not good]
    print(f"{path} on {device}: {', '.join(told)}: {'differs: ' + ', '.join(bad) if bad else 'equal'}", flush=True)


def in_python(path, device):
    program = ane.load(path)
    # .anec files have no names, and MIL text others: the order is that of the network.
    (state_name, image_name), outputs = [t.name for t in program.inputs], [t.name for t in program.outputs]

    def named(result):
        return dict(zip(("next", "square"), (result[name] for name in outputs)))

    inputs = {state_name: state, image_name: image}
    plain = same(first, named(program.run(inputs, device=device)))
    event = ane.Event()
    request = program.submit(inputs, device=device, wait=(event, 1), signal=(event, 2))
    waits = not request.wait(0.02) and event.value == 0
    event.signal(1)
    event.wait(2, timeout=20)
    later = waits and same(first, named(request.result())) and request.done() and not request.cancel()
    program.keep(state_name, outputs[0], device=device)
    program.set_state(state_name, state, device=device)
    for _ in range(STEPS):
        result = named(program.run({image_name: image}, device=device))
    kept = same(steps[-1], result) and np.array_equal(program.state(state_name, device=device), steps[-1]["next"])
    return plain, later, kept


for path in ("standard", "direct", "realtime", "program"):
    check("net.mil", f"apple:path={path}")
check("net.mil", "apple:worker")
check("net.anec", "asahi")
check("net14.hwx", "asahi:timeout=9")
check("net.hwx", "sim:worker")

#!/usr/bin/env python3
"""Compile random networks of odd shapes and hold what comes out against what must hold.

  fuzz-networks.py [--bin DIR] [--seed N] [--count N] [--large] [--bits] [--batch N] [--target h14] [--keep DIR]

Each network is a graph of convolutions, poolings, elementwise ops, joins, transposed
convolutions, norms, attention and so on, a few MB at most (--large: more than L2 holds, so
that strips are needed). Each of these fails:
- a tool crashes, takes more than a minute, or says no without an error at a place;
- memory overlaps or is beyond its region (ane-verify-memory);
- the simulator refuses the program, or moves fewer bytes than the planner of tiles has
  proved that every program moves;
- with --bits, results with and without strips differ in a bit, or those of --target and of h13
  by more than 1 % of the largest. They may differ at all where one of the two takes a window
  as one kernel that is two for the other. With --batch, too, results of a batch and those of
  its images alone, by as much.

An error of the compiler about a network is no failure; all kinds of them are listed at the
end. The network of a failure is left in --keep, the working directory unless given.
"""
import argparse
import collections
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))
import networks  # noqa: E402


class Failed(Exception):
    """Something must not be so."""


class Refused(Exception):
    """The compiler says why it cannot."""


# Networks -------------------------------------------------------------------


def conv(net, rng, x):
    channels = rng.choice([1, 3, 8, 16, 24, 33, 64, 100, 128, 192])
    kernel = (rng.choice([1, 1, 2, 3, 3, 5, 7]), rng.choice([1, 1, 2, 3, 3, 5, 7]))
    if rng.random() < 0.6:
        kernel = (kernel[0], kernel[0])
    act = rng.choice([None, None, "relu", "sigmoid", "silu", "gelu"])
    return net.conv(x, channels, kernel, rng.choice([1, 1, 1, 2]), act=act)


def depthwise(net, rng, x):
    return net.conv(x, x.shape[1], rng.choice([3, 5]), rng.choice([1, 1, 2]), groups=x.shape[1])


def pool(net, rng, x):
    kernel = rng.choice([2, 3])
    if min(x.shape[2:]) < 2 * kernel:
        return x
    return net.max_pool(x, kernel, rng.choice([1, 2]), rng.choice([0, 1]) if kernel == 3 else 0)


def double(net, rng, x):
    return net.double(x, rng.choice([4, 16, 31, 64]))


def shuffle(net, rng, x):
    return net.shuffle(x if x.shape[1] % 4 == 0 else net.conv(x, 4 * rng.choice([1, 3, 16]), 1))


def activation(net, rng, x):
    return net.act(x, rng.choice(["relu", "sigmoid", "tanh", "gelu", "exp"]))


def gate(net, rng, x):
    """Squeeze and excite: every pixel waits for the mean of all."""
    mean = net.conv(net.mean(x), x.shape[1], 1, act="sigmoid")
    return net.op("elementwise mul", [x, mean], x.shape)


def norm(net, rng, x):
    return net.norm(x, rng.choice(["layer_norm", "rms_norm"]))


def transformer(net, rng, x):
    """Pixels are tokens, as far as there are not too many."""
    tokens = x.shape[2] * x.shape[3]
    if net.images > 1 or tokens > 1600:
        return x
    width = 16 * rng.choice([1, 2, 4])
    y = net.reshape(net.conv(x, width, 1), [1, width, 1, tokens])
    return net.reshape(net.block(y, rng.choice([1, 2, 4]), 2 * width + 1), [1, width, *x.shape[2:]])


LAYERS = [conv] * 8 + [depthwise, pool, pool, double, shuffle, activation, gate, norm, transformer]


def join(net, rng, x, others):
    """With a value of before that has the same pixels."""
    like = [y for y in others if y.shape[2:] == x.shape[2:] and y is not x]
    if not like:
        return x
    y = rng.choice(like)
    if rng.random() < 0.5:
        return net.concat(x, y)
    if y.shape[1] != x.shape[1]:
        x = net.conv(x, y.shape[1], rng.choice([1, 3]))
    return net.binary(rng.choice(["add", "mul", "max", "sub"]), x, y, rng.choice([None, "relu"]))


def build(seed, large, images, weights="splat", alone=False):
    """A network on so many images, or the same on one of them."""
    rng = random.Random(seed)
    sizes = [48, 97, 128, 224, 321, 384] if large else [1, 2, 7, 16, 19, 31, 33, 56, 64]
    net = networks.Network(f"fuzz{seed}", [1 if alone else images, rng.choice([1, 3, 16, 17, 32, 64]), rng.choice(sizes), rng.choice(sizes)], weights)
    net.images = images
    x, others = net.input, [net.input]
    most = (16 if large else 4) << 20
    for _ in range(rng.randint(2, 14)):
        mark = len(net.lines), len(net.parameters), net.count
        y = rng.choice(LAYERS)(net, rng, x) if rng.random() < 0.75 else join(net, rng, x, others)
        if 2 * y.shape[1] * y.shape[2] * y.shape[3] > most or y.shape[1] > 512:
            del net.lines[mark[0] :], net.parameters[mark[1] :]  # too large; another one
            net.count = mark[2]
            continue
        x = y
        others.append(x)
    return net, net.conv(x, 5, 1) if x is net.input else x


# Checks ---------------------------------------------------------------------


def run(tool, *arguments):
    try:
        done = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=60, errors="replace")
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{os.path.basename(tool)} takes more than a minute") from error
    if done.returncode == 0:
        return
    message = next((line for line in done.stderr.splitlines() if "error:" in line), "")
    if done.returncode != 1 or not message:
        raise Failed(f"{os.path.basename(tool)} ends with {done.returncode}: {done.stderr[-400:]}")
    raise Refused(message)


def check(args, seed, folder):
    def tool(name, *arguments, target=args.target):
        if name == "ane-compile":
            arguments += (f"--target={target}",)
        run(os.path.join(args.bin, name), *arguments)

    def file(name):
        return os.path.join(folder, name)

    net, result = build(seed, args.large, args.batch)
    with open(file("net.mlir"), "w", encoding="utf-8") as out:
        net.write(out, result)
    tool("ane-compile", file("net.mlir"), "-o", file("net.hwx"), "--dump-ane-tile", file("plan.json"))
    try:
        tool("ane-run", file("net.hwx"), "--mode=count", "--stats", file("stats.json"))
        tool("ane-opt", file("net.mlir"), f"--ane-pipeline=target={args.target} stop-after=memory", "-o", file("memory.mlir"))
        tool("ane-opt", file("memory.mlir"), "--pass-pipeline=builtin.module(func.func(ane-verify-memory))", "-o", file("same.mlir"))
        if args.bits:
            check_bits(tool, file, seed, args)
    except Refused as refused:
        raise Failed(str(refused)) from refused
    with open(file("stats.json"), encoding="utf-8") as stats, open(file("plan.json"), encoding="utf-8") as plan:
        moved, bound = json.load(stats)["dram_bytes"], json.load(plan)["bound_bytes"]
    if moved < bound:
        raise Failed(f"{moved} bytes of DRAM traffic are below the bound of {bound}")


def check_bits(tool, file, seed, args):
    net, result = build(seed, args.large, args.batch, weights="arguments")
    with open(file("net.mlir"), "w", encoding="utf-8") as out:
        net.write(out, result)
    ways = {"strips": (args.target, []), "no strips": (args.target, ["--ane-tile=none"])}
    if args.target != "h13":
        ways["h13"] = ("h13", [])
    arrays = {}
    bind = ["--bind", f"1-{len(net.parameters)}=random:7:0.1"] if net.parameters else []
    for name, (target, options) in ways.items():
        tool("ane-compile", file("net.mlir"), *bind, "-o", file("bits.hwx"), *options, target=target)
        tool("ane-run", file("bits.hwx"), "--seed=3", "--output", file("bits.npy"))
        with open(file("bits.npy"), "rb") as array:
            arrays[name] = array.read()
        if arrays[name] == arrays["strips"]:
            continue
        if target == args.target or difference(arrays[name], arrays["strips"]) > 0.01:
            raise Failed(f"results of {args.target} with strips and {name} differ")
    if args.batch > 1:
        check_images(tool, file, seed, args, bind)


def check_images(tool, file, seed, args, bind):
    """A batch computes what its images do alone."""
    net, result = build(seed, args.large, args.batch, weights="arguments")
    alone, image = build(seed, args.large, args.batch, weights="arguments", alone=True)
    with open(file("image.mlir"), "w", encoding="utf-8") as out:
        alone.write(out, image)
    rng = random.Random(seed)
    size = math.prod(alone.input.shape)
    data = [rng.uniform(-1, 1) for _ in range(args.batch * size)]
    write_npy(file("in.npy"), net.input.shape, data)
    tool("ane-compile", file("net.mlir"), *bind, "-o", file("bits.hwx"))
    tool("ane-run", file("bits.hwx"), "--input", file("in.npy"), "--output", file("bits.npy"))
    tool("ane-compile", file("image.mlir"), *bind, "-o", file("bits.hwx"))
    with open(file("bits.npy"), "rb") as array:
        whole = array.read()
    step = 2 * math.prod(image.shape)
    for n in range(args.batch):
        write_npy(file("in.npy"), alone.input.shape, data[n * size : (n + 1) * size])
        tool("ane-run", file("bits.hwx"), "--input", file("in.npy"), "--output", file("bits.npy"))
        with open(file("bits.npy"), "rb") as array:
            own = array.read()
        start = len(own) - step
        if difference(own, own[:start] + whole[start + n * step : start + (n + 1) * step]) > 0.01:
            raise Failed(f"results of image {n} of a batch and of it alone differ")


def write_npy(path, shape, data):
    """Halves."""
    head = str({"descr": "<f2", "fortran_order": False, "shape": tuple(shape)}).ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", 118) + head.encode() + struct.pack(f"<{len(data)}e", *data))


def difference(first, second):
    """The largest difference of two .npy files of halves over the largest value."""
    numbers = [struct.unpack(f"<{(len(data) - 128) // 2}e", data[128:]) for data in (first, second)]
    largest = max((abs(x) for x in numbers[0] if math.isfinite(x)), default=0) or 1
    worst = 0
    for x, y in zip(*numbers):
        if x != y and not (math.isnan(x) and math.isnan(y)):
            worst = max(worst, abs(x - y)) if math.isfinite(x - y) else math.inf
    return worst / largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--bits", action="store_true")
    parser.add_argument("--batch", type=int, default=1, help="images of each network")
    parser.add_argument("--target", default="h13")
    parser.add_argument("--keep", default=".")
    args = parser.parse_args()
    os.makedirs(args.keep, exist_ok=True)
    failed, refused = 0, collections.Counter()
    for seed in range(args.seed, args.seed + args.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(args, seed, folder)
            except Refused as error:
                refused[re.sub(r"^.*?error: ", "", str(error))] += 1
            except Failed as error:
                failed += 1
                print(f"seed {seed}: {error}", flush=True)
                shutil.copy(os.path.join(folder, "net.mlir"), os.path.join(args.keep, f"fuzz{seed}.mlir"))
    for message, count in refused.most_common():
        print(f"refused {count}: {message}")
    print(f"{args.count} networks, {sum(refused.values())} refused, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""DRAM bytes and time of networks over what no plan can avoid: traffic NETWORK RATIO, least NETWORK RATIO, time NETWORK RATIO, engine NETWORK RATIO

Traffic and times are what the simulator counts on the emitted program. Bytes that no plan can avoid are
weights, inputs and outputs, once. Time is without the dispatch of the program; its bound is
the longer of all products at the rate of the chip and of these bytes at that of its DRAM.
That bound knows nothing of elementwise work, pooling or norms, nor of products that strips
compute twice or bytes that they move again. For `engine`, the same time is divided by what
the emitted program has to do: the longer of the arithmetic of all its tasks, elementwise work
too, and of all its DRAM transfers at the rates of the chip (at least of the bytes that no plan
can avoid). What is over 1 is lost where arithmetic and transfers wait for each other.

Lines at the end have the geometric means. Probes, single layers with one limit of the engine
each, follow with the same figures; they count for no mean. `least` has, in the unit of `traffic`,
the bytes below which no program for the ops that the planner of tiles is given can be
(lib/Dialect/ANE/Transforms/Tiling/Plan/TileBound.cpp); it is an error to have less. Notes say what the planner
has foreseen, too.
"""
import collections
import json
import math
import os
import tempfile

import networks


def measure(context, folder, net, results, *options):
    """What the simulator says of a network, the bound of its time, and that of its program, in ms."""
    path = os.path.join(folder, net.name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        net.write(file, *results)
    try:
        context.compile(path + ".mlir", "-o", path + ".hwx", "--dump-ane-tile", path + ".plan.json",
                        "--report", path + ".report.json", *options)
        context.run([context.tool("ane-run"), path + ".hwx", "--mode=count", "--stats", path + ".json"])
    finally:  # weights are large
        if os.path.exists(path + ".hwx"):
            os.remove(path + ".hwx")
    with open(path + ".json", encoding="utf-8") as file:
        stats = json.load(file)
    # What the simulator counts has the weights in the form of the engines, a few hundredths
    # more than those of the network. It may also have less: parts of splat weights are equal,
    # and a program holds them once; a network whose weights differ has all of them.
    stats["network_bytes"] = 2 * sum(math.prod(t.shape) for t in [*net.inputs, *results, *net.parameters])
    stats["compulsory_bytes"] = max(stats["compulsory_bytes"], stats["network_bytes"])
    with open(path + ".plan.json", encoding="utf-8") as file:
        plan = json.load(file)
    stats.update({key: plan[key] for key in ("planned_bytes", "bound_bytes")})
    with open(path + ".report.json", encoding="utf-8") as file:
        stats["compile_ms"] = json.load(file)["milliseconds"]["compile"]
    if stats["dram_bytes"] < stats["bound_bytes"]:
        raise context.Failure(f"{stats['dram_bytes']} bytes of DRAM traffic are below the bound of {stats['bound_bytes']}")
    plain, depthwise = networks.macs(net)
    rates = stats["rates"]
    compute = plain / rates["macs_per_second"] + depthwise / rates["depthwise_macs_per_second"]
    compulsory = stats["compulsory_bytes"] / rates["dram_bytes_per_second"]
    return stats, 1e3 * max(compute, compulsory), max(1e3 * compulsory, busy(stats["per_task"]))


def busy(tasks):
    """Milliseconds of the arithmetic or of the transfers of all tasks, whichever are more."""
    return max(sum(task["compute_ms"] for task in tasks), sum(task["weights_ms"] + task["tiles_ms"] for task in tasks))


def figures(stats, bound, program_bound):
    milliseconds = stats["predicted_ms"] - stats["dispatch_ms"]
    return {
        "traffic": stats["dram_bytes"] / stats["compulsory_bytes"],
        "least": max(1.0, stats["bound_bytes"] / stats["compulsory_bytes"]),
        "time": milliseconds / bound,
        "engine": milliseconds / program_bound,
    }


def run(context):
    ratios, failed = collections.defaultdict(list), []
    with tempfile.TemporaryDirectory() as folder:
        for name in [*context.some(networks.NETWORKS), *context.some(networks.PROBES)]:
            try:
                net, result = networks.build(name)
                stats, bound, program_bound = measure(context, folder, net, [result])
            except context.Failure as failure:
                context.note(f"  {name}: {failure}")
                failed.append(name)
                continue
            for key, value in figures(stats, bound, program_bound).items():
                context.figure(key, name, f"{value:.3f}")
                if name in networks.NETWORKS:
                    ratios[key].append(value)
            moved = {key: sum(stats["dram_traffic"][way][key] for way in ("read", "written")) / 1e6
                     for key in ("weights", "input", "output", "intermediate")}
            context.note(f"  {name}: {stats['tasks']} tasks, {stats['predicted_ms']:.3f} ms, L2 up to "
                         f"{stats['l2_peak_bytes'] / 2**20:.2f} MiB, MB: {stats['dram_bytes'] / 1e6:.2f}, planned {stats['planned_bytes'] / 1e6:.2f}, bound {stats['bound_bytes'] / 1e6:.2f}, "
                         f"compulsory {stats['compulsory_bytes'] / 1e6:.2f} (before packing {stats['network_bytes'] / 1e6:.2f}), "
                         + ", ".join(f"{key} {value:.2f}" for key, value in moved.items()))
    for key, values in ratios.items():
        if values:
            context.figure(key, "geomean", f"{math.exp(sum(map(math.log, values)) / len(values)):.3f}")
    if failed:
        raise context.Failure(f"{len(failed)} of {len(networks.NETWORKS) + len(networks.PROBES)} networks do not compile: {', '.join(failed)}")

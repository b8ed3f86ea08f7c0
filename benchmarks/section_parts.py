"""parts of networks as exporters write them: part NAME MS BOUND_MS TRAFFIC TASKS COMPILE_MS

MS is what the simulator predicts for one call, with its dispatch; BOUND_MS and TRAFFIC are as
in section `traffic`: the longer of all products and of the bytes that no plan can avoid, and
DRAM bytes over the latter. COMPILE_MS is one run of the compiler. Parts have random weights,
since these are masks and positions, too. utils/check-figures makes the table in
docs/Networks.md of them.
"""
import re
import tempfile

import parts
import section_traffic


def measure(context, folder, name):
    """As section_traffic.measure, with random weights."""
    net, results = parts.build(name, weights="arguments")
    return section_traffic.measure(context, folder, net, results, f"--bind={net.bound()}=random:7:0.05")


def row(name, stats, bound):
    """The cells of its line in docs/Networks.md."""
    make, sizes, _ = parts.PARTS[name]
    sentence = re.sub(r"( \([^()]*\))?\.$", "", make.__doc__)  # without its paper
    words = "; ".join([sentence, *(f"{key} {value:,}" for key, value in sizes.items())])
    traffic = stats["dram_bytes"] / stats["compulsory_bytes"]
    return [f"`{name}`", words, f"{stats['predicted_ms']:.2f}", f"{bound:.2f}", f"{traffic:.2f}", f"{stats['tasks']:,}"]


def run(context):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in context.some(parts.PARTS):
            try:
                stats, bound, _ = measure(context, folder, name)
            except context.Failure as failure:
                context.note(f"  {name}: {failure}")
                failed.append(name)
                continue
            traffic = stats["dram_bytes"] / stats["compulsory_bytes"]
            context.figure("part", name, f"{stats['predicted_ms']:.3f} {bound:.3f} {traffic:.3f} {stats['tasks']} {stats['compile_ms']:.0f}")
    if failed:
        raise context.Failure(f"{len(failed)} of {len(parts.PARTS)} parts do not compile: {', '.join(failed)}")

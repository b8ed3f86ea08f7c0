"""parts of networks as exporters write them: part NAME MS BOUND_MS TRAFFIC TASKS COMPILE_MS

MS is what the simulator predicts for one call, with its dispatch; BOUND_MS and TRAFFIC are as
in section `traffic`: the longer of all products and of the bytes that no plan can avoid, and
DRAM bytes over the latter. COMPILE_MS is one run of the compiler. Parts have random weights,
since these are masks and positions, too.

With --verbose the lines of the table in docs/Networks.md follow on standard error.
"""
import re
import tempfile

import parts
import section_traffic


def run(context):
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in parts.PARTS:
            net, results = parts.build(name, weights="arguments")
            try:
                stats, bound, _ = section_traffic.measure(context, folder, net, results, f"--bind={net.bound()}=random:7:0.05")
            except context.Failure as failure:
                context.note(f"  {name}: {failure}")
                failed.append(name)
                continue
            traffic = stats["dram_bytes"] / stats["compulsory_bytes"]
            context.figure("part", name, f"{stats['predicted_ms']:.3f} {bound:.3f} {traffic:.3f} {stats['tasks']} {stats['compile_ms']:.0f}")
            make, sizes, _ = parts.PARTS[name]
            sentence = re.sub(r"( \([^()]*\))?\.$", "", make.__doc__)  # without its paper
            words = "; ".join([sentence, *(f"{key} {value:,}" for key, value in sizes.items())])
            rows.append(f"| `{name}` | {words} | {stats['predicted_ms']:.2f} | {bound:.2f} | {traffic:.2f} | {stats['tasks']:,} |")
    if context.verbose:
        context.note("\n".join(rows))
    if failed:
        raise context.Failure(f"{len(failed)} of {len(parts.PARTS)} parts do not compile: {', '.join(failed)}")

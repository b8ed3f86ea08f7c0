"""fp16 weights into the streams of the engines over memcpy: packing X

100 MB of each of several kinds of convolution; the figure is memcpy's time over ours
for all of them together, the notes have each kind. Least times of several interleaved
repetitions, on one core.
"""
import json


def run(context):
    program = context.program("ane-bench-packing")
    report = context.run([program, context.target, *context.timing(0.05)])
    times = {}
    for entry in json.loads(report)["benchmarks"]:
        if entry["run_type"] == "iteration":
            name = entry["name"].split("/")[0]
            # Whole kernels do not make 100 MB exactly.
            time = entry["real_time"] / entry.get("share", 1)
            times[name] = min(times.get(name, 1e99), time)
    copy = times.pop("memcpy")
    for name, time in times.items():
        context.note(f"  {name:<16} {104.8576e6 / time:5.1f} GB/s, {copy / time:.2f} of memcpy")
    context.figure("packing", f"{len(times) * copy / sum(times.values()):.2f}")

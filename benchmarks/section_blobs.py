"""reading and writing of weight files over memcpy: blob read X, blob write X, blob round X

100 MB of fp16; a ratio is memcpy's time over ours, least of several interleaved
repetitions. Reading opens, maps, finds and copies out, against memcpy between buffers.
Writing makes a new file, against memcpy into a new file that is mapped. Rounding is
writing from fp32, against memcpy of as many bytes as it reads and writes.
"""
import json
import tempfile


def run(context):
    program = context.program("ane-bench-blobs")
    with tempfile.TemporaryDirectory() as folder:
        report = context.run([program, folder, *context.timing(0.1)])
    times = {}
    for entry in json.loads(report)["benchmarks"]:
        if entry["run_type"] == "iteration":
            name = "/".join(entry["name"].split("/")[:2])
            times[name] = min(times.get(name, 1e99), entry["real_time"])
    for what in ("read", "write", "round"):
        context.figure("blob", what, f"{times[what + '/memcpy'] / times[what + '/blob']:.2f}")
        moved = 150 if what == "round" else 100
        context.note(f"  {what}: ours {100 * 1.048576 / times[what + '/blob'] * 1e6:.1f} GB/s of fp16, "
                     f"memcpy {moved * 1.048576 / times[what + '/memcpy'] * 1e6:.1f} GB/s")

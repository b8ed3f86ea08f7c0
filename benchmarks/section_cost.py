"""the cost model beside published measurements: cost CHIP MEDIAN P90

Errors are |predicted / measured - 1|, over the rows that the chip's constants were not
fitted on. A row is one program: a convolution, or a chain of equal ones. The table is not
part of the project: --measurements FILE, else reference/ane-measurements.csv beside the
folder that ANE_GOLDEN_DIR names. It has one measurement a line with the columns id, chip,
op, cin, cout, h, w, kh, kw, groups, dtype_act, dtype_w, layers_per_program,
weights_distinct, engines, latency_ms and latency_kind.

What a call takes depends on how it was measured. That is no property of the chip, so it
stands here: counters that were on, copies by the host, a dispatch that a slope cancels.
"""
import collections
import csv
import hashlib
import os
import statistics
import subprocess

# Bytes of a stored coefficient: its index or value, masks of sparse formats, no scales.
STORED = {"fp16": 2, "int8": 1, "uint8": 1, "int4": 0.5, "lut1": 0.125, "lut2": 0.25, "lut3": 0.375, "lut4": 0.5,
          "lut6": 0.75, "lut8": 1, "sp50": 1.125, "sp75": 0.625, "sp50lut4": 0.375}
INTEGERS = {"int8", "uint8", "int4"}

# Milliseconds of a call beyond the dispatch of a tight loop, fitted with the chip.
COUNTERS = {"M4": 0.237}
# GB/s at which the host copies input and output within a measured call (M1, fitted).
HOST_COPY = {"M1": 5.84}

Program = collections.namedtuple("Program", "id chip measured kind line bytes row")


def is_fitted(identifier):
    """Whether constants may be fitted on a row: seven of ten, by chance."""
    return int(hashlib.md5(identifier.encode()).hexdigest(), 16) % 10 < 7


def kind_of(row):
    """How the time was taken, or why the row cannot be used."""
    text = row["latency_kind"]
    if row["weights_distinct"].startswith("aliased"):
        return None, "all layers read the same weights, by a defect of the benchmark"
    if "relative" in text or not row["latency_ms"]:
        return None, "no absolute time"
    if row["chip"] == "M1":
        return ("call with copies", None) if "host I/O" in text else (None, "calls through a framework")
    if "host" in text or text == "call":
        return None, "calls with copies by the host"
    if "firmware task" in text or "slope" in text:
        return "task", None
    if "PMU stats enabled" in text:
        return "call with counters", None
    if "sustained" in text or "wall clock" in text:
        return "call", None
    return None, "calls through a framework"


def program_of(row):
    """A Program, or the reason against it."""
    if row["op"] not in ("conv", "dwconv", "conv valid") or not row["cin"]:
        return "no convolution with a known shape"
    if (row["engines"] or "1") != "1":
        return "two engines"
    if row["dtype_w"] not in STORED:
        return "an unknown format of weights"
    if int(row["kw"]) > 8:
        return "kernels wider than 8, which are rewritten into others"
    kind, reason = kind_of(row)
    if reason:
        return reason
    number = {key: int(row[key]) for key in ("cin", "cout", "h", "w", "kh", "kw", "groups")}
    size = 1 if "int8" in row["dtype_act"] else 2
    resident = 0
    if "slope" in row["latency_kind"]:
        resident = 2 if row["weights_distinct"] == "shared" else 1
    line = (row["layers_per_program"] or 1, *number.values(), size, STORED[row["dtype_w"]],
            int(row["dtype_w"] in INTEGERS), resident)
    moved = (number["cin"] + number["cout"]) * number["h"] * number["w"] * size
    return Program(row["id"], row["chip"], float(row["latency_ms"]), kind, " ".join(map(str, line)), moved, row)


def read(path):
    """Programs by chip, and how many rows were left out for which reason."""
    programs, reasons = collections.defaultdict(list), collections.defaultdict(collections.Counter)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            program = program_of(row)
            if isinstance(program, str):
                reasons[row["chip"]][program] += 1
            else:
                programs[row["chip"]].append(program)
    return programs, reasons


def predict(tool, chip, programs, constants=(), counters=None, host_copy=None):
    """Milliseconds for each program, as it was measured."""
    lines = "\n".join(program.line for program in programs) + "\n"
    command = [tool, chip.lower(), *(f"{name}={value!r}" for name, value in constants)]
    output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.split()
    dispatch, times = float(output[0]), map(float, output[1:])
    counters = COUNTERS.get(chip, 0) if counters is None else counters
    host_copy = HOST_COPY.get(chip) if host_copy is None else host_copy
    result = []
    for program, time in zip(programs, times):
        time += 0 if program.kind == "task" else dispatch
        time += counters if program.kind == "call with counters" else 0
        time += program.bytes / (host_copy * 1e6) if program.kind == "call with copies" else 0
        result.append(time)
    return result


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def measurements(context):
    path = context.measurements
    if not path and os.environ.get("ANE_GOLDEN_DIR"):
        path = os.path.join(os.environ["ANE_GOLDEN_DIR"], "..", "reference", "ane-measurements.csv")
    if not path:
        raise context.Failure("no table of measurements; give it as --measurements FILE or set ANE_GOLDEN_DIR")
    if not os.path.isfile(path):
        raise context.Failure(f"{path} does not exist; give the table of measurements as --measurements FILE")
    return path


def contradictions(programs):
    """Rows of the same program that differ by more than a tenth."""
    same = collections.defaultdict(list)
    for program in programs:
        same[program.line, program.kind].append(program)
    for group in same.values():
        times = [program.measured for program in group]
        if max(times) > 1.1 * min(times):
            yield group


def run(context):
    programs, reasons = read(measurements(context))
    tool = context.program("ane-bench-cost")
    for chip in ("M1", "M4", "M6"):
        rows = programs.get(chip)
        held_out = [program for program in rows or [] if not is_fitted(program.id)]
        if not held_out:
            context.note(f"  {chip}: no rows to judge")
            continue
        errors = [time / program.measured - 1 for time, program in zip(predict(tool, chip, held_out), held_out)]
        sizes = [abs(error) for error in errors]
        context.figure("cost", chip, f"{statistics.median(sizes):.3f}", f"{quantile(sizes, 0.9):.3f}")
        context.note(f"  {chip}: {len(held_out)} rows judged, {len(rows) - len(held_out)} set apart for fitting; "
                     f"worst {max(errors, key=abs):+.0%}")
        for reason, count in reasons[chip].most_common():
            context.note(f"    {count} rows not used: {reason}")
        if context.verbose:
            show(context, rows, predict(tool, chip, rows))


def show(context, programs, times):
    context.note("      id  fitted  measured   predicted  error  layers cin cout h w kh kw groups act weight int resident")
    ranked = sorted(zip(programs, times), key=lambda pair: -abs(pair[1] / pair[0].measured - 1))
    for program, time in ranked:
        context.note(f"    {program.id:>4}  {'yes' if is_fitted(program.id) else 'no':<6}  {program.measured:9.4f}  "
                     f"{time:9.4f}  {time / program.measured - 1:+5.0%}  {program.line}")
    for group in contradictions(programs):
        context.note("    the same program, measured twice: " +
                     ", ".join(f"{program.id} {program.measured} ms" for program in group))

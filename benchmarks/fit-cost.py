#!/usr/bin/python3
"""Fits constants of the cost model to published measurements.

usage: fit-cost.py CHIP --measurements FILE [--tool PATH] [--constants A,B,...] [--cross N]

Prints the constants of lib/HW/Chip.cpp that make the mean of |log(predicted / measured)|
least, over the rows that section_cost.py sets apart for fitting. --cross N fits N times,
each time without one of N parts of those rows, and prints the errors on the part left out.
The model itself runs in ane-bench-cost; this only moves its constants.
"""
import argparse
import math
import os
import random
import statistics
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import section_cost as cost

# Where the search begins: what others published, or the peak.
START = {"sustained": 1.0, "tiles": 100e9, "window": 30e9, "depthwise": 200e9, "conversions": 30e9, "loss": 0.1,
         "dispatch": 0.14e-3, "winograd": 1.4, "counters": 0.24, "host_copy": 5.0}
ITERATIONS, SEED = 1200, 7


def loss(tool, chip, programs, values):
    constants = [(name, value) for name, value in values.items() if name not in ("counters", "host_copy")]
    times = cost.predict(tool, chip, programs, constants, values.get("counters"), values.get("host_copy"))
    return statistics.fmean(abs(math.log(time / program.measured)) for time, program in zip(times, programs))


def fit(tool, chip, programs, names):
    """Random steps that get shorter; keeps what is better."""
    random.seed(SEED)
    best = {name: START[name] for name in names}
    least, step = loss(tool, chip, programs, best), 0.25
    for iteration in range(ITERATIONS):
        some = {name: value * (math.exp(random.gauss(0, step)) if random.random() < 0.35 else 1)
                for name, value in best.items()}
        found = loss(tool, chip, programs, some)
        if found < least:
            best, least = some, found
        if iteration % (ITERATIONS // 6) == ITERATIONS // 6 - 1:
            step *= 0.6
    return best


def report(title, errors):
    sizes = [abs(error) for error in errors]
    print(f"{title}: {len(sizes)} rows, median {statistics.median(sizes):.3f}, p90 {cost.quantile(sizes, 0.9):.3f}, "
          f"worst {max(errors, key=abs):+.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chip")
    parser.add_argument("--measurements", required=True)
    parser.add_argument("--tool", default=os.path.join(HERE, "..", "build", "bin", "ane-bench-cost"))
    parser.add_argument("--constants", default="sustained,tiles,window,depthwise,conversions,loss,dispatch,counters")
    parser.add_argument("--cross", type=int, default=0)
    arguments = parser.parse_args()
    programs = [program for program in cost.read(arguments.measurements)[0].get(arguments.chip, [])
                if cost.is_fitted(program.id)]
    if not programs:
        sys.exit(f"fit-cost.py: error: no rows of chip '{arguments.chip}' in {arguments.measurements}")
    names = arguments.constants.split(",")

    def errors(values, rows):
        constants = [(name, value) for name, value in values.items() if name not in ("counters", "host_copy")]
        times = cost.predict(arguments.tool, arguments.chip, rows, constants, values.get("counters"),
                             values.get("host_copy"))
        return [time / row.measured - 1 for time, row in zip(times, rows)]

    if arguments.cross:
        random.seed(SEED)
        order, left_out = random.sample(programs, len(programs)), []
        for part in range(arguments.cross):
            rest = [row for i, row in enumerate(order) if i % arguments.cross != part]
            left_out += errors(fit(arguments.tool, arguments.chip, rest, names), order[part::arguments.cross])
        report(f"left out, {arguments.cross} parts", left_out)
    best = fit(arguments.tool, arguments.chip, programs, names)
    for name, value in best.items():
        print(f"{name} = {value:.4g}")
    report(f"fitted, {len(names)} constants", errors(best, programs))


if __name__ == "__main__":
    main()

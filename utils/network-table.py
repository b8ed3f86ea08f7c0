#!/usr/bin/python3
"""What becomes of whole networks, as a table. usage: network-table.py NET.mlir... --bin BIN [--function NAME] [--no-run] [--json FILE]

Each network is compiled with `ane-compile --host`: what the engine can do becomes
programs, the rest stays on the host. Columns: multiplications on the engine and on
the host (of convolutions and matrix products), programs, ops on the host, time to
compile, and, from the simulator, the predicted time of all programs and what they
move to and from memory over what they must. The last line is the share of all
multiplications that is on the engine. Exit 1 if a network does not compile.
Needs python3 alone.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def compile_network(args, path, folder):
    """The reasons of ane-compile, its programs and how long it took."""
    name = os.path.basename(path).split(".")[0]
    output = os.path.join(folder, name + ".hwx")
    command = [os.path.join(args.bin, "ane-compile"), path, "-o", output, "--ane-why=json",
               "--host=" + os.path.join(folder, name + ".host.mlir")]
    if args.function:
        command.append("--function=" + args.function)
    start = time.time()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.time() - start
    if done.returncode:
        raise RuntimeError(done.stderr.strip().split("\n")[0])
    reasons = json.loads(done.stdout)
    count = len(reasons["programs"])
    programs = [output] if count == 1 else [f"{output[:-4]}.{i}.hwx" for i in range(count)]
    return name, reasons, programs, seconds


def run_program(args, program, folder):
    """Predicted milliseconds, bytes that are moved and bytes that must be."""
    stats = os.path.join(folder, "stats.json")
    done = subprocess.run([os.path.join(args.bin, "ane-run"), program, "--mode=count", "--stats=" + stats],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().split("\n")[0])
    with open(stats, encoding="utf-8") as file:
        values = json.load(file)
    return values["predicted_ms"], values["dram_bytes"], values["compulsory_bytes"]


def row(args, path, folder):
    name, reasons, programs, seconds = compile_network(args, path, folder)
    result = {"network": name, "engine_macs": reasons["engine_macs"], "host_macs": reasons["host_macs"],
              "programs": len(programs), "host_ops": len(reasons["host"]), "compile_ms": round(seconds * 1000)}
    if not args.no_run:
        costs = [run_program(args, program, folder) for program in programs]
        result["predicted_ms"] = round(sum(cost[0] for cost in costs), 3)
        must = sum(cost[2] for cost in costs)
        result["dram_over_compulsory"] = round(sum(cost[1] for cost in costs) / must, 2) if must else None
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--function", help="the function to compile, where a file has several")
    parser.add_argument("--no-run", action="store_true", help="compile only")
    parser.add_argument("--json", help="write the rows to this file as well")
    args = parser.parse_args()
    columns = ["network", "engine_macs", "host_macs", "programs", "host_ops", "compile_ms", "predicted_ms",
               "dram_over_compulsory"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    rows, failures = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in args.networks:
            try:
                rows.append(row(args, path, folder))
            except RuntimeError as error:
                failures += 1
                print(f"| {os.path.basename(path)} | {error} |")
                continue
            print("| " + " | ".join(str(rows[-1].get(column, "")) for column in columns) + " |", flush=True)
    engine = sum(entry["engine_macs"] for entry in rows)
    total = engine + sum(entry["host_macs"] for entry in rows)
    print(f"{len(rows)} of {len(args.networks)} networks compile; "
          f"{100 * engine / total if total else 0:.2f} % of their multiplications are on the engine")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Runs a judge and holds its failures against those that are expected.

usage: judge.py BIN JUDGE [ARGUMENT]...

A judge prints a line 'NAME: what is wrong' for each failure, and 'WHAT: N of M right' at its end.
expected-failures.txt has the failures that are known, with reasons. One that is not there makes
the exit code 1; so does one that is there and has passed, which is to be taken off the list.
--min N among the arguments is for the judge: it counts, and the number here only rises.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "expected-failures.txt")


def expected(judge):
    """Names of the failures of a judge that are known."""
    with open(LIST, encoding="utf-8") as file:
        rows = [line.split(None, 2) for line in file if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) < 3:
            sys.exit(f"{LIST}: '{' '.join(row)}' is no judge, name and reason")
    return {name for of, name, _ in rows if of == os.path.basename(judge)}


def main():
    bin, judge, *arguments = sys.argv[1:]
    result = subprocess.run([sys.executable, judge, bin, *arguments], stdout=subprocess.PIPE, text=True)
    print(result.stdout, end="", flush=True)
    lines = result.stdout.strip().splitlines()
    count = re.match(r"[\w ]+: .*?(\d+) of (\d+)\b", lines[-1]) if lines else None
    if not count:
        sys.exit(f"{judge} did not come to its end: exit code {result.returncode}")
    known = expected(judge)
    if "--min" in arguments:
        least = int(arguments[arguments.index("--min") + 1])
        if int(count[1]) > least:
            print(f"  {count[1]} are right: --min {least} in .ci/run can rise")
    if "--min" in arguments or not known:
        return result.returncode
    failed = {line.split(": ")[0] for line in lines[:-1] if ": " in line}
    for name in sorted(failed - known):
        print(f"  {name} fails, and is not in {os.path.basename(LIST)}")
    for name in sorted(known - failed):
        print(f"  {name} passes: take it out of {os.path.basename(LIST)}")
    if int(count[2]) - int(count[1]) != len(failed):
        print(f"  {int(count[2]) - int(count[1])} fail, but {len(failed)} have a line that says so")
        return 1
    return int(failed != known)


if __name__ == "__main__":
    sys.exit(main())

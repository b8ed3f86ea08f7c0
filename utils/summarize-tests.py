#!/usr/bin/python3
"""Says what a lit run found: counts, failures with their output, the slowest tests.

usage: summarize-tests.py RESULTS.json LOG      for people
       summarize-tests.py --count RESULTS.json  "passed failed"
"""
import collections
import json
import sys

GOOD = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}


def main():
    count_only = sys.argv[1] == "--count"
    path = sys.argv[2] if count_only else sys.argv[1]
    with open(path) as file:
        tests = json.load(file)["tests"]
    codes = collections.Counter(t["code"] for t in tests)
    passed = sum(n for code, n in codes.items() if code in GOOD)
    skipped = sum(n for code, n in codes.items() if code in SKIPPED)
    failed = len(tests) - passed - skipped
    if count_only:
        print(passed, failed)
        return
    for test in tests:
        if test["code"] not in GOOD | SKIPPED:
            print(f"{test['code']}: {test['name']}")
            print(test["output"][-4000:])
    slow = sorted(tests, key=lambda t: -(t["elapsed"] or 0))[:5]
    print("  " + ", ".join(f"{n} {code.lower()}" for code, n in sorted(codes.items())))
    print("  slowest: " + ", ".join(f"{t['name'].split(' :: ')[-1]} {t['elapsed']:.1f} s" for t in slow))


main()

#!/usr/bin/python3
"""Says what a lit run found: counts, failures with their output, the slowest tests, and which
tests could not run, with the claims that nobody checked for that.

usage: summarize-tests.py RESULTS.json LOG      for people
       summarize-tests.py --count RESULTS.json  "passed failed could-not-run"
"""
import collections
import json
import re
import sys

GOOD = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}

# What tests stand for that need a feature of test/lit.cfg.py.
CLAIMS = {
    "golden": "real .hwx files are read, run and written back; programs and decisions of Apple's compiler are met "
              "(--hwx-flavour=zin-9.509); published programs and networks agree (README, docs/Networks.md)",
    "reference": "register maps and benchmark networks are those that were published",
    "recorded-rows": "rows of choices of Apple's compiler are met (--hwx-flavour=zin-9.509)",
    "materialize": "published networks agree with stock MLIR (docs/Networks.md)",
    "numpy": "random networks, parts of networks and bytes agree with numpy; the Python package, and the commands of the "
             "pages, run",
    "mkdocs": "the docs are a site without a warning and without a link that leads nowhere",
    "mounts": "a full disk is an error",
    "clang": "the code compiles for macOS",
    "flip-bits": "changed bits of real programs are errors (docs/Simulator.md)",
    "sanitizers": "",
    "fuzzers": "readers of files hold against random bytes (test/Fuzz)",
}


def missing(test):
    """The features for which a test did not run."""
    needed = re.search(r"unavailable features: (.+)", test["output"])
    unwanted = re.search(r"does not support the following features.*: (.+)", test["output"])
    if needed or unwanted:
        return (needed or unwanted)[1].replace("!", "").split(", ")
    return ["fuzzers"] if "/Fuzz/" in test["name"] else ["for other reasons"]


def not_run(tests):
    """One line for each feature that is missing."""
    count = collections.Counter(feature for test in tests for feature in missing(test))
    for feature, number in count.most_common():
        claim = CLAIMS.get(feature, "no claim is written down for this in utils/summarize-tests.py")
        yield f"    {number} {feature}" + (f": {claim}" if claim else "")


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
        print(passed, failed, skipped)
        return
    for test in tests:
        if test["code"] not in GOOD | SKIPPED:
            print(f"{test['code']}: {test['name']}")
            print(test["output"][-4000:])
    slow = sorted(tests, key=lambda t: -(t["elapsed"] or 0))[:5]
    print("  " + ", ".join(f"{n} {code.lower()}" for code, n in sorted(codes.items())))
    print("  slowest: " + ", ".join(f"{t['name'].split(' :: ')[-1]} {t['elapsed']:.1f} s" for t in slow))
    if skipped:
        print(f"  {skipped} could not run; what they need, and what is not checked without it:")
        print("\n".join(not_run(t for t in tests if t["code"] in SKIPPED)))


main()

"""Compares the programs of two JSON dumps of ane-translate --dump-hwx=json.

usage: compare-programs.py OURS THEIRS

Every header word and every register word of every task, the tensors and the
digest of the constant section must be equal. Prints each difference.
"""
import json
import sys

ours, theirs = (json.load(open(path)) for path in sys.argv[1:3])
differences = 0


def differ(where, a, b):
    global differences
    differences += 1
    print(f"{where}: ours {a}, theirs {b}")


def words(task):
    result = {("header", i): w for i, w in enumerate(task["header"])}
    for record in task["records"]:
        for i, word in enumerate(record["words"]):
            result[("register", hex(int(record["address"], 16) + 4 * i))] = word
    return result


if len(ours["tasks"]) != len(theirs["tasks"]) or not ours["tasks"]:
    differ("number of tasks", len(ours["tasks"]), len(theirs["tasks"]))
compared = 0
for index, (a, b) in enumerate(zip(ours["tasks"], theirs["tasks"])):
    a, b = words(a), words(b)
    for place in sorted(a.keys() | b.keys()):
        compared += 1
        if a.get(place) != b.get(place):
            differ(f"task {index} {place[0]} {place[1]}", a.get(place), b.get(place))
if ours["tensors"] != theirs["tensors"]:
    differ("tensors", ours["tensors"], theirs["tensors"])
if ours["constants"] != theirs["constants"]:
    differ("constants", ours["constants"], theirs["constants"])
print(f"{compared} words compared, {differences} differences")
sys.exit(differences != 0)

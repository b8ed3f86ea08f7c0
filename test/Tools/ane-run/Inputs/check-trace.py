"""Checks a trace of ane-run and prints its lanes. usage: check-trace.py TRACE.json"""
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
lanes, slices, counters = {}, collections.defaultdict(list), collections.Counter()
for event in events:
    if event["ph"] == "M":
        assert event["name"] == "thread_name"
        lanes[event["tid"]] = event["args"]["name"]
    elif event["ph"] == "X":
        assert event["ts"] >= 0 and event["dur"] > 0, event
        slices[event["tid"]].append(event)
    else:
        assert event["ph"] == "C" and event["args"]["bytes"] >= 0, event
        counters[event["name"]] += 1
assert set(slices) <= set(lanes), "a slice in a lane without a name"
for tid, name in sorted(lanes.items(), key=lambda item: item[1]):
    end = 0
    for event in sorted(slices[tid], key=lambda event: event["ts"]):
        assert event["ts"] >= end - 1e-9, f"{name}: {event['name']} starts at {event['ts']} us, before {end}"
        end = event["ts"] + event["dur"]
    print((name + ": " + " ".join(event["name"] for event in slices[tid])).strip())
for name, count in counters.items():
    print(name, count)

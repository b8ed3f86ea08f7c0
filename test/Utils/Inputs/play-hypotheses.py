"""Plays every hypothesis of a kit in the simulator, and asserts that the kit finds it out.

usage: play-hypotheses.py FOLDER-OF-RUNNER LIBRARY KIT [--mixed N]

First each value of each fact in turn: the probes of the fact must tell that value. Then N sets with a value of
each fact, drawn by lot, through the whole runner: all probes must tell the values of the set.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
parser = argparse.ArgumentParser()
parser.add_argument("runner")
parser.add_argument("library")
parser.add_argument("kit")
parser.add_argument("--mixed", type=int, default=0)
arguments = parser.parse_args()
sys.path.insert(0, arguments.runner)
import run as runner

arguments.device, arguments.timed_runs = "sim", 0
facts = runner.Library(arguments.library).facts()
with open(os.path.join(arguments.kit, "kit.json"), encoding="utf-8") as file:
    manifest = json.load(file)

told = wrong = 0
for fact, (_, values) in facts.items():
    for value in values:
        for probe in manifest["probes"]:
            if probe["fact"] != fact:
                continue
            arguments.assume = f"{fact}={value}"
            answer = runner.outcome(arguments, probe, os.path.join(arguments.kit, probe["program"]))
            verdict, counts = runner.judge(probe, runner.from_text(answer["outputs"])) if "outputs" in answer else (answer, None)
            told += 1
            if verdict != value:
                wrong += 1
                print(f"{probe['name']}: {fact} is played as '{value}', told as {verdict} {counts}")

generator = random.Random(37)
for number in range(arguments.mixed):
    chosen = {fact: generator.choice(list(values)) for fact, (_, values) in facts.items()}
    chosen["order"] = "kept"  # else most programs are skipped
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([sys.executable, os.path.join(arguments.runner, "run.py"), "--library", arguments.library,
                               "--device", "sim", "--kit", arguments.kit, "--report", report, "--timed-runs", "0", "--assume",
                               ",".join(f"{fact}={value}" for fact, value in chosen.items())], capture_output=True, text=True)
        if done.returncode:
            wrong += 1
            print(f"set {number} {chosen}: {done.stdout}{done.stderr}")
            continue
        with open(report, encoding="utf-8") as file:
            for fact, values in json.load(file)["facts"].items():
                told += len(values)
                if list(values) != [chosen[fact]]:
                    wrong += 1
                    print(f"set {number}: {fact} is played as '{chosen[fact]}', told as {values}")
print(f"{told} told, {wrong} wrong")
sys.exit(wrong != 0)

"""--explain takes every 40th name of a field that the JSON of the first task has.

usage: explain-names.py TOOL FILE.hwx FILE.json
"""
import json
import subprocess
import sys

tool, program, dump = sys.argv[1:]
names = list(json.load(open(dump))["tasks"][0]["fields"])
for name in names[::40]:
    run = subprocess.run([tool, "--dump-hwx", f"--explain={name}:0", program], capture_output=True, text=True)
    if run.returncode or f"{name.split('.')[-1]} = " not in run.stdout:
        sys.exit(f"{name}: {run.stderr or run.stdout}")

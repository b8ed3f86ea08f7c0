"""ane-run --verify on every .hwx file below folders."""
import glob
import re
import subprocess
import sys

programs = tasks = refused = 0
for folder in sys.argv[1:]:
    for path in sorted(glob.glob(f"{folder}/**/*.hwx", recursive=True)):
        done = subprocess.run(["ane-run", "--verify", path], capture_output=True, text=True)
        programs += 1
        if done.returncode:
            refused += 1
            print(done.stderr, end="")
        else:
            tasks += int(re.search(r": (\d+) tasks", done.stdout)[1])
print(f"{programs} programs, {tasks} tasks, {refused} refused")

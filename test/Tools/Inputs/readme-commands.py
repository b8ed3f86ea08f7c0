"""Runs the commands of a page's section "By hand" in this folder, but for those of cmake."""

import subprocess
import sys

text = open(sys.argv[1], encoding="utf-8").read()
block = text.split("\n## By hand\n")[1].split("```sh\n")[1].split("```")[0]
count = 0
for line in block.splitlines():
    command = line.split("  #")[0].strip()
    if command.startswith("cmake "):
        continue
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    # A device that is not here says so, behind all that can be checked before.
    expected = "device apple is not ready" if "--device=apple" in command else ""
    good = done.returncode != 0 and expected in done.stderr if expected else \
        done.returncode == 0 and not done.stderr
    if not good:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr}")
    count += 1
if count < 20:
    sys.exit(f"{count} commands, expected at least 20")

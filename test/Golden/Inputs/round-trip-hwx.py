"""Takes every .hwx file below some folders through the IR and back.

usage: round-trip-hwx.py TOOL SCRATCH [--computed] FOLDER...

With --computed the IR must not spell out the file: it is computed from the
program and the signature of its compiler.
"""
import glob
import subprocess
import sys

tool, scratch, *folders = sys.argv[1:]
computed = folders[0] == "--computed"
bad = total = 0
for folder in folders[computed:]:
    files = sorted(glob.glob(folder + "/**/*.hwx", recursive=True))
    if not files:
        sys.exit(f"{folder}: no .hwx files")
    for path in files:
        total += 1
        mlir, back = scratch + ".mlir", scratch + ".hwx"
        for command in ([tool, "--from-hwx", path, "-o", mlir], [tool, "--to-hwx", mlir, "-o", back]):
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                break
        if run.returncode or open(path, "rb").read() != open(back, "rb").read():
            bad += 1
            print(f"{path}: {run.stderr.strip()[:300] or 'differs'}")
        elif computed and "hwx.container" in open(mlir).read():
            bad += 1
            print(f"{path}: the file is spelled out")
print(f"{total - bad} of {total} equal")
sys.exit(bad != 0)

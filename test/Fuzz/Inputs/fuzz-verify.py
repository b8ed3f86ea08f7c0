"""Changes words of programs that ane-compile makes: fuzz-verify.py FUZZER WORDS SCRATCH SOURCE_TREE"""
import glob
import os
import shutil
import subprocess
import sys

fuzzer, words, scratch, tree = sys.argv[1:]
shutil.rmtree(scratch, ignore_errors=True)
os.makedirs(scratch)
programs = []
for path in sorted(glob.glob(f"{tree}/test/Integration/*.mlir"), key=os.path.getsize)[:12]:
    for target in ("h13", "h14"):
        out = os.path.join(scratch, f"{len(programs)}.hwx")
        if subprocess.run(["ane-compile", path, f"--target={target}", "-o", out], capture_output=True).returncode == 0:
            programs.append(out)
sys.exit(subprocess.run([fuzzer, words, "1", *programs], timeout=300).returncode)

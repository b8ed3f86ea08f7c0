#!/usr/bin/env bash
# Takes a bare machine (root or sudo; docs/Setup.md says which) to the main job: installs
# what is missing, builds, then compiles ResNet-18 for the Apple Neural Engine of the M1, runs the
# program in the simulator and puts its answer beside that of stock MLIR on the CPU.
source "$(dirname "$0")/common.sh"
started=$(date +%s)

say "packages (1 to 2 minutes where they are missing), build (5 minutes on two cores, seconds"
say "when nothing changed), then the network (20 seconds)"
install build
step "configure" configure -DANE_BUILD_TESTS=OFF
progress "build" ninja -C "$build"

bin=$build/bin
work=$build/demo
mkdir -p "$work"
net=$work/resnet18.mlir

say ""
say "ResNet-18 (11.7 million weights from a seed), as a PyTorch export in TOSA"
step "  write the network" /usr/bin/python3 "$root/examples/networks/generate.py" resnet18 --weights=inline -o "$net"
step "  write an image" /usr/bin/python3 "$root/examples/networks/generate.py" image --shape 1x3x224x224 -o "$work/image.npy"

say ""
say "The reference"
step "  stock MLIR, f32 on the CPU" /usr/bin/python3 "$root/utils/run-reference.py" "$net" --input "$work/image.npy" --output "$work/reference.npy"

say ""
say "The Apple Neural Engine"
step "  ane-compile to a register program" "$bin/ane-compile" "$net" -o "$work/resnet18.hwx" --report="$work/report.json"
step "  ane-compile to MIL text" "$bin/ane-compile" "$net" -o "$work/resnet18.mil"
step "  ane-run in the simulator" "$bin/ane-run" "$work/resnet18.hwx" --device=sim --input "$work/image.npy" --output "$work/ours.npy" --stats="$work/stats.json"

say ""
/usr/bin/python3 - "$work/stats.json" <<'P'
import json, sys
s = json.load(open(sys.argv[1]))
print(f"   {s['tasks']} tasks, {s['macs'] / 1e9:.2f} billion multiply-accumulates, "
      f"{s['dram_bytes'] / 1e6:.0f} MB through DRAM ({s['dram_bytes'] / s['compulsory_bytes']:.2f} x the least possible)")
print(f"   the cost model predicts {s['predicted_ms']:.2f} ms on an M1")
P
/usr/bin/python3 "$root/utils/compare-npy.py" "$work/ours.npy" "$work/reference.npy" --top 5
say ""
say "Look further:"
say "   $bin/ane-translate --dump-hwx $work/resnet18.hwx | less      the registers"
say "   less $work/resnet18.mil                                      the MIL text"
say "done in $(($(date +%s) - started)) s"

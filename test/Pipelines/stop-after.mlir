// A pipeline stops after a phase, or after the first run of a pass.
// RUN: ane-opt %s --ane-pipeline="stop-after=ane-split-windows" | FileCheck %s --check-prefix=WINDOWS
// RUN: ane-compile %s --stop-after=ane-expand-ops -o - | FileCheck %s --check-prefix=EXPANDED
// RUN: ane-opt %s --ane-pipeline="stop-after=legalize" | FileCheck %s --check-prefix=EXPANDED
// RUN: not ane-opt %s --ane-pipeline="stop-after=ane-nothing" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown phase 'ane-nothing'; the phases are import, simplify, legalize, tile, tasks, layout, memory, emit, and the flag of a pass of the pipeline does as well

// WINDOWS: ane.pool average
// EXPANDED-NOT: ane.pool
// EXPANDED: ane.conv
func.func @net(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x8x8x8xf16> -> tensor<1x8x4x4xf16>
  return %y : tensor<1x8x4x4xf16>
}

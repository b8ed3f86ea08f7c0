// RUN: ane-opt %s --ane-pipeline="flavour=zin-9.509" | FileCheck %s
// RUN: ane-opt %s --ane-pipeline="flavour=zin-9.509" | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --from-hwx %t.hwx | FileCheck %s
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-decompose{flavour=salty}))' 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks{flavour=salty}))' 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// RUN: not ane-opt %s --ane-fuse=flavour=salty 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: flavour 'salty' is not available; available: 'clean', 'zin-9.509'

// Bases go by name over inputs and outputs together. Tasks without coefficients
// do not write their addresses; idle engines carry defaults; the header has the
// events of a first task and an estimate of the time: 3 x 32768 bytes in 2.88 us,
// 1024 planes in 4.55 us.

// CHECK-LABEL: hwx.program @net target = h13 text = 0x1f8
// CHECK-DAG: hwx.tensor input "x" base 4
// CHECK-DAG: hwx.tensor output "y" base 5
// CHECK-DAG: hwx.tensor input "z" base 6
// CHECK: hwx.task @td0 at 0x0
// CHECK-SAME: EON
// CHECK-SAME: ExeCycles = 4
// CHECK-SAME: LogEvents = 1066
// CHECK: KernelDMASrc[0 to 17] {CoeffDMAConfig[0 to 15] = {CacheHint = Drop}}
// CHECK-NEXT: KernelDMASrc[50 to 61] {BiasDMAConfig = {CacheHint = Drop}
// CHECK: NonlinearLutBfrSize = 0x40
// CHECK: NE {KernelCfg = {PalettizedBits = 8}, MACCfg = {ArgSel = 1}}
// CHECK: hwx.signature kind 17 form 9
func.func @net(%x: tensor<1x512x1x1xf16> {ane.name = "x"}, %z: tensor<1x512x1x1xf16> {ane.name = "z"})
    -> (tensor<1x512x1x1xf16> {ane.name = "y"}) {
  %0 = ane.elementwise add %x, %z : tensor<1x512x1x1xf16>, tensor<1x512x1x1xf16> -> tensor<1x512x1x1xf16>
  return %0 : tensor<1x512x1x1xf16>
}

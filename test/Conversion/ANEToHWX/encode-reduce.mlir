// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// A mean is a sum with a factor; rows that are reduced alone are groups.
// CHECK: OutDim = {Hout = 4, Wout = 4}
// CHECK: TaskType = PEReduction
// CHECK: Src1DMAConfig = {CacheHintNoReuse = Reuse, CacheHintReuse = Reuse, CacheHint = Reuse, En}
// CHECK: FinalScale = 6.25E-2
// CHECK: RowStride = 0x40,
// CHECK-NEXT: PlaneStride = 0x40, DepthStride = 0x200
// CHECK: InDim = {Hin = 1, Win = 4}
// CHECK: NumGroups = 4
// CHECK: Src1DMAConfig = {CacheHintNoReuse = LastRead, CacheHintReuse = Reuse, CacheHint = LastRead, En}
// CHECK: Src1GroupStride = 0x40
// CHECK: L2Cfg = {PaddingMode = 1}
// CHECK: PE {Cfg = {PoolMode = Max}
// CHECK: GroupStride = 0x40
func.func @reduce(%x: tensor<1x8x4x4xf16>) -> (tensor<1x8x1x1xf16>, tensor<1x8x4x1xf16>) {
  %0 = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x8x4x4xf16> -> tensor<1x8x1x1xf16>
  %1 = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x1xf16>
  return %0, %1 : tensor<1x8x1x1xf16>, tensor<1x8x4x1xf16>
}

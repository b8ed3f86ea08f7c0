// Why was this fused, and that not? Remarks name the pattern, the op and the reason.
//
// RUN: ane-opt %s --ane-fuse --remarks-filter=ane-fuse -o /dev/null 2>&1 | FileCheck %s
// RUN: ane-opt %s --ane-fuse --remarks-filter-passed=ane-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSED
// RUN: ane-opt %s --ane-recognize --ane-expand-ops --remarks-filter-passed=ane-expand-ops -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: ane-opt %s --ane-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty

// PASSED-NOT: [Missed]
// EXPAND: remark: [Passed] DecomposeActivation | Category:ane-expand-ops | Op=ane.activation
// QUIET-NOT: remark

func.func @fused(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<softplus>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<tanh>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: [[@LINE+2]]:8: remark: [Passed] definitionToFunction | Category:ane-fuse | Op=ane.elementwise
  // PASSED: [[@LINE+1]]:8: remark: [Passed] definitionToFunction | Category:ane-fuse | Op=ane.elementwise
  %2 = ane.elementwise mul %1, %x : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %2 : tensor<1x4x8x8xf16>
}

func.func @not_fused(%x: tensor<1x4x8x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %0 = ane.activation %x {function = #ane.act<softplus>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<tanh>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: [[@LINE+1]]:8: remark: [Missed] definitionToFunction | Category:ane-fuse | Op=ane.elementwise, Reason="its tanh has other users"
  %2 = ane.elementwise mul %1, %x : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %3 = ane.activation %x {function = #ane.act<log1p>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %1, %2, %3 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

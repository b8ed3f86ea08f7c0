// RUN: rm -f %t.hwx
// RUN: not ane-compile %s --function=most -o %t.hwx 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// RUN: not ane-compile %s -o %t.hwx 2>&1 | FileCheck %s --check-prefix=WHICH --implicit-check-not="see current operation"
// RUN: not ane-compile %s --function=dynamic -o %t.hwx 2>&1 | FileCheck %s --check-prefix=DYNAMIC --implicit-check-not="see current operation"
// RUN: not ls %t.hwx

// What cannot be imported is said at its line, and nothing is written.

// CHECK: import-errors.mlir:[[# @LINE + 3]]:8: error: 'tosa.custom' cannot be imported
// WHICH: error: the module has 2 functions ('most', 'dynamic'), but a program has one; choose it with --function=NAME
func.func @most(%x: tensor<4xf32>) -> tensor<i32> {
  %0 = tosa.custom %x {operator_name = "argmax", domain_name = "test", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// DYNAMIC: import-errors.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: argument #0 has the dynamic type 'tensor<?xf32>'
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 --ane-legalize=flavour=zin-9.509 --ane-form-tasks=flavour=zin-9.509 | FileCheck %s

// A value for each channel is two rows, an offset and a factor, that a pass of the
// NEs copies to L2.
// CHECK-LABEL: func.func @channels
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<1x2x1x1xf16
// CHECK: %[[ROWS:.*]] = ane.constant dense<{{\[\[\[\[}}5.000000e-01, 2.500000e-01], [1.000000e+00, 1.000000e+00]]]]>
// CHECK: %[[CONST:.*]] = ane.constant_buffer %[[ROWS]]
// CHECK: %[[KEPT:.*]] = ane.task -> memref<1x1x2x2xf16
// CHECK:   ane.ne_bypass
// CHECK: ane.task {
// CHECK:   %[[T:.*]] = ane.dma_load %[[X]]
// CHECK:   ane.pe_normalize %[[T]], %[[KEPT]] {add, exchange_rows}
func.func @channels(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<[[[[0.5]], [[0.25]]]]> : tensor<1x2x1x1xf16>
  %z = ane.elementwise add %x, %c : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  return %z : tensor<1x2x1x1xf16>
}

// A factor has offsets of 0, and a divisor is a factor.
// CHECK-LABEL: func.func @quotient
// CHECK: dense<{{\[\[\[\[}}0.000000e+00, 0.000000e+00], [2.000000e+00, 2.000000e+00]]]]>
// CHECK: ane.pe_normalize
func.func @quotient(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %z = ane.elementwise div %x, %c : tensor<1x2x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x1x1xf16>
  return %z : tensor<1x2x1x1xf16>
}

// One task goes through all images of a broadcast.
// CHECK-LABEL: func.func @images
// CHECK: %[[KEPT:.*]] = ane.task -> memref<1x64x1x1xf16
// CHECK: ane.task {
// CHECK:   ane.pe_elementwise add %{{.*}}, %[[KEPT]] : memref<8x64x8x8xf16, {{.*}}>, memref<1x64x1x1xf16
// CHECK-NOT: ane.task
func.func @images(%x: tensor<8x64x8x8xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<8x64x8x8xf16> {
  %z = ane.elementwise add %x, %y : tensor<8x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<8x64x8x8xf16>
  return %z : tensor<8x64x8x8xf16>
}

// The reciprocals of one pixel lie in L2 as a row, for the PE to exchange back.
// CHECK-LABEL: func.func @divide
// CHECK: %[[KEPT:.*]] = ane.task -> memref<1x1x1x64xf16
// CHECK:   ane.ne_bypass {{.*}} {activation = #ane.act<reciprocal>, exchange}
// CHECK: ane.pe_elementwise mul %{{.*}}, %[[KEPT]] {exchange_rhs}
func.func @divide(%x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %z = ane.elementwise div %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// A power: exponents and logarithms in pairs of channels, then their products.
// CHECK-LABEL: func.func @power
// CHECK-SAME: %[[X:arg[0-9]+]]: memref<{{[^,]*}}, #ane.space<dram>>, %[[Y:arg[0-9]+]]: memref
// CHECK: %[[PAIRS:.*]] = ane.l2_buffer : memref<1x128x1x1xf16
// CHECK: %[[EVEN:.*]] = ane.subview %[[PAIRS]][0, 0, 0, 0] {strides = array<i64: 1, 2, 1, 1>}
// CHECK: ane.dma_load %[[Y]]
// CHECK: ane.keep %{{.*}}, %[[EVEN]]
// CHECK: %[[ODD:.*]] = ane.subview %[[PAIRS]][0, 1, 0, 0] {strides = array<i64: 1, 2, 1, 1>}
// CHECK: ane.dma_load %[[X]]
// CHECK: ane.ne_bypass {{.*}} {activation = #ane.act<log2>}
// CHECK: ane.keep %{{.*}}, %[[ODD]]
// CHECK: ane.ne_product %[[PAIRS]] table %{{.*}} {activation = #ane.act<exp2>}
// CHECK-NOT: ane.task
func.func @power(%x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %z = ane.elementwise pow %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// x + relu(x) is one task.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: ne_bypass
// CHECK: ane.pe_elementwise add %{{.*}}, %{{.*}} {relu_rhs}
// CHECK-NOT: ane.task
func.func @residual(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x8x8xf16> {
  %f = ane.activation %x {function = #ane.act<relu>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %z = ane.elementwise add %x, %f : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  return %z : tensor<1x64x8x8xf16>
}

// What two tasks read is loaded once.
// CHECK-LABEL: func.func @both
// CHECK-SAME: %[[X:arg[0-9]+]]: memref
// CHECK: %[[R:.*]]:2 = ane.task
// CHECK:   %[[T:.*]] = ane.dma_load %[[X]] {residency = #ane.residency<kept>}
// CHECK:   ane.yield %{{.*}}, %[[T]]
// CHECK: ane.task {
// CHECK-NOT: dma_load
// CHECK:   ane.pe_elementwise add %[[R]]#1, %[[R]]#0
func.func @both(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x8x8xf16> {
  %f = ane.activation %x {function = #ane.act<gelu>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %z = ane.elementwise add %x, %f : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  return %z : tensor<1x64x8x8xf16>
}

// A choice is a sum of products with what holds and what does not; the NEs read
// the bytes of the condition as they are.
// CHECK-LABEL: func.func @choose
// CHECK-SAME: %[[C:arg[0-9]+]]: memref<1x64x1x1xui8
// CHECK: %[[M:.*]]:2 = ane.task -> memref<1x1x1x64xf16, {{.*}}>, memref<1x64x1x1xui8
// CHECK:   ane.dma_load %[[C]] {residency = #ane.residency<kept>}
// CHECK:   ane.ne_bypass {{.*}}#ane.act<where_nonzero, 1.000000e+00>, exchange} : memref<1x64x1x1xui8
// CHECK: ane.pe_elementwise mul %[[M]]#0, %{{.*}} {exchange_lhs, exchange_result}
// CHECK: ane.ne_bypass %[[M]]#1 {{.*}}#ane.act<where_nonzero, 0.000000e+00, 1.000000e+00>, exchange}
// CHECK: ane.pe_elementwise mul
// CHECK: ane.pe_elementwise add %{{.*}} {exchange_lhs, exchange_rhs}
func.func @choose(%c: tensor<1x64x1x1xui8>, %x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %z = ane.select %c, %x, %y : tensor<1x64x1x1xui8>, tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// Bytes in, bytes out: one task each.
// CHECK-LABEL: func.func @negate
// CHECK: ane.ne_bypass {{.*}} : memref<1x1x64x64xui8, {{.*}}> -> memref<1x1x64x64xui8
// CHECK-NOT: ane.task
func.func @negate(%x: tensor<1x1x64x64xui8>) -> tensor<1x1x64x64xui8> {
  %h = ane.cast %x : tensor<1x1x64x64xui8> -> tensor<1x1x64x64xf16>
  %f = ane.activation %h {function = #ane.act<where_nonzero, 0.0, 1.0>} : tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
  %z = ane.cast %f : tensor<1x1x64x64xf16> -> tensor<1x1x64x64xui8>
  return %z : tensor<1x1x64x64xui8>
}

// CHECK-LABEL: func.func @swap
// CHECK: ane.ne_bypass {{.*}} {exchange} : memref<1x12x1x20xui8, {{.*}}> -> memref<1x20x1x12xui8
// CHECK-NOT: ane.task
func.func @swap(%x: tensor<1x1x12x20xui8>) -> tensor<1x1x20x12xui8> {
  %h = ane.cast %x : tensor<1x1x12x20xui8> -> tensor<1x1x12x20xf16>
  %f = ane.transpose %h {perm = array<i64: 0, 1, 3, 2>} : tensor<1x1x12x20xf16> -> tensor<1x1x20x12xf16>
  %z = ane.cast %f : tensor<1x1x20x12xf16> -> tensor<1x1x20x12xui8>
  return %z : tensor<1x1x20x12xui8>
}

// The epsilon of a reciprocal root is added in its own pass.
// CHECK-LABEL: func.func @root
// CHECK: ane.ne_bypass {{.*}}#ane.act<rsqrt, 1.000000e-03>
// CHECK-NOT: ane.task
func.func @root(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %z = ane.activation %x {function = #ane.act<rsqrt, 0.001>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// What lies exchanged in L2 is put back for a task that reads it as it is.
// CHECK-LABEL: func.func @put_back
// CHECK: %[[ROW:.*]] = ane.task -> memref<1x1x1x40xf16
// CHECK: ane.ne_bypass %[[ROW]] {exchange} : {{.*}} -> memref<1x40x1x1xf16
// CHECK: ane.pe_unary
// CHECK-SAME: #ane.act<abs>
func.func @put_back(%x: tensor<1x40x1x1xf16>) -> tensor<1x40x1x1xf16> {
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x40x1x1xf16> -> tensor<1x40x1x1xf16>
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x40x1x1xf16> -> tensor<1x40x1x1xf16>
  return %1 : tensor<1x40x1x1xf16>
}

// So it is for a pair with a function by table, which every flavour does alike.
// CHECK-LABEL: func.func @pair_with_table
// CHECK: %[[LEFT:.*]]:2 = ane.task -> memref<1x1x7x64xf16
// CHECK: ane.ne_bypass %[[LEFT]]#0
// CHECK: ane.pe_elementwise mul
// CHECK: ane.ne_bypass {{.*}} {activation = #ane.act<sigmoid>}
func.func @pair_with_table(%x: tensor<1x1x7x64xf16>) -> tensor<1x1x7x64xf16> {
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x1x7x64xf16> -> tensor<1x1x7x64xf16>
  %1 = ane.elementwise mul %x, %0 {activation = #ane.act<sigmoid>} : tensor<1x1x7x64xf16>, tensor<1x1x7x64xf16> -> tensor<1x1x7x64xf16>
  return %1 : tensor<1x1x7x64xf16>
}

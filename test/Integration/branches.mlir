// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A loop with a condition and a branch in its body: Newton's method, with a doubled first step.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @net(%x: tensor<1x8x4x16xf32>) -> tensor<1x8x4x16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %half = arith.constant dense<0.5> : tensor<1x8x4x16xf32>
  %two = arith.constant dense<2.0> : tensor<1x8x4x16xf32>
  %s = arith.mulf %x, %x : tensor<1x8x4x16xf32>
  %a = arith.addf %s, %half : tensor<1x8x4x16xf32>
  %r:2 = scf.while (%i = %zero, %v = %a) : (index, tensor<1x8x4x16xf32>) -> (index, tensor<1x8x4x16xf32>) {
    %more = arith.cmpi slt, %i, %four : index
    scf.condition(%more) %i, %v : index, tensor<1x8x4x16xf32>
  } do {
  ^bb0(%i: index, %v: tensor<1x8x4x16xf32>):
    %q = arith.divf %a, %v : tensor<1x8x4x16xf32>
    %t = arith.addf %q, %v : tensor<1x8x4x16xf32>
    %isFirst = arith.cmpi eq, %i, %zero : index
    %w = scf.if %isFirst -> tensor<1x8x4x16xf32> {
      %d = arith.mulf %t, %two : tensor<1x8x4x16xf32>
      scf.yield %d : tensor<1x8x4x16xf32>
    } else {
      scf.yield %t : tensor<1x8x4x16xf32>
    }
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%w : tensor<1x8x4x16xf32>) outs(%v : tensor<1x8x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %c = arith.constant 0.5 : f32
      %m = arith.mulf %in, %c : f32
      linalg.yield %m : f32
    } -> tensor<1x8x4x16xf32>
    %next = arith.addi %i, %one : index
    scf.yield %next, %h : index, tensor<1x8x4x16xf32>
  }
  return %r#1 : tensor<1x8x4x16xf32>
}

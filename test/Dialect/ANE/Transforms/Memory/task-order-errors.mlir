// What cannot be tasks one after the other is an error of every pass that works on tasks.
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-keep-in-l2))' --split-input-file --verify-diagnostics
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-allocate-dram))' --split-input-file --verify-diagnostics
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-allocate-l2))' --split-input-file --verify-diagnostics
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-schedule))' --split-input-file --verify-diagnostics
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file --verify-diagnostics
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks))' --split-input-file --verify-diagnostics

!d = memref<1x8x4x8xf16, #ane.space<dram>>
!l = memref<1x8x4x8xf16, #ane.space<l2>>

func.func @in_a_loop(%x: !d, %y: !d {ane.output}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error@+1 {{'ane.task' op is inside of 'scf.for', but tasks run one after the other; unroll or inline that first}}
    ane.task {
      %s = ane.dma_load %x : !d -> !l
      %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
      ane.dma_store %r, %y : !l, !d
    }
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, #ane.space<dram>>

// expected-error@+1 {{'func.func' op has 2 blocks, but tasks run one after the other}}
func.func @in_blocks(%x: !d) {
  cf.br ^last
^last:
  return
}

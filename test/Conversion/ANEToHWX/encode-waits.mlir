// RUN: ane-opt %s --split-input-file --convert-ane-to-hwx | FileCheck %s

// What a task waits for of the other engine, where their places in L2 meet: of tiles
// (SourceCfg) and of the result (ResultCfg). A value that lives from the first task to the
// last keeps chains from starting in between, which wait for all of the NEs.

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// Nothing meets: what the PE keeps and stages ends where it ends.
// CHECK-LABEL: hwx.program
func.func @apart(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td2
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !h
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !h -> !i
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !i, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// A result that streams may take all of L2 behind its place.
// CHECK-LABEL: hwx.program
func.func @streamed(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<streamed>} : !a, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !h
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !h -> !i
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !i, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// Tiles may, too, where the result of the task is not behind them.
// CHECK-LABEL: hwx.program
func.func @tiles(%x: !d, %y: !d {ane.output}) {
  %q = ane.l2_buffer : !a
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !a
    ane.keep %r, %q : !a, !a
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !h
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !h -> !i
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !i, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// They end at a result that is stored.
// CHECK-LABEL: hwx.program
func.func @stored(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// The result is over those tiles.
// CHECK-LABEL: hwx.program
func.func @stored_meets(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// The last task of the PE meets nothing, but the one before it does.
// CHECK-LABEL: hwx.program
func.func @older(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td3
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK: ResultCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td4
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// Whoever has waited for a later task has waited for that one.
// CHECK-LABEL: hwx.program
func.func @older_waited(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td3
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK: ResultCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td4
  // CHECK: SourceCfg = {{.*}}AliasConvSrc{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td5
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// A source that stays is read where it lies.
// CHECK-LABEL: hwx.program
func.func @kept(%x: !d, %y: !d {ane.output}) {
  %q = ane.l2_buffer : !i
  %l = ane.l2_buffer : !k
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.ne_bypass %k {activation = #ane.act<relu>} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td2
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !h
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !h -> !i
    ane.keep %r, %q : !i, !i
  }
  // CHECK: hwx.task @td3
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasConvSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !b -> !k
    ane.keep %r, %l : !k, !k
  }
  // CHECK: hwx.task @td4
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// Tiles above a result have no end but that of L2.
// CHECK-LABEL: hwx.program
func.func @below(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !h
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !h -> !i
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !i, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// A source that stays does not hide the tiles of the other one.
// CHECK-LABEL: hwx.program
func.func @beside_kept(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_elementwise add %s, %p : !b, !p -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// The result takes the place of what the PE reads there.
// CHECK-LABEL: hwx.program
func.func @over_kept(%x: !d, %y: !d {ane.output}) {
  %l = ane.l2_buffer : !k
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !b -> !k
    ane.keep %r, %l : !k, !k
  }
  // CHECK: hwx.task @td3
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// Tiles are over those of the task before the last one of the PE.
// CHECK-LABEL: hwx.program
func.func @older_tiles(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td3
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !b -> !i
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !i, !d
  }
  // CHECK: hwx.task @td4
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// A task that waits for nobody leaves the waiting to the next one.
// CHECK-LABEL: hwx.program
func.func @older_stays(%x: !d, %y: !d {ane.output}) {
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %k {scale = 2.0 : f32} : !k -> !a
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !a, !d
  }
  // CHECK: hwx.task @td3
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !j
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !j, !d
  }
  // CHECK: hwx.task @td4
  // CHECK: SourceCfg = {{.*}}AliasConvRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td5
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!p = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!k = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1024>, #ane.space<l2>>
!h = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 8192>, #ane.space<l2>>
!i = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 16384>, #ane.space<l2>>
!j = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 32768>, #ane.space<l2>>

// The same of tasks of the NEs: the PE reads what they wrote, and then waits for the one before the last.
// CHECK-LABEL: hwx.program
func.func @neural(%x: !d, %y: !d {ane.output}) {
  %q = ane.l2_buffer : !a
  %p, %k = ane.task -> !p, !k attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !k
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !k -> !p
    ane.yield %r, %s : !p, !k
  }
  // CHECK: hwx.task @td1
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !b -> !h
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !h, !d
  }
  // CHECK: hwx.task @td2
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.ne_bypass %k {activation = #ane.act<relu>} : !k -> !a
    ane.keep %r, %q : !a, !a
  }
  // CHECK: hwx.task @td3
  // CHECK-NOT: SourceCfg = {{.*}}Alias
  // CHECK-NOT: ResultCfg = {{.*}}Alias
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !i -> !j
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !j, !d
  }
  // CHECK: hwx.task @td4
  // CHECK: SourceCfg = {{.*}}AliasPlanarRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasConvRslt{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !i
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !i -> !b
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !b, !d
  }
  // CHECK: hwx.task @td5
  // CHECK: SourceCfg = {{.*}}AliasConvRslt{{[,}]}}
  // CHECK: ResultCfg = {{.*}}AliasPlanarSrc{{[,}]}}
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %q {scale = 2.0 : f32} : !a -> !j
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : !j, !d
  }
  // CHECK: hwx.task @td6
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %p, %k : !p, !k -> !i
    ane.dma_store %r, %y : !i, !d
  }
  return
}

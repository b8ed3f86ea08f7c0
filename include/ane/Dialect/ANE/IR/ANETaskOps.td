//===- ANETaskOps.td - The task level of the ane dialect ---*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task is one pass of the NE or the PE. Its region has the transfers and the
// computation: tile loads DRAM -> L2, a coefficient load, one compute op, one store
// (or a result that stays in L2). The types have everything that the registers need
// to know of memory: strides and offset of a memref are its layout in
// its space. Before ane-assign-layout a DRAM memref has no layout, before
// ane-allocate-l2 an L2 memref has none.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANETASKOPS_TD
#define ANE_DIALECT_ANE_IR_ANETASKOPS_TD

include "ane/Dialect/ANE/IR/ANETensorOps.td"

class ANE_MemRefIn<string space, string description> : Type<
    And<[StaticShapeMemRefOf<[F16, I8, UI8]>.predicate,
         CPred<"::mlir::ane::isInSpace($_self, ::mlir::ane::MemorySpace::" # space # ")">]>,
    "static memref in " # description, "::mlir::MemRefType">;
def ANE_DramMemRef : ANE_MemRefIn<"Dram", "#ane.space<dram>">;
def ANE_L2MemRef : ANE_MemRefIn<"L2", "#ane.space<l2>">;
def ANE_KernelMemRef : ANE_MemRefIn<"Kernel", "#ane.space<kernel>">;
def ANE_TensorMemRef : Type<Or<[ANE_DramMemRef.predicate, ANE_L2MemRef.predicate]>,
    "static memref in #ane.space<dram> or #ane.space<l2>", "::mlir::MemRefType">;

class ANE_TaskLevelOp<string mnemonic, list<Trait> traits = []>
    : ANE_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DRAM
//===----------------------------------------------------------------------===//

def ANE_BufferOp : ANE_TaskLevelOp<"buffer", [MemoryEffects<[MemAlloc]>]> {
  let summary = "buffer in DRAM for an intermediate tensor";
  let description = [{
    `offset` is its position in bytes in the scratch region of the program;
    `ane-allocate-dram` sets it. Buffers whose lifetimes do not overlap share
    bytes.

    ```mlir
    %b = ane.buffer {offset = 4096 : i64} : memref<1x64x8x8xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs ANE_DramMemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def ANE_L2BufferOp : ANE_TaskLevelOp<"l2_buffer", [MemoryEffects<[MemAlloc]>]> {
  let summary = "buffer in L2 for a tensor that tasks read or write in slices";
  let description = [{
    `ane-allocate-l2` sets layout and address in its type. An element
    is at [image][row][channel][column], so a tile of rows is one range of
    bytes, and a slice of channels an offset. The buffer is live from the first task that
    writes to it, or to a view of it, to the last one that reads or writes it. A
    tensor that one task writes as a whole needs no buffer: it is a result of the task.

    With `shared` it holds several tensors. Each has an `ane.subview`
    of it, and is live from the first task that uses this view to the last; bytes
    that no live view needs are free for other tensors.

    With `planar` an element is at [image][channel][row][column] as in DRAM, so
    that channels and rows can be joined and split by a reshape.

    ```mlir
    %b = ane.l2_buffer : memref<1x64x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins UnitAttr:$planar, UnitAttr:$shared);
  let results = (outs ANE_L2MemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def ANE_ConstantBufferOp : ANE_TaskLevelOp<"constant_buffer", [Pure]> {
  let summary = "constant that a task reads as a tensor";
  let description = [{
    The constant section has the elements, in the layout of the result type.

    ```mlir
    %c = ane.constant_buffer %t : tensor<1x64x1x1xf16> -> memref<1x64x1x1xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins 4DTensorOf<[F16]>:$input);
  let results = (outs ANE_DramMemRef:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def ANE_SubviewOp : ANE_TaskLevelOp<"subview", [Pure]> {
  let summary = "view of a slice of a tensor in DRAM or L2";
  let description = [{
    The result is the same memory with another base: its element (n, c, h, w) is
    element (n, c, h, w) + `offsets` of the source. Rows of the tile DMA start
    at multiples of 64 bytes, rows in L2 at multiples of 16, so a view that starts
    elsewhere inside a row is not legal. `strides` are steps in elements, in all
    dimensions except the last; the default is 1.

    ```mlir
    %v = ane.subview %b[0, 16, 0, 0] : memref<1x24x8x8xf16, #ane.space<dram>> -> memref<1x8x8x8xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins ANE_TensorMemRef:$source, DenseI64ArrayAttr:$offsets,
                       OptionalAttr<DenseI64ArrayAttr>:$strides);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$source,
                   "::llvm::ArrayRef<int64_t>":$offsets), [{
      build($_builder, $_state, type, source, offsets, ::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let extraClassDeclaration = [{
    /// The strides, or ones.
    ::llvm::SmallVector<int64_t> getSteps();
  }];
  let results = (outs ANE_TensorMemRef:$result);
  let assemblyFormat = "$source `` $offsets attr-dict `:` type($source) `->` type($result)";
}

def ANE_ReshapeViewOp : ANE_TaskLevelOp<"reshape_view", [Pure]> {
  let summary = "view of the same rows with another shape";
  let description = [{
    The row-major order of the elements is unchanged. The width is unchanged, too, so
    that the rows keep their places; or the rows of both shapes follow each other
    without a gap, as rows of a multiple of 32 elements do. In L2, where channels are
    adjacent inside a row, the view is legal if each dimension has one stride; this is
    checked when strides are assigned.

    ```mlir
    %v = ane.reshape_view %b : memref<1x64x8x8xf16, #ane.space<dram>> -> memref<1x512x1x8xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins ANE_TensorMemRef:$source);
  let results = (outs ANE_TensorMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def ANE_PermuteViewOp : ANE_TaskLevelOp<"permute_view", [Pure]> {
  let summary = "view of the same rows in another order";
  let description = [{
    Dimension i of the result is dimension `perm[i]` of the source. The last
    dimension is unchanged, because the elements of a row stay together.

    ```mlir
    %v = ane.permute_view %b[0, 2, 1, 3] : memref<1x64x8x32xf16, #ane.space<dram>> -> memref<1x8x64x32xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins ANE_TensorMemRef:$source, DenseI64ArrayAttr:$perm);
  let results = (outs ANE_TensorMemRef:$result);
  let assemblyFormat = "$source `` $perm attr-dict `:` type($source) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

def ANE_YieldOp : ANE_Op<"yield", [Pure, Terminator, HasParent<"TaskOp">]> {
  let summary = "results of a task that stay in L2";
  let arguments = (ins Variadic<ANE_L2MemRef>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

def ANE_KeepOp : ANE_TaskLevelOp<"keep", [HasParent<"TaskOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "assignment of a result, or of a loaded source, to its L2 buffer";
  let description = [{
    `target` is an `ane.l2_buffer` or a view of one. Nothing is copied: the engine or
    the tile DMA writes directly to it.

    ```mlir
    ane.keep %r, %v : memref<1x64x8x8xf16, #ane.space<l2>>, memref<1x64x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$source, ANE_L2MemRef:$target);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `,` type($target)";
}

def ANE_TaskOp : ANE_TaskLevelOp<"task", [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "one pass of the engine with its transfers";
  let description = [{
    Contains the loads, exactly one compute op, and one store. Instead of a store the
    task may yield the result or assign it to a buffer (`ane.keep`); the result then
    stays in L2 for later tasks. The first source may stay in L2 as well, with
    residency `kept`. `tile_height` is the number of result rows that are computed
    before the next tile of the source is loaded; `ane-allocate-l2` sets it.

    ```mlir
    ane.task attributes {tile_height = 8 : i64} {
      %s = ane.dma_load %x : memref<1x64x8x8xf16, #ane.space<dram>> -> memref<1x64x8x8xf16, #ane.space<l2>>
      %r = ane.ne_bypass %s {activation = #ane.act<relu>} : memref<1x64x8x8xf16, #ane.space<l2>> -> memref<1x64x8x8xf16, #ane.space<l2>>
      ane.dma_store %r, %y : memref<1x64x8x8xf16, #ane.space<l2>>, memref<1x64x8x8xf16, #ane.space<dram>>
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$tile_height);
  let results = (outs Variadic<ANE_L2MemRef>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`->` type($results)^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let hasVerifier = 0;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins CArg<"TypeRange", "{}">:$results)>];
  let extraClassDeclaration = [{
    /// The one compute op.
    Operation *getCompute();
    KernelLoadOp getKernelLoad();
    /// Null when the result stays in L2.
    DmaStoreOp getStore();
    /// The place in L2 of the result, or of a source that is loaded; null when
    /// it has none.
    Value getKeptPlace(Value value);
  }];
}

def ANE_DmaLoadOp : ANE_TaskLevelOp<"dma_load", [MemoryEffects<[MemRead]>]> {
  let summary = "load of the tiles of a tensor from DRAM to L2";
  let description = [{
    The layout of the result gives the place of each row of each channel in L2; if the
    task is tiled, only the rows of one tile are in L2 at a time.
  }];
  let arguments = (ins
    ANE_DramMemRef:$source,
    DefaultValuedAttr<ANE_ResidencyAttr, "::mlir::ane::Residency::Streamed">:$residency);
  let results = (outs ANE_L2MemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def ANE_KernelLoadOp : ANE_TaskLevelOp<"kernel_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>]> {
  let summary = "load of the coefficients of a task: weights, bias, table";
  let description = [{
    `first_channel` is the output channel of `weight` (and `bias`) at which the
    task starts; the result type has the number of channels. `table` is the function
    that the engine computes by a table.

    With `from` the coefficients are a tensor that an earlier task or the caller
    wrote. Engine i reads plane i; element (i, k * lanes + l)
    is the weight of input channel k for output channel i * lanes + l. If there are
    more planes than engines, a multiple of their number, the additional planes belong to
    further passes, which H13 does not have.

    ```mlir
    %k = ane.kernel_load weight %w : tensor<128x3x7x7xf16> bias %b : tensor<128xf16> {first_channel = 64 : i64}
       -> memref<64x3x7x7xf16, #ane.space<kernel>>
    ```
  }];
  let arguments = (ins
    Optional<4DTensorOf<[F16]>>:$weight,
    Optional<1DTensorOf<[F16]>>:$bias,
    Optional<ANE_DramMemRef>:$source,
    DefaultValuedAttr<I64Attr, "0">:$first_channel,
    OptionalAttr<ANE_ActivationAttr>:$table);
  let results = (outs ANE_KernelMemRef:$result);
  let assemblyFormat = [{
    (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
    (`from` $source^ `:` type($source))? (`table` $table^)? attr-dict `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$weight, "::mlir::Value":$bias,
                   "int64_t":$first_channel, "::mlir::ane::ActivationAttr":$table), [{
      build($_builder, $_state, type, weight, bias, ::mlir::Value(), first_channel, table);
    }]>
  ];
}

def ANE_DmaStoreOp : ANE_TaskLevelOp<"dma_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "store of the result of a task from L2 to DRAM";
  let description = [{
    A streamed result has only a base in L2; the strides in its type are nominal.

    With an `interleave` of I, plane p of the target holds the channels I * p to
    I * p + I - 1 of the source, interleaved element by element: the form in
    which the engines read a tensor as coefficients.
  }];
  let arguments = (ins
    ANE_L2MemRef:$source,
    ANE_DramMemRef:$target,
    DefaultValuedAttr<ANE_ResidencyAttr, "::mlir::ane::Residency::Streamed">:$residency,
    DefaultValuedAttr<I64Attr, "1">:$interleave);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `,` type($target)";
}

def ANE_ScratchPlaceOp : ANE_TaskLevelOp<"scratch_place", [HasParent<"TaskOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "place in DRAM where the result of a task could be saved";
  let description = [{
    The result stays in L2; nothing is stored. The descriptor only names a place
    of the result's size in the scratch region, and the descriptor of the first task
    that reads the result names the same place as its source. Compiler 9.509 does this
    for values between two chains of tasks. Tasks of H14 have no field for it, and
    the op is an error there.

    ```mlir
    ane.scratch_place %r, %b : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$source, ANE_DramMemRef:$target);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `,` type($target)";
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

class ANE_ComputeOp<string mnemonic, list<Trait> traits = []>
    : ANE_TaskLevelOp<mnemonic, [Pure, HasParent<"TaskOp">] # traits> {
  let results = (outs ANE_L2MemRef:$result);
}

def ANE_NeConvOp : ANE_ComputeOp<"ne_conv"> {
  let summary = "convolution on the NEs";
  let description = [{
    Computes `f(post_scale * (conv(input, kernel) + bias))`. `pad` is top and left; the
    padding at the bottom and on the right follows from the size of the result.
    f is none, relu, or the table of the kernel. With `exchange` the result has
    its channels and columns exchanged. `lanes` is the number of output channels that an
    NE sums at a time, if it does not follow from the kernel.

    ```mlir
    %r = ane.ne_conv %s, %k {pad = array<i64: 1, 1>, activation = #ane.act<relu>}
       : memref<1x3x8x8xf16, #ane.space<l2>>, memref<4x3x3x3xf16, #ane.space<kernel>> -> memref<1x4x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_L2MemRef:$input,
    ANE_KernelMemRef:$kernel,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0}">:$pad,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    DefaultValuedAttr<F32Attr, "1.0f">:$post_scale,
    OptionalAttr<ANE_ActivationAttr>:$activation,
    UnitAttr:$exchange,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive, IntPowerOf2]>>:$lanes);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input, "::mlir::Value":$kernel,
                   "::llvm::ArrayRef<int64_t>":$strides, "::llvm::ArrayRef<int64_t>":$pad,
                   "int64_t":$groups, "::llvm::APFloat":$post_scale,
                   "::mlir::ane::ActivationAttr":$activation, CArg<"bool", "false">:$exchange), [{
      build($_builder, $_state, type, input, kernel, strides, pad, groups, post_scale, activation,
            exchange, /*lanes=*/::mlir::IntegerAttr());
    }]>
  ];
  let assemblyFormat = "$input `,` $kernel attr-dict `:` type($input) `,` type($kernel) `->` type($result)";
  let extraClassDeclaration = [{
    bool isDepthwise();
    /// One element of each channel at a time: a product of matrices.
    bool isPointwise();
    /// Source rows that each tile of `height` result rows loads: windows are
    /// clipped to the image, and the stride walks whole steps.
    ::llvm::SmallVector<int64_t> getTileRows(int64_t height);
  }];
}

def ANE_NeBypassOp : ANE_ComputeOp<"ne_bypass"> {
  let summary = "copy, relu or table on the NEs, without a kernel";
  let description = [{
    Computes `f(post_scale * input)`. With `exchange` the result has its channels and
    columns exchanged.

    ```mlir
    %r = ane.ne_bypass %s table %k {activation = #ane.act<sigmoid>}
       : memref<1x1x1x77xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x1x1x77xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_L2MemRef:$input,
    Optional<ANE_KernelMemRef>:$kernel,
    DefaultValuedAttr<F32Attr, "1.0f">:$post_scale,
    OptionalAttr<ANE_ActivationAttr>:$activation,
    UnitAttr:$exchange);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input, "::mlir::Value":$kernel,
                   "::llvm::APFloat":$post_scale, "::mlir::ane::ActivationAttr":$activation), [{
      build($_builder, $_state, type, input, kernel, post_scale, activation, /*exchange=*/false);
    }]>
  ];
  let assemblyFormat = "$input (`table` $kernel^)? attr-dict `:` type($input) (`,` type($kernel)^)? `->` type($result)";
}

def ANE_NeProductOp : ANE_ComputeOp<"ne_product"> {
  let summary = "product of each pair of channels on the NEs";
  let description = [{
    Channel c of the result is `f(input[2c] * input[2c + 1])`; f is none or the
    table.

    ```mlir
    %r = ane.ne_product %s table %k {activation = #ane.act<exp2>}
       : memref<1x128x1x1xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_L2MemRef:$input,
    Optional<ANE_KernelMemRef>:$kernel,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = "$input (`table` $kernel^)? attr-dict `:` type($input) (`,` type($kernel)^)? `->` type($result)";
}

def ANE_NeReduceOp : ANE_ComputeOp<"ne_reduce"> {
  let summary = "sum or maximum over all channels on the NEs";
  let description = [{
    Computes f of the sum or maximum, for each pixel. f is none or, for a sum, a table.

    ```mlir
    %r = ane.ne_reduce sum %s table %k {activation = #ane.act<reciprocal>}
       : memref<1x32x4x4xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x1x4x4xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_ReduceKindAttr:$kind,
    ANE_L2MemRef:$input,
    Optional<ANE_KernelMemRef>:$kernel,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = "$kind $input (`table` $kernel^)? attr-dict `:` type($input) (`,` type($kernel)^)? `->` type($result)";
}

def ANE_PeElementwiseOp : ANE_ComputeOp<"pe_elementwise"> {
  let summary = "elementwise function of two tensors on the PE";
  let description = [{
    Computes `act(scale * f(lhs, rhs) + bias)`; act is none, relu or abs. A dimension of
    1 is broadcast. With `relu_rhs` the second operand is relu(rhs). An exchanged operand
    or result has channels and columns exchanged in L2; its type has the exchanged shape.

    ```mlir
    %r = ane.pe_elementwise add %s, %t {activation = #ane.act<relu>}
       : memref<1x8x8x8xf16, #ane.space<l2>>, memref<1x8x8x8xf16, #ane.space<l2>> -> memref<1x8x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_ElementwiseKindAttr:$kind,
    ANE_L2MemRef:$lhs,
    ANE_L2MemRef:$rhs,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    OptionalAttr<ANE_ActivationAttr>:$activation,
    UnitAttr:$exchange_lhs,
    UnitAttr:$exchange_rhs,
    UnitAttr:$exchange_result,
    UnitAttr:$relu_rhs);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def ANE_PeUnaryOp : ANE_ComputeOp<"pe_unary"> {
  let summary = "linear function of one tensor on the PE";
  let description = [{
    Computes `act(scale * input + bias)`; act is none, relu or abs. A dimension of 1 is
    broadcast. An exchanged input or result has channels and columns exchanged in L2; its
    type has the exchanged shape.

    ```mlir
    %r = ane.pe_unary %s {scale = 0.5 : f32, bias = 1.0 : f32}
       : memref<1x8x8x8xf16, #ane.space<l2>> -> memref<1x8x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_L2MemRef:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    OptionalAttr<ANE_ActivationAttr>:$activation,
    UnitAttr:$exchange_input,
    UnitAttr:$exchange_result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def ANE_PeReduceOp : ANE_ComputeOp<"pe_reduce"> {
  let summary = "sum, mean or maximum of every channel or row on the PE";
  let description = [{
    Reduces height and width, or only the width; in a tensor of five dimensions
    (N, C, D, H, W) also the depth. Kinds with squares take those of `input + offset`, with
    `subtract_offset` of `input - offset`, without offset of the input. The activation
    is reciprocal or rsqrt. An exchanged offset or result has channels and columns
    exchanged in L2; its type has the exchanged shape.

    ```mlir
    %r = ane.pe_reduce mean %s : memref<1x64x8x8xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_ReduceKindAttr:$kind,
    ANE_L2MemRef:$input,
    Optional<ANE_L2MemRef>:$offset,
    OptionalAttr<ANE_ActivationAttr>:$activation,
    UnitAttr:$subtract_offset,
    UnitAttr:$exchange_offset,
    UnitAttr:$exchange_result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::ane::ReduceKind":$kind, "::mlir::Value":$input), [{
      build($_builder, $_state, type, kind, input, ::mlir::Value(), ::mlir::ane::ActivationAttr());
    }]>
  ];
  let assemblyFormat = [{
    $kind $input (`offset` $offset^)? attr-dict `:` type($input) (`,` type($offset)^)? `->` type($result)
  }];
}

def ANE_PeNormalizeOp : ANE_ComputeOp<"pe_normalize"> {
  let summary = "sum or difference with one row, times another row, on the PE";
  let description = [{
    Computes `act((input - rows[0]) * rows[1])`, with `add` the sum `input + rows[0]`
    instead of the difference; act is none, relu or abs. `rows` is a tensor of height 2:
    means and reciprocals of deviations. It has the channels of the input, or with
    `all_channels` one channel for all, and one column. With `exchange_rows` its channels
    and columns are exchanged in L2; its type has the exchanged shape.

    ```mlir
    %r = ane.pe_normalize %s, %m
       : memref<1x64x8x8xf16, #ane.space<l2>>, memref<1x64x2x1xf16, #ane.space<l2>> -> memref<1x64x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$input, ANE_L2MemRef:$rows, UnitAttr:$exchange_rows,
                       UnitAttr:$all_channels, UnitAttr:$add,
                       OptionalAttr<ANE_ActivationAttr>:$activation);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input, "::mlir::Value":$rows,
                   "bool":$exchange_rows, "bool":$all_channels), [{
      build($_builder, $_state, type, input, rows, exchange_rows, all_channels,
            /*add=*/false, ::mlir::ane::ActivationAttr());
    }]>
  ];
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input) `,` type($rows) `->` type($result)";
}

def ANE_PeInterleaveOp : ANE_ComputeOp<"pe_interleave"> {
  let summary = "interleaving of channels on the PE";
  let description = [{
    Plane p of the result holds `factor` channels of the input, interleaved element by
    element: the form in which the engines read a tensor as coefficients.

    ```mlir
    %r = ane.pe_interleave %s {factor = 4 : i64} : memref<1x64x1x32xf16, #ane.space<l2>> -> memref<1x16x1x128xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$input, I64Attr:$factor);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

#endif // ANE_DIALECT_ANE_IR_ANETASKOPS_TD

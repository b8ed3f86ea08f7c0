//===- ANETaskOps.td - The task level of the ane dialect ---*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task is one pass of the NE or the PE. Its region says what moves and what is
// computed: tile loads DRAM -> L2, a coefficient load, one compute op, one store
// (or a result that stays in L2). Everything that the registers need to know of
// memory stands in the types: strides and offset of a memref are its layout in
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
  let summary = "a place in DRAM for an intermediate tensor";
  let description = [{
    `offset` is its place in bytes in the scratch region of the program; it is
    there after `ane-allocate-dram`. Buffers whose lives do not overlap share
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
  let summary = "a place in L2 for a tensor that tasks read or write in parts";
  let description = [{
    Its layout and address are in its type after `ane-allocate-l2`. An element
    lies at [image][row][channel][column], so a strip of rows is one range of
    bytes, and a slice of channels an offset. It lives from the first task that
    writes into it, or into a view of it, to the last one that touches it. A
    tensor that one task writes as a whole needs none: it is a result of the task.

    With `shared` it is the place of several tensors. Each has an `ane.subview`
    of it, and lives from the first task that touches that view to the last; bytes
    that none of them needs at a time are those of others.

    With `planar` an element lies at [image][channel][row][column] as in DRAM, so
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
  let summary = "a constant that a task reads as a tensor";
  let description = [{
    The elements stand in the constant section in the layout of the result type.

    ```mlir
    %c = ane.constant_buffer %t : tensor<1x64x1x1xf16> -> memref<1x64x1x1xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins 4DTensorOf<[F16]>:$input);
  let results = (outs ANE_DramMemRef:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def ANE_SubviewOp : ANE_TaskLevelOp<"subview", [Pure]> {
  let summary = "a box of a tensor in DRAM or L2";
  let description = [{
    The same memory with another base: element (n, c, h, w) of the result is
    element (n, c, h, w) + `offsets` of the source. The rows of the tile DMA start
    at multiples of 64 bytes, those in L2 at multiples of 16, so a box that starts
    elsewhere inside a row is not legal. `strides` steps over elements of all dimensions but the last; none is 1.

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
  let summary = "the same rows under another shape";
  let description = [{
    Row-major order of the elements is kept. The width is kept, too, since only
    then do the rows stay where they are; or rows of both shapes follow each other
    without a gap, which those of 32 elements or a multiple of it do. In L2, where
    channels lie inside a row, whether one distance is left for each dimension is
    seen when there are strides.

    ```mlir
    %v = ane.reshape_view %b : memref<1x64x8x8xf16, #ane.space<dram>> -> memref<1x512x1x8xf16, #ane.space<dram>>
    ```
  }];
  let arguments = (ins ANE_TensorMemRef:$source);
  let results = (outs ANE_TensorMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def ANE_PermuteViewOp : ANE_TaskLevelOp<"permute_view", [Pure]> {
  let summary = "the same rows in another order";
  let description = [{
    Dimension i of the result is dimension `perm[i]` of the source; the last one
    stays, because the elements of a row do.

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
  let summary = "what a task leaves in L2";
  let arguments = (ins Variadic<ANE_L2MemRef>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

def ANE_KeepOp : ANE_TaskLevelOp<"keep", [HasParent<"TaskOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "the result of a task, or a source that it loads, to its place in L2";
  let description = [{
    `target` is an `ane.l2_buffer` or a view of one. Nothing moves: the engine or
    the tile DMA writes there in the first place.

    ```mlir
    ane.keep %r, %v : memref<1x64x8x8xf16, #ane.space<l2>>, memref<1x64x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$source, ANE_L2MemRef:$target);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `,` type($target)";
}

def ANE_TaskOp : ANE_TaskLevelOp<"task", [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "one pass of the engine";
  let description = [{
    Holds the loads, exactly one compute op, and one store; or it yields the
    result, or keeps it in a place (`ane.keep`), and then it stays in L2 for later
    tasks. So can the first source that it loads, with residency `kept`.
    `tile_height` is the number of
    result rows that are computed before the next tile of the source is loaded; it
    is there after `ane-allocate-l2`.

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
  let summary = "tiles of a tensor from DRAM to L2";
  let description = [{
    The layout of the result is where a row of each channel lies in L2; when the
    task is tiled, only the rows of a tile are there at once.
  }];
  let arguments = (ins
    ANE_DramMemRef:$source,
    DefaultValuedAttr<ANE_ResidencyAttr, "::mlir::ane::Residency::Streamed">:$residency);
  let results = (outs ANE_L2MemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def ANE_KernelLoadOp : ANE_TaskLevelOp<"kernel_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>]> {
  let summary = "coefficients of a task: weights, bias, table";
  let description = [{
    `first_channel` is the output channel of `weight` (and `bias`) at which the
    task starts; the result type has the number of them. A function that the
    engine takes from a table has `table`.

    With `from` the coefficients are a tensor that an earlier task or the caller
    wrote: plane i of it is what engine i computes with, element (i, k * lanes + l)
    being the weight of input channel k for output channel i * lanes + l. More
    planes than engines, a multiple of them, are those of further passes, which
    H13 does not have.

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
  let summary = "the result of a task from L2 to DRAM";
  let description = [{
    A streamed result has only a base in L2; the strides in its type are nominal.

    With an `interleave` of I, plane p of the target holds the channels I * p to
    I * p + I - 1 of the source side by side, element by element: the form in
    which the engines take a tensor as coefficients.
  }];
  let arguments = (ins
    ANE_L2MemRef:$source,
    ANE_DramMemRef:$target,
    DefaultValuedAttr<ANE_ResidencyAttr, "::mlir::ane::Residency::Streamed">:$residency,
    DefaultValuedAttr<I64Attr, "1">:$interleave);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `,` type($target)";
}

def ANE_ScratchPlaceOp : ANE_TaskLevelOp<"scratch_place", [HasParent<"TaskOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "where in DRAM the result of a task could be saved";
  let description = [{
    The result stays in L2; nothing is stored. The descriptor only names a place
    of its size in the scratch region, and that of the first task that reads the
    result names it as the place to load from. Compiler 9.509 gives one to what
    goes from one chain of tasks to the next. Tasks of H14 have no place for it, and
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
    `f(post_scale * (conv(input, kernel) + bias))`. `pad` is top and left; what is
    missing at the bottom and on the right follows from the size of the result.
    f is none, relu, or the table of the kernel. With `exchange` the result has
    its channels and columns exchanged. `lanes` is for how many output channels an
    NE sums at a time, where that does not follow from the kernel.

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
  let summary = "the NEs without a kernel: copy, relu, table";
  let description = [{
    `f(post_scale * input)`. With `exchange` the result has its channels and
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
  let summary = "the product of each pair of channels on the NEs";
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
  let summary = "the sum or maximum of all channels on the NEs";
  let description = [{
    `f(the sum or maximum)` of each pixel. f is none or, for a sum, a table.

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
  let summary = "a function of two tensors on the PE";
  let description = [{
    `act(scale * f(lhs, rhs) + bias)`; act is none, relu or abs. A dimension of 1
    is broadcast. With `relu_rhs` the second one is relu(rhs). What is exchanged has channels and columns exchanged in L2,
    which is the shape in its type.

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
  let summary = "a linear function of one tensor on the PE";
  let description = [{
    `act(scale * input + bias)`; act is none, relu or abs. A dimension of 1 is
    broadcast.

    ```mlir
    %r = ane.pe_unary %s {scale = 0.5 : f32, bias = 1.0 : f32}
       : memref<1x8x8x8xf16, #ane.space<l2>> -> memref<1x8x8x8xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins
    ANE_L2MemRef:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def ANE_PeReduceOp : ANE_ComputeOp<"pe_reduce"> {
  let summary = "a sum, mean or maximum of every channel or row on the PE";
  let description = [{
    Height and width become 1, or the width alone; of a tensor of five dimensions
    (N, C, D, H, W) the depth, too. Squares are those of `input + offset`, or with
    `subtract_offset` of `input - offset`, or of the input alone. The activation
    is reciprocal or rsqrt. An exchanged offset or result has channels and columns
    exchanged in L2, which is the shape in its type.

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
  let summary = "each element minus or plus a number, times another, on the PE";
  let description = [{
    `act((input - rows[0]) * rows[1])`, or with `add` of `input + rows[0]`; act is
    none, relu or abs. `rows` is a tensor of height 2: means and reciprocals of
    deviations. Its channels are those of the input, or with `all_channels` one
    for all, its columns one for all; `exchange_rows` means that they are
    exchanged in L2,
    which is the shape in its type.

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
  let summary = "channels side by side on the PE";
  let description = [{
    Plane p of the result holds `factor` channels of the input, element by
    element: the form in which the engines take a tensor as coefficients.

    ```mlir
    %r = ane.pe_interleave %s {factor = 4 : i64} : memref<1x64x1x32xf16, #ane.space<l2>> -> memref<1x16x1x128xf16, #ane.space<l2>>
    ```
  }];
  let arguments = (ins ANE_L2MemRef:$input, I64Attr:$factor);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

#endif // ANE_DIALECT_ANE_IR_ANETASKOPS_TD

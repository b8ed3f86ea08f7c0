//===- ANETensorOps.td - The tensor level of the ane dialect -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANETENSOROPS_TD
#define ANE_DIALECT_ANE_IR_ANETENSOROPS_TD

include "ane/Dialect/ANE/IR/ANEAttributes.td"
include "ane/Dialect/ANE/IR/ANEInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Data that the engine computes on. f32 is legal only before folding and at a
// cast; the verifier of each op says where (ids `*_c1`).
def ANE_Tensor : StaticShapeTensorOf<[F16, F32, I8, UI8]>;
// Results of a function: also integers, which the host converts from f16.
def ANE_Result : StaticShapeTensorOf<[F16, F32, I8, UI8, I16, UI16, I32, UI32, I64]>;
// One value for each channel.
def ANE_Vector : 1DTensorOf<[F16, F32]>;

class ANE_Op<string mnemonic, list<Trait> traits = []>
    : Op<ANE_Dialect, mnemonic, traits>;

// An op on tensors: no side effects, and it says how each operand is read along
// each dimension of the result.
class ANE_MappedOp<string mnemonic, list<ANE_DimMap> operands, list<Trait> traits = []>
    : ANE_Op<mnemonic, traits # [Pure, DeclareOpInterfaceMethods<ANE_DimMapOpInterface>]> {
  let extraClassDefinition = ANE_DimMapDefinition<operands>.cpp;
}

// Also, the type of the result follows from operands and attributes.
class ANE_TensorOp<string mnemonic, list<ANE_DimMap> operands, list<Trait> traits = []>
    : ANE_MappedOp<mnemonic, operands, traits # [InferTypeOpAdaptor]> {
  let results = (outs ANE_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // The verifier compares with the inferred type itself, to say which dimension
    // is wrong and why; the interface's own comparison would come first.
    static ::llvm::LogicalResult refineReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def ANE_ConstantOp : ANE_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor known at compile time";
  let description = [{
    Weights are `dense_resource`: their bytes are never copied, and no attribute
    is built from them element by element.

    ```mlir
    %w = ane.constant dense_resource<w0> : tensor<64x3x7x7xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Convolution and matrix multiplication
//===----------------------------------------------------------------------===//

// Each group of output channels needs its own input channels; one group all.
class ANE_Groups<string of> : ANE_If<"getGroups() == 1", ANE_Any,
    ANE_Blocks<of, "shapeOf(getResult())[1] / getGroups()", "shapeOf(getInput())[1] / getGroups()">>;
// One value for each output channel.
def ANE_OfChannel : ANE_If<"dim == 1", ANE_SameAs<"0">, ANE_Any>;
def ANE_ConvWindow : ANE_Window<"shapeOf(getWeight())[dim]", "getStrides()[dim - 2]",
                                "getDilations()[dim - 2]", "getPad()[2 * dim - 4]">;

def ANE_ConvOp : ANE_TensorOp<"conv",
    [ANE_NCHW<ANE_Same, ANE_Groups<"1">, ANE_ConvWindow, ANE_ConvWindow>,
     ANE_OfChannel, ANE_OfChannel, ANE_OfChannel],
    [AttrSizedOperandSegments]> {
  let summary = "convolution with the epilogue of the engine";
  let description = [{
    Computes `act(scale[o] * conv(input, weight) + bias[o])`, a cross-correlation.
    `input` is N x Cin x H x W, `weight` Cout x (Cin / groups) x Kh x Kw, `bias`
    and `scale` have Cout elements. `pad` is top, bottom, left, right.
    `groups` = Cin is a depthwise convolution.

    ```mlir
    %y = ane.conv %x, %w bias %b {activation = #ane.act<relu>, strides = array<i64: 2, 2>,
                                  pad = array<i64: 1, 1, 1, 1>}
       : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16> -> tensor<1x4x4x4xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    ANE_Tensor:$weight,
    Optional<ANE_Vector>:$bias,
    Optional<ANE_Vector>:$scale,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pad,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = [{
    $input `,` $weight (`bias` $bias^)? (`scale` $scale^)? attr-dict `:`
    type($input) `,` type($weight) (`,` type($bias)^)? (`scale` type($scale)^)?
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    bool hasUnitStrides();
    bool hasUnitDilations();
    bool hasPadding();
    /// Whether the kernel is 1x1.
    bool hasUnitKernel();
    /// Whether a pixel of the result is made of the same one of the input.
    bool isByPixel() {
      return hasUnitKernel() && hasUnitStrides() && !hasPadding();
    }
  }];
  let hasCanonicalizer = 1;
}

def ANE_ConvTransposeOp : ANE_TensorOp<"conv_transpose",
    [ANE_NCHW<ANE_Same, ANE_Groups<"1">, ANE_Opaque, ANE_Opaque>,
     ANE_If<"dim != 1", ANE_Any, ANE_If<"getGroups() == 1", ANE_SameAs<"1">, ANE_Groups<"0">>>,
     ANE_OfChannel, ANE_OfChannel],
    [AttrSizedOperandSegments]> {
  let summary = "transposed convolution with the epilogue of the engine";
  let description = [{
    Computes the gradient of `ane.conv` with respect to its input. `weight` is
    Cin x (Cout / groups) x Kh x Kw; the result has
    `(H - 1) * stride + (Kh - 1) * dilation + 1 - pad_top - pad_bottom` rows.

    ```mlir
    %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>}
       : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    ANE_Tensor:$weight,
    Optional<ANE_Vector>:$bias,
    Optional<ANE_Vector>:$scale,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pad,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = [{
    $input `,` $weight (`bias` $bias^)? (`scale` $scale^)? attr-dict `:`
    type($input) `,` type($weight) (`,` type($bias)^)? (`scale` type($scale)^)?
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    bool hasUnitStrides();
    bool hasUnitDilations();
  }];
}

def ANE_MatmulOp : ANE_TensorOp<"matmul", 
    [ANE_DimMap<"DimMap::matrix(shapeOf(getLhs()), dim, /*isRhs=*/false, getTransposeLhs())">,
     ANE_DimMap<"DimMap::matrix(shapeOf(getRhs()), dim, /*isRhs=*/true, getTransposeRhs())">]> {
  let summary = "matrix multiplication over the last two dimensions";
  let description = [{
    `lhs` is ... x M x K, `rhs` ... x K x N; `transpose_lhs` and `transpose_rhs`
    say that the last two dimensions are stored transposed. Leading dimensions are
    equal or 1.

    ```mlir
    %y = ane.matmul %a, %b {transpose_rhs} : tensor<1x1x512xf16>, tensor<1x10x512xf16> -> tensor<1x1x10xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$lhs,
    ANE_Tensor:$rhs,
    UnitAttr:$transpose_lhs,
    UnitAttr:$transpose_rhs,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasCanonicalizer = 1;
}

def ANE_RuntimeConvOp : ANE_TensorOp<"runtime_conv", 
    [ANE_NCHW<ANE_Same, ANE_Any, ANE_Same, ANE_Same>,
     ANE_NCHW<ANE_Same, ANE_Blocks<"1", "getLanes()", "1">, ANE_Elementwise, ANE_Any>]> {
  let summary = "1x1 convolution with computed coefficients";
  let description = [{
    Result (0, m, h, w) is the sum over k of input (0, k, h, w) times coefficient
    (0, m / lanes, g, k * lanes + m % lanes). Each channel of the coefficients is a
    plane for one engine, with `lanes` output channels interleaved
    (`ane.interleave`). The coefficients have one row for each input row (g = h) or
    one row for all (g = 0). `ane-decompose` creates it from matrix products.

    ```mlir
    %y = ane.runtime_conv %x, %c {lanes = 4 : i64} : tensor<1x32x2x96xf16>, tensor<1x16x2x128xf16> -> tensor<1x64x2x96xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    ANE_Tensor:$coefficients,
    DefaultValuedAttr<I64Attr, "1">:$lanes);
  let assemblyFormat = [{
    $input `,` $coefficients attr-dict `:` type($input) `,` type($coefficients) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def ANE_ElementwiseOp : ANE_TensorOp<"elementwise", [ANE_Elementwise, ANE_Elementwise]> {
  let summary = "elementwise function of two tensors";
  let description = [{
    Ranks are equal; a dimension of 1 is broadcast. A scalar is a tensor with one
    element. The epilogue is `act(scale * f(lhs, rhs) + bias)` with scalar scale
    and bias.

    ```mlir
    %z = ane.elementwise add %x, %y {activation = #ane.act<relu>}
       : tensor<1x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x8x8xf16>
    ```
  }];
  let arguments = (ins
    ANE_ElementwiseKindAttr:$kind,
    ANE_Tensor:$lhs,
    ANE_Tensor:$rhs,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let assemblyFormat = [{
    $kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Whether the epilogue is at most an activation: scale 1 and bias 0.
    bool isUnscaled();
    /// Whether there is no epilogue.
    bool isPlain() { return isUnscaled() && !getActivationAttr(); }
    bool isPlain(::mlir::ane::ElementwiseKind kind) {
      return getKind() == kind && isPlain();
    }
  }];
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def ANE_ActivationOp : ANE_TensorOp<"activation", [ANE_Same]> {
  let summary = "elementwise function of one tensor";
  let description = [{
    Applies `function` to every element. The engine computes it with relu, a scale
    or a table of 33 samples; `ane-decompose` expands functions that have none of them.

    ```mlir
    %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x77xf16> -> tensor<1x1x1x77xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input, ANE_ActivationAttr:$function);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

// Truth is 1 and falsehood 0 in the element type of the data; anything but 0
// counts as true.

def ANE_CompareOp : ANE_TensorOp<"compare", [ANE_Elementwise, ANE_Elementwise]> {
  let summary = "elementwise comparison: 1 if true, 0 if false";
  let description = [{
    Ranks are equal; a dimension of 1 is broadcast. The engine computes the
    difference, which is NaN for two equal infinities: a comparison with a constant
    infinity (a splat) is exact; what two computed infinities compare as is not
    known (NaN in the simulator).

    ```mlir
    %c = ane.compare gt %x, %y : tensor<1x8x8x8xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x8xf16>
    ```
  }];
  let arguments = (ins ANE_CompareKindAttr:$kind, ANE_Tensor:$lhs, ANE_Tensor:$rhs);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def ANE_SelectOp : ANE_TensorOp<"select", [ANE_Elementwise, ANE_Elementwise, ANE_Elementwise]> {
  let summary = "elementwise selection between two tensors";
  let description = [{
    Takes `true_value` where `condition` is not 0, and `false_value` where it is 0.
    Ranks are equal; a dimension of 1 is broadcast. The condition may have 8-bit
    integers.

    ```mlir
    %z = ane.select %c, %x, %y : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$condition, ANE_Tensor:$true_value, ANE_Tensor:$false_value);
  let assemblyFormat = [{
    $condition `,` $true_value `,` $false_value attr-dict `:`
    type($condition) `,` type($true_value) `,` type($false_value) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

def ANE_SoftmaxOp : ANE_TensorOp<"softmax", [ANE_If<"dim == int64_t(getAxis())", ANE_All, ANE_Same>]> {
  let summary = "softmax along an axis";
  let description = [{
    Computes `exp(x - max(x)) / sum(exp(x - max(x)))` along `axis`.

    ```mlir
    %y = ane.softmax %x {axis = 3 : i64} : tensor<1x12x64x64xf16> -> tensor<1x12x64x64xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input, I64Attr:$axis);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

// Dimensions `axes` are reduced; gamma and beta have no others.
def ANE_OfAxes : ANE_If<"llvm::is_contained(getAxes(), dim)", ANE_All, ANE_Same>;
def ANE_ForAxes : ANE_If<"llvm::is_contained(getAxes(), dim)",
    ANE_SameAs<"llvm::find(getAxes(), dim) - getAxes().begin()">, ANE_Any>;

def ANE_LayerNormOp : ANE_TensorOp<"layer_norm", [ANE_OfAxes, ANE_ForAxes, ANE_ForAxes],
                                   [AttrSizedOperandSegments]> {
  let summary = "normalization to mean 0 and variance 1 over some dimensions";
  let description = [{
    Computes `gamma * (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) + beta`
    with the means over `axes`, which are in increasing order. `gamma` and `beta` have
    one dimension for each axis, of the same size.

    ```mlir
    %y = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 2>, epsilon = 1.0e-5 : f32}
       : tensor<1x64x768xf16> gamma tensor<768xf16> beta tensor<768xf16> -> tensor<1x64x768xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    Optional<ANE_Tensor>:$gamma,
    Optional<ANE_Tensor>:$beta,
    DenseI64ArrayAttr:$axes,
    F32Attr:$epsilon);
  let assemblyFormat = [{
    $input (`gamma` $gamma^)? (`beta` $beta^)? attr-dict `:` type($input)
    (`gamma` type($gamma)^)? (`beta` type($beta)^)? `->` type($result)
  }];
}

def ANE_RmsNormOp : ANE_TensorOp<"rms_norm", [ANE_OfAxes, ANE_ForAxes]> {
  let summary = "normalization to mean square 1 over some dimensions";
  let description = [{
    Computes `gamma * x / sqrt(mean(x^2) + epsilon)` with the mean over `axes`, which
    are in increasing order. `gamma` has one dimension for each axis, of the same size.

    ```mlir
    %y = ane.rms_norm %x gamma %g {axes = array<i64: 1>, epsilon = 1.0e-5 : f32}
       : tensor<1x768x1x64xf16> gamma tensor<768xf16> -> tensor<1x768x1x64xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    Optional<ANE_Tensor>:$gamma,
    DenseI64ArrayAttr:$axes,
    F32Attr:$epsilon);
  let assemblyFormat = [{
    $input (`gamma` $gamma^)? attr-dict `:` type($input)
    (`gamma` type($gamma)^)? `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def ANE_OfAttention : ANE_DimMap<"getMapOfOperand(operand, dim)">;

def ANE_AttentionOp : ANE_TensorOp<"attention",
    [ANE_OfAttention, ANE_OfAttention, ANE_OfAttention, ANE_OfAttention, ANE_OfAttention,
     ANE_OfAttention],
    [AttrSizedOperandSegments]> {
  let summary = "values mixed by a softmax of products of queries and keys";
  let description = [{
    Computes `softmax(cap(scale * query * key^T) + mask + terms) * value` over the last
    two dimensions: `query` is ... x H x M x D, `key` ... x G x K x D, `value`
    ... x G x K x E and the result ... x H x M x E. The last leading dimension is
    the heads, of which H / G have the same keys and values.

    - `mask` has the dimensions of the scores, ... x H x M x K; each may be 1;
    - `terms` are more summands, ... x H x M x C each. Key k gets number
      k / S % C of a term with S in `term_strides`: 1, or K / C. Keys that are pixels
      have one for each column, or for each row;
    - `sink`, ... x H x M x 1, is one more score of each query, which has no value;
    - `cap` is a function of the scores.

    `transpose_query`, `transpose_key`, `transpose_value` and `transpose_result` say
    that the last two dimensions are stored transposed, `transpose_scores` that those
    of the mask are.

    ```mlir
    %y = ane.attention %q, %k, %v mask %m {scale = 1.250000e-01 : f32, transpose_key}
       : tensor<1x8x16x64xf16>, tensor<1x2x64x20xf16>, tensor<1x2x20x32xf16> mask tensor<1x1x16x20xf16>
       -> tensor<1x8x16x32xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$query,
    ANE_Tensor:$key,
    ANE_Tensor:$value,
    Optional<ANE_Tensor>:$mask,
    Optional<ANE_Tensor>:$sink,
    Variadic<ANE_Tensor>:$terms,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$term_strides,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    OptionalAttr<ANE_ActivationAttr>:$cap,
    UnitAttr:$transpose_query,
    UnitAttr:$transpose_key,
    UnitAttr:$transpose_value,
    UnitAttr:$transpose_scores,
    UnitAttr:$transpose_result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`sink` $sink^)? (`terms` $terms^)? attr-dict
    `:` type($query) `,` type($key) `,` type($value) (`mask` type($mask)^)?
    (`sink` type($sink)^)? (`terms` type($terms)^)? `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// How operand number `operand` is read along dimension `dim` of the result.
    ::mlir::ane::DimMap getMapOfOperand(unsigned operand, int64_t dim);
  }];
}

//===----------------------------------------------------------------------===//
// Pooling and reduction
//===----------------------------------------------------------------------===//

def ANE_PoolWindow : ANE_Window<"getKernel()[dim - 2]", "getStrides()[dim - 2]", "1",
                                "getPad()[2 * dim - 4]">;

def ANE_PoolOp : ANE_TensorOp<"pool", 
    [ANE_NCHW<ANE_Same, ANE_Same, ANE_PoolWindow, ANE_PoolWindow>]> {
  let summary = "maximum or average over a window";
  let description = [{
    Computes one element for each window. `pad` is top, bottom, left, right. A maximum
    ignores padding; an average divides by the number of elements inside the image, or
    with `count_include_pad` by the size of the window.

    ```mlir
    %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
       : tensor<1x64x112x112xf16> -> tensor<1x64x56x56xf16>
    ```
  }];
  let arguments = (ins
    ANE_PoolKindAttr:$kind,
    ANE_Tensor:$input,
    DenseI64ArrayAttr:$kernel,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pad,
    UnitAttr:$count_include_pad);
  let assemblyFormat = "$kind $input attr-dict `:` type($input) `->` type($result)";
  let extraClassDeclaration = [{
    bool hasUnitStrides();
    bool hasPadding();
  }];
}

def ANE_ReduceOp : ANE_TensorOp<"reduce", [ANE_OfAxes]> {
  let summary = "reduction over some dimensions, which get size 1";
  let description = [{
    Reduces the dimensions `axes`, in increasing order; they stay, with size 1.
    `activation` is applied to the result before it is rounded to f16.

    ```mlir
    %y = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x1x1xf16>
    ```
  }];
  let arguments = (ins
    ANE_ReduceKindAttr:$kind,
    ANE_Tensor:$input,
    DenseI64ArrayAttr:$axes,
    OptionalAttr<ANE_ActivationAttr>:$activation);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::ane::ReduceKind":$kind,
                   "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$axes), [{
      build($_builder, $_state, type, kind, input, axes, ::mlir::ane::ActivationAttr());
    }]>,
    OpBuilder<(ins "::mlir::ane::ReduceKind":$kind, "::mlir::Value":$input,
                   "::llvm::ArrayRef<int64_t>":$axes), [{
      build($_builder, $_state, kind, input, axes, ::mlir::ane::ActivationAttr());
    }]>
  ];
  let assemblyFormat = "$kind $input attr-dict `:` type($input) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def ANE_ConcatOp : ANE_TensorOp<"concat", [ANE_DimMap<"getInputDimMap(operand, dim)">]> {
  let summary = "concatenation of tensors along an axis";
  let description = [{
    Operands agree in every dimension except `axis`. At the task level each producer
    writes to its place in the result, so that nothing is copied.

    ```mlir
    %z = ane.concat %x, %y {axis = 1 : i64} : tensor<1x16x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x24x8x8xf16>
    ```
  }];
  let arguments = (ins Variadic<ANE_Tensor>:$inputs, I64Attr:$axis);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs) `->` type($result)";
  let extraClassDeclaration = [{
    /// Where an input lies along the axis.
    ::mlir::ane::DimMap getInputDimMap(unsigned operand, int64_t dim);
  }];
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def ANE_SliceOp : ANE_TensorOp<"slice", [ANE_Segment<"getStrides()[dim]", "-getOffsets()[dim]">]> {
  let summary = "strided slice of a tensor";
  let description = [{
    Element i of dimension d is element `offsets[d] + i * strides[d]` of the input.

    ```mlir
    %y = ane.slice %x {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 8, 8, 8>, strides = array<i64: 1, 1, 1, 1>}
       : tensor<1x16x8x8xf16> -> tensor<1x8x8x8xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    DenseI64ArrayAttr:$offsets,
    DenseI64ArrayAttr:$sizes,
    DenseI64ArrayAttr:$strides);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasUnitStrides();
  }];
}

def ANE_PadOp : ANE_TensorOp<"pad", [ANE_Window<"1", "1", "1", "getLow()[dim]">]> {
  let summary = "padding with one value";
  let description = [{
    Adds `low` elements of `value` before and `high` elements after each dimension.
    `ane-fuse` moves padding with 0 into the `pad` of a convolution or pooling.

    ```mlir
    %y = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>}
       : tensor<1x3x8x8xf16> -> tensor<1x3x10x10xf16>
    ```
  }];
  let arguments = (ins
    ANE_Tensor:$input,
    DenseI64ArrayAttr:$low,
    DenseI64ArrayAttr:$high,
    DefaultValuedAttr<F32Attr, "0.0f">:$value);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def ANE_InterleaveOp : ANE_TensorOp<"interleave", 
    [ANE_NCHW<ANE_Same, ANE_Blocks<"1", "1", "getFactor()">, ANE_Same, ANE_Blocks<"3", "getFactor()", "1">>]> {
  let summary = "interleaving of channels along the width";
  let description = [{
    Channel c of the result has `factor` channels of the input, element by
    element: result (n, c, h, w * factor + f) is input (n, c * factor + f, h, w).
    The tile DMA does this when it stores with interleave; it is also the column part
    of a depth-to-space.

    ```mlir
    %y = ane.interleave %x {factor = 2 : i64} : tensor<1x8x4x8xf16> -> tensor<1x4x4x16xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input, I64Attr:$factor);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def ANE_TileOp : ANE_TensorOp<"tile", 
    [ANE_If<"getRepeats()[dim] == 1", ANE_Same, ANE_DimMap<"DimMap::broadcast(dim, shapeOf(getInput())[dim])">>]> {
  let summary = "repetition of a tensor along its dimensions";
  let description = [{
    Dimension d of the result has `repeats[d]` copies of dimension d of the input.

    ```mlir
    %y = ane.tile %x {repeats = array<i64: 1, 1, 4, 1>} : tensor<1x8x1x8xf16> -> tensor<1x8x4x8xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input, DenseI64ArrayAttr:$repeats);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
}

def ANE_TransposeOp : ANE_TensorOp<"transpose", [ANE_SameAs<"getPerm()[dim]">]> {
  let summary = "permutation of the dimensions";
  let description = [{
    Result dimension i is input dimension `perm[i]`.

    ```mlir
    %y = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x3xf16> -> tensor<1x3x8x8xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input, DenseI64ArrayAttr:$perm);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def ANE_ReshapeOp : ANE_MappedOp<"reshape", 
    [ANE_DimMap<"DimMap::reshape(shapeOf(getInput()), shapeOf(getResult()), dim)">]> {
  let summary = "the same elements in row-major order with another shape";
  let description = [{
    The result type gives the shape; the number of elements is unchanged.

    ```mlir
    %y = ane.reshape %x : tensor<1x512x1x1xf16> -> tensor<1x512xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input);
  let results = (outs ANE_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def ANE_ResizeOp : ANE_MappedOp<"resize", [ANE_NCHW<ANE_Same, ANE_Same, ANE_Opaque, ANE_Opaque>]> {
  let summary = "resize of an image";
  let description = [{
    Samples the input at the height and width of the result type. Sample positions follow
    `align_corners` (corner pixels coincide) or `half_pixel` (pixel centres are at
    one half), or neither (position = index * input / output).

    ```mlir
    %y = ane.resize nearest %x : tensor<1x8x4x4xf16> -> tensor<1x8x8x8xf16>
    ```
  }];
  let arguments = (ins
    ANE_ResizeModeAttr:$mode,
    ANE_Tensor:$input,
    UnitAttr:$align_corners,
    UnitAttr:$half_pixel);
  let results = (outs ANE_Tensor:$result);
  let assemblyFormat = "$mode $input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

// The host casts whole tensors at the border of a function.
def ANE_CastOp : ANE_MappedOp<"cast",
    [ANE_If<"isHostElement(getInput().getType()) || isHostElement(getType())", ANE_Opaque, ANE_Same>]> {
  let summary = "conversion to another element type";
  let description = [{
    Converts between `f32` and `f16` at the border of a function, on the host, and
    between `f16`, `i8` and `ui8` on the engine (rounding to nearest even,
    saturating). For results of a function the host also converts `f16` to wider
    integers; their producer must compute integers (an index, for example).

    ```mlir
    %y = ane.cast %x : tensor<1x3x8x8xf32> -> tensor<1x3x8x8xf16>
    ```
  }];
  let arguments = (ins ANE_Tensor:$input);
  let results = (outs ANE_Result:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// From f16 to f32, as results leave the engine: the engine computes
    /// nothing in f32, so such a cast of a constant stays.
    bool isWidening();
  }];
}

#endif // ANE_DIALECT_ANE_IR_ANETENSOROPS_TD

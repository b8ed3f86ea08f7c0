//===- ANEAttributes.td - Attributes and enums of the ane dialect -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD
#define ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD

include "ane/Dialect/ANE/IR/ANEDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class ANE_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::ane";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def ANE_MemorySpace : ANE_Enum<"MemorySpace", "where a buffer lives", [
  I32EnumCase<"Dram", 0, "dram">,
  I32EnumCase<"L2", 1, "l2">,
  I32EnumCase<"Kernel", 2, "kernel">
]>;

def ANE_MemorySpaceAttr : EnumAttr<ANE_Dialect, ANE_MemorySpace, "space"> {
  let assemblyFormat = "`<` $value `>`";
}

def ANE_Residency : ANE_Enum<"Residency", "how a tile passes through L2", [
  I32EnumCase<"Streamed", 0, "streamed">, // tile by tile, gone afterwards
  I32EnumCase<"Staged", 1, "staged">,     // has strides of its own in L2 on its way to DRAM
  I32EnumCase<"Kept", 2, "kept">          // stays in L2 for later tasks
]>;
def ANE_ResidencyAttr : EnumAttr<ANE_Dialect, ANE_Residency, "residency"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// The names are those of MIL where it has one.
def ANE_ActivationKind : ANE_Enum<"ActivationKind", "a function of one element", [
  I32EnumCase<"Relu", 0, "relu">,
  I32EnumCase<"LeakyRelu", 1, "leaky_relu">,    // alpha: slope below 0
  I32EnumCase<"Clamp", 2, "clamp">,             // alpha, beta: bounds
  I32EnumCase<"Elu", 3, "elu">,                 // alpha: scale below 0
  I32EnumCase<"Sigmoid", 4, "sigmoid">,
  I32EnumCase<"Tanh", 5, "tanh">,
  // Sigmoid, the forms of gelu, silu and softplus: of x / alpha where alpha is
  // not 0, which ane-decompose writes.
  I32EnumCase<"Gelu", 6, "gelu">,               // the erf form
  I32EnumCase<"Silu", 7, "silu">,
  I32EnumCase<"HardSigmoid", 8, "hard_sigmoid">,// clamp(alpha * x + beta, 0, 1)
  I32EnumCase<"HardSwish", 9, "hard_swish">,    // x * clamp(x / 6 + 1 / 2, 0, 1)
  I32EnumCase<"Softplus", 10, "softplus">,
  I32EnumCase<"Exp", 11, "exp">,
  I32EnumCase<"Exp2", 12, "exp2">,
  I32EnumCase<"Log", 13, "log">,
  I32EnumCase<"Log2", 14, "log2">,
  I32EnumCase<"Sqrt", 15, "sqrt">,
  I32EnumCase<"Rsqrt", 16, "rsqrt">,            // 1 / sqrt(x + alpha)
  I32EnumCase<"Reciprocal", 17, "reciprocal">,
  I32EnumCase<"Abs", 18, "abs">,
  I32EnumCase<"Neg", 19, "neg">,
  I32EnumCase<"Erf", 20, "erf">,
  I32EnumCase<"Floor", 21, "floor">,
  I32EnumCase<"Ceil", 22, "ceil">,
  I32EnumCase<"Round", 23, "round">,            // halves to even
  I32EnumCase<"Sign", 24, "sign">,              // -1, 0, 1
  I32EnumCase<"Square", 25, "square">,
  I32EnumCase<"GeluTanh", 26, "gelu_tanh">,     // the tanh form
  I32EnumCase<"GeluSigmoid", 27, "gelu_sigmoid">,// x * sigmoid(1.702 * x)
  I32EnumCase<"ScaledTanh", 28, "scaled_tanh">, // alpha * tanh(beta * x)
  I32EnumCase<"Softsign", 29, "softsign">,      // x / (1 + |x|)
  I32EnumCase<"ThresholdedRelu", 30, "thresholded_relu">, // x where x > alpha, else 0
  I32EnumCase<"Sin", 31, "sin">,
  I32EnumCase<"Cos", 32, "cos">,
  I32EnumCase<"Atan", 33, "atan">,
  // Two values: alpha where it holds, beta where not.
  I32EnumCase<"WhereNonzero", 34, "where_nonzero">,
  I32EnumCase<"WherePositive", 35, "where_positive">,
  I32EnumCase<"WhereNegative", 36, "where_negative">,
  // What ane-decompose builds others from.
  I32EnumCase<"Trunc", 37, "trunc">,
  I32EnumCase<"Fraction", 38, "fraction">,      // x - trunc(x)
  I32EnumCase<"SinQuarter", 39, "sin_quarter">, // sin x for |x| up to 2
  I32EnumCase<"AtanUnit", 40, "atan_unit">,     // atan x for |x| up to 1
  I32EnumCase<"Log1p", 41, "log1p">,            // log(1 + x), right near 0
  I32EnumCase<"Expm1", 42, "expm1">,            // e^x - 1, right near 0
  I32EnumCase<"Log1pFactor", 43, "log1p_factor">, // log1p(x) / x, |x| up to 1/2
  I32EnumCase<"EluFactor", 44, "elu_factor">    // elu(x) / x for x from -8 on
]>;

def ANE_ActivationAttr : AttrDef<ANE_Dialect, "Activation"> {
  let mnemonic = "act";
  let summary = "a function of one element with its parameters";
  let description = [{
    `#ane.act<relu>`, `#ane.act<leaky_relu, 0.1>`, `#ane.act<clamp, 0.0, 6.0>`.
    Parameters that a function does not have are zero.
  }];
  let parameters = (ins
    EnumParameter<ANE_ActivationKind>:$kind,
    APFloatParameter<"">:$alphaValue,
    APFloatParameter<"">:$betaValue);
  let builders = [
    AttrBuilder<(ins "ActivationKind":$kind, CArg<"double", "0.0">:$alpha,
                     CArg<"double", "0.0">:$beta), [{
      return $_get($_ctxt, kind, ::llvm::APFloat(alpha), ::llvm::APFloat(beta));
    }]>
  ];
  // Doubles are what callers compute with; APFloat is what the storage can hash.
  let extraClassDeclaration = [{
    double getAlpha() const { return getAlphaValue().convertToDouble(); }
    double getBeta() const { return getBetaValue().convertToDouble(); }
    /// Whether no argument gives a result below zero.
    bool isNeverNegative() const;
    /// Whether it is a function of x / alpha.
    bool isStretched() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def ANE_TileAttr : AttrDef<ANE_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "how ane-tile cuts an op";
  let description = [{
    `ane.tile = #ane.tile<group = 0, dim = 2, size = 16>`: ops with the same group
    are computed strip by strip, one behind the other. What is used outside the
    group is cut along dimension `dim` of the result into strips of `size`, and
    each of these, with `innerDim = 3, innerSize = 32`, once more: then all parts of
    the first strip are computed before those of the second.
    ane-plan-tiles writes it; it may be written by hand.
  }];
  let parameters = (ins "int64_t":$group, "int64_t":$dim, "int64_t":$size,
    DefaultValuedParameter<"int64_t", "-1">:$innerDim,
    DefaultValuedParameter<"int64_t", "0">:$innerSize);
  let builders = [
    AttrBuilder<(ins "int64_t":$group, "int64_t":$dim, "int64_t":$size), [{
      return $_get($_ctxt, group, dim, size, /*innerDim=*/-1, /*innerSize=*/0);
    }]>
  ];
  let extraClassDeclaration = [{
    bool hasInner() const { return getInnerDim() >= 0; }
    /// Dimension along which parts follow one another.
    int64_t getLastDim() const { return hasInner() ? getInnerDim() : getDim(); }
  }];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def ANE_ElementwiseKind : ANE_Enum<"ElementwiseKind", "a function of two elements", [
  I32EnumCase<"Add", 0, "add">, I32EnumCase<"Sub", 1, "sub">,
  I32EnumCase<"Mul", 2, "mul">, I32EnumCase<"Max", 3, "max">,
  I32EnumCase<"Min", 4, "min">, I32EnumCase<"Div", 5, "div">,
  I32EnumCase<"Pow", 6, "pow">
]>;
def ANE_ElementwiseKindAttr : EnumAttr<ANE_Dialect, ANE_ElementwiseKind, "binary">;

def ANE_CompareKind : ANE_Enum<"CompareKind", "a comparison of two elements", [
  I32EnumCase<"Equal", 0, "eq">, I32EnumCase<"NotEqual", 1, "ne">,
  I32EnumCase<"Less", 2, "lt">, I32EnumCase<"LessEqual", 3, "le">,
  I32EnumCase<"Greater", 4, "gt">, I32EnumCase<"GreaterEqual", 5, "ge">
]>;
def ANE_CompareKindAttr : EnumAttr<ANE_Dialect, ANE_CompareKind, "comparison">;

def ANE_PoolKind : ANE_Enum<"PoolKind", "what a pooling window computes", [
  I32EnumCase<"Max", 0, "max">, I32EnumCase<"Average", 1, "average">
]>;
def ANE_PoolKindAttr : EnumAttr<ANE_Dialect, ANE_PoolKind, "pooling">;

def ANE_ReduceKind : ANE_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumCase<"Sum", 0, "sum">, I32EnumCase<"Mean", 1, "mean">,
  I32EnumCase<"Max", 2, "max">, I32EnumCase<"Min", 3, "min">,
  I32EnumCase<"SumSquare", 4, "sum_square">, I32EnumCase<"MeanSquare", 5, "mean_square">
]>;
def ANE_ReduceKindAttr : EnumAttr<ANE_Dialect, ANE_ReduceKind, "reduction">;

def ANE_ResizeMode : ANE_Enum<"ResizeMode", "how a resize samples", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Bilinear", 1, "bilinear">
]>;
def ANE_ResizeModeAttr : EnumAttr<ANE_Dialect, ANE_ResizeMode, "resampling">;

#endif // ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD

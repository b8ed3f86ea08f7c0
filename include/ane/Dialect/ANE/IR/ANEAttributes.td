//===- ANEAttributes.td - Attributes and enums of the ane dialect -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD
#define ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD

include "ane/Dialect/ANE/IR/ANEDialect.td"
include "ane/Dialect/ANE/IR/ANEFunctions.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def ANE_MemorySpace : ANE_Enum<"MemorySpace", "the memory of a buffer", [
  I32EnumCase<"Dram", 0, "dram">,
  I32EnumCase<"L2", 1, "l2">,
  I32EnumCase<"Kernel", 2, "kernel">
]>;

def ANE_MemorySpaceAttr : EnumAttr<ANE_Dialect, ANE_MemorySpace, "space"> {
  let assemblyFormat = "`<` $value `>`";
}

def ANE_Residency : ANE_Enum<"Residency", "the use of L2 by a tile", [
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

def ANE_ActivationAttr : AttrDef<ANE_Dialect, "Activation"> {
  let mnemonic = "act";
  let summary = "a function of one element, with its parameters";
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
  let summary = "the tiles into which ane-tile cuts an op";
  let description = [{
    `ane.tile = #ane.tile<group = 0, dim = 2, size = 16>`: ops with the same group
    are computed tile by tile, one tile after the other. Results that are used outside the
    group are cut along dimension `dim` into tiles of `size`, and
    each of these, with `innerDim = 3, innerSize = 32`, once more: all inner tiles of
    the first tile are computed before the inner tiles of the second.
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

def ANE_ElementwiseKindAttr : EnumAttr<ANE_Dialect, ANE_ElementwiseKind, "binary">;

def ANE_CompareKind : ANE_Enum<"CompareKind", "a comparison of two elements", [
  I32EnumCase<"Equal", 0, "eq">, I32EnumCase<"NotEqual", 1, "ne">,
  I32EnumCase<"Less", 2, "lt">, I32EnumCase<"LessEqual", 3, "le">,
  I32EnumCase<"Greater", 4, "gt">, I32EnumCase<"GreaterEqual", 5, "ge">
]>;
def ANE_CompareKindAttr : EnumAttr<ANE_Dialect, ANE_CompareKind, "comparison">;

def ANE_PoolKind : ANE_Enum<"PoolKind", "the function of a pooling window", [
  I32EnumCase<"Max", 0, "max">, I32EnumCase<"Average", 1, "average">
]>;
def ANE_PoolKindAttr : EnumAttr<ANE_Dialect, ANE_PoolKind, "pooling">;

def ANE_ReduceKind : ANE_Enum<"ReduceKind", "the function of a reduction", [
  I32EnumCase<"Sum", 0, "sum">, I32EnumCase<"Mean", 1, "mean">,
  I32EnumCase<"Max", 2, "max">, I32EnumCase<"Min", 3, "min">,
  I32EnumCase<"SumSquare", 4, "sum_square">, I32EnumCase<"MeanSquare", 5, "mean_square">
]>;
def ANE_ReduceKindAttr : EnumAttr<ANE_Dialect, ANE_ReduceKind, "reduction">;

def ANE_ResizeMode : ANE_Enum<"ResizeMode", "the interpolation of a resize", [
  I32EnumCase<"Nearest", 0, "nearest">, I32EnumCase<"Bilinear", 1, "bilinear">
]>;
def ANE_ResizeModeAttr : EnumAttr<ANE_Dialect, ANE_ResizeMode, "resampling">;

#endif // ANE_DIALECT_ANE_IR_ANEATTRIBUTES_TD

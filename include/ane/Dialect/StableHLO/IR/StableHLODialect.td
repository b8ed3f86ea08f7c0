//===- StableHLODialect.td - The stablehlo dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD
#define ANE_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mlir::ane::stablehlo";
  let summary = "Networks as JAX and others write them, to be read";
  let description = [{
    A dialect of our own with the names, attributes and text of the public StableHLO
    specification, so that its files parse without another package. It has the ops that
    can be imported; others are kept as they are, with any attributes, so that the import
    can name them.
  }];
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// An attribute that we do not know is kept as its text.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
    /// An error that names an op whose text we do not know.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef opName) const override;
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class StableHLO_Enum<string name, string mnemonic, list<string> cases>
    : I32EnumAttr<name, mnemonic,
        !foreach(i, !range(!size(cases)), I32EnumAttrCase<cases[i], i>)> {
  let cppNamespace = "::mlir::ane::stablehlo";
  let genSpecializedAttr = 0;
}
def StableHLO_ComparisonDirection : StableHLO_Enum<
  "ComparisonDirection", "which order holds", ["EQ", "NE", "GE", "GT", "LE", "LT"]>;
def StableHLO_ComparisonDirectionAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonDirection, "comparison_direction">;
def StableHLO_ComparisonType : StableHLO_Enum<
  "ComparisonType", "what is compared", ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]>;
def StableHLO_ComparisonTypeAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonType, "comparison_type">;
def StableHLO_Precision : StableHLO_Enum<
  "Precision", "how exact a product is", ["DEFAULT", "HIGH", "HIGHEST"]>;
def StableHLO_PrecisionAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_Precision, "precision">;

class StableHLO_Attr<string name, string attrMnemonic> : AttrDef<StableHLO_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def StableHLO_DotAttr : StableHLO_Attr<"DotDimensions", "dot"> {
  let summary = "which dimensions of two tensors a product runs over";
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$lhsBatching,
    OptionalArrayRefParameter<"int64_t">:$rhsBatching,
    OptionalArrayRefParameter<"int64_t">:$lhsContracting,
    OptionalArrayRefParameter<"int64_t">:$rhsContracting);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ConvAttr : StableHLO_Attr<"ConvDimensions", "conv"> {
  let summary = "what the dimensions of image, weight and result are";
  let parameters = (ins
    "int64_t":$inputBatch, "int64_t":$inputFeature,
    OptionalArrayRefParameter<"int64_t">:$inputSpatial,
    "int64_t":$kernelInput, "int64_t":$kernelOutput,
    OptionalArrayRefParameter<"int64_t">:$kernelSpatial,
    "int64_t":$outputBatch, "int64_t":$outputFeature,
    OptionalArrayRefParameter<"int64_t">:$outputSpatial);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_GatherAttr : StableHLO_Attr<"GatherDimensions", "gather"> {
  let summary = "where in a tensor indices are, and where in the result what they take";
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$offsetDims,
    OptionalArrayRefParameter<"int64_t">:$collapsedSliceDims,
    OptionalArrayRefParameter<"int64_t">:$operandBatchingDims,
    OptionalArrayRefParameter<"int64_t">:$startIndicesBatchingDims,
    OptionalArrayRefParameter<"int64_t">:$startIndexMap,
    DefaultValuedParameter<"int64_t", "0">:$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

#endif // ANE_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD

//===- CHLOOps.td - The chlo dialect -----------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_STABLEHLO_IR_CHLOOPS_TD
#define ANE_DIALECT_STABLEHLO_IR_CHLOOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlir::ane::chlo";
  let summary = "Functions that JAX writes beside StableHLO";
  let description = [{
    Functions of one element, and searches, without an op in StableHLO. Others of this name are kept in
    their generic form.
  }];
  let extraClassDeclaration = [{
    /// An error that names an op whose text we do not know.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef opName) const override;
  }];
}

class CHLO_UnaryOp<string name>
    : Op<CHLO_Dialect, name, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
def CHLO_ErfOp : CHLO_UnaryOp<"erf">;
def CHLO_ErfcOp : CHLO_UnaryOp<"erfc">;
def CHLO_SquareOp : CHLO_UnaryOp<"square">;

def CHLO_TopKOp : Op<CHLO_Dialect, "top_k", [Pure]> {
  let arguments = (ins AnyRankedTensor:$operand, I64Attr:$k);
  let results = (outs AnyRankedTensor:$values, AnyRankedTensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->`
    `(` type($values) `,` type($indices) `)`
  }];
  let hasVerifier = 1;
}

#endif // ANE_DIALECT_STABLEHLO_IR_CHLOOPS_TD

//===- MILDialect.td - The mil dialect ---------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILDIALECT_TD
#define ANE_DIALECT_MIL_IR_MILDIALECT_TD

include "mlir/IR/OpBase.td"

def MIL_Dialect : Dialect {
  let name = "mil";
  let cppNamespace = "::mlir::ane::mil";
  let summary = "Apple's Model Intermediate Language, one op per statement";
  let description = [{
    A program in this dialect is a MIL text with the white space taken out: the
    same functions, statements, names, attributes and constants in the same
    order, so that printing and reading lose nothing.

    MIL's tensors are ranked tensors: `tensor<fp16, [1, 3]>` is `tensor<1x3xf16>`,
    an unknown extent is `?`. `intN` is `iN`, `uintN` is `uiN`, `bool` is `i1`.
    A scalar `fp16` is `f16`; the older spelling `tensor<fp16, []>` is a matter
    of printing. What MLIR has no type for is here: `!mil.string`, `!mil.state`,
    `!mil.list`, `!mil.tuple`, `!mil.dict`.

    Each operation of the opsets ios15 to ios18 has an op, made from the table
    in MIL*Ops.td: `mil.conv`, `mil.relu`. What the table does not know, or does
    not allow, is a `mil.op` that carries the name of its operation. What the
    printer and the conversions need to know of an op comes through
    `MILOpInterface`, which both implement.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// `fp16(1e-05)` holds another number than it says. A statement may keep
    /// what was written: `mil.written = {val = dense<1.0e-05> : tensor<1xf64>}`
    /// has the elements of the attribute `val`, for the printer alone.
    static constexpr ::llvm::StringLiteral getWrittenAttrName() {
      return "mil.written";
    }

  private:
    // One a file of the table.
    void addActivationOps();
    void addCompressionOps();
    void addElementwiseOps();
    void addImageOps();
    void addLinearOps();
    void addReductionOps();
    void addSequenceOps();
    void addShapeOps();
    void addTensorOps();
  }];
}

#endif // ANE_DIALECT_MIL_IR_MILDIALECT_TD

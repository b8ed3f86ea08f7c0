//===- ANEInterfaces.td - What ops of the ane dialect say --*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op on tensors declares how it reads its operands along each dimension
// of its result (DimMap.h), one ANE_DimMap for each operand in their order. An
// ANE_DimMap is a C++ expression in a method of the op, of `operand` (its
// number) and `dim` (of the result).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEINTERFACES_TD
#define ANE_DIALECT_ANE_IR_ANEINTERFACES_TD

include "mlir/IR/Interfaces.td"
include "mlir/IR/OpBase.td"

def ANE_DimMapOpInterface : OpInterface<"DimMapOpInterface"> {
  let cppNamespace = "::mlir::ane";
  let description = [{
    An op says how it reads each operand along each dimension of its result, so
    that whoever cuts, merges or moves dimensions knows no op by name.
  }];
  let methods = [
    InterfaceMethod<"How operand number `operand` is read along dimension `dim` of the result.",
      "::mlir::ane::DimMap", "getDimMap", (ins "unsigned":$operand, "int64_t":$dim)>
  ];
}

class ANE_DimMap<string expression> {
  string cpp = "(" # expression # ")";
}

/// Index i needs index i, of the same dimension or another one.
def ANE_Same : ANE_DimMap<"DimMap::parallel(dim)">;
class ANE_SameAs<string of> : ANE_DimMap<"DimMap::parallel(" # of # ")">;
/// The operand is the same for all indices.
def ANE_Any : ANE_DimMap<"DimMap::broadcast()">;
/// Every index needs all of the dimension.
def ANE_All : ANE_DimMap<"DimMap::reduced(dim)">;
/// The op cannot be cut.
def ANE_Opaque : ANE_DimMap<"DimMap::opaque()">;
/// Element by element; a dimension of 1 is broadcast.
def ANE_Elementwise : ANE_DimMap<"DimMap::elementwise(shapeOf(getOperand(operand)), dim)">;
class ANE_Window<string kernel, string strides = "1", string dilations = "1", string before = "0">
    : ANE_DimMap<"DimMap::window(dim, " # kernel # ", " # strides # ", " # dilations # ", " # before # ")">;
class ANE_Segment<string strides, string before>
    : ANE_DimMap<"DimMap::segment(dim, " # strides # ", " # before # ")">;
class ANE_Blocks<string of, string unit, string size>
    : ANE_DimMap<"DimMap::blocks(" # of # ", " # unit # ", " # size # ")">;
class ANE_If<string condition, ANE_DimMap yes, ANE_DimMap no>
    : ANE_DimMap<condition # " ? " # yes.cpp # " : " # no.cpp>;
/// Images, channels, rows, columns.
class ANE_NCHW<ANE_DimMap n, ANE_DimMap c, ANE_DimMap h, ANE_DimMap w>
    : ANE_DimMap<"dim == 0 ? " # n.cpp # " : dim == 1 ? " # c.cpp # " : dim == 2 ? " # h.cpp # " : " # w.cpp>;

/// The definition of the method for an op with these operands.
class ANE_DimMapDefinition<list<ANE_DimMap> operands> {
  string cpp = [{
    ::mlir::ane::DimMap $cppClass::getDimMap(unsigned operand, int64_t dim) {
      auto isOf = [&](unsigned index) {
        auto [first, count] = getODSOperandIndexAndLength(index);
        return operand >= first && operand < first + count;
      };
  }] # !interleave(!foreach(i, !range(!size(operands)),
         "if (isOf(" # i # ")) return " # operands[i].cpp # ";"), "\n") # [{
      llvm_unreachable("the declaration has no such operand");
    }
  }];
}

#endif // ANE_DIALECT_ANE_IR_ANEINTERFACES_TD

//===- MILInterfaces.td - What every MIL statement can say -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILINTERFACES_TD
#define ANE_DIALECT_MIL_IR_MILINTERFACES_TD

include "mlir/IR/OpBase.td"

def MIL_OpInterface : OpInterface<"MILOpInterface"> {
  let cppNamespace = "::mlir::ane::mil";
  let description = [{
    A statement `outs = type(arguments)[attributes];`. The printer, the checks of
    the private path and the conversions see ops only through this. The default
    implementations are those of the ops of the table.
  }];
  let methods = [
    InterfaceMethod<"The operation's name in MIL.", "::llvm::StringRef", "getMILType", (ins),
      "", [{ return $_op->getName().stripDialect(); }]>,
    InterfaceMethod<"Arguments with their names, in the order of the operands.",
      "::llvm::SmallVector<::mlir::ane::mil::NamedArgument>", "getMILArguments", (ins), "", [{
        ::llvm::SmallVector<::std::pair<unsigned, unsigned>> ranges;
        for (unsigned i = 0, e = ::mlir::ane::mil::impl::countArguments($_op); i < e; ++i)
          ranges.push_back($_op.getODSOperandIndexAndLength(i));
        return ::mlir::ane::mil::impl::nameArguments($_op, ranges);
      }]>,
    InterfaceMethod<"What stands in brackets behind the arguments.",
      "::mlir::DictionaryAttr", "getMILAttributes", (ins), "",
      [{ return $_op.getOpAttributes(); }]>,
    InterfaceMethod<"Replaces the attributes.", "void", "setMILAttributes",
      (ins "::mlir::DictionaryAttr":$attributes), "",
      [{ $_op.setOpAttributesAttr(attributes); }]>,
    InterfaceMethod<"Names of the results; empty where the printer shall choose.",
      "::llvm::SmallVector<::llvm::StringRef>", "getMILResultNames", (ins), "", [{
        ::llvm::SmallVector<::llvm::StringRef> names;
        for (::mlir::Attribute name : $_op.getResultNames())
          names.push_back(::llvm::cast<::mlir::StringAttr>(name).getValue());
        return names;
      }]>,
    InterfaceMethod<"Replaces the names of the results.", "void", "setMILResultNames",
      (ins "::mlir::ArrayAttr":$names), "", [{ $_op.setResultNamesAttr(names); }]>
  ];
  let extraSharedClassDeclaration = [{
    /// The values of an argument; none where it is not given.
    ::mlir::ValueRange getMILArgument(::llvm::StringRef name) {
      for (const ::mlir::ane::mil::NamedArgument &argument : $_op.getMILArguments())
        if (argument.name == name)
          return argument.values;
      return {};
    }
    /// The row of the table of operations; null for what it does not know.
    const ::mlir::ane::mil::OpInfo *getMILInfo() {
      return ::mlir::ane::mil::lookupOp($_op.getMILType());
    }
  }];
}

def MIL_TypedOpInterface : OpInterface<"MILTypedOpInterface"> {
  let cppNamespace = "::mlir::ane::mil";
  let description = "An op of the table: `mil.conv`, but not `mil.op`.";
  let methods = [
    StaticInterfaceMethod<"Fills the properties of an op to be built.", "void",
      "setMILProperties",
      (ins "::mlir::OperationState &":$state, "::mlir::DictionaryAttr":$attributes,
           "::mlir::ArrayAttr":$resultNames, "::llvm::ArrayRef<int32_t>":$segments), "", [{
        auto &properties =
            state.getOrAddProperties<typename ConcreteOp::Properties>();
        properties.op_attributes = attributes;
        properties.result_names = resultNames;
        if constexpr (ConcreteOp::template hasTrait<
                          ::mlir::OpTrait::AttrSizedOperandSegments>())
          ::llvm::copy(segments, properties.operandSegmentSizes.begin());
      }]>
  ];
}

#endif // ANE_DIALECT_MIL_IR_MILINTERFACES_TD

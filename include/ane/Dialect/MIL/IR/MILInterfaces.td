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
    the private path and the conversions see ops only through this.
  }];
  let methods = [
    InterfaceMethod<"The operation's name in MIL.", "::llvm::StringRef", "getMILType">,
    InterfaceMethod<"Arguments with their names, in the order of the operands.",
      "::llvm::SmallVector<::mlir::ane::mil::NamedArgument>", "getMILArguments">,
    InterfaceMethod<"What stands in brackets behind the arguments.",
      "::mlir::DictionaryAttr", "getMILAttributes">,
    InterfaceMethod<"Names of the results; empty where the printer shall choose.",
      "::llvm::SmallVector<::llvm::StringRef>", "getMILResultNames">
  ];
}

#endif // ANE_DIALECT_MIL_IR_MILINTERFACES_TD

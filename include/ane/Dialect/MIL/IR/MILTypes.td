//===- MILTypes.td - Types of the mil dialect --------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILTYPES_TD
#define ANE_DIALECT_MIL_IR_MILTYPES_TD

include "ane/Dialect/MIL/IR/MILDialect.td"
include "mlir/IR/AttrTypeBase.td"

class MIL_Type<string name, string typeMnemonic> : TypeDef<MIL_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def MIL_String : MIL_Type<"String", "string"> {
  let summary = "a string, alone or as the element of a tensor";
}

def MIL_State : MIL_Type<"State", "state"> {
  let summary = "a tensor that lives from one prediction to the next";
  let parameters = (ins "Type":$wrapped);
  let assemblyFormat = "`<` $wrapped `>`";
}

def MIL_List : MIL_Type<"List", "list"> {
  let summary = "values of one type; the length -1 is unknown and spelled `?`";
  let parameters = (ins "Type":$element, "int64_t":$length);
  let assemblyFormat = "`<` $element `,` $length `>`";
}

def MIL_Tuple : MIL_Type<"Tuple", "tuple"> {
  let summary = "values of several types";
  let parameters = (ins OptionalArrayRefParameter<"Type">:$elements);
  let assemblyFormat = "`<` (`>`) : ($elements^ `>`)?";
}

def MIL_Dict : MIL_Type<"Dict", "dict"> {
  let summary = "keys of one type, values of another";
  let parameters = (ins "Type":$key, "Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
}

#endif // ANE_DIALECT_MIL_IR_MILTYPES_TD

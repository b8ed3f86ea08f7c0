//===- MILStatement.td - How the table of MIL is written ---*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of MIL is declared once, in the files MIL*Ops.td:
//
//    def ConvOp : Statement<"conv", 15,                  // came with ios15
//        [In<"x", Float, var = "T">,                     // a tensor
//         OptParam<"groups", Int32, dflt = "1">],        // optional, known at
//        [Out<"T">]> { ... }                             // compile time
//
// mlir-tblgen makes the ops, ane-tblgen the table behind `lookupOp`, the page
// docs/Formats/MILOps.md and a test that builds each op. Arguments stand in the
// order of the operands. Two arguments with one type variable have one element
// type; `oldVar` is the variable before ios17, when most parameters still
// shared that of x. Opsets are those of coremltools' public definitions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILSTATEMENT_TD
#define ANE_DIALECT_MIL_IR_MILSTATEMENT_TD

include "ane/Dialect/MIL/IR/MILDialect.td"
include "ane/Dialect/MIL/IR/MILInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// Those of the first opset, and those that came later. Nothing is everything.
class MIL_Elements<list<string> first, list<string> with16 = [],
                   list<string> with17 = [], list<string> with18 = []> {
  list<string> from15 = first;
  list<string> from16 = with16;
  list<string> from17 = with17;
  list<string> from18 = with18;
}

def Everything : MIL_Elements<[]>;
def Float : MIL_Elements<["fp16", "fp32"]>;
def Number : MIL_Elements<["fp16", "fp32", "int32"]>;
def Any : MIL_Elements<["bool", "fp16", "fp32", "int32"]>;
def AnyWide : MIL_Elements<["bool", "fp16", "fp32", "int32"], [],
                           ["int8", "int16", "uint8", "uint16"]>;
def NumberWide : MIL_Elements<["fp16", "fp32", "int32"], ["int8", "int16", "uint8", "uint16"]>;
def Mask : MIL_Elements<["bool", "fp16", "fp32"]>;
def Bool : MIL_Elements<["bool"]>;
def Str : MIL_Elements<["string"]>;
def Fp16 : MIL_Elements<["fp16"]>;
def Fp32 : MIL_Elements<["fp32"]>;
def Int32 : MIL_Elements<["int32"]>;
def Uint1 : MIL_Elements<["uint1"]>;
def Uint8 : MIL_Elements<["uint8"]>;
def Uint32 : MIL_Elements<["uint32"]>;
def Scale : MIL_Elements<["fp32", "int32"]>;
def IndexWide : MIL_Elements<["int32"], ["int8", "int16"]>;
def IndexWider : MIL_Elements<["int32"], ["int8", "int16", "uint8", "uint16"]>;
def Extent : MIL_Elements<["int16", "int32", "uint16", "uint32"]>;
def Box : MIL_Elements<["fp16", "fp32"], [], ["uint16"]>;
def BoxIndex : MIL_Elements<["int32", "uint16"]>;
def Quantized : MIL_Elements<["int8", "uint8"]>;
def ZeroPoint : MIL_Elements<["fp32", "int8", "uint8"]>;
def PaletteIndex : MIL_Elements<["uint8"], [], [], ["uint1", "uint2", "uint3", "uint4", "uint6"]>;
def PaletteValue : MIL_Elements<["fp16", "fp32", "int8", "uint8"]>;
def SparseMask : MIL_Elements<["uint8"], [], [], ["uint1"]>;
def Compressed : MIL_Elements<["fp16", "fp32", "int8", "uint8"], [], [], ["int4", "uint4"]>;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

class MIL_Argument<string argName, string argKind, MIL_Elements argElements,
                   bit optional, bit constant> {
  string name = argName;
  // tensor (scalars too), tuple, list, state, any
  string kind = argKind;
  MIL_Elements elements = argElements;
  bit isOptional = optional;
  bit isConst = constant;
  string variable = "";
  string oldVariable = "";
  // A literal of MIL, without its type.
  string defaultValue = "";
  // What the default is where no literal can say it.
  string defaultNote = "";
  // First and last opset; 0: that of the op, and none.
  int firstOpset = 0;
  int lastOpset = 0;
}

class MIL_TensorArgument<string name, MIL_Elements elements, bit optional, bit constant,
                         string var, string oldVar, string dflt, string note,
                         int since, int until>
    : MIL_Argument<name, "tensor", elements, optional, constant> {
  let variable = var;
  let oldVariable = !if(!empty(oldVar), var, oldVar);
  let defaultValue = dflt;
  let defaultNote = note;
  let firstOpset = since;
  let lastOpset = until;
}

// A tensor that may be computed, and a parameter, which may not.
class In<string name, MIL_Elements elements, string var = "", string oldVar = "", int since = 0>
    : MIL_TensorArgument<name, elements, 0, 0, var, oldVar, "", "", since, 0>;
class OptIn<string name, MIL_Elements elements, string var = "", string oldVar = "",
            string dflt = "", string note = "", int since = 0, int until = 0>
    : MIL_TensorArgument<name, elements, 1, 0, var, oldVar, dflt, note, since, until>;
class Param<string name, MIL_Elements elements, string var = "", string oldVar = "", int since = 0>
    : MIL_TensorArgument<name, elements, 0, 1, var, oldVar, "", "", since, 0>;
class OptParam<string name, MIL_Elements elements, string var = "", string oldVar = "",
               string dflt = "", string note = "", int since = 0, int until = 0>
    : MIL_TensorArgument<name, elements, 1, 1, var, oldVar, dflt, note, since, until>;

class TupleIn<string name, string var = "">
    : MIL_Argument<name, "tuple", Everything, 0, 0> {
  let variable = var;
  let oldVariable = var;
}
class ListIn<string name, bit isConst = 0>
    : MIL_Argument<name, "list", Everything, 0, isConst>;
class StateIn<string name, string var = "">
    : MIL_Argument<name, "state", Everything, 0, 0> {
  let variable = var;
  let oldVariable = var;
}
class AnyIn<string name> : MIL_Argument<name, "any", Everything, 0, 0>;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

class MIL_Result<string resultName, TypeConstraint resultCount> {
  string name = resultName;
  TypeConstraint count = resultCount;
  // One of these says the element type.
  string variable = "";
  MIL_Elements elements = Everything;
  string typeArgument = "";
  // Last opset that has it; 0: all.
  int lastOpset = 0;
}

// The element type of the variable.
class Out<string var, string name = "result"> : MIL_Result<name, AnyType> {
  let variable = var;
}
class ManyOut<string var, string name = "outputs"> : MIL_Result<name, Variadic<AnyType>> {
  let variable = var;
}
// One that is fixed.
class OutIs<MIL_Elements type, string name = "result"> : MIL_Result<name, AnyType> {
  let elements = type;
}
// One that later opsets do not have.
class OldOutIs<MIL_Elements type, string name, int until> : MIL_Result<name, Optional<AnyType>> {
  let elements = type;
  let lastOpset = until;
}
// One that an argument names.
class OutFrom<string argument, string name = "result"> : MIL_Result<name, AnyType> {
  let typeArgument = argument;
}
class OptOutFrom<string argument, string name> : MIL_Result<name, Optional<AnyType>> {
  let typeArgument = argument;
}
class OutAny<string name = "result"> : MIL_Result<name, AnyType>;

/// The shape of the first result, where it is cheap to say and certain.
class MIL_Shape<string shapeRule, list<string> shapeArguments> {
  string rule = shapeRule;
  list<string> arguments = shapeArguments;
}
def NoShape : MIL_Shape<"none", []>;
class Same<string argument> : MIL_Shape<"same", [argument]>;
class SameCount<string argument> : MIL_Shape<"count", [argument]>;
class Broadcast<list<string> arguments> : MIL_Shape<"broadcast", arguments>;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

class MIL_Statement<string milName, int firstOpset, list<MIL_Argument> args,
                    list<MIL_Result> outs_, MIL_Shape rule, bit maybeAttributes,
                    list<Trait> effects>
    : Op<MIL_Dialect, milName,
         !listconcat(effects,
           !if(!gt(!foldl(0, args, count, arg,
                          !add(count, !if(!or(maybeAttributes, arg.isOptional,
                                              !eq(arg.kind, "tuple")), 1, 0))), 1),
               [AttrSizedOperandSegments], []<Trait>),
           [MIL_OpInterface, MIL_TypedOpInterface,
            DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>])> {
  string mil = milName;
  int opset = firstOpset;
  list<MIL_Argument> milArguments = args;
  list<MIL_Result> milResults = outs_;
  MIL_Shape shape = rule;
  // Before ios18 the arguments of constexpr ops stand among the attributes.
  bit hasAttributeForm = maybeAttributes;

  let arguments = !con(
    !dag(ins,
      !foreach(arg, args,
        !if(!eq(arg.kind, "tuple"), Variadic<AnyType>,
          !if(!or(arg.isOptional, maybeAttributes), Optional<AnyType>, AnyType))),
      !foreach(arg, args, arg.name)),
    (ins DictionaryAttr:$op_attributes, StrArrayAttr:$result_names));
  let results = !dag(outs, !foreach(out, outs_, out.count), !foreach(out, outs_, out.name));
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<::mlir::ane::mil::StatementArgument>":$values,
                                 "::mlir::TypeRange":$types,
                                 "::mlir::DictionaryAttr":$attributes,
                                 "::llvm::ArrayRef<::llvm::StringRef>":$names), [{
    ::mlir::ane::mil::impl::buildStatement($_builder, $_state, values, types, attributes, names);
  }]>];
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return ::mlir::ane::mil::impl::parseStatement(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::mlir::ane::mil::impl::printStatement(printer, *this);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::ane::mil::impl::verifyStatement(*this);
    }
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setNameFn) {
      ::mlir::ane::mil::impl::nameResults(*this, setNameFn);
    }
  }];
}

class Statement<string name, int opset, list<MIL_Argument> args, list<MIL_Result> results,
                MIL_Shape shape = NoShape>
    : MIL_Statement<name, opset, args, results, shape, 0, [Pure]>;
// Reads or writes what is not among its arguments.
class EffectStatement<string name, int opset, list<MIL_Argument> args, list<MIL_Result> results,
                      MIL_Shape shape = NoShape>
    : MIL_Statement<name, opset, args, results, shape, 0, []>;
// A constant in compressed form.
class CompressedStatement<string name, int opset, list<MIL_Argument> args,
                          list<MIL_Result> results, MIL_Shape shape = NoShape>
    : MIL_Statement<name, opset, args, results, shape, 1, [Pure]>;

#endif // ANE_DIALECT_MIL_IR_MILSTATEMENT_TD

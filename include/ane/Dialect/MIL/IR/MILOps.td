//===- MILOps.td - Ops of the mil dialect ------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILOPS_TD
#define ANE_DIALECT_MIL_IR_MILOPS_TD

include "ane/Dialect/MIL/IR/MILAttributes.td"
include "ane/Dialect/MIL/IR/MILDialect.td"
include "ane/Dialect/MIL/IR/MILInterfaces.td"
include "ane/Dialect/MIL/IR/MILTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class MIL_Op<string mnemonic, list<Trait> traits = []>
    : Op<MIL_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def MIL_ProgramOp : MIL_Op<"program", [IsolatedFromAbove, NoTerminator, NoRegionArguments,
                                       SingleBlock, SymbolTable]> {
  let summary = "a MIL text";
  let description = [{
    `version` is that of the text: "1.0" or "1.3", which differ in the spelling
    of scalars. `program_attributes` stand in brackets below it; a dictionary of strings
    is printed as `dict<string, string>`. The text has no word for
    `default_function`, the one of several that a package says is compiled.

    ```mlir
    mil.program version "1.3" {buildInfo = {"coremlc-version" = "3520.5.1"}} {
    }
    ```
  }];
  let arguments = (ins StrAttr:$version, DictionaryAttr:$program_attributes,
                       OptionalAttr<StrAttr>:$default_function);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`version` $version $program_attributes attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "StringRef":$version, "DictionaryAttr":$attributes)>];
}

def MIL_FuncOp : MIL_Op<"func", [IsolatedFromAbove, SingleBlock, Symbol,
                                 HasParent<"ProgramOp">,
                                 DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a function of a MIL text";
  let description = [{
    Arguments stand in the order of the source; the text lists them by name.
    Results are those of `mil.return`, and their names those of the values.

    ```mlir
    mil.func @main opset "ios18" (%x: tensor<1x3x8x8xf16>) names ["x"] {} {
      mil.return %x : tensor<1x3x8x8xf16>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$opset, StrArrayAttr:$arg_names,
                       DictionaryAttr:$func_attributes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "StringRef":$name, "StringRef":$opset,
                                 "ArrayRef<StringRef>":$argNames, "TypeRange":$argTypes,
                                 "DictionaryAttr":$attributes)>];
}

def MIL_ReturnOp : MIL_Op<"return", [Pure, Terminator, HasParent<"FuncOp">]> {
  let summary = "the values of a function, in order";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

def MIL_ConstOp : MIL_Op<"const", [Pure, ConstantLike,
                                   DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a value known at compile time";
  let description = [{
    A scalar, a string, a tensor (dense or `dense_resource`), a compound, or a
    reference into a weight file. With `inline` it is no statement of its own:
    the text has the value where it is used.

    The value may be f32 where the result is f16: the writer of the text or of
    the weight file rounds each element once, to nearest even. So weights are
    never copied on their way from the source.

    ```mlir
    %s = mil.const dense<2> : tensor<2xi32> {name = "s"} as "s" : tensor<2xi32>
    %w = mil.const dense_resource<w0> : tensor<64x3x7x7xf32> {name = "w"} as "w" : tensor<64x3x7x7xf16>
    %c = mil.const inline true {} : i1
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value, UnitAttr:$is_inline,
                       DictionaryAttr:$const_attributes, OptionalAttr<StrAttr>:$result_name);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    (`inline` $is_inline^)? $value $const_attributes (`as` $result_name^)? attr-dict-with-keyword `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MIL_GenericOp : MIL_Op<"op", [DeclareOpInterfaceMethods<MIL_OpInterface,
                                    ["getMILType", "getMILArguments"]>,
                                  DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a statement of any operation";
  let description = [{
    For what the table of operations does not know or does not allow.
    Arguments are named; one in parentheses is a tuple. `segments` has the number
    of operands of each argument, -1 for one without parentheses. Behind `as`
    stand the names of the results.

    ```mlir
    %y = mil.op "concat"(axis = %a, interleave = %i, values = (%p, %q)) {name = "y"} as "y"
       : (i32, i1, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) -> tensor<1x8x8x8xf16>
    ```
  }];
  let arguments = (ins StrAttr:$op_type, Variadic<AnyType>:$operands_, StrArrayAttr:$arg_names,
                       DenseI32ArrayAttr:$segments, DictionaryAttr:$op_attributes,
                       StrArrayAttr:$result_names);
  let results = (outs Variadic<AnyType>:$results_);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // ANE_DIALECT_MIL_IR_MILOPS_TD

//===- MILAttributes.td - Attributes of the mil dialect ----*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILATTRIBUTES_TD
#define ANE_DIALECT_MIL_IR_MILATTRIBUTES_TD

include "ane/Dialect/MIL/IR/MILDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def MIL_BlobFileAttr : AttrDef<MIL_Dialect, "BlobFile", [TypedAttrInterface]> {
  let mnemonic = "blobfile";
  let summary = "a value that lies in a weight file that has not been read";
  let description = [{
    `#mil.blobfile<"@model_path/weights/weight.bin", 64, tensor<16x3xf16>>`.
    The offset is that of the blob's metadata, as in the text. A value whose
    bytes are at hand is a `dense_resource` instead; path and offset are then
    chosen by the writer.
  }];
  let parameters = (ins
    StringRefParameter<"">:$path, "uint64_t":$offset, AttributeSelfTypeParameter<"">:$type);
  let builders = [
    AttrBuilderWithInferredContext<(ins "Type":$type, "StringRef":$path, "uint64_t":$offset), [{
      return $_get(type.getContext(), path, offset, type);
    }]>
  ];
  let assemblyFormat = "`<` $path `,` $offset `>`";
}

def MIL_CompoundAttr : AttrDef<MIL_Dialect, "Compound", [TypedAttrInterface]> {
  let mnemonic = "compound";
  let summary = "a list, tuple or dictionary";
  let description = [{
    Elements in order: an array of typed attributes; an entry of a dictionary is
    an array of key and value. Order and duplicates are kept.

    `#mil.compound<[["x", 1 : i32]]> : !mil.dict<!mil.string, i32>`
  }];
  let parameters = (ins "ArrayAttr":$elements, AttributeSelfTypeParameter<"">:$type);
  let builders = [
    AttrBuilderWithInferredContext<(ins "Type":$type, "ArrayAttr":$elements), [{
      return $_get(type.getContext(), elements, type);
    }]>
  ];
  let assemblyFormat = "`<` $elements `>`";
}

#endif // ANE_DIALECT_MIL_IR_MILATTRIBUTES_TD

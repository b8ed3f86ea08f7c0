//===- HWXDialect.td - The hwx dialect ---------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_HWX_IR_HWXDIALECT_TD
#define ANE_DIALECT_HWX_IR_HWXDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def HWX_Dialect : Dialect {
  let name = "hwx";
  let cppNamespace = "::mlir::ane::hwx";
  let summary = "The register image of a program, one to one with its bytes";
  let description = [{
    An `hwx.program` is a register program as it stands in a file: tensors that
    the caller binds, constants, and tasks. A task is a header and an ordered
    list of records, each of which writes consecutive registers. What a record
    holds are the words themselves; names of blocks, registers and fields come
    from the register map of the generation and exist only in the text. So no bit
    is lost, known or not, and a register that nothing writes is not the same as
    one that is written with zero.

    The file around tasks and constants is computed from the program, unless an
    `hwx.container` describes one that cannot be computed.

    docs/Formats/HWX.md describes the bytes.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def HWX_RecordAttr : AttrDef<HWX_Dialect, "Record"> {
  let mnemonic = "record";
  let summary = "words written to registers";
  let description = [{
    `address` is that of the first register in bytes. A record has 1 to 64 words
    (record_c1), since its count has six bits, and the address is below 2^26
    (record_c2).

    A dense record writes consecutive registers. Since H14 it can have a `base`:
    the loader adds to the words the address that this entry of the base table
    is bound to. A scattered record has a mask `follow` instead, whose bit `i`
    says that the register at `address + 4 * (i + 1)` is written, too
    (record_c3). `unknown` has bits of the first word without a meaning.

    In an `hwx.task` records are printed with the names of the register map.
  }];
  let parameters = (ins "uint32_t":$address, ArrayRefParameter<"uint32_t">:$words,
                        OptionalParameter<"std::optional<uint32_t>">:$follow,
                        OptionalParameter<"std::optional<uint32_t>">:$base,
                        DefaultValuedParameter<"uint32_t", "0">:$unknown);
  let assemblyFormat = [{
    `<` $address `,` `[` $words `]` (`follow` `=` $follow^)? (`base` `=` $base^)?
    (`unknown` `=` $unknown^)? `>`
  }];
  let builders = [
    AttrBuilder<(ins "const ::ane::hw::Record &":$record)>,
  ];
  let extraClassDeclaration = [{
    ::ane::hw::Record record() const;
  }];
  let genVerifyDecl = 1;
}

#endif // ANE_DIALECT_HWX_IR_HWXDIALECT_TD

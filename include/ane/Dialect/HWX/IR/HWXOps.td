//===- HWXOps.td - Ops of the hwx dialect ------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_HWX_IR_HWXOPS_TD
#define ANE_DIALECT_HWX_IR_HWXOPS_TD

include "ane/Dialect/HWX/IR/HWXDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"

class HWX_Op<string mnemonic, list<Trait> traits = []>
    : Op<HWX_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

def HWX_ProgramOp : HWX_Op<"program", [IsolatedFromAbove, NoTerminator, NoRegionArguments,
                                       SingleBlock, SymbolTable]> {
  let summary = "a register program";
  let description = [{
    `text` is the size of the text section in bytes and `scratch` that of the
    region in DRAM for what one task leaves to another. Inside stand tensors,
    constants, tasks in the order of their execution, and at most one of
    `hwx.signature` and `hwx.container`.

    ```mlir
    hwx.program @net target = h13 text = 0x274 {
      hwx.tensor input "x" base 5 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type f16 bytes 192
      hwx.tensor output "y" base 4 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type f16 bytes 192
      hwx.task @td0 at 0x0 {EON} [
        Common {InDim = {Win = 77, Hin = 1}}
      ]
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, I64Attr:$text_bytes,
                       DefaultValuedAttr<I64Attr, "0">:$scratch_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `target` `=` custom<Keyword>($target) `text` `=` custom<Hex>($text_bytes)
    (`scratch` `=` custom<Hex>($scratch_bytes)^)? attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    ::ane::hw::Generation generation();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def HWX_TensorKind : I32EnumAttr<"TensorKind", "whether the caller fills or reads a tensor", [
    I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">]> {
  let cppNamespace = "::mlir::ane::hwx";
}

def HWX_TensorOp : HWX_Op<"tensor", [HasParent<"ProgramOp">]> {
  let summary = "a surface that the caller binds";
  let description = [{
    `base` is its index in the base-address table, which task headers name.
    `shape` counts N, C, H, W, D in elements and `strides` are the distances of
    neighbours along them in bytes (tensor_c1: five of each). The element type is
    f16, i8 or ui8 (tensor_c2). `bytes` is the size of the buffer, which holds the
    elements and has at most 4 GiB (tensor_c4). `network` is the shape that the
    network has, of as many elements in the same order (tensor_c5); callers give
    and get arrays of it. `low` is an input of f16 that holds what halves lack of
    the input before it, of the same shape (tensor_c6): callers give one array of
    f32 for both.

    Tensors have different names and bases (program_c2), inputs come first
    (program_c3).

    ```mlir
    hwx.tensor input "image" base 5 shape [1, 3, 1, 1, 1] strides [192, 64, 64, 2, 192] type f16 bytes 192
    ```
  }];
  let arguments = (ins HWX_TensorKind:$kind, StrAttr:$tensor_name, I64Attr:$base,
                       DenseI64ArrayAttr:$shape, DenseI64ArrayAttr:$strides,
                       TypeAttr:$element_type, I64Attr:$size_bytes,
                       DefaultValuedAttr<I64Attr, "1">:$interleave,
                       OptionalAttr<DenseI64ArrayAttr>:$network, UnitAttr:$low);
  let assemblyFormat = [{
    $kind $tensor_name `base` $base `shape` $shape `strides` $strides `type` $element_type
    `bytes` $size_bytes (`interleave` $interleave^)? (`network` $network^)? (`low` $low^)? attr-dict
  }];
  let hasVerifier = 1;
}

def HWX_ConstantsOp : HWX_Op<"constants", [HasParent<"ProgramOp">]> {
  let summary = "the constant section: coefficients and tables";
  let description = [{
    The value has one dimension and elements of one byte (constants_c1). It is a
    blob, which shares the bytes with whoever made the program, or a splat. From
    H16 on the first `kernels` of them are those of the kernel segment
    (constants_c2); what tasks read as tensors follows at a multiple of 64 bytes.

    ```mlir
    hwx.constants dense<0> : tensor<16384xui8>
    ```
  }];
  let arguments = (ins ElementsAttr:$value, DefaultValuedAttr<I64Attr, "0">:$kernel_bytes);
  let assemblyFormat = "$value (`kernels` `=` custom<Hex>($kernel_bytes)^)? attr-dict";
  let hasVerifier = 1;
}

def HWX_TaskOp : HWX_Op<"task", [HasParent<"ProgramOp">, Symbol]> {
  let summary = "one task descriptor";
  let description = [{
    `at` is the place in the text section in bytes. Then come the fields of the
    header and the records in their order. A record names its block and, unless
    it writes the whole block, the first and the last word of it that it writes;
    a record that no block contains names its address and its number of words.
    Fields that are zero are left out. Bits without a name stand behind `raw` by
    their offset from the start of the block in bytes.

    A task of another generation than H13 names it by `target`, which is that of
    the program (task_c3). Its header has as many words as the generation says,
    10 for H13, and one more when the two lowest bits of the last of them are set
    (task_c1). Descriptors do not overlap and lie inside the text (program_c4), with
    at most 16 KiB of zeros between them and after the last (program_c7).
    From H14 on tasks stand in their order at multiples of 16 bytes behind a
    frame of 16 zero bytes, and the first word of the header has their size
    (task_c2, program_c6).

    Records of these can have a `base` that the loader adds. Those that are
    scattered write just the words that the text has, zeros too.

    ```mlir
    hwx.task @td0 at 0x0 {TID = 1, EON} [
      KernelDMASrc[0 to 17] {CoeffDMAConfig[0 to 15] = {CacheHint = 2}},
      Common {InDim = {Win = 77, Hin = 1}} raw {0x1c = 0x50000000},
      at 0x3000 words 2 raw {0x4 = 0x1}
    ]
    hwx.task @td0 target = h14 at 0x10 {} raw {0x0 = 0x100000, 0x1c = 0x1} [
      at 0x1110 words 2 base 4,
      at 0x504 scatter raw {0x0 = 0x500172, 0x8 = 0x0, 0x40 = 0x10}
    ]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$target,
                       I64Attr:$offset, DenseI32ArrayAttr:$header,
                       TypedArrayAttrBase<HWX_RecordAttr, "records">:$records);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The generation whose registers the task writes.
    ::ane::hw::Generation generation();
  }];
}

//===----------------------------------------------------------------------===//
// The file around it
//===----------------------------------------------------------------------===//

def AttrMatchesContainerForm : AttrConstraint<
    CPred<"::llvm::is_contained({4, 9}, ::llvm::cast<::mlir::IntegerAttr>($_self).getInt())">,
    "whose value is 4 or 9">;

def HWX_SignatureOp : HWX_Op<"signature", [HasParent<"ProgramOp">]> {
  let summary = "what the compiler wrote into the file of its own accord";
  let description = [{
    The text that identifies it, the names of the coefficient streams in the
    order of their symbols, the kind of the program, and the version of the
    compiler whose layout the file has (4 or 9). With these the file can be
    computed from the program.

    ```mlir
    hwx.signature kind 17 ident "ANEC v1\0A" streams ["K0_ne_0"]
    ```
  }];
  let arguments = (ins I64Attr:$kind,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "4">,
                                    [AttrMatchesContainerForm]>:$form,
                       OptionalAttr<StrAttr>:$ident, OptionalAttr<StrArrayAttr>:$streams);
  let assemblyFormat = [{
    `kind` $kind (`form` $form^)? (`ident` $ident^)? (`streams` $streams^)? attr-dict
  }];
}

def HWX_ContainerOp : HWX_Op<"container", [HasParent<"ProgramOp">, NoTerminator,
                                           NoRegionArguments, SingleBlock]> {
  let summary = "a file that cannot be computed from the program";
  let description = [{
    Holds the eight words of the Mach-O header and, in order, the load commands
    (`hwx.segment` and `hwx.command`), then the symbols, then what nothing
    explains (`hwx.residue`).

    ```mlir
    hwx.container bytes 0x8000 header [0xbeefface, 0x80, 0x4, 0x2, 0x1, 0x48, 0x200000, 0x0] {
      hwx.segment "__PAGEZERO" vm 0x0 size 0x4000 file 0x0 size 0x0 protection 0 0 flags 0x4 {
      }
      hwx.command 0x8 text "ANEC v1\0A" size 24
      hwx.command 0x4 size 0x10 {0x8 = 0x1}
      hwx.symbol "x" type 15 section 3 description 2 value 0x30004000
      hwx.residue 0x100 "00ff"
    }
    ```
  }];
  let arguments = (ins I64Attr:$file_bytes, DenseI32ArrayAttr:$header);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `bytes` custom<Hex>($file_bytes) `header` custom<HexWords>($header) attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def HWX_SegmentOp : HWX_Op<"segment", [HasParent<"ContainerOp">, NoTerminator,
                                       NoRegionArguments, SingleBlock]> {
  let summary = "a load command that maps memory";
  let arguments = (ins StrAttr:$segment_name, I64Attr:$vm_address, I64Attr:$vm_bytes,
                       I64Attr:$file_offset, I64Attr:$file_bytes, I32Attr:$max_protection,
                       I32Attr:$initial_protection, I32Attr:$flags);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $segment_name `vm` custom<Hex>($vm_address) `size` custom<Hex>($vm_bytes)
    `file` custom<Hex>($file_offset) `size` custom<Hex>($file_bytes)
    `protection` $max_protection $initial_protection `flags` custom<Hex32>($flags)
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def HWX_SectionOp : HWX_Op<"section", [HasParent<"SegmentOp">]> {
  let summary = "a section of a segment";
  let description = [{
    Relocations are pairs of an address and a word of flags.

    ```mlir
    hwx.section "__text" in "__TEXT" vm 0x30000000 size 0x274 file 0x4000 align 14 flags 0x128 reserved [0x0, 0x0, 0x0] relocations 0x10a0 [0x74, 0x5000002]
    ```
  }];
  let arguments = (ins StrAttr:$section_name, StrAttr:$segment_name, I64Attr:$address,
                       I64Attr:$size_bytes, I32Attr:$file_offset, I32Attr:$align, I32Attr:$flags,
                       DenseI32ArrayAttr:$reserved, I32Attr:$relocation_offset,
                       DenseI32ArrayAttr:$relocations);
  let assemblyFormat = [{
    $section_name `in` $segment_name `vm` custom<Hex>($address) `size` custom<Hex>($size_bytes)
    `file` custom<Hex32>($file_offset) `align` $align `flags` custom<Hex32>($flags)
    `reserved` custom<HexWords>($reserved)
    `relocations` custom<Hex32>($relocation_offset) custom<HexWords>($relocations) attr-dict
  }];
  let hasVerifier = 1;
}

def HWX_CommandOp : HWX_Op<"command", [HasParent<"ContainerOp">]> {
  let summary = "a load command by its bytes";
  let description = [{
    `words` are those behind code and size. The text has those that are not zero,
    by their offset from the start of the command; a text is printed as one.
  }];
  let arguments = (ins I32Attr:$code, DenseI32ArrayAttr:$words);
  let assemblyFormat = "custom<Hex32>($code) custom<CommandWords>($words) attr-dict";
}

def HWX_SymbolOp : HWX_Op<"symbol", [HasParent<"ContainerOp">]> {
  let summary = "an entry of the symbol table";
  let arguments = (ins StrAttr:$symbol_name, I32Attr:$type, I32Attr:$section,
                       I32Attr:$description, I64Attr:$value);
  let assemblyFormat = [{
    $symbol_name `type` $type `section` $section `description` $description
    `value` custom<Hex>($value) attr-dict
  }];
  let hasVerifier = 1;
}

def HWX_ResidueOp : HWX_Op<"residue", [HasParent<"ContainerOp">]> {
  let summary = "bytes of the file that no rule of the format produces";
  let arguments = (ins I64Attr:$offset, DenseI8ArrayAttr:$bytes);
  let assemblyFormat = "custom<Hex>($offset) custom<HexBytes>($bytes) attr-dict";
}

#endif // ANE_DIALECT_HWX_IR_HWXOPS_TD

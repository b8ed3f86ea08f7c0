//===- ANEDialect.td - The ane dialect ---------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEDIALECT_TD
#define ANE_DIALECT_ANE_IR_ANEDIALECT_TD

include "mlir/IR/OpBase.td"

def ANE_Dialect : Dialect {
  let name = "ane";
  let cppNamespace = "::mlir::ane";
  let summary = "Operations of the Apple Neural Engine, on tensors and as tasks";
  let description = [{
    The dialect has two levels. At the tensor level an op is one pass of
    the engine (a convolution with its epilogue, an elementwise sum), or `ane-decompose`
    expands it into such ops. Tensors are static, ranked, `f16` (or `i8`, `ui8`), in NCHW
    order. `f32` is allowed in two places only: in constants that are not yet
    folded, and in a cast at the border of a function.

    At the task level an `ane.task` is one pass of the engine over memrefs whose
    layout and memory space (`#ane.space<dram>`, `#ane.space<l2>`,
    `#ane.space<kernel>`) are explicit.

    docs/Dialects/RationaleANE.md gives the reasons for this design.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Function argument and result attribute with the name of a tensor.
    static constexpr ::llvm::StringLiteral getNameAttrName() {
      return "ane.name";
    }
    /// Argument attribute of a task-level function: the tasks write this surface.
    static constexpr ::llvm::StringLiteral getOutputAttrName() {
      return "ane.output";
    }
    /// Attribute of a tensor op: a TileAttr.
    static constexpr ::llvm::StringLiteral getTileAttrName() {
      return "ane.tile";
    }
    /// On a function whose strips were chosen by hand, so that nothing else is
    /// cut: on how many ops they were.
    static constexpr ::llvm::StringLiteral getPlannedAttrName() {
      return "ane.planned";
    }
    /// Attribute of a tensor op with `ane.tile`: what two strips need of its
    /// result is computed once and copied (a unit attribute).
    static constexpr ::llvm::StringLiteral getKeepRowsAttrName() {
      return "ane.keep_rows";
    }
    /// Attribute of a convolution: ane-tile makes it a sum of convolutions of that
    /// many input channels each (an i64).
    static constexpr ::llvm::StringLiteral getInputChannelsAttrName() {
      return "ane.input_channels";
    }
    /// Attribute of a convolution: neighbours among its output channels need
    /// neighbours among the input channels, as the zeros of its weight say (a
    /// unit attribute).
    static constexpr ::llvm::StringLiteral getBandedAttrName() {
      return "ane.banded";
    }
    /// Attribute of a tensor op, later of the buffer of its result: whether that
    /// stays in L2 or goes through DRAM between tasks (a MemorySpaceAttr). Of an
    /// argument: whether what a task loads of it stays for the next one.
    static constexpr ::llvm::StringLiteral getHoldAttrName() {
      return "ane.hold";
    }
    /// On a function some of whose ops have `ane.hold`: how many, until strips
    /// are planned.
    static constexpr ::llvm::StringLiteral getHeldAttrName() {
      return "ane.held";
    }
    /// Attribute of a tensor op, later of the buffer of its result: its number
    /// in the plan that is written to a file.
    static constexpr ::llvm::StringLiteral getPlanNumberAttrName() {
      return "ane.plan_number";
    }
    /// On a function that ane-tile-images has cut by columns, until strips are
    /// planned: for each run of ops that is cut the number of its first op, of
    /// its last, and of its parts.
    static constexpr ::llvm::StringLiteral getColumnPartsAttrName() {
      return "ane.column_parts";
    }
    /// On a function that became a program for the engine: its generation, and
    /// in the host's file the file of the program.
    static constexpr ::llvm::StringLiteral getProgramAttrName() {
      return "ane.program";
    }
    /// On a module: the generation that its programs are for (Target.h).
    static constexpr ::llvm::StringLiteral getTargetAttrName() {
      return "ane.target";
    }
    /// On a function whose ops become tasks as a whole (a unit attribute).
    static constexpr ::llvm::StringLiteral getSequenceAttrName() {
      return "ane.sequence";
    }
    /// Function attribute of the task level: bytes of the scratch region.
    static constexpr ::llvm::StringLiteral getScratchAttrName() {
      return "ane.scratch_bytes";
    }
  }];
}

#endif // ANE_DIALECT_ANE_IR_ANEDIALECT_TD

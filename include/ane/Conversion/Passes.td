//===- Passes.td - Rewrites from one dialect to another ----*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_PASSES_TD
#define ANE_CONVERSION_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

//===----------------------------------------------------------------------===//
// ANEToHWX
//===----------------------------------------------------------------------===//

def ConvertANEToHWX : Pass<"convert-ane-to-hwx", "::mlir::ModuleOp"> {
  let summary = "Encode tasks as a register program";
  let description = [{
    Replaces every function of tasks by an `hwx.program`: one descriptor a task,
    the constant section with packed coefficients, tensors with their base
    addresses, the container around them. Layouts and addresses must be there
    (`ane-assign-layout`, `ane-allocate-dram`, `ane-allocate-l2`).

    The flavour answers where the hardware leaves a choice; it must be the one that
    `ane-allocate-l2` had.

    The bytes of a constant are given back after the last task that reads it, so that
    weights are not in memory twice.
  }];
  let options = [
    ANE_FlavourOption,
    ANE_AllowUnprovenOption,
    Option<"identity", "identity", "std::string", "\"mlir-ane\"",
           "Who the file says it is from: mlir-ane, or zin-4.2.1 to compare "
           "whole files with those of that compiler">,
    Option<"keepConstants", "keep-constants", "bool", "false",
           "Keep the bytes of constants: what is not in this module reads them, too">
  ];
  let dependentDialects = ["::mlir::ane::hwx::HWXDialect"];
}

//===----------------------------------------------------------------------===//
// ANEToLinalg
//===----------------------------------------------------------------------===//

def ConvertANEToLinalg : Pass<"convert-ane-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Write tensor ops for the host";
  let description = [{
    Replaces the tensor ops of the ane dialect by ops of linalg, tensor, arith and
    math that mean the same, computed in f32 and rounded to the types of their
    results. The host does so with what the engine cannot, where a network in MIL
    is split (`ane-partition`); a whole function can be run by stock MLIR.

    Ops on integers, `runtime_conv` and a `resize` to the nearest pixel by no
    whole factor are errors.

    ```mlir
    %y = ane.transpose %x {perm = array<i64: 1, 0>} : tensor<2x30000xf16> -> tensor<30000x2xf16>
    // becomes
    %e = tensor.empty() : tensor<30000x2xf16>
    %y = linalg.transpose ins(%x : tensor<2x30000xf16>) outs(%e : tensor<30000x2xf16>) permutation = [1, 0]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// ANEToMIL
//===----------------------------------------------------------------------===//

def ConvertANEToMIL : Pass<"convert-ane-to-mil", "::mlir::ModuleOp"> {
  let summary = "Say a network of the ane dialect in MIL";
  let description = [{
    Turns every function into a `mil.func` of one `mil.program`. The spelling is
    the one that Apple's private in-memory path takes (docs/Formats/MIL.md has the
    rules and their evidence): a named constant for every argument that is no
    tensor, positive axes, convolution without `bias` and an addition behind it,
    no gelu, generated names that collide with nothing.

    The program computes in fp16. With `io=fp16` (the default, what that path
    takes everywhere) its inputs and outputs are fp16 too, and the casts at the
    border of the function go away: the host converts. With `io=fp32` they are
    fp32 and the casts are in the program.

    Inputs and outputs are named by `ane.name`, else `input0`, ..., `output0`,
    .... That path binds them in alphabetical order, so where the names are not
    in it they all get a numbered prefix, and a remark says so. A single function
    is called `main`, as Core ML expects.

    Constants keep their bytes: one of f32 becomes fp16 when it is written.

    ```mlir
    func.func @main(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
      %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
      return %y : tensor<1x8x8x8xf16>
    }
    // becomes
    mil.program version "1.3" {buildInfo = {...}} {
      mil.func @main opset "ios18" (%input0: tensor<1x8x8x8xf16>) names ["input0"] {} {
        %output0 = mil.op "relu"(x = %input0) {name = "output0"} as "output0" : (tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
        mil.return %output0 : tensor<1x8x8x8xf16>
      }
    }
    ```
  }];
  let options = [
    Option<"opset", "opset", "std::string", /*default=*/"\"ios18\"",
           "Opset of the functions; from ios18 on the text is program(1.3), before it program(1.0)">,
    Option<"io", "io", "std::string", /*default=*/"\"fp16\"",
           "Type of floating point inputs and outputs: fp16 or fp32">
  ];
  let dependentDialects = ["::mlir::ane::mil::MILDialect"];
}

//===----------------------------------------------------------------------===//
// LinalgToANE
//===----------------------------------------------------------------------===//

def ConvertLinalgToANE : Pass<"convert-linalg-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a linalg network into the ane dialect";
  let description = [{
    Imports one function as `convert-tosa-to-ane` does, from linalg ops on tensors,
    with a name or without, by their maps and bodies: elementwise ops, broadcasts,
    transposes, fills, sums, products, maxima and minima, contractions,
    convolutions and poolings in any order of dimensions, searches, and elements
    that are extracted at places which the numbers of the loops or data give, such
    as those of a resize.

    - A pooling whose window has gaps is combined from maxima of its elements, or a
      convolution with ones; padding with an infinity becomes the largest finite
      number.
    - Products of signed bytes that are added up in 32 bits, less constant zero
      points, are products of floats: their sums leave as floats with a scale
      (`arith.sitofp`), or as integers of at most 2048.

    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<1x400xf32>, tensor<400x10xf32>) outs(%zero : tensor<1x10xf32>) -> tensor<1x10xf32>
    // becomes, with x in f16
    %0 = ane.reshape %x : tensor<1x400xf16> -> tensor<1x1x400xf16>
    %1 = ane.reshape %w : tensor<400x10xf32> -> tensor<1x400x10xf32>
    %2 = ane.matmul %0, %1 : tensor<1x1x400xf16>, tensor<1x400x10xf32> -> tensor<1x1x10xf16>
    %y = ane.reshape %2 : tensor<1x1x10xf16> -> tensor<1x10xf16>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to import; needed when the module has several">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// MILToANE
//===----------------------------------------------------------------------===//

def ConvertMILToANE : Pass<"convert-mil-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a MIL program into the ane dialect";
  let description = [{
    Imports one function of the `mil.program`, statement by statement, with the
    meaning that Core ML gives to each operation. Afterwards the module holds that
    function alone; a module without a program stays as it is.

    - Data is `f16`: an `fp32` input is cast when it enters, an `fp32` output when
      it leaves, and casts between the two inside say nothing. A bool is 1 or 0,
      in a byte where it enters or leaves.
    - Integers are parameters: constants, or what is computed of constants and
      shapes alone (`shape`, `range_1d`, arithmetic, comparisons, ...), up to 2^24.
    - Inputs have fixed shapes (`ane-set-shapes` gives them). What the text leaves
      open elsewhere follows from them.
    - Inputs and outputs keep their names (`ane.name`). A state is an input; what is
      written to it last is one more output, called `NAME_out`: whoever runs the
      program hands it on.
    - Values in weight files stay there: files are mapped below `mil-root`, and a
      constant is a `dense_resource` of the mapped bytes. Weights that are stored
      compressed (`constexpr_*`) are evaluated.
    - A convolution or pooling of one spatial dimension is one on an image of one
      row; what the ane dialect has no op for is written with those that it has.
    - What the host can do in its place is left to it only where the network is
      split (`ane-partition`, `--host` of ane-compile); here it is an error.
    - Whatever cannot be imported is an error that says what would help. The shape
      that the text declares for a result must be the one that the arguments give.

    ```mlir
    mil.func @main opset "ios18" (%x: tensor<1x8x8x8xf32>) names ["x"] {} {
      %y = mil.op "relu6"(x = %x) {name = "y"} as "y" : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
      mil.return %y : tensor<1x8x8x8xf32>
    }
    // becomes
    func.func @main(%x: tensor<1x8x8x8xf32> {ane.name = "x"}) -> (tensor<1x8x8x8xf32> {ane.name = "y"}) {
      %0 = ane.cast %x : tensor<1x8x8x8xf32> -> tensor<1x8x8x8xf16>
      %1 = ane.activation %0 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
      %2 = ane.cast %1 : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf32>
      return %2 : tensor<1x8x8x8xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "The function to import; needed when the program has several">,
    Option<"milRoot", "mil-root", "std::string", /*default=*/"\"\"",
           "The folder that stands for @model_path in the paths of weight files">
  ];
  // Those of the host: whether it could do what the engine cannot is tried.
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// TosaToANE
//===----------------------------------------------------------------------===//

def ConvertTosaToANE : Pass<"convert-tosa-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a TOSA network into the ane dialect";
  let description = [{
    Imports one function, written in TOSA and in the elementwise ops of `math`
    and `arith` on tensors, op by op. Afterwards the module holds that function
    alone.

    - Data is `f16`: an `f32` argument is cast when it enters, an `f16` value is
      cast back where an `f32` result leaves. What is computed from constants
      alone keeps its type, so that folding loses no precision.
    - Data is NCHW: an NHWC op becomes a transpose, the op in NCHW and a
      transpose back. Weights are transposed too (OHWI to OIHW), which undoes
      the transposes that exporters write.
    - Ops of linalg and tensor that stand between TOSA ops are imported as by
      `convert-linalg-to-ane`.
    - Booleans are 1 and 0; they enter and leave as bytes. Integers are numbers where
      they are known at compile time.
    - Signed bytes are whole numbers of `f16`, also where they enter and leave. A
      convolution or product of bytes makes an accumulator, kept smaller by a power
      of 2, of which a `rescale` makes bytes again: exact, but for a step where f16
      falls on the other side of a middle. That is of each `rescale`: about 1 % of its
      bytes, by one, in layers of 1 to 1,024 inputs. Later layers multiply what earlier ones
      are off by, so that a few small dense layers may end up several steps off.
    - Loops over strips (`scf.for`, `scf.forall` with constant bounds), as tiling by
      transform scripts or other compilers makes them, become the strips; what
      they insert into one tensor is a concat. Sizes need not divide what they
      cut; a strip computes no more than is used of it.
    - Branches and loops whose conditions follow from constants (`cond_if`,
      `while_loop`, `scf.if`, `scf.while`) become the ops of one side, or of each
      iteration.
    - Fourier transforms are products with known matrices; a scatter chooses rows;
      a variable that nobody writes is a constant.
    - Whatever cannot be imported is an error that says what would help.

    What of TOSA cannot:

    | op | why |
    |---|---|
    | `arithmetic_right_shift`, `bitwise_and`, `bitwise_not`, `bitwise_or`, `bitwise_xor`, `clz`, `intdiv`, `logical_left_shift`, `logical_right_shift` | the engine computes on floats |
    | `add`, `sub`, `mul`, `reduce_sum` ... of integers that are data | so it does, but for accumulators of bytes and places that a search found |
    | `cast_from_block_scaled`, `cast_to_block_scaled`, `matmul_t_block_scaled` | no such numbers in the engine |
    | `cond_if`, `while_loop` by data | no control flow in the engine |
    | `custom` | nobody but its author knows what it means |
    | `gather`, `scatter` at indices that are arguments | f16 may not hold them; the DMA has fixed addresses |
    | `variable_read`, `variable_write` of what is written | the engine keeps nothing from one run to the next |

    ```mlir
    func.func @net(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32> {
      %y = tosa.sigmoid %x : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
      return %y : tensor<1x8x8x3xf32>
    }
    // becomes
    func.func @net(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32> {
      %0 = ane.cast %x : tensor<1x8x8x3xf32> -> tensor<1x8x8x3xf16>
      %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x8x8x3xf16> -> tensor<1x8x8x3xf16>
      %2 = ane.cast %1 : tensor<1x8x8x3xf16> -> tensor<1x8x8x3xf32>
      return %2 : tensor<1x8x8x3xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The function to import; needed when the module has several">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // ANE_CONVERSION_PASSES_TD

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
    Replaces every function of tasks by an `hwx.program`: one descriptor for each task,
    the constant section with packed coefficients, tensors with their base
    addresses, and the container. The input needs layouts and addresses
    (`ane-assign-layout`, `ane-allocate-dram`, `ane-allocate-l2`).

    The flavour must be the one that `ane-allocate-l2` had.

    The pass frees the bytes of a constant after the last task that reads it, so that
    weights are not in memory twice.
  }];
  let options = [
    ANE_FlavourOption,
    ANE_AllowUnprovenOption,
    Option<"identity", "identity", "std::string", "\"mlir-ane\"",
           "Compiler that the file names: mlir-ane, or zin-4.2.1 to compare "
           "whole files with files of that compiler">,
    Option<"keepConstants", "keep-constants", "bool", "false",
           "Keep the bytes of constants, for users outside this module">
  ];
  let dependentDialects = ["::mlir::ane::hwx::HWXDialect"];
}

//===----------------------------------------------------------------------===//
// HWXToANE
//===----------------------------------------------------------------------===//

def ANELift : Pass<"ane-lift", "::mlir::ModuleOp"> {
  let summary = "Lift register programs to tensor ops";
  let description = [{
    Replaces every `hwx.program` by a function of ane ops that computes the same, to
    be read, optimised or compiled again, for another generation too:

    ```sh
    ane-translate --from-hwx net.hwx | ane-opt --ane-lift --canonicalize -o net.mlir
    ane-compile net.mlir -o again.hwx
    ```

    The program is executed with names of elements in place of values. Whatever tasks
    copy, cut or put side by side in DRAM and L2 becomes slices, reshapes, transposes
    and concatenations; a task that computes becomes the op that it computes. A
    table becomes the function that it samples, of the same parameters.

    The module keeps the generation of the program as its target, unless `target` names
    another one.

    A program that the simulator does not run, a table that is of no known function
    and elements that are read in no regular order are errors at the task.

    ```mlir
    hwx.program @net target = h13 text = 0x300 { ... }
    // becomes
    func.func @net(%x: tensor<1x64x8x8xf16> {ane.name = "x"}) -> (tensor<1x64x8x8xf16> {ane.name = "y"}) {
      %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
      return %y : tensor<1x64x8x8xf16>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"\"",
                        "Generation to compile for (default: that of the program)">];
  let statistics = [Statistic<"programs", "programs", "Programs lifted">];
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::func::FuncDialect"];
}

//===----------------------------------------------------------------------===//
// ANEToLinalg
//===----------------------------------------------------------------------===//

def ConvertANEToLinalg : Pass<"convert-ane-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Lower tensor ops to linalg for the host";
  let description = [{
    Replaces the tensor ops of the ane dialect by equivalent ops of linalg, tensor,
    arith and math, which compute in f32 and round to the types of their
    results. `ane-partition` uses it for ops of a MIL network that the engine cannot
    do; stock MLIR can run a whole function.

    Ops on integers, `runtime_conv` and a nearest `resize` by a factor that is not an
    integer are errors.

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
  let summary = "Convert a network of the ane dialect to MIL";
  let description = [{
    Converts every function to a `mil.func` of one `mil.program`, in the form that
    Apple's private in-memory path accepts (docs/Formats/MIL.md has the
    rules and their evidence): a named constant for every argument that is not a
    tensor, positive axes, convolutions without `bias` and an addition after them,
    no gelu, generated names without collisions.

    The program computes in fp16. With `io=fp16` (the default, which that path
    accepts on all systems) its inputs and outputs are fp16 too; the casts at the
    border of the function disappear, and the host converts. With `io=fp32` they are
    fp32 and the program contains the casts.

    `ane.name` names inputs and outputs; the default is `input0`, ..., `output0`,
    .... That path binds them in alphabetical order, so if the names are not
    in that order, all get a numbered prefix, and a remark says so. A single function
    is called `main`, as Core ML expects.

    Constants keep their bytes: an f32 constant becomes fp16 when it is written.

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
           "Opset of the functions; the text is program(1.3) from ios18 on, program(1.0) before">,
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
    Imports one function as `convert-tosa-to-ane` does, from named and generic linalg
    ops on tensors. It recognises them from their indexing maps and bodies:
    elementwise ops, broadcasts, transposes, fills, sums, products, maxima and minima,
    contractions, convolutions and poolings in any order of dimensions, searches, and
    `tensor.extract` at indices that loop indices or data give, as in a resize.
    Anything else is an error at the op.

    - A dilated pooling becomes maxima of its elements, or a convolution with ones;
      padding with an infinity becomes the largest finite number.
    - Products of signed 8-bit integers with 32-bit sums and constant zero points become
      products of floats. Their sums must be converted to floats with a scale
      (`arith.sitofp`), or be integers of at most 2048.

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
           "The function to import; required if the module has several">
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
    Imports one function of the `mil.program`, statement by statement, with Core ML
    semantics. Afterwards the module contains only that function; a module without a
    program is unchanged.

    - Data is `f16`: an `fp32` input is cast when it enters, an `fp32` output when
      it leaves, and casts between the two types inside disappear. A bool is 1 or 0,
      8-bit at the border.
    - Integers are parameters: constants, or computations of constants and
      shapes (`shape`, `range_1d`, arithmetic, comparisons, ...), up to 2^24.
    - Inputs have fixed shapes (`ane-set-shapes` sets them). Other dynamic sizes of
      the text follow from them.
    - Inputs and outputs keep their names (`ane.name`). A state becomes an input; its
      last written value is an additional output `NAME_out`, which the caller passes
      to the next run.
    - Values in weight files are not copied: files below `mil-root` are mapped, and a
      constant is a `dense_resource` of the mapped bytes. Compressed weights
      (`constexpr_*`) are evaluated.
    - A convolution or pooling of one spatial dimension becomes one on an image of one
      row; an operation without an ane op is composed of several.
    - Operations for the host are errors here; only a split network
      (`ane-partition`, `--host` of ane-compile) leaves them to the host.
    - Any other operation is an error that names a way out. The declared shape of a
      result must equal the shape that follows from the arguments.

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
           "The function to import; required if the program has several">,
    Option<"milRoot", "mil-root", "std::string", /*default=*/"\"\"",
           "The folder that @model_path names in paths of weight files">
  ];
  // The importer also tries to build ops for the host.
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// StableHLOToANE
//===----------------------------------------------------------------------===//

def ConvertStableHLOToANE : Pass<"convert-stablehlo-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a StableHLO network into the ane dialect";
  let description = [{
    Imports one function as `convert-tosa-to-ane` does, from the StableHLO that JAX
    (`jax.jit(f).lower(x).as_text()`), torch-xla and others write. The functions that it
    calls are inlined, and composites replaced by their decomposition. A module without
    StableHLO is left as it is.

    - Images may have their channels anywhere (`dim_numbers`); the transposes to NCHW and
      back cancel.
    - `dot_general` becomes a product of matrices, with its batching dimensions in front.
    - `lhs_dilate` makes a transposed convolution. Other `interior` padding is an error.
    - `reduce` and `reduce_window` combine by one op of two numbers: `add`, `maximum`,
      `minimum`; `reduce` also by `multiply` of few, `and`, `or`.
    - Integers and booleans are known at compile time, or compared, as masks are.
    - `while` is unrolled if its condition follows from constants, as that of `lax.scan` and
      `fori_loop` does; of `if` and `case` the branch is taken that constants choose, and if
      data chooses, all branches are computed.
    - `reduce` of a tensor and its `iota` (`argmax`, `argmin`), `sort` and `chlo.top_k` (also as a
      composite) find the largest or smallest elements and their places.

    Not supported:

    | op | reason |
    |---|---|
    | `while` that goes on by data | the engine has no control flow |
    | `gather`, `dynamic_slice`, `dynamic_update_slice` at indices that are data, `scatter` | the DMA has fixed addresses |
    | `sort` and `reduce` of several tensors that search for nothing, `select_and_scatter` but for gradients of poolings | the engine compares, but does not move what it finds |
    | `rng`, `rng_bit_generator`, shifts, bits of integers | the engine computes on floats |
    | complex numbers, `fft`, quantised types | the engine has no such formats |
    | `custom_call` | its meaning is unknown; `mhlo.erf` is known, and `chlo.erf`, `erfc` and `square` as ops |

    ```mlir
    func.func @net(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %y = stablehlo.logistic %x : tensor<1x8xf32>
      return %y : tensor<1x8xf32>
    }
    // becomes
    func.func @net(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %0 = ane.cast %x : tensor<1x8xf32> -> tensor<1x8xf16>
      %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x8xf16> -> tensor<1x8xf16>
      %2 = ane.cast %1 : tensor<1x8xf16> -> tensor<1x8xf32>
      return %2 : tensor<1x8xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The function to import; required if the module has several that are public">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// TosaToANE
//===----------------------------------------------------------------------===//

def ConvertTosaToANE : Pass<"convert-tosa-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a TOSA network into the ane dialect";
  let description = [{
    Imports one function, written in TOSA and in the elementwise ops of `math`
    and `arith` on tensors, op by op. Afterwards the module contains only that
    function.

    - Data is `f16`: an `f32` argument is cast when it enters, an `f32` result when it
      leaves. Constants-only values keep their type, so that folding loses no precision.
    - Data is NCHW: an NHWC op becomes a transpose, the op in NCHW and a
      transpose back. Weights are transposed too (OHWI to OIHW), which cancels
      the transposes that exporters write.
    - linalg and tensor ops between TOSA ops are imported as by
      `convert-linalg-to-ane`.
    - Booleans are 1 and 0, 8-bit at the border. Integers must be known at compile time.
    - Signed 8-bit integers are integers in `f16`, also at the border. A convolution or
      product of them has an accumulator that is scaled down by a power of 2, and a
      `rescale` converts it to 8 bits. The result is exact, except that rounding to f16
      can move a value across a rounding boundary: each `rescale` changes about 1 % of
      its values by one, in layers of 1 to 1,024 inputs. Later layers multiply the errors
      of earlier ones, so a few small dense layers may be several steps off.
    - Tiling loops (`scf.for`, `scf.forall` with constant bounds), from transform scripts
      or other compilers, are unrolled; slices that they insert into one tensor become a
      concat. Tile sizes need not divide the size; the last tile computes only the used
      elements.
    - Branches and loops whose conditions follow from constants (`cond_if`,
      `while_loop`, `scf.if`, `scf.while`) are replaced by the ops of the taken side, or
      unrolled.
    - Fourier transforms become products with constant matrices; a scatter selects rows;
      a variable without a write is a constant.
    - Any other op is an error that names a way out.

    Not supported:

    | op | reason |
    |---|---|
    | `arithmetic_right_shift`, `bitwise_and`, `bitwise_not`, `bitwise_or`, `bitwise_xor`, `clz`, `intdiv`, `logical_left_shift`, `logical_right_shift` | the engine computes on floats |
    | `add`, `sub`, `mul`, `reduce_sum` ... of integer data | the engine computes on floats; exceptions are accumulators of 8-bit products and indices from a search |
    | `cast_from_block_scaled`, `cast_to_block_scaled`, `matmul_t_block_scaled` | the engine has no such formats |
    | `cond_if`, `while_loop` that depend on data | the engine has no control flow |
    | `custom` | its meaning is unknown |
    | `gather`, `scatter` at indices that are arguments | f16 may not hold them; the DMA has fixed addresses |
    | `variable_read`, `variable_write` of a variable that is written | the engine keeps no state between runs |

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
           "The function to import; required if the module has several">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // ANE_CONVERSION_PASSES_TD

//===- ProgramBuilder.h - Statements for layers -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What readers of networks of layers share: a program with one function, the
// layer that statements come from, and statements of windows and weights.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MODELS_PROGRAMBUILDER_H
#define ANE_LIB_TARGET_MODELS_PROGRAMBUILDER_H

#include "ane/Dialect/MIL/Utils/MILBuilder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::ane::models {

using mil::countOf;
using mil::describe;
using mil::Shape;

/// Kernel and its movement over the spatial dimensions, which are the last.
struct Window {
  Shape kernel, strides, dilations, low, high;

  /// Of `dims` dimensions, without strides, dilations and padding.
  explicit Window(ArrayRef<int64_t> kernel)
      : kernel(kernel), strides(kernel.size(), 1), dilations(kernel.size(), 1),
        low(kernel.size(), 0), high(kernel.size(), 0) {}
  int64_t span(size_t dim) const {
    return dilations[dim] * (kernel[dim] - 1) + 1;
  }
};

class ProgramBuilder : public mil::MILBuilder {
public:
  struct Input {
    std::string name;
    Shape shape;
    Type element;
  };

  /// `file` is what errors name.
  ProgramBuilder(MLIRContext *context, StringRef file, StringRef network,
                 ArrayRef<Input> inputs);

  Value argument(unsigned index);
  /// What errors and locations name from here on: "" for the network.
  void enter(StringRef type, StringRef layer);
  InFlightDiagnostic error();
  /// A statement could not be made, which has been said.
  bool hasFailed() const { return isWrong; }
  void refuse(const Twine &text) override;

  /// The program, whose function returns these values under these names.
  OwningOpRef<ModuleOp> finish(ArrayRef<std::pair<std::string, Value>> results);

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  /// `weight` is [output, input / groups, kernel...]; `bias` may be null.
  Value conv(Value x, Value weight, Value bias, const Window &window,
             int64_t groups);
  /// `weight` is [input, output / groups, kernel...].
  Value convTranspose(Value x, Value weight, Value bias, const Window &window,
                      int64_t groups);
  /// avg_pool, max_pool or l2_pool; `countsPadding` is for the average.
  Value pool(StringRef type, Value x, const Window &window, bool countsPadding);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  /// A tensor of little-endian elements of `stored`, as `element`; numbers
  /// that it rounds are rounded once. Bytes of f32 are not copied for f16.
  Value weight(StringRef name, ArrayRef<char> bytes, Type stored, Type element,
               ArrayRef<int64_t> shape);
  Value weight(StringRef name, ArrayRef<float> elements, Type element,
               ArrayRef<int64_t> shape);

  MLIRContext *context;
  OpBuilder builder;

private:
  Location location();
  mil::StatementBuilder statements() override;
  SmallVector<mil::NewArgument> windowArguments(Value x, const Window &window);
  /// Whether the window fits x; the sizes of the result go to `shape`.
  bool applyWindow(Value x, const Window &window, Shape &shape);

  std::string file, network, layerType, layer;
  OwningOpRef<ModuleOp> module;
  mil::FuncOp function;
  std::optional<mil::NameTable> names;
  bool isWrong = false, isLayerWrong = false;
};

} // namespace mlir::ane::models

#endif // ANE_LIB_TARGET_MODELS_PROGRAMBUILDER_H

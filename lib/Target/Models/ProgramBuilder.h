//===- ProgramBuilder.h - Statements for layers -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What readers of networks of layers share: a program with one function, the
// layer that statements come from, and statements whose shapes are checked. A
// statement that cannot be made is an error, told once for a layer; then a
// value of the wanted shape stands for it, so that nobody has to look at each
// result.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MODELS_PROGRAMBUILDER_H
#define ANE_LIB_TARGET_MODELS_PROGRAMBUILDER_H

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::ane::models {

using Shape = SmallVector<int64_t>;

/// Elements that a value may have: more is no network, and products of sizes
/// stay far from overflow.
inline constexpr int64_t maxElements = int64_t(1) << 40;

/// The number of elements; nothing if one is below 1 or there are too many.
std::optional<int64_t> countOf(ArrayRef<int64_t> shape);
std::string describe(ArrayRef<int64_t> shape);

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

class ProgramBuilder {
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
  /// As error(), once for a layer.
  void refuse(const Twine &text);

  /// The program, whose function returns these values under these names.
  OwningOpRef<ModuleOp> finish(ArrayRef<std::pair<std::string, Value>> results);

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  Value emit(StringRef type, ArrayRef<mil::NewArgument> arguments, Type element,
             ArrayRef<int64_t> shape);
  SmallVector<Value> emitAll(StringRef type,
                             ArrayRef<mil::NewArgument> arguments,
                             TypeRange types);
  /// With an argument x alone; of the same type.
  Value unary(StringRef type, Value x);
  /// With arguments of numbers, of the same type.
  Value unary(StringRef type, Value x,
              ArrayRef<std::pair<StringRef, double>> numbers);
  /// Of x and y, broadcast against each other.
  Value binary(StringRef type, Value x, Value y);
  Value binary(StringRef type, Value x, double y);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> perm);
  Value slice(Value x, ArrayRef<int64_t> begin, ArrayRef<int64_t> size);
  Value cast(Value x, Type element);
  Value concat(ArrayRef<Value> values, int64_t axis);
  Value tile(Value x, ArrayRef<int64_t> repeats);
  Value reduce(StringRef type, Value x, ArrayRef<int64_t> axes,
               bool keepsDims = true);
  Value softmax(Value x, int64_t axis);
  Value matmul(Value x, Value y, bool transposesX = false,
               bool transposesY = false);
  /// `weight` is [output, input / groups, kernel...]; `bias` may be null.
  Value conv(Value x, Value weight, Value bias, const Window &window,
             int64_t groups);
  /// `weight` is [input, output / groups, kernel...].
  Value convTranspose(Value x, Value weight, Value bias, const Window &window,
                      int64_t groups);
  /// avg_pool, max_pool or l2_pool; `countsPadding` is for the average.
  Value pool(StringRef type, Value x, const Window &window, bool countsPadding);
  Value pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            StringRef mode, double value);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  Value string(StringRef value);
  Value boolean(bool value);
  Value integer(int64_t value);
  Value integers(ArrayRef<int64_t> values);
  Value integers(ArrayRef<int64_t> values, ArrayRef<int64_t> shape);
  Value number(Type element, double value);
  /// A tensor of little-endian elements of `stored`, as `element`; numbers
  /// that it rounds are rounded once. Bytes of f32 are not copied for f16.
  Value weight(StringRef name, ArrayRef<char> bytes, Type stored, Type element,
               ArrayRef<int64_t> shape);
  Value weight(StringRef name, ArrayRef<float> elements, Type element,
               ArrayRef<int64_t> shape);

  static Shape shapeOf(Value value);
  static Type elementOf(Value value) {
    return getElementTypeOrSelf(value.getType());
  }
  static int64_t rankOf(Value value) { return shapeOf(value).size(); }

  MLIRContext *context;
  OpBuilder builder;

private:
  Location location();
  Type typeOf(Type element, ArrayRef<int64_t> shape);
  mil::StatementBuilder statements();
  Value parameter(TypedAttr value);
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

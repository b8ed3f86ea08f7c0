//===- HostBuilder.h - What the host does, in stock MLIR --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds ops of linalg, tensor, arith and scf, which any tool of MLIR lowers,
// on tensors of MIL's own types: integers have no sign there, the ops have it;
// a bool is i1. Nothing reads or writes outside of a tensor, whatever an index
// is: the nearest element counts, and nothing is written.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_HOSTBUILDER_H
#define ANE_CONVERSION_HOSTBUILDER_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace mlir::ane {

/// An element type of MIL: how MLIR computes with it, and how it is meant.
struct HostType {
  Type element;
  bool isUnsigned = false;

  /// Of a tensor or a scalar; no type where the host cannot compute with it.
  static HostType of(Type type);
  bool isBool() const { return element.isInteger(1); }
  bool isFloat() const { return isa<FloatType>(element); }
};

/// The sizes of what is computed of `shapes` element by element, numpy's way;
/// nothing if they do not fit together.
std::optional<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

class HostBuilder {
public:
  HostBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  //===--------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------===//

  /// Scalars of the operands to a scalar of the result.
  using Elementwise =
      function_ref<Value(HostBuilder &inner, ValueRange scalars)>;
  /// An element of the result from where it stands.
  using Generator =
      function_ref<Value(HostBuilder &inner, ArrayRef<Value> place)>;
  /// What a tensor becomes in a step of loops.
  using Step = function_ref<Value(HostBuilder &inner, ArrayRef<Value> place,
                                  Value tensor)>;

  /// Operands whose shapes broadcast.
  Value elementwise(ArrayRef<Value> operands, Type element, Elementwise body);
  /// `into`, with what `body` makes of an element of it, which is its last
  /// scalar, and of those of `operands` for each step of loops of `extents`.
  /// The maps say where these stand, that of `into` last.
  Value accumulate(ArrayRef<Value> operands, Value into,
                   ArrayRef<AffineMap> maps, ArrayRef<int64_t> extents,
                   Elementwise body);
  Value generate(ArrayRef<int64_t> shape, Type element, Generator body);
  /// Loops, the last one innermost, that change `tensor` one after the other.
  Value loop(ArrayRef<int64_t> counts, Value tensor, Step body);

  Value constant(ElementsAttr value);
  /// The same number everywhere.
  Value filled(ArrayRef<int64_t> shape, HostType type, double value);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> perm);
  Value slice(Value x, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides);
  /// The same from offsets that are computed, and `update` in its place.
  Value slice(Value x, ArrayRef<Value> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides);
  Value replace(Value x, Value update, ArrayRef<Value> offsets,
                ArrayRef<int64_t> strides);
  Value concat(ArrayRef<Value> values, int64_t axis);
  Value pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            double value);
  Value tile(Value x, ArrayRef<int64_t> repeats);
  /// As MIL casts: fractions go, integers stay within their type, a bool is
  /// whether the number is not zero.
  Value convert(Value x, HostType from, HostType to);

  //===--------------------------------------------------------------------===//
  // Scalars
  //===--------------------------------------------------------------------===//

  Value index(int64_t value);
  Value number(HostType type, double value);
  Value convertScalar(Value x, HostType from, HostType to);
  Value extract(Value tensor, ArrayRef<Value> place);
  /// A number of the network as a place of `extent`: negative ones count from
  /// the end. `isInside` says whether there is one. With `span`, so many
  /// elements from there on are inside.
  Value toPlace(Value number, HostType type, int64_t extent,
                Value *isInside = nullptr, int64_t span = 1);

  OpBuilder &builder;
  Location loc;

private:
  Value floatToInteger(Value x, HostType to);
  Value integerToInteger(Value x, HostType from, HostType to);
};

} // namespace mlir::ane

#endif // ANE_CONVERSION_HOSTBUILDER_H

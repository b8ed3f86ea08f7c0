//===- OpTable.h - The table of MIL operations ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of an operation without an op at hand: arguments, defaults,
// element types, opsets. It is generated from MIL*Ops.td, as are the ops.
//
//    const OpInfo *conv = lookupOp("conv");
//    const ArgumentInfo *groups = conv->getArgument("groups");
//    groups->defaultText                            // "1"
//    conv->getArgument("weight")->accepts(element, /*opset=*/17)
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_OPTABLE_H
#define ANE_DIALECT_MIL_IR_OPTABLE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::ane::mil {

/// Element types in the order of the alphabet of their names.
enum class Element : uint8_t {
  bf16,
  boolean,
  fp16,
  fp32,
  fp64,
  fp8e4m3fn,
  fp8e5m2,
  int16,
  int32,
  int4,
  int64,
  int8,
  string,
  uint1,
  uint16,
  uint2,
  uint3,
  uint32,
  uint4,
  uint6,
  uint64,
  uint8,
};

/// One bit for each element type; 0 is everything.
using ElementSet = uint32_t;
/// `fp16`, `bool`, ...
StringRef getName(Element element);
std::optional<Element> parseElement(StringRef name);
/// That of a scalar, tensor or state.
std::optional<Element> getElement(Type type);
/// `fp16, fp32 or int32`
std::string describe(ElementSet elements);

constexpr unsigned kFirstOpset = 15;
constexpr unsigned kLastOpset = 18;

struct ArgumentInfo {
  enum Kind : uint8_t { tensor, tuple, list, state, any };

  StringRef name;
  /// tensor: scalars as well.
  Kind kind;
  bool isOptional;
  /// Must be known at compile time.
  bool isConst;
  /// Opsets that have it.
  uint8_t firstOpset, lastOpset;
  /// Arguments with one variable have one element type.
  StringRef variable;
  /// The same before ios17.
  StringRef oldVariable;
  /// Of opsets 15 to 18.
  ElementSet elements[kLastOpset - kFirstOpset + 1];
  /// A literal of MIL without its type; empty: none.
  StringRef defaultText;
  /// What the default is where no literal says it.
  StringRef defaultNote;

  StringRef getVariable(unsigned opset) const {
    return opset < 17 ? oldVariable : variable;
  }
  ElementSet getElements(unsigned opset) const;
  bool accepts(Element element, unsigned opset) const;
  std::optional<int64_t> getDefaultInteger() const;
  std::optional<double> getDefaultNumber() const;
  std::optional<bool> getDefaultBool() const;
};

struct ResultInfo {
  enum Count : uint8_t { one, optional, many };

  StringRef name;
  Count count;
  /// The element type is that of the variable, or that which an argument names,
  /// or one of the set; where all are empty, nothing is said.
  StringRef variable;
  StringRef typeArgument;
  ElementSet elements;
  /// Later opsets do not have it; the others do.
  uint8_t lastOpset;
};

struct OpInfo {
  enum Shape : uint8_t { none, same, count, broadcast };

  StringRef name;
  StringRef summary;
  uint8_t opset;
  /// constexpr: before ios18 the arguments stand among the attributes.
  bool hasAttributeForm;
  /// What is certain of the first result's shape: that of an argument, as many
  /// elements as an argument, or that of several, broadcast.
  Shape shape;
  ArrayRef<StringRef> shapeArguments;
  /// In the order of the operands.
  ArrayRef<ArgumentInfo> arguments;
  ArrayRef<ResultInfo> results;

  const ArgumentInfo *getArgument(StringRef name) const;
};

/// Null for an operation that the table does not know.
const OpInfo *lookupOp(StringRef name);

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_IR_OPTABLE_H

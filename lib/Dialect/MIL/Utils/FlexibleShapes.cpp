//===- FlexibleShapes.cpp - Shapes that inputs may have -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Utils/FlexibleShapes.h"

using namespace mlir;
using namespace mlir::ane::mil;

// The integers of a list, a dense tensor, or a table of members.
static bool getIntegers(Attribute value, FlexibleShapes::Shape &result) {
  if (auto compound = dyn_cast<CompoundAttr>(value))
    return getIntegers(compound.getElements(), result);
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    result.push_back(number.getInt());
    return true;
  }
  if (auto dense = dyn_cast<DenseIntElementsAttr>(value)) {
    for (const APInt &number : dense.getValues<APInt>())
      result.push_back(number.getSExtValue());
    return true;
  }
  auto array = dyn_cast<ArrayAttr>(value);
  return array && llvm::all_of(array, [&](Attribute member) {
           return getIntegers(member, result);
         });
}

// Calls `visit` for the entries of a dictionary with strings as keys.
static bool forEachEntry(Attribute value,
                         function_ref<bool(StringRef, Attribute)> visit) {
  auto entries = dyn_cast<ArrayAttr>(value);
  return entries && llvm::all_of(entries, [&](Attribute entry) {
           auto pair = dyn_cast<ArrayAttr>(entry);
           auto key = pair && pair.size() == 2 ? dyn_cast<StringAttr>(pair[0])
                                               : StringAttr();
           return key && visit(key.getValue(), pair[1]);
         });
}

static bool parseRanges(Attribute value, FlexibleShapes &result) {
  return forEachEntry(value, [&](StringRef name, Attribute bounds) {
    FlexibleShapes::Shape numbers;
    if (!getIntegers(bounds, numbers) || numbers.size() % 2)
      return false;
    for (size_t i = 0; i < numbers.size(); i += 2)
      result.ranges[name.str()].emplace_back(numbers[i], numbers[i + 1]);
    return true;
  });
}

static bool parseEnumerated(Attribute value, FlexibleShapes &result) {
  return forEachEntry(value, [&](StringRef, Attribute choice) {
    return forEachEntry(choice, [&](StringRef name, Attribute shape) {
      return getIntegers(shape, result.enumerated[name.str()].emplace_back());
    });
  });
}

static bool parseFlexibleShapes(Attribute value, FlexibleShapes &result) {
  auto compound = dyn_cast_or_null<CompoundAttr>(value);
  if (!compound)
    return false;
  return forEachEntry(
      compound.getElements(), [&](StringRef key, Attribute table) {
        if (key == "DefaultShapes")
          return forEachEntry(table, [&](StringRef name, Attribute shape) {
            return getIntegers(shape, result.defaults[name.str()]);
          });
        if (key == "RangeDims")
          return parseRanges(table, result);
        return key == "EnumeratedShapes" && parseEnumerated(table, result);
      });
}

FailureOr<FlexibleShapes> mlir::ane::mil::readFlexibleShapes(FuncOp func) {
  FlexibleShapes shapes;
  Attribute attribute = func.getFuncAttributes().get(kFlexibleShapes);
  if (attribute && !parseFlexibleShapes(attribute, shapes))
    return func.emitOpError() << kFlexibleShapes
                              << " is no pair of DefaultShapes and RangeDims "
                                 "or EnumeratedShapes";
  return shapes;
}

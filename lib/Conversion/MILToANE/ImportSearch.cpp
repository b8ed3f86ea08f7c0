//===- ImportSearch.cpp - MIL operations on places of elements ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What finds indices, and what reads them. Search.h says how a search is done,
// and that of equal elements the first is found.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"

#include "ane/Dialect/ANE/Utils/Search.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Where elements are
//===----------------------------------------------------------------------===//

static void addSearch(MILImporter &importer, StringRef name, bool isMax) {
  importer.add(name, [isMax](Statement &s) -> Value {
    Value x = s.tensor("x");
    if (s.failed())
      return {};
    SmallVector<int64_t> shape(shapeOf(x));
    int64_t axis = s.axis("axis", shape.size(), -1);
    bool keep = s.boolean("keep_dims", false);
    if (s.failed())
      return {};
    if (auto why = checkSearch(shape[axis])) {
      s.error() << *why;
      return {};
    }
    Extreme found =
        findExtreme(s.getBuilder(), s.getLoc(), s.toData(x), axis, isMax);
    shape.erase(shape.begin() + axis);
    return keep ? found.index : s.reshape(found.index, shape);
  });
}

/// Whether a result of the statement says what type places have.
static std::optional<HostType> placesOnHost(Statement &s, unsigned result,
                                            int64_t count, int64_t extent) {
  HostType type = s.hostResult(result);
  if (count < 1 || count > extent)
    s.error() << "finds " << count << " of " << extent << " elements";
  else if (!type.element || type.isFloat() || type.isBool())
    s.error() << "finds places, but is declared with elements of "
              << s.resultElementType(result);
  else
    return type;
  return std::nullopt;
}

static SmallVector<Value> topkOnHost(Statement &s, Value x, int64_t axis,
                                     int64_t count, bool isMax, bool indices) {
  int64_t extent = shapeOf(x)[axis];
  HostType place{s.attributes().getI32Type()};
  if (indices) {
    auto declared = placesOnHost(s, 1, count, extent);
    if (!declared)
      return {};
    place = *declared;
  }
  Value found = searchOnHost(s, x, axis, count, isMax, place);
  Value values = s.host().generate(
      shapeOf(found), getElementTypeOrSelf(x),
      [&](HostBuilder &inner, ArrayRef<Value> at) {
        SmallVector<Value> from(at);
        from[axis] = inner.toPlace(inner.extract(found, at), place, extent);
        return inner.extract(x, from);
      });
  if (!indices)
    return {values};
  return {values, found};
}

static SmallVector<Value> importTopk(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t axis = s.axis("axis", shapeOf(x).size(), -1);
  int64_t count = s.integer("k", 1);
  bool ascending = s.boolean("ascending", false);
  bool indices = s.boolean("return_indices", true);
  if (s.failed())
    return {};
  int64_t extent = shapeOf(x)[axis];
  if (s.isOnHost())
    return topkOnHost(s, x, axis, count == -1 ? extent : count, !ascending,
                      indices);
  if (auto why = checkSearch(extent, count == -1 ? extent : count)) {
    s.error() << *why;
    return {};
  }
  Extreme found =
      findExtremes(s.getBuilder(), s.getLoc(), s.toData(x), axis,
                   count == -1 ? extent : count, /*isMax=*/!ascending);
  if (!indices)
    return {found.value};
  return {found.value, found.index};
}

static Value importArgsort(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t axis = s.axis("axis", shapeOf(x).size(), -1);
  bool ascending = s.boolean("ascending", false);
  if (s.failed())
    return {};
  int64_t extent = shapeOf(x)[axis];
  if (s.isOnHost()) {
    auto place = placesOnHost(s, 0, extent, extent);
    return place ? searchOnHost(s, x, axis, extent, !ascending, *place)
                 : Value();
  }
  if (auto why = checkSearch(extent, extent)) {
    s.error() << *why;
    return {};
  }
  return findExtremes(s.getBuilder(), s.getLoc(), s.toData(x), axis, extent,
                      /*isMax=*/!ascending)
      .index;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void mlir::ane::addMILSearchImport(MILImporter &importer) {
  addSearch(importer, "reduce_argmax", /*isMax=*/true);
  addSearch(importer, "reduce_argmin", /*isMax=*/false);
  importer.add("argsort", importArgsort);
  importer.addMany("topk", importTopk);
}

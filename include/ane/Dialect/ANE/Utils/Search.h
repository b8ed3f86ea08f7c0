//===- Search.h - Places of elements, elements at places --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has no search. What importers find of one becomes maxima,
// comparisons with them, and maxima of the places where they are equal, counted
// from the last one. Places are whole numbers in f16, so a dimension has as
// many elements as f16 can count. Of equal elements the first is found, unless
// asked otherwise. Infinities are as large as the largest numbers, since a
// comparison is a difference. Data has no NaN; where it has one, what is found
// may be no place at all.
//
// Nor does it read at addresses that it computes: what stands at an index is
// what remains of all elements where their numbers are equal to it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_SEARCH_H
#define ANE_DIALECT_ANE_UTILS_SEARCH_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include <optional>
#include <string>

namespace mlir::ane {

/// f16 has all whole numbers up to this one.
constexpr int64_t maxWholeHalf = 2048;

/// Whether f16 has this whole number.
bool isWholeHalf(int64_t number);

/// The whole numbers from 0 on along `axis` of a tensor that has no other
/// dimensions.
Value createRow(OpBuilder &builder, Location loc, int64_t rank, int64_t axis,
                int64_t count);

/// An element for each row along a dimension, which becomes 1.
struct Extreme {
  Value value, index;
};

/// Why places along a dimension of `extent` elements cannot be found; nothing
/// if they can.
std::optional<std::string> checkSearch(int64_t extent);
/// The same for `count` of them.
std::optional<std::string> checkSearch(int64_t extent, int64_t count);

/// The largest element along `axis`, or the least one, and the first place
/// where it is, or the last.
Extreme findExtreme(OpBuilder &builder, Location loc, Value x, int64_t axis,
                    bool isMax, bool isFirst = true);

/// The `count` largest elements along `axis`, or the least ones, in their order
/// and with their places. Infinities come out as the largest numbers.
Extreme findExtremes(OpBuilder &builder, Location loc, Value x, int64_t axis,
                     int64_t count, bool isMax);

/// Why rows cannot be taken from each of `matrices` of `extent` rows at `count`
/// indices that are computed; nothing if they can.
std::optional<std::string> checkTake(int64_t matrices, int64_t extent,
                                     int64_t count);
/// Rows of the matrices `x`, B x O x K x C, at `indices`, B x M whole numbers
/// that count from the end where they are negative: B x O x M x C. A product
/// with a matrix of zeros and ones; all that `x` holds is finite.
Value takeRows(OpBuilder &builder, Location loc, Value x, Value indices);
/// Elements of `x`, O x K x C, at `indices`, O x M x C.
Value takeElements(OpBuilder &builder, Location loc, Value x, Value indices);

/// `x`, O x K x C, whose elements at `indices`, O x M x C, are those of
/// `updates`, or combined with them by `kind`, one index after the other.
Value putElements(OpBuilder &builder, Location loc, Value x, Value indices,
                  Value updates, std::optional<ElementwiseKind> kind);

/// Why there are no such `places` in a dimension of `extent`; nothing if there
/// are.
std::optional<std::string> checkPlaces(int64_t extent,
                                       ArrayRef<int64_t> places);
/// How many slices take `places`: each goes upwards in equal steps.
size_t countRuns(ArrayRef<int64_t> places);
/// Why elements cannot be taken at `places` of a dimension of `extent`; nothing
/// if they can.
std::optional<std::string> checkTakeAt(int64_t extent,
                                       ArrayRef<int64_t> places);
/// The elements of `x` at `places` along `axis`, which may come in any order
/// and several times: slices where these are few runs, else a product with a
/// matrix of zeros and ones, for which all that `x` holds has to be finite.
Value takeAt(OpBuilder &builder, Location loc, Value x, int64_t axis,
             ArrayRef<int64_t> places);

/// `x` backwards along `axis`, of any extent: blocks in the opposite order,
/// each of which is backwards. Along the last dimension it is a product as of
/// takeAt().
Value reversed(OpBuilder &builder, Location loc, Value x, int64_t axis);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_SEARCH_H

//===- LongRow.h - A row as the rows of an image ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has rows of at most 16384 elements; ten seconds of sound have
// 160000. Such a row is cut into the rows of an image, one after the other:
//
//   element t is column t % columns of row t / columns
//
// What is after the last element in the last row is not of the row, and may be
// any number. As long as `columns` is a multiple of what the DMA can address,
// cuts into rows of other lengths are views of the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGROW_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGROW_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

namespace mlir::ane {

struct LongRow {
  Value image;        ///< n x c x rows x columns
  int64_t length = 0; ///< elements of the row
  /// What is after the row may be infinite, so that no product with 0 is 0.
  bool mayHaveInfinitePadding = false;

  int64_t rows() const { return typeOf(image).getDimSize(2); }
  int64_t columns() const { return typeOf(image).getDimSize(3); }
  /// Elements after the row.
  int64_t behind() const { return rows() * columns() - length; }
  /// `value` in place of the image.
  LongRow with(Value value) const {
    return {value, length, mayHaveInfinitePadding};
  }
};

/// `length` elements of a row from `start`, or of a number.
struct RowPiece {
  Value image; ///< null: `fill`
  int64_t start = 0, length = 0;
  float fill = 0;
};

/// Makes images of rows. Values are of `n` images and `c` channels.
class RowBuilder : AneBuilder {
public:
  RowBuilder(OpBuilder &builder, Location loc,
             const ::ane::hw::GenerationInfo &info)
      : AneBuilder(builder, loc), info(info) {}

  /// Pieces one after the other. The end of the last row is `after`.
  LongRow join(ArrayRef<RowPiece> pieces, int64_t columns, float behind = 0);
  /// `count` elements from `start`, in one row.
  Value piece(LongRow row, int64_t start, int64_t count);
  /// Other columns; 0 rows are added where they do not come out even. Fails if
  /// the image would be too high.
  FailureOr<LongRow> withColumns(LongRow row, int64_t columns);
  /// At least the rows for `length` elements, new ones of `fill`.
  LongRow grown(LongRow row, int64_t length, float fill = 0);
  /// Without rows that have no element.
  LongRow shrunk(LongRow row);
  /// `fill` after the row.
  LongRow cleared(LongRow row, float fill);
  /// Behind `left` columns of the row before, in front of `right` ones of the
  /// row after; `fill` where there is none.
  Value withNeighbours(LongRow row, int64_t left, int64_t right, float fill);
  /// The row in one piece, or in a shape that the host makes one of.
  Value flat(LongRow row, RankedTensorType type);

private:
  Value filled(Value like, int64_t rows, int64_t columns, float fill);
  Value rowOf(RowPiece piece, int64_t start, int64_t count, Value like);
  Value rowsOf(RowPiece piece, int64_t start, int64_t count, int64_t columns,
               Value like);
  Value neighbour(LongRow row, int64_t by, int64_t first, int64_t count,
                  float fill);

  const ::ane::hw::GenerationInfo &info;
};

/// Columns for a row of `length` elements: a multiple of `granule` if there is
/// one that divides it, else of what the DMA addresses, else any that does. 0
/// if there is none.
int64_t chooseColumns(int64_t length, int64_t granule,
                      const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGROW_H

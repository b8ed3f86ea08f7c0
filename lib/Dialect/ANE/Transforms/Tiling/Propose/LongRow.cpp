//===- LongRow.cpp - A row as the rows of an image ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongRow.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

// Long enough that what neighbours add is little, short enough that rows of
// many channels fit into L2.
static constexpr int64_t goodColumns = 1024;

int64_t mlir::ane::chooseColumns(int64_t length, int64_t granule,
                                 const ::ane::hw::GenerationInfo &info) {
  int64_t align = info.dmaAlign / int64_t(sizeof(uint16_t));
  auto distance = [](int64_t columns) {
    return columns < goodColumns ? double(goodColumns) / columns
                                 : double(columns) / goodColumns;
  };
  auto quality = [&](int64_t columns) {
    return columns % granule == 0 ? 2 : columns % align == 0 ? 1 : 0;
  };
  int64_t best = 0;
  auto look = [&](int64_t columns) {
    if (columns > int64_t(info.maxWidth) / 2 ||
        length / columns > int64_t(info.maxHeight))
      return;
    bool isBetter = best == 0 || quality(columns) > quality(best) ||
                    (quality(columns) == quality(best) &&
                     distance(columns) < distance(best));
    if (isBetter)
      best = columns;
  };
  for (int64_t divisor = 1; divisor * divisor <= length; ++divisor)
    if (length % divisor == 0) {
      look(divisor);
      look(length / divisor);
    }
  return best;
}

Value RowBuilder::filled(Value like, int64_t rows, int64_t columns,
                         float fill) {
  ArrayRef<int64_t> shape = typeOf(like).getShape();
  return splatConstant(builder, loc, {shape[0], shape[1], rows, columns}, fill);
}

// Elements [start, start + count) as one row.
Value RowBuilder::rowOf(RowPiece piece, int64_t start, int64_t count,
                        Value like) {
  if (!piece.image)
    return filled(like, 1, count, piece.fill);
  RankedTensorType type = typeOf(piece.image);
  int64_t columns = type.getDimSize(3);
  SmallVector<Value> parts;
  while (count > 0) {
    int64_t row = start / columns, column = start % columns;
    int64_t rows = column == 0 ? std::max<int64_t>(1, count / columns) : 1;
    int64_t taken = std::min(count, rows * columns - column);
    Value part = slice(piece.image, 2, row, rows);
    part = slice(part, 3, column, rows == 1 ? taken : columns);
    parts.push_back(
        reshaped(builder, loc, part,
                 {type.getDimSize(0), type.getDimSize(1), 1, taken}));
    start += taken;
    count -= taken;
  }
  return concatDim(builder, loc, parts, 3);
}

// `count` whole rows from element `start` of a piece of as many columns.
Value RowBuilder::rowsOf(RowPiece piece, int64_t start, int64_t count,
                         int64_t columns, Value like) {
  if (!piece.image)
    return filled(like, count, columns, piece.fill);
  int64_t row = start / columns, column = start % columns;
  Value rows = slice(piece.image, 2, row, count);
  if (column == 0)
    return rows;
  Value next = slice(piece.image, 2, row + 1, count);
  return concatDim(
      builder, loc,
      {slice(rows, 3, column, columns - column), slice(next, 3, 0, column)}, 3);
}

LongRow RowBuilder::join(ArrayRef<RowPiece> pieces, int64_t columns,
                         float behind) {
  const RowPiece *known =
      llvm::find_if(pieces, [](const RowPiece &p) { return bool(p.image); });
  Value like = known->image;
  int64_t length = 0;
  for (const RowPiece &piece : pieces)
    length += piece.length;
  SmallVector<RowPiece> all(pieces);
  int64_t whole = llvm::alignTo(length, columns);
  all.push_back({Value(), 0, whole - length, behind});
  SmallVector<Value> rows, open;
  int64_t column = 0;
  for (const RowPiece &piece : all) {
    bool isWhole = !piece.image || typeOf(piece.image).getDimSize(3) == columns;
    for (int64_t done = 0; done < piece.length;) {
      int64_t start = piece.start + done, left = piece.length - done;
      if (column == 0 && left >= columns && isWhole) {
        int64_t count = left / columns;
        rows.push_back(rowsOf(piece, start, count, columns, like));
        done += count * columns;
        continue;
      }
      int64_t count = std::min(left, columns - column);
      open.push_back(rowOf(piece, start, count, like));
      column = (column + count) % columns;
      done += count;
      if (column == 0) {
        rows.push_back(concatDim(builder, loc, open, 3));
        open.clear();
      }
    }
  }
  return {concatDim(builder, loc, rows, 2), length};
}

// Of whole rows one after the other, a view where the DMA can address it.
Value RowBuilder::piece(LongRow row, int64_t start, int64_t count) {
  int64_t columns = row.columns(), first = start / columns;
  int64_t rows = llvm::divideCeil(start + count, columns) - first;
  if (rows * columns > int64_t(info.maxWidth))
    return rowOf({row.image}, start, count, row.image);
  ArrayRef<int64_t> lead = typeOf(row.image).getShape().take_front(2);
  Value whole = reshaped(builder, loc, slice(row.image, 2, first, rows),
                         {lead[0], lead[1], 1, rows * columns});
  return slice(whole, 3, start - first * columns, count);
}

FailureOr<LongRow> RowBuilder::withColumns(LongRow row, int64_t columns) {
  if (row.columns() == columns)
    return row;
  ArrayRef<int64_t> lead = typeOf(row.image).getShape().take_front(2);
  int64_t common = std::gcd(row.columns(), columns);
  auto fits = [&](int64_t columns) {
    return llvm::divideCeil(row.rows() * row.columns(), columns) <=
           uint64_t(info.maxHeight);
  };
  if (columns > int64_t(info.maxWidth) || !fits(columns) ||
      (common != columns && common != row.columns() && !fits(common)))
    return failure();
  auto viewed = [&](int64_t columns) {
    int64_t rows = row.rows() * row.columns() / columns;
    row.image =
        reshaped(builder, loc, row.image, {lead[0], lead[1], rows, columns});
  };
  if (common != row.columns())
    viewed(common);
  if (common == columns)
    return row;
  row = grown(row, llvm::alignTo(row.rows() * common, columns));
  viewed(columns);
  return row;
}

LongRow RowBuilder::grown(LongRow row, int64_t length, float fill) {
  int64_t rows = llvm::divideCeil(length, row.columns());
  if (rows <= row.rows())
    return row;
  Value more = filled(row.image, rows - row.rows(), row.columns(), fill);
  return row.with(concatDim(builder, loc, {row.image, more}, 2));
}

LongRow RowBuilder::shrunk(LongRow row) {
  return row.with(
      slice(row.image, 2, 0, llvm::divideCeil(row.length, row.columns())));
}

LongRow RowBuilder::cleared(LongRow row, float fill) {
  row = shrunk(row);
  if (row.behind() == 0)
    return row;
  return join({{row.image, 0, row.length}}, row.columns(), fill);
}

// Columns [first, first + count) of the row `by` rows further on.
Value RowBuilder::neighbour(LongRow row, int64_t by, int64_t first,
                            int64_t count, float fill) {
  Value part = slice(row.image, 3, first, count);
  Value none = filled(row.image, 1, count, fill);
  if (row.rows() == 1)
    return none;
  Value kept = slice(part, 2, by > 0 ? 1 : 0, row.rows() - 1);
  if (by > 0)
    return concatDim(builder, loc, {kept, none}, 2);
  return concatDim(builder, loc, {none, kept}, 2);
}

Value RowBuilder::withNeighbours(LongRow row, int64_t left, int64_t right,
                                 float fill) {
  SmallVector<Value> parts;
  if (left > 0)
    parts.push_back(neighbour(row, -1, row.columns() - left, left, fill));
  parts.push_back(row.image);
  if (right > 0)
    parts.push_back(neighbour(row, 1, 0, right, fill));
  return concatDim(builder, loc, parts, 3);
}

Value RowBuilder::flat(LongRow row, RankedTensorType type) {
  row = shrunk(row);
  ArrayRef<int64_t> lead = typeOf(row.image).getShape().take_front(2);
  int64_t columns = row.length;
  if (row.length > int64_t(info.maxWidth)) {
    // The host reads rows one after the other, without a gap.
    if (row.behind() != 0)
      for (int64_t rows = llvm::divideCeil(row.length, info.maxWidth);
           rows <= int64_t(info.maxHeight); ++rows)
        if (row.length % rows == 0) {
          columns = row.length / rows;
          break;
        }
    if (row.behind() != 0 && columns < row.length)
      row = join({{row.image, 0, row.length}}, columns);
  } else if (row.rows() * row.columns() > int64_t(info.maxWidth)) {
    Value whole = rowOf({row.image}, 0, row.length, row.image);
    return reshaped(builder, loc, whole, type.getShape());
  }
  if (row.behind() != 0) // if too long, legality has a name for it
    row.image =
        slice(reshaped(builder, loc, row.image,
                       {lead[0], lead[1], 1, row.rows() * row.columns()}),
              3, 0, row.length);
  return reshaped(builder, loc, row.image, type.getShape());
}

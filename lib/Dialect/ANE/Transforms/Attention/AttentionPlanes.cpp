//===- AttentionPlanes.cpp - Operands of products of attention ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlanes.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

using namespace mlir;
using namespace mlir::ane;

int64_t mlir::ane::lanesFor(int64_t rows, int64_t depth,
                            const ::ane::hw::GenerationInfo &info) {
  int64_t lanes = 8;
  while (lanes > 1 && (rows % lanes || rows < lanes * int64_t(info.neCount) ||
                       lanes * depth > int64_t(info.maxWidth)))
    lanes /= 2;
  return lanes;
}

ConvOp mlir::ane::convOf(const Matrices &all) {
  ArrayRef<int64_t> shape = all.shape();
  auto rows = all.value.getDefiningOp<ReshapeOp>();
  auto conv = rows && rows->hasOneUse()
                  ? rows.getInput().getDefiningOp<ConvOp>()
                  : ConvOp();
  auto isConstant = [](Value value) {
    return !value || value.getDefiningOp<ConstantOp>();
  };
  bool isCut = conv && conv->hasOneUse() && conv.getGroups() == 1 &&
               !conv.getScale() && isConstant(conv.getWeight()) &&
               isConstant(conv.getBias()) && isImage(conv.getResult()) &&
               typeOf(conv).getShape() ==
                   ArrayRef<int64_t>{1, shape[1] * shape[2], 1, shape[3]};
  return isCut ? conv : ConvOp();
}

// What [heads, features, images, tokens] come from.
static TransposeOp movedHeads(const Matrices &all) {
  auto moved = all.value.getDefiningOp<TransposeOp>();
  if (!moved)
    return {};
  ArrayRef<int64_t> perm = moved.getPerm();
  bool areTokensRows = perm == ArrayRef<int64_t>{2, 0, 3, 1};
  return areTokensRows || perm == ArrayRef<int64_t>{2, 0, 1, 3} ? moved
                                                                : TransposeOp();
}

bool mlir::ane::areHeadsChannels(const Attention &from) {
  return from.images > 1 && from.heads > 1 && !from.isShared && !from.sink &&
         !from.isMaskOfKeys && movedHeads(from.queries) &&
         movedHeads(from.keys) && movedHeads(from.values);
}

static Matrices matricesOfHead(OpBuilder &builder, Location loc,
                               const Matrices &all, int64_t head) {
  TransposeOp moved = movedHeads(all);
  ArrayRef<int64_t> shape = typeOf(moved.getInput()).getShape();
  Value image = reshaped(builder, loc, moved.getInput(),
                         {1, shape[0] * shape[1], shape[2], shape[3]});
  image = sliceDim(builder, loc, image, 1, head * shape[1], shape[1]);
  bool areTokensRows = moved.getPerm().back() == 1;
  return {permuted(builder, loc, image, {0, 2, 1, 3}),
          all.isTransposed != areTokensRows};
}

Attention mlir::ane::attentionOfHead(OpBuilder &builder, const Attention &from,
                                     int64_t head) {
  Location loc = from.getLoc();
  Attention part = from;
  part.images = 1;
  part.heads = from.images;
  part.queries = matricesOfHead(builder, loc, from.queries, head);
  part.keys = matricesOfHead(builder, loc, from.keys, head);
  part.values = matricesOfHead(builder, loc, from.values, head);
  if (from.mask) {
    Value mask = from.mask;
    if (typeOf(mask).getDimSize(1) > 1)
      mask = sliceDim(builder, loc, mask, 1, head, 1);
    ArrayRef<int64_t> shape = typeOf(mask).getShape();
    part.mask = reshaped(builder, loc, mask, {1, shape[0], shape[2], shape[3]});
  }
  for (KeyTerm &term : part.terms) {
    Value rows =
        reshaped(builder, loc, term.value,
                 {from.images, from.heads, from.numQueries, term.count});
    term.value = sliceDim(builder, loc, rows, 1, head, 1);
  }
  return part;
}

Value mlir::ane::imageOf(OpBuilder &builder, Location loc,
                         const Matrices &from) {
  ArrayRef<int64_t> shape = from.shape();
  Value value =
      reshaped(builder, loc, from.value, {1, from.count(), shape[2], shape[3]});
  return permuted(builder, loc, value,
                  from.isTransposed ? ArrayRef<int64_t>{0, 3, 1, 2}
                                    : ArrayRef<int64_t>{0, 2, 1, 3});
}

Value mlir::ane::planesOf(OpBuilder &builder, Location loc,
                          const Matrices &from, int64_t lanes) {
  ArrayRef<int64_t> shape = from.shape();
  // Of what a convolution makes, all channels alike: it stores them so itself.
  if (!from.isTransposed && lanes > 1 && shape[2] % lanes == 0 &&
      convOf(from)) {
    int64_t planes = shape[2] / lanes, columns = shape[3] * lanes;
    auto type =
        typeOf(from.value).clone({1, from.count() * planes, 1, columns});
    Value rows = reshaped(builder, loc, from.value,
                          {1, from.count() * shape[2], 1, shape[3]});
    rows = InterleaveOp::create(builder, loc, type, rows, lanes);
    rows = reshaped(builder, loc, rows, {1, from.count(), planes, columns});
    return permuted(builder, loc, rows, {0, 2, 1, 3});
  }
  Value rows = imageOf(builder, loc, from);
  if (lanes == 1)
    return rows;
  RankedTensorType type = typeOf(rows);
  type = withDim(withDim(type, 1, type.getDimSize(1) / lanes), 3,
                 type.getDimSize(3) * lanes);
  return InterleaveOp::create(builder, loc, type, rows, lanes);
}

// A constant that is the same for each window, or for each of its heads, for
// all of them: heads are rows.
static Value repeatedMask(OpBuilder &builder, Location loc,
                          const Attention &from) {
  RankedTensorType type = typeOf(from.mask);
  int64_t count = type.getDimSize(0) * type.getDimSize(1);
  if (count == 1 || count == from.images * from.heads)
    return from.mask;
  std::vector<float> values = ConstantView::get(from.mask)->readFloats();
  int64_t size = type.getNumElements() / count;
  SmallVector<float> repeated;
  for (int64_t i = 0; i < from.images * from.heads; ++i) {
    int64_t image = type.getDimSize(0) == 1 ? 0 : i / from.heads;
    int64_t head = type.getDimSize(1) == 1 ? 0 : i % from.heads;
    auto first = values.begin() + (image * type.getDimSize(1) + head) * size;
    repeated.append(first, first + size);
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = from.images;
  shape[1] = from.heads;
  return unroundedConstant(builder, loc, shape, repeated);
}

Value mlir::ane::maskImage(OpBuilder &builder, Location loc,
                           const Attention &from) {
  if (!from.mask)
    return {};
  Value mask = repeatedMask(builder, loc, from);
  ArrayRef<int64_t> shape = typeOf(mask).getShape();
  Value value = constantReshaped(builder, loc, mask,
                                 {1, shape[0] * shape[1], shape[2], shape[3]});
  return permuted(builder, loc, value,
                  from.areKeysLast ? ArrayRef<int64_t>{0, 3, 1, 2}
                                   : ArrayRef<int64_t>{0, 2, 1, 3});
}

Matrices mlir::ane::maskRow(OpBuilder &builder, Location loc,
                            const Attention &from) {
  return {reshaped(builder, loc, from.mask, {1, 1, 1, from.numKeys}),
          /*isTransposed=*/true};
}

Value mlir::ane::withKeyTerms(OpBuilder &builder, Location loc, Value queries,
                              const Attention &from) {
  SmallVector<Value> channels = {queries};
  for (const KeyTerm &term : from.terms) {
    Value rows =
        reshaped(builder, loc, term.value,
                 {1, from.images * from.heads, from.numQueries, term.count});
    channels.push_back(permuted(builder, loc, rows, {0, 3, 1, 2}));
  }
  return concatDim(builder, loc, channels, 1);
}

Matrices mlir::ane::keysOfTerms(OpBuilder &builder, Location loc,
                                const Attention &from) {
  Type half = builder.getF16Type();
  Attribute one = builder.getFloatAttr(half, 1);
  Attribute zero = builder.getFloatAttr(half, 0);
  SmallVector<Attribute> ones;
  for (const KeyTerm &term : from.terms)
    for (int64_t i = 0; i < term.count; ++i)
      for (int64_t key = 0; key < from.numKeys; ++key)
        ones.push_back(key / term.inner % term.count == i ? one : zero);
  int64_t rows = ones.size() / from.numKeys;
  auto type = RankedTensorType::get({1, 1, rows, from.numKeys}, half);
  return {ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ones)),
          /*isTransposed=*/true};
}

Value mlir::ane::withTerms(OpBuilder &builder, Location loc, Value keys,
                           Value terms) {
  SmallVector<Value> rows(typeOf(keys).getDimSize(2), terms);
  return concatDim(builder, loc, {keys, concatDim(builder, loc, rows, 2)}, 3);
}

Value mlir::ane::withOnes(OpBuilder &builder, Location loc, Value queries) {
  ArrayRef<int64_t> shape = typeOf(queries).getShape();
  Value ones = splatConstant(builder, loc, {1, 1, shape[2], shape[3]}, 1);
  return concatDim(builder, loc, {queries, ones}, 1);
}

Value mlir::ane::multiplyWith(OpBuilder &builder, Location loc, Value input,
                              Value coefficients, int64_t lanes) {
  RankedTensorType type = typeOf(input);
  type = withDim(type, 1, typeOf(coefficients).getDimSize(1) * lanes);
  return RuntimeConvOp::create(builder, loc, type, input, coefficients, lanes);
}

// At most `step` keys each.
static SmallVector<Planes> blocksOf(OpBuilder &builder, Location loc,
                                    ArrayRef<Planes> keys, int64_t step) {
  SmallVector<Planes> blocks;
  for (auto [value, lanes] : keys) {
    int64_t count = typeOf(value).getDimSize(1);
    for (int64_t first = 0; first < count; first += step / lanes)
      blocks.push_back({sliceDim(builder, loc, value, 1, first,
                                 std::min(step / lanes, count - first)),
                        lanes});
  }
  return blocks;
}

SmallVector<SmallVector<Planes>> mlir::ane::groupsOf(OpBuilder &builder,
                                                     Location loc,
                                                     ArrayRef<Planes> keys,
                                                     int64_t step) {
  SmallVector<SmallVector<Planes>> groups;
  int64_t room = 0;
  for (Planes block : blocksOf(builder, loc, keys, step)) {
    int64_t count = block.countRows();
    if (count > room) {
      groups.emplace_back();
      room = step;
    }
    groups.back().push_back(block);
    room -= count;
  }
  return groups;
}

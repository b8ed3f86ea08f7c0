//===- Constants.cpp - Constants under other shapes -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights are large: a new shape shares the bytes of the old one wherever the
// order of the elements stays, also those of a weight file nobody has opened.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::ane::mil;

// What is shorter is written into the text, as Core ML's tools do.
static constexpr int64_t kMinResourceElements = 10;

TypedAttr mlir::ane::mil::reshapeConstant(TypedAttr value,
                                          ArrayRef<int64_t> shape) {
  auto old = dyn_cast<RankedTensorType>(value.getType());
  if (!old)
    return {};
  auto type = RankedTensorType::get(shape, old.getElementType());
  if (type.getNumElements() != old.getNumElements())
    return {};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (auto blob = dyn_cast<BlobFileAttr>(value))
    return BlobFileAttr::get(type, blob.getPath(), blob.getOffset());
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(type);
  return {};
}

std::optional<ArrayRef<char>> mlir::ane::mil::getConstantBytes(TypedAttr value,
                                                               bool &isSplat) {
  isSplat = false;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8)
    return std::nullopt;
  uint64_t bytes =
      type.getElementTypeBitWidth() / 8 * uint64_t(type.getNumElements());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != bytes)
      return std::nullopt;
    return blob->getData();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  isSplat = dense.isSplat();
  return dense.getRawData();
}

TypedAttr mlir::ane::mil::makeConstant(RankedTensorType type,
                                       ArrayRef<char> bytes, StringRef name) {
  if (type.getNumElements() < kMinResourceElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64));
}

// Moves an element of `size` bytes at a time; the result is walked in order.
static void permute(ArrayRef<char> from, MutableArrayRef<char> to, size_t size,
                    ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> index(shape.size());
  int64_t source = 0;
  for (size_t offset = 0; offset < to.size(); offset += size) {
    std::memcpy(to.data() + offset, from.data() + source * size, size);
    for (size_t axis = shape.size(); axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < shape[axis])
        break;
      source -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

TypedAttr mlir::ane::mil::permuteConstant(TypedAttr value,
                                          ArrayRef<int64_t> permutation) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != int64_t(permutation.size()))
    return {};
  SmallVector<int64_t> strides(type.getRank(), 1), shape, newStrides;
  for (int64_t axis = type.getRank() - 1; axis-- > 0;)
    strides[axis] = strides[axis + 1] * type.getDimSize(axis + 1);
  SmallVector<int64_t> moved; // axes that have more than one element
  for (int64_t axis : permutation) {
    shape.push_back(type.getDimSize(axis));
    newStrides.push_back(strides[axis]);
    if (type.getDimSize(axis) != 1)
      moved.push_back(axis);
  }
  bool isSplat;
  std::optional<ArrayRef<char>> bytes = getConstantBytes(value, isSplat);
  if (llvm::is_sorted(moved) || (bytes && isSplat))
    return reshapeConstant(value, shape);
  if (!bytes)
    return {};
  SmallVector<char> result(bytes->size());
  permute(*bytes, result, type.getElementTypeBitWidth() / 8, shape, newStrides);
  return makeConstant(type.clone(shape), result, "mil_constant");
}

//===- ConstantView.cpp - Strided views of the bytes of constants ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include "StridedCopy.h"

#include "ane/HW/Float16.h"
#include "ane/Support/MappedPages.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace mlir::ane;

/// Row-major strides.
static SmallVector<int64_t, 4> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// Whether the bytes of a tensor can be counted.
static bool isCountable(ArrayRef<int64_t> shape) {
  int64_t count = 8;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(count, std::max<int64_t>(extent, 1), count))
      return false;
  return true;
}

/// 0 for types that have no whole number of bytes.
static int64_t getElementSize(Type type) {
  if (!type.isIntOrFloat())
    return 0;
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return 1;
  case 16:
    return 2;
  case 32:
    return 4;
  case 64:
    return 8;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

ConstantView::ConstantView(const char *data, RankedTensorType type)
    : data(data), elementType(type.getElementType()),
      elementBytes(getElementSize(elementType)), shape(type.getShape()),
      strides(getDenseStrides(shape)) {}

FailureOr<ConstantView> ConstantView::get(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getType());
  if (!type || !type.hasStaticShape() || !isCountable(type.getShape()) ||
      !getElementSize(type.getElementType()))
    return failure();
  ConstantView view(nullptr, type);
  ArrayRef<char> bytes;
  bool splat = false;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    bytes = dense.getRawData();
    splat = dense.isSplat();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    if (const AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      bytes = blob->getData();
  }
  int64_t expected = splat ? view.elementBytes : view.getNumBytes();
  if (static_cast<int64_t>(bytes.size()) < expected)
    return failure();
  view.data = bytes.data();
  if (splat)
    llvm::fill(view.strides, 0);
  return view;
}

FailureOr<ConstantView> ConstantView::get(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return failure();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return get(constant.getValue());
  if (!isa<TransposeOp, SliceOp, ReshapeOp>(op))
    return failure();
  FailureOr<ConstantView> input = get(op->getOperand(0));
  if (failed(input))
    return failure();
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return input->transpose(transpose.getPerm());
  if (auto slice = dyn_cast<SliceOp>(op))
    return input->slice(slice.getOffsets(), slice.getSizes(),
                        slice.getStrides());
  std::optional<ConstantView> reshaped =
      input->reshape(cast<RankedTensorType>(value.getType()).getShape());
  if (!reshaped)
    return failure();
  return *reshaped;
}

int64_t ConstantView::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

bool ConstantView::isContiguous() const {
  int64_t expected = 1;
  for (int64_t i = getRank() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}

bool ConstantView::isSplat() const {
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent != 1 && stride != 0)
      return false;
  return true;
}

bool ConstantView::isReadable() const {
  return elementType.isF32() || elementType.isF16() || elementType.isF64() ||
         elementType.isInteger(8) || elementType.isInteger(32) ||
         elementType.isInteger(64);
}

//===----------------------------------------------------------------------===//
// Views of views
//===----------------------------------------------------------------------===//

ConstantView ConstantView::transpose(ArrayRef<int64_t> perm) const {
  ConstantView result = *this;
  for (auto [to, from] : llvm::enumerate(perm)) {
    result.shape[to] = shape[from];
    result.strides[to] = strides[from];
  }
  return result;
}

ConstantView ConstantView::slice(ArrayRef<int64_t> offsets,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> steps) const {
  ConstantView result = *this;
  for (int64_t i = 0; i < getRank(); ++i) {
    result.data += offsets[i] * strides[i] * elementBytes;
    result.shape[i] = sizes[i];
    result.strides[i] = strides[i] * steps[i];
  }
  return result;
}

ConstantView ConstantView::broadcast(ArrayRef<int64_t> newShape) const {
  ConstantView result = *this;
  for (int64_t i = 0; i < getRank(); ++i) {
    if (shape[i] == 1 && newShape[i] != 1)
      result.strides[i] = 0;
    result.shape[i] = newShape[i];
  }
  return result;
}

// Old and new dimensions are matched in groups of equal products. A group is a
// view when its old dimensions are walked as one.
std::optional<ConstantView>
ConstantView::reshape(ArrayRef<int64_t> newShape) const {
  ConstantView result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  result.strides.assign(newShape.size(), 0);
  if (isSplat() || getNumElements() == 0)
    return result;
  SmallVector<int64_t, 4> oldShape, oldStrides;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent == 1)
      continue;
    oldShape.push_back(extent);
    oldStrides.push_back(stride);
  }
  size_t i = 0, j = 0;
  while (i < oldShape.size()) {
    int64_t oldProduct = oldShape[i], newProduct = 1;
    size_t iFirst = i++, jFirst = j;
    while (newProduct != oldProduct ||
           (j < newShape.size() && newShape[j] == 1))
      if (newProduct < oldProduct || newProduct == oldProduct)
        newProduct *= newShape[j++];
      else
        oldProduct *= oldShape[i++];
    for (size_t k = iFirst; k + 1 < i; ++k)
      if (oldStrides[k] != oldStrides[k + 1] * oldShape[k + 1])
        return std::nullopt;
    int64_t stride = oldStrides[i - 1];
    for (size_t k = j; k-- > jFirst;) {
      result.strides[k] = stride;
      stride *= newShape[k];
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void ConstantView::copyTo(char *out) const {
  copyTo(out, getDenseStrides(shape));
}

void ConstantView::copyTo(char *out, ArrayRef<int64_t> outStrides) const {
  copyStrided(elementBytes, shape, data, strides, out, outStrides);
}

void ConstantView::forEachPart(
    int64_t elements,
    llvm::function_ref<void(int64_t, ConstantView)> fn) const {
  int64_t count = getNumElements();
  if (count == 0)
    return;
  // The longest tail of dimensions that fits in a part, and as many indices of
  // the dimension before it as fit.
  int64_t dim = getRank(), inner = 1;
  while (dim > 0 && inner * shape[dim - 1] <= elements)
    inner *= shape[--dim];
  if (dim == 0)
    return fn(0, *this);
  --dim;
  int64_t rows = std::max<int64_t>(1, elements / inner);
  SmallVector<int64_t, 4> offsets(getRank(), 0), sizes(shape),
      steps(getRank(), 1);
  for (int64_t d = 0; d < dim; ++d)
    sizes[d] = 1;
  for (int64_t first = 0; first < count;) {
    sizes[dim] = std::min(rows, shape[dim] - offsets[dim]);
    fn(first, slice(offsets, sizes, steps));
    first += sizes[dim] * inner;
    offsets[dim] += sizes[dim];
    for (int64_t d = dim; d > 0 && offsets[d] == shape[d]; --d) {
      offsets[d] = 0;
      ++offsets[d - 1];
    }
  }
}

template <typename T>
static void readAs(const char *in, MutableArrayRef<float> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, in + i * sizeof(T), sizeof(T));
    out[i] = static_cast<float>(value);
  }
}

/// Reads contiguous elements of `type`.
static void readContiguous(Type type, const char *in,
                           MutableArrayRef<float> out) {
  if (type.isF32()) {
    std::memcpy(out.data(), in, out.size() * sizeof(float));
  } else if (type.isF16()) {
    // Small pieces, since `in` may stand at an odd address.
    uint16_t piece[1024];
    for (size_t i = 0; i < out.size(); i += std::size(piece)) {
      size_t n = std::min(std::size(piece), out.size() - i);
      std::memcpy(piece, in + 2 * i, 2 * n);
      convertFromHalf({piece, n}, out.data() + i);
    }
  } else if (type.isF64()) {
    readAs<double>(in, out);
  } else if (type.isInteger(8)) {
    type.isUnsignedInteger() ? readAs<uint8_t>(in, out)
                             : readAs<int8_t>(in, out);
  } else if (type.isInteger(32)) {
    type.isUnsignedInteger() ? readAs<uint32_t>(in, out)
                             : readAs<int32_t>(in, out);
  } else {
    assert(type.isInteger(64) && "callers ask isReadable()");
    type.isUnsignedInteger() ? readAs<uint64_t>(in, out)
                             : readAs<int64_t>(in, out);
  }
}

// Elements that a buffer of a part holds: 256 KB of floats.
static constexpr int64_t partElements = 1 << 16;

// What is made of a mapped weight takes its place, mostly. (Where it does not,
// its pages come again.)
static void releaseRead(const char *data, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> strides, int64_t elementBytes) {
  int64_t last = 0;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent == 0 || stride < 0)
      return;
    last += (extent - 1) * stride;
  }
  ::ane::releasePages({reinterpret_cast<const uint8_t *>(data),
                       size_t((last + 1) * elementBytes)});
}

void ConstantView::readFloats(MutableArrayRef<float> out) const {
  if (isContiguous()) {
    readContiguous(elementType, data, out);
    return releaseRead(data, shape, strides, elementBytes);
  }
  if (elementType.isF32())
    return copyTo(reinterpret_cast<char *>(out.data()));
  std::vector<char> buffer;
  forEachPart(partElements, [&](int64_t first, ConstantView part) {
    int64_t count = part.getNumElements();
    buffer.resize(count * elementBytes);
    part.copyTo(buffer.data());
    readContiguous(elementType, buffer.data(), out.slice(first, count));
  });
}

std::vector<float> ConstantView::readFloats() const {
  std::vector<float> out(getNumElements());
  readFloats(out);
  releaseRead(data, shape, strides, elementBytes);
  return out;
}

//===----------------------------------------------------------------------===//
// Materialising
//===----------------------------------------------------------------------===//

AsmResourceBlob ConstantView::materialize() const {
  AsmResourceBlob blob = allocateConstant(getNumBytes());
  copyTo(blob.getMutableData().data());
  releaseRead(data, shape, strides, elementBytes);
  return blob;
}

/// Multiplies element number first + i, whose channel is (first + i) / inner
/// modulo the number of channels.
static void scaleChannels(MutableArrayRef<float> values, int64_t first,
                          ArrayRef<float> scale, int64_t inner) {
  int64_t i = 0, end = values.size();
  while (i < end) {
    int64_t position = first + i;
    float factor = scale[(position / inner) % scale.size()];
    int64_t run = std::min(end, i + inner - position % inner);
    for (; i < run; ++i)
      values[i] *= factor;
  }
}

AsmResourceBlob ConstantView::materialize(Type floatType,
                                          ArrayRef<float> channelScale,
                                          int64_t channelDim) const {
  if (elementType == floatType && channelScale.empty())
    return materialize();
  int64_t inner = 1;
  for (int64_t extent : ArrayRef<int64_t>(shape).drop_front(
           std::min<int64_t>(channelDim + 1, getRank())))
    inner *= extent;
  bool toHalf = floatType.isF16();
  AsmResourceBlob blob = allocateConstant(getNumElements() * (toHalf ? 2 : 4));
  std::vector<float> buffer;
  forEachPart(partElements, [&](int64_t first, ConstantView part) {
    size_t count = part.getNumElements();
    MutableArrayRef<float> floats;
    if (toHalf) {
      buffer.resize(count);
      floats = buffer;
    } else {
      floats = getMutable<float>(blob).slice(first, count);
    }
    part.readFloats(floats);
    if (!channelScale.empty())
      scaleChannels(floats, first, channelScale, inner);
    if (toHalf)
      convertToHalf(floats, getMutable<uint16_t>(blob).data() + first);
  });
  releaseRead(data, shape, strides, elementBytes);
  return blob;
}

AsmResourceBlob mlir::ane::allocateConstant(int64_t bytes) {
  return HeapAsmResourceBlob::allocate(bytes, /*align=*/64);
}

/// All elements have the bits of the first. Stops at the first that has not.
static bool hasEqualElements(ArrayRef<char> bytes, size_t elementBytes) {
  return bytes.size() > elementBytes &&
         std::memcmp(bytes.data(), bytes.data() + elementBytes,
                     bytes.size() - elementBytes) == 0;
}

// A dense attribute is hashed and compared for each use, a resource is not, so
// dense ones stay small.
static constexpr int64_t maxDenseElements = 256;

ElementsAttr mlir::ane::makeConstantAttr(RankedTensorType type,
                                         AsmResourceBlob &&blob,
                                         StringRef name) {
  ArrayRef<char> bytes = blob.getData();
  size_t elementBytes = getElementSize(type.getElementType());
  assert(elementBytes &&
         type.getNumElements() * static_cast<int64_t>(elementBytes) ==
             static_cast<int64_t>(bytes.size()) &&
         "the bytes are those of the type");
  if (hasEqualElements(bytes, elementBytes))
    return DenseElementsAttr::getFromRawBuffer(type,
                                               bytes.take_front(elementBytes));
  if (type.getNumElements() <= maxDenseElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

ElementsAttr mlir::ane::makeConstantAttr(RankedTensorType type,
                                         ArrayRef<float> values) {
  bool toHalf = type.getElementType().isF16();
  AsmResourceBlob blob = allocateConstant(values.size() * (toHalf ? 2 : 4));
  if (toHalf)
    convertToHalf(values, getMutable<uint16_t>(blob).data());
  else
    llvm::copy(values, getMutable<float>(blob).begin());
  return makeConstantAttr(type, std::move(blob));
}

ConstantOp mlir::ane::createConstant(OpBuilder &builder, Location loc,
                                     RankedTensorType type,
                                     AsmResourceBlob &&blob) {
  return ConstantOp::create(builder, loc, type,
                            makeConstantAttr(type, std::move(blob)));
}

ConstantOp mlir::ane::createConstant(OpBuilder &builder, Location loc,
                                     RankedTensorType type,
                                     ArrayRef<float> values) {
  return ConstantOp::create(builder, loc, type, makeConstantAttr(type, values));
}

std::optional<float> mlir::ane::getConstantSplat(Value value) {
  FailureOr<ConstantView> view = ConstantView::get(value);
  if (failed(view) || !view->isSplat() || !view->isReadable() ||
      view->getNumElements() == 0)
    return std::nullopt;
  float element;
  readContiguous(view->getElementType(), view->getData(), element);
  return element;
}

//===----------------------------------------------------------------------===//
// Half precision
//===----------------------------------------------------------------------===//

void mlir::ane::convertToHalf(ArrayRef<float> in, uint16_t *out) {
  ::ane::hw::convertToHalf(in.data(), out, in.size());
}

void mlir::ane::convertFromHalf(ArrayRef<uint16_t> in, float *out) {
  ::ane::hw::convertFromHalf(in.data(), out, in.size());
}

//===- ConstantView.h - Strided views of the bytes of constants -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For passes that read or rewrite weights: folding, fusing a batch norm into a
// convolution, rounding to f16, packing kernels. Nothing here goes through
// attributes element by element.
//
//   FailureOr<ConstantView> view = ConstantView::get(op.getWeight());
//   AsmResourceBlob blob = view->materialize(f16, /*channelScale=*/a);
//   auto w = createConstant(builder, loc, type, std::move(blob));
//
// A view is a pointer, a shape and a stride (in elements) for each dimension. A
// transpose, a slice and most reshapes of a view are views again, so a chain of
// them costs one copy at the end. A splat is a view with strides of 0, and so
// is a broadcast. A view does not own its bytes: it lives no longer than the
// attribute's resource (see ConstantBlobs.h for who frees them).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_CONSTANTVIEW_H
#define ANE_DIALECT_ANE_UTILS_CONSTANTVIEW_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"

#include <vector>

namespace mlir::ane {

class ConstantView {
public:
  /// A view of `data`, which is row-major.
  ConstantView(const char *data, RankedTensorType type);

  /// The value of an attribute. Fails for element types whose size is no whole
  /// number of bytes and for resources without the bytes that the type asks
  /// for.
  static FailureOr<ConstantView> get(ElementsAttr attr);
  /// The value of `value`: an ane.constant, looked at through transposes,
  /// slices and reshapes as far as no copy is needed.
  static FailureOr<ConstantView> get(Value value);

  Type getElementType() const { return elementType; }
  ArrayRef<int64_t> getShape() const { return shape; }
  /// In elements, one for each dimension.
  ArrayRef<int64_t> getStrides() const { return strides; }
  RankedTensorType getType() const {
    return RankedTensorType::get(shape, elementType);
  }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const;
  int64_t getElementBytes() const { return elementBytes; }
  int64_t getNumBytes() const { return getNumElements() * elementBytes; }
  /// The first element.
  const char *getData() const { return data; }

  /// Elements follow each other in row-major order without gaps.
  bool isContiguous() const;
  /// All elements are the same one in memory (not: have equal values).
  bool isSplat() const;
  /// f16, f32, f64, i8, ui8, i32, i64: what readFloats understands.
  bool isReadable() const;

  /// Dimension i of the result is dimension perm[i] of this view.
  ConstantView transpose(ArrayRef<int64_t> perm) const;
  ConstantView slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                     ArrayRef<int64_t> steps) const;
  /// Nothing when the elements have to be copied first.
  std::optional<ConstantView> reshape(ArrayRef<int64_t> newShape) const;
  /// Repeats dimensions of 1. Shapes have equal rank.
  ConstantView broadcast(ArrayRef<int64_t> newShape) const;

  /// Copies the elements, as they are, to a row-major place or a strided one
  /// (strides in elements).
  void copyTo(char *out) const;
  void copyTo(char *out, ArrayRef<int64_t> outStrides) const;
  /// Reads all elements as floats, row-major. Needs isReadable().
  void readFloats(MutableArrayRef<float> out) const;
  std::vector<float> readFloats() const;

  /// Calls `fn(first, part)` for parts of this view that together are all of
  /// it: `part` is what stands from element number `first` on in row-major
  /// order. Parts have at most about `elements` elements, so that buffers stay
  /// in the cache.
  void forEachPart(
      int64_t elements,
      llvm::function_ref<void(int64_t first, ConstantView part)> fn) const;

  /// New row-major bytes with the elements as they are.
  AsmResourceBlob materialize() const;
  /// New row-major bytes as f32 or f16 (rounded to nearest even, once). With a
  /// scale, element (.., c, ..) is multiplied by channelScale[c] in f32 first,
  /// c being the index along `channelDim`. Needs isReadable().
  AsmResourceBlob materialize(Type floatType, ArrayRef<float> channelScale = {},
                              int64_t channelDim = 0) const;

private:
  ConstantView() = default;

  const char *data = nullptr;
  Type elementType;
  int64_t elementBytes = 0;
  SmallVector<int64_t, 4> shape;
  SmallVector<int64_t, 4> strides;
};

/// Bytes for a constant, aligned for vector instructions, not initialised.
AsmResourceBlob allocateConstant(int64_t bytes);
/// The bytes of a fresh blob, to write to.
template <typename T> MutableArrayRef<T> getMutable(AsmResourceBlob &blob) {
  MutableArrayRef<char> bytes = blob.getMutableData();
  return {reinterpret_cast<T *>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Makes the attribute for these bytes: a splat where all elements are equal, a
/// dense attribute for a few elements, else a resource that takes the bytes
/// over.
ElementsAttr makeConstantAttr(RankedTensorType type, AsmResourceBlob &&blob,
                              StringRef name = "ane");
/// The same from floats, which are converted to the element type (f16 or f32).
ElementsAttr makeConstantAttr(RankedTensorType type, ArrayRef<float> values);
ConstantOp createConstant(OpBuilder &builder, Location loc,
                          RankedTensorType type, AsmResourceBlob &&blob);
ConstantOp createConstant(OpBuilder &builder, Location loc,
                          RankedTensorType type, ArrayRef<float> values);

/// The value that all elements have, when `value` is a constant splat.
std::optional<float> getConstantSplat(Value value);

/// Whole arrays, in code that the compiler vectorises. Round to nearest even,
/// keep infinities and NaN.
void convertToHalf(ArrayRef<float> in, uint16_t *out);
void convertFromHalf(ArrayRef<uint16_t> in, float *out);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_CONSTANTVIEW_H

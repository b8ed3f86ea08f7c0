//===- Constants.cpp - Constants and the files that hold them -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second, small reader of weight files: what the project's own gets wrong
// shall not be wrong here in the same way.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

static unsigned bitWidth(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

// The number that `bits`, right-aligned, mean.
static double decode(Type element, uint64_t bits) {
  if (element.isF16()) {
    uint16_t half = bits;
    _Float16 value;
    std::memcpy(&value, &half, sizeof(value));
    return static_cast<double>(value);
  }
  if (element.isF32())
    return llvm::bit_cast<float>(uint32_t(bits));
  if (auto floating = dyn_cast<FloatType>(element)) {
    llvm::APFloat value(floating.getFloatSemantics(),
                        APInt(floating.getWidth(), bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  }
  auto integer = cast<IntegerType>(element);
  if (integer.isUnsigned() || integer.getWidth() == 1)
    return static_cast<double>(bits);
  return static_cast<double>(llvm::SignExtend64(bits, integer.getWidth()));
}

// Elements side by side without gaps, the first in the lowest bits.
static void unpack(Tensor &tensor, StringRef bytes) {
  unsigned width = bitWidth(tensor.element);
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    uint64_t first = uint64_t(i) * width / 8, shift = uint64_t(i) * width % 8;
    uint64_t word = 0;
    uint64_t count = llvm::divideCeil(shift + width, 8);
    std::memcpy(&word, bytes.data() + first, count);
    word >>= shift;
    if (width < 64)
      word &= (uint64_t(1) << width) - 1;
    tensor.data[i] = decode(tensor.element, word);
  }
}

//===----------------------------------------------------------------------===//
// Weight files
//===----------------------------------------------------------------------===//

// Numbers of the types in a record; not those of the protobuf.
static unsigned fileCode(Type element) {
  if (element.isF16())
    return 1;
  if (element.isF32())
    return 2;
  if (element.isBF16())
    return 5;
  if (isa<Float8E4M3FNType>(element))
    return 16;
  if (isa<Float8E5M2Type>(element))
    return 17;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return 0;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return isUnsigned ? 9 : 0;
  case 2:
    return isUnsigned ? 10 : 0;
  case 3:
    return isUnsigned ? 12 : 0;
  case 4:
    return isUnsigned ? 11 : 8;
  case 6:
    return isUnsigned ? 13 : 0;
  case 8:
    return isUnsigned ? 3 : 4;
  case 16:
    return isUnsigned ? 7 : 6;
  case 32:
    return isUnsigned ? 15 : 14;
  default:
    return 0;
  }
}

llvm::Expected<Tensor> Weights::read(mil::BlobFileAttr blob) {
  using namespace llvm::support::endian;
  auto type = dyn_cast<RankedTensorType>(blob.getType());
  int64_t count =
      type && type.hasStaticShape() ? countElements(type.getShape()) : -1;
  if (count < 0)
    return llvm::createStringError("the type of the blob has no size, or too "
                                   "many elements");
  StringRef path = blob.getPath();
  auto &file = files[path];
  StringRef relative = path;
  relative.consume_front("@model_path/");
  SmallString<128> full(root);
  llvm::sys::path::append(full, relative);
  if (!file) {
    auto opened = llvm::MemoryBuffer::getFile(full, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (std::error_code error = opened.getError())
      return llvm::createStringError(full + ": " + error.message());
    file = std::move(*opened);
  }
  StringRef bytes = file->getBuffer();
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(full + ", record at " +
                                   Twine(blob.getOffset()) + ": " + what);
  };
  if (bytes.size() < 64 || blob.getOffset() > bytes.size() - 64)
    return fail("ends behind the file of " + Twine(bytes.size()) + " bytes");
  if (read32le(bytes.data() + 4) != 2)
    return fail("the file has storage version " +
                Twine(read32le(bytes.data() + 4)) + ", expected 2");
  const char *record = bytes.data() + blob.getOffset();
  if (read32le(record) != 0xdeadbeef)
    return fail("does not begin with the mark 0xdeadbeef");
  uint64_t size = read64le(record + 8), start = read64le(record + 16);
  uint64_t wanted =
      llvm::divideCeil(uint64_t(count) * bitWidth(type.getElementType()), 8);
  if (read32le(record + 4) != fileCode(type.getElementType()))
    return fail("holds type " + Twine(read32le(record + 4)) + ", expected " +
                Twine(fileCode(type.getElementType())));
  if (size != wanted)
    return fail("holds " + Twine(size) +
                " bytes, but the program's type needs " + Twine(wanted));
  if (start > bytes.size() || size > bytes.size() - start)
    return fail("data at " + Twine(start) + " ends behind the file of " +
                Twine(bytes.size()) + " bytes");
  Tensor result(type.getElementType(), type.getShape());
  unpack(result, bytes.substr(start, size));
  return result;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static FailureOr<Tensor> fromResource(DenseResourceElementsAttr value,
                                      Location loc) {
  ShapedType type = value.getType();
  AsmResourceBlob *blob = value.getRawHandle().getBlob();
  // Sub-byte elements take a byte each there.
  unsigned bytes = llvm::divideCeil(bitWidth(type.getElementType()), 8);
  if (!blob || blob->getData().size() != size_t(type.getNumElements()) * bytes)
    return emitError(loc) << "resource has not the bytes of its type " << type;
  Tensor result(type.getElementType(), type.getShape());
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, blob->getData().data() + i * bytes, bytes);
    result.data[i] = decode(type.getElementType(), word);
  }
  return result;
}

static FailureOr<Tensor> fromDense(DenseElementsAttr value, Location loc) {
  Type element = value.getElementType();
  Tensor result(element, value.getType().getShape());
  int64_t i = 0;
  if (isa<FloatType>(element)) {
    for (const APFloat &number : value.getValues<APFloat>())
      result.data[i++] =
          decode(element, number.bitcastToAPInt().getZExtValue());
  } else if (isa<IntegerType>(element)) {
    for (const APInt &number : value.getValues<APInt>())
      result.data[i++] = decode(element, number.getZExtValue());
  } else if (isa<mil::StringType>(element) && value.getNumElements() == 1) {
    result.text = (*value.getValues<StringRef>().begin()).str();
    result.data.clear();
  } else {
    return emitError(loc) << "constant of type " << value.getType()
                          << " cannot be evaluated";
  }
  return result;
}

FailureOr<Tensor> mileval::evaluateConstant(TypedAttr value, Type type,
                                            Location loc, Weights &weights) {
  FailureOr<Tensor> result = failure();
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    if (!shaped.hasStaticShape() || countElements(shaped.getShape()) < 0)
      return emitError(loc)
             << "constant of type " << shaped << " has too many elements";
  if (auto blob = dyn_cast<mil::BlobFileAttr>(value)) {
    llvm::Expected<Tensor> read = weights.read(blob);
    if (!read)
      return emitError(loc) << llvm::toString(read.takeError());
    result = std::move(*read);
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    result = fromResource(resource, loc);
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    result = fromDense(dense, loc);
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    result = Tensor();
    result->element = mil::StringType::get(value.getContext());
    result->text = text.getValue().str();
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    result = Tensor(number.getType(), {});
    result->data[0] = decode(number.getType(),
                             number.getValue().bitcastToAPInt().getZExtValue());
  } else if (auto number = dyn_cast<IntegerAttr>(value)) {
    result = Tensor(number.getType(), {});
    result->data[0] =
        decode(number.getType(), number.getValue().getZExtValue());
  } else {
    return emitError(loc) << "constant " << value << " cannot be evaluated";
  }
  if (failed(result))
    return failure();
  // Weights may wait as f32 for their rounding.
  Type element = getElementTypeOrSelf(type);
  if (result->element != element && isa<FloatType>(element)) {
    for (double &number : result->data)
      number = convertTo(element, number);
    result->element = element;
  }
  return result;
}

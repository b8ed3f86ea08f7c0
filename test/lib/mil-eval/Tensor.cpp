//===- Tensor.cpp - Values of the evaluator, and their files --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

int64_t mileval::countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent && count > kMaxElements / extent))
      return -1;
    count *= extent;
  }
  return count;
}

std::string mileval::shapeText(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t d) { return std::to_string(d); }), "x");
}

Shape mileval::stridesOf(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

Tensor::Tensor(Type element, ArrayRef<int64_t> shape)
    : element(element), shape(shape), data(countElements(shape), 0.0) {}

static double roundToFloat(FloatType type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  if (type.isF16())
    return static_cast<double>(static_cast<_Float16>(value));
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

double mileval::convertTo(Type type, double value) {
  if (auto floating = dyn_cast<FloatType>(type))
    return roundToFloat(floating, value);
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return value;
  if (integer.isSignlessInteger(1))
    return value != 0;
  if (std::isnan(value))
    return 0;
  bool isUnsigned = integer.isUnsigned();
  double high = std::ldexp(1.0, integer.getWidth() - !isUnsigned) - 1;
  double low = isUnsigned ? 0 : -high - 1;
  return std::trunc(std::min(std::max(value, low), high));
}

//===----------------------------------------------------------------------===//
// .npy files
//===----------------------------------------------------------------------===//

namespace {
struct ElementCode {
  const char *code; // as numpy spells it
  unsigned bytes;
  Type (*type)(MLIRContext *);
  double (*read)(const char *);
};
} // namespace

template <typename T> static double readAs(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return static_cast<double>(value);
}

template <unsigned width, bool isUnsigned>
static Type integerType(MLIRContext *context) {
  return IntegerType::get(context, width,
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signless);
}

static const ElementCode kCodes[] = {
    {"<f2", 2, [](MLIRContext *c) -> Type { return Float16Type::get(c); },
     readAs<_Float16>},
    {"<f4", 4, [](MLIRContext *c) -> Type { return Float32Type::get(c); },
     readAs<float>},
    {"<f8", 8, [](MLIRContext *c) -> Type { return Float64Type::get(c); },
     readAs<double>},
    {"|b1", 1, integerType<1, false>, readAs<uint8_t>},
    {"|i1", 1, integerType<8, false>, readAs<int8_t>},
    {"|u1", 1, integerType<8, true>, readAs<uint8_t>},
    {"<i2", 2, integerType<16, false>, readAs<int16_t>},
    {"<u2", 2, integerType<16, true>, readAs<uint16_t>},
    {"<i4", 4, integerType<32, false>, readAs<int32_t>},
    {"<u4", 4, integerType<32, true>, readAs<uint32_t>},
    {"<i8", 8, integerType<64, false>, readAs<int64_t>},
};

static llvm::Error fileError(StringRef path, const Twine &what) {
  return llvm::createStringError(path + ": " + what);
}

// The shape between the parentheses of the header.
static bool parseShape(StringRef text, Shape &shape) {
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
  }
  return true;
}

llvm::Expected<Tensor> mileval::readNpy(StringRef path, MLIRContext *context) {
  auto file =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (std::error_code error = file.getError())
    return fileError(path, error.message());
  StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return fileError(path, "is not a .npy file");
  size_t start = bytes[6] == 1 ? 10 : 12;
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (bytes[6] != 1)
    length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11]))
                                                     << 24;
  if (length > bytes.size() - start)
    return fileError(path, "the header ends behind the file");
  StringRef header = bytes.substr(start, length);
  bytes = bytes.substr(start + length);
  SmallVector<StringRef> match;
  static const llvm::Regex shapePattern("'shape': *\\(([0-9, ]*)\\)");
  static const llvm::Regex codePattern("'descr': *'([^']*)'");
  Shape shape;
  if (!shapePattern.match(header, &match) || !parseShape(match[1], shape) ||
      !codePattern.match(header, &match) ||
      header.contains("'fortran_order': True"))
    return fileError(path, "has a header that is not of a row-major array");
  const ElementCode *code = llvm::find_if(
      kCodes, [&](const ElementCode &c) { return match[1] == c.code; });
  if (code == std::end(kCodes))
    return fileError(path, "type " + match[1] + " is not supported");
  int64_t count = countElements(shape);
  if (count < 0)
    return fileError(path, "has more elements than the limit of " +
                               Twine(kMaxElements));
  if (bytes.size() != uint64_t(count) * code->bytes)
    return fileError(path, "has " + Twine(bytes.size()) +
                               " bytes of data, but its shape needs " +
                               Twine(count * code->bytes));
  Tensor result(code->type(context), shape);
  for (int64_t i = 0; i < count; ++i)
    result.data[i] = code->read(bytes.data() + i * code->bytes);
  return result;
}

template <typename T>
static void appendAs(std::string &to, ArrayRef<double> data) {
  size_t start = to.size();
  to.resize(start + data.size() * sizeof(T));
  for (size_t i = 0; i < data.size(); ++i) {
    T value = static_cast<T>(data[i]);
    std::memcpy(&to[start + i * sizeof(T)], &value, sizeof(T));
  }
}

static const char *appendData(std::string &to, const Tensor &tensor) {
  auto integer = dyn_cast<IntegerType>(tensor.element);
  if (!integer || integer.getWidth() > 32)
    return appendAs<float>(to, tensor.data), "<f4";
  bool isUnsigned = integer.isUnsigned();
  if (integer.isSignlessInteger(1))
    return appendAs<uint8_t>(to, tensor.data), "|b1";
  if (integer.getWidth() <= 8 && isUnsigned)
    return appendAs<uint8_t>(to, tensor.data), "|u1";
  if (integer.getWidth() <= 8)
    return appendAs<int8_t>(to, tensor.data), "|i1";
  if (integer.getWidth() <= 16 && isUnsigned)
    return appendAs<uint16_t>(to, tensor.data), "<u2";
  if (integer.getWidth() <= 16)
    return appendAs<int16_t>(to, tensor.data), "<i2";
  if (isUnsigned)
    return appendAs<uint32_t>(to, tensor.data), "<u4";
  return appendAs<int32_t>(to, tensor.data), "<i4";
}

llvm::Error mileval::writeNpy(StringRef path, const Tensor &tensor) {
  std::string data;
  const char *code = appendData(data, tensor);
  std::string shape;
  for (int64_t extent : tensor.shape)
    shape += std::to_string(extent) + ",";
  std::string header = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': False, 'shape': ({1}), }", code,
      shape);
  header.append(llvm::offsetToAlignment(header.size() + 11, llvm::Align(64)),
                ' ');
  header += '\n';
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix += char(header.size() & 0xff);
  prefix += char(header.size() >> 8);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << prefix << header << data;
    os.flush();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return fileError(path, error.message());
  return llvm::Error::success();
}

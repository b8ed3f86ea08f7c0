//===- Spelling.cpp - Types and values as MIL spells them -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spelling.h"
#include "Number.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MIL/BlobPacking.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <charconv>
#include <cmath>

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// More axes would be more brackets than the reader takes.
static constexpr int64_t kMaxRank = 64;

// The fp8 names are a *guess*: no public text has them.
static std::string getElementName(Type type) {
  if (type.isInteger(1) && type.isSignlessInteger())
    return "bool";
  if (auto integer = dyn_cast<IntegerType>(type))
    return (Twine(integer.isUnsigned() ? "uint" : "int") +
            Twine(integer.getWidth()))
        .str();
  return TypeSwitch<Type, std::string>(type)
      .Case<Float16Type>([](auto) { return "fp16"; })
      .Case<Float32Type>([](auto) { return "fp32"; })
      .Case<Float64Type>([](auto) { return "fp64"; })
      .Case<BFloat16Type>([](auto) { return "bf16"; })
      .Case<Float8E4M3FNType>([](auto) { return "fp8e4m3fn"; })
      .Case<Float8E5M2Type>([](auto) { return "fp8e5m2"; })
      .Case<StringType>([](auto) { return "string"; })
      .Default([](Type) { return ""; });
}

LogicalResult Spelling::printType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    std::string element = getElementName(tensor.getElementType());
    if (element.empty() || tensor.getEncoding() || tensor.getRank() > kMaxRank)
      return failure();
    os << "tensor<" << element << ", [";
    llvm::interleaveComma(tensor.getShape(), os, [&](int64_t dim) {
      if (ShapedType::isDynamic(dim))
        os << '?';
      else
        os << dim;
    });
    os << "]>";
    return success();
  }
  std::string scalar = getElementName(type);
  if (!scalar.empty()) {
    if (scalarsAreTensors)
      os << "tensor<" << scalar << ", []>";
    else
      os << scalar;
    return success();
  }
  auto printAll = [&](StringRef name, ArrayRef<Type> types) -> LogicalResult {
    os << name << '<';
    for (auto [i, member] : llvm::enumerate(types)) {
      if (i)
        os << ", ";
      if (failed(printType(member)))
        return failure();
    }
    return success();
  };
  LogicalResult result =
      TypeSwitch<Type, LogicalResult>(type)
          .Case<StateType>([&](StateType state) {
            return printAll("state", state.getWrapped());
          })
          .Case<TupleType>([&](TupleType tuple) {
            return printAll("tuple", tuple.getElements());
          })
          .Case<DictType>([&](DictType dict) {
            return printAll("dict", {dict.getKey(), dict.getValue()});
          })
          .Case<ListType>([&](ListType list) -> LogicalResult {
            if (failed(printAll("list", list.getElement())))
              return failure();
            os << ", ";
            if (list.getLength() < 0)
              os << '?';
            else
              os << list.getLength();
            return success();
          })
          .Default([](Type) { return failure(); });
  os << '>';
  return result;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

// Backslash escapes are a *guess*: no public text has a quote in a string.
void Spelling::printString(StringRef value) {
  os << '"';
  for (char c : value) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c == '\n')
      os << "\\n";
    else
      os << c;
  }
  os << '"';
}

void Spelling::printFloat(raw_ostream &os, double value) {
  if (std::isnan(value)) {
    os << "nan";
    return;
  }
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  if (bits >> 63)
    os << '-';
  if (std::isinf(value)) {
    os << "inf";
    return;
  }
  uint64_t mantissa = bits & 0xfffffffffffffULL;
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  if (exponent == -1023) { // zero, or a subnormal, which only fp64 itself has
    if (mantissa == 0) {
      os << "0x0p+0";
      return;
    }
    unsigned shift = llvm::countl_zero(mantissa) - 11;
    exponent = -1022 - int(shift);
    mantissa = (mantissa << shift) & 0xfffffffffffffULL;
  }
  os << "0x1";
  if (mantissa) {
    os << '.';
    for (; mantissa; mantissa = (mantissa << 4) & 0xfffffffffffffULL)
      os << llvm::hexdigit(mantissa >> 48, /*LowerCase=*/true);
  }
  os << 'p' << (exponent < 0 ? '-' : '+') << std::abs(exponent);
}

unsigned mlir::ane::mil::getBitWidth(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

FailureOr<RawElements> mlir::ane::mil::getRawElements(ElementsAttr value) {
  Type element = value.getElementType();
  uint64_t size = llvm::divideCeil(getBitWidth(element), 8);
  if (!size)
    return failure();
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    if (element.isInteger(1)) // packed; read through the iterator instead
      return failure();
    return RawElements{dense.getRawData(), dense.isSplat(), element};
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return failure();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  uint64_t count = value.getNumElements(), bits = getBitWidth(element);
  if (!blob)
    return failure();
  bool isPacked = bits < 8 && !element.isSignlessInteger(1) && count > 1 &&
                  blob->getData().size() == getPackedSize(count, bits);
  if (!isPacked && blob->getData().size() != size * count)
    return failure();
  return RawElements{blob->getData(), false, element, isPacked};
}

// The number that was written, where it is another: as the shortest decimal
// that is the same double, since a hexadecimal one pretends to be exact. Beside
// a tie (2^-134 in bf16) the decimal would be read as the other neighbour; then
// the hexadecimal one has to do.
void Spelling::printNumber(int64_t index, const APFloat &rounded) {
  double number = toDouble(rounded);
  if (index >= int64_t(written.size()) || written[index] == number)
    return printFloat(os, number);
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), written[index]);
  StringRef text(buffer, end.ptr - buffer);
  auto again = parseFloat(text, rounded.getSemantics());
  if (again && again->value.bitwiseIsEqual(rounded))
    os << text;
  else
    printFloat(os, written[index]);
}

// One element in the storage of `element`, rounded to `target` first.
LogicalResult Spelling::printElement(const char *data, Type element,
                                     Type target, int64_t index) {
  using namespace llvm::support;
  auto read = [&](unsigned bytes) -> uint64_t {
    uint64_t bits = 0;
    std::memcpy(&bits, data,
                bytes); // hosts are little endian, as are resources
    return bits;
  };
  if (auto type = dyn_cast<FloatType>(element)) {
    APInt bits(type.getWidth(), read(type.getWidth() / 8));
    APFloat number(type.getFloatSemantics(), bits);
    bool loses, wasFinite = number.isFinite();
    double given = toDouble(number);
    if (auto rounded = dyn_cast<FloatType>(target))
      number.convert(rounded.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &loses);
    if (wasFinite && !number.isFinite()) {
      overflow = given;
      return failure();
    }
    printNumber(index, number);
    return success();
  }
  auto type = dyn_cast<IntegerType>(element);
  if (!type || type.getWidth() > 64)
    return failure();
  APInt bits = APInt(64, read(llvm::divideCeil(type.getWidth(), 8)))
                   .trunc(type.getWidth());
  if (element.isSignlessInteger(1))
    os << (bits.isZero() ? "false" : "true");
  else
    bits.print(os, /*isSigned=*/!type.isUnsigned());
  return success();
}

// Calls `leaf` with 0, 1, 2, ... inside nested brackets.
static LogicalResult printNested(raw_ostream &os, ArrayRef<int64_t> shape,
                                 int64_t &next,
                                 function_ref<LogicalResult(int64_t)> leaf) {
  if (shape.empty())
    return leaf(next++);
  os << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      os << ", ";
    if (failed(printNested(os, shape.drop_front(), next, leaf)))
      return failure();
  }
  os << ']';
  return success();
}

LogicalResult Spelling::printElements(ElementsAttr value, Type target) {
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  int64_t next = 0;
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value)) {
    ArrayRef<StringRef> data = strings.getRawStringData();
    return printNested(os, shape, next, [&](int64_t i) {
      printString(data[strings.isSplat() ? 0 : i]);
      return success();
    });
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && value.getElementType().isInteger(1)) {
    auto bools = dense.getValues<bool>();
    return printNested(os, shape, next, [&](int64_t i) {
      bool bit = bools[i];
      os << (value.getElementType().isUnsignedInteger()
                 ? (bit ? "1" : "0")
                 : (bit ? "true" : "false"));
      return success();
    });
  }
  FailureOr<RawElements> raw = getRawElements(value);
  if (failed(raw))
    return failure();
  uint64_t size = llvm::divideCeil(getBitWidth(raw->element), 8);
  std::vector<char> unpacked;
  if (raw->isPacked) {
    unpacked.resize(value.getNumElements());
    unpackElements(reinterpret_cast<const uint8_t *>(raw->bytes.data()),
                   unpacked.size(), getBitWidth(raw->element),
                   reinterpret_cast<uint8_t *>(unpacked.data()));
    raw->bytes = unpacked;
  }
  return printNested(os, shape, next, [&](int64_t i) {
    return printElement(raw->bytes.data() + (raw->isSplat ? 0 : i * size),
                        raw->element, target, i);
  });
}

LogicalResult Spelling::printSequence(ArrayAttr values, ArrayRef<Type> types,
                                      char open, char close) {
  if (types.size() != 1 && types.size() != values.size())
    return failure();
  os << open;
  for (auto [i, value] : llvm::enumerate(values)) {
    if (i)
      os << ", ";
    if (failed(printLiteral(value, types[types.size() == 1 ? 0 : i])))
      return failure();
  }
  os << close;
  return success();
}

LogicalResult Spelling::printCompound(ArrayAttr value, Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return tuple.getElements().size() == value.size()
               ? printSequence(value, tuple.getElements(), '(', ')')
               : failure();
  if (auto list = dyn_cast<ListType>(type))
    return printSequence(value, list.getElement(), '[', ']');
  // A tensor without a static shape, as in tables of flexible shapes.
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return printSequence(value, tensor.getElementType(), '[', ']');
  auto dict = dyn_cast<DictType>(type);
  if (!dict)
    return failure();
  os << '{';
  for (auto [i, entry] : llvm::enumerate(value)) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    if (i)
      os << ", ";
    if (!pair || pair.size() != 2 ||
        failed(printSequence(pair, {dict.getKey(), dict.getValue()}, '{', '}')))
      return failure();
  }
  os << '}';
  return success();
}

LogicalResult Spelling::printLiteral(Attribute value, Type type) {
  if (auto compound = dyn_cast<CompoundAttr>(value))
    return printCompound(compound.getElements(), type);
  if (auto array = dyn_cast<ArrayAttr>(value))
    return printCompound(array, type);
  if (auto string = dyn_cast<StringAttr>(value)) {
    printString(string);
    return success();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    printNumber(0, number.getValue());
    return success();
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (number.getType().isSignlessInteger(1))
      os << (number.getValue().isZero() ? "false" : "true");
    else
      number.getValue().print(os, !number.getType().isUnsignedInteger());
    return success();
  }
  if (auto blob = dyn_cast<BlobFileAttr>(value)) {
    os << "BLOBFILE(path = ";
    MLIRContext *context = blob.getContext();
    (void)printValue(StringAttr::get(blob.getPath(), StringType::get(context)),
                     StringType::get(context));
    os << ", offset = ";
    (void)printType(IntegerType::get(context, 64, IntegerType::Unsigned));
    os << '(' << blob.getOffset() << "))";
    return success();
  }
  if (auto elements = dyn_cast<ElementsAttr>(value)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? printElements(elements, tensor.getElementType())
                  : failure();
  }
  return failure();
}

LogicalResult Spelling::printValue(Attribute value, Type type,
                                   ArrayRef<double> numbers) {
  written = numbers;
  // Dictionaries of strings are common enough to have an attribute of MLIR's.
  if (auto dictionary = dyn_cast<DictionaryAttr>(value)) {
    Type string = StringType::get(value.getContext());
    SmallVector<Attribute> entries;
    for (NamedAttribute entry : dictionary)
      entries.push_back(ArrayAttr::get(value.getContext(),
                                       {entry.getName(), entry.getValue()}));
    return printValue(ArrayAttr::get(value.getContext(), entries),
                      DictType::get(value.getContext(), string, string));
  }
  if (failed(printType(type)))
    return failure();
  os << '(';
  if (failed(printLiteral(value, type)))
    return failure();
  os << ')';
  return success();
}

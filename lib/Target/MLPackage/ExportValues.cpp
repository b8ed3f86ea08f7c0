//===- ExportValues.cpp - Values into the messages of packages ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MIL/Spelling.h"
#include "ProtoValues.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MIL/BlobPacking.h"
#include "ane/Target/MIL/MILTranslation.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane::mil;

// Messages end at 2 GB; literals of this size were meant for a file.
static constexpr uint64_t kMaxImmediate = uint64_t(1) << 28;

Type mlir::ane::mil::getMILType(Attribute value) {
  MLIRContext *context = value.getContext();
  Type string = StringType::get(context);
  if (isa<DictionaryAttr>(value))
    return DictType::get(context, string, string);
  if (auto typed = dyn_cast<TypedAttr>(value))
    if (!isa<NoneType>(typed.getType()))
      return typed.getType();
  return string;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static void appendBits(const APInt &bits, std::vector<char> &bytes) {
  uint64_t raw = bits.getZExtValue();
  const char *data = reinterpret_cast<const char *>(&raw);
  bytes.insert(bytes.end(), data,
               data + llvm::divideCeil(bits.getBitWidth(), 8));
}

static LogicalResult round(Operation *op, ArrayRef<char> single,
                           std::vector<char> &half) {
  size_t count = single.size() / 4;
  std::vector<float> from(count);
  std::memcpy(from.data(), single.data(), count * 4);
  std::vector<uint16_t> to(count);
  ::ane::hw::convertToHalf(from.data(), to.data(), count);
  for (size_t i = 0; i < count; ++i)
    if ((to[i] & 0x7fff) == 0x7c00 && std::isfinite(from[i]))
      return op->emitOpError("value ")
             << from[i]
             << " is outside of fp16, which ends at 65504; scale the weights";
  half.resize(count * 2);
  std::memcpy(half.data(), to.data(), half.size());
  return success();
}

// Elements of type `element` one after the other, those of less than a byte one
// a byte.
static LogicalResult getBytes(Operation *op, Attribute value, Type element,
                              std::vector<char> &bytes) {
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    appendBits(number.getValue(), bytes);
    return success();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    appendBits(number.getValue().bitcastToAPInt(), bytes);
    return success();
  }
  if (auto compound = dyn_cast<CompoundAttr>(value))
    return getBytes(op, compound.getElements(), element, bytes);
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    for (Attribute member : array)
      if (failed(getBytes(op, member, element, bytes)))
        return failure();
    return success();
  }
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements)
    return op->emitOpError("value ") << value << " is no tensor";
  uint64_t count = elements.getNumElements();
  if (count > kMaxImmediate)
    return op->emitOpError("value has ")
           << count << " elements, more than the " << kMaxImmediate
           << " of a value outside of the weight file";
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && elements.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit);
    return success();
  }
  FailureOr<RawElements> raw = getRawElements(elements);
  if (failed(raw))
    return op->emitOpError("has a resource without the bytes of its type ")
           << elements.getType();
  std::vector<char> own;
  ArrayRef<char> data = raw->bytes;
  if (raw->isPacked) {
    own.resize(count);
    unpackElements(reinterpret_cast<const uint8_t *>(data.data()), count,
                   getBitWidth(raw->element),
                   reinterpret_cast<uint8_t *>(own.data()));
    data = own;
  } else if (raw->element != element) {
    if (failed(round(op, data, own)))
      return failure();
    data = own;
  }
  for (uint64_t i = 0; i < (raw->isSplat ? count : 1); ++i)
    bytes.insert(bytes.end(), data.begin(), data.end());
  return success();
}

static LogicalResult getStrings(Operation *op, Attribute value,
                                pb::TensorValue::Strings &result) {
  if (auto string = dyn_cast<StringAttr>(value)) {
    result.add_values(string.getValue().str());
    return success();
  }
  if (auto compound = dyn_cast<CompoundAttr>(value))
    return getStrings(op, compound.getElements(), result);
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    for (Attribute member : array)
      if (failed(getStrings(op, member, result)))
        return failure();
    return success();
  }
  auto strings = dyn_cast<DenseStringElementsAttr>(value);
  if (!strings)
    return op->emitOpError("value ") << value << " is no string";
  uint64_t count = strings.getNumElements();
  if (count > kMaxImmediate)
    return op->emitOpError("value has too many strings: ") << count;
  for (uint64_t i = 0; i < count; ++i)
    result.add_values(
        strings.getRawStringData()[strings.isSplat() ? 0 : i].str());
  return success();
}

template <typename T, typename Field>
static void appendNumbers(ArrayRef<char> bytes, Field *field) {
  field->Reserve(bytes.size() / sizeof(T));
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    field->Add(value);
  }
}

LogicalResult ValueExporter::exportTensor(Operation *op, Attribute value,
                                          Type element,
                                          pb::TensorValue &result) {
  if (isa<StringType>(element))
    return getStrings(op, value, *result.mutable_strings());
  std::vector<char> bytes;
  if (failed(getBytes(op, value, element, bytes)))
    return failure();
  if (element.isF32()) {
    appendNumbers<float>(bytes, result.mutable_floats()->mutable_values());
  } else if (element.isF64()) {
    appendNumbers<double>(bytes, result.mutable_doubles()->mutable_values());
  } else if (element.isSignlessInteger(32)) {
    appendNumbers<int32_t>(bytes, result.mutable_ints()->mutable_values());
  } else if (element.isInteger(64)) {
    appendNumbers<int64_t>(bytes, result.mutable_long_ints()->mutable_values());
  } else if (element.isSignlessInteger(1)) {
    for (char bit : bytes)
      result.mutable_bools()->add_values(bit & 1);
  } else if (unsigned bits = getBitWidth(element); bits < 8) {
    std::string packed(getPackedSize(bytes.size(), bits), '\0');
    packElements(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(),
                 bits, reinterpret_cast<uint8_t *>(packed.data()));
    result.mutable_bytes()->set_values(std::move(packed));
  } else {
    result.mutable_bytes()->set_values(bytes.data(), bytes.size());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult ValueExporter::exportImmediate(Operation *op, Attribute value,
                                             Type type,
                                             pb::ImmediateValue &result) {
  if (isa<RankedTensorType>(type) || type.isIntOrFloat() ||
      isa<StringType>(type))
    return exportTensor(op, value, getElementTypeOrSelf(type),
                        *result.mutable_tensor());
  if (auto compound = dyn_cast<CompoundAttr>(value))
    return exportImmediate(op, compound.getElements(), type, result);
  auto array = dyn_cast<ArrayAttr>(value);
  if (!array)
    return op->emitOpError("value ") << value << " is not of type " << type;
  if (auto list = dyn_cast<ListType>(type)) {
    result.mutable_list();
    for (Attribute member : array)
      if (failed(exportValue(op, member, list.getElement(),
                             *result.mutable_list()->add_values(), true)))
        return failure();
    return success();
  }
  if (auto tuple = dyn_cast<TupleOfTypes>(type)) {
    if (tuple.getElements().size() != array.size())
      return op->emitOpError("value of type ")
             << type << " has " << array.size() << " members";
    result.mutable_tuple();
    for (auto [member, memberType] : llvm::zip(array, tuple.getElements()))
      if (failed(exportValue(op, member, memberType,
                             *result.mutable_tuple()->add_values(), true)))
        return failure();
    return success();
  }
  auto dict = dyn_cast<DictType>(type);
  if (!dict)
    return op->emitOpError("values of type ") << type << " are no constants";
  result.mutable_dictionary();
  for (Attribute entry : array) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    if (!pair || pair.size() != 2)
      return op->emitOpError("entry ") << entry << " is not a key and a value";
    auto *message = result.mutable_dictionary()->add_values();
    if (failed(exportValue(op, pair[0], dict.getKey(), *message->mutable_key(),
                           true)) ||
        failed(exportValue(op, pair[1], dict.getValue(),
                           *message->mutable_value(), true)))
      return failure();
  }
  return success();
}

LogicalResult ValueExporter::exportValue(Operation *op, Attribute value,
                                         Type type, pb::Value &result,
                                         bool isInPlace) {
  if (failed(exportType(type, *result.mutable_type())))
    return op->emitOpError("type ") << type << " does not exist in packages";
  // References cannot stay what they are: there is one file.
  if ((!isInPlace || isa<BlobFileAttr>(value)) &&
      weights.wants(value, type, opset)) {
    FailureOr<uint64_t> offset = weights.add(op, value, type);
    if (failed(offset))
      return failure();
    result.mutable_blob_file_value()->set_file_name(kWeightsPath.str());
    result.mutable_blob_file_value()->set_offset(*offset);
    return success();
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(value)) {
    SmallVector<Attribute> entries;
    for (NamedAttribute entry : dictionary)
      entries.push_back(ArrayAttr::get(value.getContext(),
                                       {entry.getName(), entry.getValue()}));
    value = ArrayAttr::get(value.getContext(), entries);
  }
  return exportImmediate(op, value, type, *result.mutable_immediate_value());
}

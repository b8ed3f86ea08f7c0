//===- ImportValues.cpp - Values from the messages of packages ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MIL/Spelling.h"
#include "ProtoValues.h"

#include "ane/Target/MIL/BlobPacking.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
/// Reads the numbers of a tensor.
class TensorImporter {
public:
  TensorImporter(Type element, EmitError emitError)
      : element(element), bits(getBitWidth(element)), emitError(emitError) {}

  /// Elements one after the other, those of less than a byte one a byte, or
  /// strings. `count` is what the type says, negative where it does not.
  LogicalResult read(const pb::TensorValue &value, int64_t count);
  Attribute getScalar(size_t i, MLIRContext *context) const;
  Attribute getDense(RankedTensorType type) const;
  size_t getCount() const {
    return isa<StringType>(element) ? strings.size() : bytes.size() / getSize();
  }

private:
  size_t getSize() const { return llvm::divideCeil(bits, 8); }
  template <typename T, typename Field> void append(const Field &field);
  LogicalResult readInts(const pb::TensorValue::Ints &ints);
  LogicalResult readBytes(const std::string &data, int64_t count);

  Type element;
  unsigned bits;
  EmitError emitError;
  std::vector<char> bytes;
  SmallVector<StringRef> strings;
};
} // namespace

template <typename T, typename Field>
void TensorImporter::append(const Field &field) {
  bytes.resize(size_t(field.size()) * sizeof(T));
  for (int i = 0; i < field.size(); ++i) {
    T value = field.Get(i);
    std::memcpy(bytes.data() + size_t(i) * sizeof(T), &value, sizeof(T));
  }
}

// Of all integer types that int32 holds; writers differ.
LogicalResult TensorImporter::readInts(const pb::TensorValue::Ints &ints) {
  for (int32_t value : ints.values()) {
    bool isUnsigned = element.isUnsignedInteger();
    bool fits = bits >= 32 ? !isUnsigned || value >= 0
                           : (isUnsigned ? value >= 0 && value >> bits == 0
                                         : value >= -(1 << (bits - 1)) &&
                                               value < 1 << (bits - 1));
    if (!fits)
      return emitError() << value << " does not fit the type " << element;
    // Little endian: the low bytes come first.
    const char *raw = reinterpret_cast<const char *>(&value);
    bytes.insert(bytes.end(), raw, raw + getSize());
  }
  return success();
}

LogicalResult TensorImporter::readBytes(const std::string &data,
                                        int64_t count) {
  if (bits >= 8) {
    if (data.size() % getSize())
      return emitError() << data.size() << " bytes are no whole number of "
                         << element;
    bytes.assign(data.begin(), data.end());
    return success();
  }
  if (count < 0 || data.size() != getPackedSize(count, bits))
    return emitError() << data.size() << " bytes do not hold " << count
                       << " elements of type " << element << ", packed";
  bytes.resize(count);
  unpackElements(reinterpret_cast<const uint8_t *>(data.data()), count, bits,
                 reinterpret_cast<uint8_t *>(bytes.data()));
  return success();
}

LogicalResult TensorImporter::read(const pb::TensorValue &value,
                                   int64_t count) {
  auto wrong = [&](StringRef field) {
    return emitError() << "value of type " << element << " is given as "
                       << field;
  };
  bool isBool = element.isSignlessInteger(1);
  switch (value.value_case()) {
  case pb::TensorValue::kFloats:
    if (!element.isF32())
      return wrong("floats");
    append<float>(value.floats().values());
    break;
  case pb::TensorValue::kDoubles:
    if (!element.isF64())
      return wrong("doubles");
    append<double>(value.doubles().values());
    break;
  case pb::TensorValue::kInts:
    if (!isa<IntegerType>(element) || isBool || bits > 32)
      return wrong("ints");
    if (failed(readInts(value.ints())))
      return failure();
    break;
  case pb::TensorValue::kLongInts:
    if (!element.isInteger(64))
      return wrong("long ints");
    append<int64_t>(value.long_ints().values());
    break;
  case pb::TensorValue::kBools:
    if (!isBool)
      return wrong("bools");
    append<char>(value.bools().values());
    break;
  case pb::TensorValue::kStrings:
    if (!isa<StringType>(element))
      return wrong("strings");
    for (const std::string &string : value.strings().values())
      strings.push_back(string);
    break;
  case pb::TensorValue::kBytes:
    if (!element.isIntOrFloat() || isBool)
      return wrong("bytes");
    if (failed(readBytes(value.bytes().values(), count)))
      return failure();
    break;
  case pb::TensorValue::VALUE_NOT_SET:
    break;
  }
  if (count >= 0 && getCount() != uint64_t(count))
    return emitError() << "value has " << getCount()
                       << " elements, but its type has " << count;
  return success();
}

Attribute TensorImporter::getScalar(size_t i, MLIRContext *context) const {
  if (isa<StringType>(element))
    return StringAttr::get(strings[i], element);
  uint64_t raw = 0;
  std::memcpy(&raw, bytes.data() + i * getSize(), getSize());
  APInt number = APInt(64, raw).trunc(bits);
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(element, APFloat(type.getFloatSemantics(), number));
  return IntegerAttr::get(element, number);
}

Attribute TensorImporter::getDense(RankedTensorType type) const {
  if (isa<StringType>(element))
    return DenseStringElementsAttr::get(type, strings);
  if (bits > 1)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> bools;
  for (char bit : bytes)
    bools.push_back(bit & 1);
  return DenseElementsAttr::get(type, bools);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Attribute importLiteral(const pb::Value &value, Type type,
                               MLIRContext *context, EmitError emitError);

static Attribute importTensor(const pb::TensorValue &value, Type type,
                              MLIRContext *context, EmitError emitError) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isStatic = !tensor || tensor.hasStaticShape();
  TensorImporter importer(getElementTypeOrSelf(type), emitError);
  if (failed(importer.read(value, !tensor    ? 1
                                  : isStatic ? tensor.getNumElements()
                                             : -1)))
    return {};
  if (!tensor)
    return importer.getScalar(0, context);
  if (isStatic)
    return importer.getDense(tensor);
  SmallVector<Attribute> members;
  for (size_t i = 0; i < importer.getCount(); ++i)
    members.push_back(importer.getScalar(i, context));
  return ArrayAttr::get(context, members);
}

// A member brings its type; it must be that which the whole says.
static Attribute importMember(const pb::Value &value, Type type,
                              MLIRContext *context, EmitError emitError) {
  Type own = importType(value.type(), context, emitError);
  if (!own)
    return {};
  // A table of shapes says `[?]` as a whole, and an extent in each member.
  auto tensor = dyn_cast<RankedTensorType>(own),
       whole = dyn_cast<RankedTensorType>(type);
  bool isInstance = tensor && whole && tensor.getRank() == whole.getRank() &&
                    tensor.getElementType() == whole.getElementType() &&
                    !whole.hasStaticShape();
  if (own != type && !isInstance) {
    emitError() << "member has type " << own << ", but the value says " << type;
    return {};
  }
  return importLiteral(value, type, context, emitError);
}

template <typename Values>
static Attribute importMembers(const Values &values,
                               function_ref<Type(int)> typeOf,
                               MLIRContext *context, EmitError emitError) {
  SmallVector<Attribute> members;
  for (int i = 0; i < values.size(); ++i) {
    members.push_back(
        importMember(values.Get(i), typeOf(i), context, emitError));
    if (!members.back())
      return {};
  }
  return ArrayAttr::get(context, members);
}

static Attribute importDictionary(const pb::DictionaryValue &value,
                                  DictType type, MLIRContext *context,
                                  EmitError emitError) {
  SmallVector<Attribute> entries;
  for (const auto &entry : value.values()) {
    Attribute key =
        importMember(entry.key(), type.getKey(), context, emitError);
    if (!key)
      return {};
    Attribute item =
        importMember(entry.value(), type.getValue(), context, emitError);
    if (!item)
      return {};
    entries.push_back(ArrayAttr::get(context, {key, item}));
  }
  return ArrayAttr::get(context, entries);
}

static Attribute importLiteral(const pb::Value &value, Type type,
                               MLIRContext *context, EmitError emitError) {
  auto wrong = [&](StringRef kind) -> Attribute {
    emitError() << "value of type " << type << " is given as " << kind;
    return {};
  };
  const pb::ImmediateValue &immediate = value.immediate_value();
  switch (immediate.value_case()) {
  case pb::ImmediateValue::kTensor:
    if (!isa<RankedTensorType, StringType>(type) && !type.isIntOrFloat())
      return wrong("a tensor");
    return importTensor(immediate.tensor(), type, context, emitError);
  case pb::ImmediateValue::kTuple: {
    auto tuple = dyn_cast<TupleOfTypes>(type);
    if (!tuple)
      return wrong("a tuple");
    if (immediate.tuple().values_size() != int(tuple.getElements().size())) {
      emitError() << "tuple has " << immediate.tuple().values_size()
                  << " members, but its type has "
                  << tuple.getElements().size();
      return {};
    }
    return importMembers(
        immediate.tuple().values(),
        [&](int i) { return tuple.getElements()[i]; }, context, emitError);
  }
  case pb::ImmediateValue::kList: {
    auto list = dyn_cast<ListType>(type);
    if (!list)
      return wrong("a list");
    return importMembers(
        immediate.list().values(), [&](int) { return list.getElement(); },
        context, emitError);
  }
  case pb::ImmediateValue::kDictionary:
    if (!isa<DictType>(type))
      return wrong("a dictionary");
    return importDictionary(immediate.dictionary(), cast<DictType>(type),
                            context, emitError);
  case pb::ImmediateValue::VALUE_NOT_SET:
    break;
  }
  return wrong("nothing");
}

TypedAttr mlir::ane::mil::importValue(const pb::Value &value,
                                      MLIRContext *context,
                                      EmitError emitError) {
  Type type = importType(value.type(), context, emitError);
  if (!type)
    return {};
  if (value.has_blob_file_value())
    return BlobFileAttr::get(type, value.blob_file_value().file_name(),
                             value.blob_file_value().offset());
  Attribute literal = importLiteral(value, type, context, emitError);
  if (!literal)
    return {};
  if (auto array = dyn_cast<ArrayAttr>(literal))
    return CompoundAttr::get(type, array);
  return cast<TypedAttr>(literal);
}

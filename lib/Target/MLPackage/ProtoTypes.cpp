//===- ProtoTypes.cpp - Types of programs in packages ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProtoTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Opsets
//===----------------------------------------------------------------------===//

namespace {
struct OpsetInfo {
  StringLiteral opset, name;
  int format;
};
} // namespace

static constexpr OpsetInfo kOpsets[] = {{"ios15", "CoreML5", 6},
                                        {"ios16", "CoreML6", 7},
                                        {"ios17", "CoreML7", 8},
                                        {"ios18", "CoreML8", 9},
                                        {"ios26", "CoreML9", 10}};

StringRef mlir::ane::mil::getOpsetName(StringRef opset) {
  for (const OpsetInfo &info : kOpsets)
    if (info.opset == opset)
      return info.name;
  return {};
}

StringRef mlir::ane::mil::parseOpsetName(StringRef name) {
  for (const OpsetInfo &info : kOpsets)
    if (info.name == name)
      return info.opset;
  return {};
}

int mlir::ane::mil::getFormatVersion(StringRef opset) {
  for (const OpsetInfo &info : kOpsets)
    if (info.opset == opset)
      return info.format;
  return 0;
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static pb::DataType exportInteger(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return isUnsigned ? pb::UINT1 : pb::BOOL;
  case 2:
    return isUnsigned ? pb::UINT2 : pb::UNUSED_TYPE;
  case 3:
    return isUnsigned ? pb::UINT3 : pb::UNUSED_TYPE;
  case 4:
    return isUnsigned ? pb::UINT4 : pb::INT4;
  case 6:
    return isUnsigned ? pb::UINT6 : pb::UNUSED_TYPE;
  case 8:
    return isUnsigned ? pb::UINT8 : pb::INT8;
  case 16:
    return isUnsigned ? pb::UINT16 : pb::INT16;
  case 32:
    return isUnsigned ? pb::UINT32 : pb::INT32;
  case 64:
    return isUnsigned ? pb::UINT64 : pb::INT64;
  default:
    return pb::UNUSED_TYPE;
  }
}

static pb::DataType exportElement(Type type) {
  return TypeSwitch<Type, pb::DataType>(type)
      .Case<IntegerType>(exportInteger)
      .Case<Float16Type>([](auto) { return pb::FLOAT16; })
      .Case<Float32Type>([](auto) { return pb::FLOAT32; })
      .Case<Float64Type>([](auto) { return pb::FLOAT64; })
      .Case<BFloat16Type>([](auto) { return pb::BFLOAT16; })
      .Case<Float8E4M3FNType>([](auto) { return pb::FLOAT8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return pb::FLOAT8E5M2; })
      .Case<StringType>([](auto) { return pb::STRING; })
      .Default([](Type) { return pb::UNUSED_TYPE; });
}

static Type importElement(int type, MLIRContext *context) {
  Builder builder(context);
  auto natural = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (type) {
  case pb::BOOL:
    return builder.getI1Type();
  case pb::STRING:
    return StringType::get(context);
  case pb::FLOAT16:
    return builder.getF16Type();
  case pb::FLOAT32:
    return builder.getF32Type();
  case pb::FLOAT64:
    return builder.getF64Type();
  case pb::BFLOAT16:
    return builder.getBF16Type();
  case pb::INT4:
    return builder.getIntegerType(4);
  case pb::INT8:
    return builder.getIntegerType(8);
  case pb::INT16:
    return builder.getIntegerType(16);
  case pb::INT32:
    return builder.getIntegerType(32);
  case pb::INT64:
    return builder.getIntegerType(64);
  case pb::UINT1:
    return natural(1);
  case pb::UINT2:
    return natural(2);
  case pb::UINT3:
    return natural(3);
  case pb::UINT4:
    return natural(4);
  case pb::UINT6:
    return natural(6);
  case pb::UINT8:
    return natural(8);
  case pb::UINT16:
    return natural(16);
  case pb::UINT32:
    return natural(32);
  case pb::UINT64:
    return natural(64);
  case pb::FLOAT8E4M3FN:
    return Float8E4M3FNType::get(context);
  case pb::FLOAT8E5M2:
    return Float8E5M2Type::get(context);
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void exportDimension(int64_t extent, pb::Dimension &result) {
  if (extent < 0)
    result.mutable_unknown()->set_variadic(false);
  else
    result.mutable_constant()->set_size(extent);
}

LogicalResult mlir::ane::mil::exportType(Type type, pb::ValueType &result) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    pb::DataType element = exportElement(tensor.getElementType());
    if (element == pb::UNUSED_TYPE || tensor.getEncoding())
      return failure();
    pb::TensorType *message = result.mutable_tensor_type();
    message->set_data_type(element);
    message->set_rank(tensor.getRank());
    for (int64_t extent : tensor.getShape())
      exportDimension(extent, *message->add_dimensions());
    return success();
  }
  if (auto list = dyn_cast<ListType>(type)) {
    exportDimension(list.getLength(),
                    *result.mutable_list_type()->mutable_length());
    return exportType(list.getElement(),
                      *result.mutable_list_type()->mutable_type());
  }
  if (auto tuple = dyn_cast<TupleOfTypes>(type)) {
    pb::TupleType *message = result.mutable_tuple_type();
    for (Type member : tuple.getElements())
      if (failed(exportType(member, *message->add_types())))
        return failure();
    return success();
  }
  if (auto dict = dyn_cast<DictType>(type)) {
    pb::DictionaryType *message = result.mutable_dictionary_type();
    return success(
        succeeded(exportType(dict.getKey(), *message->mutable_key_type())) &&
        succeeded(exportType(dict.getValue(), *message->mutable_value_type())));
  }
  if (auto state = dyn_cast<StateType>(type))
    return exportType(state.getWrapped(),
                      *result.mutable_state_type()->mutable_wrapped_type());
  pb::DataType element = exportElement(type);
  if (element == pb::UNUSED_TYPE)
    return failure();
  result.mutable_tensor_type()->set_data_type(element);
  return success();
}

static FailureOr<int64_t> importDimension(const pb::Dimension &dimension,
                                          EmitError emitError) {
  if (!dimension.has_constant())
    return ShapedType::kDynamic;
  if (dimension.constant().size() > uint64_t(INT64_MAX))
    return emitError() << "extent " << dimension.constant().size()
                       << " is more than 2^63";
  return int64_t(dimension.constant().size());
}

static Type importTensorType(const pb::TensorType &type, MLIRContext *context,
                             EmitError emitError) {
  Type element = importElement(type.data_type(), context);
  if (!element) {
    emitError() << "tensor has elements of unknown type "
                << int(type.data_type());
    return {};
  }
  if (type.rank() != type.dimensions_size()) {
    emitError() << "tensor has rank " << type.rank() << ", but "
                << type.dimensions_size() << " dimensions";
    return {};
  }
  if (type.rank() == 0)
    return element;
  SmallVector<int64_t> shape;
  uint64_t elements = 1;
  for (const pb::Dimension &dimension : type.dimensions()) {
    FailureOr<int64_t> extent = importDimension(dimension, emitError);
    if (failed(extent))
      return {};
    shape.push_back(*extent);
    elements = llvm::SaturatingMultiply<uint64_t>(
        elements, std::max<int64_t>(*extent, 1));
  }
  if (elements > uint64_t(INT64_MAX)) {
    emitError() << "tensor has more than 2^63 elements";
    return {};
  }
  return RankedTensorType::get(shape, element);
}

// How deep types are nested is bounded by the limit of the protobuf reader.
Type mlir::ane::mil::importType(const pb::ValueType &type, MLIRContext *context,
                                EmitError emitError) {
  switch (type.type_case()) {
  case pb::ValueType::kTensorType:
    return importTensorType(type.tensor_type(), context, emitError);
  case pb::ValueType::kListType: {
    Type element = importType(type.list_type().type(), context, emitError);
    FailureOr<int64_t> length =
        importDimension(type.list_type().length(), emitError);
    if (!element || failed(length))
      return {};
    return ListType::get(context, element, *length < 0 ? -1 : *length);
  }
  case pb::ValueType::kTupleType: {
    SmallVector<Type> members;
    for (const pb::ValueType &member : type.tuple_type().types()) {
      members.push_back(importType(member, context, emitError));
      if (!members.back())
        return {};
    }
    return TupleOfTypes::get(context, members);
  }
  case pb::ValueType::kDictionaryType: {
    Type key =
        importType(type.dictionary_type().key_type(), context, emitError);
    if (!key)
      return {};
    Type value =
        importType(type.dictionary_type().value_type(), context, emitError);
    return value ? DictType::get(context, key, value) : Type();
  }
  case pb::ValueType::kStateType: {
    Type wrapped =
        importType(type.state_type().wrapped_type(), context, emitError);
    return wrapped ? StateType::get(context, wrapped) : Type();
  }
  case pb::ValueType::TYPE_NOT_SET:
    break;
  }
  emitError() << "value has no type";
  return {};
}

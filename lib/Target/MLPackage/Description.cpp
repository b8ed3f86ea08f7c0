//===- Description.cpp - Inputs and outputs of a model --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MD5.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// To the description
//===----------------------------------------------------------------------===//

static pb::ArrayFeatureType::ArrayDataType getArrayType(Type element) {
  if (element.isSignlessInteger(32))
    return pb::ArrayFeatureType::INT32;
  if (element.isSignlessInteger(8))
    return pb::ArrayFeatureType::INT8;
  return TypeSwitch<Type, pb::ArrayFeatureType::ArrayDataType>(element)
      .Case<Float16Type>([](auto) { return pb::ArrayFeatureType::FLOAT16; })
      .Case<Float32Type>([](auto) { return pb::ArrayFeatureType::FLOAT32; })
      .Case<Float64Type>([](auto) { return pb::ArrayFeatureType::DOUBLE; })
      .Default([](Type) { return pb::ArrayFeatureType::INVALID; });
}

static LogicalResult describeArray(FuncOp func, StringRef what, StringRef name,
                                   Type type, const FlexibleShapes &flexible,
                                   pb::ArrayFeatureType &result) {
  result.set_data_type(getArrayType(getElementTypeOrSelf(type)));
  if (result.data_type() == pb::ArrayFeatureType::INVALID)
    return func.emitOpError()
           << what << " '" << name << "' is of type " << type
           << ", but inputs and outputs of a package are fp16, fp32, fp64, "
              "int32 or int8; add a cast";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (tensor.hasStaticShape()) {
    for (int64_t extent : tensor.getShape())
      result.add_shape(extent);
    return success();
  }
  if (what == "output") // follows from the inputs
    return success();
  auto known = flexible.defaults.find(name.str());
  auto ranges = flexible.ranges.find(name.str());
  auto shapes = flexible.enumerated.find(name.str());
  bool hasRanges = ranges != flexible.ranges.end();
  if (known == flexible.defaults.end() ||
      (!hasRanges && shapes == flexible.enumerated.end()))
    return func.emitOpError()
           << what << " '" << name << "' is of type " << type << ", but no "
           << kFlexibleShapes << " of the function gives its default shape and "
           << "its ranges or shapes";
  for (int64_t extent : known->second)
    result.add_shape(extent);
  if (hasRanges)
    for (auto [lower, upper] : ranges->second) {
      pb::SizeRange *range = result.mutable_shape_range()->add_size_ranges();
      range->set_lower_bound(std::max<int64_t>(lower, 0));
      range->set_upper_bound(upper);
    }
  else
    for (const FlexibleShapes::Shape &shape : shapes->second) {
      auto *message = result.mutable_enumerated_shapes()->add_shapes();
      for (int64_t extent : shape)
        message->add_shape(extent);
    }
  return success();
}

LogicalResult mlir::ane::mil::describeFunction(FuncOp func,
                                               ArrayRef<StringRef> names,
                                               Features features) {
  FailureOr<FlexibleShapes> shapes = readFlexibleShapes(func);
  if (failed(shapes))
    return failure();
  for (auto [argument, name] :
       llvm::zip(func.getBody().getArguments(),
                 func.getArgNames().getAsRange<StringAttr>())) {
    auto state = dyn_cast<StateType>(argument.getType());
    pb::FeatureDescription *feature =
        state ? features.states->Add() : features.inputs->Add();
    feature->set_name(name.str());
    pb::FeatureType *type = feature->mutable_type();
    if (failed(describeArray(
            func, state ? "state" : "input", name,
            state ? state.getWrapped() : argument.getType(), *shapes,
            state ? *type->mutable_state_type()->mutable_array_type()
                  : *type->mutable_multi_array_type())))
      return failure();
  }
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [value, name] : llvm::zip(terminator->getOperands(), names)) {
    pb::FeatureDescription *feature = features.outputs->Add();
    feature->set_name(name.str());
    if (failed(describeArray(
            func, "output", name, value.getType(), *shapes,
            *feature->mutable_type()->mutable_multi_array_type())))
      return failure();
  }
  return success();
}

bool mlir::ane::mil::usesHalf(FuncOp func) {
  auto isHalf = [](Type type) {
    if (auto state = dyn_cast<StateType>(type))
      type = state.getWrapped();
    return getElementTypeOrSelf(type).isF16();
  };
  return llvm::any_of(func.getBody().getArgumentTypes(), isHalf) ||
         llvm::any_of(func.getBody().front().getTerminator()->getOperandTypes(),
                      isHalf);
}

//===----------------------------------------------------------------------===//
// From the description
//===----------------------------------------------------------------------===//

namespace {
/// Makes the tables of the attribute.
class TableBuilder {
public:
  explicit TableBuilder(MLIRContext *context)
      : builder(context), string(StringType::get(context)),
        shapeType(RankedTensorType::get({ShapedType::kDynamic},
                                        builder.getI32Type())),
        boundsType(RankedTensorType::get({2}, builder.getI32Type())) {}

  Attribute getShape(ArrayRef<int64_t> shape) {
    SmallVector<Attribute> extents;
    for (int64_t extent : shape)
      extents.push_back(builder.getI32IntegerAttr(clamp(extent)));
    return builder.getArrayAttr(extents);
  }
  Attribute getBounds(int64_t lower, int64_t upper) {
    int32_t bounds[] = {clamp(lower), clamp(upper)};
    return DenseElementsAttr::get(boundsType, ArrayRef<int32_t>(bounds));
  }
  Attribute getEntry(StringRef key, Attribute value) {
    return builder.getArrayAttr({StringAttr::get(key, string), value});
  }
  Attribute getTable(const std::map<std::string, Attribute> &entries) {
    SmallVector<Attribute> result;
    for (auto &[key, value] : entries)
      result.push_back(getEntry(key, value));
    return builder.getArrayAttr(result);
  }
  Type getDict(Type value) {
    return DictType::get(string.getContext(), string, value);
  }
  Type getPair(Type value) {
    return TupleOfTypes::get(string.getContext(), {string, value});
  }

  Builder builder;
  Type string;
  RankedTensorType shapeType, boundsType;

private:
  static int32_t clamp(int64_t value) {
    return int32_t(std::clamp<int64_t>(value, -1, INT32_MAX));
  }
};
} // namespace

// The keys of Apple's compiler are hashes of an unknown kind; ours are as long.
static std::string getKey(const std::map<std::string, Attribute> &shapes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto &[name, shape] : shapes)
    os << name << '=' << shape << ';';
  llvm::MD5::MD5Result hash =
      llvm::MD5::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(ArrayRef<uint8_t>(hash).take_front(4), /*LowerCase=*/true);
}

TypedAttr mlir::ane::mil::importFlexibleShapes(
    const google::protobuf::RepeatedPtrField<pb::FeatureDescription> &inputs,
    MLIRContext *context) {
  TableBuilder tables(context);
  std::map<std::string, Attribute> defaults, ranges;
  // Shape i of each input belongs to shape i of the others.
  std::vector<std::map<std::string, Attribute>> choices;
  for (const pb::FeatureDescription &input : inputs) {
    const pb::ArrayFeatureType &type = input.type().multi_array_type();
    if (type.has_shape_range()) {
      SmallVector<Attribute> bounds;
      for (const pb::SizeRange &range : type.shape_range().size_ranges())
        bounds.push_back(tables.getBounds(
            int64_t(std::min<uint64_t>(range.lower_bound(), INT64_MAX)),
            range.upper_bound()));
      ranges[input.name()] = tables.builder.getArrayAttr(bounds);
    } else if (type.has_enumerated_shapes()) {
      int count = type.enumerated_shapes().shapes_size();
      choices.resize(std::max<size_t>(choices.size(), count));
      for (int i = 0; i < count; ++i) {
        const auto &shape = type.enumerated_shapes().shapes(i).shape();
        choices[i][input.name()] =
            tables.getShape({shape.data(), size_t(shape.size())});
      }
    } else {
      continue;
    }
    defaults[input.name()] =
        tables.getShape({type.shape().data(), size_t(type.shape().size())});
  }
  if (defaults.empty())
    return {};
  SmallVector<Type> types{tables.getPair(tables.getDict(tables.shapeType))};
  SmallVector<Attribute> parts{
      tables.getEntry("DefaultShapes", tables.getTable(defaults))};
  if (!ranges.empty()) {
    types.push_back(tables.getPair(
        tables.getDict(ListType::get(context, tables.boundsType, -1))));
    parts.push_back(tables.getEntry("RangeDims", tables.getTable(ranges)));
  }
  if (!choices.empty()) {
    std::map<std::string, Attribute> keyed;
    for (const auto &choice : choices)
      keyed[getKey(choice)] = tables.getTable(choice);
    types.push_back(
        tables.getPair(tables.getDict(tables.getDict(tables.shapeType))));
    parts.push_back(
        tables.getEntry("EnumeratedShapes", tables.getTable(keyed)));
  }
  return CompoundAttr::get(TupleOfTypes::get(context, types),
                           tables.builder.getArrayAttr(parts));
}

//===- ConstexprStatement.cpp - One compressed constant -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstexprStatement.h"
#include "ConstexprKernels.h"
#include "Spelling.h"

#include "ane/Target/MIL/BlobPacking.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::ane::mil;

// From 1 bit to 32, by vectors of up to 64 elements. What grows more was never
// compressed.
static constexpr uint64_t kMaxGrowth = 2048;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static RankedTensorType withElements(RankedTensorType type, Type element) {
  return type.clone(type.getShape(), element);
}

static Elements getElements(const ConstantData &data) {
  return {*getBlobType(data.type.getElementType()), data.bytes,
          uint64_t(data.type.getNumElements()), data.isPacked};
}

FailureOr<char *> mlir::ane::mil::allocate(Operation *op, uint64_t size,
                                           ConstantData &data) {
  std::shared_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(size);
  if (!buffer)
    return op->emitError("not enough memory for ") << size << " bytes";
  data.bytes = {buffer->getBufferStart(), size_t(size)};
  data.owner = buffer;
  return buffer->getBufferStart();
}

// The elements of a mask or of indices, packed.
static FailureOr<ConstantData> getPacked(Operation *op, ConstantData data) {
  unsigned bits = getBitWidth(data.type.getElementType());
  if (data.isPacked || bits == 8)
    return data;
  ConstantData packed{data.type, {}, true, nullptr};
  uint64_t count = data.type.getNumElements();
  FailureOr<char *> to = allocate(op, getPackedSize(count, bits), packed);
  if (failed(to))
    return failure();
  packElements(reinterpret_cast<const uint8_t *>(data.bytes.data()), count,
               bits, reinterpret_cast<uint8_t *>(*to));
  return packed;
}

static FailureOr<ConstantData> getUnpacked(Operation *op, ConstantData data) {
  unsigned bits = getBitWidth(data.type.getElementType());
  if (bits >= 8)
    return data;
  ConstantData result{data.type, {}, false, nullptr};
  Elements from = getElements(data);
  FailureOr<char *> to = allocate(op, from.count, result);
  if (failed(to))
    return failure();
  loadBytes(from, 0, from.count, reinterpret_cast<uint8_t *>(*to));
  return result;
}

static std::vector<float> getFloats(const ConstantData &data) {
  std::vector<float> result(data.type.getNumElements());
  loadFloats(getElements(data), 0, result.size(), result.data());
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

PointerUnion<Attribute, Value> ConstexprStatement::find(StringRef name) {
  for (const NamedArgument &argument : statement.getMILArguments())
    if (argument.name == name && argument.values.size() == 1)
      return argument.values.front();
  return statement.getMILAttributes().get(name);
}

FailureOr<ConstantData> ConstexprStatement::get(StringRef name) {
  PointerUnion<Attribute, Value> operand = find(name);
  if (!operand)
    return op->emitError() << statement.getMILType() << " lacks '" << name
                           << "'";
  FailureOr<ConstantData> data =
      isa<Value>(operand)
          ? evaluator.evaluate(cast<Value>(operand))
          : evaluator.fromAttribute(op, cast<Attribute>(operand));
  if (succeeded(data) && !getBlobType(data->type.getElementType()))
    return op->emitError() << "'" << name << "' has elements of type "
                           << data->type.getElementType()
                           << ", which compressed weights do not have";
  return data;
}

// An operand of numbers that fp32 holds.
LogicalResult ConstexprStatement::getNumbers(StringRef name,
                                             ConstantData &data) {
  FailureOr<ConstantData> operand = get(name);
  if (failed(operand))
    return failure();
  data = *operand;
  if (!canLoadFloats(*getBlobType(data.type.getElementType())))
    return op->emitError() << "'" << name << "' has elements of type "
                           << data.type.getElementType()
                           << ", but only fp16, fp32 and integers of up to 8 "
                              "bits are numbers of compressed weights";
  return success();
}

FailureOr<int64_t> ConstexprStatement::getAxis(StringRef name, int64_t rank) {
  FailureOr<ConstantData> data = get(name);
  if (failed(data))
    return failure();
  if (!data->type.getElementType().isInteger(32) ||
      data->type.getNumElements() != 1)
    return op->emitError() << "'" << name << "' has type " << data->type
                           << ", but must be an int32";
  int32_t axis;
  std::memcpy(&axis, data->bytes.data(), sizeof(axis));
  if (axis < -rank || axis >= rank)
    return op->emitError() << "'" << name << "' is " << axis
                           << ", but the rank is " << rank;
  return axis < 0 ? axis + rank : axis;
}

LogicalResult ConstexprStatement::checkResult(const ConstantData &data) {
  Type declared = op->getResult(result).getType();
  if (declared == data.type)
    return success();
  return op->emitError() << "result has type " << declared
                         << ", but the operands make a " << data.type;
}

LogicalResult ConstexprStatement::checkGrowth(uint64_t bytes, uint64_t from) {
  if (bytes / kMaxGrowth <= from + 64)
    return success();
  return op->emitError() << "result has " << bytes << " bytes, more than "
                         << kMaxGrowth << " times the " << from
                         << " bytes that it is made of";
}

//===----------------------------------------------------------------------===//
// Quantised
//===----------------------------------------------------------------------===//

// scale[block] * (data - offset[block]); the offset may be one for all.
FailureOr<ConstantData>
ConstexprStatement::dequantize(const ConstantData &data,
                               const ConstantData &scale,
                               const std::optional<ConstantData> &offset) {
  ArrayRef<int64_t> shape = data.type.getShape(),
                    blocks = scale.type.getShape();
  bool fits = shape.size() == blocks.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = blocks[i] && shape[i] % blocks[i] == 0;
  if (!fits)
    return op->emitError() << "scale of type " << scale.type
                           << " does not divide data of type " << data.type
                           << " into blocks";
  Type element = scale.type.getElementType();
  if (!element.isF16() && !element.isF32())
    return op->emitError() << "scale has elements of type " << element
                           << ", but must be fp16 or fp32";
  std::vector<float> offsets;
  if (offset) {
    if (offset->type.getShape() != blocks)
      return op->emitError() << "offset has type " << offset->type
                             << ", but the scale " << scale.type;
    offsets = getFloats(*offset);
  }
  ConstantData dense{withElements(data.type, element), {}, false, nullptr};
  Elements from = getElements(data);
  FailureOr<char *> to =
      allocate(op, from.count * (element.isF16() ? 2 : 4), dense);
  if (failed(to))
    return failure();
  mlir::ane::mil::dequantize(op->getContext(), from, Blocks(shape, blocks),
                             getFloats(scale), offsets, element.isF16(), *to);
  return dense;
}

// One scale and zero point for all, or one for each index of the axis.
FailureOr<ConstantData> ConstexprStatement::evaluateAffine() {
  ConstantData data, scale, zero;
  if (failed(getNumbers("quantized_data", data)) ||
      failed(getNumbers("scale", scale)) ||
      failed(getNumbers("zero_point", zero)))
    return failure();
  int64_t rank = data.type.getRank();
  SmallVector<int64_t> one(rank, 1), many(rank, 1);
  if (scale.type.getRank() > 1 || zero.type.getRank() > 1)
    return op->emitError() << "scale has type " << scale.type
                           << " and zero point " << zero.type
                           << ", but both must have rank 0 or 1";
  if (rank > 0) {
    FailureOr<int64_t> axis = getAxis("axis", rank);
    if (failed(axis))
      return failure();
    many[*axis] = data.type.getDimSize(*axis);
  }
  // Vectors become tensors of the rank of the data; a scalar beside a vector is
  // repeated.
  bool isVector =
      scale.type.getNumElements() > 1 || zero.type.getNumElements() > 1;
  ArrayRef<int64_t> shape = isVector ? many : one;
  auto spread = [&](StringRef name, ConstantData &operand) -> LogicalResult {
    uint64_t count = ShapedType::getNumElements(shape);
    uint64_t have = operand.type.getNumElements();
    if (have != count && have != 1)
      return op->emitError()
             << name << " has " << have << " elements, but the axis of "
             << data.type << " has " << count;
    if (have == count) {
      operand.type = operand.type.clone(shape);
      return success();
    }
    FailureOr<ConstantData> single = getUnpacked(op, operand);
    if (failed(single))
      return failure();
    ConstantData repeated{operand.type.clone(shape), {}, false, nullptr};
    FailureOr<char *> to = allocate(op, single->bytes.size() * count, repeated);
    if (failed(to))
      return failure();
    for (uint64_t i = 0; i < count; ++i)
      std::memcpy(*to + i * single->bytes.size(), single->bytes.data(),
                  single->bytes.size());
    operand = repeated;
    return success();
  };
  if (failed(spread("scale", scale)) || failed(spread("zero point", zero)))
    return failure();
  return dequantize(data, scale, zero);
}

FailureOr<ConstantData> ConstexprStatement::evaluateBlockwise() {
  ConstantData data, scale, offset;
  if (failed(getNumbers("data", data)) || failed(getNumbers("scale", scale)))
    return failure();
  if (!has("offset"))
    return dequantize(data, scale, std::nullopt);
  if (failed(getNumbers("offset", offset)))
    return failure();
  return dequantize(data, scale, offset);
}

FailureOr<ConstantData> ConstexprStatement::evaluateCast() {
  ConstantData data;
  if (failed(getNumbers("source_val", data)))
    return failure();
  if (!data.type.getElementType().isF16())
    return op->emitError() << "'source_val' has type " << data.type
                           << ", but must be of fp16";
  ConstantData wide{withElements(data.type, Float32Type::get(op->getContext())),
                    {},
                    false,
                    nullptr};
  Elements from = getElements(data);
  FailureOr<char *> to = allocate(op, from.count * 4, wide);
  if (failed(to))
    return failure();
  loadFloats(from, 0, from.count, reinterpret_cast<float *>(*to));
  return wide;
}

//===----------------------------------------------------------------------===//
// Palettized
//===----------------------------------------------------------------------===//

// `table` has, after the dimensions of the indices in blocks, the entries and
// the elements of an entry, which become neighbours along `axis`.
FailureOr<ConstantData> ConstexprStatement::lookUp(const ConstantData &indices,
                                                   const ConstantData &table,
                                                   int64_t &axis,
                                                   uint64_t &vector) {
  ArrayRef<int64_t> shape = indices.type.getShape(),
                    all = table.type.getShape();
  uint64_t entries = uint64_t(1) << getBitWidth(indices.type.getElementType());
  bool fits = all.size() == shape.size() + 2 && all.back() > 0 &&
              uint64_t(all[shape.size()]) == entries;
  ArrayRef<int64_t> blocks = all.drop_back(std::min<size_t>(2, all.size()));
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = blocks[i] && shape[i] % blocks[i] == 0;
  if (!fits)
    return op->emitError() << "table of type " << table.type
                           << " does not have the " << entries
                           << " entries of indices of type " << indices.type
                           << ", or does not divide them into blocks";
  vector = all.back();
  axis = shape.size() - 1;
  if (vector > 1 || has("vector_axis")) {
    FailureOr<int64_t> given = getAxis("vector_axis", shape.size());
    if (failed(given))
      return failure();
    axis = *given;
  }
  unsigned width = getBitWidth(table.type.getElementType()) / 8;
  if (width != 1 && width != 2 && width != 4)
    return op->emitError() << "table has elements of type "
                           << table.type.getElementType()
                           << ", but they must have 1, 2 or 4 bytes";
  SmallVector<int64_t> result(shape);
  uint64_t inner = 1;
  if (!shape.empty()) {
    bool overflows;
    result[axis] =
        llvm::SaturatingMultiply<uint64_t>(shape[axis], vector, &overflows);
    for (int64_t extent : shape.drop_front(axis + 1))
      inner *= extent;
  }
  Elements from = getElements(indices);
  bool overflows;
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(
      from.count, vector * width, &overflows);
  if (failed(checkGrowth(bytes, indices.bytes.size() + table.bytes.size())))
    return failure();
  ConstantData dense{RankedTensorType::get(result, table.type.getElementType()),
                     {},
                     false,
                     nullptr};
  FailureOr<char *> to = allocate(op, bytes, dense);
  if (failed(to))
    return failure();
  mlir::ane::mil::lookUp(op->getContext(), from, Blocks(shape, blocks),
                         table.bytes.data(), entries, vector, inner, width,
                         *to);
  return dense;
}

FailureOr<ConstantData> ConstexprStatement::evaluateTable() {
  FailureOr<ConstantData> indices = get("indices"), table = get("lut");
  if (failed(indices) || failed(table))
    return failure();
  auto type = dyn_cast<IntegerType>(indices->type.getElementType());
  if (!type || !type.isUnsigned() || type.getWidth() > 8)
    return op->emitError() << "indices have type " << indices->type
                           << ", but must be unsigned, of up to 8 bits";
  int64_t axis;
  uint64_t vector;
  return lookUp(*indices, *table, axis, vector);
}

// The shape that an operand gives for flat data.
static FailureOr<RankedTensorType>
getGivenShape(Operation *op, const ConstantData &shape, Type element) {
  if (!shape.type.getElementType().isInteger(32) || shape.type.getRank() != 1)
    return op->emitError() << "'shape' has type " << shape.type
                           << ", but must be a vector of uint32";
  SmallVector<int64_t> extents;
  uint64_t elements = 1;
  for (int64_t i = 0; i < shape.type.getNumElements(); ++i) {
    uint32_t extent;
    std::memcpy(&extent, shape.bytes.data() + i * 4, 4);
    extents.push_back(extent);
    elements = llvm::SaturatingMultiply<uint64_t>(
        elements, std::max<uint64_t>(extent, 1));
  }
  if (elements > INT64_MAX / 8)
    return op->emitError("'shape' has more than 2^60 elements");
  return RankedTensorType::get(extents, element);
}

// Packed numbers of `bits` bits in a vector of bytes.
static FailureOr<ConstantData> viewPacked(Operation *op, StringRef name,
                                          const ConstantData &bytes,
                                          RankedTensorType type) {
  unsigned bits = getBitWidth(type.getElementType());
  uint64_t need = getPackedSize(type.getNumElements(), bits);
  if (!bytes.type.getElementType().isUnsignedInteger(8) ||
      bytes.bytes.size() != need)
    return op->emitError() << "'" << name << "' has type " << bytes.type
                           << ", but " << type.getNumElements()
                           << " numbers of " << bits << " bits are " << need
                           << " elements of uint8";
  return ConstantData{type, bytes.bytes, bits < 8, bytes.owner};
}

// Before iOS 18: one table, packed indices in a vector of bytes.
FailureOr<ConstantData> ConstexprStatement::evaluateFlatTable() {
  FailureOr<ConstantData> indices = get("indices"), table = get("lut"),
                          shape = get("shape");
  if (failed(indices) || failed(table) || failed(shape))
    return failure();
  int64_t entries = table->type.getNumElements();
  unsigned bits = entries > 0 ? llvm::Log2_64(entries) : 0;
  if (table->type.getRank() != 1 || entries != int64_t(1) << bits ||
      !llvm::is_contained({1, 2, 3, 4, 6, 8}, int(bits)))
    return op->emitError() << "table has type " << table->type
                           << ", but must have 2, 4, 8, 16, 64 or 256 entries";
  FailureOr<RankedTensorType> type = getGivenShape(
      op, *shape,
      IntegerType::get(op->getContext(), bits, IntegerType::Unsigned));
  if (failed(type))
    return failure();
  FailureOr<ConstantData> view = viewPacked(op, "indices", *indices, *type);
  if (failed(view))
    return failure();
  SmallVector<int64_t> one(type->getRank(), 1);
  one.append({entries, 1});
  table->type = table->type.clone(one);
  int64_t axis;
  uint64_t vector;
  return lookUp(*view, *table, axis, vector);
}

//===----------------------------------------------------------------------===//
// Sparse
//===----------------------------------------------------------------------===//

static const uint8_t *getMask(const ConstantData &mask) {
  return reinterpret_cast<const uint8_t *>(mask.bytes.data());
}

// Values where the packed mask has a bit, zero elsewhere.
FailureOr<ConstantData> ConstexprStatement::scatter(ConstantData mask,
                                                    ConstantData values,
                                                    RankedTensorType type) {
  uint64_t count = type.getNumElements();
  uint64_t bits = countBits(op->getContext(), getMask(mask), count);
  if (values.type.getRank() != 1 ||
      uint64_t(values.type.getNumElements()) != bits)
    return op->emitError() << "mask has " << bits
                           << " bits, but the values of them have type "
                           << values.type;
  FailureOr<ConstantData> unpacked = getUnpacked(op, values);
  if (failed(unpacked))
    return failure();
  unsigned width = std::max(1u, getBitWidth(type.getElementType()) / 8);
  ConstantData dense{type, {}, false, nullptr};
  FailureOr<char *> to = allocate(op, count * width, dense);
  if (failed(to))
    return failure();
  scatterByMask(op->getContext(), getMask(mask), count, unpacked->bytes.data(),
                width, *to);
  return dense;
}

FailureOr<ConstantData> ConstexprStatement::gather(const ConstantData &mask,
                                                   const ConstantData &dense) {
  uint64_t count = dense.type.getNumElements();
  int64_t bits = countBits(op->getContext(), getMask(mask), count);
  unsigned width = std::max(1u, getBitWidth(dense.type.getElementType()) / 8);
  ConstantData values{dense.type.clone({bits}), {}, false, nullptr};
  FailureOr<char *> to = allocate(op, bits * width, values);
  if (failed(to))
    return failure();
  gatherByMask(op->getContext(), getMask(mask), count, dense.bytes.data(),
               width, *to);
  return values;
}

static LogicalResult getMask(Operation *op, ConstantData &mask) {
  if (!mask.type.getElementType().isUnsignedInteger(1))
    return op->emitError() << "mask has type " << mask.type
                           << ", but must be of uint1";
  FailureOr<ConstantData> packed = getPacked(op, mask);
  if (failed(packed))
    return failure();
  mask = *packed;
  return success();
}

FailureOr<ConstantData> ConstexprStatement::evaluateSparse() {
  FailureOr<ConstantData> values = get("nonzero_data"), mask = get("mask");
  if (failed(values) || failed(mask) || failed(getMask(op, *mask)))
    return failure();
  return scatter(*mask, *values,
                 withElements(mask->type, values->type.getElementType()));
}

// Before iOS 18: the mask is packed in a vector of bytes.
FailureOr<ConstantData> ConstexprStatement::evaluateFlatSparse() {
  FailureOr<ConstantData> values = get("nonzero_data"), mask = get("mask"),
                          shape = get("shape");
  if (failed(values) || failed(mask) || failed(shape))
    return failure();
  Type bit = IntegerType::get(op->getContext(), 1, IntegerType::Unsigned);
  FailureOr<RankedTensorType> type = getGivenShape(op, *shape, bit);
  if (failed(type))
    return failure();
  FailureOr<ConstantData> view = viewPacked(op, "mask", *mask, *type);
  if (failed(view))
    return failure();
  return scatter(*view, *values,
                 withElements(*type, values->type.getElementType()));
}

// Palettized among the elements that are not zero. An entry of several elements
// stands for as many neighbours, so the mask of the result is repeated.
FailureOr<ConstantData> ConstexprStatement::evaluateSparseTable() {
  FailureOr<ConstantData> mask = get("indices_mask"),
                          values = get("indices_nonzero_data"),
                          table = get("lut");
  if (failed(mask) || failed(values) || failed(table) ||
      failed(getMask(op, *mask)))
    return failure();
  auto type = dyn_cast<IntegerType>(values->type.getElementType());
  if (!type || !type.isUnsigned() || type.getWidth() > 8)
    return op->emitError() << "indices have type " << values->type
                           << ", but must be unsigned, of up to 8 bits";
  FailureOr<ConstantData> indices =
      scatter(*mask, *values, withElements(mask->type, type));
  if (failed(indices))
    return failure();
  int64_t axis;
  uint64_t vector;
  FailureOr<ConstantData> dense = lookUp(*indices, *table, axis, vector);
  if (failed(dense))
    return failure();
  ConstantData repeated = *mask;
  if (vector > 1) {
    repeated.type = withElements(dense->type, mask->type.getElementType());
    uint64_t inner = 1;
    for (int64_t extent : mask->type.getShape().drop_front(axis + 1))
      inner *= extent;
    uint64_t size = getPackedSize(repeated.type.getNumElements(), 1);
    FailureOr<char *> to = allocate(op, size, repeated);
    if (failed(to))
      return failure();
    std::memset(*to, 0, size);
    repeatBits(getMask(*mask), mask->type.getNumElements(), vector, inner,
               reinterpret_cast<uint8_t *>(*to));
  }
  return result == 0 ? repeated : gather(repeated, *dense);
}

FailureOr<ConstantData> ConstexprStatement::evaluateSparseBlockwise() {
  FailureOr<ConstantData> mask = get("data_mask");
  ConstantData values, scale, offset;
  if (failed(mask) || failed(getMask(op, *mask)) ||
      failed(getNumbers("nonzero_data", values)) ||
      failed(getNumbers("scale", scale)) ||
      (has("offset") && failed(getNumbers("offset", offset))))
    return failure();
  FailureOr<ConstantData> data = scatter(
      *mask, values, withElements(mask->type, values.type.getElementType()));
  if (failed(data))
    return failure();
  FailureOr<ConstantData> dense = dequantize(
      *data, scale,
      has("offset") ? std::optional<ConstantData>(offset) : std::nullopt);
  if (failed(dense))
    return failure();
  return result == 0 ? *mask : gather(*mask, *dense);
}

FailureOr<ConstantData> ConstexprStatement::evaluate() {
  using Method = FailureOr<ConstantData> (ConstexprStatement::*)();
  bool isFlat = has("shape");
  Method method = llvm::StringSwitch<Method>(statement.getMILType())
                      .Case("constexpr_affine_dequantize",
                            &ConstexprStatement::evaluateAffine)
                      .Case("constexpr_blockwise_shift_scale",
                            &ConstexprStatement::evaluateBlockwise)
                      .Case("constexpr_cast", &ConstexprStatement::evaluateCast)
                      .Case("constexpr_lut_to_dense",
                            isFlat ? &ConstexprStatement::evaluateFlatTable
                                   : &ConstexprStatement::evaluateTable)
                      .Case("constexpr_lut_to_sparse",
                            &ConstexprStatement::evaluateSparseTable)
                      .Case("constexpr_sparse_blockwise_shift_scale",
                            &ConstexprStatement::evaluateSparseBlockwise)
                      .Case("constexpr_sparse_to_dense",
                            isFlat ? &ConstexprStatement::evaluateFlatSparse
                                   : &ConstexprStatement::evaluateSparse)
                      .Default(nullptr);
  if (!method)
    return op->emitError() << statement.getMILType()
                           << " is no known way to store constants";
  FailureOr<ConstantData> data = (this->*method)();
  if (failed(data) || failed(checkResult(*data)))
    return failure();
  return data;
}

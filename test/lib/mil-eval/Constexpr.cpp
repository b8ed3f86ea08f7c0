//===- Constexpr.cpp - Compressed weights ---------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of iOS 16 have bytes with packed elements and a `shape`; those of iOS 18
// have tensors of sub-byte types. A mask says which elements of a sparse tensor
// exist; their values follow each other in row-major order.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

// scale * (q - zero), where both are one number or a vector along `axis`.
static LogicalResult evalAffine(Call &call) {
  const Tensor &q = call["quantized_data"], &scale = call["scale"];
  const Tensor &zero = call["zero_point"];
  int64_t axis = call.axis("axis", 0, std::max<int64_t>(q.rank(), 1));
  if (call.failed())
    return failure();
  int64_t extent = q.rank() ? q.shape[axis] : 1;
  int64_t inner = q.rank() ? stridesOf(q.shape)[axis] : 1;
  for (const Tensor *t : {&scale, &zero})
    if (t->size() != 1 && t->size() != extent)
      return call.fail("a parameter has " + Twine(t->size()) +
                       " elements, but the axis " + Twine(extent));
  FailureOr<Tensor> result = call.make(q.shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = q.size(); i < e; ++i) {
    int64_t k = i / inner % extent;
    result->data[i] = scale.data[scale.size() == 1 ? 0 : k] *
                      (q.data[i] - zero.data[zero.size() == 1 ? 0 : k]);
  }
  return call.yield(std::move(*result));
}

static LogicalResult evalConstexprCast(Call &call) {
  Tensor result = call["source_val"];
  for (double &value : result.data)
    value = convertTo(call.resultElement(), value);
  return call.yield(std::move(result));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Parameters that hold for blocks of a larger tensor: extents of the tensor
/// are multiples of theirs.
struct Blocks {
  Shape sizes, strides;
  int64_t at(ArrayRef<int64_t> index) const {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d)
      place += index[d] / sizes[d] * strides[d];
    return place;
  }
};
} // namespace

static FailureOr<Blocks> makeBlocks(Call &call, ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> parameters) {
  Blocks blocks;
  blocks.strides = stridesOf(parameters);
  bool fits = shape.size() == parameters.size();
  for (auto [extent, count] : llvm::zip(shape, parameters)) {
    fits &= count > 0 && extent % count == 0;
    blocks.sizes.push_back(fits ? std::max<int64_t>(extent / count, 1) : 1);
  }
  if (!fits)
    return call.fail("parameters are " + shapeText(parameters) +
                     ", which do not divide " + shapeText(shape));
  return blocks;
}

// scale[block] * (data - offset[block])
static FailureOr<Tensor> shiftAndScale(Call &call, const Tensor &data) {
  const Tensor &scale = call["scale"], *offset = call.find("offset");
  FailureOr<Blocks> blocks = makeBlocks(call, data.shape, scale.shape);
  if (failed(blocks))
    return failure();
  if (offset && offset->shape != scale.shape)
    return call.fail("offset is " + shapeText(offset->shape) + ", but scale " +
                     shapeText(scale.shape));
  Tensor result = data;
  forEachIndex(data.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    int64_t block = blocks->at(index);
    double shift = offset ? offset->data[block] : 0;
    result.data[position] = scale.data[block] * (data.data[position] - shift);
  });
  return result;
}

// lut has two dimensions more than the indices: entries, and the elements of a
// vector, which follow each other along `vector_axis`.
static FailureOr<Tensor> lookUp(Call &call, const Tensor &indices,
                                const Tensor &lut) {
  int64_t rank = indices.rank();
  if (lut.rank() != rank + 2)
    return call.fail("lut is " + shapeText(lut.shape) + ", but indices " +
                     shapeText(indices.shape));
  int64_t entries = lut.shape[rank], length = lut.shape[rank + 1];
  FailureOr<Blocks> blocks = makeBlocks(
      call, indices.shape, ArrayRef<int64_t>(lut.shape).drop_back(2));
  int64_t axis = 0;
  if (length != 1)
    axis = call.axis("vector_axis", 0, rank);
  if (failed(blocks) || call.failed())
    return failure();
  Shape shape = indices.shape, strides = stridesOf(indices.shape);
  if (length != 1)
    shape[axis] *= length;
  if (countElements(shape) < 0)
    return call.fail("result would have shape " + shapeText(shape));
  Tensor result(lut.element, shape);
  bool isOutside = false;
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    Shape from(index);
    int64_t element = 0;
    if (length != 1) {
      element = from[axis] % length;
      from[axis] /= length;
    }
    int64_t entry = indices.data[dot(from, strides)];
    isOutside |= entry >= entries;
    if (!isOutside)
      result.data[position] =
          lut.data[(blocks->at(from) * entries + entry) * length + element];
  });
  if (isOutside)
    return call.fail("an index is outside of the " + Twine(entries) +
                     " entries of lut");
  return result;
}

//===----------------------------------------------------------------------===//
// Bytes of iOS 16
//===----------------------------------------------------------------------===//

// `count` numbers of `bits` bits, the first in the lowest bits of the bytes.
static FailureOr<std::vector<double>>
unpackBytes(Call &call, const Tensor &bytes, int64_t count, int64_t bits) {
  if (count < 0 || bytes.size() < (count * bits + 7) / 8)
    return call.fail("has " + Twine(bytes.size()) + " bytes for " +
                     Twine(count) + " numbers of " + Twine(bits) + " bits");
  std::vector<double> result(count);
  for (int64_t i = 0; i < count; ++i) {
    unsigned value = 0;
    for (int64_t b = 0; b < bits; ++b) {
      int64_t place = i * bits + b;
      unsigned byte = static_cast<unsigned>(bytes.data[place / 8]);
      value |= (byte >> (place % 8) & 1) << b;
    }
    result[i] = value;
  }
  return result;
}

static LogicalResult evalLutToDense(Call &call) {
  const Tensor &indices = call["indices"], &lut = call["lut"];
  FailureOr<Tensor> result = failure();
  if (!call.has("shape")) {
    result = lookUp(call, indices, lut);
  } else {
    Shape shape = call.integers("shape", {});
    int64_t bits = 0;
    while ((int64_t(1) << bits) < lut.size())
      ++bits;
    FailureOr<std::vector<double>> numbers =
        unpackBytes(call, indices, countElements(shape), bits);
    if (failed(numbers))
      return failure();
    result = call.make(shape);
    for (int64_t i = 0, e = numbers->size(); i < e; ++i) {
      if ((*numbers)[i] >= lut.size())
        return call.fail("index " + Twine(int64_t((*numbers)[i])) +
                         " is outside of lut");
      result->data[i] = lut.data[int64_t((*numbers)[i])];
    }
  }
  return failed(result) ? failure() : call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// Sparse
//===----------------------------------------------------------------------===//

// The values at their places, zeros elsewhere.
static FailureOr<Tensor> spread(Call &call, const Tensor &mask,
                                const Tensor &values) {
  int64_t count = llvm::count_if(mask.data, [](double m) { return m != 0; });
  if (values.size() != count)
    return call.fail("there are " + Twine(values.size()) + " values, but " +
                     Twine(count) + " places in the mask");
  Tensor result(values.element, mask.shape);
  int64_t next = 0;
  for (int64_t i = 0, e = mask.size(); i < e; ++i)
    if (mask.data[i] != 0)
      result.data[i] = values.data[next++];
  return result;
}

static Tensor collect(const Tensor &mask, const Tensor &dense) {
  Tensor result;
  result.element = dense.element;
  for (int64_t i = 0, e = mask.size(); i < e; ++i)
    if (mask.data[i] != 0)
      result.data.push_back(dense.data[i]);
  result.shape = {result.size()};
  return result;
}

static LogicalResult evalSparseToDense(Call &call) {
  Tensor mask = call["mask"];
  if (call.has("shape")) {
    Shape shape = call.integers("shape", {});
    FailureOr<std::vector<double>> bits =
        unpackBytes(call, call["mask"], countElements(shape), 1);
    if (failed(bits))
      return failure();
    mask.data = std::move(*bits);
    mask.shape = shape;
  }
  FailureOr<Tensor> result = spread(call, mask, call["nonzero_data"]);
  return failed(result) ? failure() : call.yield(std::move(*result));
}

static LogicalResult evalLutToSparse(Call &call) {
  const Tensor &mask = call["indices_mask"];
  FailureOr<Tensor> indices = spread(call, mask, call["indices_nonzero_data"]);
  if (failed(indices))
    return failure();
  FailureOr<Tensor> dense = lookUp(call, *indices, call["lut"]);
  if (failed(dense))
    return failure();
  // A vector stands where its index stood.
  Tensor wide(mask.element, dense->shape);
  Shape strides = stridesOf(mask.shape);
  forEachIndex(wide.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    Shape from(index);
    for (int64_t d = 0; d < mask.rank(); ++d)
      from[d] = from[d] * mask.shape[d] / wide.shape[d];
    wide.data[position] = mask.data[dot(from, strides)];
  });
  Tensor values = collect(wide, *dense);
  if (failed(call.yield(std::move(wide))))
    return failure();
  return call.yield(std::move(values));
}

static LogicalResult evalSparseShiftScale(Call &call) {
  const Tensor &mask = call["data_mask"];
  FailureOr<Tensor> data = spread(call, mask, call["nonzero_data"]);
  if (failed(data))
    return failure();
  FailureOr<Tensor> dense = shiftAndScale(call, *data);
  if (failed(dense))
    return failure();
  Tensor values = collect(mask, *dense);
  if (failed(call.yield(mask)))
    return failure();
  return call.yield(std::move(values));
}

void mileval::addConstexprOps(OpTable &table) {
  table.add("constexpr_affine_dequantize", "quantized_data zero_point scale",
            evalAffine);
  table.add("constexpr_cast", "source_val", evalConstexprCast);
  table.add("constexpr_blockwise_shift_scale", "data scale", [](Call &call) {
    FailureOr<Tensor> result = shiftAndScale(call, call["data"]);
    return failed(result) ? failure() : call.yield(std::move(*result));
  });
  table.add("constexpr_lut_to_dense", "indices lut", evalLutToDense);
  table.add("constexpr_sparse_to_dense", "nonzero_data mask",
            evalSparseToDense);
  table.add("constexpr_lut_to_sparse", "indices_mask indices_nonzero_data lut",
            evalLutToSparse);
  table.add("constexpr_sparse_blockwise_shift_scale",
            "data_mask nonzero_data scale", evalSparseShiftScale);
}

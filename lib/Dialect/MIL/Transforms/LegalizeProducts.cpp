//===- LegalizeProducts.cpp - Convolutions and matrix products ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

using namespace mlir;
using namespace mlir::ane::mil;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

// 0, 1, ..., with the last two axes exchanged.
static SmallVector<int64_t> exchangeLastTwo(int64_t rank) {
  auto result = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(result[rank - 1], result[rank - 2]);
  return result;
}

static Value transposeLastTwo(Rewriting &r, Value value, const Twine &suffix) {
  return r.b.transpose(value, exchangeLastTwo(typeOf(value).getRank()), suffix);
}

//===----------------------------------------------------------------------===//
// Wide kernels
//===----------------------------------------------------------------------===//

// Height and width change places in image, kernel, steps and result.
void mlir::ane::mil::turnKernel(Rewriting &r) {
  Value weight = r.s.get("weight");
  TypedAttr turned =
      permuteConstant(weight.getDefiningOp<ConstOp>().getValue(), {0, 1, 3, 2});
  SmallVector<int64_t> shape(typeOf(weight).getShape());
  std::swap(shape[2], shape[3]);
  SmallVector<NewArgument> arguments =
      copyArguments(r.s, {"x", "weight", "strides", "dilations", "pad"});
  arguments.emplace_back("x", transposeLastTwo(r, r.s.get("x"), "turned"));
  arguments.emplace_back(
      "weight", r.b.constant(turned, typeOf(weight).clone(shape), "weight"));
  for (StringRef name : {"strides", "dilations", "pad"}) {
    std::optional<SmallVector<int64_t>> values = r.s.getIntegers(name);
    if (!values)
      continue;
    std::rotate(values->begin(), values->begin() + values->size() / 2,
                values->end());
    arguments.emplace_back(name, r.b.integers(*values, name));
  }
  SmallVector<int64_t> result(r.s.getResultTensor().getShape());
  std::swap(result[2], result[3]);
  Value image =
      r.b.emit("conv", arguments, r.s.getResultTensor().clone(result), "image");
  r.replaceBy("transpose",
              {{"perm", r.b.integers({0, 1, 3, 2}, "perm")}, {"x", image}});
}

void mlir::ane::mil::bridgeBlockwise(Rewriting &r) {
  Value weight = r.s.get("weight");
  Value zero = r.b.number(typeOf(weight).getElementType(), 0, "zero");
  SmallVector<NewArgument> arguments = copyArguments(r.s, {"weight"});
  arguments.emplace_back("weight", r.b.binary("add", weight, zero, "weight"));
  r.replaceBy(r.s.getType(), arguments);
}

//===----------------------------------------------------------------------===//
// A convolution as a matrix product, and the reverse
//===----------------------------------------------------------------------===//

// [rows, channels] x [batch, channels, positions]
void mlir::ane::mil::convToMatmul(Rewriting &r) {
  if (r.s.has("bias"))
    return splitBias(r); // comes back without
  RankedTensorType x = r.s.getTensor("x"), weight = r.s.getTensor("weight");
  RankedTensorType result = r.s.getResultTensor();
  int64_t batch = x.getDimSize(0), channels = x.getDimSize(1);
  int64_t rows = weight.getDimSize(0);
  int64_t positions = ShapedType::getNumElements(x.getShape().drop_front(2));
  Value matrix = r.b.reshape(r.s.get("weight"), {rows, channels}, "matrix");
  Value image =
      r.b.reshape(r.s.get("x"), {batch, channels, positions}, "columns");
  Value product = r.b.emit("matmul",
                           {{"transpose_x", r.b.boolean(false, "tx")},
                            {"transpose_y", r.b.boolean(false, "ty")},
                            {"x", matrix},
                            {"y", image}},
                           result.clone({batch, rows, positions}), "product");
  r.replaceBy("reshape", {{"shape", r.b.integers(result.getShape(), "shape")},
                          {"x", product}});
}

// The constant operand as a kernel [outputs, inputs, 1, 1].
static Value makeKernel(Rewriting &r, Value matrix, bool isTransposed) {
  TypedAttr value = matrix.getDefiningOp<ConstOp>().getValue();
  SmallVector<int64_t> shape(typeOf(matrix).getShape());
  if (isTransposed) {
    value = permuteConstant(value, {1, 0});
    std::swap(shape[0], shape[1]);
  }
  shape.append(2, 1);
  return r.b.constant(reshapeConstant(value, shape),
                      typeOf(matrix).clone(shape), "kernel");
}

// [batch, inputs, 1, positions] from [..., inputs, positions]
static Value makeImage(Rewriting &r, Value value) {
  RankedTensorType type = typeOf(value);
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  int64_t batch = ShapedType::getNumElements(type.getShape().drop_back(2));
  return r.b.reshape(value, {batch, matrix[0], 1, matrix[1]}, "image");
}

static Value emitPointwise(Rewriting &r, Value image, Value kernel) {
  SmallVector<int64_t> shape(typeOf(image).getShape());
  shape[1] = typeOf(kernel).getDimSize(0);
  return r.b.emit("conv",
                  {{"dilations", r.b.integers({1, 1}, "dilations")},
                   {"groups", r.b.integer(1, "groups")},
                   {"pad", r.b.integers({0, 0, 0, 0}, "pad")},
                   {"pad_type", r.b.string("valid", "pad_type")},
                   {"strides", r.b.integers({1, 1}, "strides")},
                   {"weight", kernel},
                   {"x", image}},
                  r.s.getResultTensor().clone(shape), "product");
}

// W y is a convolution of y, channel for row; x W is the transpose of one.
void mlir::ane::mil::matmulToConv(Rewriting &r) {
  bool isLeft = bool(r.s.getConst("x"));
  bool transposesX = r.s.getBool("transpose_x", false);
  bool transposesY = r.s.getBool("transpose_y", false);
  RankedTensorType result = r.s.getResultTensor();
  auto shapeArgument = [&](Value value) -> SmallVector<NewArgument> {
    return {{"shape", r.b.integers(result.getShape(), "shape")}, {"x", value}};
  };
  if (isLeft) {
    Value kernel = makeKernel(r, r.s.get("x"), transposesX);
    Value y = r.s.get("y");
    if (transposesY)
      y = transposeLastTwo(r, y, "turned");
    Value product = emitPointwise(r, makeImage(r, y), kernel);
    return r.replaceBy("reshape", shapeArgument(product));
  }
  Value kernel = makeKernel(r, r.s.get("y"), !transposesY);
  Value x = r.s.get("x");
  if (!transposesX)
    x = transposeLastTwo(r, x, "turned");
  Value product = emitPointwise(r, makeImage(r, x), kernel);
  SmallVector<int64_t> shape(result.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  Value columns = r.b.reshape(product, shape, "columns");
  r.replaceBy("transpose",
              {{"perm", r.b.integers(exchangeLastTwo(shape.size()), "perm")},
               {"x", columns}});
}

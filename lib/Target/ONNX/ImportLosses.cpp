//===- ImportLosses.cpp - Losses of training ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loss picks the logarithm of the probability of one class: the sum over the
// classes of its product with 1 where the class is that of the label.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

static Value compare(NodeImporter &node, StringRef type, Value x, Value y,
                     DataType result) {
  return node.cast(node.emit(type, {{"x", x}, {"y", y}}, DataType::Bool,
                             node.broadcast(x, y)),
                   result);
}

/// The loss of logarithms of probabilities, whose classes are dimension 1.
static LogicalResult importLikelihood(NodeImporter &node, Value logarithms) {
  SmallVector<int64_t> shape = node.shapeOf(logarithms);
  SmallVector<int64_t> labelShape = shape;
  int64_t rank = shape.size();
  if (rank < 2)
    return node.error() << "has scores of rank " << rank
                        << ", which have no classes";
  labelShape.erase(labelShape.begin() + 1);
  Value labels = node.cast(node.input(1), DataType::Int32);
  if (node.shapeOf(labels) != labelShape)
    return node.error() << "has labels that are not one for each "
                           "distribution";
  labelShape.insert(labelShape.begin() + 1, 1);
  labels = node.reshape(labels, labelShape);
  DataType type = node.dataTypeOf(logarithms);
  int64_t classes = shape[1];
  if (classes > maxKnownElements)
    return node.error() << "has " << classes << " classes, but at most "
                        << maxKnownElements << " can be imported";
  Tensor numbers;
  numbers.type = DataType::Int32;
  numbers.shape.assign(rank, 1);
  numbers.shape[1] = classes;
  std::vector<double> all(classes);
  for (int64_t i = 0; i < classes; ++i)
    all[i] = i;
  numbers.known = std::make_shared<const std::vector<double>>(std::move(all));
  Value picks = compare(node, "equal", labels, node.valueOf(numbers), type);
  bool ignores = node.hasAttribute("ignore_index");
  if (ignores)
    picks = node.binary("mul", picks,
                        compare(node, "not_equal", labels,
                                node.integer(node.integer("ignore_index", 0)),
                                type));
  StringRef mode = node.string("reduction", "mean");
  if (!llvm::is_contained({"none", "sum", "mean"}, mode))
    return node.error() << "has reduction '" << mode
                        << "', but none, sum and mean are known";
  if (node.has(2)) {
    SmallVector<int64_t> weightShape(rank, 1);
    weightShape[1] = classes;
    picks = node.binary("mul", picks, node.reshape(node.input(2), weightShape));
  }
  Value loss = node.binary(
      "mul",
      node.reduce("reduce_sum", node.binary("mul", picks, logarithms), {1},
                  /*keepsDims=*/false),
      -1);
  if (mode == "none")
    return node.set(loss);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  if (mode == "mean" && !node.has(2) && !ignores)
    return node.set(node.reduce("reduce_mean", loss, axes, false));
  Value sum = node.reduce("reduce_sum", loss, axes, false);
  if (mode == "sum")
    return node.set(sum);
  axes.push_back(rank - 1);
  return node.set(node.binary("real_div", sum,
                              node.reduce("reduce_sum", picks, axes, false)));
}

static LogicalResult importNegativeLogLikelihood(NodeImporter &node) {
  return importLikelihood(node, node.input(0));
}

static LogicalResult importSoftmaxCrossEntropy(NodeImporter &node) {
  Value x = node.input(0);
  if (node.shapeOf(x).size() < 2)
    return node.error() << "has scores of rank " << node.shapeOf(x).size()
                        << ", which have no classes";
  // x - log(sum(e^x))
  Value logarithms = node.binary(
      "sub", x, node.reduce("reduce_log_sum_exp", x, {1}, /*keepsDims=*/true));
  if (failed(node.set(logarithms, 1)))
    return failure();
  return importLikelihood(node, logarithms);
}

void onnx::addLossImport(ImportTable &table) {
  table[".NegativeLogLikelihoodLoss"] = {importNegativeLogLikelihood, 2};
  table[".SoftmaxCrossEntropyLoss"] = {importSoftmaxCrossEntropy, 2};
}

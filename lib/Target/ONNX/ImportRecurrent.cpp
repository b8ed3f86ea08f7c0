//===- ImportRecurrent.cpp - Layers with a memory -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL has the same layers, with gates in another order, and both directions of
// an lstm side by side instead of in a dimension of their own. What ONNX has in
// one tensor for both directions is cut here, where it is known.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

namespace {

struct Layer {
  StringRef type;
  SmallVector<int64_t> gates; ///< of MIL, as numbers of those of ONNX
  SmallVector<StringRef> defaults;
  unsigned initialH = 5, initialC = 6, peepholes = 7;
};

class RecurrentImporter {
public:
  RecurrentImporter(NodeImporter &node, const Layer &layer)
      : node(node), layer(layer) {}

  LogicalResult run();

private:
  LogicalResult check();
  /// Rows of all gates of one direction, in MIL's order.
  FailureOr<Value> rows(unsigned input, int64_t direction, int64_t first,
                        ArrayRef<int64_t> gates) const;
  FailureOr<Value> bias(int64_t direction) const;
  Value initial(unsigned input, int64_t direction) const;
  FailureOr<std::string> function(int64_t index) const;
  LogicalResult runDirection(int64_t direction,
                             SmallVectorImpl<Value> &results);
  LogicalResult runGruSteps(int64_t direction, Value sequence, Value w, Value r,
                            SmallVectorImpl<Value> &results);

  NodeImporter &node;
  const Layer &layer;
  int64_t steps = 0, batch = 0, hidden = 0, directions = 1;
  bool isBatchFirst = false;
  Value x;
};

} // namespace

LogicalResult RecurrentImporter::check() {
  ArrayRef<int64_t> shape = node.tensor(0).shape;
  hidden = node.integer("hidden_size", 0);
  directions = node.string("direction", "forward") == "bidirectional" ? 2 : 1;
  isBatchFirst = node.integer("layout", 0);
  int64_t gates = layer.gates.size();
  const Tensor &w = node.tensor(1), &r = node.tensor(2);
  if (shape.size() != 3 || hidden < 1 || hidden > mil::maxElements)
    return node.error() << "needs an input of rank 3 and a hidden_size";
  if (ArrayRef<int64_t>(w.shape) !=
          ArrayRef<int64_t>{directions, gates * hidden, shape[2]} ||
      ArrayRef<int64_t>(r.shape) !=
          ArrayRef<int64_t>{directions, gates * hidden, hidden})
    return node.error() << "has weights of another shape than " << directions
                        << " directions of " << gates << " gates of " << hidden
                        << " units need";
  if (!w.isConstant() || !r.isConstant())
    return node.error() << "has weights that are data";
  steps = shape[isBatchFirst ? 1 : 0];
  batch = shape[isBatchFirst ? 0 : 1];
  if (node.has(4)) {
    // All sequences are whole.
    auto lengths = node.knownIntegers(4, "sequence_lens");
    if (failed(lengths))
      return failure();
    for (int64_t length : *lengths)
      if (length != steps)
        return node.error() << "has a sequence of " << length << " of " << steps
                            << " steps, but whole ones can be imported";
  }
  if (node.hasAttribute("clip"))
    return node.error() << "clips its gates, which cannot be imported";
  if (node.integer("input_forget", 0))
    return node.error() << "couples its gates (input_forget), which cannot be "
                           "imported";
  if (countOf({batch, hidden}) > maxKnownOfModel)
    return node.error() << "has states of " << batch << " x " << hidden
                        << " elements, but at most " << maxKnownOfModel
                        << " can be imported";
  for (unsigned input : {layer.initialH, layer.initialC})
    if (node.has(input) &&
        ArrayRef<int64_t>(node.tensor(input).shape) !=
            (isBatchFirst ? ArrayRef<int64_t>{batch, directions, hidden}
                          : ArrayRef<int64_t>{directions, batch, hidden}))
      return node.error() << "has an initial state of another shape than "
                          << directions << " x " << batch << " x " << hidden;
  return success();
}

FailureOr<Value> RecurrentImporter::rows(unsigned input, int64_t direction,
                                         int64_t first,
                                         ArrayRef<int64_t> gates) const {
  const Tensor &tensor = node.tensor(input);
  auto elements = node.graph.elementsOf(tensor);
  if (failed(elements))
    return failure();
  int64_t inner = tensor.rank() == 3 ? tensor.shape[2] : 1;
  int64_t all = tensor.shape[1];
  auto known = std::make_shared<std::vector<double>>();
  for (int64_t gate : gates) {
    auto from =
        elements->begin() + (direction * all + first + gate * hidden) * inner;
    known->insert(known->end(), from, from + hidden * inner);
  }
  Tensor result;
  result.type = tensor.type;
  result.shape = {int64_t(gates.size()) * hidden};
  if (tensor.rank() == 3)
    result.shape.push_back(inner);
  result.known = std::move(known);
  return node.valueOf(result);
}

// That of x and that of h, which MIL adds up; a gru whose reset comes after has
// them on their own.
FailureOr<Value> RecurrentImporter::bias(int64_t direction) const {
  const Tensor &tensor = node.tensor(3);
  int64_t count = layer.gates.size() * hidden;
  if (ArrayRef<int64_t>(tensor.shape) !=
      ArrayRef<int64_t>{directions, 2 * count})
    return node.error() << "has a bias of another shape than " << directions
                        << " x " << 2 * count;
  auto elements = node.graph.elementsOf(tensor);
  if (failed(elements))
    return failure();
  auto known = std::make_shared<std::vector<double>>();
  for (int64_t gate : layer.gates)
    for (int64_t unit = 0; unit < hidden; ++unit) {
      int64_t at = direction * 2 * count + gate * hidden + unit;
      known->push_back((*elements)[at] + (*elements)[at + count]);
    }
  Tensor result;
  result.type = tensor.type;
  result.shape = {count};
  result.known = std::move(known);
  return node.valueOf(result);
}

Value RecurrentImporter::initial(unsigned input, int64_t direction) const {
  DataType type = node.dataTypeOf(x);
  if (!node.has(input)) {
    Tensor zeros;
    zeros.type = type;
    zeros.shape = {batch, hidden};
    zeros.known = std::make_shared<std::vector<double>>(batch * hidden, 0);
    return node.valueOf(zeros);
  }
  Value state = node.input(input);
  SmallVector<int64_t> begin = {direction, 0, 0}, size = {1, batch, hidden};
  if (isBatchFirst) {
    begin = {0, direction, 0};
    size = {batch, 1, hidden};
  }
  return node.reshape(node.slice(state, begin, size), {batch, hidden});
}

FailureOr<std::string> RecurrentImporter::function(int64_t index) const {
  static const llvm::StringMap<StringRef> names = {
      {"Sigmoid", "sigmoid"},
      {"Tanh", "tanh"},
      {"Relu", "relu"},
      {"Affine", "linear"},
      {"HardSigmoid", "sigmoid_hard"}};
  const AttributeMessage *given =
      node.find("activations", AttributeType::Strings);
  // None is the same as their defaults; which function has which is not known.
  for (StringRef parameters : {"activation_alpha", "activation_beta"})
    if (const AttributeMessage *numbers =
            node.find(parameters, AttributeType::Floats);
        numbers && !numbers->floats.empty())
      return node.error() << "has parameters of functions (" << parameters
                          << "), which cannot be imported";
  if (!given)
    return layer.defaults[index % layer.defaults.size()].str();
  if (index >= int64_t(given->strings.size()))
    return node.error() << "names " << given->strings.size()
                        << " functions, but has more";
  StringRef name = given->strings[index];
  auto found = names.find(name);
  if (found == names.end() || name == "Affine")
    return node.error() << "has the function '" << name
                        << "', which cannot be imported";
  return found->second.str();
}

// The reset gate scales what comes of h with its bias, of which nobody knows
// whether MIL's layer does: step by step, as the definition has it.
LogicalResult RecurrentImporter::runGruSteps(int64_t direction, Value sequence,
                                             Value w, Value r,
                                             SmallVectorImpl<Value> &results) {
  constexpr int64_t maxSteps = 1 << 16;
  if (steps > maxSteps)
    return node.error() << "is unrolled, and makes " << steps
                        << " steps, but at most " << maxSteps
                        << " can be imported";
  int64_t count = 3 * hidden;
  auto gate = function(direction * 2), fresh = function(direction * 2 + 1);
  if (failed(gate) || failed(fresh))
    return failure();
  if (*gate == "sigmoid_hard" || *fresh == "sigmoid_hard")
    return node.error() << "has a hard sigmoid, which cannot be imported here";
  auto product = [&](Value left, Value weight) {
    return node.matmul(left, weight, /*transposesX=*/false,
                       /*transposesY=*/true);
  };
  Value ofX = product(sequence, w), biasOfH;
  if (node.has(3)) {
    auto first = rows(3, direction, 0, layer.gates),
         second = rows(3, direction, count, layer.gates);
    if (failed(first) || failed(second))
      return failure();
    ofX = node.binary("add", ofX, *first);
    biasOfH = *second;
  }
  Value h = initial(layer.initialH, direction);
  SmallVector<Value> states;
  // Gates: reset, new, update.
  auto part = [&](Value sums, int64_t index) {
    return node.slice(sums, {0, index * hidden}, {batch, hidden});
  };
  for (int64_t step = 0; step < steps; ++step) {
    Value sums = node.reshape(node.slice(ofX, {step, 0, 0}, {1, batch, count}),
                              {batch, count});
    Value more = product(h, r);
    if (biasOfH)
      more = node.binary("add", more, biasOfH);
    auto gateOf = [&](int64_t index) {
      return node.unary(
          *gate, node.binary("add", part(sums, index), part(more, index)));
    };
    Value inner = node.binary("mul", gateOf(0), part(more, 1));
    Value next = node.unary(*fresh, node.binary("add", part(sums, 1), inner));
    h = node.binary("add", next,
                    node.binary("mul", gateOf(2), node.binary("sub", h, next)));
    states.push_back(node.reshape(h, {1, batch, hidden}));
  }
  results.assign({node.concat(states, 0), h});
  return success();
}

LogicalResult RecurrentImporter::runDirection(int64_t direction,
                                              SmallVectorImpl<Value> &results) {
  DataType type = node.dataTypeOf(x);
  auto w = rows(1, direction, 0, layer.gates);
  auto r = rows(2, direction, 0, layer.gates);
  if (failed(w) || failed(r))
    return failure();
  bool isReverse =
      direction == 1 || node.string("direction", "forward") == "reverse";
  bool isLstm = layer.type == "lstm";
  SmallVector<int64_t> axis = {0};
  // Steps from the end, and results back in their order.
  auto reversed = [&](Value value) {
    return isReverse ? node.emit("reverse",
                                 {{"x", value}, {"axes", node.integers(axis)}},
                                 type, node.shapeOf(value))
                     : value;
  };
  SmallVector<mil::NewArgument> arguments = {
      {"x", reversed(x)},
      {"initial_h", initial(layer.initialH, direction)},
      {"weight_ih", *w},
      {"weight_hh", *r},
      {"direction", node.string("forward")},
      {"output_sequence", node.boolean(true)}};
  if (isLstm)
    arguments.emplace_back("initial_c", initial(layer.initialC, direction));
  if (layer.type == "gru" && node.integer("linear_before_reset", 0)) {
    if (failed(runGruSteps(direction, reversed(x), *w, *r, results)))
      return failure();
    results[0] = reversed(results[0]);
    return success();
  }
  if (node.has(3)) {
    auto both = bias(direction);
    if (failed(both))
      return failure();
    arguments.emplace_back("bias", *both);
  }
  if (isLstm && node.has(layer.peepholes)) {
    // Of input, output and forget; MIL has input, forget, output.
    auto peepholes = rows(layer.peepholes, direction, 0, {0, 2, 1});
    if (failed(peepholes))
      return failure();
    arguments.emplace_back("peephole", *peepholes);
  }
  int64_t first = direction * layer.defaults.size();
  SmallVector<StringRef> names =
      isLstm ? SmallVector<StringRef>{"recurrent_activation", "cell_activation",
                                      "activation"}
      : layer.type == "gru"
          ? SmallVector<StringRef>{"recurrent_activation", "activation"}
          : SmallVector<StringRef>{"activation"};
  for (auto [index, name] : llvm::enumerate(names)) {
    auto text = function(first + index);
    if (failed(text))
      return failure();
    arguments.emplace_back(name, node.string(*text));
  }
  Type sequence = node.typeOf(type, {steps, batch, hidden}),
       state = node.typeOf(type, {batch, hidden});
  SmallVector<Type> types = {sequence, state};
  if (isLstm)
    types.push_back(state);
  results = node.emitAll(layer.type, arguments, types);
  results[0] = reversed(results[0]);
  return success();
}

LogicalResult RecurrentImporter::run() {
  if (failed(check()))
    return failure();
  x = node.input(0);
  if (isBatchFirst)
    x = node.transpose(x, {1, 0, 2});
  SmallVector<SmallVector<Value>, 2> all;
  for (int64_t direction = 0; direction < directions; ++direction)
    if (failed(runDirection(direction, all.emplace_back())))
      return failure();
  for (unsigned output = 0; output < all.front().size(); ++output) {
    if (!node.isUsed(output))
      continue;
    // The dimension of directions: after the steps, or in front.
    SmallVector<Value> parts;
    int64_t axis = output == 0 ? 1 : 0;
    SmallVector<int64_t> shape =
        output == 0 ? SmallVector<int64_t>{steps, 1, batch, hidden}
                    : SmallVector<int64_t>{1, batch, hidden};
    for (auto &results : all)
      parts.push_back(node.reshape(results[output], shape));
    Value value = node.concat(parts, axis);
    if (isBatchFirst)
      value = output == 0 ? node.transpose(value, {2, 0, 1, 3})
                          : node.transpose(value, {1, 0, 2});
    if (failed(node.set(value, output)))
      return failure();
  }
  return success();
}

static ImportFn recurrent(const Layer &layer) {
  return [layer](NodeImporter &node) {
    return RecurrentImporter(node, layer).run();
  };
}

void onnx::addRecurrentImport(ImportTable &table) {
  // ONNX: input, output, forget, cell; MIL: input, forget, output, cell.
  table[".LSTM"] = {
      recurrent({"lstm", {0, 2, 1, 3}, {"sigmoid", "tanh", "tanh"}}), 3};
  // ONNX: update, reset, new; MIL: reset, new, update.
  table[".GRU"] = {recurrent({"gru", {1, 2, 0}, {"sigmoid", "tanh"}}), 3};
  table[".RNN"] = {recurrent({"rnn", {0}, {"tanh"}}), 3};
}

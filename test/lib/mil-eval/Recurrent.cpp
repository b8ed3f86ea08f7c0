//===- Recurrent.cpp - States, and operations with a memory ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

// The argument that is a state.
static Value findState(Call &call) {
  for (Value operand : call.op->getOperands())
    if (isa<mil::StateType>(operand.getType()))
      return operand;
  (void)call.fail("has no argument that is a state");
  return {};
}

static LogicalResult evalReadState(Call &call) {
  Value state = findState(call);
  return state ? call.yield(*call.states->lookup(state)) : failure();
}

static LogicalResult writeState(Call &call, const Tensor &value) {
  Value state = findState(call);
  if (!state)
    return failure();
  const Tensor &old = *call.states->lookup(state);
  if (old.shape != value.shape)
    return call.fail("value is " + shapeText(value.shape) + ", but the state " +
                     shapeText(old.shape));
  auto held = std::make_shared<Tensor>(value);
  held->element = old.element;
  (*call.states)[state] = held;
  return success();
}

//===----------------------------------------------------------------------===//
// rnn, gru, lstm
//===----------------------------------------------------------------------===//

using Activation = double (*)(double);

static Activation activationOf(Call &call, StringRef argument,
                               StringRef byDefault) {
  StringRef name = call.text(argument, byDefault);
  if (name == "tanh" || name == "scaled_tanh")
    return [](double x) { return std::tanh(x); };
  if (name == "sigmoid")
    return [](double x) { return 1 / (1 + std::exp(-x)); };
  if (name == "relu")
    return [](double x) { return std::max(x, 0.0); };
  if (name == "linear")
    return [](double x) { return x; };
  if (name == "sigmoid_hard" || name == "hard_sigmoid")
    return [](double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); };
  (void)call.fail(argument + " is '" + name +
                  "', expected tanh, scaled_tanh, sigmoid, sigmoid_hard, "
                  "hard_sigmoid, relu or linear");
  return [](double x) { return x; };
}

namespace {
/// The weights of one direction, and what a step of it computes.
struct Cell {
  int64_t gates = 1, hidden = 0, inputs = 0;
  const Tensor *weightX = nullptr, *weightH = nullptr, *bias = nullptr;
  const Tensor *inputBias = nullptr, *peephole = nullptr;
  Activation gate, inner, outer;
  bool resetAfter = false;
  double clip = INFINITY;

  /// All gates of a step: W x + b, and R h apart from it.
  std::vector<double> fromInput(const double *x) const {
    std::vector<double> sum = product(*weightX, x, inputs);
    addBias(sum, bias);
    addBias(sum, inputBias);
    return sum;
  }
  std::vector<double> fromHidden(const double *h) const {
    return product(*weightH, h, hidden);
  }

private:
  std::vector<double> product(const Tensor &weight, const double *x,
                              int64_t depth) const {
    std::vector<double> sum(gates * hidden, 0.0);
    for (int64_t i = 0; i < gates * hidden; ++i)
      for (int64_t k = 0; k < depth; ++k)
        sum[i] += weight.data[i * depth + k] * x[k];
    return sum;
  }
  static void addBias(std::vector<double> &sum, const Tensor *bias) {
    if (bias)
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += bias->data[i];
  }
};
} // namespace

static LogicalResult readCell(Call &call, Cell &cell, int64_t gates,
                              StringRef suffix) {
  auto named = [&](StringRef name) { return call.find((name + suffix).str()); };
  cell.gates = gates;
  cell.weightX = named("weight_ih");
  cell.weightH = named("weight_hh");
  cell.bias = named("bias");
  cell.peephole = named("peephole");
  cell.inputBias = suffix.empty() ? call.find("input_bias") : nullptr;
  if (!cell.weightX || !cell.weightH)
    return call.fail("has no weight_ih" + suffix + " or weight_hh" + suffix);
  bool fits = cell.weightX->rank() == 2 && cell.weightH->rank() == 2;
  if (fits) {
    cell.hidden = cell.weightH->shape[1];
    cell.inputs = cell.weightX->shape[1];
    fits = cell.weightX->shape[0] == gates * cell.hidden &&
           cell.weightH->shape[0] == gates * cell.hidden;
  }
  for (const Tensor *bias : {cell.bias, cell.inputBias})
    fits &= !bias || bias->size() == gates * cell.hidden;
  fits &= !cell.peephole || cell.peephole->size() == 3 * cell.hidden;
  if (!fits)
    return call.fail("weights are " + shapeText(cell.weightX->shape) + " and " +
                     shapeText(cell.weightH->shape) + " for " + Twine(gates) +
                     " gates, or a bias does not fit them");
  return success();
}

// Whether reset scales the bias of the new gate, too, is not known. The
// compiler refuses it, and what we would say of it judges nothing.
static LogicalResult checkResetBias(Call &call, const Cell &cell) {
  if (!cell.resetAfter || !cell.bias)
    return success();
  ArrayRef<double> fresh =
      ArrayRef(cell.bias->data).slice(cell.hidden, cell.hidden);
  if (llvm::all_of(fresh, [](double value) { return value == 0; }))
    return success();
  return call.fail("has reset_after and a bias other than 0 for its new gate, "
                   "but it is not known whether the reset gate scales that "
                   "bias; give it as input_bias");
}

// h (and c of an lstm) become those after the step.
using Step = void (*)(const Cell &, const double *x, double *h, double *c);

static void stepRnn(const Cell &cell, const double *x, double *h, double *) {
  std::vector<double> a = cell.fromInput(x), b = cell.fromHidden(h);
  for (int64_t i = 0; i < cell.hidden; ++i)
    h[i] = cell.inner(a[i] + b[i]);
}

// Gates: reset, new, update.
static void stepGru(const Cell &cell, const double *x, double *h, double *) {
  int64_t n = cell.hidden;
  std::vector<double> a = cell.fromInput(x), b = cell.fromHidden(h);
  std::vector<double> reset(n), gated(n);
  for (int64_t i = 0; i < n; ++i) {
    reset[i] = cell.gate(a[i] + b[i]);
    gated[i] = reset[i] * h[i];
  }
  std::vector<double> after = cell.fromHidden(gated.data());
  for (int64_t i = 0; i < n; ++i) {
    double update = cell.gate(a[2 * n + i] + b[2 * n + i]);
    double hidden = cell.resetAfter ? reset[i] * b[n + i] : after[n + i];
    double fresh = cell.inner(a[n + i] + hidden);
    h[i] = (1 - update) * fresh + update * h[i];
  }
}

// Gates: input, forget, output, cell. Peepholes: input, forget, output.
static void stepLstm(const Cell &cell, const double *x, double *h, double *c) {
  int64_t n = cell.hidden;
  std::vector<double> a = cell.fromInput(x), b = cell.fromHidden(h);
  auto peek = [&](int64_t gate, int64_t i, double state) {
    return cell.peephole ? cell.peephole->data[gate * n + i] * state : 0;
  };
  for (int64_t i = 0; i < n; ++i) {
    auto sum = [&](int64_t gate) { return a[gate * n + i] + b[gate * n + i]; };
    double in = cell.gate(sum(0) + peek(0, i, c[i]));
    double forget = cell.gate(sum(1) + peek(1, i, c[i]));
    double fresh = cell.inner(sum(3));
    c[i] = std::clamp(forget * c[i] + in * fresh, -cell.clip, cell.clip);
    double out = cell.gate(sum(2) + peek(2, i, c[i]));
    h[i] = out * cell.outer(c[i]);
  }
}

namespace {
struct Recurrence {
  int64_t steps, batch, inputs, hidden, directions;
  Tensor sequence, h, c; // c of an lstm only
};
} // namespace

// All steps of one direction; its states are the `direction`th part of h, c. A
// layer in reverse has its results in the order of the computation, the second
// direction of two in that of x.
static void runDirection(Recurrence &r, const Cell &cell, Step step,
                         const Tensor &x, int64_t direction, bool isReverse) {
  int64_t width = r.directions * r.hidden, part = direction * r.hidden;
  for (int64_t t = 0; t < r.steps; ++t) {
    int64_t time = isReverse ? r.steps - 1 - t : t;
    for (int64_t b = 0; b < r.batch; ++b) {
      double *h = r.h.data.data() + b * width + part;
      double *c =
          r.c.data.empty() ? nullptr : r.c.data.data() + b * width + part;
      step(cell, x.data.data() + (time * r.batch + b) * r.inputs, h, c);
      int64_t place = direction ? time : t;
      std::copy(h, h + r.hidden,
                r.sequence.data.begin() + (place * r.batch + b) * width + part);
    }
  }
}

static LogicalResult evalRecurrent(Call &call, int64_t gates, Step step) {
  const Tensor &x = call["x"];
  StringRef direction = call.text("direction", "forward");
  bool isBoth = direction == "bidirectional";
  bool isLstm = gates == 4;
  if (direction != "forward" && direction != "reverse" && !isBoth)
    return call.fail("direction is '" + direction +
                     "', expected forward, reverse or bidirectional");
  Cell cells[2];
  if (failed(readCell(call, cells[0], gates, "")) ||
      (isBoth && failed(readCell(call, cells[1], gates, "_back"))))
    return failure();
  for (Cell &cell : cells) {
    cell.gate = activationOf(call, "recurrent_activation", "sigmoid");
    cell.inner = isLstm ? activationOf(call, "cell_activation", "tanh")
                        : activationOf(call, "activation", "tanh");
    cell.outer = activationOf(call, "activation", "tanh");
    cell.resetAfter = call.flag("reset_after", false);
    cell.clip = call.number("clip", INFINITY);
    if (failed(checkResetBias(call, cell)))
      return failure();
  }
  if (x.rank() != 3 || x.shape[2] != cells[0].inputs ||
      (isBoth && cells[1].hidden != cells[0].hidden))
    return call.fail("x is " + shapeText(x.shape) + ", but weight_ih takes " +
                     Twine(cells[0].inputs) + " inputs");
  Recurrence r{x.shape[0],     x.shape[1], x.shape[2],        cells[0].hidden,
               isBoth ? 2 : 1, {},         call["initial_h"], {}};
  if (isLstm)
    r.c = call["initial_c"];
  int64_t width = r.directions * r.hidden;
  if (r.h.size() != r.batch * width || (isLstm && r.c.size() != r.h.size()))
    return call.fail("initial state is " + shapeText(r.h.shape) +
                     ", expected " + shapeText({r.batch, width}));
  FailureOr<Tensor> sequence = call.make({r.steps, r.batch, width});
  if (failed(sequence) || call.failed())
    return failure();
  r.sequence = std::move(*sequence);
  runDirection(r, cells[0], step, x, 0, direction == "reverse");
  if (isBoth)
    runDirection(r, cells[1], step, x, 1, true);
  bool all = call.flag("output_sequence", false);
  Tensor first = all ? r.sequence : r.h;
  if (!all)
    first.shape = {1, r.batch, width};
  if (!all && call.resultCount() &&
      cast<ShapedType>(call.op->getResult(0).getType()).getRank() == 2)
    first.shape = {r.batch, width};
  if (failed(call.yield(std::move(first))) ||
      failed(call.yield(std::move(r.h))))
    return failure();
  return isLstm ? call.yield(std::move(r.c)) : success();
}

void mileval::addRecurrentOps(OpTable &table) {
  table.add("rnn", "x initial_h weight_ih weight_hh",
            [](Call &call) { return evalRecurrent(call, 1, stepRnn); });
  table.add("gru", "x initial_h weight_ih weight_hh",
            [](Call &call) { return evalRecurrent(call, 3, stepGru); });
  table.add("lstm", "x initial_h initial_c weight_ih weight_hh",
            [](Call &call) { return evalRecurrent(call, 4, stepLstm); });
}

void mileval::addStateOps(OpTable &table) {
  table.add("read_state", "", evalReadState);
  table.add("write_state", "data",
            [](Call &call) { return writeState(call, call["data"]); });
  table.add("coreml_update_state", "value", [](Call &call) {
    const Tensor &value = call["value"];
    if (failed(writeState(call, value)))
      return failure();
    return call.yield(value);
  });
}

//===- ImportRecurrent.cpp - MIL layers with a memory ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rnn, gru and lstm, step by step: a program has no loops. What x has to do
// with the gates is one convolution for all steps; a step adds that of the
// hidden state, whose weights all steps share.
//
// Everything is an image with units as channels and a column for each sample,
// as the engine has it: steps are rows, [1, units, steps, batch], so that the
// gates are slices of channels and the sums of a step are one row.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace {
/// A function of a layer with the parameters that it has as an operation, where
/// nothing else is said.
struct Function {
  StringRef name;
  std::optional<ActivationKind> kind; // none: linear
  double alpha = 0, beta = 0;
};

/// What a step of one direction needs, for `hidden` units.
struct Cell {
  int64_t gates = 1;
  int64_t hidden = 0;
  Value weight; // [gates * hidden, hidden, 1, 1]; of a gru [2 * hidden, ...]
  Value freshWeight;            // of a gru whose reset comes first: the rest
  SmallVector<Value> peepholes; // [1, hidden, 1, 1] each; none or three
  Value fromInput; // [1, gates * hidden, steps, batch]: W x + bias of all steps
  const Function *gate = nullptr, *inner = nullptr, *outer = nullptr;
  double clip = 0; // 0: none
  bool resetsAfter = false;

  /// The gates [first, first + count) of `sums`.
  Value gatesOf(Statement &s, Value sums, int64_t first,
                int64_t count = 1) const {
    return s.sliceAxis(sums, 1, first * hidden, count * hidden);
  }
};

/// What goes from step to step, [1, hidden, 1, batch] each.
struct Memory {
  Value h;
  Value c; // of an lstm only
};
} // namespace

using Step = void (*)(Statement &, const Cell &, Value sums, Memory &);

static Value add(Statement &s, Value lhs, Value rhs) {
  return s.binary(ElementwiseKind::Add, lhs, rhs);
}

static Value multiply(Statement &s, Value lhs, Value rhs) {
  return s.binary(ElementwiseKind::Mul, lhs, rhs);
}

/// `weight` times the channels of `x`.
static Value product(Statement &s, Value x, Value weight, Value bias = {}) {
  return s.build<ConvOp>(x, weight, bias, Value(), ArrayRef<int64_t>{1, 1},
                         ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1},
                         1, ActivationAttr());
}

static constexpr StringLiteral functionNames =
    "tanh, scaled_tanh, sigmoid, sigmoid_hard, hard_sigmoid, relu or linear";

// The layers' definitions say hard_sigmoid, the operation is sigmoid_hard; both
// are written. That scaled_tanh is tanh, too, the converter's tests say.
static const Function *functionNamed(StringRef name) {
  static const Function functions[] = {
      {"tanh", ActivationKind::Tanh},
      {"scaled_tanh", ActivationKind::Tanh},
      {"sigmoid", ActivationKind::Sigmoid},
      {"sigmoid_hard", ActivationKind::HardSigmoid, 0.2, 0.5},
      {"hard_sigmoid", ActivationKind::HardSigmoid, 0.2, 0.5},
      {"relu", ActivationKind::Relu},
      {"linear", std::nullopt}};
  const Function *found = llvm::find_if(
      functions, [&](const Function &one) { return one.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

/// A sequence or state that is a constant meets weights as data does.
static Value toHalf(Statement &s, Value x) {
  return s.toElementType(x, Float16Type::get(s.getContext()));
}

static Value activate(Statement &s, Value x, const Function *function) {
  return function->kind
             ? s.activation(x, *function->kind, function->alpha, function->beta)
             : x;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void stepRnn(Statement &s, const Cell &cell, Value sums,
                    Memory &memory) {
  sums = add(s, sums, product(s, memory.h, cell.weight));
  memory.h = activate(s, sums, cell.inner);
}

// Gates, as orderGates has them: reset r, update z, new.
// h' = (1 - z) new + z h = new + z (h - new).
static void stepGru(Statement &s, const Cell &cell, Value sums,
                    Memory &memory) {
  Value more = product(s, memory.h, cell.weight);
  Value both = cell.gatesOf(s, sums, 0, 2);
  both = activate(s, add(s, both, cell.gatesOf(s, more, 0, 2)), cell.gate);
  Value reset = cell.gatesOf(s, both, 0), update = cell.gatesOf(s, both, 1);
  Value inner = cell.resetsAfter ? multiply(s, reset, cell.gatesOf(s, more, 2))
                                 : product(s, multiply(s, reset, memory.h),
                                           cell.freshWeight);
  Value fresh =
      activate(s, add(s, cell.gatesOf(s, sums, 2), inner), cell.inner);
  Value change = s.binary(ElementwiseKind::Sub, memory.h, fresh);
  memory.h = add(s, fresh, multiply(s, update, change));
}

// Gates: input, forget, output, new. Peepholes let the first three see the
// state, the output gate the new one.
static void stepLstm(Statement &s, const Cell &cell, Value sums,
                     Memory &memory) {
  sums = add(s, sums, product(s, memory.h, cell.weight));
  // One table for three gates, where they have all that they see.
  bool seesState = !cell.peepholes.empty();
  Value three =
      seesState ? Value() : activate(s, cell.gatesOf(s, sums, 0, 3), cell.gate);
  auto gate = [&](int64_t index) {
    if (!seesState)
      return cell.gatesOf(s, three, index);
    Value seen = multiply(s, memory.c, cell.peepholes[index]);
    return activate(s, add(s, cell.gatesOf(s, sums, index), seen), cell.gate);
  };
  Value in = gate(0), forget = gate(1);
  Value fresh = activate(s, cell.gatesOf(s, sums, 3), cell.inner);
  Value kept = multiply(s, forget, memory.c);
  memory.c = add(s, kept, multiply(s, in, fresh));
  if (cell.clip > 0)
    memory.c =
        s.activation(memory.c, ActivationKind::Clamp, -cell.clip, cell.clip);
  memory.h = multiply(s, gate(2), activate(s, memory.c, cell.outer));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static const Function *readFunction(Statement &s, StringRef argument,
                                    StringRef otherwise) {
  StringRef name = s.string(argument, otherwise);
  const Function *function = functionNamed(name);
  if (!s.failed() && !function)
    s.error() << "argument '" << argument << "' is '" << name
              << "', but must be " << functionNames;
  return function;
}

/// An optional constant of `size` elements, as channels.
static Value optionalVector(Statement &s, const Twine &argument, int64_t size) {
  std::string name = argument.str();
  Value value = s.optionalTensor(name);
  if (!value)
    return {};
  int64_t elements = cast<ShapedType>(value.getType()).getNumElements();
  if (elements == size)
    return s.reshape(value, {1, size, 1, 1});
  s.error() << "argument '" << name << "' has " << elements
            << " elements, but must have " << size
            << ", one for each unit of each gate";
  return {};
}

/// A matrix of weights, of any number of rows where that is 0, as a filter.
static Value filter(Statement &s, const Twine &argument, int64_t rows,
                    int64_t columns) {
  std::string name = argument.str();
  Value value = s.tensor(name);
  if (s.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(value);
  if (shape.size() == 2 && (!rows || shape[0] == rows) && shape[1] == columns)
    return s.reshape(value, {shape[0], shape[1], 1, 1});
  InFlightDiagnostic diagnostic = s.error();
  diagnostic << "argument '" << name << "' has the type " << value.getType()
             << ", but must have ";
  if (rows)
    diagnostic << rows << " rows and ";
  diagnostic << columns << " columns";
  return {};
}

/// The gates of a gru along `axis`, which MIL stores as reset, new, update,
/// with the two side by side that have one function.
static Value orderGates(Statement &s, const Cell &cell, Value value,
                        int64_t axis) {
  if (cell.gates != 3 || !value)
    return value;
  SmallVector<Value> gates;
  for (int64_t gate : {0, 2, 1})
    gates.push_back(s.sliceAxis(value, axis, gate * cell.hidden, cell.hidden));
  return s.concat(gates, axis);
}

// Whether reset scales the bias of the new gate, too, the definition does not
// say; the converter's test that expects it, as torch does, is known to fail.
static void checkResetBias(Statement &s, const Cell &cell) {
  if (!cell.resetsAfter || !s.has("bias"))
    return;
  std::vector<float> bias = s.numbers("bias");
  if (s.failed())
    return;
  ArrayRef<float> fresh = ArrayRef(bias).slice(cell.hidden, cell.hidden);
  if (llvm::any_of(fresh, [](float value) { return value != 0; }))
    s.error() << "has reset_after and a 'bias' other than 0 for its new gate, "
                 "but it is not known whether the reset gate scales that bias; "
                 "give it as 'input_bias', which is not scaled, or write the "
                 "steps with matmul, sigmoid and tanh";
}

static void readActivations(Statement &s, Cell &cell) {
  bool isLstm = cell.gates == 4;
  if (cell.gates > 1)
    cell.gate = readFunction(s, "recurrent_activation", "sigmoid");
  cell.outer = readFunction(s, "activation", "tanh");
  cell.inner = isLstm ? readFunction(s, "cell_activation", "tanh") : cell.outer;
  if (!isLstm || !s.has("clip"))
    return;
  cell.clip = s.number("clip");
  if (!s.failed() && !(cell.clip > 0))
    s.error() << "argument 'clip' is " << cell.clip << ", but must be above 0";
}

/// The cell whose arguments end in `suffix`; `x` is [1, inputs, steps, batch].
static Cell readCell(Statement &s, int64_t gates, const Twine &suffix,
                     Value x) {
  Cell cell;
  cell.gates = gates;
  Value weight = filter(s, "weight_ih" + suffix, 0, shapeOf(x)[1]);
  if (s.failed())
    return cell;
  int64_t width = shapeOf(weight)[0];
  cell.hidden = width / gates;
  if (width % gates || width == 0) {
    s.error() << "argument 'weight_ih" << suffix << "' has " << width
              << " rows, but must have as many for each of " << gates
              << " gates";
    return cell;
  }
  cell.weight = filter(s, "weight_hh" + suffix, width, cell.hidden);
  readActivations(s, cell);
  Value bias = optionalVector(s, "bias" + suffix, width), inputBias, peephole;
  if (gates == 3) {
    cell.resetsAfter = s.boolean("reset_after", false);
    inputBias = optionalVector(s, "input_bias", width);
    checkResetBias(s, cell);
  }
  if (gates == 4)
    peephole = optionalVector(s, "peephole" + suffix, 3 * cell.hidden);
  if (s.failed())
    return cell;
  for (int64_t gate = 0; gate < 3 && peephole; ++gate)
    cell.peepholes.push_back(cell.gatesOf(s, peephole, gate));
  cell.weight = orderGates(s, cell, cell.weight, 0);
  // Slices of constants, which all steps share.
  if (gates == 3 && !cell.resetsAfter) {
    cell.freshWeight =
        s.sliceAxis(cell.weight, 0, 2 * cell.hidden, cell.hidden);
    cell.weight = s.sliceAxis(cell.weight, 0, 0, 2 * cell.hidden);
  }
  cell.fromInput = product(s, x, orderGates(s, cell, weight, 0));
  for (Value term : {bias, inputBias})
    if (term)
      cell.fromInput = add(s, cell.fromInput, orderGates(s, cell, term, 1));
  return cell;
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

namespace {
/// The order of steps, and of what they give. A layer that runs backwards gives
/// the last element's state first; next to one that runs forwards, which has a
/// state of the same element, it gives that last.
enum class Order { Forward, Reverse, Back };
} // namespace

/// Runs all steps of one direction; returns h after each as
/// [1, hidden, steps, batch].
static Value runSteps(Statement &s, const Cell &cell, Step step, Order order,
                      Memory &memory) {
  int64_t count = shapeOf(cell.fromInput)[2];
  SmallVector<Value> states(count);
  for (int64_t i = 0; i < count && !s.failed(); ++i) {
    int64_t at = order == Order::Forward ? i : count - 1 - i;
    step(s, cell, s.sliceAxis(cell.fromInput, 2, at, 1), memory);
    states[order == Order::Back ? at : i] = memory.h;
  }
  return s.concat(states, 2);
}

/// Units of all steps, [1, units, steps, batch], as [steps, batch, units].
static Value toSequence(Statement &s, Value image) {
  if (!image)
    return {};
  SmallVector<int64_t> shape(shapeOf(image));
  return s.reshape(s.transpose(image, {0, 2, 3, 1}),
                   {shape[2], shape[3], shape[1]});
}

/// The units of one direction of an initial state, [batch, all units].
static Value initialState(Statement &s, StringRef argument, int64_t batch,
                          int64_t hidden, int64_t direction,
                          int64_t directions) {
  Value state = s.tensor(argument);
  if (s.failed())
    return {};
  int64_t width = directions * hidden;
  if (cast<ShapedType>(state.getType()).getNumElements() != batch * width) {
    s.error() << "argument '" << argument << "' has the type "
              << state.getType() << ", but must be " << batch << "x" << width
              << ", all units for each sample";
    return {};
  }
  state = s.transpose(s.reshape(toHalf(s, state), {1, 1, batch, width}),
                      {0, 3, 1, 2});
  return s.sliceAxis(state, 1, direction * hidden, hidden);
}

/// Sequences of `steps` samples, as [1, inputs, steps, batch].
static Value readSequence(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  // A program has at most 65,536 tasks, of which a step takes about ten.
  constexpr int64_t maxSteps = 4096;
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() != 3 || shape[0] > maxSteps) {
    s.error() << "has an x of type " << x.getType()
              << ", but must have one of steps, batch and inputs, with at most "
              << maxSteps << " steps; cut a longer sequence, and give the last "
              << "states of a part to the next";
    return {};
  }
  return s.transpose(s.reshape(toHalf(s, x), {1, shape[0], shape[1], shape[2]}),
                     {0, 3, 1, 2});
}

static SmallVector<Value> importRecurrent(Statement &s, int64_t gates,
                                          Step step) {
  bool isLstm = gates == 4;
  Value x = readSequence(s);
  StringRef direction = s.string("direction", "forward");
  bool keepsAll = s.boolean("output_sequence", false);
  if (s.failed())
    return {};
  bool isBoth = isLstm && direction == "bidirectional";
  if (direction != "forward" && direction != "reverse" && !isBoth) {
    s.error() << "argument 'direction' is '" << direction << "', but must be "
              << (isLstm ? "forward, reverse or bidirectional"
                         : "forward or reverse");
    return {};
  }
  int64_t directions = isBoth ? 2 : 1, batch = shapeOf(x)[3];
  SmallVector<Value> sequences, hidden, states; // of each direction
  for (int64_t part = 0; part < directions; ++part) {
    Cell cell = readCell(s, gates, part ? "_back" : "", x);
    Memory memory;
    memory.h =
        initialState(s, "initial_h", batch, cell.hidden, part, directions);
    if (isLstm)
      memory.c =
          initialState(s, "initial_c", batch, cell.hidden, part, directions);
    if (s.failed())
      return {};
    Order order = part                     ? Order::Back
                  : direction == "reverse" ? Order::Reverse
                                           : Order::Forward;
    sequences.push_back(runSteps(s, cell, step, order, memory));
    hidden.push_back(memory.h);
    states.push_back(memory.c);
  }
  if (s.failed())
    return {};
  auto toState = [&](ArrayRef<Value> parts) {
    Value units = toSequence(s, s.concat(parts, 1));
    return units ? s.reshape(units, shapeOf(units).drop_front()) : Value();
  };
  Value last = toState(hidden);
  // Some writers leave out the dimension of one step.
  Value output = keepsAll ? toSequence(s, s.concat(sequences, 1))
                          : s.extendRank(last, s.resultShape().size());
  SmallVector<Value> results = {output, last};
  if (isLstm)
    results.push_back(toState(states));
  return results;
}

void mlir::ane::addMILRecurrentImport(MILImporter &importer) {
  importer.addMany("rnn",
                   [](Statement &s) { return importRecurrent(s, 1, stepRnn); });
  importer.addMany("gru",
                   [](Statement &s) { return importRecurrent(s, 3, stepGru); });
  importer.addMany(
      "lstm", [](Statement &s) { return importRecurrent(s, 4, stepLstm); });
}

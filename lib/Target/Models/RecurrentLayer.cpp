//===- RecurrentLayer.cpp - Layers with a memory --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrentLayer.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;

Value models::reverseSteps(ProgramBuilder &builder, Value x) {
  return builder.emit("reverse", {{"x", x}, {"axes", builder.integers({0})}},
                      builder.elementOf(x), builder.shapeOf(x));
}

RecurrentResult models::emitRecurrent(ProgramBuilder &builder, StringRef type,
                                      Value x, int64_t hidden,
                                      const RecurrentDirection &direction) {
  Type element = builder.elementOf(x);
  Shape shape = builder.shapeOf(x);
  int64_t steps = shape[0], batch = shape[1], inputs = shape[2],
          rows = int64_t(direction.recursion.size()) / hidden;
  bool isLstm = type == "lstm";
  auto state = [&](Value given) {
    return given
               ? given
               : builder.weight("zeros", std::vector<float>(batch * hidden, 0),
                                element, {batch, hidden});
  };
  SmallVector<mil::NewArgument> arguments = {
      {"x", direction.isReverse ? reverseSteps(builder, x) : x},
      {"initial_h", state(direction.h)},
      {"weight_ih",
       builder.weight("weights", direction.weight, element, {rows, inputs})},
      {"weight_hh", builder.weight("recursion", direction.recursion, element,
                                   {rows, hidden})},
      {"direction", builder.string("forward")},
      {"output_sequence", builder.boolean(true)}};
  if (isLstm)
    arguments.emplace_back("initial_c", state(direction.c));
  if (!direction.bias.empty())
    arguments.emplace_back(
        "bias", builder.weight("bias", direction.bias, element, {rows}));
  if (!direction.peephole.empty())
    arguments.emplace_back(
        "peephole",
        builder.weight("peephole", direction.peephole, element, {3 * hidden}));
  if (direction.clip)
    arguments.emplace_back("clip", builder.number(element, *direction.clip));
  constexpr StringLiteral lstm[] = {"recurrent_activation", "cell_activation",
                                    "activation"};
  constexpr StringLiteral gru[] = {"recurrent_activation", "activation"};
  constexpr StringLiteral rnn[] = {"activation"};
  ArrayRef<StringLiteral> names = isLstm          ? ArrayRef(lstm)
                                  : type == "gru" ? ArrayRef(gru)
                                                  : ArrayRef(rnn);
  for (auto [name, function] : llvm::zip_equal(names, direction.functions))
    arguments.emplace_back(name, builder.string(function));
  auto sequence = RankedTensorType::get({steps, batch, hidden}, element),
       last = RankedTensorType::get({batch, hidden}, element);
  SmallVector<Type> types = {sequence, last};
  if (isLstm)
    types.push_back(last);
  SmallVector<Value> results = builder.emitAll(type, arguments, types);
  return {results[0], results[1], isLstm ? results[2] : Value()};
}

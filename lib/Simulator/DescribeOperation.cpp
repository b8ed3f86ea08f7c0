//===- DescribeOperation.cpp - What a task computes, for people -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line for reports, from what the registers say: a program of any origin has
// it. Constants and order are left out; the registers themselves have them.
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/TaskConfig.h"

#include "absl/strings/str_cat.h"

namespace ane::sim {

static std::string pair(uint32_t y, uint32_t x) {
  return absl::StrCat(y, "x", x);
}

static std::string describeConv(const TaskConfig &task) {
  const NeuralConfig &ne = task.neural;
  std::string text = absl::StrCat("conv ", pair(ne.kh, ne.kw));
  if (task.kernel.base != hw::BaseConst)
    text = "product with a tensor";
  if (ne.sy != 1 || ne.sx != 1)
    absl::StrAppend(&text, ", stride ", pair(ne.sy, ne.sx));
  if (ne.unicast)
    absl::StrAppend(&text, ", depthwise");
  if (task.result.dram.dims.g > 1)
    absl::StrAppend(&text, ", ", task.result.dram.dims.g, " groups");
  if (ne.hasBias)
    absl::StrAppend(&text, ", bias");
  return text;
}

static std::string describeNeural(const TaskConfig &task) {
  using Op = h13::NE::OpMode;
  const NeuralConfig &ne = task.neural;
  std::string text;
  if (ne.hasKernel)
    text = describeConv(task);
  else if (ne.op == Op::ElementMultiply)
    text = "product of channels";
  else if (ne.op == Op::ChannelMax)
    text = "maximum of channels";
  else if (ne.op == Op::Conv)
    text = ne.unicast ? "add a constant" : "sum of channels";
  else
    text = task.result.dram.exchange ? "transpose" : "copy";
  const char *function = "";
  if (ne.function == h13::NE::NonlinearMode::ReLU)
    function = "relu";
  else if (ne.function == h13::NE::NonlinearMode::LUT)
    function = "table";
  if (text == "copy" && *function)
    return function;
  return *function ? absl::StrCat(text, ", ", function) : text;
}

static const char *name(h13::PE::OpMode op) {
  using Op = h13::PE::OpMode;
  switch (op) {
  case Op::Add:
    return "add";
  case Op::Mul:
    return "multiply";
  case Op::Max:
    return "maximum";
  case Op::Min:
    return "minimum";
  case Op::SquareSum:
    break;
  }
  return "square of the sum";
}

static std::string describePlanar(const TaskConfig &task) {
  const PlanarConfig &pe = task.planar;
  std::string text = pe.scaleBias ? "scale and bias" : "linear";
  if (pe.binary)
    text = task.source2.negated ? "subtract" : name(pe.op);
  if (pe.reduces)
    text = absl::StrCat(pe.pool == h13::PE::PoolMode::Max ? "maximum" : "sum",
                        " of each channel",
                        pe.binary ? absl::StrCat(" of ", name(pe.op))
                                  : std::string());
  if (pe.abs)
    absl::StrAppend(&text, ", abs");
  if (pe.relu)
    absl::StrAppend(&text, ", relu");
  if (pe.function == h13::PE::NLMode::Reciprocal)
    absl::StrAppend(&text, ", 1/x");
  if (pe.function == h13::PE::NLMode::ReciprocalRoot)
    absl::StrAppend(&text, ", 1/sqrt(x)");
  return text;
}

std::string describeOperation(const TaskConfig &task) {
  return task.isNeural ? describeNeural(task) : describePlanar(task);
}

} // namespace ane::sim

//===- Executable.cpp - A program on a device -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Device.h"

#include "ane/HW/Arrays.h"
#include "ane/HW/H13.h"
#include "ane/HW/H13Form.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::rt {

absl::Status
Executable::checkBuffers(absl::Span<const absl::Span<uint8_t>> buffers) const {
  const absl::Span<const hw::Tensor> all = tensors();
  if (buffers.size() != all.size())
    return absl::InvalidArgumentError(absl::StrFormat(
        "%d buffers for %d tensors", buffers.size(), all.size()));
  for (size_t i = 0; i < all.size(); ++i)
    if (buffers[i].size() != all[i].bytes && !(buffers[i].empty() && isKept(i)))
      return absl::InvalidArgumentError(
          absl::StrFormat("tensor '%s' has %d bytes, its buffer %d",
                          all[i].name, all[i].bytes, buffers[i].size()));
  return absl::OkStatus();
}

absl::StatusOr<RunResult>
Executable::run(absl::Span<const absl::Span<uint8_t>> buffers,
                const RunOptions &options) {
  if (absl::Status status = checkBuffers(buffers); !status.ok())
    return status;
  absl::StatusOr<RunResult> result = runOn(buffers, options);
  if (!result.ok())
    return result; // states are those before the run
  for (const State &state : states)
    if (state.how == Keeping::Exchange)
      if (absl::Status status = exchange(state.input, state.output);
          !status.ok())
        return status;
  return result;
}

absl::StatusOr<RunResult>
Executable::runOn(absl::Span<const absl::Span<uint8_t>> buffers,
                  const RunOptions &options) {
  // Outputs too: what the engine does not write stays as the caller has it.
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].empty() &&
        !(isKept(i) && tensors()[i].kind == hw::TensorKind::Output))
      if (absl::Status status = write(i, buffers[i]); !status.ok())
        return status;
  absl::StatusOr<RunResult> result = execute(options);
  for (size_t i = 0; result.ok() && i < buffers.size(); ++i)
    if (!buffers[i].empty() && tensors()[i].kind == hw::TensorKind::Output)
      if (absl::Status status = read(i, buffers[i]); !status.ok())
        return status;
  return result;
}

bool Executable::isKept(size_t tensor) const {
  return std::any_of(states.begin(), states.end(), [&](const State &state) {
    return state.input == tensor || state.output == tensor;
  });
}

/// Whether a task reads the surface of `input` when one has begun to write that
/// of `output`. A task that does both may read what it has written.
static absl::Status checkOrder(const hw::Program &program,
                               const hw::Tensor &input,
                               const hw::Tensor &output) {
  absl::StatusOr<std::vector<hw::Task>> tasks = hw::inH13Form(
      program.generation, program.tasks, hw::constantPlaces(program));
  if (!tasks.ok())
    return tasks.status();
  using namespace hw::h13;
  std::optional<size_t> writer;
  for (size_t i = 0; i < tasks->size(); ++i) {
    const hw::Task &task = (*tasks)[i];
    if (!writer && task.get(Header::WBE) &&
        task.get(Header::WBase) == output.base)
      writer = i;
    const bool reads =
        (task.get(Header::RBE0) && task.get(Header::RBase0) == input.base) ||
        (task.get(Header::RBE1) && task.get(Header::RBase1) == input.base);
    if (writer && reads)
      return absl::InvalidArgumentError(absl::StrFormat(
          "'%s' and '%s' cannot be in the same memory: task %d reads '%s', and "
          "task %d has begun to write '%s'; let them exchange theirs",
          input.name, output.name, i, input.name, *writer, output.name));
  }
  return absl::OkStatus();
}

absl::Status Executable::keep(size_t input, size_t output, Keeping how) {
  const absl::Span<const hw::Tensor> all = tensors();
  if (input >= all.size() || output >= all.size() ||
      all[input].kind != hw::TensorKind::Input ||
      all[output].kind != hw::TensorKind::Output)
    return absl::InvalidArgumentError(absl::StrFormat(
        "a state is an input and an output, not tensors %d and %d", input,
        output));
  const hw::Tensor &from = all[output], &to = all[input];
  for (size_t tensor : {input, output})
    if (isKept(tensor))
      return absl::InvalidArgumentError(
          absl::StrFormat("'%s' is part of a state already", all[tensor].name));
  if (to.isLow || hw::lowOf(all, input))
    return absl::InvalidArgumentError(absl::StrFormat(
        "'%s' enters as two surfaces, so that no output can become it",
        to.name));
  if (from.type != to.type || from.shape != to.shape ||
      from.strides != to.strides || from.interleave != to.interleave ||
      from.bytes != to.bytes)
    return absl::InvalidArgumentError(absl::StrFormat(
        "'%s' cannot become '%s' of the next run: type, shape and strides of "
        "their surfaces differ (%d and %d bytes)",
        from.name, to.name, from.bytes, to.bytes));
  if (keepsThere()) {
    if (absl::Status status = keepThere(input, output, how); !status.ok())
      return status;
    states.push_back({input, output, how});
    return absl::OkStatus();
  }
  if (how == Keeping::Alias) {
    if (!words())
      return absl::InvalidArgumentError(absl::StrFormat(
          "whether '%s' and '%s' can be in the same memory is known of "
          "register "
          "programs only: which tasks another compiler makes of a text, nobody "
          "here sees; let them exchange theirs",
          to.name, from.name));
    if (absl::Status status = checkOrder(*words(), to, from); !status.ok())
      return status;
    if (absl::Status status = alias(input, output); !status.ok())
      return status;
  }
  if (absl::Status status = write(input, std::vector<uint8_t>(to.bytes));
      !status.ok())
    return status;
  states.push_back({input, output, how});
  return absl::OkStatus();
}

absl::Status Executable::keep(absl::string_view input, absl::string_view output,
                              Keeping how) {
  auto find = [&](absl::string_view name, hw::TensorKind kind) {
    return std::find_if(tensors().begin(), tensors().end(),
                        [&](const hw::Tensor &tensor) {
                          return tensor.name == name && tensor.kind == kind;
                        }) -
           tensors().begin();
  };
  const size_t to = find(input, hw::TensorKind::Input),
               from = find(output, hw::TensorKind::Output);
  for (const auto &[place, what, name] :
       {std::make_tuple(to, "input", input),
        std::make_tuple(from, "output", output)})
    if (place == tensors().size())
      return absl::InvalidArgumentError(
          absl::StrFormat("the program has no %s '%s'", what, name));
  return keep(to, from, how);
}

absl::Status Executable::checkState(size_t input, size_t bytes) const {
  const bool isState =
      std::any_of(states.begin(), states.end(),
                  [&](const State &state) { return state.input == input; });
  if (!isState)
    return absl::InvalidArgumentError(
        absl::StrFormat("tensor %d is no input that is kept", input));
  if (bytes == tensors()[input].bytes)
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("tensor '%s' has %d bytes, its buffer %d",
                      tensors()[input].name, tensors()[input].bytes, bytes));
}

absl::Status Executable::writeState(size_t input,
                                    absl::Span<const uint8_t> bytes) {
  absl::Status status = checkState(input, bytes.size());
  return status.ok() ? write(input, bytes) : status;
}

absl::Status Executable::readState(size_t input, absl::Span<uint8_t> bytes) {
  absl::Status status = checkState(input, bytes.size());
  return status.ok() ? read(input, bytes) : status;
}

absl::StatusOr<std::unique_ptr<Executable>>
Executable::procedure(const MILModel &) {
  return absl::UnimplementedError(
      "this device runs programs of one procedure; compile each function to a "
      "program of its own (ane-compile --function)");
}

} // namespace ane::rt

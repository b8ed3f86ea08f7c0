//===- TileDMA.cpp - Tensors between DRAM and the engines -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileDMA.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::sim {

absl::StatusOr<DRAM>
DRAM::create(const hw::Program &program,
             absl::Span<const absl::Span<uint8_t>> surfaces) {
  if (surfaces.size() != program.tensors.size())
    return absl::InvalidArgumentError(
        absl::StrFormat("%d buffers for a program with %d tensors",
                        surfaces.size(), program.tensors.size()));
  // Before it is allocated: a file may say anything.
  if (program.scratchBytes > UINT32_MAX)
    return absl::InvalidArgumentError(absl::StrFormat(
        "scratch memory of %d bytes is beyond the 32 bits of the engine's "
        "addresses",
        program.scratchBytes));
  DRAM dram;
  Buffer constants;
  constants.bytes = program.constantBytes();
  constants.name = "the constants";
  dram.buffers[hw::BaseConst] = constants;
  dram.scratchBytes.resize(program.scratchBytes);
  Buffer scratch;
  scratch.writable = absl::MakeSpan(dram.scratchBytes);
  scratch.bytes = scratch.writable;
  scratch.name = "the scratch memory";
  scratch.written = hw::ByteSet(program.scratchBytes);
  dram.buffers[hw::BaseScratch] = std::move(scratch);
  for (size_t i = 0; i < surfaces.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    if (surfaces[i].size() != tensor.bytes)
      return absl::InvalidArgumentError(
          absl::StrFormat("the buffer of tensor '%s' has %d bytes, expected %d",
                          tensor.name, surfaces[i].size(), tensor.bytes));
    Buffer buffer;
    buffer.writable = surfaces[i];
    buffer.bytes = surfaces[i];
    buffer.name = absl::StrCat("surface '", tensor.name, "'");
    buffer.kind = tensor.kind;
    if (tensor.kind == hw::TensorKind::Output)
      buffer.written = hw::ByteSet(tensor.bytes);
    if (!dram.buffers.emplace(tensor.base, std::move(buffer)).second)
      return absl::InvalidArgumentError(absl::StrFormat(
          "tensor '%s' has base %d, which %s has already", tensor.name,
          tensor.base, dram.buffers[tensor.base].name));
  }
  return dram;
}

absl::StatusOr<DRAM::Buffer *> DRAM::buffer(uint32_t base,
                                            absl::string_view user) {
  auto found = buffers.find(base);
  if (found == buffers.end())
    return absl::NotFoundError(absl::StrFormat(
        "%s uses base %d, to which nothing is bound", user, base));
  return &found->second;
}

uint64_t DRAM::totalBytes() const {
  uint64_t total = 0;
  for (const auto &[base, buffer] : buffers)
    total += buffer.bytes.size();
  return total;
}

uint64_t &DRAM::counter(Traffic &traffic, uint32_t base, const Buffer &buffer,
                        bool written) {
  if (base == hw::BaseConst)
    return traffic.weights;
  if (base == hw::BaseScratch)
    return traffic.intermediate;
  if (buffer.kind == hw::TensorKind::Input)
    return traffic.input;
  return written ? traffic.output : traffic.intermediate;
}

static absl::Status checkEnd(const Pattern &pattern, absl::string_view user,
                             const DRAM::Buffer &buffer, uint32_t base) {
  if (pattern.end() <= buffer.bytes.size())
    return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrFormat(
      "%s (%s) covers bytes 0x%x to 0x%x of %s (base %d), which has 0x%x bytes",
      user, text(pattern.dims), pattern.base, pattern.end(), buffer.name, base,
      buffer.bytes.size()));
}

/// Bytes of the bursts that the runs of a pattern lie in.
static uint64_t movedBytes(const Pattern &p) {
  constexpr uint64_t burst = 64;
  const uint32_t size = hw::elementBytes(p.type);
  auto bursts = [](uint64_t offset, uint64_t bytes) {
    return (offset + bytes + burst - 1) / burst * burst -
           offset / burst * burst;
  };
  const Dims &n = p.dims;
  if (!n.count())
    return 0;
  // The usual case: every row starts at a burst.
  if ((p.base | p.group | p.depth | p.plane | p.row) % burst == 0 &&
      p.interleave == 1)
    return n.count() / (p.exchange ? n.c : n.w) *
           bursts(0, uint64_t(p.exchange ? n.c : n.w) * size);
  uint64_t total = 0;
  forEachRun(p, [&](const Run &run) {
    total += bursts(run.offset, uint64_t(run.count) * size);
    return true;
  });
  return total;
}

absl::StatusOr<const uint8_t *> DRAM::open(uint32_t base,
                                           const Pattern &pattern,
                                           absl::string_view user,
                                           Traffic &traffic) {
  auto found = buffer(base, user);
  if (!found.ok())
    return found.status();
  const Buffer &from = **found;
  if (absl::Status status = checkEnd(pattern, user, from, base); !status.ok())
    return status;
  if (!from.written.empty())
    for (const hw::Footprint &part : pattern.footprints())
      if (std::optional<uint64_t> at = part.firstMissing(from.written))
        return absl::FailedPreconditionError(
            absl::StrFormat("%s reads byte 0x%x of %s, which no task wrote",
                            user, *at, from.name));
  counter(traffic, base, from, false) +=
      pattern.dims.count() * hw::elementBytes(pattern.type);
  traffic.moved += movedBytes(pattern);
  return from.bytes.data();
}

absl::StatusOr<uint8_t *>
DRAM::openResult(uint32_t base, const Pattern &pattern, Traffic &traffic) {
  auto found = buffer(base, "the result");
  if (!found.ok())
    return found.status();
  Buffer &to = **found;
  if (base == hw::BaseConst ||
      (base != hw::BaseScratch && to.kind == hw::TensorKind::Input))
    return absl::FailedPreconditionError(
        absl::StrFormat("the result goes to base %d, %s; expected the scratch "
                        "memory or an output",
                        base, to.name));
  if (absl::Status status = checkEnd(pattern, "the result", to, base);
      !status.ok())
    return status;
  if (absl::Status status = pattern.checkDistinct("the result"); !status.ok())
    return status;
  if (!to.written.empty())
    for (const hw::Footprint &part : pattern.footprints())
      part.insertInto(to.written);
  counter(traffic, base, to, true) +=
      pattern.dims.count() * hw::elementBytes(pattern.type);
  traffic.moved += movedBytes(pattern);
  return to.writable.data();
}

} // namespace ane::sim

//===- KernelDMA.cpp - Coefficients and tables of a task ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDMA.h"

#include "CoefficientStreams.h"
#include "Vector.h"

#include "absl/strings/str_format.h"

namespace ane::sim {

/// The table in front of the streams. Without coefficients it is all of them.
/// Where nothing has computed its values, only its place is checked.
static absl::Status loadTable(const TaskConfig &task,
                              absl::Span<const uint8_t> bytes, bool hasValues,
                              Kernel &kernel) {
  absl::Span<const uint8_t> first;
  for (size_t i = 0; i < task.kernel.offsets.size(); ++i) {
    const uint64_t offset = task.kernel.offsets[i];
    if (offset > bytes.size() || hw::tableBytes > bytes.size() - offset)
      return absl::OutOfRangeError(absl::StrFormat(
          "the table of coefficient stream %d at byte 0x%x leaves a section of "
          "0x%x bytes",
          i, offset, bytes.size()));
    if (!task.neural.hasKernel && task.kernel.sizes[i] != hw::tableBytes)
      return absl::InvalidArgumentError(absl::StrFormat(
          "coefficient stream %d has 0x%x bytes, but a table takes 0x%x", i,
          task.kernel.sizes[i], hw::tableBytes));
    if (!hasValues)
      continue;
    auto table = bytes.subspan(offset, hw::tableBytes);
    if (first.empty())
      first = table;
    if (table != first)
      return absl::InvalidArgumentError(absl::StrFormat(
          "coefficient stream %d has another table than stream 0", i));
  }
  if (!hasValues)
    return absl::OkStatus();
  auto table = hw::decodeTable(first);
  if (!table.ok())
    return table.status();
  kernel.table = *table;
  return absl::OkStatus();
}

static absl::Status loadWeights(const hw::GenerationInfo &generation,
                                const TaskConfig &task,
                                absl::Span<const uint8_t> bytes, bool counts,
                                bool hasValues, const Assumptions &rules,
                                Kernel &kernel) {
  const StreamShape shape(task);
  // No bigger than the streams, so a wrong size cannot take all memory.
  const uint64_t count = shape.weights();
  if (count > 64 * uint64_t(bytes.size()) + 4096)
    return absl::OutOfRangeError(absl::StrFormat(
        "%d weights do not fit a section of 0x%x bytes", count, bytes.size()));
  if (shape.skipsZeros && shape.depthwise && shape.inputs != 1)
    return absl::UnimplementedError(absl::StrFormat(
        "Common.GroupConvCfg.UnicastCin is 0x%x, which is not understood; "
        "expected 1 in a zero-skipping convolution",
        shape.inputs));
  if (counts)
    return hasValues ? readCoefficients(generation, task, bytes, {}, {}, rules)
                     : checkCoefficients(generation, task, bytes.size());
  Buffer<uint16_t> weights(count);
  std::vector<uint16_t> bias(shape.hasBias ? shape.outputs() : 0);
  if (absl::Status status =
          readCoefficients(generation, task, bytes, absl::MakeSpan(weights),
                           absl::MakeSpan(bias), rules);
      !status.ok())
    return status;
  kernel.weights.resize(count);
  halvesToFloats(reinterpret_cast<const uint8_t *>(weights.data()),
                 kernel.weights.data(), count);
  kernel.bias.resize(bias.size());
  halvesToFloats(reinterpret_cast<const uint8_t *>(bias.data()),
                 kernel.bias.data(), bias.size());
  return absl::OkStatus();
}

/// Coefficients from scratch or an output must have been stored there. What
/// pads a stream may be anything.
static absl::Status checkWritten(const TaskConfig &task,
                                 const DRAM::Buffer &buffer) {
  if (buffer.written.empty())
    return absl::OkStatus();
  const StreamShape shape(task);
  const uint64_t channels =
      task.kernel.passStride ? shape.lanes : shape.channelsOfEngine();
  for (StreamPlace place : streamPlaces(task)) {
    if (shape.groups == 1 && !shape.skipsZeros)
      place.size =
          std::min(place.size, 2 * channels * (shape.steps() + shape.hasBias) +
                                   (shape.hasTable ? hw::tableBytes : 0));
    uint64_t end =
        std::min<uint64_t>(place.begin + place.size, buffer.bytes.size());
    if (place.begin < end && !buffer.written.contains(place.begin, end))
      return absl::FailedPreconditionError(absl::StrFormat(
          "coefficient stream %d reads byte 0x%x of %s, which no task wrote",
          place.stream, buffer.written.firstMissing(place.begin, end),
          buffer.name));
  }
  return absl::OkStatus();
}

absl::StatusOr<Kernel> loadKernel(const hw::GenerationInfo &generation,
                                  const TaskConfig &task, DRAM &dram,
                                  Traffic &traffic,
                                  std::vector<ByteRange> &ranges, bool counts,
                                  const Assumptions &rules) {
  Kernel kernel;
  bool hasTable = task.neural.function == h13::NE::NonlinearMode::LUT;
  if (!task.neural.hasKernel && !hasTable)
    return kernel;
  auto buffer = dram.buffer(task.kernel.base, "the kernel");
  if (!buffer.ok())
    return buffer.status();
  absl::Span<const uint8_t> bytes = (*buffer)->bytes;
  // A run that only counts has no tensors.
  const bool hasValues = !counts || task.kernel.base == hw::BaseConst;
  if (absl::Status status = checkWritten(task, **buffer); !status.ok())
    return status;
  if (hasTable)
    if (absl::Status status = loadTable(task, bytes, hasValues, kernel);
        !status.ok())
      return status;
  if (task.neural.hasKernel)
    if (absl::Status status = loadWeights(generation, task, bytes, counts,
                                          hasValues, rules, kernel);
        !status.ok())
      return status;
  std::vector<ByteRange> streams;
  for (const StreamPlace &place : streamPlaces(task))
    streams.push_back({place.begin, place.begin + place.size});
  DRAM::counter(traffic, task.kernel.base, **buffer, false) +=
      unionBytes(streams);
  traffic.moved += unionBytes(streams);
  if (task.kernel.base == hw::BaseConst)
    ranges.insert(ranges.end(), streams.begin(), streams.end());
  return kernel;
}

uint64_t unionBytes(std::vector<ByteRange> ranges) {
  std::sort(
      ranges.begin(), ranges.end(),
      [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  uint64_t total = 0, reached = 0;
  for (const ByteRange &range : ranges) {
    uint64_t begin = std::max(range.begin, reached);
    if (range.end > begin)
      total += range.end - begin;
    reached = std::max(reached, range.end);
  }
  return total;
}

} // namespace ane::sim

//===- AnecFile.cpp - The .anec file of the Linux driver ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library that reads these files binds channels by their position: outputs
// from base 4 on, then inputs. Its header has 0x6a8 bytes and is filled with
// zeros; there are two versions of how far.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"

#include "ane/HW/Generation.h"
#include "ane/HW/Layout.h"

#include "ContainerFormat.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw {
namespace {

using format::load32;
using format::load64;
using format::store32;
using format::store64;

/// Offsets in the header.
enum Field : uint32_t {
  Size = 0x00,        ///< u64, of all that follows the header
  FirstBytes = 0x08,  ///< u32, of the first task
  TaskCount = 0x0c,   ///< u32
  TaskBytes = 0x10,   ///< u64, of all tasks
  KernelBytes = 0x18, ///< u64, of the coefficients
  Inputs = 0x20,      ///< u32
  Outputs = 0x24,     ///< u32
  Tiles = 0x28,       ///< u32 for each channel: its buffer in units of 16 KiB
  Shapes = 0xa8,      ///< u64 N, C, H, W, plane and row stride of each channel
};
constexpr uint32_t kHeaderBytes = 0x1000;
/// Files of an older version; the reader tells them by their size.
constexpr uint32_t kOldHeaderBytes = 0x800;
constexpr uint32_t kShapeBytes = 6 * sizeof(uint64_t);
/// Channels of a file; the base registers that an H13 header can name.
constexpr uint32_t kChannels = 32;
constexpr uint64_t kTileBytes = 0x4000;
/// Coefficients start here after the tasks; the driver computes it again.
constexpr uint64_t kKernelAlign = 16;

absl::Status error(const std::string &message) {
  return absl::InvalidArgumentError(message);
}

uint64_t tiles(uint64_t bytes) { return (bytes + kTileBytes - 1) / kTileBytes; }

absl::Status checkTensor(const Tensor &tensor, uint32_t wantBase) {
  auto fail = [&](absl::string_view what) {
    return error(absl::StrFormat("tensor '%s' %s; write .hwx instead",
                                 tensor.name, what));
  };
  if (tensor.type != ElementType::Float16)
    return fail(absl::StrFormat(
        "holds %s, but an .anec file has no element types: all are float16",
        elementName(tensor.type)));
  if (tensor.shape[4] != 1)
    return fail(absl::StrFormat(
        "has a depth of %d, but an .anec file has four dimensions",
        tensor.shape[4]));
  if (tensor.interleave != 1)
    return fail(absl::StrFormat(
        "has %d channels side by side, which an .anec file cannot say",
        tensor.interleave));
  if (tensor.shape[0] != 1 &&
      tensor.strides[0] != tensor.strides[1] * tensor.shape[1])
    return fail(absl::StrFormat(
        "has images %d bytes apart, but those of an .anec file follow each "
        "other, here every %d bytes",
        tensor.strides[0], tensor.strides[1] * tensor.shape[1]));
  if (tensor.base != wantBase)
    return fail(absl::StrFormat(
        "has base %d, but the library that reads .anec files binds outputs "
        "first, then inputs, and this one to base %d",
        tensor.base, wantBase));
  return absl::OkStatus();
}

void storeChannel(std::vector<uint8_t> &file, const Tensor &tensor) {
  store32(&file[Tiles + 4 * tensor.base], tiles(tensor.bytes));
  uint8_t *shape = &file[Shapes + kShapeBytes * tensor.base];
  for (size_t i = 0; i < 4; ++i)
    store64(shape + 8 * i, tensor.shape[i]);
  store64(shape + 32, tensor.strides[1]);
  store64(shape + 40, tensor.strides[2]);
}

/// A file while it is read.
class Reader {
public:
  explicit Reader(absl::Span<const uint8_t> file) : file(file) {}
  absl::StatusOr<Program> read();

private:
  absl::Status readSizes();
  absl::Status readTensor(uint32_t base, TensorKind kind, uint32_t index);
  absl::Status checkRest();

  absl::Span<const uint8_t> file;
  uint64_t header = 0, taskBytes = 0, kernelBytes = 0;
  Program program;
};

absl::Status Reader::readSizes() {
  constexpr uint32_t fields = Shapes + kShapeBytes * kChannels;
  if (file.size() < fields)
    return error(absl::StrFormat(
        "file has %d bytes, but the header of an .anec file alone has %d",
        file.size(), fields));
  uint64_t size = load64(&file[Size]);
  taskBytes = load64(&file[TaskBytes]);
  kernelBytes = load64(&file[KernelBytes]);
  header = file.size() - size;
  if (size > file.size() ||
      (header != kHeaderBytes && header != kOldHeaderBytes))
    return error(absl::StrFormat(
        "no .anec file: it has %d bytes and says that %d follow the header, "
        "which has %d bytes, or %d in older files",
        file.size(), size, kHeaderBytes, kOldHeaderBytes));
  if (taskBytes > size || alignTo(taskBytes, kKernelAlign) > size ||
      kernelBytes != size - alignTo(taskBytes, kKernelAlign))
    return error(absl::StrFormat(
        "offset 0x10: tasks of %d and coefficients of %d bytes do not make the "
        "%d bytes after the header",
        taskBytes, kernelBytes, size));
  uint64_t inputs = load32(&file[Inputs]), outputs = load32(&file[Outputs]);
  if (inputs + outputs > kChannels - BaseFirstTensor || !outputs)
    return error(absl::StrFormat(
        "offset 0x20: %d inputs and %d outputs, but a program has 1 to %d "
        "tensors and an output among them",
        inputs, outputs, kChannels - BaseFirstTensor));
  return absl::OkStatus();
}

absl::Status Reader::readTensor(uint32_t base, TensorKind kind,
                                uint32_t index) {
  Tensor tensor;
  tensor.name = absl::StrFormat(
      "%s%d", kind == TensorKind::Input ? "input" : "output", index);
  tensor.kind = kind;
  tensor.base = base;
  const uint8_t *shape = &file[Shapes + kShapeBytes * base];
  auto fail = [&](absl::string_view what) {
    return error(absl::StrFormat("offset 0x%x, channel %d: %s",
                                 Shapes + kShapeBytes * base, base, what));
  };
  for (size_t i = 0; i < 4; ++i) {
    uint64_t extent = load64(shape + 8 * i);
    if (extent == 0 || extent > UINT32_MAX)
      return fail(absl::StrFormat(
          "dimension %d is %d; files without shapes cannot be bound", i,
          extent));
    tensor.shape[i] = extent;
  }
  uint64_t plane = load64(shape + 32), row = load64(shape + 40);
  if (plane > UINT32_MAX || row > UINT32_MAX ||
      row < uint64_t(tensor.shape[3]) * elementBytes(tensor.type) ||
      plane < row * tensor.shape[2])
    return fail(absl::StrFormat("strides of %d (plane) and %d (row) bytes are "
                                "no surface of %d x %d elements",
                                plane, row, tensor.shape[2], tensor.shape[3]));
  // The product of the extents fits where those of their bytes do.
  uint64_t buffer = uint64_t(load32(&file[Tiles + 4 * base])) * kTileBytes;
  if (uint64_t(tensor.shape[0]) * tensor.shape[1] > buffer / plane)
    return fail(absl::StrFormat("%d x %d planes of %d bytes exceed its buffer "
                                "of %d bytes",
                                tensor.shape[0], tensor.shape[1], plane,
                                buffer));
  uint64_t batch = plane * tensor.shape[1];
  tensor.strides = {batch, plane, row, elementBytes(tensor.type), batch};
  tensor.bytes = batch * tensor.shape[0];
  if (tiles(tensor.bytes) * kTileBytes != buffer)
    tensor.bytes = buffer; // more than it needs
  if (absl::Status status = checkSurface(tensor); !status.ok())
    return status;
  program.tensors.push_back(std::move(tensor));
  return absl::OkStatus();
}

absl::StatusOr<Program> Reader::read() {
  if (absl::Status status = readSizes(); !status.ok())
    return status;
  uint32_t firstBytes = load32(&file[FirstBytes]);
  uint32_t count = load32(&file[TaskCount]);
  auto tasks = readTasks(program.generation, file.subspan(header, taskBytes),
                         /*entry=*/0, count, firstBytes / 4);
  if (!tasks.ok())
    return tasks.status();
  if (tasks->size() != count)
    return error(
        absl::StrFormat("offset 0xc: the header says %d tasks, but they are %d",
                        count, tasks->size()));
  program.tasks = *std::move(tasks);
  program.textBytes = taskBytes;
  auto kernel =
      file.subspan(header + alignTo(taskBytes, kKernelAlign), kernelBytes);
  program.constants = std::make_shared<const std::vector<uint8_t>>(
      kernel.begin(), kernel.end());
  program.scratchBytes =
      uint64_t(load32(&file[Tiles + 4 * BaseScratch])) * kTileBytes;

  uint32_t inputs = load32(&file[Inputs]), outputs = load32(&file[Outputs]);
  for (uint32_t i = 0; i < inputs; ++i)
    if (absl::Status status =
            readTensor(BaseFirstTensor + outputs + i, TensorKind::Input, i);
        !status.ok())
      return status;
  for (uint32_t i = 0; i < outputs; ++i)
    if (absl::Status status =
            readTensor(BaseFirstTensor + i, TensorKind::Output, i);
        !status.ok())
      return status;
  if (absl::Status status = checkRest(); !status.ok())
    return status;
  return std::move(program);
}

/// A byte that says nothing of the program would be lost: unused fields of the
/// header, and what is between tasks.
absl::Status Reader::checkRest() {
  absl::StatusOr<std::vector<uint8_t>> written = writeAnec(program);
  if (!written.ok())
    return written.status();
  auto check = [&](uint64_t at, absl::Span<const uint8_t> found,
                   absl::Span<const uint8_t> expected) -> absl::Status {
    if (found == expected)
      return absl::OkStatus();
    size_t common = std::min(found.size(), expected.size());
    size_t i =
        std::mismatch(found.begin(), found.begin() + common, expected.begin())
            .first -
        found.begin();
    if (i == common)
      return error(
          absl::StrFormat("offset 0x%x: %d bytes, but its program has %d here",
                          at, found.size(), expected.size()));
    return error(absl::StrFormat(
        "offset 0x%x: byte 0x%02x says nothing of the program, for which it is "
        "0x%02x; it would be lost when the file is written",
        at + i, found[i], expected[i]));
  };
  absl::Span<const uint8_t> expected = *written;
  if (absl::Status status =
          check(0, file.first(header), expected.first(header));
      !status.ok())
    return status;
  return check(header, file.subspan(header), expected.subspan(kHeaderBytes));
}

} // namespace

absl::StatusOr<std::vector<uint8_t>> writeAnec(const Program &program) {
  if (program.tasks.empty())
    return error("a program needs at least one task");
  if (program.generation != Generation::H13)
    return error(absl::StrFormat("an .anec file holds tasks of %s, but the "
                                 "program is for %s; write .hwx instead",
                                 info(Generation::H13).name,
                                 info(program.generation).name));
  uint32_t outputs = std::count_if(
      program.tensors.begin(), program.tensors.end(),
      [](const Tensor &t) { return t.kind == TensorKind::Output; });
  uint32_t nextOutput = BaseFirstTensor, nextInput = nextOutput + outputs;
  for (const Tensor &tensor : program.tensors) {
    uint32_t want =
        tensor.kind == TensorKind::Output ? nextOutput++ : nextInput++;
    if (absl::Status status = checkTensor(tensor, want); !status.ok())
      return status;
  }
  // The driver finds the coefficients after the tasks at the next 16 bytes;
  // tasks end so that this is where the kernel DMA can start (0x40, deduced
  // from its addresses in real programs).
  uint64_t taskBytes =
      alignTo(program.textBytes, info(program.generation).dmaAlign);
  uint64_t ownBytes = alignTo(program.textBytes, kKernelAlign) == taskBytes
                          ? program.textBytes
                          : taskBytes;
  absl::StatusOr<std::vector<uint8_t>> text =
      writeTasks(program.generation, program.tasks, taskBytes);
  if (!text.ok())
    return text.status();
  absl::Span<const uint8_t> kernel = program.constantBytes();

  std::vector<uint8_t> file(kHeaderBytes + taskBytes + kernel.size());
  store64(&file[Size], taskBytes + kernel.size());
  store32(&file[FirstBytes], program.tasks.front().byteSize());
  store32(&file[TaskCount], program.tasks.size());
  store64(&file[TaskBytes], ownBytes);
  store64(&file[KernelBytes], kernel.size());
  store32(&file[Inputs], program.tensors.size() - outputs);
  store32(&file[Outputs], outputs);
  store32(&file[Tiles], tiles(taskBytes + kernel.size()));
  store32(&file[Tiles + 4 * BaseScratch], tiles(program.scratchBytes));
  for (const Tensor &tensor : program.tensors)
    storeChannel(file, tensor);
  std::copy(text->begin(), text->end(), file.begin() + kHeaderBytes);
  std::copy(kernel.begin(), kernel.end(),
            file.begin() + kHeaderBytes + taskBytes);
  return file;
}

absl::StatusOr<Program> readAnec(absl::Span<const uint8_t> file) {
  return Reader(file).read();
}

} // namespace ane::hw

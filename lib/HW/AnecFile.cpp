//===- AnecFile.cpp - The .anec file of the Linux driver ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library that reads these files binds channels by their position. Of H13,
// outputs from base 4 on, then inputs; of H14, the first output, the inputs, the
// other outputs, and tasks have bases that are no channels. The header has 0x6a8
// bytes and is filled with zeros; there are two versions of how far.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"

#include "ane/HW/Generation.h"
#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Layout.h"

#include "ContainerFormat.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <map>

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
  Outputs = 0x24,     ///< u32; in files of H14 a version, 1
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
/// Coefficients start here after the tasks; the driver computes it again. Those
/// of H14 start at the next multiple of the DMA's alignment.
constexpr uint64_t kKernelAlign = 16;
/// The only version of files of H14 that is published.
constexpr uint32_t kPackedVersion = 1;
/// The bases that tasks can name in these files.
constexpr uint32_t kPackedBases = 61;

} // namespace

static absl::Status error(const std::string &message) {
  return absl::InvalidArgumentError(message);
}

/// As JSON has it.
static std::string jsonText(absl::string_view text) {
  std::string result = "\"";
  for (unsigned char c : text)
    if (c == '"' || c == '\\')
      absl::StrAppend(&result, "\\", std::string(1, c));
    else if (c < 0x20)
      absl::StrAppendFormat(&result, "\\u%04x", c);
    else
      result += c;
  return result + "\"";
}

/// Bytes of the frame in front of the tasks.
static uint64_t firstTaskAt(Generation generation) {
  return info(generation).stream == StreamKind::Packed ? 16 : 0;
}

static uint64_t tiles(uint64_t bytes) {
  return (bytes + kTileBytes - 1) / kTileBytes;
}

namespace {
/// What tasks do with a base.
struct BaseUse {
  bool read = false, written = false;
};
using BaseUses = std::map<uint32_t, BaseUse>;

} // namespace

/// Of the tensors; text, constants and scratch have bases of their own.
static BaseUses tensorBases(absl::Span<const Task> tasks) {
  BaseUses uses;
  for (const Task &task : tasks)
    for (const Record &record : task.records)
      if (record.base && *record.base >= BaseFirstTensor) {
        BaseUse &use = uses[*record.base];
        (record.address == h14::TileDMADst::BaseAddr_Addr.address ? use.written
                                                                  : use.read) =
            true;
      }
  return uses;
}

static absl::Status checkTensor(const Tensor &tensor) {
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
  return absl::OkStatus();
}

static absl::Status checkBase(const Program &program, const Tensor &tensor,
                              const AnecPort &port) {
  auto fail = [&](absl::string_view what) {
    return error(absl::StrFormat("tensor '%s' %s; write .hwx instead",
                                 tensor.name, what));
  };
  if (port.channel >= kChannels)
    return fail(absl::StrFormat("needs channel %d, but an .anec file has %d",
                                port.channel, kChannels));
  if (info(program.generation).stream == StreamKind::Linked)
    return tensor.base == port.channel
               ? absl::OkStatus()
               : fail(absl::StrFormat(
                     "has base %d, but the library that reads .anec files "
                     "binds outputs first, then inputs, and this one to base "
                     "%d",
                     tensor.base, port.channel));
  if (tensor.base < BaseFirstTensor || tensor.base >= kPackedBases)
    return fail(absl::StrFormat("has base %d, expected one from %d to %d",
                                tensor.base, uint32_t(BaseFirstTensor),
                                kPackedBases - 1));
  return absl::OkStatus();
}

/// The file has no bases: a reader finds them in the tasks.
static absl::Status checkUses(const Program &program) {
  BaseUses uses = tensorBases(program.tasks);
  for (const Tensor &tensor : program.tensors) {
    const bool isOutput = tensor.kind == TensorKind::Output;
    auto use = uses.find(tensor.base);
    if (use == uses.end() || use->second.written != isOutput)
      return error(absl::StrFormat(
          "tensor '%s' is %s, but %s: in an .anec file of %s only the tasks "
          "tell which base is an output; write .hwx instead",
          tensor.name, isOutput ? "an output" : "an input",
          use == uses.end() ? "no task uses it"
          : isOutput        ? "no task writes it"
                            : "a task writes it",
          info(program.generation).name));
    uses.erase(use);
  }
  if (!uses.empty())
    return error(absl::StrFormat("tasks use base %d, to which no tensor is "
                                 "bound",
                                 uses.begin()->first));
  return absl::OkStatus();
}

static void storeChannel(std::vector<uint8_t> &file, const Tensor &tensor,
                         uint32_t channel) {
  store32(&file[Tiles + 4 * channel], tiles(tensor.bytes));
  uint8_t *shape = &file[Shapes + kShapeBytes * channel];
  for (size_t i = 0; i < 4; ++i)
    store64(shape + 8 * i, tensor.shape[i]);
  store64(shape + 32, tensor.strides[1]);
  store64(shape + 40, tensor.strides[2]);
}

namespace {
/// A file while it is read.
class Reader {
public:
  explicit Reader(absl::Span<const uint8_t> file) : file(file) {}
  absl::StatusOr<Program> read();

private:
  absl::Status readSizes();
  absl::Status readTensor(uint32_t channel, uint32_t base, TensorKind kind,
                          uint32_t index);
  absl::Status readTensors();
  absl::Status readPackedTensors();
  uint64_t kernelAlign() const {
    return isPacked() ? info(program.generation).dmaAlign : kKernelAlign;
  }
  bool isPacked() const {
    return info(program.generation).stream == StreamKind::Packed;
  }
  absl::Status checkRest();

  absl::Span<const uint8_t> file;
  uint64_t header = 0, taskBytes = 0, kernelBytes = 0;
  Program program;
};

} // namespace

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
  // Streams of H14 begin with 16 zero bytes, the first task of H13 with words.
  constexpr uint64_t frameBytes = 16;
  if (taskBytes >= frameBytes && taskBytes <= size) {
    auto frame = file.subspan(header, frameBytes);
    if (std::all_of(frame.begin(), frame.end(),
                    [](uint8_t byte) { return byte == 0; }))
      program.generation = Generation::H14;
  }
  if (taskBytes > size || alignTo(taskBytes, kernelAlign()) > size ||
      kernelBytes != size - alignTo(taskBytes, kernelAlign()))
    return error(absl::StrFormat(
        "offset 0x10: tasks of %d and coefficients of %d bytes do not make the "
        "%d bytes after the header",
        taskBytes, kernelBytes, size));
  uint64_t inputs = load32(&file[Inputs]), outputs = load32(&file[Outputs]);
  if (isPacked() && outputs != kPackedVersion)
    return error(absl::StrFormat("offset 0x24: version %d of a file of %s, "
                                 "expected %d",
                                 outputs, info(program.generation).name,
                                 kPackedVersion));
  if (inputs + outputs > kChannels - BaseFirstTensor || !outputs)
    return error(absl::StrFormat(
        "offset 0x20: %d inputs and %d outputs, but a program has 1 to %d "
        "tensors and an output among them",
        inputs, outputs, kChannels - BaseFirstTensor));
  return absl::OkStatus();
}

absl::Status Reader::readTensor(uint32_t channel, uint32_t base,
                                TensorKind kind, uint32_t index) {
  Tensor tensor;
  tensor.name = absl::StrFormat(
      "%s%d", kind == TensorKind::Input ? "input" : "output", index);
  tensor.kind = kind;
  tensor.base = base;
  const uint8_t *shape = &file[Shapes + kShapeBytes * channel];
  auto fail = [&](absl::string_view what) {
    return error(absl::StrFormat("offset 0x%x, channel %d: %s",
                                 Shapes + kShapeBytes * channel, channel,
                                 what));
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
  uint64_t buffer = uint64_t(load32(&file[Tiles + 4 * channel])) * kTileBytes;
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

/// Outputs from the first channel on, then inputs.
absl::Status Reader::readTensors() {
  const uint32_t inputs = load32(&file[Inputs]),
                 outputs = load32(&file[Outputs]);
  for (uint32_t i = 0; i < inputs; ++i) {
    const uint32_t channel = BaseFirstTensor + outputs + i;
    if (absl::Status status =
            readTensor(channel, channel, TensorKind::Input, i);
        !status.ok())
      return status;
  }
  for (uint32_t i = 0; i < outputs; ++i) {
    const uint32_t channel = BaseFirstTensor + i;
    if (absl::Status status =
            readTensor(channel, channel, TensorKind::Output, i);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// The bases stand in the tasks, and what they do with them.
absl::Status Reader::readPackedTensors() {
  const uint32_t inputs = load32(&file[Inputs]);
  std::vector<uint32_t> read, written;
  for (const auto &[base, use] : tensorBases(program.tasks))
    (use.written ? written : read).push_back(base);
  if (read.size() != inputs || written.empty())
    return error(absl::StrFormat(
        "offset 0x20: the header says %d inputs, but tasks read %d bases and "
        "write %d",
        inputs, read.size(), written.size()));
  if (read.size() + written.size() > kChannels - BaseFirstTensor)
    return error(absl::StrFormat("tasks use %d bases, but a program has at "
                                 "most %d tensors",
                                 read.size() + written.size(),
                                 kChannels - BaseFirstTensor));
  for (uint32_t i = 0; i < inputs; ++i)
    if (absl::Status status =
            readTensor(BaseFirstTensor + 1 + i, read[i], TensorKind::Input, i);
        !status.ok())
      return status;
  for (uint32_t i = 0; i < written.size(); ++i)
    if (absl::Status status = readTensor(i ? BaseFirstTensor + inputs + i
                                           : uint32_t(BaseFirstTensor),
                                         written[i], TensorKind::Output, i);
        !status.ok())
      return status;
  return absl::OkStatus();
}

absl::StatusOr<Program> Reader::read() {
  if (absl::Status status = readSizes(); !status.ok())
    return status;
  uint32_t firstBytes = load32(&file[FirstBytes]);
  uint32_t count = load32(&file[TaskCount]);
  auto tasks = readTasks(program.generation, file.subspan(header, taskBytes),
                         firstTaskAt(program.generation), count,
                         isPacked() ? 0 : firstBytes / 4);
  if (!tasks.ok())
    return tasks.status();
  if (tasks->size() != count)
    return error(
        absl::StrFormat("offset 0xc: the header says %d tasks, but they are %d",
                        count, tasks->size()));
  program.tasks = *std::move(tasks);
  program.textBytes = taskBytes;
  auto kernel =
      file.subspan(header + alignTo(taskBytes, kernelAlign()), kernelBytes);
  program.constants = std::make_shared<const std::vector<uint8_t>>(
      kernel.begin(), kernel.end());
  program.scratchBytes =
      uint64_t(load32(&file[Tiles + 4 * BaseScratch])) * kTileBytes;
  if (absl::Status status = isPacked() ? readPackedTensors() : readTensors();
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

std::vector<AnecPort> anecPorts(const Program &program) {
  const bool isPacked = info(program.generation).stream == StreamKind::Packed;
  std::vector<size_t> inputs, outputs;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    (program.tensors[i].kind == TensorKind::Output ? outputs : inputs)
        .push_back(i);
  auto byBase = [&](size_t a, size_t b) {
    return std::pair(program.tensors[a].base, a) <
           std::pair(program.tensors[b].base, b);
  };
  std::vector<size_t> order;
  if (isPacked) {
    std::sort(inputs.begin(), inputs.end(), byBase);
    std::sort(outputs.begin(), outputs.end(), byBase);
    if (!outputs.empty())
      order.push_back(outputs.front());
    order.insert(order.end(), inputs.begin(), inputs.end());
    if (!outputs.empty())
      order.insert(order.end(), outputs.begin() + 1, outputs.end());
  } else {
    order = outputs;
    order.insert(order.end(), inputs.begin(), inputs.end());
  }
  std::vector<AnecPort> ports(program.tensors.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    ports[order[i]] = {program.tensors[order[i]].base, BaseFirstTensor + i};
  return ports;
}

std::string anecPortsJson(const Program &program, absl::string_view file) {
  std::string text = absl::StrFormat(
      "{\n  \"schema_version\": 2,\n  \"program\": %s,\n  \"anec\": "
      "%s,\n  \"ports\": [",
      jsonText(program.name), jsonText(file));
  const std::vector<AnecPort> ports = anecPorts(program);
  for (size_t i = 0; i < ports.size(); ++i) {
    const Tensor &tensor = program.tensors[i];
    absl::StrAppendFormat(
        &text,
        "%s\n    {\"name\": %s, \"direction\": \"%s\",\n     \"shape\": "
        "[%s], \"dtype\": \"fp16\",\n     \"strides\": [%s],\n     "
        "\"surface_bytes\": %d, \"tile_bytes\": %d,\n     \"bar_slot\": %d, "
        "\"buffer_id\": %d, \"channel\": %d}",
        i ? "," : "", jsonText(tensor.name),
        tensor.kind == TensorKind::Output ? "output" : "input",
        absl::StrJoin(absl::MakeSpan(tensor.shape).first(4), ", "),
        absl::StrJoin(absl::MakeSpan(tensor.strides).first(4), ", "),
        tensor.bytes, tiles(tensor.bytes) * kTileBytes, ports[i].base,
        ports[i].channel, ports[i].channel);
  }
  absl::StrAppend(&text, "\n  ]\n}\n");
  return text;
}

uint32_t clearIdleWords(Program &program) {
  if (program.generation != Generation::H13)
    return 0;
  uint32_t changed = 0;
  for (Task &task : program.tasks) {
    if (task.get(h13::Common::Cfg_TaskType) == h13::Common::TaskType::NE)
      continue;
    bool any = false;
    auto clear = [&](uint32_t address) {
      for (Record &record : task.records)
        if (std::optional<size_t> at = record.indexOf(address)) {
          any |= record.words[*at] != 0;
          record.words[*at] = 0;
        }
    };
    clear(h13::NE::KernelCfg_KernelFmt.address);
    clear(h13::NE::MACCfg_OpMode.address);
    for (uint32_t i = 0; i < info(program.generation).neCount; ++i)
      clear(h13::KernelDMASrc::CoeffDMAConfig_En(i).address);
    changed += any;
  }
  return changed;
}

absl::StatusOr<std::vector<uint8_t>> writeAnec(const Program &program) {
  if (program.tasks.empty())
    return error("a program needs at least one task");
  if (program.generation != Generation::H13 &&
      program.generation != Generation::H14)
    return error(absl::StrFormat(
        "an .anec file holds tasks of %s or %s, but the program is for %s; "
        "write .hwx instead",
        info(Generation::H13).name, info(Generation::H14).name,
        info(program.generation).name));
  const bool isPacked = info(program.generation).stream == StreamKind::Packed;
  const uint32_t outputs = std::count_if(
      program.tensors.begin(), program.tensors.end(),
      [](const Tensor &t) { return t.kind == TensorKind::Output; });
  const std::vector<AnecPort> ports = anecPorts(program);
  for (size_t i = 0; i < ports.size(); ++i) {
    if (absl::Status status = checkTensor(program.tensors[i]); !status.ok())
      return status;
    if (absl::Status status = checkBase(program, program.tensors[i], ports[i]);
        !status.ok())
      return status;
  }
  if (isPacked)
    if (absl::Status status = checkUses(program); !status.ok())
      return status;
  // The driver finds the coefficients after the tasks at the next 16 bytes;
  // tasks end so that this is where the kernel DMA can start (0x40, deduced
  // from its addresses in real programs).
  uint64_t taskBytes =
      alignTo(program.textBytes, info(program.generation).dmaAlign);
  uint64_t ownBytes =
      isPacked || alignTo(program.textBytes, kKernelAlign) == taskBytes
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
  store32(&file[Outputs], isPacked ? kPackedVersion : outputs);
  store32(&file[Tiles], tiles(taskBytes + kernel.size()));
  store32(&file[Tiles + 4 * BaseScratch], tiles(program.scratchBytes));
  for (size_t i = 0; i < ports.size(); ++i)
    storeChannel(file, program.tensors[i], ports[i].channel);
  std::copy(text->begin(), text->end(), file.begin() + kHeaderBytes);
  std::copy(kernel.begin(), kernel.end(),
            file.begin() + kHeaderBytes + taskBytes);
  return file;
}

absl::StatusOr<Program> readAnec(absl::Span<const uint8_t> file) {
  return Reader(file).read();
}

} // namespace ane::hw

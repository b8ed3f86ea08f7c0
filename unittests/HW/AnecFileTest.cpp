//===- AnecFileTest.cpp - Files of the Linux driver -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"
#include "ane/HW/Generation.h"
#include "ane/HW/H13.h"
#include "ane/HW/H14.h"
#include "ane/HW/Layout.h"

#include "absl/algorithm/container.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace ane::hw;
using ::testing::HasSubstr;

static Tensor makeTensor(const char *name, TensorKind kind, uint32_t base,
                         std::array<uint32_t, 5> shape) {
  Tensor tensor;
  tensor.name = name;
  tensor.kind = kind;
  tensor.base = base;
  tensor.shape = shape;
  setPlanar(info(Generation::H13), tensor);
  return tensor;
}

/// Two tasks, two inputs, an output, constants and scratch memory.
static Program makeProgram() {
  Program program;
  for (uint32_t offset : {0u, 0x300u}) {
    program.tasks.push_back(makeFullTask(Generation::H13));
    program.tasks.back().offset = offset;
  }
  EXPECT_TRUE(program.tasks[0].set(h13::Header::NextPointer, 0x300).ok());
  EXPECT_TRUE(
      program.tasks[0]
          .set(h13::Header::NextSize, program.tasks[1].byteSize() / 4 - 1)
          .ok());
  program.textBytes = 0x300 + program.tasks[1].byteSize();
  program.constants = std::make_shared<std::vector<uint8_t>>(100, 7);
  program.scratchBytes = 0x4001;
  program.tensors = {makeTensor("a", TensorKind::Input, 5, {1, 3, 4, 5, 1}),
                     makeTensor("b", TensorKind::Input, 6, {2, 1, 40, 33, 1}),
                     makeTensor("y", TensorKind::Output, 4, {1, 700, 4, 5, 1})};
  return program;
}

static uint64_t load(const std::vector<uint8_t> &file, size_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, &file[at], size);
  return value;
}

namespace {
TEST(AnecFile, HeaderHasWhatTheLibraryReads) {
  auto file = writeAnec(makeProgram());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 0x1000u + 0x580 + 100);
  EXPECT_EQ(load(*file, 0x00, 8), 0x580u + 100);
  EXPECT_EQ(load(*file, 0x08, 4), 0x274u); // the first task
  EXPECT_EQ(load(*file, 0x0c, 4), 2u);
  EXPECT_EQ(load(*file, 0x10, 8), 0x574u); // coefficients start at 0x580
  EXPECT_EQ(load(*file, 0x18, 8), 100u);
  EXPECT_EQ(load(*file, 0x20, 4), 2u);         // inputs
  EXPECT_EQ(load(*file, 0x24, 4), 1u);         // outputs
  EXPECT_EQ(load(*file, 0x28, 4), 1u);         // tasks and constants, in 16 KiB
  EXPECT_EQ(load(*file, 0x28 + 4 * 3, 4), 2u); // scratch memory
  EXPECT_EQ(load(*file, 0x28 + 4 * 4, 4), 11u); // y: 700 * 4 * 64 bytes
  // N, C, H, W, plane and row stride of channel 6.
  const uint64_t b[] = {2, 1, 40, 33, uint64_t(40) * 128, 128};
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(load(*file, 0xa8 + 6 * 48 + 8 * i, 8), b[i]) << i;
  EXPECT_EQ(load(*file, 0xa8 + 7 * 48, 8), 0u);
}

TEST(AnecFile, RoundTrip) {
  Program program = makeProgram();
  auto file = writeAnec(program);
  ASSERT_TRUE(file.ok()) << file.status();
  auto read = readAnec(*file);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->tasks.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read->tasks[i].offset, program.tasks[i].offset);
    EXPECT_EQ(read->tasks[i].header, program.tasks[i].header);
  }
  EXPECT_EQ(std::vector<uint8_t>(read->constantBytes().begin(),
                                 read->constantBytes().end()),
            std::vector<uint8_t>(100, 7));
  EXPECT_EQ(read->scratchBytes, 0x8000u); // in units of 16 KiB
  ASSERT_EQ(read->tensors.size(), 3u);
  const char *names[] = {"input0", "input1", "output0"};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read->tensors[i].name, names[i]);
    EXPECT_EQ(read->tensors[i].kind, program.tensors[i].kind);
    EXPECT_EQ(read->tensors[i].base, program.tensors[i].base);
    EXPECT_EQ(read->tensors[i].shape, program.tensors[i].shape);
    EXPECT_EQ(read->tensors[i].strides, program.tensors[i].strides);
    EXPECT_EQ(read->tensors[i].bytes, program.tensors[i].bytes);
  }
  auto again = writeAnec(*read);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, *file);
}

TEST(AnecFile, ReadsTheOlderHeader) {
  auto file = writeAnec(makeProgram());
  ASSERT_TRUE(file.ok());
  std::vector<uint8_t> old = *file;
  old.erase(old.begin() + 0x800, old.begin() + 0x1000);
  auto read = readAnec(old);
  ASSERT_TRUE(read.ok()) << read.status();
  auto again = writeAnec(*read);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *file);
}

} // namespace

template <typename Change> static std::string writeError(Change change) {
  Program program = makeProgram();
  change(program);
  auto file = writeAnec(program);
  return file.ok() ? "" : std::string(file.status().message());
}

namespace {
TEST(AnecFile, SaysWhatTheFormatCannot) {
  EXPECT_EQ(writeError([](Program &p) { p.tensors[1].base = 7; }),
            "tensor 'b' has base 7, but the library that reads .anec files "
            "binds outputs first, then inputs, and this one to base 6; write "
            ".hwx instead");
  EXPECT_THAT(
      writeError([](Program &p) { p.tensors[0].type = ElementType::Int8; }),
      HasSubstr("'a' holds int8, but an .anec file has no element types"));
  EXPECT_THAT(writeError([](Program &p) { p.tensors[2].shape[4] = 2; }),
              HasSubstr("'y' has a depth of 2"));
  EXPECT_THAT(writeError([](Program &p) { p.tensors[2].interleave = 4; }),
              HasSubstr("4 channels side by side"));
  EXPECT_THAT(writeError([](Program &p) { p.tensors[1].strides[0] += 64; }),
              HasSubstr("'b' has images 5184 bytes apart"));
  EXPECT_THAT(writeError([](Program &p) { p.tasks.clear(); }),
              HasSubstr("at least one task"));
}

// What a reader takes, it can write back: no bit of a file is lost.
TEST(AnecFile, KeepsOrRefusesEachBit) {
  std::vector<uint8_t> file = *writeAnec(makeProgram());
  size_t kept = 0, refused = 0;
  for (size_t bit = 0; bit < 8 * file.size();
       bit += bit < size_t(8) * 0x700 ? 1 : 5) {
    std::vector<uint8_t> changed = file;
    changed[bit / 8] ^= 1 << bit % 8;
    auto program = readAnec(changed);
    ++(program.ok() ? kept : refused);
    if (!program.ok())
      continue;
    auto again = writeAnec(*program);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, changed) << "bit " << bit % 8 << " of " << bit / 8;
  }
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(refused, 1000u);
}

TEST(AnecFile, KeepsABufferThatIsLargerThanItsTensor) {
  std::vector<uint8_t> file = *writeAnec(makeProgram());
  file[0x28 + 4 * 5] = 7; // of channel 5, in 16 KiB; the tensor needs 1
  auto program = readAnec(file);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->tensors[0].bytes, 7u * 0x4000);
  EXPECT_EQ(*writeAnec(*program), file);
}

} // namespace

template <typename T>
static std::string readError(size_t at, T value, size_t size = SIZE_MAX) {
  std::vector<uint8_t> file = *writeAnec(makeProgram());
  std::memcpy(&file[at], &value, sizeof(value));
  file.resize(std::min(size, file.size()));
  auto program = readAnec(file);
  return program.ok() ? "" : std::string(program.status().message());
}

namespace {
TEST(AnecFile, RefusesWhatIsNoFile) {
  EXPECT_EQ(readError<uint8_t>(0, 0, 100),
            "file has 100 bytes, but the header of an .anec file alone has "
            "1704");
  EXPECT_THAT(readError<uint64_t>(0, ~uint64_t(0)), HasSubstr("no .anec file"));
  EXPECT_THAT(readError<uint8_t>(0x900, 0, 0x1200), HasSubstr("no .anec file"));
  for (uint64_t bytes : {uint64_t(0x590), ~uint64_t(0), ~uint64_t(0) - 14})
    EXPECT_THAT(readError<uint64_t>(0x10, bytes), HasSubstr("offset 0x10"));
  EXPECT_THAT(readError<uint64_t>(0x18, 99), HasSubstr("offset 0x10"));
  EXPECT_THAT(readError<uint32_t>(0x0c, 1), HasSubstr("task"));
  EXPECT_THAT(readError<uint32_t>(0x0c, 3),
              HasSubstr("the header says 3 tasks, but they are 2"));
  EXPECT_THAT(readError<uint32_t>(0x20, ~uint32_t(0)),
              HasSubstr("offset 0x20"));
  EXPECT_THAT(readError<uint32_t>(0x24, 0), HasSubstr("offset 0x20"));
  const size_t shape = 0xa8 + 4 * 48; // of y
  EXPECT_THAT(readError<uint64_t>(shape, 0),
              HasSubstr("channel 4: dimension 0 is 0"));
  for (uint64_t extent : {uint64_t(1) << 31, ~uint64_t(0)})
    for (size_t i = 0; i < 4; ++i)
      EXPECT_THAT(readError<uint64_t>(shape + 8 * i, extent),
                  HasSubstr("channel 4: "));
  for (size_t i = 4; i < 6; ++i)
    for (uint64_t stride : {uint64_t(0), uint64_t(1), ~uint64_t(0)})
      EXPECT_THAT(readError<uint64_t>(shape + 8 * i, stride),
                  HasSubstr("channel 4: strides"));
  EXPECT_THAT(readError<uint32_t>(0x28 + 4 * 4, 10),
              HasSubstr("1 x 700 planes"));
  EXPECT_EQ(readError<uint8_t>(0x901, 5),
            "offset 0x901: byte 0x05 says nothing of the program, for which it "
            "is 0x00; it would be lost when the file is written");
}

} // namespace

//===----------------------------------------------------------------------===//
// H14, interface 2
//===----------------------------------------------------------------------===//

namespace {
/// A program of copies: one task for each base that it reads and one that it
/// writes.
struct Port {
  const char *name;
  bool isOutput;
  std::array<uint32_t, 5> shape;
  uint32_t base, channel;
  uint64_t surfaceBytes, bufferBytes; ///< as published
};

} // namespace

static Program programWith(absl::Span<const Port> ports) {
  Program program;
  program.generation = Generation::H14;
  uint32_t input = 0;
  for (const Port &port : ports) {
    Tensor tensor = makeTensor(
        port.name, port.isOutput ? TensorKind::Output : TensorKind::Input,
        port.base, port.shape);
    program.tensors.push_back(tensor);
    if (!port.isOutput)
      input = port.base;
  }
  for (const Port &port : ports) {
    Task task = makeFullTask(Generation::H14);
    task.records.push_back(
        baseRecord(h14::TileDMASrc::Src1BaseAddr_Addr.address,
                   port.isOutput ? input : port.base, 0));
    if (port.isOutput)
      task.records.push_back(
          baseRecord(h14::TileDMADst::BaseAddr_Addr.address, port.base, 0));
    program.tasks.push_back(std::move(task));
  }
  auto bytes = packTasks(program.generation, program.tasks);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  program.textBytes = *bytes;
  program.constants = std::make_shared<std::vector<uint8_t>>(64, 7);
  return program;
}

namespace {
// Tables of ports that omarchy-ane publishes: fixtures/h14-anec/add/ports.json,
// with the bases and channels that the manifests of add-batch-1 to -32 and
// mul-batch-1 to -8 repeat, and tests/fixtures/prog020-ports.json and
// prog000-ports.json. The first ran bit for bit on an M2 Max (seen there).
const Port addPorts[] = {{"a", false, {1, 1, 128, 128, 1}, 4, 5, 32768, 32768},
                         {"b", false, {1, 1, 128, 128, 1}, 6, 6, 32768, 32768},
                         {"y", true, {1, 1, 128, 128, 1}, 5, 4, 32768, 32768}};
const Port prog020Ports[] = {
    {"t0", false, {1, 1, 16, 128, 1}, 4, 5, 4096, 16384},
    {"t15", true, {1, 1, 1, 2048, 1}, 5, 4, 4096, 16384},
    {"t2", false, {1, 1, 16, 128, 1}, 6, 6, 4096, 16384},
    {"t7", false, {1, 1, 1, 2048, 1}, 7, 7, 4096, 16384}};
const Port prog000Ports[] = {
    {"t1", false, {1, 1, 1, 2048, 1}, 4, 5, 4096, 16384},
    {"t16", true, {1, 1, 16, 128, 1}, 5, 4, 4096, 16384},
    {"t20", true, {1, 1, 16, 128, 1}, 6, 7, 4096, 16384},
    {"t22", true, {1, 1, 16, 128, 1}, 7, 8, 4096, 16384},
    {"t26", true, {1, 16, 1, 1, 1}, 8, 9, 1024, 16384},
    {"t35", true, {1, 16, 1, 1, 1}, 9, 10, 1024, 16384},
    {"t37", true, {1, 1, 16, 128, 1}, 10, 11, 4096, 16384},
    {"t38", true, {1, 1, 6144, 3, 1}, 11, 12, 393216, 393216},
    {"t5", false, {1, 1, 6144, 3, 1}, 12, 6, 393216, 393216}};

// fixtures/h14-anec/add-batch-1 to -32 and mul-batch-1, -2, -4, -8 there: N
// planes one after the other, each added or multiplied by a task of its own.
TEST(AnecFile, PublishedBatchesOfH14) {
  for (uint32_t n = 1; n <= 32; ++n) {
    std::vector<Port> ports(std::begin(addPorts), std::end(addPorts));
    for (Port &port : ports)
      port.shape[1] = n;
    Program program = programWith(ports);
    std::vector<AnecPort> made = anecPorts(program);
    auto file = writeAnec(program);
    ASSERT_TRUE(file.ok()) << file.status();
    for (size_t i = 0; i < ports.size(); ++i) {
      EXPECT_EQ(made[i].base, ports[i].base);       // bar_refs.slot
      EXPECT_EQ(made[i].channel, ports[i].channel); // io_channels
      const Tensor &tensor = program.tensors[i];
      EXPECT_EQ(tensor.bytes, n * 32768u);  // stacked_bytes
      EXPECT_EQ(tensor.strides[1], 32768u); // per_task_offsets
      EXPECT_EQ(load(*file, 0x28 + 4 * ports[i].channel, 4) * 0x4000,
                n * 32768u);
    }
  }
}

TEST(AnecFile, PublishedPortsOfH14) {
  for (absl::Span<const Port> ports :
       {absl::MakeConstSpan(addPorts), absl::MakeConstSpan(prog020Ports),
        absl::MakeConstSpan(prog000Ports)}) {
    Program program = programWith(ports);
    std::vector<AnecPort> made = anecPorts(program);
    auto file = writeAnec(program);
    ASSERT_TRUE(file.ok()) << file.status();
    uint32_t inputs = 0;
    for (size_t i = 0; i < ports.size(); ++i) {
      EXPECT_EQ(made[i].base, ports[i].base) << ports[i].name;
      EXPECT_EQ(made[i].channel, ports[i].channel) << ports[i].name;
      EXPECT_EQ(program.tensors[i].bytes, ports[i].surfaceBytes);
      EXPECT_EQ(load(*file, 0x28 + 4 * ports[i].channel, 4) * 0x4000,
                ports[i].bufferBytes);
      for (size_t axis = 0; axis < 4; ++axis)
        EXPECT_EQ(load(*file, 0xa8 + 48 * ports[i].channel + 8 * axis, 8),
                  ports[i].shape[axis]);
      inputs += !ports[i].isOutput;
    }
    // The header: H14Program.cpp and hwx_h14_staged_to_anec.py there.
    EXPECT_EQ(load(*file, 0x08, 4), program.tasks[0].byteSize());
    EXPECT_EQ(load(*file, 0x0c, 4), ports.size());
    EXPECT_EQ(load(*file, 0x10, 8), program.textBytes); // with its frame
    EXPECT_EQ(load(*file, 0x20, 4), inputs);
    EXPECT_EQ(load(*file, 0x24, 4), 1u); // a version
    EXPECT_EQ(load(*file, 0x00, 8), alignTo(program.textBytes, 64) + 64);
    EXPECT_EQ(load(*file, 0x1000, 8) | load(*file, 0x1008, 8), 0u);

    auto read = readAnec(*file);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->generation, Generation::H14);
    for (const Tensor &tensor : read->tensors) {
      auto same = absl::c_find_if(program.tensors, [&](const Tensor &t) {
        return t.base == tensor.base;
      });
      ASSERT_NE(same, program.tensors.end());
      EXPECT_EQ(same->kind, tensor.kind);
      EXPECT_EQ(same->shape, tensor.shape);
      EXPECT_EQ(same->strides, tensor.strides);
    }
    auto again = writeAnec(*read);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, *file);
  }
}

TEST(AnecFile, PortsAsJson) {
  std::string text = anecPortsJson(programWith(addPorts), "add.anec");
  EXPECT_THAT(text, HasSubstr("\"schema_version\": 2"));
  EXPECT_THAT(text, HasSubstr("{\"name\": \"a\", \"direction\": \"input\",\n"
                              "     \"shape\": [1, 1, 128, 128], \"dtype\": "
                              "\"fp16\",\n     \"strides\": [32768, 32768, "
                              "256, 2],\n     \"surface_bytes\": 32768, "
                              "\"tile_bytes\": 32768,\n     \"bar_slot\": 4, "
                              "\"buffer_id\": 5, \"channel\": 5}"));
}

TEST(AnecFile, WhatFilesOfH14CannotSay) {
  Program program = programWith(addPorts);
  program.tensors[0].base = 9;
  EXPECT_THAT(writeAnec(program).status().ToString(),
              HasSubstr("tensor 'a' is an input, but no task uses it"));
  program = programWith(addPorts);
  std::swap(program.tensors[0].kind, program.tensors[2].kind);
  EXPECT_THAT(writeAnec(program).status().ToString(),
              HasSubstr("tensor 'a' is an output, but no task writes it"));
  program = programWith(addPorts);
  program.tensors.pop_back();
  EXPECT_THAT(writeAnec(program).status().ToString(),
              HasSubstr("tasks use base 5, to which no tensor is bound"));
  std::vector<uint8_t> file = *writeAnec(programWith(addPorts));
  file[0x24] = 2;
  EXPECT_THAT(readAnec(file).status().ToString(),
              HasSubstr("offset 0x24: version 2 of a file of h14, expected 1"));
  file[0x24] = 1;
  file[0x20] = 3;
  EXPECT_THAT(readAnec(file).status().ToString(),
              HasSubstr("says 3 inputs, but tasks read 2 bases and write 1"));
}

/// What Apple's compiler 9.509 leaves in registers that the planar engine does
/// not read.
TEST(AnecFile, ClearsIdleWords) {
  Program program = makeProgram();
  for (Task &task : program.tasks) {
    ASSERT_TRUE(task.set(h13::NE::KernelCfg_PalettizedBits, 8).ok());
    ASSERT_TRUE(
        task.set(h13::KernelDMASrc::CoeffDMAConfig_CacheHint(15), 2).ok());
  }
  ASSERT_TRUE(
      program.tasks[1]
          .set(h13::Common::Cfg_TaskType, h13::Common::TaskType::PEElementwise)
          .ok());
  EXPECT_EQ(clearIdleWords(program), 1u);
  EXPECT_EQ(program.tasks[0].get(h13::NE::KernelCfg_PalettizedBits), 8u);
  EXPECT_EQ(program.tasks[1].get(h13::NE::KernelCfg_PalettizedBits), 0u);
  EXPECT_EQ(program.tasks[1].word(h13::KernelDMASrc::CoeffDMAConfig_En(15)),
            0u);
  EXPECT_EQ(clearIdleWords(program), 0u);
}

} // namespace

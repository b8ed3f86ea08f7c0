//===- PackedContainerTest.cpp - The .hwx container of H14 and later ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is recorded of such files are the words of the program thread and
// addresses; these tests expect what the record of a program of this shape has.
//
//===----------------------------------------------------------------------===//

#include "ContainerFiles.h"

using namespace ane::hw;

/// `count` tasks with estimates of 10, 20, ... cycles.
static Program makeProgram(Generation generation, uint32_t count) {
  Program program;
  program.generation = generation;
  program.name = "main";
  for (uint32_t i = 0; i < count; ++i) {
    Task task;
    task.header.resize(info(generation).headerWords);
    task.header[0] = i;
    task.header[1] = 10 * (i + 1);
    task.header.back() = 1;
    task.records.push_back({0x1900, {0x80}});
    task.records.push_back(scatterRecord(0x500, 0x8005, {1, 2, 3, 4}));
    task.records.push_back(baseRecord(0x1110, 4, 0));
    program.tasks.push_back(std::move(task));
  }
  EXPECT_TRUE(packTasks(generation, program.tasks).ok());
  auto tensor = [&](const char *name, TensorKind kind, uint32_t base) {
    Tensor t;
    t.name = name;
    t.kind = kind;
    t.shape = {1, 64, 8, 8, 1};
    t.strides = {0x8000, 0x200, 0x40, 2, 0x8000};
    t.bytes = 0x8000;
    t.base = base;
    program.tensors.push_back(t);
  };
  const uint32_t first = info(generation).firstTensorBase;
  tensor("x", TensorKind::Input, first);
  tensor("z", TensorKind::Input, first + 2);
  tensor("y", TensorKind::Output, first + 1);
  return program;
}

TEST(PackedContainer, TheProgramThreadIsThatOfTheRecord) {
  Program program = makeProgram(Generation::H14, 2);
  program.scratchBytes = 0x8000;
  Bytes file = fileOf(program);
  EXPECT_EQ(word(file, 8), 5u);
  size_t thread = commandAt(file, 4);
  const uint32_t text = 0x30020000, end = 0x60 + program.tasks[1].byteSize();
  EXPECT_EQ(word(file, thread + 0x04), 2192u);
  EXPECT_EQ(word(file, thread + 0x08), 4u);
  EXPECT_EQ(word(file, thread + 0x0c), 0x21eu);
  // Scratch, then the tensors by name, each in 16 bytes.
  EXPECT_EQ(word(file, thread + 0x10 + size_t(16) * 3), 0x30000000u);
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(word(file, thread + 0x10 + size_t(16) * (4 + i)),
              0x30008000 + 0x8000 * i);
  const uint32_t words[] = {text, 0,   0, 0,      4,     end / 4, 0, 0, 2,  0,
                            ~0u,  ~0u, 0, 0xffff, 0x888, 0,       0, 0, 0,  0,
                            17,   0,   3, 0,      1,     0,       9, 8, 20, 0};
  for (size_t i = 0; i < std::size(words); ++i)
    EXPECT_EQ(word(file, thread + 0x810 + 4 * i), words[i]) << "word " << i;
  EXPECT_EQ(std::string(&file[thread + 0x888], &file[thread + 0x88c]), "main");
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  const std::vector<Section> &sections = container->segments[1].sections;
  EXPECT_EQ(sections[0].size, end);
  EXPECT_EQ(sections[1].address, text + 0xc0u);
  EXPECT_TRUE(sections[0].relocations.empty());
}

TEST(PackedContainer, ReadsBackAsTheSameProgramInAllGenerations) {
  for (const GenerationInfo &generation : generations()) {
    if (generation.stream != StreamKind::Packed)
      continue;
    SCOPED_TRACE(generation.name);
    Program program = makeProgram(generation.id, 3);
    Signature signature;
    signature.ident = "ANEC v1\nsomebody else\n";
    signature.programKind = 7;
    Bytes file = fileOf(program, signature);
    absl::StatusOr<Container> again = readContainer(file);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(again->residues.empty());
    EXPECT_EQ(*writeContainer(*again), file);
    EXPECT_EQ(again->program.generation, generation.id);
    EXPECT_EQ(again->program.name, "main");
    ASSERT_EQ(again->program.tasks.size(), 3u);
    EXPECT_EQ(again->program.tasks[2].header, program.tasks[2].header);
    EXPECT_EQ(again->program.tasks[2].records[1].follow, 0x8005);
    EXPECT_EQ(again->program.tensor("y")->base, generation.firstTensorBase + 1);
    Signature found = signatureOf(*again);
    EXPECT_EQ(found.ident, signature.ident);
    EXPECT_EQ(found.programKind, 7u);
    EXPECT_TRUE(sameWrapping(*makeContainer(again->program, found), *again));
  }
}

/// Coefficients have a segment of their own, found by its entry in the table.
TEST(PackedContainer, KernelsAreApartSinceH16) {
  Program program = makeProgram(Generation::H16, 2);
  auto constants = std::make_shared<std::vector<uint8_t>>(0x140, 1);
  std::fill(constants->begin() + 0xc0, constants->end(), 2);
  program.constants = constants;
  program.kernelBytes = 0x90;
  EXPECT_EQ(program.kernels().size(), 0x90u);
  EXPECT_EQ(program.tensorConstants().size(), 0x80u);
  EXPECT_EQ(program.kernelBase(), 9u);
  Bytes file = fileOf(program);
  const size_t thread = commandAt(file, 4);
  EXPECT_EQ(word(file, thread + 0x10 + size_t(16) * 9), 0x3001c000u);
  // Seen: type 7 with 10000.0 in front of the longest estimate.
  const uint32_t words[] = {4, 0, 2, 0, 7, 8, 0x461c4000, 0, 9, 8, 20, 0};
  for (size_t i = 0; i < std::size(words); ++i)
    EXPECT_EQ(word(file, thread + 0x868 + 4 * i), words[i]) << "word " << i;
  absl::StatusOr<Container> again = readContainer(file);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->notes.empty());
  EXPECT_EQ(again->program.kernelBytes, 0x90u);
  EXPECT_EQ(again->program.kernels(), program.kernels());
  EXPECT_EQ(again->program.tensorConstants(), program.tensorConstants());
  EXPECT_EQ(*writeContainer(*again), file);
  setWord(file, thread + 0x10 + size_t(16) * 9, 0x30000000);
  EXPECT_NE(
      readError(file).find("section __KERN_0,__kern_0 lies at 0x3001c000, "
                           "expected it at base 9 of the base-address "
                           "table"),
      std::string::npos)
      << readError(file);
}

TEST(PackedContainer, MakerRefusesWhatAProgramCannotHave) {
  auto error = [](auto change) {
    Program program = makeProgram(Generation::H14, 2);
    change(program);
    return std::string(makeContainer(program).status().message());
  };
  EXPECT_EQ(error([](Program &p) { p.tensors[1].base = 61; }),
            "tensor 'z': base is 61, but tensors have bases 4 to 60");
  EXPECT_EQ(error([](Program &p) {
              std::swap(p.tasks[0], p.tasks[1]);
            }).substr(0, 49),
            "task 1 at offset 0x10 is not after task 0 at 0x60");
  EXPECT_EQ(error([](Program &p) { p.tasks[0].records.pop_back(); }),
            "task 0: header word 0 (0x120000) says 18 words, but it has 15");
}

TEST(PackedContainer, ReaderSaysWhatIsWrongAndWhere) {
  const Bytes file = fileOf(makeProgram(Generation::H14, 2));
  const size_t program = commandAt(file, 4);
  auto error = [&](size_t at, uint32_t value) {
    Bytes damaged = file;
    setWord(damaged, at, value);
    return readError(damaged);
  };
  EXPECT_NE(error(program + 0x830, 3)
                .find("counts 3 tasks, but 2 are in the "
                      "text"),
            std::string::npos);
  EXPECT_NE(error(program + 0x830, 1)
                .find("task 1: the stream goes on at offset 0x60, but the "
                      "program has 1 tasks"),
            std::string::npos);
  EXPECT_NE(error(program + 8, 1).find("thread of flavor 4"),
            std::string::npos);
  EXPECT_NE(error(program + 0x848, 0x10000).find("program name at 0x10000"),
            std::string::npos);
  EXPECT_NE(error(program + 0x810, 0x30018004).find("is not a multiple of 16"),
            std::string::npos);
}

TEST(PackedContainer, HostileFilesAreRefusedOrKept) {
  Bytes file = fileOf(makeProgram(Generation::H14, 3));
  for (size_t length = 0; length < file.size(); length += 1 + length / 16)
    EXPECT_FALSE(survives(Bytes(file.begin(), file.begin() + length)))
        << "cut to " << length << " bytes";
  EXPECT_GT(damage(file, 0x4000 + 0x140, 2000), 50);
  file = fileOf(makeProgram(Generation::H18, 3));
  EXPECT_GT(damage(file, 0x4000 + 0x140, 1000), 25);
}

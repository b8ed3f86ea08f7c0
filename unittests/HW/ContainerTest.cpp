//===- ContainerTest.cpp - The .hwx container -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs made here are written, read, cut short and damaged. A damaged file
// must be refused or come back byte for byte; nothing else may happen.
//
//===----------------------------------------------------------------------===//

#include "ContainerFiles.h"

#include "ane/HW/H13.h"

using namespace ane::hw;

/// `count` chained tasks that load `streams` coefficient streams of 64 bytes
/// each.
static Program makeProgram(uint32_t count, uint32_t streams) {
  Program program;
  constexpr uint32_t kPitch = 0x300;
  Bytes constants(size_t(64) * streams * count);
  for (size_t i = 0; i < constants.size(); ++i)
    constants[i] = i / 64 + 1;
  for (uint32_t t = 0; t < count; ++t) {
    Task task = makeFullTask(Generation::H13);
    task.offset = t * kPitch;
    EXPECT_TRUE(task.set(h13::Header::TID, t).ok());
    if (t + 1 < count) {
      EXPECT_TRUE(task.set(h13::Header::NextPointer, (t + 1) * kPitch).ok());
      EXPECT_TRUE(
          task.set(h13::Header::NextSize, task.byteSize() / 4 - 1).ok());
    }
    if (streams) {
      EXPECT_TRUE(task.set(h13::Header::KBase0, BaseConst).ok());
      EXPECT_TRUE(task.set(h13::Header::KBE0, 1).ok());
    }
    for (uint32_t i = 0; i < streams; ++i) {
      using namespace h13::KernelDMASrc;
      EXPECT_TRUE(task.set(CoeffDMAConfig_En(i), 1).ok());
      EXPECT_TRUE(task.set(CoeffBaseAddr_Addr(i), 64 * (t * streams + i)).ok());
      EXPECT_TRUE(task.set(CoeffBfrSize_MemBfrSize(i), 64).ok());
    }
    program.textBytes = task.offset + task.byteSize();
    program.tasks.push_back(std::move(task));
  }
  if (!constants.empty())
    program.constants = std::make_shared<const Bytes>(constants);
  auto tensor = [&](const char *name, TensorKind kind, uint32_t base) {
    Tensor t;
    t.name = name;
    t.kind = kind;
    t.shape = {2, 3, 4, 5, 1};
    t.strides = {0x300, 0x100, 0x40, 2, 0x300};
    t.bytes = 0x600;
    t.base = base;
    program.tensors.push_back(t);
  };
  tensor("second", TensorKind::Input, 5);
  tensor("first", TensorKind::Input, 6);
  tensor("y@output", TensorKind::Output, 4);
  return program;
}

TEST(ContainerTest, MadeFileReadsBackAsTheSameProgram) {
  Program program = makeProgram(2, 3);
  program.scratchBytes = 0x8000;
  Bytes file = fileOf(program);
  absl::StatusOr<Container> again = readContainer(file);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->residues.empty());
  EXPECT_EQ(*writeContainer(*again), file);

  const Program &p = again->program;
  EXPECT_EQ(p.name, "net");
  EXPECT_EQ(p.textBytes, program.textBytes);
  EXPECT_EQ(p.scratchBytes, 0x8000u);
  EXPECT_EQ(p.constantBytes(), program.constantBytes());
  ASSERT_EQ(p.tasks.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(p.tasks[i].offset, program.tasks[i].offset);
    EXPECT_EQ(p.tasks[i].header, program.tasks[i].header);
    ASSERT_EQ(p.tasks[i].records.size(), program.tasks[i].records.size());
    for (size_t j = 0; j < p.tasks[i].records.size(); ++j)
      EXPECT_EQ(p.tasks[i].records[j].words, program.tasks[i].records[j].words);
  }
  ASSERT_EQ(p.tensors.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(p.tensors[i].name, program.tensors[i].name);
    EXPECT_EQ(p.tensors[i].kind, program.tensors[i].kind);
    EXPECT_EQ(p.tensors[i].shape, program.tensors[i].shape);
    EXPECT_EQ(p.tensors[i].strides, program.tensors[i].strides);
    EXPECT_EQ(p.tensors[i].bytes, program.tensors[i].bytes);
    EXPECT_EQ(p.tensors[i].base, program.tensors[i].base);
  }
  EXPECT_EQ(p.tensor("first")->base, 6u);
  EXPECT_EQ(p.tensor("none"), nullptr);
}

TEST(ContainerTest, RelocatesEachStreamAndNamesIt) {
  absl::StatusOr<Container> container = makeContainer(makeProgram(2, 3));
  ASSERT_TRUE(container.ok()) << container.status();
  const Section &text = container->segments[1].sections[0];
  ASSERT_EQ(text.relocations.size(), 6u);
  // The address of the first stream of the first task stands at byte 0x74 of
  // the full descriptor.
  EXPECT_EQ(text.relocations[0].address, 0x74u);
  EXPECT_EQ(text.relocations[1].address, 0x78u);
  EXPECT_EQ(text.relocations[3].address, 0x374u);
  const std::string &name = container->symbols[2].name;
  EXPECT_EQ(name.size(), 1 + 64 + 5u);
  EXPECT_EQ(name.substr(65), "_ne_2");
  EXPECT_EQ(container->symbols[2].value, 0x30000000u + 0x580 + 128);
  EXPECT_NE(name.substr(0, 65), container->symbols[3].name.substr(0, 65));
}

TEST(ContainerTest, StreamsFromATensorAreNotRelocated) {
  Program program = makeProgram(1, 2);
  ASSERT_TRUE(program.tasks[0].set(h13::Header::KBase0, BaseScratch).ok());
  program.tasks[0].header.push_back(0); // Word 9 now asks for an extension.
  program.textBytes += 4;
  absl::StatusOr<Container> container = makeContainer(program);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_TRUE(container->segments[1].sections[0].relocations.empty());
}

TEST(ContainerTest, DescriptorOfAnOutputEndsWithItsLastElement) {
  Bytes file = fileOf(makeProgram(1, 0));
  // Threads: program, first, second, output; inputs sorted by name.
  size_t output = commandAt(file, 4, 3), first = commandAt(file, 4, 1);
  EXPECT_EQ(word(file, output + 0x80), 0x300u + 2 * 0x100 + 3 * 0x40 + 5 * 2);
  EXPECT_EQ(word(file, first + 0x80), 0x600u);
  EXPECT_EQ(std::string(&file[first + 0x8c], &file[first + 0x91]), "first");
}

TEST(ContainerTest, WithoutConstantsThereIsASectionOfZeros) {
  absl::StatusOr<Container> container =
      readContainer(fileOf(makeProgram(1, 0)));
  ASSERT_TRUE(container.ok());
  EXPECT_EQ(container->program.constantBytes().size(), 0x4000u);
}

TEST(ContainerTest, ManySymbolsMoveTheText) {
  Bytes file = fileOf(makeProgram(20, 16));
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_EQ(container->segments[1].fileOffset, 0xc000u);
  EXPECT_EQ(container->symbols.size(), 20 * 16 + 3 + 10 + 3u);
  EXPECT_EQ(*writeContainer(*container), file);
}

TEST(ContainerTest, FormOfVersionNine) {
  Program program = makeProgram(2, 3);
  program.scratchBytes = 0x5000;
  Signature signature;
  signature.form = ContainerForm::V9;
  Bytes file = fileOf(program, signature);
  // Scratch memory, first, output, second by name, text.
  size_t thread = commandAt(file, 4, 0);
  EXPECT_EQ(word(file, thread + 0x04), 0x880u);
  EXPECT_EQ(word(file, thread + 0x0c), 538u);
  EXPECT_EQ(word(file, thread + 0x10 + size_t(8) * BaseScratch), 0x30000000u);
  EXPECT_EQ(
      word(file, thread + 0x10 + size_t(8) * program.tensor("first")->base),
      0x30008000u);
  uint64_t text = word(file, thread + 0x10 + size_t(8) * BaseText);
  for (const Tensor &tensor : program.tensors)
    EXPECT_LT(word(file, thread + 0x10 + size_t(8) * tensor.base), text);
  EXPECT_EQ(word(file, thread + 0x10 + size_t(8) * BaseConst), text + 0x580);
  EXPECT_EQ(std::string(&file[thread + 0x878], &file[thread + 0x87b]), "net");
  // An output counts one whole image, too.
  size_t output = commandAt(file, 4, 3);
  EXPECT_EQ(word(file, output + 0x80), 0x300u);

  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_EQ(container->program.scratchBytes, 0x8000u);
  Signature found = signatureOf(*container);
  EXPECT_EQ(found.form, ContainerForm::V9);
  EXPECT_TRUE(
      sameWrapping(*makeContainer(container->program, found), *container));
  EXPECT_EQ(*writeContainer(*container), file);
}

TEST(ContainerTest, SignatureIsFoundAndUsed) {
  Signature signature;
  signature.ident = "ANEC v1\nsomebody else\n";
  signature.streamNames = {"K1", "K2", "K3"};
  signature.programKind = 7;
  absl::StatusOr<Container> container =
      readContainer(fileOf(makeProgram(1, 3), signature));
  ASSERT_TRUE(container.ok());
  Signature found = signatureOf(*container);
  EXPECT_EQ(found.ident, signature.ident);
  EXPECT_EQ(found.streamNames, signature.streamNames);
  EXPECT_EQ(found.programKind, 7u);
  EXPECT_TRUE(
      sameWrapping(*makeContainer(container->program, found), *container));
  EXPECT_FALSE(sameWrapping(*makeContainer(container->program), *container));

  Signature ours = signatureOf(*readContainer(fileOf(makeProgram(1, 3))));
  EXPECT_TRUE(ours.ident.empty() && ours.streamNames.empty());

  signature.streamNames.pop_back();
  EXPECT_EQ(makeContainer(makeProgram(1, 3), signature).status().message(),
            "the signature names 2 coefficient streams, but the tasks load 3");
}

TEST(ContainerTest, LowHalves) {
  Program program = makeProgram(1, 0);
  program.tensors[1].shape = program.tensors[0].shape;
  program.tensors[1].strides = program.tensors[0].strides;
  program.tensors[1].bytes = program.tensors[0].bytes;
  program.tensors[1].isLow = true;
  absl::StatusOr<Program> again = readProgram(fileOf(program));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->tensors[0].isLow);
  EXPECT_TRUE(again->tensors[1].isLow);

  // Nor are inputs low that cannot be, or of which another compiler says so.
  Signature signature;
  for (const char *ident : {"ANEC v1\nsomebody\n\t--low-halves=1\n",
                            "ANEC v1\nmlir-ane 9\n\t--low-halves=0,2,x\n"}) {
    signature.ident = ident;
    again = readProgram(fileOf(program, signature));
    ASSERT_TRUE(again.ok()) << again.status();
    for (const Tensor &tensor : again->tensors)
      EXPECT_FALSE(tensor.isLow) << ident;
  }
}

TEST(ContainerTest, ShapesOfTheNetwork) {
  Program program = makeProgram(1, 0);
  ASSERT_TRUE(program.tensors[0].setDenseShape({120}));
  ASSERT_TRUE(program.tensors[1].setDenseShape({2, 3, 4, 5}));
  EXPECT_FALSE(program.tensors[1].networkShape); // says nothing
  Tensor &output = program.tensors[2];
  output.shape = {1, 1, 1, 1, 1};
  ASSERT_TRUE(output.setDenseShape({}));
  EXPECT_FALSE(output.setDenseShape({2}));
  EXPECT_FALSE(output.setDenseShape({0}));
  absl::StatusOr<Program> again = readProgram(fileOf(program));
  ASSERT_TRUE(again.ok()) << again.status();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(again->tensors[i].denseShape(), program.tensors[i].denseShape());
  EXPECT_TRUE(again->tensors[2].denseShape().empty());

  // The text of another compiler says nothing, nor does one of other tensors.
  Signature signature;
  for (const char *ident :
       {"ANEC v1\nsomebody\n\t--shapes=120,2x3x4x5,scalar\n",
        "ANEC v1\nmlir-ane 9\n\t--shapes=121,2x3x4x5,2\n",
        "ANEC v1\nmlir-ane 9\n\t--shapes=120,scalar\n",
        "ANEC v1\nmlir-ane 9\n\t--shapes=120x,,99999999999999999999\n"}) {
    signature.ident = ident;
    again = readProgram(fileOf(program, signature));
    ASSERT_TRUE(again.ok()) << again.status();
    for (const Tensor &tensor : again->tensors)
      EXPECT_FALSE(tensor.networkShape) << ident;
  }
}

TEST(ContainerTest, MakerRefusesWhatAProgramCannotHave) {
  auto error = [](auto change) {
    Program program = makeProgram(1, 1);
    change(program);
    return std::string(makeContainer(program).status().message());
  };
  EXPECT_EQ(error([](Program &p) { p.tensors[1].base = 5; }),
            "tensor 'first': another tensor has base 5");
  EXPECT_EQ(error([](Program &p) { p.tensors[1].base = 32; }),
            "tensor 'first': base is 32, but tensors have bases 4 to 31");
  EXPECT_EQ(error([](Program &p) { p.tensors[1].name = "second"; }),
            "tensor 'second': another tensor has the same name");
  EXPECT_EQ(error([](Program &p) { p.tensors[0].kind = TensorKind::Output; }),
            "tensor 'first': an input comes after an output, expected inputs "
            "first");
  EXPECT_EQ(error([](Program &p) { p.tasks.clear(); }),
            "a program needs at least one task");
  EXPECT_EQ(error([](Program &p) {
              EXPECT_TRUE(p.tasks[0].set(h13::Header::NextPointer, 4).ok());
            }),
            "task 0: NextPointer is 0x4 and NextSize 0 words, but the last "
            "task wants 0x0 and 0");
  EXPECT_EQ(error([](Program &p) {
              p = makeProgram(2, 0);
              p.tasks[1].offset += 4;
            }),
            "task 0: NextPointer is 0x300 and NextSize 156 words, but task 1 "
            "wants 0x304 and 156");
  EXPECT_EQ(error([](Program &p) { p.textBytes = 100; }),
            "text has 100 bytes, but the last task ends at byte 628");
  EXPECT_EQ(error([](Program &p) { p.constants = {}; }),
            "task at 0x0: coefficient stream 0 covers 64 bytes at 0x0 of the "
            "constants, which have 0 bytes");
  EXPECT_EQ(error([](Program &p) { p.tensors[2].bytes = 0xf0000000; }),
            "text, constants, tensors and 0 bytes of scratch end at "
            "0x12000c000, but addresses of a program have 32 bits");
}

TEST(ContainerTest, ReaderSaysWhatIsWrongAndWhere) {
  const Bytes file = fileOf(makeProgram(2, 2));
  auto error = [&](size_t at, uint32_t value) {
    Bytes damaged = file;
    setWord(damaged, at, value);
    return readError(damaged);
  };
  EXPECT_EQ(readError({}), "file has 0 bytes, but the header alone needs 32");
  EXPECT_EQ(error(0, 0xfeedfacf),
            "header at 0x0: magic is 0xfeedfacf, expected 0xbeefface");
  EXPECT_EQ(error(8, 8), "header at 0x8: cpu subtype is 8, expected one of 4 "
                         "(h13), 5 (h14), 6 (h15), 7 (h16), 9 (h17), 10 (h18)");
  EXPECT_EQ(error(8, 5), "none of the 14 load commands describes a program "
                         "(thread of flavor 4)");
  EXPECT_EQ(error(16, 0x7fffffff).substr(0, 16), "load command 14 ");
  EXPECT_EQ(error(20, 0x7fffffff).substr(0, 20), "header at 0x14: load");
  EXPECT_EQ(error(36, 0xfffffff0),
            "load command 0 at 0x20: size is 4294967280 bytes, expected a "
            "multiple of 4 from 8 to " +
                std::to_string(word(file, 20)));
  size_t text = commandAt(file, 0x19, 1);
  EXPECT_EQ(error(text + 64, 1u << 30),
            "load command 1 at 0x68: segment '__TEXT' claims 1073741824 "
            "sections, but its 232 bytes hold only 2");
  EXPECT_EQ(
      error(text + 72 + 60, 0x10000000),
      "relocations of section __TEXT,__text covers 2147483648 bytes at "
      "0x" +
          [&] {
            char at[16];
            snprintf(at, sizeof at, "%x", word(file, text + 72 + 56));
            return std::string(at);
          }() +
          ", but the file has 32768 bytes");
  // Names are bytes of the file; an error shows them as text.
  Bytes named = file;
  setWord(named, text + 8, 0xff0a5f5f);
  setWord(named, text + 48, 0x7fffffff);
  EXPECT_EQ(readError(named).substr(0, 26), "segment __\\n\\xffXT covers ");
  // The second section starts inside the first.
  EXPECT_EQ(error(text + 152 + 48, 0x4100),
            "section __TEXT,__const at 0x4100 overlaps section __TEXT,__text, "
            "which ends at 0x4574");
  size_t program = commandAt(file, 4);
  EXPECT_EQ(error(program + 0x810, 0x2fffffff).substr(0, 16),
            "load command 8 a");
  EXPECT_NE(error(program + 0x810, 0x2fffffff)
                .find("entry 0x2fffffff is "
                      "outside the text"),
            std::string::npos);
  EXPECT_NE(error(program + 0x81c, 3).find("counts 3 tasks, but 2 are chained"),
            std::string::npos);
  // The second task points back to itself.
  Bytes cyclic = file;
  setWord(cyclic, 0x4000 + 0x300 + 28, 0x300);
  EXPECT_NE(readError(cyclic).find("the program has 2 tasks"),
            std::string::npos);
  setWord(cyclic, program + 0x81c, 1000);
  EXPECT_NE(readError(cyclic).find("never ends"), std::string::npos)
      << readError(cyclic);
  size_t tensor = commandAt(file, 4, 1);
  EXPECT_NE(error(tensor + 0x24, 9).find("element type is 9"),
            std::string::npos);
  EXPECT_NE(error(tensor + 0x14, 0).find("direction is 0"), std::string::npos);
  EXPECT_NE(error(tensor + 0x28, 0xffffffff).find("too few"),
            std::string::npos);
  size_t symbols = word(file, commandAt(file, 2) + 8);
  // A symbol is no reason not to run a program.
  Bytes nameless = file;
  setWord(nameless, symbols, 0x10000000);
  absl::StatusOr<Container> container = readContainer(nameless);
  ASSERT_TRUE(container.ok()) << container.status();
  ASSERT_EQ(container->notes.size(), 1u);
  EXPECT_EQ(container->notes[0].text.substr(0, 14), "symbol 0 at 0x");
  EXPECT_EQ(*writeContainer(*container), nameless);
  EXPECT_TRUE(readProgram(nameless).ok());
}

TEST(ContainerTest, WriterRefusesAFileMuchLargerThanItsContents) {
  Container container = *makeContainer(makeProgram(1, 1));
  container.fileSize = uint64_t(1) << 50;
  EXPECT_NE(writeContainer(container).status().message().find(
                "bytes of zeros may follow"),
            absl::string_view::npos);
  container.fileSize = 100;
  EXPECT_FALSE(writeContainer(container).ok());
  container = *makeContainer(makeProgram(1, 1));
  container.residues.push_back({container.fileSize - 1, {1, 2}});
  EXPECT_NE(
      writeContainer(container).status().message().find("leaves the file"),
      absl::string_view::npos);
}

TEST(ContainerTest, BytesThatNothingExplainsAreKept) {
  Bytes file = fileOf(makeProgram(1, 1));
  const size_t gap = 0x3ff0;
  file[gap] = 7;
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  ASSERT_EQ(container->residues.size(), 1u);
  EXPECT_EQ(container->residues[0].fileOffset, gap);
  EXPECT_EQ(container->residues[0].bytes, Bytes{7});
  EXPECT_EQ(*writeContainer(*container), file);
}

TEST(ContainerTest, LibrariesAndNamesOfNewerVersions) {
  const Program program = makeProgram(2, 2);
  Bytes file = fileOf(program);
  // Libraries have a code of their own, an address of eight bytes and the name
  // that callers know; the symbol of an output has more.
  for (const char *name : {"second", "first", "y"}) {
    const size_t at = commandAt(file, 6);
    Bytes library = makeCommand(0x40, 0x20);
    setWord(library, 8, 0x18);
    setWord(library, 0x10, word(file, at + 0x10));
    std::copy_n(name, strlen(name), &library[0x18]);
    // After those that are replaced already, hence in the same order.
    spliceCommand(file, at, word(file, at + 4), library);
  }
  const size_t output = commandAt(file, 4, 3);
  file[output + word(file, output + 0x7c) + 1] = 0; // "y@output" outside
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_TRUE(container->notes.empty());
  EXPECT_EQ(*writeContainer(*container), file);
  const std::vector<Tensor> &tensors = container->program.tensors;
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors[0].name, "second");
  EXPECT_EQ(tensors[1].name, "first");
  EXPECT_EQ(tensors[2].name, "y");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(tensors[i].base, program.tensors[i].base);

  // An input that has the name of the output, too, is told by its segment.
  Bytes twice = file;
  const size_t input = commandAt(twice, 4, 1);
  for (size_t at : {word(twice, input + 0x20), word(twice, input + 0x7c)})
    std::copy_n("y\0", 2, &twice[input + at]);
  std::copy_n("y\0", 2, &twice[commandAt(twice, 0x40, 1) + 0x18]);
  container = readContainer(twice);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_TRUE(container->notes.empty());
  const std::vector<Tensor> &both = container->program.tensors;
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both[1].name, "y");
  EXPECT_EQ(both[1].kind, TensorKind::Input);
  EXPECT_EQ(both[2].name, "y");
  EXPECT_EQ(both[2].kind, TensorKind::Output);
  EXPECT_EQ(both[2].base, 4u);
  EXPECT_EQ(*writeContainer(*container), twice);
}

TEST(ContainerTest, SymbolsNameSurfacesThatNoLibraryNames) {
  Bytes file = fileOf(makeProgram(1, 0));
  for (int i = 0; i < 3; ++i) {
    const size_t at = commandAt(file, 6);
    spliceCommand(file, at, word(file, at + 4), {});
  }
  absl::StatusOr<Program> program = readProgram(file);
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->tensors.size(), 3u);
  EXPECT_EQ(program->tensor("first")->base, 6u);
}

TEST(ContainerTest, WhatIsNotKnownIsKept) {
  const Program program = makeProgram(2, 2);
  Bytes file = fileOf(program);
  // A command, a thread, and in front of the other segments one with bytes at
  // the end of the file and a section that overlaps the load commands.
  const uint32_t size = file.size();
  spliceCommand(file, commandAt(file, 6), 0, makeCommand(0x4, 0x20));
  spliceCommand(file, commandAt(file, 6), 0, makeCommand(0x31, 0x30));
  setWord(file, commandAt(file, 0x4) + 8, 17);
  Bytes segment = makeCommand(0x19, 72 + 80);
  std::copy_n("__DEBUG", 7, &segment[8]);
  std::copy_n("__inner", 7, &segment[72]);
  setWord(segment, 40, size);
  setWord(segment, 48, 0x100);
  setWord(segment, 64, 1);
  setWord(segment, 72 + 40, 0x80);
  setWord(segment, 72 + 48, 0x20); // where the load commands are
  spliceCommand(file, 32, 0, segment);
  for (int i = 0; i < 0x100; ++i)
    file.push_back(i + 1);
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  std::vector<std::string> notes;
  for (const Note &note : container->notes) {
    notes.push_back(note.text.substr(note.text.find(": ") + 1));
    EXPECT_EQ(note.missing, Note::Nothing);
  }
  EXPECT_EQ(notes, (std::vector<std::string>{
                       "segment __DEBUG with 256 bytes at 0x8000 of the file "
                       "is not known",
                       " thread of flavor 17 is not known; it has 32 bytes",
                       " code 0x31 is not known; it has 48 bytes"}));
  EXPECT_EQ(container->program.tasks.size(), 2u);
  EXPECT_EQ(container->program.tensors.size(), 3u);
  EXPECT_EQ(*writeContainer(*container), file);
  EXPECT_TRUE(readProgram(file).ok());
}

TEST(ContainerTest, TensorOfAKindThatIsNotKnown) {
  Bytes file = fileOf(makeProgram(2, 2));
  setWord(file, commandAt(file, 4, 1) + 0x24, 6); // float
  absl::StatusOr<Container> container = readContainer(file);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_EQ(container->program.tensors.size(), 2u);
  EXPECT_EQ(*writeContainer(*container), file);
  EXPECT_TRUE(checkComplete(*container, Note::Tensor).ok());
  EXPECT_NE(readError(file).find("element type is 6"), std::string::npos);
}

TEST(ContainerTest, TasksInFrontOfAFaultAreRead) {
  const Bytes file = fileOf(makeProgram(3, 0));
  Bytes damaged = file;
  setWord(damaged, 0x4000 + 0x600 + 0x254, 0xfc017800);
  absl::StatusOr<Container> container = readContainer(damaged);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_EQ(container->program.tasks.size(), 2u);
  EXPECT_FALSE(checkComplete(*container, Note::Tensor).ok());
  EXPECT_EQ(*writeContainer(*container), damaged);
  EXPECT_NE(readError(damaged).find("task 2: record at word 149"),
            std::string::npos);
  // Without a single task there is nothing to show.
  damaged = file;
  setWord(damaged, 0x4000 + 0x254, 0xfc017800);
  EXPECT_FALSE(readContainer(damaged).ok());
  // Bytes between tasks are no tasks.
  damaged = file;
  damaged[0x4000 + 0x2a0] = 1;
  container = readContainer(damaged);
  ASSERT_TRUE(container.ok()) << container.status();
  EXPECT_EQ(container->program.tasks.size(), 3u);
  EXPECT_EQ(container->notes.size(), 1u);
  EXPECT_EQ(*writeContainer(*container), damaged);
  EXPECT_TRUE(readProgram(damaged).ok());
}

TEST(ContainerTest, EveryTruncationIsRefused) {
  Bytes file = fileOf(makeProgram(2, 2));
  for (size_t length = 0; length < file.size(); length += 1 + length / 64) {
    Bytes cut(file.begin(), file.begin() + length);
    EXPECT_FALSE(survives(cut)) << "cut to " << length << " bytes";
  }
}

TEST(ContainerTest, DamageIsRefusedOrKept) {
  // Most damage hits zeros between things or words of tasks.
  EXPECT_GT(damage(fileOf(makeProgram(3, 2)), 0x4000 + 0x900, 3000), 100);
}

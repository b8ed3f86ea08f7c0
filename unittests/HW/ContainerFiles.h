//===- ContainerFiles.h - Files made by the tests of containers -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_HW_CONTAINERFILES_H
#define ANE_UNITTESTS_HW_CONTAINERFILES_H

#include "ane/HW/Container.h"

#include "gtest/gtest.h"

#include <random>

namespace ane::hw {

using Bytes = std::vector<uint8_t>;

inline Bytes fileOf(const Program &program, const Signature &signature = {}) {
  absl::StatusOr<Container> container = makeContainer(program, signature);
  EXPECT_TRUE(container.ok()) << container.status();
  absl::StatusOr<Bytes> file = writeContainer(*container);
  EXPECT_TRUE(file.ok()) << file.status();
  return *file;
}

inline std::string readError(const Bytes &file) {
  absl::StatusOr<Program> program = readProgram(file);
  return program.ok() ? "no error" : std::string(program.status().message());
}

inline uint32_t word(const Bytes &file, size_t at) {
  return file[at] | file[at + 1] << 8 | file[at + 2] << 16 |
         uint32_t(file[at + 3]) << 24;
}

inline void setWord(Bytes &file, size_t at, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    file[at + i] = value >> 8 * i;
}

/// Offset of the `n`th load command with a code.
inline size_t commandAt(const Bytes &file, uint32_t code, int n = 0) {
  size_t at = 32;
  for (uint32_t i = 0; i < word(file, 16); ++i, at += word(file, at + 4))
    if (word(file, at) == code && n-- == 0)
      return at;
  ADD_FAILURE() << "no load command " << code;
  return 32;
}

/// Replaces `removed` bytes at `at`, which is a place between load commands, by
/// `command`; what follows the commands, up to the text at 0x4000, moves.
inline void spliceCommand(Bytes &file, size_t at, size_t removed,
                          const Bytes &command) {
  const uint32_t delta = command.size() - removed;
  const size_t symbols = commandAt(file, 2), text = commandAt(file, 0x19, 1);
  setWord(file, 16, word(file, 16) + !command.empty() - !!removed);
  setWord(file, 20, word(file, 20) + delta);
  for (size_t offset : {symbols + 8, symbols + 16, text + 72 + 56})
    if (word(file, offset))
      setWord(file, offset, word(file, offset) + delta);
  Bytes tail(file.begin() + 0x4000, file.end());
  file.resize(0x4000);
  file.erase(file.begin() + at, file.begin() + at + removed);
  file.insert(file.begin() + at, command.begin(), command.end());
  file.resize(0x4000);
  file.insert(file.end(), tail.begin(), tail.end());
}

/// A load command of `bytes` bytes.
inline Bytes makeCommand(uint32_t code, uint32_t bytes) {
  Bytes command(bytes);
  setWord(command, 0, code);
  setWord(command, 4, bytes);
  return command;
}

/// Reads `file`; when it is accepted, writing must give it back.
inline bool survives(const Bytes &file) {
  absl::StatusOr<Container> container = readContainer(file);
  if (!container.ok()) {
    EXPECT_FALSE(container.status().message().empty());
    return false;
  }
  absl::StatusOr<Bytes> again = writeContainer(*container);
  EXPECT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again.ok() && *again == file);
  return true;
}

/// Damages the first `interesting` bytes of `file` in many ways: each must be
/// refused or kept. Returns how many were kept.
inline int damage(const Bytes &file, size_t interesting, int rounds) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int accepted = 0;
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    Bytes damaged = file;
    for (int n = random() % 4; n >= 0; --n) {
      size_t at = random() % interesting;
      if (random() % 2)
        damaged[at] ^= 1 << random() % 8;
      else
        setWord(damaged, at & ~3u, random() % 3 ? random() : random() % 0x9000);
    }
    if (random() % 16 == 0)
      damaged.resize(random() % (file.size() + 0x1000));
    accepted += survives(damaged);
  }
  return accepted;
}

} // namespace ane::hw

#endif // ANE_UNITTESTS_HW_CONTAINERFILES_H

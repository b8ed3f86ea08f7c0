//===- flip-bits.cpp - Programs with one bit changed ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flips a random bit of the task words of a program and runs it in the
// simulator, again and again. Each flip must change nothing, change the
// numbers, or be refused with a message; this program is built with
// AddressSanitizer and UndefinedBehaviorSanitizer, which end it where memory is
// misused, and with a bound on allocations. A run that takes far longer than
// that of the program as it was counts as a hang.
//
//   flip-bits SEED MILLIONS FILE...
//
// Prints the outcomes of all flips in one line. The number of flips of a
// program falls with its size: they touch about MILLIONS million elements in
// all, shared between the files.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Container.h"
#include "ane/HW/Float16.h"
#include "ane/Simulator/Simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

using namespace ane;

/// No program of the tests needs more.
extern "C" const char *__asan_default_options() {
  return "max_allocation_size_mb=1024:hard_rss_limit_mb=3072";
}

namespace {

struct Outcomes {
  uint64_t same = 0, changed = 0, refused = 0;
};

using Surfaces = std::vector<std::vector<uint8_t>>;

Surfaces makeSurfaces(const hw::Program &program, std::mt19937 &random) {
  Surfaces surfaces;
  for (const hw::Tensor &tensor : program.tensors) {
    surfaces.emplace_back(tensor.bytes);
    if (tensor.kind == hw::TensorKind::Output)
      continue;
    std::vector<uint8_t> &bytes = surfaces.back();
    if (tensor.type != hw::ElementType::Float16) {
      for (uint8_t &byte : bytes)
        byte = random() & 1;
      continue;
    }
    for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
      uint16_t half = hw::toHalfBits((int(random() % 256) - 128) / 32.0f);
      std::memcpy(&bytes[i], &half, sizeof(half));
    }
  }
  return surfaces;
}

absl::Status run(const hw::Program &program, Surfaces &surfaces) {
  std::vector<absl::Span<uint8_t>> spans;
  for (std::vector<uint8_t> &surface : surfaces)
    spans.push_back(absl::MakeSpan(surface));
  sim::Options options;
  options.threads = 1;
  return sim::run(program, spans, options).status();
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

uint64_t sizeOf(const hw::Program &program) {
  uint64_t bytes = program.constants->size() + program.scratchBytes;
  for (const hw::Tensor &tensor : program.tensors)
    bytes += tensor.bytes;
  // Reading words and setting up memories cost something, too.
  return bytes / 2 * std::max<size_t>(1, program.tasks.size()) + 100000;
}

[[noreturn]] void fail(const std::string &file, const std::string &what) {
  std::fprintf(stderr, "flip-bits: %s: %s\n", file.c_str(), what.c_str());
  std::exit(1);
}

/// The words of all tasks with one bit flipped, read again.
absl::StatusOr<std::vector<hw::Task>> flipped(const hw::Program &program,
                                              std::vector<uint8_t> text,
                                              std::mt19937 &random,
                                              std::string &where) {
  const hw::Task &task = program.tasks[random() % program.tasks.size()];
  uint64_t byte = task.offset + random() % task.byteSize();
  uint32_t bit = random() % 8;
  text[byte] ^= 1u << bit;
  where = "byte " + std::to_string(byte) + ", bit " + std::to_string(bit);
  const hw::Task &first = program.tasks.front();
  return hw::readTasks(program.generation, text, first.offset, 0,
                       first.byteSize() / 4);
}

void flipFile(const std::string &file, uint64_t elements, std::mt19937 &random,
              Outcomes &outcomes) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    fail(file, "cannot be read");
  std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(stream)),
                             std::istreambuf_iterator<char>());
  auto read = hw::readProgram(bytes);
  if (!read.ok())
    fail(file, std::string(read.status().message()));
  hw::Program program = *std::move(read);
  auto text =
      hw::writeTasks(program.generation, program.tasks, program.textBytes);
  if (!text.ok())
    fail(file, std::string(text.status().message()));

  const Surfaces inputs = makeSurfaces(program, random);
  Surfaces expected = inputs;
  auto start = std::chrono::steady_clock::now();
  if (absl::Status status = run(program, expected); !status.ok())
    fail(file, std::string(status.message()));
  const double limit = 5 + 50 * secondsSince(start);

  for (uint64_t i = 0; i < std::max<uint64_t>(1, elements / sizeOf(program));
       ++i) {
    std::string where;
    auto tasks = flipped(program, *text, random, where);
    if (!tasks.ok()) {
      ++outcomes.refused;
      continue;
    }
    hw::Program changed = program;
    changed.tasks = *std::move(tasks);
    Surfaces surfaces = inputs;
    start = std::chrono::steady_clock::now();
    absl::Status status = run(changed, surfaces);
    if (double seconds = secondsSince(start); seconds > limit)
      fail(file, where + ": ran for " + std::to_string(seconds) + " s");
    if (!status.ok()) {
      if (status.message().substr(0, 5) != "task ")
        fail(file, where + ": error without a task: " +
                       std::string(status.message()));
      ++outcomes.refused;
    } else {
      ++(surfaces == expected ? outcomes.same : outcomes.changed);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: flip-bits SEED MILLIONS FILE...\n");
    return 1;
  }
  std::mt19937 random(std::strtoul(argv[1], nullptr, 10));
  uint64_t elements = std::strtoull(argv[2], nullptr, 10) * 1000000;
  Outcomes outcomes;
  for (int i = 3; i < argc; ++i)
    flipFile(argv[i], elements / (argc - 3), random, outcomes);
  std::printf("flips: %llu in %d programs: %llu same, %llu changed, %llu "
              "refused\n",
              static_cast<unsigned long long>(outcomes.same + outcomes.changed +
                                              outcomes.refused),
              argc - 3, static_cast<unsigned long long>(outcomes.same),
              static_cast<unsigned long long>(outcomes.changed),
              static_cast<unsigned long long>(outcomes.refused));
  return 0;
}

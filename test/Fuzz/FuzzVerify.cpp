//===- FuzzVerify.cpp - What the verifier accepts stays in its memory ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: fuzz-verify WORDS SEED PROGRAM...
//
// Changes one word at a time, WORDS times over the programs, and asks the
// verifier (HW/Verifier.h). What it accepts runs in the simulator, which has
// checks of its own, and, every few times, with arithmetic: this program has
// AddressSanitizer, and each surface is a block of its own. An access outside
// of its memory that the verifier accepted is an error; so is anything else
// that only the simulator refuses, except masks in the constants, which are no
// words of a task. One line tells how many words were accepted.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"
#include "ane/HW/Verifier.h"
#include "ane/Simulator/Simulator.h"

#include "absl/strings/match.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

using namespace ane;

static absl::StatusOr<sim::Stats> run(const hw::Program &program,
                                      sim::Mode mode) {
  std::vector<std::unique_ptr<uint8_t[]>> buffers;
  std::vector<absl::Span<uint8_t>> surfaces;
  for (const hw::Tensor &tensor : program.tensors) {
    if (mode != sim::Mode::Count)
      buffers.push_back(std::make_unique<uint8_t[]>(tensor.bytes));
    surfaces.emplace_back(mode == sim::Mode::Count ? nullptr
                                                   : buffers.back().get(),
                          tensor.bytes);
  }
  sim::Options options;
  options.mode = mode;
  options.threads = 1;
  return sim::run(program, surfaces, options);
}

namespace {
/// A program whose words change one at a time.
class Changed {
public:
  explicit Changed(hw::Program program) : program(std::move(program)) {}

  hw::Program program;

  /// The tasks with one word more or less: a bit, a small step, or a value that
  /// the same program has elsewhere.
  std::string change(std::mt19937_64 &random) {
    auto below = [&](uint64_t limit) { return random() % limit; };
    hw::Task &task = program.tasks[at = below(program.tasks.size())];
    kept = task;
    size_t words = task.header.size();
    for (const hw::Record &record : task.records)
      words += record.words.size();
    size_t which = below(words);
    uint32_t *word = nullptr;
    std::string name = "task " + std::to_string(at) + ", ";
    if (which < task.header.size()) {
      word = &task.header[which];
      name += "header word " + std::to_string(which);
    } else {
      which -= task.header.size();
      for (hw::Record &record : task.records) {
        if (which < record.words.size()) {
          word = &record.words[which];
          char address[32];
          std::snprintf(address, sizeof(address), "register 0x%x",
                        record.addressOf(which));
          name += address;
          break;
        }
        which -= record.words.size();
      }
    }
    const uint32_t before = *word;
    switch (below(4)) {
    case 0:
      *word ^= 1u << below(32);
      break;
    case 1:
      *word += (below(2) ? 1 : -1) * (1u << below(18));
      break;
    case 2: {
      const hw::Task &other = program.tasks[below(program.tasks.size())];
      const hw::Record &record = other.records[below(other.records.size())];
      *word = record.words[below(record.words.size())];
      break;
    }
    default:
      *word = uint32_t(random()) >> below(32);
      break;
    }
    char values[64];
    std::snprintf(values, sizeof(values), ": 0x%x instead of 0x%x", *word,
                  before);
    return name + values;
  }
  void restore() { program.tasks[at] = std::move(kept); }

private:
  size_t at = 0;
  hw::Task kept;
};

} // namespace

static absl::StatusOr<hw::Program> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  absl::Span<const uint8_t> data(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  absl::StatusOr<hw::Program> program = hw::readProgram(data);
  if (!program.ok())
    program = hw::readAnec(data);
  if (program.ok()) // the file is gone
    program->constants = std::make_shared<const std::vector<uint8_t>>(
        program->constantBytes().begin(), program->constantBytes().end());
  return program;
}

static int fail(const char *path, const std::string &what,
                const absl::Status &status) {
  std::fprintf(stderr, "%s: error: %s: %s\n", path, what.c_str(),
               std::string(status.message()).c_str());
  return 1;
}

/// What is wrong with the masks of a stream stands in its bytes.
static bool isOfConstants(const absl::Status &status) {
  return absl::StrContains(status.message(), "zero-skipping unit") ||
         absl::StrContains(status.message(), "has another table") ||
         absl::StrContains(status.message(), "table");
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: fuzz-verify WORDS SEED PROGRAM...\n");
    return 1;
  }
  const uint64_t words = std::strtoull(argv[1], nullptr, 0);
  std::mt19937_64 random(std::strtoull(argv[2], nullptr, 0));
  std::vector<Changed> programs;
  std::vector<const char *> paths;
  for (int i = 3; i < argc; ++i) {
    absl::StatusOr<hw::Program> program = readFile(argv[i]);
    if (!program.ok())
      return fail(argv[i], "cannot be read", program.status());
    if (absl::Status status = hw::verify(*program).status(); !status.ok())
      return fail(argv[i], "is not accepted as it is", status);
    programs.emplace_back(*std::move(program));
    paths.push_back(argv[i]);
  }
  uint64_t accepted = 0, computed = 0, constants = 0, stricter = 0;
  std::chrono::nanoseconds spent{0};
  for (uint64_t i = 0; i < words; ++i) {
    const size_t which = random() % programs.size();
    Changed &changed = programs[which];
    const std::string what = changed.change(random);
    const auto start = std::chrono::steady_clock::now();
    const hw::VerifyReport report = hw::verify(changed.program);
    spent += std::chrono::steady_clock::now() - start;
    if (report.ok()) {
      ++accepted;
      absl::StatusOr<sim::Stats> stats = run(changed.program, sim::Mode::Count);
      if (stats.ok() && accepted % 16 == 0 && stats->macs < 1 << 20) {
        ++computed;
        stats = run(changed.program, sim::Mode::Fast);
      }
      if (!stats.ok() && !isOfConstants(stats.status()))
        return fail(paths[which], "accepted with " + what, stats.status());
      constants += !stats.ok();
    } else if (i % 16 == 0) {
      stricter += run(changed.program, sim::Mode::Count).ok();
    }
    changed.restore();
  }
  std::printf("%llu words changed in %zu programs: %llu accepted, all inside "
              "their memory (%llu computed, %llu with constants that are "
              "none); of the others the simulator takes 1 in %.1f; "
              "%.0f us each\n",
              (unsigned long long)words, programs.size(),
              (unsigned long long)accepted, (unsigned long long)computed,
              (unsigned long long)constants,
              stricter ? (words - accepted) / 16.0 / stricter : 0.0,
              std::chrono::duration<double, std::micro>(spent).count() /
                  std::max<uint64_t>(words, 1));
  return 0;
}

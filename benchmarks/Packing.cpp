//===- Packing.cpp - How fast weights become kernel streams ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 100 MB of fp16 weights of one kind of convolution, as many kernels as that
// makes, go into the streams of the 16 engines; memcpy moves as many bytes.
// Both read and write memory that was touched before.
//
//   ane-bench-packing GENERATION [flags of Google Benchmark]
//
//===----------------------------------------------------------------------===//

#include "ane/HW/KernelPacking.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

using namespace ane::hw;

static const GenerationInfo *target = nullptr;
static constexpr size_t kHalves = (100 << 20) / 2;

// No zeros, which one of the forms leaves out.
static std::vector<uint16_t> makeWeights() {
  std::vector<uint16_t> result(kHalves);
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = 0x3000 + i % 1021;
  return result;
}

// Memory for results, at the start of a line of the cache and touched before.
// It lives as long as the program does.
static absl::Span<uint8_t> makeRoom(size_t bytes) {
  static std::vector<uint8_t> room;
  constexpr size_t line = 64;
  room.resize(std::max(room.size(), bytes + line), 1);
  const size_t skip = -reinterpret_cast<uintptr_t>(room.data()) % line;
  return absl::MakeSpan(room).subspan(skip, bytes);
}

static void copy(benchmark::State &state) {
  const std::vector<uint16_t> from = makeWeights();
  const absl::Span<uint8_t> to = makeRoom(kHalves * 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), kHalves * 2);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}

static KernelShape makeShape(uint32_t cout, uint32_t cin, uint32_t size,
                             uint32_t image) {
  KernelShape shape;
  shape.cout = cout;
  shape.cin = cin;
  shape.kh = shape.kw = size;
  chooseLanes(*target, shape, image, image);
  return shape;
}

static void pack(benchmark::State &state, KernelShape shape) {
  std::vector<uint16_t> weights = makeWeights();
  const size_t cin = shape.depthwise ? shape.unicastCin : shape.cin;
  const size_t each = shape.cout * cin * shape.kh * shape.kw;
  const size_t kernels = kHalves / each, place = packedBytes(*target, shape);
  const absl::Span<uint8_t> out = makeRoom(kernels * place);
  for (auto _ : state) {
    for (size_t i = 0; i < kernels; ++i) {
      absl::StatusOr<KernelStreams> streams =
          packKernelInto(out.subspan(i * place, place), *target, shape,
                         absl::MakeSpan(&weights[i * each], each), {}, {});
      if (!streams.ok()) {
        std::cerr << "ane-bench-packing: error: " << streams.status() << "\n";
        std::exit(1);
      }
    }
    benchmark::ClobberMemory();
  }
  // Whole kernels do not make 100 MB exactly.
  state.counters["share"] = double(kernels * each) / kHalves;
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: ane-bench-packing GENERATION [flags of Google "
                 "Benchmark]\n";
    return 1;
  }
  absl::StatusOr<Generation> generation = parseTarget(argv[1]);
  if (!generation.ok()) {
    std::cerr << "ane-bench-packing: error: " << generation.status().message()
              << "\n";
    return 1;
  }
  target = &info(*generation);
  auto add = [](const char *name, const KernelShape &shape) {
    benchmark::RegisterBenchmark(name, pack, shape)->UseRealTime();
  };
  benchmark::RegisterBenchmark("memcpy", copy)->UseRealTime();
  add("dense-3x3", makeShape(512, 512, 3, 28));
  add("dense-3x3-small", makeShape(512, 512, 3, 7));
  add("dense-1x1", makeShape(2048, 512, 1, 28));
  add("matmul", makeShape(4096, 4096, 1, 1));
  add("matmul-odd", makeShape(1000, 2048, 1, 1));
  KernelShape grouped = makeShape(32, 32, 3, 28);
  grouped.groups = 32;
  grouped.cout *= grouped.groups;
  add("grouped-3x3", grouped);
  KernelShape depthwise;
  depthwise.cout = 1024;
  depthwise.kh = depthwise.kw = 3;
  depthwise.depthwise = true;
  chooseLanes(*target, depthwise, 28, 28);
  add("depthwise-3x3", depthwise);
  KernelShape strided = makeShape(512, 512, 3, 28);
  strided.zeroSkipping = true;
  add("stride2-3x3", strided);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

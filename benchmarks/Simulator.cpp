//===- Simulator.cpp - The simulator beside oneDNN ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same convolution, on one thread each: as a register program through
// sim::run, fast and exact, and as a oneDNN primitive in f32. Before anything
// is timed, the results are compared.
//
// Inside the simulator's figure is all that a run of the program takes: checks,
// decoding of words, unpacking of the coefficients, conversion of the surfaces
// from and to half precision, the convolution, rounding. Inside oneDNN's is the
// primitive alone, with data and weights in the layout that it prefers.
//
//   ane-bench-simulator NAME:prog.hwx:weights.npy ... [--benchmark_...]
//
// weights.npy has [cout][cin / groups][kh][kw]; windows are padded by half
// their size. benchmarks/run.py makes both files.
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/Simulator.h"
#include "ane/HW/Container.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"
#include "ane/Support/Npy.h"

#include "absl/strings/str_split.h"
#include "benchmark/benchmark.h"
#include "oneapi/dnnl/dnnl.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

using namespace ane;

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "ane-bench-simulator: error: %s\n", message.c_str());
  std::exit(1);
}

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail(path + ": cannot read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One convolution, both ways.
class Layer {
public:
  Layer(std::string name, const std::string &program,
        const std::string &weights);

  const std::string &title() const { return name; }
  double macs() const {
    return double(output().elementCount()) * kernel[1] * kernel[2] * kernel[3];
  }
  void compare();
  void simulate(sim::Mode mode);
  void compute() {
    primitive.execute(stream, arguments);
    stream.wait();
  }

private:
  const hw::Tensor &tensor(hw::TensorKind kind) const {
    for (const hw::Tensor &candidate : program.tensors)
      if (candidate.kind == kind)
        return candidate;
    fail(name + ": the program lacks an input or output");
  }
  const hw::Tensor &output() const { return tensor(hw::TensorKind::Output); }
  void readProgram(const std::string &path);
  void prepare(const std::vector<float> &weights);
  dnnl::memory preferred(const dnnl::memory::desc &layout, const float *data,
                         const dnnl::memory::desc &dense);

  std::string name;
  std::vector<uint8_t> file; ///< holds the constants of `program`
  hw::Program program;
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<int64_t> kernel; ///< [cout][cin / groups][kh][kw]
  std::vector<float> data;     ///< what both compute on
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::convolution_forward primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

Layer::Layer(std::string name, const std::string &program,
             const std::string &weights)
    : name(std::move(name)) {
  readProgram(program);
  std::vector<uint8_t> bytes = readFile(weights);
  auto array = npy::parse(bytes);
  if (!array.ok() || array->type != npy::Type::Float32 ||
      array->shape.size() != 4)
    fail(weights + ": expected an array of float32 with four axes");
  kernel.assign(array->shape.begin(), array->shape.end());
  std::vector<float> values(array->elementCount());
  std::memcpy(values.data(), array->data.data(), array->data.size());
  prepare(values);
}

void Layer::readProgram(const std::string &path) {
  file = readFile(path);
  auto container = hw::readContainer(file);
  if (!container.ok())
    fail(path + ": " + std::string(container.status().message()));
  program = std::move(container->program);
  for (const hw::Tensor &tensor : program.tensors) {
    surfaces.emplace_back(tensor.bytes);
    if (tensor.kind != hw::TensorKind::Input)
      continue;
    // Multiples of 1/64 below 1: exact in half precision.
    std::vector<uint16_t> halves(tensor.elementCount());
    data.resize(halves.size());
    for (size_t i = 0; i < data.size(); ++i) {
      data[i] = (int(i * 7919 % 127) - 63) / 64.0f;
      halves[i] = hw::toHalfBits(data[i]);
    }
    auto dense = absl::MakeConstSpan(
        reinterpret_cast<const uint8_t *>(halves.data()), 2 * halves.size());
    if (!hw::packSurface(tensor, dense, absl::MakeSpan(surfaces.back())).ok())
      fail(path + ": the input does not fit its surface");
  }
}

/// A copy of `data` in the layout that the primitive wants.
dnnl::memory Layer::preferred(const dnnl::memory::desc &layout,
                              const float *data,
                              const dnnl::memory::desc &dense) {
  dnnl::memory from(dense, engine, const_cast<float *>(data));
  dnnl::memory to(layout, engine);
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  return to;
}

void Layer::prepare(const std::vector<float> &weights) {
  using Memory = dnnl::memory;
  constexpr auto f32 = Memory::data_type::f32;
  const hw::Tensor &in = tensor(hw::TensorKind::Input), &out = output();
  auto dims = [](const hw::Tensor &t) {
    return Memory::dims{int64_t(t.shape[0]), int64_t(t.shape[1]),
                        int64_t(t.shape[2]), int64_t(t.shape[3])};
  };
  const int64_t groups = int64_t(in.shape[1]) / kernel[1];
  Memory::dims filter = kernel;
  if (groups > 1)
    filter = {groups, kernel[0] / groups, kernel[1], kernel[2], kernel[3]};
  auto any = [](const Memory::dims &dims) {
    return Memory::desc(dims, f32, Memory::format_tag::any);
  };
  const Memory::dims pads = {kernel[2] / 2, kernel[3] / 2}, strides = {1, 1};
  dnnl::convolution_forward::desc description(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      any(dims(in)), any(filter), any(dims(out)), strides, pads, pads);
  dnnl::convolution_forward::primitive_desc chosen(description, engine);
  primitive = dnnl::convolution_forward(chosen);
  arguments[DNNL_ARG_SRC] =
      preferred(chosen.src_desc(), data.data(),
                {dims(in), f32, Memory::format_tag::nchw});
  arguments[DNNL_ARG_WEIGHTS] = preferred(
      chosen.weights_desc(), weights.data(),
      {filter, f32,
       groups > 1 ? Memory::format_tag::goihw : Memory::format_tag::oihw});
  arguments[DNNL_ARG_DST] = Memory(chosen.dst_desc(), engine);
}

void Layer::simulate(sim::Mode mode) {
  sim::Options options;
  options.mode = mode;
  options.threads = 1;
  std::vector<absl::Span<uint8_t>> buffers(surfaces.begin(), surfaces.end());
  auto stats = sim::run(program, buffers, options);
  if (!stats.ok())
    fail(name + ": " + std::string(stats.status().message()));
}

/// A figure for two things that compute something else would mean nothing.
void Layer::compare() {
  compute();
  const hw::Tensor &out = output();
  dnnl::memory::desc dense({int64_t(out.shape[0]), int64_t(out.shape[1]),
                            int64_t(out.shape[2]), int64_t(out.shape[3])},
                           dnnl::memory::data_type::f32,
                           dnnl::memory::format_tag::nchw);
  std::vector<float> expected(out.elementCount());
  dnnl::memory to(dense, engine, expected.data());
  dnnl::reorder(arguments[DNNL_ARG_DST], to)
      .execute(stream, arguments[DNNL_ARG_DST], to);
  stream.wait();
  for (sim::Mode mode : {sim::Mode::Fast, sim::Mode::Exact}) {
    simulate(mode);
    std::vector<uint16_t> halves(expected.size());
    auto bytes = absl::MakeSpan(reinterpret_cast<uint8_t *>(halves.data()),
                                2 * halves.size());
    size_t index = &out - program.tensors.data();
    if (!hw::unpackSurface(out, surfaces[index], bytes).ok())
      fail(name + ": the output does not fit its surface");
    for (size_t i = 0; i < expected.size(); ++i)
      if (!(std::fabs(hw::fromHalfBits(halves[i]) - expected[i]) <=
            0.002 * std::fabs(expected[i]) + 0.01))
        fail(name + ": element " + std::to_string(i) + " is " +
             std::to_string(hw::fromHalfBits(halves[i])) +
             " in the simulator, " + std::to_string(expected[i]) +
             " in oneDNN");
  }
}

template <typename Body>
void add(const std::string &name, double macs, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State &state) {
    for (auto _ : state)
      body();
    state.counters["GMAC/s"] = benchmark::Counter(
        macs * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char **argv) {
  // The OpenMP library under oneDNN reads this when it is loaded.
  const char *threads = std::getenv("OMP_NUM_THREADS");
  if (!threads || std::strcmp(threads, "1") != 0) {
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
    fail("OMP_NUM_THREADS must be 1");
  }
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<Layer>> layers;
  for (int i = 1; i < argc; ++i) {
    std::vector<std::string> parts = absl::StrSplit(argv[i], ':');
    if (parts.size() != 3)
      fail(std::string("expected NAME:prog.hwx:weights.npy, got ") + argv[i]);
    layers.push_back(std::make_unique<Layer>(parts[0], parts[1], parts[2]));
    Layer *layer = layers.back().get();
    layer->compare();
    add(layer->title() + "/oneDNN", layer->macs(), [=] { layer->compute(); });
    add(layer->title() + "/fast", layer->macs(),
        [=] { layer->simulate(sim::Mode::Fast); });
    add(layer->title() + "/exact", layer->macs(),
        [=] { layer->simulate(sim::Mode::Exact); });
  }
  if (layers.empty())
    fail("no layer is given; benchmarks/run.py --only simulator gives them");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

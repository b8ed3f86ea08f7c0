//===- Machine.h - Programs built by hand, for the tests --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of a few tasks, put together field by field, with its tensors as
// arrays of numbers. What a test expects it computes itself, with plain loops.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_SIMULATOR_MACHINE_H
#define ANE_UNITTESTS_SIMULATOR_MACHINE_H

#include "ane/HW/Float16.h"
#include "ane/HW/H13.h"
#include "ane/HW/KernelPacking.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/Simulator.h"

#include "gtest/gtest.h"

#include <random>

namespace ane::test {

namespace h13 = hw::h13;

struct Shape {
  uint32_t n = 1, c = 1, h = 1, w = 1;
  size_t count() const { return size_t(n) * c * h * w; }
  size_t at(uint32_t in, uint32_t ic, uint32_t ih, uint32_t iw) const {
    return ((size_t(in) * c + ic) * h + ih) * w + iw;
  }
};

/// The value after one rounding to half precision.
inline float rounded(double value) {
  return hw::fromHalfBits(hw::toHalfBits(static_cast<float>(value)));
}

/// Multiples of 1/16 in [-4, 4): exact in half precision, also as short sums.
inline std::vector<float> randomValues(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = (int(random() % 128) - 64) / 16.0f;
  return values;
}

inline std::vector<uint16_t> halves(const std::vector<float> &values) {
  std::vector<uint16_t> bits;
  for (float value : values)
    bits.push_back(hw::toHalfBits(value));
  return bits;
}

class Machine {
public:
  hw::Program program;

  /// Adds a tensor; returns its base index.
  uint32_t tensor(const std::string &name, hw::TensorKind kind, Shape shape,
                  hw::ElementType type = hw::ElementType::Float16) {
    hw::Tensor tensor;
    tensor.name = name;
    tensor.kind = kind;
    tensor.type = type;
    tensor.shape = {shape.n, shape.c, shape.h, shape.w, 1};
    tensor.base = hw::BaseFirstTensor + program.tensors.size();
    hw::setPlanar(hw::info(program.generation), tensor);
    program.tensors.push_back(tensor);
    values.emplace_back();
    return tensor.base;
  }
  uint32_t input(const std::string &name, Shape shape, std::vector<float> data,
                 hw::ElementType type = hw::ElementType::Float16) {
    uint32_t base = tensor(name, hw::TensorKind::Input, shape, type);
    values.back() = std::move(data);
    return base;
  }
  uint32_t output(const std::string &name, Shape shape,
                  hw::ElementType type = hw::ElementType::Float16) {
    return tensor(name, hw::TensorKind::Output, shape, type);
  }

  /// A copy on the neural engines, in one pass. The rest of a test changes it.
  hw::Task &task(Shape in, Shape out, uint32_t from, uint32_t to) {
    program.tasks.push_back(hw::makeFullTask(program.generation));
    set(h13::Common::InDim_Win, in.w);
    set(h13::Common::InDim_Hin, in.h);
    set(h13::Common::InDepth_Din, 1);
    set(h13::Common::Cin_Cin, in.c);
    set(h13::Common::Cout_Cout, out.c);
    set(h13::Common::OutDim_Wout, out.w);
    set(h13::Common::OutDim_Hout, out.h);
    set(h13::Common::OutDepth_Dout, 1);
    set(h13::Common::ChCfg_InFmt, 2);
    set(h13::Common::ChCfg_Src2InFmt, 2);
    set(h13::Common::ChCfg_OutFmt, 2);
    for (auto field :
         {h13::Common::ConvCfg_Kw, h13::Common::ConvCfg_Kh,
          h13::Common::ConvCfg_Sx, h13::Common::ConvCfg_Sy,
          h13::Common::ConvCfg_Ox, h13::Common::ConvCfg_Oy,
          h13::Common::ConvCfg3D_Kd, h13::Common::ConvCfg3D_Sz,
          h13::Common::ConvCfg3D_Oz, h13::Common::GroupConvCfg_UnicastCin,
          h13::Common::GroupConvCfg_UnicastEn})
      set(field, 1);
    set(h13::Common::GroupConvCfg_NumGroups, in.n);
    set(h13::Common::TileCfg_TileHeight, out.h);
    source1(in, from);
    result(out, to);
    set(h13::NE::MACCfg_OpMode, 4);
    set(h13::NE::MACCfg_KernelMode, 1);
    set(h13::NE::KernelCfg_KernelFmt, 2);
    set(h13::NE::MACCfg_BinaryPoint, 28);
    for (auto field :
         {h13::TileDMASrc::Src1Fmt_FmtMode, h13::TileDMADst::Fmt_FmtMode})
      set(field, 1);
    for (auto field :
         {h13::TileDMASrc::Src1Fmt_MemFmt, h13::TileDMASrc::Src2Fmt_MemFmt,
          h13::TileDMADst::Fmt_MemFmt})
      set(field, 2);
    for (auto field :
         {h13::TileDMASrc::Src1Fmt_Truncate, h13::TileDMASrc::Src2Fmt_Truncate,
          h13::TileDMADst::Fmt_Truncate})
      set(field, 3);
    set(h13::NE::PostScale_PostScale, 0x3c00);
    set(h13::PE::PreScale_PreScale, 0x3c00);
    set(h13::PE::BiasScale_Scale, 0x3c00);
    set(h13::PE::FinalScale_FinalScale, 0x3f800000);
    return program.tasks.back();
  }

  /// Source 1 by tile DMA from a planar tensor.
  void source1(Shape shape, uint32_t base) {
    hw::PlanarLayout layout = planar(shape);
    set(h13::L2::SourceCfg_SourceType, 2);
    set(h13::Header::RBE0, 1);
    set(h13::Header::RBase0, base);
    set(h13::TileDMASrc::Src1RowStride_Stride, layout.row);
    set(h13::TileDMASrc::Src1PlaneStride_Stride, layout.plane);
    set(h13::TileDMASrc::Src1DepthStride_Stride, layout.batch);
    set(h13::TileDMASrc::Src1GroupStride_Stride, layout.batch);
    set(h13::L2::SourceChannelStride_Stride, hw::alignTo(2 * shape.w, 16));
    set(h13::L2::SourceRowStride_Stride,
        shape.c * hw::alignTo(2 * shape.w, 16));
  }
  void source2(Shape shape, uint32_t base) {
    hw::PlanarLayout layout = planar(shape);
    set(h13::L2::SourceCfg_Src2Dma, 1);
    set(h13::Common::Cfg_Src2En, 1);
    set(h13::Header::RBE1, 1);
    set(h13::Header::RBase1, base);
    set(h13::TileDMASrc::Src2RowStride_Stride, layout.row);
    set(h13::TileDMASrc::Src2PlaneStride_Stride, layout.plane);
    set(h13::TileDMASrc::Src2DepthStride_Stride, layout.batch);
    set(h13::TileDMASrc::Src2GroupStride_Stride, layout.batch);
    set(h13::L2::Source2Base_Addr, 0x80000);
    set(h13::PE::Cfg_SecSrc, 2);
  }
  void result(Shape shape, uint32_t base) {
    hw::PlanarLayout layout = planar(shape);
    set(h13::L2::ResultCfg_ResultType, 2);
    set(h13::L2::ResultBase_Addr, 0x100000);
    set(h13::TileDMADst::DMAConfig_En, 1);
    set(h13::Header::WBE, 1);
    set(h13::Header::WBase, base);
    set(h13::TileDMADst::RowStride_Stride, layout.row);
    set(h13::TileDMADst::PlaneStride_Stride, layout.plane);
    set(h13::TileDMADst::DepthStride_Stride, layout.batch);
    set(h13::TileDMADst::GroupStride_Stride, layout.batch);
  }
  /// Source 1, or the result, in L2 at `address`, with all strides.
  void sourceInL2(Shape shape, uint32_t address) {
    set(h13::L2::SourceCfg_SourceType, 0);
    l2Source(shape, address);
  }
  void l2Source(Shape shape, uint32_t address) {
    uint32_t channel = hw::alignTo(2 * shape.w, 16);
    set(h13::L2::SourceBase_Addr, address);
    set(h13::L2::SourceChannelStride_Stride, channel);
    set(h13::L2::SourceRowStride_Stride, channel * shape.c);
    set(h13::L2::SourceGroupStride_Stride, channel * shape.c * shape.h);
  }
  void resultInL2(Shape shape, uint32_t address) {
    uint32_t channel = hw::alignTo(2 * shape.w, 16);
    set(h13::L2::ResultCfg_ResultType, 0);
    set(h13::TileDMADst::DMAConfig_En, 0);
    set(h13::L2::ResultBase_Addr, address);
    set(h13::L2::ResultChannelStride_Stride, channel);
    set(h13::L2::ResultRowStride_Stride, channel * shape.c);
    set(h13::L2::ResultGroupStride_Stride, channel * shape.c * shape.h);
  }
  /// Bytes instead of halves in DRAM.
  void bytesFromDRAM() {
    for (auto field :
         {h13::TileDMASrc::Src1Fmt_FmtMode, h13::TileDMASrc::Src1Fmt_MemFmt,
          h13::TileDMASrc::Src1Fmt_Truncate})
      set(field, 0);
  }
  void bytesToDRAM() {
    for (auto field :
         {h13::TileDMADst::Fmt_FmtMode, h13::TileDMADst::Fmt_MemFmt,
          h13::TileDMADst::Fmt_Truncate})
      set(field, 0);
  }
  void planarEngine(uint32_t type) {
    set(h13::Common::Cfg_TaskType, type);
    set(h13::Common::GroupConvCfg_UnicastEn, 0);
  }

  /// Offsets, links and an end, as a program in a file has them.
  void link() {
    uint32_t offset = 0;
    for (size_t i = 0; i < program.tasks.size(); ++i) {
      hw::Task &task = program.tasks[i];
      const bool last = i + 1 == program.tasks.size();
      task.offset = offset;
      offset = hw::alignTo(offset + task.byteSize(), 0x100);
      const std::pair<hw::FieldRef, uint32_t> fields[] = {
          {h13::Header::NextPointer, last ? 0 : offset},
          {h13::Header::NextSize,
           last ? 0 : program.tasks[i + 1].byteSize() / 4 - 1},
          {h13::Header::EON, last}};
      for (const auto &[field, value] : fields)
        ASSERT_TRUE(task.set(field, value).ok());
      program.textBytes = task.offset + task.byteSize();
    }
  }

  /// Sets a field of the last task.
  void set(const hw::FieldRef &field, uint32_t value) {
    absl::Status status = program.tasks.back().set(field, value);
    ASSERT_TRUE(status.ok()) << status;
  }

  /// Turns the last task into one with a kernel, at the end of the constants.
  void kernel(const hw::KernelShape &shape, const std::vector<float> &weights,
              const std::vector<float> &bias,
              absl::Span<const uint8_t> table = {}) {
    auto streams = hw::packKernel(hw::info(program.generation), shape,
                                  halves(weights), halves(bias), table);
    ASSERT_TRUE(streams.ok()) << streams.status();
    set(h13::NE::MACCfg_OpMode, 0);
    set(h13::NE::MACCfg_KernelMode, 0);
    set(h13::NE::MACCfg_BiasMode, shape.hasBias);
    set(h13::NE::KernelCfg_SparseFmt, shape.zeroSkipping);
    set(h13::KernelDMASrc::MasterConfig_ZeroSkipEn, shape.zeroSkipping);
    set(h13::Common::GroupConvCfg_UnicastEn, shape.depthwise);
    set(h13::Common::ConvCfg_Kh, shape.kh);
    set(h13::Common::ConvCfg_Kw, shape.kw);
    set(h13::Common::ConvCfg_OCGSize, shape.lanesLog2);
    set(h13::Common::Cfg_ActiveNE, shape.activeNeLog2);
    set(h13::Common::Cfg_SmallSourceMode, shape.smallSource);
    this->streams(*streams);
  }
  void streams(const hw::KernelStreams &streams) {
    uint32_t base = hw::alignTo(constants.size(), 64);
    constants.resize(base);
    constants.insert(constants.end(), streams.bytes.begin(),
                     streams.bytes.end());
    program.constants = std::make_shared<std::vector<uint8_t>>(constants);
    set(h13::KernelDMASrc::MasterConfig_MasterEnable, 1);
    set(h13::Header::KBE0, 1);
    set(h13::Header::KBase0, hw::BaseConst);
    for (size_t i = 0; i < streams.offsets.size(); ++i) {
      set(h13::KernelDMASrc::CoeffDMAConfig_En(i), 1);
      set(h13::KernelDMASrc::CoeffBaseAddr_Addr(i), base + streams.offsets[i]);
      set(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i), streams.sizes[i]);
    }
  }

  /// Runs; the outputs are then in `values`.
  absl::StatusOr<sim::Stats> run(sim::Mode mode = sim::Mode::Exact) {
    std::vector<std::vector<uint8_t>> surfaces;
    for (size_t i = 0; i < values.size(); ++i) {
      const hw::Tensor &tensor = program.tensors[i];
      surfaces.emplace_back(tensor.bytes);
      if (tensor.kind == hw::TensorKind::Output)
        continue;
      EXPECT_EQ(values[i].size(), tensor.elementCount());
      EXPECT_TRUE(hw::packSurface(tensor, encode(tensor.type, values[i]),
                                  absl::MakeSpan(surfaces.back()))
                      .ok());
    }
    std::vector<absl::Span<uint8_t>> spans;
    for (std::vector<uint8_t> &surface : surfaces)
      spans.push_back(absl::MakeSpan(surface));
    sim::Options options;
    options.mode = mode;
    options.sums = sums;
    auto stats = sim::run(program, spans, options);
    for (size_t i = 0; stats.ok() && i < values.size(); ++i) {
      const hw::Tensor &tensor = program.tensors[i];
      if (tensor.kind != hw::TensorKind::Output)
        continue;
      std::vector<uint8_t> dense(tensor.elementCount() *
                                 hw::elementBytes(tensor.type));
      EXPECT_TRUE(
          hw::unpackSurface(tensor, surfaces[i], absl::MakeSpan(dense)).ok());
      values[i] = decode(tensor.type, dense);
    }
    return stats;
  }
  /// Counts, without memory for the tensors.
  absl::StatusOr<sim::Stats> count() {
    std::vector<absl::Span<uint8_t>> spans;
    for (const hw::Tensor &tensor : program.tensors)
      spans.emplace_back(static_cast<uint8_t *>(nullptr), tensor.bytes);
    sim::Options options;
    options.mode = sim::Mode::Count;
    return sim::run(program, spans, options);
  }
  /// The message of a run that must fail, also when it only counts.
  std::string error() {
    auto stats = run();
    EXPECT_EQ(count().status(), stats.status());
    return stats.ok() ? "" : std::string(stats.status().message());
  }

  std::vector<std::vector<float>> values; ///< of the tensors, dense
  std::optional<hw::SumArithmetic> sums;  ///< of Mode::Engine

private:
  std::vector<uint8_t> constants;

  hw::PlanarLayout planar(Shape shape) {
    return hw::planarLayout(hw::info(program.generation),
                            hw::ElementType::Float16, shape.n, shape.c, shape.h,
                            shape.w);
  }
  static std::vector<uint8_t> encode(hw::ElementType type,
                                     const std::vector<float> &values) {
    std::vector<uint8_t> bytes;
    for (float value : values) {
      uint16_t half = hw::toHalfBits(value);
      if (type == hw::ElementType::Float16) {
        bytes.push_back(half & 0xff);
        bytes.push_back(half >> 8);
      } else {
        bytes.push_back(static_cast<uint8_t>(static_cast<int>(value)));
      }
    }
    return bytes;
  }
  static std::vector<float> decode(hw::ElementType type,
                                   const std::vector<uint8_t> &bytes) {
    std::vector<float> values;
    if (type == hw::ElementType::Float16)
      for (size_t i = 0; i < bytes.size(); i += 2)
        values.push_back(
            hw::fromHalfBits(uint16_t(bytes[i] | bytes[i + 1] << 8)));
    else
      for (uint8_t byte : bytes)
        values.push_back(type == hw::ElementType::Int8
                             ? static_cast<int8_t>(byte)
                             : static_cast<int>(byte));
    return values;
  }
};

} // namespace ane::test

#endif // ANE_UNITTESTS_SIMULATOR_MACHINE_H

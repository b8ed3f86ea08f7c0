//===- EngineConfig.cpp - What a task tells its engine --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields of the blocks NE, PE and KernelDMASrc, and the laws between them. The
// values of single fields are checked already (FieldRules.def).
//
//===----------------------------------------------------------------------===//

#include "FieldChecks.h"
#include "FieldReader.h"

#include "absl/strings/str_format.h"

#include <cstring>

namespace ane::sim {

static uint32_t number(bool value) { return value; }
template <typename E> static uint32_t number(E value) {
  return static_cast<uint32_t>(value);
}

/// The streams that the task enables, without gaps.
static absl::Status decodeStreams(const FieldReader &reader, uint32_t neCount,
                                  KernelConfig &kernel) {
  for (uint32_t i = 0; i < neCount; ++i) {
    if (!reader.get(h13::KernelDMASrc::CoeffDMAConfig_En(i)))
      continue;
    if (kernel.offsets.size() != i)
      return notUnderstood(h13::KernelDMASrc::CoeffDMAConfig_En(i).path, 1,
                           "enabled streams to be the first ones");
    kernel.offsets.push_back(
        reader.get(h13::KernelDMASrc::CoeffBaseAddr_Addr(i)));
    kernel.sizes.push_back(
        reader.get(h13::KernelDMASrc::CoeffBfrSize_MemBfrSize(i)));
  }
  return absl::OkStatus();
}

static absl::Status decodeKernel(const FieldReader &reader, uint32_t neCount,
                                 TaskConfig &config) {
  const NeuralConfig &ne = config.neural;
  bool needed = ne.hasKernel || ne.function == h13::NE::NonlinearMode::LUT;
  if (!needed)
    return absl::OkStatus();
  if (absl::Status status = decodeStreams(reader, neCount, config.kernel);
      !status.ok())
    return status;
  if (config.kernel.offsets.empty())
    return notUnderstood(
        h13::KernelDMASrc::CoeffDMAConfig_En(0).path, 0,
        "a coefficient stream for a task with a kernel or table");
  if (!reader.get(h13::KernelDMASrc::MasterConfig_MasterEnable))
    return notUnderstood(h13::KernelDMASrc::MasterConfig_MasterEnable.path, 0,
                         "1 where a coefficient stream is enabled");
  if (absl::Status status = reader.base(h13::Header::KBE0, h13::Header::KBase0,
                                        "the kernel", config.kernel.base);
      !status.ok())
    return status;
  bool runtime = config.kernel.base != hw::BaseConst;
  if (uint32_t flag = reader.get(h13::NE::KernelCfg_RuntimeKernel);
      flag != number(runtime))
    return notUnderstood(h13::NE::KernelCfg_RuntimeKernel.path, flag,
                         runtime ? "1 where Header[9].KBase0 is not 1"
                                 : "0 where Header[9].KBase0 is 1, the "
                                   "constants");
  return absl::OkStatus();
}

static absl::Status checkCoefficients(const FieldReader &reader,
                                      const NeuralConfig &ne) {
  if (auto format = reader.get(h13::NE::KernelCfg_KernelFmt);
      format != h13::NE::KernelFmt::Float16)
    return notUnderstood(h13::NE::KernelCfg_KernelFmt.path, number(format),
                         "2 (float16 coefficients)");
  if (uint32_t point = reader.get(h13::NE::MACCfg_BinaryPoint); point != 28)
    return notUnderstood(h13::NE::MACCfg_BinaryPoint.path, point,
                         "28 in a convolution of halves");
  // The order of its entries is that of the four phases of stride 2.
  if (ne.zeroSkipping && (ne.sx != 2 || ne.sy != 2))
    return notUnderstood(h13::NE::KernelCfg_SparseFmt.path, 1,
                         "0 where a stride of Common.ConvCfg is not 2");
  return absl::OkStatus();
}

static absl::Status checkOperation(const FieldReader &reader,
                                   const NeuralConfig &ne) {
  using Op = h13::NE::OpMode;
  if (ne.hasKernel && ne.op != Op::Conv)
    return notUnderstood(h13::NE::MACCfg_OpMode.path, number(ne.op),
                         "0 (Conv) where NE.MACCfg.KernelMode is 0");
  if (!ne.hasKernel && ne.hasBias)
    return notUnderstood(h13::NE::MACCfg_BiasMode.path, 1,
                         "0 where NE.MACCfg.KernelMode is 1");
  if (ne.multiply != (ne.op == Op::ElementMultiply))
    return notUnderstood(h13::Common::GroupConvCfg_ElemMultMode.path,
                         ne.multiply, "1 exactly where NE.MACCfg.OpMode is 2");
  // Seen: 1 in the maximum over channels; in a window it decides what is added
  // around the image, which no program shows.
  if (uint32_t mode = reader.get(h13::L2::L2Cfg_PaddingMode);
      mode && ne.op != Op::ChannelMax)
    return notUnderstood(h13::L2::L2Cfg_PaddingMode.path, mode,
                         "0 where NE.MACCfg.OpMode is not 3 (ChannelMax)");
  if (ne.zeroSkipping !=
      bool(reader.get(h13::KernelDMASrc::MasterConfig_ZeroSkipEn)))
    return notUnderstood(h13::NE::KernelCfg_SparseFmt.path, ne.zeroSkipping,
                         "the value of KernelDMASrc.MasterConfig.ZeroSkipEn");
  return absl::OkStatus();
}

static absl::Status checkSecondSource(const FieldReader &reader,
                                      const PlanarConfig &pe) {
  auto second = reader.get(h13::PE::Cfg_SecSrc);
  bool used = second != h13::PE::SecSrc::None;
  if (used != (pe.binary || pe.scaleBias))
    return notUnderstood(h13::PE::Cfg_SecSrc.path, number(second),
                         used ? "0 in a task with one source"
                              : "2 or 3 in a task with two sources");
  return absl::OkStatus();
}

absl::Status FieldReader::base(const hw::FieldRef &enable,
                               const hw::FieldRef &base, absl::string_view user,
                               uint32_t &index) const {
  if (!get(enable))
    return notUnderstood(
        enable.path, 0,
        absl::StrFormat("1 and a base index in %s, since %s goes by DMA",
                        base.path, user));
  index = get(base);
  return absl::OkStatus();
}

absl::Status decodeNeural(const FieldReader &reader, uint32_t neCount,
                          TaskConfig &config) {
  NeuralConfig &ne = config.neural;
  ne.op = reader.get(h13::NE::MACCfg_OpMode);
  ne.hasKernel = !reader.get(h13::NE::MACCfg_KernelMode);
  ne.hasBias = reader.get(h13::NE::MACCfg_BiasMode);
  ne.unicast = reader.get(h13::Common::GroupConvCfg_UnicastEn);
  ne.multiply = reader.get(h13::Common::GroupConvCfg_ElemMultMode);
  ne.unicastCin = reader.get(h13::Common::GroupConvCfg_UnicastCin);
  ne.zeroSkipping = reader.get(h13::NE::KernelCfg_SparseFmt);
  ne.smallSource = reader.get(h13::Common::Cfg_SmallSourceMode);
  ne.kh = reader.get(h13::Common::ConvCfg_Kh);
  ne.kw = reader.get(h13::Common::ConvCfg_Kw);
  ne.sy = reader.get(h13::Common::ConvCfg_Sy);
  ne.sx = reader.get(h13::Common::ConvCfg_Sx);
  ne.py = reader.get(h13::Common::ConvCfg_Py);
  ne.px = reader.get(h13::Common::ConvCfg_Px);
  ne.lanesLog2 = reader.get(h13::Common::ConvCfg_OCGSize);
  ne.activeNeLog2 = reader.get(h13::Common::Cfg_ActiveNE);
  ne.accBias = reader.half(h13::NE::AccBias_AccBias);
  ne.postScale = reader.half(h13::NE::PostScale_PostScale);
  ne.function = reader.get(h13::NE::MACCfg_NonlinearMode);
  if (absl::Status status = checkOperation(reader, ne); !status.ok())
    return status;
  if (ne.hasKernel)
    if (absl::Status status = checkCoefficients(reader, ne); !status.ok())
      return status;
  return decodeKernel(reader, neCount, config);
}

absl::Status decodePlanar(const FieldReader &reader, TaskConfig &config) {
  using Type = h13::Common::TaskType;
  const Type type = reader.get(h13::Common::Cfg_TaskType);
  PlanarConfig &pe = config.planar;
  pe.op = reader.get(h13::PE::Cfg_OpMode);
  pe.pool = reader.get(h13::PE::Cfg_PoolMode);
  pe.function = reader.get(h13::PE::Cfg_NLMode);
  pe.relu = reader.get(h13::PE::Cfg_ReluEn);
  pe.binary =
      type == Type::PEElementwise || type == Type::PEElementwiseReduction;
  pe.scaleBias = type == Type::PEScaleBias;
  pe.reduces =
      type == Type::PEReduction || type == Type::PEElementwiseReduction;
  pe.preScale = reader.half(h13::PE::PreScale_PreScale);
  pe.epsilon = reader.half(h13::PE::PreScale_Epsilon);
  pe.scale = reader.half(h13::PE::BiasScale_Scale);
  pe.bias = reader.half(h13::PE::BiasScale_Bias);
  uint32_t bits = reader.get(h13::PE::FinalScale_FinalScale);
  std::memcpy(&pe.finalScale, &bits, sizeof(bits));
  pe.abs = reader.get(h13::PE::Cfg_Cond) == h13::PE::Cond::Abs;
  if (!pe.reduces && pe.pool != h13::PE::PoolMode::Sum)
    return notUnderstood(h13::PE::Cfg_PoolMode.path, number(pe.pool),
                         "0 in a task that does not reduce");
  bool isMaximum = pe.reduces && pe.pool == h13::PE::PoolMode::Max;
  if (uint32_t mode = reader.get(h13::L2::L2Cfg_PaddingMode);
      mode && !isMaximum)
    return notUnderstood(h13::L2::L2Cfg_PaddingMode.path, mode,
                         "0 where a task does not reduce by maximum");
  return checkSecondSource(reader, pe);
}

} // namespace ane::sim

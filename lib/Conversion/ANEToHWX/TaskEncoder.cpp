//===- TaskEncoder.cpp - The registers of one task ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a descriptor that every task has: header, dimensions, DMA, L2.
// What the engines compute is in EncodeEngines.cpp. Block by block in the order
// of the generated register map (docs/Registers/H13.md).
//
//===----------------------------------------------------------------------===//

#include "TaskEncoder.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"
#include "ane/HW/H13.h"
#include "ane/HW/H13Form.h"

#include "absl/strings/str_cat.h"

#include <cmath>
#include <limits>

// After all others: its macros have short names.
#include "ExecuteRules.h"

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace h13 = ::ane::hw::h13;

TaskEncoder::TaskEncoder(TaskOp op, const TaskPlace &place,
                         const Flavour &flavour, const EncodingOptions &options,
                         ConstantSection &constants)
    : op(op), compute(op.getCompute()), place(place), flavour(flavour),
      options(options), info(hw::info(options.generation)),
      constants(constants), task(hw::makeFullTask(hw::Generation::H13)) {
  sources = getEngineSources(compute);
  sourceType = cast<MemRefType>(sources[0].value.getType());
  if (sources.size() > 1)
    secondType = cast<MemRefType>(sources[1].value.getType());
  resultType = cast<MemRefType>(compute->getResult(0).getType());
  computed = getComputedShape(compute);
}

void TaskEncoder::set(const hw::FieldRef &field, uint64_t value) {
  if (!status.ok())
    return;
  if (value > std::numeric_limits<uint32_t>::max())
    status = absl::OutOfRangeError(std::string(field.path) + " would be " +
                                   std::to_string(value) +
                                   ", which does not fit 32 bits");
  else
    status = task.set(field, static_cast<uint32_t>(value));
}

void TaskEncoder::setHalf(const hw::FieldRef &field, float value) {
  float half = hw::fromHalfBits(hw::toHalfBits(value));
  if (status.ok() && std::isfinite(value) && !std::isfinite(half))
    status = absl::OutOfRangeError(absl::StrCat(field.path, " would be ", value,
                                                ", but f16 ends at ",
                                                hw::largestHalf));
  set(field, hw::toHalfBits(value));
}

LogicalResult TaskEncoder::unproven(const Twine &mechanism) {
  if (options.allowUnproven)
    return success();
  return compute->emitOpError("needs ")
         << mechanism
         << ", which no recorded program shows; allow-unproven emits it";
}

bool TaskEncoder::hasRowGroups() const {
  return isa<PeReduceOp>(compute) && computed[2] != 1;
}

SmallVector<int64_t> TaskEncoder::wholeShape() const {
  auto reduce = dyn_cast<PeReduceOp>(compute);
  if (!reduce && !isa<PeInterleaveOp>(compute))
    return computed;
  Value input = reduce ? Value(reduce.getInput()) : sources[0].value;
  return llvm::to_vector(cast<MemRefType>(input.getType()).getShape());
}

bool TaskEncoder::isExchanged() const { return isResultExchanged(compute); }

bool TaskEncoder::isCopy() const {
  auto bypass = dyn_cast<NeBypassOp>(compute);
  return bypass && !bypass.getActivation();
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

// Seen: all bits but on copies; bit 13 is clear with the tables whose argument
// is split into mantissa and exponent.
static uint32_t debugEvents(Operation *compute, const Flavour &flavour) {
  constexpr uint32_t all = 0xfff800, split = 1u << 13;
  auto bypass = dyn_cast<NeBypassOp>(compute);
  auto reduce = dyn_cast<NeReduceOp>(compute);
  if (!bypass && !(reduce && reduce.getActivation()))
    return all;
  std::optional<ActivationAttr> act =
      bypass ? bypass.getActivation() : reduce.getActivation();
  if (!act)
    return 0;
  switch (act->getKind()) {
  case ActivationKind::Sqrt:
  case ActivationKind::Rsqrt:
  case ActivationKind::Reciprocal:
  case ActivationKind::Log2:
    return flavour.debugsSplits ? all : all & ~split;
  default:
    return all;
  }
}

void TaskEncoder::encodeHeader() {
#include "Rules/Header.def"
}

void TaskEncoder::encodeBases() {
#include "Rules/Bases.def"
}

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

void TaskEncoder::encodeCommon() {
  namespace C = h13::Common;
  // A PE task has the size of its result, a reduction that of its source, as
  // has what is interleaved; sizes of 1 that are broadcast are in the masks.
  SmallVector<int64_t> whole = wholeShape();
  ArrayRef<int64_t> in =
      isNe() ? sourceType.getShape() : ArrayRef<int64_t>(whole);
  ArrayRef<int64_t> out = isNe() ? ArrayRef<int64_t>(computed) : whole;
  auto format = [](MemRefType type) {
    return type.getElementType().isF16() ? C::Format::Float16
                                         : C::Format::UInt8;
  };
#include "Rules/Common.def"
}

//===----------------------------------------------------------------------===//
// Tile DMA
//===----------------------------------------------------------------------===//

namespace {

struct Hints {
  h13::CacheHint hint, reuse, noReuse;
};

/// The distances of a tensor in DRAM by what the engine makes of them.
struct DmaStrides {
  uint64_t row, plane, depth;
};

} // namespace

// Of groups that are rows of an image, the depth is the image; of those that
// are images, one of them.
static DmaStrides dmaStrides(const ByteLayout &layout) {
  ArrayRef<int64_t> strides = layout.strides;
  if (strides.size() == 5)
    return {uint64_t(strides[3]), uint64_t(strides[1]), uint64_t(strides[2])};
  return {uint64_t(strides[2]), uint64_t(strides[1]),
          uint64_t(std::max(strides[0], strides[2]))};
}

// Left out are those that lead nowhere: a task of H14 that writes no stride has
// one of 0.
static void clearUnused(DmaStrides &strides, MemRefType type,
                        bool rowsAreGroups) {
  ArrayRef<int64_t> shape = type.getShape();
  size_t rank = shape.size();
  if (shape[rank - 2] == 1 || rowsAreGroups)
    strides.row = 0;
  if (shape[1] == 1)
    strides.plane = 0;
  if (rank == 4 || shape[2] == 1)
    strides.depth = 0;
}

// All 410 recorded tasks fall into these; what the names mean is a guess.
static Hints cacheHints(const DramPlace &place) {
  using h13::CacheHint;
  if (place.readAgain)
    return {CacheHint::Reuse, CacheHint::Reuse, CacheHint::Reuse};
  if (place.isScratch)
    return {CacheHint::ReadScratch, CacheHint::Reuse, CacheHint::ReadScratch};
  if (place.readBefore)
    return {CacheHint::LastRead, CacheHint::Reuse, CacheHint::LastRead};
  return {CacheHint::Drop, CacheHint::Reuse, CacheHint::LastRead};
}

void TaskEncoder::encodeSourceHints() {
  using h13::CacheHint;
  const std::optional<DramPlace> &first = place.sources[0],
                                 &second = place.sources[1];
  Hints unused = {CacheHint::Drop, CacheHint::Drop, CacheHint::Drop};
  Hints one = first ? cacheHints(*first) : unused;
  Hints two = second ? cacheHints(*second) : unused;
#include "Rules/SourceHints.def"
}

// From one image, or one row where these are groups, to the next.
uint64_t TaskEncoder::groupStride(const DramPlace &source,
                                  MemRefType type) const {
  if (hasRowGroups())
    return source.layout.strides[2];
  if (flavour.onlyUsedStrides && type.getDimSize(0) == 1)
    return 0;
  if (resultType.getDimSize(0) == 1)
    return flavour.groupStrideOfOneGroup ? source.layout.strides[0] : 0;
  return type.getDimSize(0) == 1 ? 0 : source.layout.strides[0];
}

void TaskEncoder::encodeSources() {
  auto stridesOf = [&](const ByteLayout &layout, MemRefType type) {
    DmaStrides strides = dmaStrides(layout);
    if (flavour.onlyUsedStrides)
      clearUnused(strides, type, hasRowGroups());
    return strides;
  };
  const std::optional<DramPlace> &first = place.sources[0],
                                 &second = place.sources[1];
#include "Rules/Sources.def"
}

// Channels that are stored side by side.
static int64_t interleaveOf(TaskOp op) {
  if (auto interleave = dyn_cast<PeInterleaveOp>(op.getCompute()))
    return interleave.getFactor();
  DmaStoreOp store = op.getStore();
  return store ? store.getInterleave() : 1;
}

void TaskEncoder::encodeTarget() {
  using h13::CacheHint;
#include "Rules/TargetHints.def"
  const std::optional<DramPlace> &named =
      place.target ? place.target : place.savedTarget;
  if (!named)
    return;
  const DramPlace &target = *named;
  DmaStrides strides = dmaStrides(target.layout);
  if (flavour.onlyUsedStrides)
    clearUnused(strides, resultType, hasRowGroups());
  uint64_t group = target.layout.strides[0];
  if (hasRowGroups())
    group = target.layout.strides[2];
  else if (resultType.getDimSize(0) == 1 &&
           (!flavour.groupStrideOfOneGroup || flavour.onlyUsedStrides))
    group = 0;
#include "Rules/Target.def"
}

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

// A source that comes by tile DMA and does not stay.
bool TaskEncoder::isStreamed(unsigned index) const {
  if (!place.sources[index])
    return false;
  auto load = sources[index].value.getDefiningOp<DmaLoadOp>();
  return !load || load.getResidency() != Residency::Kept;
}

// Seen in the two recorded programs that repeat rows from DRAM, both of one
// image: its row is all there is to keep. Of several images only the tile of
// one has a place.
bool TaskEncoder::repeatsRow() const {
  return flavour.keepsRepeatedRows && isa<PeUnaryOp>(compute) &&
         place.sources[0] && sourceType.getDimSize(0) == 1 &&
         sourceType.getDimSize(2) == 1 && resultType.getDimSize(2) > 1;
}

// As of the tile DMA.
void TaskEncoder::leaveOutUnused(MemRefType type, int64_t &channel,
                                 int64_t &row, int64_t &depth,
                                 uint64_t &group) const {
  DmaStrides strides = {uint64_t(row), uint64_t(channel), uint64_t(depth)};
  clearUnused(strides, type, hasRowGroups());
  row = strides.row;
  channel = strides.plane;
  depth = strides.depth;
  if (type.getDimSize(hasRowGroups() ? 2 : 0) == 1)
    group = 0;
}

void TaskEncoder::encodeL2Source(MemRefType type, unsigned index) {
  ByteLayout layout = *getByteLayout(type);
  int64_t rank = type.getRank(), row = layout.strides[rank - 2];
  int64_t dense = layout.strides[1] * type.getDimSize(1);
  int64_t depth = rank == 5 ? layout.strides[2] : layout.strides[0];
  // Groups that are rows of a value that stays: one of them is a lone row.
  if (rank == 4 && type.getDimSize(0) > 1 && !place.sources[index])
    depth = type.getDimSize(2) == 1 ? std::min(row, dense) : dense;
  // What every group finds at the same place has no distance between groups.
  uint64_t group = 0;
  bool hasDepth = place.sources[index] && rank == 5;
  if (!hasDepth && !isStreamed(index)) {
    // One that is loaded and stays has a distance like one that is not (seen).
    bool hasDistance = type.getDimSize(0) > 1 || place.sources[index];
    group = hasRowGroups() && type.getDimSize(2) > 1 ? layout.strides[2]
            : hasDistance                            ? layout.strides[0]
                                                     : 0;
  } else if (hasDepth || hasRowGroups() || info.configuresSources ||
             type.getDimSize(0) == resultType.getDimSize(0)) {
    group = layout.strides[0];
  }
  if (index == 0 && repeatsRow())
    row = layout.strides[1];
  int64_t channel = layout.strides[1];
  if (flavour.onlyUsedStrides && !place.sources[index])
    leaveOutUnused(type, channel, row, depth, group);
#include "Rules/L2Source.def"
}

static h13::L2::DMAFmt dmaFormat(MemRefType type) {
  return type.getElementType().isF16() ? h13::L2::DMAFmt::Bits16
                                       : h13::L2::DMAFmt::Bits8;
}

void TaskEncoder::encodeL2() {
  namespace L = h13::L2;
  if (info.configuresSources)
    task.source2Waits = {place.source2.neSource, place.source2.neResult,
                         place.source2.peSource, place.source2.peResult};
#include "Rules/L2Sources.def"
  encodeL2Source(sourceType, 0);
  if (secondType)
    encodeL2Source(secondType, 1);

  DmaStoreOp store = op.getStore();
  bool streamed = store && store.getResidency() == Residency::Streamed;
  // Groups of a reduction take turns in one staging buffer (seen).
  bool isGroups = flavour.groupStrideOfOneGroup && isa<PeReduceOp>(compute) &&
                  resultType.getDimSize(0) > 1 && !info.configuresSources;
  // So do rows of channels.
  bool isStaged = isGroups || (isa<PeReduceOp>(compute) && isExchanged() &&
                               !info.configuresSources);
  ByteLayout layout = *getByteLayout(resultType);
#include "Rules/L2Result.def"
  if (streamed)
    return;
  int64_t channel = layout.strides[1], row = layout.strides[2];
  int64_t depth = isGroups ? layout.strides[1] * resultType.getDimSize(1)
                           : layout.strides[0];
  // Groups on their way to DRAM come one after the other.
  uint64_t group = 0;
  if (isGroups)
    group = store ? 0 : layout.strides[0];
  else if (store || resultType.getDimSize(0) > 1)
    group = layout.strides[0];
  else
    group = hasRowGroups() ? layout.strides[2] : 0;
  if (flavour.onlyUsedStrides && !store)
    leaveOutUnused(resultType, channel, row, depth, group);
#include "Rules/L2ResultStrides.def"
}

//===----------------------------------------------------------------------===//
// Task
//===----------------------------------------------------------------------===//

// Bytes of a tensor on its way through the tile DMA, padding of rows included.
static int64_t surfaceBytes(MemRefType type, int64_t rows, int64_t align) {
  int64_t rank = type.getRank();
  int64_t planes = type.getNumElements() / type.getDimSize(rank - 1) /
                   type.getDimSize(rank - 2);
  int64_t size = elementBytes(type);
  return planes * rows *
         int64_t(llvm::alignTo(type.getDimSize(rank - 1) * size, align));
}

int64_t TaskEncoder::sourceRows() {
  int64_t rows = sourceType.getDimSize(sourceType.getRank() - 2);
  auto conv = dyn_cast<NeConvOp>(compute);
  if (!conv || int64_t(*op.getTileHeight()) >= computed[2])
    return rows;
  // Tiles fetch what their windows share again (142 of 144 tasks).
  int64_t sum = 0;
  for (int64_t held : conv.getTileRows(*op.getTileHeight()))
    sum += held;
  return sum;
}

int64_t TaskEncoder::dramBytes() {
  int64_t bytes = kernelBytes;
  MemRefType types[] = {sourceType, secondType};
  for (int i = 0; i < 2; ++i)
    if (place.sources[i])
      bytes += surfaceBytes(types[i],
                            i ? types[i].getDimSize(types[i].getRank() - 2)
                              : sourceRows(),
                            info.dmaAlign);
  if (place.target)
    bytes += surfaceBytes(resultType, resultType.getDimSize(2), info.dmaAlign);
  return bytes;
}

// Reductions of the PE, and tables on what lies in L2 (fitted: 2.45 ns a patch
// or 22 ns for 1000 elements, four times that for single rows but those of 512
// and more columns (8 of 8); the NEs
// need 0.11 ns for an element of one channel, more when several work).
double TaskEncoder::engineSeconds() const {
  SmallVector<int64_t> whole = wholeShape();
  double elements = 1;
  for (int64_t extent : whole)
    elements *= extent;
  if (!isNe()) {
    constexpr double perElement = 2.2e-11, perPatch = 2.45e-9, slow = 4;
    double seconds = elements * perElement;
    if (!isa<PeReduceOp>(compute))
      return seconds;
    int64_t height = hasRowGroups() ? 1 : whole[whole.size() - 2];
    PatchShape patch = patchOf(whole);
    double patches = elements / (whole.back() * height) *
                     llvm::divideCeil(whole.back(), 1 << patch.width) *
                     llvm::divideCeil(height, 1 << patch.height);
    constexpr unsigned wide = 9;
    bool isSlow = height == 1 && patch.width < wide;
    return std::max(seconds * (isSlow ? slow : 1), patches * perPatch);
  }
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (!bypass || !bypass.getKernel() || place.sources[0])
    return 0;
  constexpr double alone = 1.1e-10, together = 2.7e-10;
  int64_t channels = whole[1];
  double pixels = elements / channels;
  return channels == 1
             ? pixels * alone
             : pixels * llvm::divideCeil(channels, info.neCount) * together;
}

// What a task takes at least: for its bytes, for the arithmetic of whole work
// units (8 of 8 tasks), and four
// cycles of 900 MHz for each plane that it loads (agrees with all recorded
// tasks; the third is a guess as for its meaning).
void TaskEncoder::encodeEstimate() {
  if (!flavour.estimate)
    return;
  constexpr double secondsPerGroup = 15e-9;
  double planes = 0, loading = 0;
  bool hasGroups = isa<PeReduceOp>(compute);
  MemRefType types[] = {sourceType, secondType};
  for (int i = 0; i < 2; ++i) {
    if (!place.sources[i])
      continue;
    // Groups are fetched one after the other (fitted: 3 of 3).
    int64_t groups = types[i].getDimSize(0);
    planes += types[i].getDimSize(1) * (hasGroups ? 1 : groups);
    if (hasGroups && groups > 1)
      loading += groups * secondsPerGroup;
  }
  double seconds =
      std::max({engineSeconds(),
                loading + dramBytes() / flavour.estimate->dramBytesPerSecond,
                macs * unitShare / flavour.estimate->macsPerSecond,
                planes / flavour.estimate->planesPerSecond});
#include "Rules/Estimate.def"
}

// Compiler 9.509 writes no coefficient addresses where there are none: 18 words
// of configurations, then the 12 of the side channels.
void TaskEncoder::shortenKernelRecord() {
  namespace K = h13::KernelDMASrc;
  if (!flavour.shortKernelRecords || task.get(h13::Header::KBE0))
    return;
  auto record = llvm::find_if(task.records, [](const hw::Record &record) {
    return record.address == K::MasterConfig_MasterEnable.address;
  });
  auto wordOf = [&](const hw::FieldRef &field) {
    return (field.address - record->address) / 4;
  };
  hw::Record side;
  side.address = K::BiasDMAConfig_CacheHint.address;
  side.words.assign(record->words.begin() + wordOf(K::BiasDMAConfig_CacheHint),
                    record->words.end());
  record->words.resize(wordOf(K::CoeffBaseAddr_Addr(0)));
  task.records.insert(record + 1, side);
}

FailureOr<hw::Task> TaskEncoder::encode() {
  // The word that says which task writes the coefficients.
  if (place.kernelWriter)
    task.header.push_back(*place.kernelWriter);
  encodeHeader();
  encodeBases();
  encodeCommon();
  encodeSourceHints();
  encodeSources();
  encodeL2();
  encodeTarget();
  if (failed(isNe() ? encodeNe() : encodePe()))
    return failure();
  encodeEstimate();
  shortenKernelRecord();
  if (!status.ok())
    return compute->emitOpError("cannot be encoded for ")
           << info.name << ": "
           << hw::inFieldsOf(options.generation, status.message())
           << " in the form that tasks are encoded in; take several tasks";
  return std::move(task);
}

//===- TaskEncoder.h - The registers of one task ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills a task descriptor from an `ane.task` and from what the program around
// it says: base addresses, neighbours, hazards, coefficient streams.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_TASKENCODER_H
#define ANE_LIB_CONVERSION_ANETOHWX_TASKENCODER_H

#include "ConstantSection.h"

#include "ane/Conversion/ANEToHWX/ANEToHWX.h"
#include "ane/Flavours/Flavour.h"

namespace mlir::ane {

/// A tensor in DRAM as a task sees it.
struct DramPlace {
  uint32_t base = 0; ///< index in the base-address table
  uint64_t offset = 0;
  ByteLayout layout;
  bool isScratch = false;
  bool written = false; ///< by an earlier task
  bool readBefore = false, readAgain = false;
};

/// Earlier work on L2 that a task must not overtake: the source tile or the
/// result of the last task on the NEs or the PE.
struct Hazards {
  bool neSource = false, neResult = false, peSource = false, peResult = false;
};

/// What a task is told about the program.
struct TaskPlace {
  /// It passes its result patch by patch to the next, or takes it so.
  bool chainOut = false, chainIn = false;
  /// The wait for the source is for each patch: after the NEs 1, the PE 2.
  uint32_t fineWait = 0;
  /// The next task, on the NEs, reads the result patch by patch.
  bool feedsNeural = false;
  /// Where the result, or the source, could be saved (ane.scratch_place).
  std::optional<DramPlace> savedTarget, savedSource;
  uint32_t index = 0, count = 1;
  /// No value in L2 crosses from the task before, or to the task after.
  bool segmentStart = true, segmentEnd = true;
  Hazards source, result;
  /// Of source 2, where each source waits for itself.
  Hazards source2;
  std::optional<DramPlace> sources[2], target;
  /// Source 1 is loaded and stays in L2 for later tasks.
  bool keepsSource = false;
  /// Coefficients that are a tensor, and the task that writes them if they are
  /// in scratch memory.
  std::optional<DramPlace> kernel;
  std::optional<uint32_t> kernelWriter;
};

class TaskEncoder {
public:
  TaskEncoder(TaskOp op, const TaskPlace &place, const Flavour &flavour,
              const EncodingOptions &options, ConstantSection &constants);

  /// The descriptor, but for the words that point at the next one.
  FailureOr<::ane::hw::Task> encode();

private:
  void set(const ::ane::hw::FieldRef &field, uint64_t value);
  template <typename E>
  void set(const ::ane::hw::EnumFieldRef<E> &field, E value) {
    set(static_cast<const ::ane::hw::FieldRef &>(field),
        static_cast<uint64_t>(value));
  }
  void setHalf(const ::ane::hw::FieldRef &field, float value);

  void encodeHeader();
  void encodeBases();
  void encodeCommon();
  void encodeSourceHints();
  uint64_t groupStride(const DramPlace &source, MemRefType type) const;
  void encodeSources();
  void encodeTarget();
  void encodeL2();
  void encodeL2Source(MemRefType type, unsigned index);
  void leaveOutUnused(MemRefType type, int64_t &channel, int64_t &row,
                      int64_t &depth, uint64_t &group) const;
  void encodeKernelDefaults();
  LogicalResult encodeStreams(const StreamPlaces &places, uint32_t base);
  FailureOr<StreamPlaces> runtimeStreams(KernelLoadOp load) const;
  LogicalResult encodeNe();
  ::ane::hw::KernelShape kernelShape(NeConvOp conv) const;
  void encodeGroups(const ::ane::hw::KernelShape &shape);
  LogicalResult encodeConv(NeConvOp conv);
  LogicalResult encodeBypass(NeBypassOp bypass);
  void encodeShapeCodes(const ShapeCodes &codes, uint32_t activeNe,
                        bool smallSource = false, UnitStack stack = {});
  UnitStack stackOf(uint32_t activeNe) const;
  LogicalResult encodeNeReduce(NeReduceOp reduce);
  LogicalResult encodeNeProduct(NeProductOp product);
  LogicalResult encodePe();
  PatchShape patchOf(ArrayRef<int64_t> whole) const;
  void encodePatch(ArrayRef<int64_t> whole);
  /// `firstMask` is what is repeated of the first source.
  LogicalResult encodePair(PeElementwiseOp pair, ArrayRef<int64_t> whole,
                           uint32_t firstMask);
  LogicalResult encodeNormalize(PeNormalizeOp normalize);
  /// The size of what the PE goes through: of a reduction that of its source.
  SmallVector<int64_t> wholeShape() const;
  double engineSeconds() const;
  LogicalResult encodeReduce(PeReduceOp reduce);
  void encodeInterleave(PeInterleaveOp interleave);
  void encodePeEpilogue(float scale, float bias,
                        std::optional<ActivationAttr> activation);
  uint32_t broadcastMask(MemRefType source, ArrayRef<int64_t> whole,
                         bool exchange = false) const;
  LogicalResult unproven(const Twine &mechanism);

  void encodeEstimate();
  void shortenKernelRecord();
  void encodeIdleNe();
  /// Rows of the source that are loaded, those that tiles share once each.
  int64_t sourceRows();
  /// Bytes that the task reads and writes, coefficients included.
  int64_t dramBytes();
  NeWork neWork();

  bool isStreamed(unsigned index) const;
  bool isNe() const { return isOnNeuralEngines(compute); }
  /// Rows are reduced alone: each is a group of one row.
  bool hasRowGroups() const;
  /// One row of a source from DRAM is that of every row of the result, and the
  /// flavour has it stay in L2.
  bool repeatsRow() const;
  /// Copies without changing values.
  bool isCopy() const;
  /// The result has channels and columns exchanged.
  bool isExchanged() const;

  TaskOp op;
  Operation *compute;
  const TaskPlace &place;
  const Flavour &flavour;
  const EncodingOptions &options;
  const ::ane::hw::GenerationInfo &info;
  ConstantSection &constants;
  SmallVector<EngineSource, 2> sources;
  MemRefType sourceType, secondType, resultType;
  /// N, C, H, W of what the engine computes, before the result is exchanged.
  SmallVector<int64_t> computed;
  ::ane::hw::Task task;
  /// For the estimate of its time.
  int64_t kernelBytes = 0, macs = 0;
  double unitShare = 1; ///< pixels of whole work units to those there are
  absl::Status status;
};

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_TASKENCODER_H

//===- PackedForm.h - What packed streams have in common --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The translations into and out of the form of H13 speak of fields as H14 has
// them. Another generation has the same field where its map says that it has
// the same counterpart, or the same name. What differs otherwise is declared
// here, once for each generation.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_PACKEDFORM_H
#define ANE_LIB_HW_PACKEDFORM_H

#include "ane/HW/H13.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

#include <optional>
#include <string>
#include <vector>

namespace ane::hw {

/// The bits of L2.Source2Cfg that say what source 2 waits for, as
/// Task::source2Waits has them.
inline constexpr const char *source2Alias[] = {
    "L2.Source2Cfg.AliasConvSrc", "L2.Source2Cfg.AliasConvRslt",
    "L2.Source2Cfg.AliasPlanarSrc", "L2.Source2Cfg.AliasPlanarRslt"};

/// A register that H13 has as halves and others as floats.
struct FloatTerm {
  FieldRef half; ///< of H13
  FieldRef single;
};

/// The bits of the float that has the value of a half.
uint32_t singleOfHalf(uint32_t half);

/// What no map says, seen in all recorded programs of compiler 9.509.
struct PackedTraits {
  /// Coefficients and tables have the entry of the kernel segment, and records
  /// add entry BaseDataSets to the configurations of the tile DMA.
  bool addsDataSets = false;
  /// A table has two registers for its address, and the side channels of
  /// coefficients the number of the task.
  bool repeatsTableBase = false;
  /// The record of the base of source 2 stands twice (a few bytes; why is open).
  bool repeatsSource2Base = false;
  /// In the last task, Header.Unknown24 and the words of CacheDMA.
  uint32_t lastTaskMark = 0;
  /// NE.MACCfg.BinaryPoint has a bit more, which repeats the sign.
  bool extendsBinaryPoint = false;
  /// PE.Cfg.Cond of an absolute value, 1 on H13.
  uint32_t absoluteCond = 1;
  /// TileDMADst.DMAConfig.CacheHint, where it is not that of H13.
  std::optional<h13::CacheHint> resultCacheHint;
  /// A task with coefficients has NE.KernelCfg.Unknown28 or, where the map has
  /// it and the image is no wider than the narrowest work unit,
  /// NE.MACCfg.Unknown27.
  bool marksCoefficients = false;
};

class PackedForm {
public:
  explicit PackedForm(const RegisterMap &map);

  const RegisterMap &map;
  const PackedTraits &traits;
  /// Each source has a configuration of L2, and no other register says which
  /// of them come by DMA.
  bool hasSource2Cfg = false;
  /// Records add entry BaseDataSets to registers of their own.
  bool hasDataSetRegisters = false;
  /// Formats of the tile DMA are packed in another way: known is what halves
  /// have.
  bool hasPackedFormats = false;
  std::vector<FloatTerm> terms;

  /// The field that `field` of H14 is here, null if there is none.
  const FieldRef *find(const FieldRef &field) const;
  const FieldRef *find(absl::string_view path) const;
  /// The same where it is known to be there.
  const FieldRef &at(const FieldRef &field) const;
  const FieldRef &at(absl::string_view path) const;

private:
  absl::flat_hash_map<std::string, FieldRef> fields;
  /// Own paths of fields without a counterpart, counterparts of the others.
  static std::string keyOf(const FieldPair &pair);
  static const absl::flat_hash_map<std::string, std::string> &keysOfH14();
};

/// TileDMASrc.Src1Fmt, Src2Fmt and TileDMADst.Fmt of halves where they are
/// packed in another way.
constexpr uint32_t packedHalfSource = 0x3211, packedHalfResult = 0xf0003211;

/// What records add the data sets of source 1, source 2 and the result to; none
/// where configurations have them.
std::vector<FieldRef> dataSetFields(const PackedForm &form);

/// Of a generation with packed streams.
const PackedForm &packedForm(Generation generation);

} // namespace ane::hw

#endif // ANE_LIB_HW_PACKEDFORM_H

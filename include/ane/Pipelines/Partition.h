//===- Partition.h - What engine and host do --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network may have ops that the engine cannot do: a gather, integer logic, a
// convolution whose weights arrive at run time. They stay as they are, in the
// dialect of the source (of MIL: in linalg), and everything between them
// becomes programs: functions that the rest calls. Whether the engine can do an
// op is found out by doing it: each is imported alone, and each program is
// compiled up to its memory map.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINES_PARTITION_H
#define ANE_PIPELINES_PARTITION_H

#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::ane {

struct PartitionOptions {
  std::string function; ///< empty: the only one with a body
  std::string target = ::ane::hw::defaultTarget().name;
  std::string flavour = "clean";
  bool allowUnproven = false;
  std::string milRoot; ///< the folder that @model_path of MIL stands for
};

/// An op that stays on the host.
struct HostOp {
  std::string name; ///< "tosa.gather"; of MIL "gather"
  Location location;
  std::string reason;
  int64_t macs = 0; ///< multiplications, where it is known
};

/// A function that only calls programs and does what they cannot.
struct Partition {
  func::FuncOp host;
  SmallVector<func::FuncOp> programs; ///< in the order of their calls
  std::vector<HostOp> hostOps;
  int64_t hostMacs = 0, engineMacs = 0;

  /// Whether one program does everything.
  bool isWhole() const { return hostOps.empty() && programs.size() == 1; }
};

/// Splits a function of `module` in place.
FailureOr<Partition> partition(ModuleOp module,
                               const PartitionOptions &options);

/// The reasons as remarks, one at each op that stayed out.
void emitReasons(const Partition &partition);
/// The same for programs, with the constraint that a reason names and how that
/// is known.
llvm::json::Value reasonsToJson(const Partition &partition);

/// `program` in a module of its own. Its weights are views of those of
/// `program`, so that compiling it frees nothing that others need.
OwningOpRef<ModuleOp> isolateProgram(func::FuncOp program);

/// `--ane-partition`, and `--ane-why`, which only tells the reasons.
void registerPartitionPass();

} // namespace mlir::ane

#endif // ANE_PIPELINES_PARTITION_H

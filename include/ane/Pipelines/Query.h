//===- Query.h - Can the engine run this, and how fast? ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers, for compilers that decide what goes where: does an op run on a
// target, what does it cost, and if it does not run, which limit is in the way.
//
//   ane::OpQuery query(context, {"h13"});
//   ane::QueryAnswer answer = query.ask(op);
//   if (!answer.runs) ... answer.reason, answer.constraint->wayOut ...
//
// There are no rules of its own here. An op that is legal as it is, by the same
// check that ane-legalize makes (LegalizeChecks.cpp), and that L2 has ample room
// for, is answered without any pass: its work by TileGraph, its time by the
// cost model. An op of TOSA or linalg that is imported as such an op is answered
// so after its import. Every other op is compiled, by the pipeline of
// ane-compile, and the program counted by the simulator. The answer is kept for
// all later ops of the same name, attributes and types.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINES_QUERY_H
#define ANE_PIPELINES_QUERY_H

#include "ane/HW/Constraints.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::ane {

struct QueryOptions {
  std::string target = ::ane::hw::defaultTarget().name;
  std::string flavour = "clean";
  bool allowUnproven = false;
  std::string milRoot;      ///< the folder that @model_path of MIL stands for
  std::string accuracyGoal; ///< "fast", "balanced" (empty) or "best"
};

struct QueryAnswer {
  std::string name; ///< of the function that was asked about
  bool runs = false;
  /// Of an op that runs: seconds of a call with nothing else in it, the
  /// dispatch of the program included, and its parts.
  double seconds = 0, dispatchSeconds = 0;
  uint64_t tasks = 0;
  uint64_t bytes = 0; ///< moved to and from DRAM
  uint64_t macs = 0;
  /// Whether nothing was compiled: the op is one that the engine does as it is.
  bool isDirect = false;
  /// Of an op that does not run: what compiling it says.
  std::string reason;
  /// The row of the table that the reason names, if it names one.
  const ::ane::hw::Constraint *constraint = nullptr;
  /// Of a limit: what it is, and what the op has.
  std::optional<uint64_t> limit, value;
};

/// The row whose id a message names, "(tensor_l1)"; null for none.
const ::ane::hw::Constraint *constraintIn(StringRef message);

/// Asks about ops of one context, for one target. Not for several threads at
/// once.
class OpQuery {
public:
  OpQuery(MLIRContext *context, QueryOptions options);
  ~OpQuery();

  /// Fails, with an error, for a target or flavour that does not exist.
  LogicalResult initialize(function_ref<InFlightDiagnostic()> emitError);

  /// An op of the ane dialect, TOSA or linalg. Operands that are constants are
  /// constants of the question, all others its inputs.
  QueryAnswer ask(Operation *op);
  /// All ops of a function as one program.
  QueryAnswer ask(func::FuncOp function);
  /// Each function of a module by itself; of MIL each function of its program.
  std::vector<QueryAnswer> askAll(ModuleOp module);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace mlir::ane

#endif // ANE_PIPELINES_QUERY_H

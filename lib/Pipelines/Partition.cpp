//===- Partition.cpp - What the engine does and what the host does --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are of three kinds: on the engine, on the host, and free (constants and
// what is computed from them alone), which everybody copies who needs them. The
// others have a stage: that of what they depend on, one more where the kind
// changes. The engine ops of a stage are one program: no way leads from one of
// them through the host to another, and no fewer programs are possible in this
// order. Where they have more inputs and outputs than tasks can name, the first
// that fit are a program, and the others go on in the next stage.
//
// A network in MIL comes imported: its importer has left to the host what it
// could not import, so here everything of our dialect is the engine's. What
// then shows to be beyond a limit is the host's after all, in linalg.
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/Partition.h"

#include "ane/Conversion/ANEToHWX/ANEToHWX.h"
#include "ane/Conversion/ANEToLinalg/ANEToLinalg.h"
#include "ane/Conversion/FunctionImporter.h"
#include "ane/Conversion/LinalgToANE/LinalgToANE.h"
#include "ane/Conversion/MILToANE/MILToANE.h"
#include "ane/Conversion/StableHLOToANE/StableHLOToANE.h"
#include "ane/Conversion/TosaToANE/TosaToANE.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

static int64_t elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? tensor.getNumElements() : 0;
}

static int64_t dimOf(Value value, unsigned dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

/// Multiplications of a convolution or matrix product.
static int64_t countMacs(Operation *op) {
  if (op->getNumResults() != 1 || !elementsOf(op->getResult(0).getType()))
    return 0;
  int64_t results = elementsOf(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](tosa::Conv2DOp conv) {
        return results * elementsOf(conv.getWeight().getType()) /
               dimOf(conv.getWeight(), 0);
      })
      .Case([&](tosa::Conv3DOp conv) {
        return results * elementsOf(conv.getWeight().getType()) /
               dimOf(conv.getWeight(), 0);
      })
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        return results * dimOf(conv.getWeight(), 0) *
               dimOf(conv.getWeight(), 1);
      })
      .Case([&](tosa::TransposeConv2DOp conv) {
        return elementsOf(conv.getInput().getType()) *
               elementsOf(conv.getWeight().getType()) /
               dimOf(conv.getWeight(), 3);
      })
      .Case([&](mlir::ane::ConvOp conv) {
        return results * elementsOf(conv.getWeight().getType()) /
               dimOf(conv.getWeight(), 0);
      })
      .Case([&](mlir::ane::ConvTransposeOp conv) {
        return elementsOf(conv.getInput().getType()) *
               elementsOf(conv.getWeight().getType()) /
               dimOf(conv.getWeight(), 0);
      })
      .Case([&](mlir::ane::MatmulOp product) {
        Value lhs = product.getLhs();
        int64_t rank = shapeOf(lhs).size();
        return results *
               dimOf(lhs, product.getTransposeLhs() ? rank - 2 : rank - 1);
      })
      .Case([&](tosa::MatMulOp product) {
        return results * dimOf(product.getA(), 2);
      })
      .Case([&](linalg::LinalgOp loops) -> int64_t {
        bool multiplies = loops.getNumDpsInputs() == 2 &&
                          loops.getNumReductionLoops() > 0 &&
                          loops.getBlock()->getOperations().size() >= 3 &&
                          linalg::isaContractionOpInterface(loops);
        if (!multiplies && !isa<linalg::ConvolutionOpInterface>(op))
          return 0;
        if (op->getName().getStringRef().contains("pooling"))
          return 0;
        int64_t macs = 1;
        for (int64_t range : loops.getStaticLoopRanges())
          macs *= range;
        return macs;
      })
      .Default(int64_t(0));
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Gives every resource below `root` a second name, so that passes that free
/// what they no longer need leave the bytes alone.
static void aliasResources(Operation *root) {
  root->walk([](Operation *op) {
    for (NamedAttribute attr : llvm::to_vector(op->getAttrs())) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(attr.getValue());
      AsmResourceBlob *blob =
          resource ? resource.getRawHandle().getBlob() : nullptr;
      if (!blob)
        continue;
      AsmResourceBlob view(blob->getData(), blob->getDataAlignment(),
                           /*deleter=*/{}, /*dataIsMutable=*/false);
      op->setAttr(attr.getName(),
                  DenseResourceElementsAttr::get(
                      cast<ShapedType>(resource.getType()),
                      resource.getRawHandle().getKey(), std::move(view)));
    }
  });
}

OwningOpRef<ModuleOp> mlir::ane::isolateProgram(func::FuncOp program) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
  auto copy = program.clone();
  copy->removeAttr(ANEDialect::getProgramAttrName());
  copy.setPublic();
  module->push_back(copy);
  aliasResources(*module);
  return module;
}

//===----------------------------------------------------------------------===//
// The partitioner
//===----------------------------------------------------------------------===//

namespace {

enum class Kind { Free, Host, Engine };

class Partitioner {
public:
  Partitioner(func::FuncOp function, const PartitionOptions &options)
      : function(function), options(options) {}

  FailureOr<Partition> run();
  /// The same of a function that an importer has split, which names what it
  /// left to the host.
  FailureOr<Partition> runImported(ArrayRef<MILHostStatement> statements);

private:
  /// Of a program; whether the target exists is checked before.
  unsigned surfaceLimit() const {
    auto target = ::ane::hw::parseTarget(options.target);
    return maxSurfaces(target.ok() ? ::ane::hw::info(*target)
                                   : ::ane::hw::defaultTarget());
  }
  /// One op of the function.
  struct Entry {
    Operation *op;
    Kind kind;
    std::string reason;
    bool canLeave = true; ///< from the engine, as a tensor
    int64_t stage = 0;
    int64_t earliest = 0; ///< stage, of an op that a cut moved
  };

  /// The first ops of a stage that can be a program.
  struct Prefix {
    size_t count = 0;
    int64_t surfaces = 0; ///< inputs and outputs of the first op, if none can
  };

  void probe();
  void takeKinds();
  void dropDeadOps();
  void evict(size_t index, StringRef reason);
  void keepTransfersPossible();
  void assignStages();
  bool canPass(size_t producer, Value value) const;
  SmallVector<Operation *> usersOf(Value value);
  Prefix findPrefix(int64_t stage);
  LogicalResult cutPrograms();
  LogicalResult verifyPrograms();
  FailureOr<bool> verifyProgram(int64_t stage);
  LogicalResult dropLightPrograms();
  SmallVector<size_t> opsOf(int64_t stage) const;
  func::FuncOp build(int64_t stage, StringRef name, SmallVector<Value> &inputs,
                     SmallVector<Value> &outputs);
  void outline(Partition &partition);

  func::FuncOp function;
  const PartitionOptions &options;
  std::vector<Entry> entries;
  llvm::DenseMap<Operation *, size_t> indexOf;
  int64_t lastStage = 0;
  bool isImported = false;
};

} // namespace

/// Values that `op` and its regions read from outside.
static llvm::SetVector<Value> readsOf(Operation *op) {
  llvm::SetVector<Value> values;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *parent = operand.getParentRegion()->getParentOp();
      if (!op->isAncestor(parent))
        values.insert(operand);
    }
  });
  return values;
}

void Partitioner::probe() {
  func::FuncOp copy = function.clone();
  FunctionImporter importer(function.getContext());
  addStableHLOImport(importer);
  addTosaImport(importer);
  addLinalgImport(importer);
  addArithImport(importer);
  SmallVector<FunctionImporter::Probe> probes = importer.probe(copy);
  copy.erase();
  for (Operation &op : function.getBody().front()) {
    const auto &[reason, hasValues] = probes[entries.size()];
    indexOf[&op] = entries.size();
    bool isFree =
        isMemoryEffectFree(&op) && reason.empty() &&
        !op.hasTrait<OpTrait::IsTerminator>() &&
        llvm::all_of(readsOf(&op), [&](Value value) {
          auto it = indexOf.find(value.getDefiningOp());
          return it != indexOf.end() && entries[it->second].kind == Kind::Free;
        });
    Kind kind = isFree || FunctionImporter::isParameter(&op) ? Kind::Free
                : reason.empty()                             ? Kind::Engine
                                                             : Kind::Host;
    if (op.hasTrait<OpTrait::IsTerminator>())
      kind = Kind::Host;
    entries.push_back({&op, kind, reason, hasValues});
  }
}

/// Of a function that was split before.
void Partitioner::takeKinds() {
  auto isOurs = [](Operation *op) { return isa<ANEDialect>(op->getDialect()); };
  for (Operation &op : function.getBody().front()) {
    indexOf[&op] = entries.size();
    auto isFree = [&](Value value) {
      auto it = indexOf.find(value.getDefiningOp());
      return it != indexOf.end() && entries[it->second].kind == Kind::Free;
    };
    bool isFreeOp = op.hasTrait<OpTrait::ConstantLike>() ||
                    (isOurs(&op) && llvm::all_of(op.getOperands(), isFree));
    Kind kind = isFreeOp ? Kind::Free : isOurs(&op) ? Kind::Engine : Kind::Host;
    entries.push_back({&op, kind, ""});
  }
}

void Partitioner::evict(size_t index, StringRef reason) {
  entries[index].kind = Kind::Host;
  entries[index].reason = reason.str();
}

/// An integer can stay inside of a program or leave it, but it cannot enter; a
/// sum of products of bytes, as long as it is no tensor of ours, can only stay.
void Partitioner::keepTransfersPossible() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t index = 0; index < entries.size(); ++index) {
      const Entry &entry = entries[index];
      if (entry.kind == Kind::Free)
        continue;
      for (Value value : readsOf(entry.op)) {
        if (!isa<TensorType>(value.getType()) || borderType(value.getType()))
          continue;
        auto it = indexOf.find(value.getDefiningOp());
        Kind from = it == indexOf.end() ? Kind::Host : entries[it->second].kind;
        if (from == Kind::Free || from == entry.kind ||
            (from == Kind::Engine && entries[it->second].canLeave &&
             resultBorderType(value.getType())))
          continue;
        std::string text;
        llvm::raw_string_ostream(text)
            << "'" << entry.op->getName() << "' "
            << (from == Kind::Engine ? "on the host reads " : "reads ")
            << value.getType()
            << ", which cannot pass between the host and the engine";
        evict(from == Kind::Engine ? it->second : index, text);
        changed = true;
      }
    }
  }
}

void Partitioner::assignStages() {
  lastStage = 0;
  size_t lastEffect = entries.size();
  for (size_t index = 0; index < entries.size(); ++index) {
    Entry &entry = entries[index];
    if (entry.kind == Kind::Free)
      continue;
    entry.stage =
        entry.kind == Kind::Engine ? std::max<int64_t>(1, entry.earliest) : 0;
    auto after = [&](size_t other) {
      if (entries[other].kind != Kind::Free)
        entry.stage = std::max<int64_t>(
            entry.stage,
            entries[other].stage + (entries[other].kind != entry.kind));
    };
    for (Value value : readsOf(entry.op))
      if (auto it = indexOf.find(value.getDefiningOp()); it != indexOf.end())
        after(it->second);
    if (!isMemoryEffectFree(entry.op)) {
      if (lastEffect != entries.size())
        after(lastEffect);
      lastEffect = index;
    }
    lastStage = std::max(lastStage, entry.stage);
  }
  // The terminator comes last whatever it reads.
  entries.back().stage = std::max(entries.back().stage, lastStage);
}

SmallVector<size_t> Partitioner::opsOf(int64_t stage) const {
  SmallVector<size_t> ops;
  for (auto [index, entry] : llvm::enumerate(entries))
    if (entry.kind == Kind::Engine && entry.stage == stage)
      ops.push_back(index);
  return ops;
}

/// The ops of the function that read `value`, themselves or in a region.
SmallVector<Operation *> Partitioner::usersOf(Value value) {
  llvm::SetVector<Operation *> users;
  for (Operation *user : value.getUsers()) {
    while (user->getBlock() != &function.getBody().front())
      user = user->getParentOp();
    users.insert(user);
  }
  return users.takeVector();
}

/// Whether `value` can leave the program that makes it and enter another.
bool Partitioner::canPass(size_t producer, Value value) const {
  return entries[producer].canLeave && borderType(value.getType());
}

Partitioner::Prefix Partitioner::findPrefix(int64_t stage) {
  llvm::SmallDenseSet<Value> inputs;
  struct Waiting {
    int64_t users, here; // that are still to come: all, those of this stage
  };
  llvm::DenseMap<Value, Waiting> waiting;
  int64_t outputs = 0; // results that have such users
  int64_t stuck = 0;   // of these, results that only this program can use
  Prefix prefix;
  SmallVector<size_t> ops = opsOf(stage);
  for (auto [position, index] : llvm::enumerate(ops)) {
    for (Value value : readsOf(entries[index].op)) {
      auto known = indexOf.find(value.getDefiningOp());
      if (auto it = waiting.find(value); it != waiting.end()) {
        outputs -= --it->second.users == 0;
        stuck -= --it->second.here == 0 && !canPass(known->second, value);
      } else if (known == indexOf.end() ||
                 entries[known->second].kind != Kind::Free) {
        inputs.insert(value);
      }
    }
    for (Value result : entries[index].op->getResults()) {
      SmallVector<Operation *> users = usersOf(result);
      if (users.empty())
        continue;
      int64_t here = llvm::count_if(users, [&](Operation *user) {
        const Entry &entry = entries[indexOf.lookup(user)];
        return entry.kind == Kind::Engine && entry.stage == stage;
      });
      waiting[result] = {int64_t(users.size()), here};
      ++outputs;
      stuck += here != 0 && !canPass(index, result);
    }
    int64_t surfaces = inputs.size() + outputs;
    if (position == 0)
      prefix.surfaces = surfaces;
    bool isLast = position + 1 == ops.size();
    if (surfaces <= surfaceLimit() && (stuck == 0 || isLast))
      prefix.count = position + 1;
  }
  return prefix;
}

LogicalResult Partitioner::cutPrograms() {
  for (bool evicted = true; evicted;) {
    evicted = false;
    for (Entry &entry : entries)
      entry.earliest = 0;
    keepTransfersPossible();
    assignStages();
    for (int64_t stage = 1; stage <= lastStage && !evicted; stage += 2) {
      SmallVector<size_t> ops = opsOf(stage);
      Prefix prefix = findPrefix(stage);
      if (prefix.count == ops.size())
        continue;
      for (size_t index : ArrayRef(ops).drop_front(prefix.count))
        entries[index].earliest = stage + 2;
      if (prefix.count != 0) {
        assignStages();
        continue;
      }
      // Every such op goes to the host, so this ends.
      Operation *op = entries[ops.front()].op;
      std::string reason;
      llvm::raw_string_ostream text(reason);
      text << "'" << op->getName() << "' ";
      if (prefix.surfaces > surfaceLimit())
        text << "needs a program with " << prefix.surfaces
             << " inputs and outputs, but tasks can name " << surfaceLimit();
      else
        text << "makes " << op->getResult(0).getType()
             << ", which cannot enter another program, and up to its last user "
                "there are more inputs and outputs than the "
             << surfaceLimit() << " that tasks can name";
      if (isImported && !hasLinalgForm(op))
        return emitError(op->getLoc()) << reason;
      evict(ops.front(), reason);
      evicted = true;
    }
  }
  return success();
}

/// A function that does what the engine does in `stage`. `inputs` and `outputs`
/// are values of the old function.
func::FuncOp Partitioner::build(int64_t stage, StringRef name,
                                SmallVector<Value> &inputs,
                                SmallVector<Value> &outputs) {
  llvm::BitVector wanted(entries.size()); // free ones included
  llvm::SetVector<Value> reads;
  // No recursion: what is computed from constants may be a long chain.
  SmallVector<size_t> pending(opsOf(stage));
  auto want = [&](Value value) {
    auto it = indexOf.find(value.getDefiningOp());
    const Entry *entry = it == indexOf.end() ? nullptr : &entries[it->second];
    if (entry && entry->kind == Kind::Free)
      pending.push_back(it->second);
    else if (!entry || entry->kind != Kind::Engine || entry->stage != stage)
      reads.insert(value);
  };
  auto isElsewhere = [&](Operation *user) {
    while (user->getBlock() != &function.getBody().front())
      user = user->getParentOp();
    const Entry &entry = entries[indexOf.lookup(user)];
    return entry.kind != Kind::Engine || entry.stage != stage;
  };
  std::reverse(pending.begin(), pending.end());
  while (!pending.empty()) {
    size_t index = pending.pop_back_val();
    if (wanted.test(index))
      continue;
    wanted.set(index);
    const Entry &entry = entries[index];
    llvm::for_each(readsOf(entry.op), want);
    if (entry.kind == Kind::Engine)
      llvm::copy_if(entry.op->getResults(), std::back_inserter(outputs),
                    [&](Value result) {
                      return llvm::any_of(result.getUsers(), isElsewhere);
                    });
  }
  inputs.assign(reads.begin(), reads.end());
  auto typesOf = [](ArrayRef<Value> values) {
    return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
  };
  OpBuilder builder(function.getContext());
  auto program = func::FuncOp::create(
      function.getLoc(), name,
      builder.getFunctionType(typesOf(inputs), typesOf(outputs)));
  Block *block = program.addEntryBlock();
  for (auto [index, input] : llvm::enumerate(inputs))
    if (auto arg = dyn_cast<BlockArgument>(input))
      program.setArgAttrs(index, function.getArgAttrDict(arg.getArgNumber()));
  IRMapping mapping;
  mapping.map(inputs, block->getArguments());
  builder.setInsertionPointToStart(block);
  for (unsigned index : wanted.set_bits())
    builder.clone(*entries[index].op, mapping);
  func::ReturnOp::create(builder, function.getLoc(),
                         llvm::map_to_vector(outputs, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  return program;
}

//===----------------------------------------------------------------------===//
// Verification: compile it
//===----------------------------------------------------------------------===//

/// The index that build() wrote into a location.
static std::optional<size_t> stampOf(Location location) {
  std::optional<size_t> stamp;
  location->walk([&](Location part) {
    size_t index;
    auto name = dyn_cast<NameLoc>(part);
    if (!name || !name.getName().getValue().starts_with("partition#") ||
        name.getName().getValue().substr(10).getAsInteger(10, index))
      return WalkResult::advance();
    stamp = index;
    return WalkResult::interrupt();
  });
  return stamp;
}

/// Whether the program of `stage` compiles; if not, the ops that the errors
/// name become the host's. Of an imported one, those that the host cannot do
/// are errors.
FailureOr<bool> Partitioner::verifyProgram(int64_t stage) {
  SmallVector<Value> inputs, outputs;
  SmallVector<std::pair<Operation *, Location>> originals;
  MLIRContext *context = function.getContext();
  // Every op says in its location which one it is; copies have it as well.
  for (size_t index = 0; index < entries.size(); ++index)
    entries[index].op->walk([&](Operation *op) {
      originals.push_back({op, op->getLoc()});
      op->setLoc(NameLoc::get(
          StringAttr::get(context, "partition#" + llvm::Twine(index)),
          op->getLoc()));
    });
  func::FuncOp program = build(stage, "program", inputs, outputs);
  OwningOpRef<ModuleOp> module = isolateProgram(program);
  program.erase();
  for (auto &[op, location] : originals)
    op->setLoc(location);

  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.flavour = options.flavour;
  pipeline.allowUnproven = options.allowUnproven;
  pipeline.stopAfter = "memory";
  pipeline.keepConstants = true;
  llvm::MapVector<size_t, std::string> reasons;
  SmallVector<std::pair<Location, std::string>> errors;
  bool ok;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return success();
      errors.push_back({diagnostic.getLocation(), diagnostic.str()});
      if (auto index = stampOf(diagnostic.getLocation()))
        reasons.insert({*index, diagnostic.str()});
      return success();
    });
    PassManager pm(context);
    ok = succeeded(buildPipeline(
             pm, pipeline, [&] { return emitError(function.getLoc()); })) &&
         succeeded(pm.run(*module));
  }
  if (ok)
    return true;
  std::string first =
      errors.empty() ? "its program does not compile" : errors.front().second;
  if (reasons.empty())
    for (size_t index : opsOf(stage))
      reasons.insert({index, first});
  auto isHosts = [&](auto &reason) {
    return reason.first < entries.size() &&
           hasLinalgForm(entries[reason.first].op);
  };
  if (isImported && !llvm::all_of(reasons, isHosts)) {
    for (auto &[location, text] : errors)
      emitError(location) << text;
    if (errors.empty())
      return emitError(function.getLoc()) << first;
    return failure();
  }
  for (auto &[index, reason] : reasons)
    if (index < entries.size())
      evict(index, reason);
  return false;
}

LogicalResult Partitioner::verifyPrograms() {
  // Every round takes an op from the engine, so this ends.
  for (bool all = false; !all;) {
    if (failed(cutPrograms()))
      return failure();
    all = true;
    for (int64_t stage = 1; stage <= lastStage && all; stage += 2) {
      if (opsOf(stage).empty())
        continue;
      FailureOr<bool> compiles = verifyProgram(stage);
      if (failed(compiles))
        return failure();
      all = *compiles;
    }
  }
  return success();
}

/// A program without a convolution or matrix product does less than starting it
/// costs, if the host works anyway.
LogicalResult Partitioner::dropLightPrograms() {
  bool hasHostOps = llvm::any_of(entries, [](const Entry &entry) {
    return entry.kind == Kind::Host &&
           !entry.op->hasTrait<OpTrait::IsTerminator>();
  });
  if (!hasHostOps)
    return success();
  bool isCut = llvm::any_of(
      entries, [](const Entry &entry) { return entry.earliest != 0; });
  for (int64_t stage = 1; stage <= lastStage; stage += 2) {
    SmallVector<size_t> ops = opsOf(stage);
    if (llvm::any_of(ops, [&](size_t index) {
          return countMacs(entries[index].op) > 0;
        }))
      continue;
    for (size_t index : ops)
      evict(index, "the part of the network between two ops of the host that "
                   "it is in has no convolution or matrix product; starting a "
                   "program for it would cost more than it saves");
  }
  // Cuts may lie elsewhere without them, so that there are other programs.
  return isCut ? verifyPrograms() : cutPrograms();
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

void Partitioner::outline(Partition &partition) {
  Block &body = function.getBody().front();
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  // Free ops are where they were; the others stage by stage after them.
  for (Entry &entry : entries)
    if (entry.kind == Kind::Free)
      entry.op->moveBefore(terminator);
  for (int64_t stage = 0; stage <= lastStage; ++stage) {
    for (Entry &entry : entries)
      if (entry.kind == Kind::Host && entry.stage == stage &&
          entry.op != terminator)
        entry.op->moveBefore(terminator);
    if (opsOf(stage).empty())
      continue;
    SmallVector<Value> inputs, outputs;
    std::string name =
        (function.getName() + "_ane" + llvm::Twine(partition.programs.size()))
            .str();
    func::FuncOp program = build(stage, name, inputs, outputs);
    program->setAttr(ANEDialect::getProgramAttrName(),
                     builder.getStringAttr(options.target));
    program.setPrivate();
    auto call =
        func::CallOp::create(builder, function.getLoc(), program, inputs);
    for (auto [from, to] : llvm::zip_equal(outputs, call.getResults()))
      from.replaceUsesWithIf(to, [&](OpOperand &use) {
        Operation *user = use.getOwner();
        while (user->getBlock() != &body)
          user = user->getParentOp();
        auto it = indexOf.find(user);
        return it == indexOf.end() ||
               entries[it->second].kind != Kind::Engine ||
               entries[it->second].stage != stage;
      });
    partition.programs.push_back(program);
  }
  for (Entry &entry : entries) {
    int64_t macs = countMacs(entry.op);
    (entry.kind == Kind::Host ? partition.hostMacs : partition.engineMacs) +=
        macs;
    if (entry.kind == Kind::Host && entry.op != terminator)
      partition.hostOps.push_back({entry.op->getName().getStringRef().str(),
                                   entry.op->getLoc(), entry.reason, macs});
  }
  for (Entry &entry : llvm::reverse(entries))
    if (entry.kind == Kind::Engine)
      entry.op->erase();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  Operation *after = function;
  for (func::FuncOp program : partition.programs) {
    function->getBlock()->getOperations().insertAfter(after->getIterator(),
                                                      program);
    after = program;
  }
}

void Partitioner::dropDeadOps() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

// What was bound is a constant of ours; the host has its own.
static void takeConstants(func::FuncOp host) {
  for (ConstantOp op : llvm::make_early_inc_range(host.getOps<ConstantOp>())) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        arith::ConstantOp::create(builder, op.getLoc(),
                                  cast<TypedAttr>(op.getValue()))
            .getResult());
    op.erase();
  }
}

FailureOr<Partition> Partitioner::run() {
  if (!llvm::hasSingleElement(function.getBody()))
    return emitError(function.getLoc(), "function has ")
           << function.getBody().getBlocks().size()
           << " blocks, but control flow cannot be partitioned; the body must "
              "be one block";
  dropDeadOps();
  probe();
  if (failed(verifyPrograms()))
    return failure();
  if (failed(dropLightPrograms()))
    return failure();
  Partition partition;
  partition.host = function;
  outline(partition);
  takeConstants(function);
  return partition;
}

FailureOr<Partition>
Partitioner::runImported(ArrayRef<MILHostStatement> statements) {
  isImported = true;
  dropDeadOps();
  takeKinds();
  if (failed(verifyPrograms()))
    return failure();
  Partition partition;
  partition.host = function;
  outline(partition);
  // Of a statement that the host does, nobody asks for the ops.
  llvm::erase_if(partition.hostOps,
                 [](const HostOp &op) { return op.reason.empty(); });
  for (const MILHostStatement &statement : llvm::reverse(statements))
    partition.hostOps.insert(
        partition.hostOps.begin(),
        {statement.name, statement.location, statement.reason});
  if (failed(lowerToLinalg(function)))
    return failure();
  return partition;
}

/// A network in MIL has statements, which only its own importer knows.
static FailureOr<Partition> partitionMIL(ModuleOp module,
                                         const PartitionOptions &options) {
  SmallVector<MILHostStatement> statements;
  if (failed(importMIL(module, options.function, options.milRoot, &statements)))
    return failure();
  FailureOr<func::FuncOp> function = findFunction(module, options.function);
  if (failed(function))
    return failure();
  FailureOr<Partition> parts =
      Partitioner(*function, options).runImported(statements);
  // A handler of the host builds what the text says, right or wrong.
  if (failed(parts) || failed(verify(module)))
    return failure();
  return parts;
}

FailureOr<Partition> mlir::ane::partition(ModuleOp module,
                                          const PartitionOptions &options) {
  // Not every caller is a pass, which would have loaded them.
  module.getContext()
      ->loadDialect<ANEDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  if (!module.getOps<mil::ProgramOp>().empty())
    return partitionMIL(module, options);
  FailureOr<func::FuncOp> function = findFunction(module, options.function);
  if (failed(function))
    return failure();
  if (failed(checkTensorLevel(*function)))
    return failure();
  foldVariables(module);
  unrollLoops(*function);
  separateWindows(*function);
  // Arguments that are bound are constants of ours by now.
  for (Operation &op : function->getOps())
    if (isa<ANEDialect>(op.getDialect()) && !isa<ConstantOp>(op))
      return op.emitOpError(
          "is already an op of the ane dialect; split a network "
          "between engine and host before it is imported");
  return Partitioner(*function, options).run();
}

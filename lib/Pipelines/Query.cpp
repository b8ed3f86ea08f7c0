//===- Query.cpp - Can the engine run this, and how fast? -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/Query.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/ConvTasks.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"
#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/HW/Chip.h"
#include "ane/HW/Container.h"
#include "ane/HW/LookupTable.h"
#include "ane/Pipelines/Partition.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Simulator/CostModel.h"
#include "ane/Simulator/Simulator.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

static StringRef toRef(absl::string_view text) {
  return {text.data(), text.size()};
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

const hw::Constraint *mlir::ane::constraintIn(StringRef message) {
  for (const hw::Constraint &row : hw::constraints())
    if (message.contains(("(" + toRef(row.name) + ")").str()))
      return &row;
  return nullptr;
}

/// Takes a message apart as describeExcess() puts it together.
static void setReason(QueryAnswer &answer, StringRef message,
                      const hw::GenerationInfo &info) {
  answer.runs = false;
  answer.reason = message.str();
  const hw::Constraint *row = answer.constraint = constraintIn(message);
  if (!row || !row->limit)
    return;
  answer.limit = row->limit(info);
  StringRef number = message.split((toRef(row->subject) + " ").str()).second;
  uint64_t value;
  if (!number.consumeInteger(10, value))
    answer.value = value;
}

//===----------------------------------------------------------------------===//
// What is the same question
//===----------------------------------------------------------------------===//

namespace {

/// All of a function that the answer depends on: ops with their attributes and
/// types, which exist once in a context, and which value each operand is. Names
/// of functions and locations are left out.
class QuestionKey {
public:
  explicit QuestionKey(func::FuncOp function) {
    add(function.getFunctionType().getAsOpaquePointer());
    add(function.getArgAttrsAttr().getAsOpaquePointer());
    addRegion(function.getBody());
  }
  bool operator<(const QuestionKey &other) const { return words < other.words; }

private:
  void add(const void *pointer) {
    words.push_back(reinterpret_cast<uintptr_t>(pointer));
  }
  void addRegion(Region &region) {
    words.push_back(region.getBlocks().size());
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments()) {
        add(argument.getType().getAsOpaquePointer());
        numbers[argument] = numbers.size();
      }
      blocks[&block] = blocks.size();
      for (Operation &op : block)
        addOp(op);
    }
  }
  void addOp(Operation &op) {
    add(op.getName().getAsOpaquePointer());
    add(op.getDiscardableAttrDictionary().getAsOpaquePointer());
    add(op.getPropertiesAsAttribute().getAsOpaquePointer());
    words.push_back(op.getNumOperands());
    for (Value operand : op.getOperands())
      words.push_back(numbers.lookup(operand));
    for (Block *successor : op.getSuccessors())
      words.push_back(blocks.lookup(successor));
    words.push_back(op.getNumResults());
    for (Value result : op.getResults()) {
      add(result.getType().getAsOpaquePointer());
      numbers[result] = numbers.size();
    }
    words.push_back(op.getNumRegions());
    for (Region &region : op.getRegions())
      addRegion(region);
  }

  std::vector<uintptr_t> words;
  DenseMap<Value, unsigned> numbers;
  DenseMap<Block *, unsigned> blocks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Ops that the engine does as they are
//===----------------------------------------------------------------------===//

/// The only op of a function but constants; null where there are several, or
/// something else than its results is returned.
static Operation *getOnlyOp(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return nullptr;
  Operation *only = nullptr;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    if (only || op.getNumResults() != 1 || op.getNumRegions())
      return nullptr;
    only = &op;
  }
  Operation *terminator = function.getBody().front().getTerminator();
  if (!only || terminator->getNumOperands() != 1 ||
      terminator->getOperand(0) != only->getResult(0))
    return nullptr;
  return only;
}

/// The only op of an imported function but constants, and the casts of f32 that
/// its inputs and its result have at the border.
static Operation *getOnlyImportedOp(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return nullptr;
  Operation *terminator = function.getBody().front().getTerminator();
  Operation *only = nullptr;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    if (isa<CastOp>(op)) {
      const bool isFirst = isa<BlockArgument>(op.getOperand(0)) &&
                           getElementTypeOrSelf(op.getOperand(0)).isF32();
      const bool isLast = op.hasOneUse() && *op.user_begin() == terminator &&
                          op.getOperand(0).getDefiningOp() == only &&
                          getElementTypeOrSelf(op.getResult(0)).isF32();
      if (isFirst || isLast)
        continue;
    }
    if (only || op.getNumResults() != 1 || op.getNumRegions())
      return nullptr;
    only = &op;
  }
  if (!only || terminator->getNumOperands() != 1)
    return nullptr;
  Operation *result = terminator->getOperand(0).getDefiningOp();
  if (isa_and_present<CastOp>(result))
    result = result->getOperand(0).getDefiningOp();
  return result == only && only->getResult(0).hasOneUse() ? only : nullptr;
}

/// A function of `op` alone: operands that are constants are constants of it,
/// all others its inputs.
static OwningOpRef<func::FuncOp> functionOf(Operation *op) {
  SmallVector<Type> inputs;
  SmallVector<Value> outside, constants;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (source && source->hasTrait<OpTrait::ConstantLike>()) {
      constants.push_back(operand);
    } else if (!llvm::is_contained(outside, operand)) {
      outside.push_back(operand);
      inputs.push_back(operand.getType());
    }
  }
  OpBuilder builder(op->getContext());
  auto function = func::FuncOp::create(
      op->getLoc(), op->getName().getStringRef(),
      builder.getFunctionType(inputs, op->getResultTypes()));
  OwningOpRef<func::FuncOp> owner(function);
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping mapping;
  mapping.map(outside, block->getArguments());
  for (Value constant : constants)
    if (!mapping.contains(constant))
      builder.clone(*constant.getDefiningOp(), mapping);
  Operation *copy = builder.clone(*op, mapping);
  func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
  return owner;
}

/// Ops of elements have four dimensions on the engine: more of one in front.
static void giveFourDims(func::FuncOp function) {
  constexpr int64_t rank = 4;
  auto isShort = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() < rank;
  };
  Block &block = function.getBody().front();
  if (!isa<ElementwiseOp, ActivationOp>(block.front()) ||
      !isShort(block.front().getResult(0)))
    return;
  auto lengthen = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(rank - type.getRank(), 1);
    llvm::append_range(shape, type.getShape());
    value.setType(type.clone(shape));
  };
  llvm::for_each(block.getArguments(), lengthen);
  lengthen(block.front().getResult(0));
  function.setType(FunctionType::get(function.getContext(),
                                     block.getArgumentTypes(),
                                     block.front().getResultTypes()));
}

static bool areAllRecorded(const hw::GenerationInfo &info) {
  return info.recordedWork == (1u << hw::workCount) - 1;
}

/// Whether there are records of the op for this generation, where that does not
/// depend on more than its name (RecordedWork.cpp).
static bool isRecorded(Operation *op, const hw::GenerationInfo &info) {
  return areAllRecorded(info) || (isa<ElementwiseOp, ActivationOp>(op) &&
                                  info.records(hw::Work::Elementwise) &&
                                  info.records(hw::Work::Function));
}

/// Of the table that each task of the op loads.
static uint64_t tableBytesOf(Operation *op) {
  auto act = op->getAttrOfType<ActivationAttr>(
      isa<ActivationOp>(op) ? "function" : "activation");
  return act && act.getKind() != ActivationKind::Relu &&
                 infoOf(act.getKind()).isOnePass
             ? hw::tableBytes
             : 0;
}

static uint64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * sizeof(uint16_t);
}

//===----------------------------------------------------------------------===//
// The query
//===----------------------------------------------------------------------===//

struct OpQuery::State {
  State(MLIRContext *context, QueryOptions options)
      : context(context), options(std::move(options)), imports(context),
        passes(context) {
    // What becomes of an import is verified once, as the op that it is.
    imports.enableVerifier(false);
  }

  QueryAnswer ask(func::FuncOp function);
  QueryAnswer askProgram(mil::FuncOp function, ModuleOp module);
  bool isOneTable(Operation *op, ActivationAttr function) const;
  bool isKeptAsItIs(Operation *op) const;
  std::optional<QueryAnswer> answerDirectly(func::FuncOp function);
  std::optional<QueryAnswer> answerImported(func::FuncOp function);
  QueryAnswer compile(ModuleOp module, PassManager &pipeline);
  LogicalResult build(PassManager &pipeline, StringRef function,
                      StringRef stopAfter,
                      function_ref<InFlightDiagnostic()> emitError);
  std::optional<LegalizeOptions> legalize;
  std::optional<MemoryTarget> memory;

  MLIRContext *context;
  QueryOptions options;
  PassManager imports; ///< to the ane dialect
  PassManager passes;
  const hw::GenerationInfo *info = nullptr;
  AccuracyGoal goal = AccuracyGoal::Balanced;
  std::map<QuestionKey, QueryAnswer> known;
};

LogicalResult
OpQuery::State::build(PassManager &pipeline, StringRef function,
                      StringRef stopAfter,
                      function_ref<InFlightDiagnostic()> emitError) {
  PipelineOptions given;
  given.target = options.target;
  given.flavour = options.flavour;
  given.allowUnproven = options.allowUnproven;
  given.milRoot = options.milRoot;
  given.function = function.str();
  given.stopAfter = stopAfter.str();
  if (!options.accuracyGoal.empty())
    given.accuracyGoal = options.accuracyGoal;
  // Other questions have the same constants.
  given.keepConstants = true;
  return buildPipeline(pipeline, given, emitError);
}

/// Whether an op that computes `function` does so by one table, or by none. Of
/// what has several forms, the one counts that ane-choose-function-forms takes.
bool OpQuery::State::isOneTable(Operation *op, ActivationAttr function) const {
  if (!function || function.getKind() == ActivationKind::Relu)
    return true;
  // Parameters have limits of their own, which are checked later; those that
  // may be 0 stretch the argument, or are added to it.
  const FunctionInfo &known = infoOf(function.getKind());
  const bool isPlain = known.parameters == 0 || known.canStretch ||
                       function.getKind() == ActivationKind::Rsqrt;
  FailureOr<const FunctionForm *> form = getGivenForm(op, function);
  if (failed(form) || !known.isOnePass || !isPlain || function.getAlpha() != 0)
    return false;
  if (!*form && legalize->policy.planar.separatesGates)
    form = chooseForm(function, getFormUse(op, function, nullptr), goal);
  return !*form || (*form)->kind == FormKind::Table;
}

/// Ops of which no pass before ane-legalize makes tasks of another kind.
bool OpQuery::State::isKeptAsItIs(Operation *op) const {
  auto isInput = [](Value value) { return isa<BlockArgument>(value); };
  if (auto conv = dyn_cast<ConvOp>(op))
    return isInput(conv.getInput()) && !conv.getScale() &&
           isOneTable(conv, conv.getActivationAttr());
  // A table is a task of the neural engines, after that of the planar one.
  if (auto pair = dyn_cast<ElementwiseOp>(op)) {
    ActivationAttr function = pair.getActivationAttr();
    return llvm::all_of(op->getOperands(), isInput) &&
           (!function || function.getKind() == ActivationKind::Relu) &&
           !llvm::is_contained({ElementwiseKind::Div, ElementwiseKind::Pow},
                               pair.getKind());
  }
  if (auto activation = dyn_cast<ActivationOp>(op)) {
    ActivationAttr function = activation.getFunction();
    return isInput(activation.getInput()) &&
           (isOneTable(op, function) ||
            llvm::is_contained({ActivationKind::Abs, ActivationKind::Neg},
                               function.getKind()));
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isInput(reduce.getInput()) && !reduce.getActivation();
  return false;
}

/// Where nothing can go wrong after ane-legalize: sources and result are in L2
/// with as much room again for what passes through, and the coefficients of a
/// task fit the buffers.
std::optional<QueryAnswer>
OpQuery::State::answerDirectly(func::FuncOp function) {
  Operation *op = getOnlyOp(function);
  if (!op || !isKeptAsItIs(op) ||
      !(options.allowUnproven || isRecorded(op, *info)))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() != 4 ||
      llvm::is_contained(type.getShape(), 0))
    return std::nullopt;
  {
    ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
    if (failed(checkLegal(op, *legalize)))
      return std::nullopt;
  }
  TileGraph graph(function, *memory, legalize->policy);
  if (graph.nodes.size() != 1)
    return std::nullopt;
  int64_t l2Bytes = 0;
  for (const TileValue &value : graph.values)
    l2Bytes += value.l2Bytes;
  if (l2Bytes > int64_t(info->l2Bytes) / 2)
    return std::nullopt;
  const TileNode &node = graph.nodes.front();
  // An image takes a task, or several are joined first. The planar engines of
  // the first generations take those of a pair at once.
  if (type.getDimSize(0) != 1 &&
      (isa<ActivationOp, ReduceOp>(op) || !areAllRecorded(*info)))
    return std::nullopt;
  auto conv = dyn_cast<ConvOp>(op);
  if (conv) {
    const int64_t groups = conv.getGroups(), channels = type.getDimSize(1);
    ConvTasks tasks(conv, *info, legalize->policy.conv.doubleBuffers);
    if (groups == 1 ? !tasks.channelsOfTask(channels)
                    : !tasks.fits(channels / groups, groups))
      return std::nullopt;
  }

  QueryAnswer answer;
  answer.runs = answer.isDirect = true;
  answer.tasks = node.tasks;
  const hw::ChipInfo &chip = hw::chipOf(info->id);
  answer.dispatchSeconds = answer.seconds = chip.dispatchSeconds;
  uint64_t sources = 0, elements = type.getNumElements();
  for (const TileNode::Operand &operand : node.operands)
    sources += graph.values[operand.value].dramBytes;
  const uint64_t result = bytesOf(op->getResult(0)), count = node.tasks;
  if (conv) {
    auto weight = cast<RankedTensorType>(conv.getWeight().getType());
    answer.macs = elements * weight.getNumElements() /
                  std::max<int64_t>(1, weight.getDimSize(0));
  }
  const uint64_t weights = node.weightBytes + count * tableBytesOf(op);
  answer.bytes = sources + result + weights;
  // Sources are read by the first task of each image and stay.
  sim::Sequence sequence(chip);
  const uint64_t images = count / std::max<int64_t>(1, node.passes);
  for (uint64_t task = 0; task < count; ++task) {
    sim::TaskWork work;
    work.macs = answer.macs / count;
    work.cout = llvm::divideCeil(type.getDimSize(1), node.passes);
    work.weightBytes = weights / count;
    work.tileBytes = result / count;
    if (task % node.passes == 0)
      work.tileBytes += sources / std::max<uint64_t>(1, images);
    work.elements = std::max(elements, sources / sizeof(uint16_t)) / count;
    if (conv) {
      work.results = elements / count;
      work.kernelWidth =
          cast<RankedTensorType>(conv.getWeight().getType()).getDimSize(3);
      work.depthwise = isDepthwise(conv);
    }
    answer.seconds += sequence.add(work).total;
  }
  return answer;
}

/// The same of an op of another dialect: what it is imported as. Passes after
/// the import would leave such an op alone, too.
std::optional<QueryAnswer>
OpQuery::State::answerImported(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = isolateProgram(function);
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
  if (failed(imports.run(*module)))
    return std::nullopt;
  auto functions = module->getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return std::nullopt;
  Operation *op = getOnlyImportedOp(*functions.begin());
  if (!op)
    return std::nullopt;
  OwningOpRef<func::FuncOp> only = functionOf(op);
  // Forms are chosen by the shape that is imported.
  if (!isKeptAsItIs(getOnlyOp(*only)))
    return std::nullopt;
  giveFourDims(*only);
  return succeeded(verify(*only)) ? answerDirectly(*only) : std::nullopt;
}

static bool isOfAnotherDialect(func::FuncOp function) {
  return llvm::any_of(function.getBody().getOps(), [](Operation &op) {
    return !isa_and_present<ANEDialect>(op.getDialect()) &&
           !op.hasTrait<OpTrait::IsTerminator>();
  });
}

/// By the passes that ane-compile runs, and the program that they make.
QueryAnswer OpQuery::State::compile(ModuleOp module, PassManager &pipeline) {
  QueryAnswer answer;
  std::string first;
  LogicalResult ran = success();
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          first.empty())
        first = diagnostic.str();
      return success();
    });
    ran = pipeline.run(module);
    auto programs = module.getOps<hwx::ProgramOp>();
    if (succeeded(ran) && llvm::hasSingleElement(programs)) {
      FailureOr<hw::Container> container =
          hwx::exportContainer(*programs.begin());
      ran = container;
      if (succeeded(container)) {
        const hw::Program &program = container->program;
        std::vector<absl::Span<uint8_t>> surfaces;
        surfaces.reserve(program.tensors.size());
        for (const hw::Tensor &tensor : program.tensors)
          surfaces.emplace_back(nullptr, tensor.bytes);
        sim::Options counts;
        counts.mode = sim::Mode::Count;
        absl::StatusOr<sim::Stats> stats = sim::run(program, surfaces, counts);
        answer.runs = true;
        answer.tasks = program.tasks.size();
        if (stats.ok()) {
          answer.seconds = stats->predictedMs / 1e3;
          answer.dispatchSeconds = stats->dispatchMs / 1e3;
          answer.bytes = stats->read.total() + stats->written.total();
          answer.macs = stats->macs;
        }
      }
    } else if (succeeded(ran)) {
      ran = failure();
      first = "the function computes nothing on the engine";
    }
  }
  if (failed(ran))
    setReason(answer, first.empty() ? "it does not compile" : StringRef(first),
              *info);
  return answer;
}

QueryAnswer OpQuery::State::ask(func::FuncOp function) {
  if (std::optional<QueryAnswer> direct = answerDirectly(function)) {
    direct->name = function.getName().str();
    return *std::move(direct);
  }
  QuestionKey key(function);
  auto it = known.find(key);
  if (it == known.end()) {
    std::optional<QueryAnswer> found;
    if (isOfAnotherDialect(function))
      found = answerImported(function);
    if (!found)
      found = compile(*isolateProgram(function), passes);
    it = known.try_emplace(std::move(key), *std::move(found)).first;
  }
  QueryAnswer answer = it->second;
  answer.name = function.getName().str();
  return answer;
}

/// MIL has its own importer, which takes a whole program.
QueryAnswer OpQuery::State::askProgram(mil::FuncOp function, ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pipeline(context);
  QueryAnswer answer;
  if (succeeded(build(pipeline, function.getSymName(), "emit",
                      [&] { return emitError(function.getLoc()); })))
    answer = compile(*copy, pipeline);
  answer.name = function.getSymName().str();
  return answer;
}

OpQuery::OpQuery(MLIRContext *context, QueryOptions options)
    : state(std::make_unique<State>(context, std::move(options))) {
  context->loadDialect<ANEDialect, func::FuncDialect>();
}

OpQuery::~OpQuery() = default;

LogicalResult
OpQuery::initialize(function_ref<InFlightDiagnostic()> emitError) {
  if (failed(state->build(state->passes, "", "emit", emitError)) ||
      failed(state->build(state->imports, "", "import", emitError)))
    return failure();
  // Known, as the pipeline takes it.
  state->info = &hw::info(*hw::parseTarget(state->options.target));
  state->goal = parseAccuracyGoal(state->options.accuracyGoal)
                    .value_or(AccuracyGoal::Balanced);
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(state->context));
  setTarget(*module, *state->info);
  FailureOr<LoweringTarget> lowering =
      getLoweringTarget(*module, state->options.flavour);
  FailureOr<MemoryTarget> memory =
      getMemoryTarget(*module, state->options.flavour);
  if (failed(lowering) || failed(memory))
    return failure();
  state->legalize.emplace(LegalizeOptions{*state->info, *lowering->policy});
  state->memory = *memory;
  return success();
}

QueryAnswer OpQuery::ask(func::FuncOp function) { return state->ask(function); }

QueryAnswer OpQuery::ask(Operation *op) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return ask(function);
  OwningOpRef<func::FuncOp> function = functionOf(op);
  return state->ask(*function);
}

std::vector<QueryAnswer> OpQuery::askAll(ModuleOp module) {
  std::vector<QueryAnswer> answers;
  for (auto program : module.getOps<mil::ProgramOp>())
    for (auto function : program.getBody().getOps<mil::FuncOp>())
      answers.push_back(state->askProgram(function, module));
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      answers.push_back(state->ask(function));
  return answers;
}

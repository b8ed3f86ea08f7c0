//===- ImportControl.cpp - Branches, loops and the order of nodes ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has no control flow. Loops become the nodes of their trips, whose
// number has to be known. A branch is chosen where its condition is known, else
// both are computed, and the condition selects.
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include "llvm/Support/MathExtras.h"

#include <queue>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static void visitInputs(const NodeMessage &node,
                        llvm::function_ref<void(StringRef)> visit) {
  for (StringRef input : node.inputs)
    visit(input);
  for (const AttributeMessage &attribute : node.attributes)
    if (attribute.graph) {
      for (const NodeMessage &inner : attribute.graph->nodes)
        visitInputs(inner, visit);
      for (const ValueMessage &output : attribute.graph->outputs)
        visit(output.name);
    }
}

SmallVector<unsigned> onnx::orderOf(ArrayRef<NodeMessage> nodes) {
  llvm::StringMap<unsigned> definitions;
  for (auto [index, node] : llvm::enumerate(nodes))
    for (StringRef output : node.outputs)
      if (!output.empty())
        definitions.try_emplace(output, index);
  SmallVector<SmallVector<unsigned, 2>> users(nodes.size());
  SmallVector<unsigned> missing(nodes.size(), 0);
  for (auto [index, node] : llvm::enumerate(nodes))
    visitInputs(node, [&, user = index](StringRef input) {
      auto found = definitions.find(input);
      if (found == definitions.end() || found->second == user)
        return;
      users[found->second].push_back(user);
      ++missing[user];
    });
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned index = 0; index < nodes.size(); ++index)
    if (!missing[index])
      ready.push(index);
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned index = ready.top();
    ready.pop();
    order.push_back(index);
    for (unsigned user : users[index])
      if (!--missing[user])
        ready.push(user);
  }
  // Nodes of a cycle: that what they need is not there is told of them.
  for (unsigned index = 0; index < nodes.size(); ++index)
    if (missing[index])
      order.push_back(index);
  return order;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Tensor>>
GraphImporter::importBody(const GraphMessage &graph) {
  if (failed(importGraph(graph)))
    return failure();
  SmallVector<Tensor> results;
  for (const ValueMessage &output : graph.outputs) {
    const Tensor *result = lookup(output.name);
    if (!result)
      return error() << "has a graph whose '" << output.name
                     << "' is not defined";
    results.push_back(*result);
  }
  return results;
}

static FailureOr<const GraphMessage *> graphOf(NodeImporter &node,
                                               StringRef name) {
  const AttributeMessage *attribute = node.find(name, AttributeType::Graph);
  if (!attribute || !attribute->graph)
    return node.error() << "has no " << name;
  return attribute->graph.get();
}

// What the condition chooses of two values.
static FailureOr<Value> select(NodeImporter &node, Value yes, Value no) {
  if (yes.getType() != no.getType())
    return node.error() << "has a condition that is data, and branches whose "
                           "results are of other shapes or types: "
                        << yes.getType() << " and " << no.getType();
  SmallVector<int64_t> shape = node.shapeOf(yes);
  Value condition = node.reshape(node.cast(node.input(0), DataType::Bool),
                                 SmallVector<int64_t>(shape.size(), 1));
  return node.emit("select", {{"cond", condition}, {"a", yes}, {"b", no}},
                   node.dataTypeOf(yes), shape);
}

LogicalResult GraphImporter::importIf(NodeImporter &node) {
  if (!node.has(0) || node.tensor(0).count() != 1)
    return error() << "has no condition of one element";
  const std::shared_ptr<const std::vector<double>> condition =
      node.tensor(0).known;
  SmallVector<SmallVector<Tensor>, 2> results;
  for (bool isThen : {true, false}) {
    StringRef name = isThen ? "then_branch" : "else_branch";
    bool isChosen = !condition || bool(condition->front()) == isThen;
    if (node.hasAttribute(name) && !isChosen)
      continue;
    auto graph = graphOf(node, name);
    if (failed(graph))
      return failure();
    if ((*graph)->outputs.size() != node.node.outputs.size())
      return error() << "has a branch of " << (*graph)->outputs.size()
                     << " values for " << node.node.outputs.size()
                     << " outputs";
    auto body = importBody(**graph);
    if (failed(body))
      return failure();
    results.push_back(std::move(*body));
  }
  for (unsigned index = 0; index < node.node.outputs.size(); ++index) {
    if (condition) {
      if (failed(node.set(results[0][index], index)))
        return failure();
      continue;
    }
    auto value = select(node, node.valueOf(results[0][index]),
                        node.valueOf(results[1][index]));
    if (failed(value) || node.hasFailed() || failed(node.set(*value, index)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// The trips of a loop, and what each adds to results that grow.
class LoopImporter {
public:
  LoopImporter(NodeImporter &node, const GraphMessage &body)
      : node(node), graph(node.graph), body(body) {}

  LogicalResult importLoop();
  LogicalResult importScan();

private:
  Tensor number(DataType type, double value) const;
  /// A node of its own, which folds what is known.
  FailureOr<Tensor> make(StringRef type, ArrayRef<Tensor> inputs,
                         ArrayRef<std::pair<StringRef, int64_t>> integers);
  FailureOr<SmallVector<Tensor>> runTrip(ArrayRef<Tensor> inputs);
  /// Fails where `trips` more, of as many nodes as the one before, are too many.
  LogicalResult checkNodes(uint64_t trips, uint64_t nodesOfTrip);
  /// Slices side by side along a dimension of their own.
  LogicalResult setStacked(unsigned output, ArrayRef<Tensor> slices,
                           int64_t axis);
  FailureOr<SmallVector<int64_t>> integersFor(StringRef name, size_t count);

  NodeImporter &node;
  GraphImporter &graph;
  const GraphMessage &body;
};

} // namespace

Tensor LoopImporter::number(DataType type, double value) const {
  Tensor result;
  result.type = type;
  result.known = std::make_shared<const std::vector<double>>(1, value);
  return result;
}

FailureOr<Tensor>
LoopImporter::make(StringRef type, ArrayRef<Tensor> inputs,
                   ArrayRef<std::pair<StringRef, int64_t>> integers) {
  NodeMessage message;
  message.name = node.node.name;
  message.type = type;
  // Names that no model has.
  for (auto [index, input] : llvm::enumerate(inputs)) {
    StringRef name = graph.internName("\x01in" + std::to_string(index));
    message.inputs.push_back(name);
    if (failed(graph.define(name, input)))
      return failure();
  }
  StringRef result = graph.internName("\x01out");
  message.outputs.push_back(result);
  ++graph.uses[result];
  for (auto [name, value] : integers) {
    AttributeMessage &attribute = message.attributes.emplace_back();
    attribute.name = name;
    attribute.i = value;
  }
  if (failed(graph.importNode(message, graph.model.opsets)))
    return failure();
  return *graph.lookup(result);
}

LogicalResult LoopImporter::checkNodes(uint64_t trips, uint64_t nodesOfTrip) {
  constexpr uint64_t maxNodes = 1 << 17;
  if (graph.unrolled + trips * nodesOfTrip > maxNodes)
    return node.error() << "is unrolled, and makes more than " << maxNodes
                        << " nodes; let it run less often";
  return success();
}

FailureOr<SmallVector<Tensor>> LoopImporter::runTrip(ArrayRef<Tensor> inputs) {
  if (inputs.size() != body.inputs.size())
    return node.error() << "has a body of " << body.inputs.size()
                        << " inputs for " << inputs.size() << " values";
  graph.unrolled += body.nodes.size() + 1;
  if (failed(checkNodes(0, 0)))
    return failure();
  for (auto [input, tensor] : llvm::zip(body.inputs, inputs))
    if (failed(graph.define(input.name, tensor)))
      return failure();
  return graph.importBody(body);
}

LogicalResult LoopImporter::setStacked(unsigned output, ArrayRef<Tensor> slices,
                                       int64_t axis) {
  if (output >= node.node.outputs.size() || node.node.outputs[output].empty())
    return success();
  if (slices.empty())
    return node.error() << "makes no trip, and the shape of output " << output
                        << " is not known then";
  int64_t rank = slices.front().rank() + 1;
  auto positive = node.axis(axis, rank);
  if (failed(positive))
    return failure();
  SmallVector<Tensor> parts;
  for (const Tensor &slice : slices) {
    SmallVector<int64_t> shape(slice.shape);
    if (shape != slices.front().shape)
      return node.error() << "has slices of different shapes";
    shape.insert(shape.begin() + *positive, 1);
    Tensor wanted = number(DataType::Int64, 0);
    wanted.shape = {rank};
    wanted.known =
        std::make_shared<const std::vector<double>>(shape.begin(), shape.end());
    auto part = make("Reshape", {slice, wanted}, {});
    if (failed(part))
      return failure();
    parts.push_back(std::move(*part));
  }
  auto all = make("Concat", parts, {{"axis", *positive}});
  return failed(all) ? failure() : node.set(std::move(*all), output);
}

/// Whether these are as much known, and the same numbers.
static bool isKnownAlike(ArrayRef<Tensor> some, ArrayRef<Tensor> others) {
  return llvm::all_of(llvm::zip_equal(some, others), [](auto pair) {
    auto &[a, b] = pair;
    bool isSame =
        a.known == b.known || (a.known && b.known && *a.known == *b.known);
    return isSame && a.type == b.type && a.shape == b.shape;
  });
}

static bool isUsed(StringRef name, const GraphMessage &body) {
  bool result = false;
  for (const NodeMessage &each : body.nodes)
    visitInputs(each, [&](StringRef input) { result |= input == name; });
  return result;
}

LogicalResult LoopImporter::importLoop() {
  constexpr int64_t maxTrips = 1 << 16;
  int64_t trips = maxTrips;
  bool isCounted = node.has(0);
  if (isCounted) {
    auto count = node.knownIntegers(0, "number of trips");
    if (failed(count))
      return failure();
    if (count->size() != 1)
      return node.error() << "has " << count->size() << " numbers of trips";
    isCounted = count->front() < maxTrips;
    trips = std::min(count->front(), maxTrips);
  }
  Tensor condition = node.has(1) ? node.tensor(1) : number(DataType::Bool, 1);
  SmallVector<Tensor> carried;
  for (unsigned i = 2; i < node.inputCount(); ++i) {
    if (!node.has(i))
      return node.error() << "has no input " << i;
    carried.push_back(node.tensor(i));
  }
  size_t states = carried.size();
  if (body.outputs.size() < states + 1)
    return node.error() << "has a body of " << body.outputs.size()
                        << " outputs for " << states << " values";
  SmallVector<SmallVector<Tensor>> grown(body.outputs.size() - states - 1);
  auto tooManyTrips = [&] {
    return node.error() << "makes more than " << maxTrips << " trips";
  };
  bool countsTrips =
      !body.inputs.empty() && isUsed(body.inputs.front().name, body);
  for (int64_t trip = 0;; ++trip) {
    if (!condition.known || condition.known->size() != 1)
      return node.error() << "goes on by data after " << trip
                          << " trips, but its condition has to be known";
    if (!condition.known->front() || (isCounted && trip >= trips))
      break;
    if (trip == maxTrips)
      return tooManyTrips();
    SmallVector<Tensor> inputs = {number(DataType::Int64, trip), condition};
    inputs.append(carried);
    uint64_t nodesBefore = graph.unrolled;
    auto results = runTrip(inputs);
    if (failed(results))
      return failure();
    // The condition follows from what is known: where a trip changes nothing of
    // that, all others are as it is.
    if (!countsTrips &&
        isKnownAlike(ArrayRef(inputs).drop_front(),
                     ArrayRef(*results).take_front(states + 1))) {
      if (!node.has(0))
        return node.error() << "does not end: trip " << trip
                            << " leaves its condition true, and all else "
                               "that is known as it was";
      if (failed(checkNodes(trips - trip - 1, graph.unrolled - nodesBefore)))
        return failure();
      if (!isCounted)
        return tooManyTrips();
    }
    condition = (*results)[0];
    carried.assign(results->begin() + 1, results->begin() + 1 + states);
    for (auto [index, slices] : llvm::enumerate(grown))
      slices.push_back((*results)[1 + states + index]);
  }
  for (auto [index, value] : llvm::enumerate(carried))
    if (failed(node.set(value, index)))
      return failure();
  for (auto [index, slices] : llvm::enumerate(grown))
    if (failed(setStacked(states + index, slices, 0)))
      return failure();
  return success();
}

FailureOr<SmallVector<int64_t>> LoopImporter::integersFor(StringRef name,
                                                          size_t count) {
  SmallVector<int64_t> result = node.integers(name);
  if (result.empty())
    result.assign(count, 0);
  if (result.size() != count)
    return node.error() << "has " << result.size() << " " << name << " for "
                        << count << " values";
  return result;
}

LogicalResult LoopImporter::importScan() {
  if (node.opset < 9)
    return node.error() << "has batches, as before set 9 of operators; convert "
                           "the model to a newer set";
  int64_t scanned = node.integer("num_scan_inputs", 0);
  int64_t states = int64_t(node.inputCount()) - scanned;
  int64_t grows = int64_t(body.outputs.size()) - states;
  if (scanned < 1 || states < 0 || grows < 0)
    return node.error() << "scans " << scanned << " of " << node.inputCount()
                        << " inputs, with a body of " << body.outputs.size()
                        << " outputs";
  auto inAxes = integersFor("scan_input_axes", scanned),
       inTurned = integersFor("scan_input_directions", scanned),
       outAxes = integersFor("scan_output_axes", grows),
       outTurned = integersFor("scan_output_directions", grows);
  if (failed(inAxes) || failed(inTurned) || failed(outAxes) ||
      failed(outTurned))
    return failure();
  int64_t trips = 0;
  SmallVector<Tensor> carried, sources;
  for (unsigned i = 0; i < node.inputCount(); ++i) {
    if (!node.has(i))
      return node.error() << "has no input " << i;
    if (i < states) {
      carried.push_back(node.tensor(i));
      continue;
    }
    const Tensor &source = sources.emplace_back(node.tensor(i));
    auto axis = node.axis((*inAxes)[i - states], source.rank());
    if (failed(axis))
      return failure();
    (*inAxes)[i - states] = *axis;
    if (i > states && source.shape[*axis] != trips)
      return node.error() << "scans " << trips << " and " << source.shape[*axis]
                          << " elements";
    trips = source.shape[*axis];
  }
  SmallVector<SmallVector<Tensor>> grown(grows);
  for (int64_t trip = 0; trip < trips; ++trip) {
    SmallVector<Tensor> inputs(carried);
    for (auto [source, axis, turned] : llvm::zip(sources, *inAxes, *inTurned)) {
      Tensor index =
          number(DataType::Int64, double(turned ? trips - 1 - trip : trip));
      auto slice = make("Gather", {source, index}, {{"axis", axis}});
      if (failed(slice))
        return failure();
      inputs.push_back(std::move(*slice));
    }
    auto results = runTrip(inputs);
    if (failed(results))
      return failure();
    carried.assign(results->begin(), results->begin() + states);
    for (auto [index, slices] : llvm::enumerate(grown))
      slices.push_back((*results)[states + index]);
  }
  for (auto [index, value] : llvm::enumerate(carried))
    if (failed(node.set(value, index)))
      return failure();
  for (auto [index, slices] : llvm::enumerate(grown)) {
    if ((*outTurned)[index])
      std::reverse(slices.begin(), slices.end());
    if (failed(setStacked(states + index, slices, (*outAxes)[index])))
      return failure();
  }
  return success();
}

LogicalResult GraphImporter::importLoop(NodeImporter &node) {
  auto body = graphOf(node, "body");
  if (failed(body))
    return failure();
  LoopImporter loop(node, **body);
  return node.node.type == "Scan" ? loop.importScan() : loop.importLoop();
}

//===- GenFunctions.cpp - The table of functions of one element -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --gen-ane-functions: the rows behind `infoOf`, in the order of the enum, with
// the definition of each function as steps of a stack machine, and
// ANE_TABLE_FUNCTION for each function that has a table.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

namespace {

/// Turns the definition of one function into steps.
class DefinitionWriter {
public:
  DefinitionWriter(const Record *function, raw_ostream &os)
      : function(function), os(os) {}

  void write(const DagInit *dag) {
    const Record *op = cast<DefInit>(dag->getOperator())->getDef();
    StringRef symbol = op->getValueAsString("symbol");
    if (!op->isSubClassOf("ANE_Function")) {
      if (dag->getNumArgs() != 2)
        fatal("'" + symbol + "' takes two operands");
      writeOperand(dag, 0);
      writeOperand(dag, 1);
      os << formatv("    {{FunctionStep::Pair, int32_t(ElementwiseKind::{0}), "
                    "0, 0},\n",
                    symbol);
      return;
    }
    unsigned count = dag->getNumArgs();
    if (count == 0 || int64_t(count) - 1 > op->getValueAsInt("parameters"))
      fatal("'" + symbol + "' takes an argument and at most " +
            Twine(op->getValueAsInt("parameters")) + " parameters");
    writeOperand(dag, 0);
    os << formatv("    {{FunctionStep::Function, int32_t(ActivationKind::{0}), "
                  "{1}, {2}},\n",
                  symbol, parameter(dag, 1), parameter(dag, 2));
  }

private:
  [[noreturn]] void fatal(const Twine &message) const {
    PrintFatalError(function, "definition: " + message);
  }

  StringRef number(const Init *init) const {
    double value;
    const auto *text = dyn_cast<StringInit>(init);
    if (!text || text->getValue().getAsDouble(value))
      fatal("'" + init->getAsString() + "' is no number in quotes");
    return text->getValue();
  }

  StringRef parameter(const DagInit *dag, unsigned index) const {
    return index < dag->getNumArgs() ? number(dag->getArg(index)) : "0";
  }

  void writeOperand(const DagInit *dag, unsigned index) {
    const Init *operand = dag->getArg(index);
    if (const auto *inner = dyn_cast<DagInit>(operand))
      return write(inner);
    if (!isa<UnsetInit>(operand)) {
      os << formatv("    {{FunctionStep::Number, 0, {0}, 0},\n",
                    number(operand));
      return;
    }
    StringRef name = dag->getArgNameStr(index);
    StringRef step = StringSwitch<StringRef>(name)
                         .Case("x", "Argument")
                         .Case("alpha", "Alpha")
                         .Case("beta", "Beta")
                         .Default("");
    if (step.empty())
      fatal("'$" + name + "' is none of $x, $alpha, $beta");
    os << formatv("    {{FunctionStep::{0}, 0, 0, 0},\n", step);
  }

  const Record *function;
  raw_ostream &os;
};

} // namespace

static const DagInit *definitionOf(const Record *function) {
  return dyn_cast<DagInit>(function->getValueInit("definition"));
}

static std::string bound(const Record *function, StringRef name,
                         StringRef infinity) {
  StringRef text = function->getValueAsString(name);
  double value;
  if (!text.empty() && text.getAsDouble(value))
    PrintFatalError(function, name + " '" + text + "' is no number");
  return (text.empty() ? infinity : text).str();
}

static StringRef boolean(const Record *function, StringRef name) {
  return function->getValueAsBit(name) ? "true" : "false";
}

static void emitFunctions(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Functions of one element", os, records);
  std::vector<const Record *> functions =
      records.getAllDerivedDefinitions("ANE_Function");
  llvm::sort(functions, [](const Record *a, const Record *b) {
    return a->getValueAsInt("value") < b->getValueAsInt("value");
  });
  os << "#ifdef GET_ANE_FUNCTIONS\n";
  for (const Record *function : functions) {
    if (!definitionOf(function))
      continue;
    os << formatv("static constexpr FunctionStep k{0}[] = {{\n",
                  function->getName());
    DefinitionWriter(function, os).write(definitionOf(function));
    os << "};\n";
  }
  os << "static constexpr FunctionInfo kFunctions[] = {\n";
  for (auto [index, function] : llvm::enumerate(functions)) {
    if (function->getValueAsInt("value") != int64_t(index))
      PrintFatalError(function, "the values of functions are not 0, 1, 2, ...");
    bool isOnePass = function->getValueAsBit("isOnePass") ||
                     !function->getValueAsString("table").empty();
    os << formatv(
        "    {{ActivationKind::{0}, {1}, {2}, {3}, {4}, {5}, {6}, "
        "\"{7}\", ",
        function->getValueAsString("symbol"),
        function->getValueAsInt("parameters"), boolean(function, "canStretch"),
        isOnePass ? "true" : "false", boolean(function, "isFused"),
        bound(function, "low", "-HUGE_VAL"),
        bound(function, "high", "HUGE_VAL"), function->getValueAsString("mil"));
    if (definitionOf(function))
      os << "k" << function->getName();
    else
      os << "{}";
    os << "},\n";
  }
  os << "};\n#endif // GET_ANE_FUNCTIONS\n\n"
     << "#ifdef ANE_TABLE_FUNCTION // (ActivationKind, "
        "ane::hw::TableFunction)\n";
  for (const Record *function : functions)
    if (StringRef table = function->getValueAsString("table"); !table.empty())
      os << formatv("ANE_TABLE_FUNCTION({0}, {1})\n",
                    function->getValueAsString("symbol"), table);
  os << "#undef ANE_TABLE_FUNCTION\n#endif // ANE_TABLE_FUNCTION\n";
}

static TableGen::Emitter::Opt registration("gen-ane-functions", emitFunctions,
                                           "Generate the table of functions");

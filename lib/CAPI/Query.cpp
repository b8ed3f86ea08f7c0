//===- Query.cpp - Ask what the engine can run, from C --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Query.h"

#include "ReadNetwork.h"

#include "ane/InitAll.h"
#include "ane/Pipelines/Query.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ane;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

struct AneQuery {
  explicit AneQuery(QueryOptions options)
      : context(makeRegistry(), MLIRContext::Threading::DISABLED),
        query(&context, std::move(options)) {
    context.printOpOnDiagnostic(false); // it may hold a whole network
  }

  MLIRContext context;
  OpQuery query;
  std::vector<QueryAnswer> answers;
};

static std::string text(const char *chars, const char *otherwise = "") {
  return chars ? chars : otherwise;
}

AneQuery *aneQueryCreate(const AneCompileOptions *given, char **diagnostics) {
  QueryOptions options;
  if (given) {
    options.target = text(given->target, options.target.c_str());
    options.flavour = text(given->flavour, options.flavour.c_str());
    options.milRoot = text(given->milRoot, ".");
    options.allowUnproven = given->allowUnproven != 0;
    options.accuracyGoal = text(given->accuracyGoal);
  }
  auto query = std::make_unique<AneQuery>(std::move(options));
  std::string messages;
  bool isReady;
  {
    ScopedDiagnosticHandler handler(&query->context, [&](Diagnostic &message) {
      messages += "error: " + message.str() + "\n";
    });
    isReady = succeeded(query->query.initialize(
        [&] { return emitError(UnknownLoc::get(&query->context)); }));
  }
  if (diagnostics)
    *diagnostics = messages.empty() ? nullptr : capi::copyOf(messages);
  return isReady ? query.release() : nullptr;
}

void aneQueryDestroy(AneQuery *query) { delete query; }

int64_t aneQueryAsk(AneQuery *query, const void *network, size_t networkSize,
                    const char *name, char **diagnostics) {
  query->answers.clear();
  std::string messages;
  bool isRead = false;
  capi::runOnThread([&] {
    llvm::raw_string_ostream os(messages);
    llvm::SourceMgr sources;
    // The parser of MLIR wants a zero after the text.
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(
            StringRef(static_cast<const char *>(network), networkSize),
            name ? name : "network"),
        llvm::SMLoc());
    OwningOpRef<ModuleOp> module;
    {
      SourceMgrDiagnosticHandler handler(sources, &query->context, os);
      module = capi::readNetwork(sources, &query->context);
    }
    isRead = static_cast<bool>(module);
    if (!isRead)
      return;
    // Whatever else is said, such as warnings, is no part of the answers.
    ScopedDiagnosticHandler silent(&query->context, [](Diagnostic &) {});
    query->answers = query->query.askAll(*module);
  });
  if (diagnostics)
    *diagnostics = messages.empty() ? nullptr : capi::copyOf(messages);
  return isRead ? static_cast<int64_t>(query->answers.size()) : -1;
}

AneAnswer aneQueryAnswer(const AneQuery *query, size_t index) {
  AneAnswer result = {};
  if (index >= query->answers.size())
    return result;
  const QueryAnswer &answer = query->answers[index];
  result.name = answer.name.c_str();
  result.runs = answer.runs;
  result.seconds = answer.seconds;
  result.dispatchSeconds = answer.dispatchSeconds;
  result.tasks = answer.tasks;
  result.bytes = answer.bytes;
  result.macs = answer.macs;
  result.isDirect = answer.isDirect;
  result.reason = answer.reason.c_str();
  // Texts of the table end with a zero: they are literals.
  result.constraint = answer.constraint ? answer.constraint->name.data() : "";
  result.hint = answer.constraint ? answer.constraint->wayOut.data() : "";
  result.hasLimit = answer.limit && answer.value;
  if (result.hasLimit) {
    result.limit = *answer.limit;
    result.value = *answer.value;
  }
  return result;
}

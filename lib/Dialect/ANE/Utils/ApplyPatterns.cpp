//===- ApplyPatterns.cpp - Patterns that say why they refuse --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Turns what the driver tells into remarks.
class RemarkListener : public RewriterBase::ForwardingListener {
public:
  RemarkListener(OpBuilder::Listener *next, StringRef category)
      : ForwardingListener(next), category(category) {}

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    ForwardingListener::notifyPatternBegin(pattern, op);
    // Both may be gone at the end.
    location = op->getLoc();
    name = op->getName().getStringRef();
    reason.clear();
  }

  void
  notifyMatchFailure(Location loc,
                     function_ref<void(Diagnostic &)> reasonCallback) override {
    ForwardingListener::notifyMatchFailure(loc, reasonCallback);
    Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
    reasonCallback(diagnostic);
    reason = diagnostic.str();
  }

  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    ForwardingListener::notifyPatternEnd(pattern, status);
    auto options = remark::RemarkOpts::name(nameOf(pattern)).category(category);
    if (succeeded(status))
      remark::passed(*location, options) << remark::metric("Op", name);
    else if (!reason.empty())
      remark::missed(*location, options)
          << remark::metric("Op", name) << remark::reason("{0}", reason);
  }

private:
  // A pattern is named after its type, with the namespaces.
  static StringRef nameOf(const Pattern &pattern) {
    StringRef type = pattern.getDebugName();
    StringRef plain = type.take_until([](char c) { return c == '<'; });
    return type.drop_front(
        plain.rfind("::") == StringRef::npos ? 0 : plain.rfind("::") + 2);
  }

  StringRef category;
  std::optional<Location> location;
  StringRef name;
  std::string reason;
};

} // namespace

LogicalResult mlir::ane::applyPatterns(Operation *scope,
                                       RewritePatternSet &&patterns,
                                       StringRef pass,
                                       GreedyRewriteConfig config) {
  // Reasons cost time, so nobody is asked for them unless somebody reads them.
  std::optional<RemarkListener> remarks;
  if (scope->getContext()->getRemarkEngine()) {
    remarks.emplace(config.getListener(), pass);
    config.setListener(&*remarks);
  }
  return applyPatternsGreedily(scope, std::move(patterns), config);
}

//===- main.cpp - A compiler that has this one as its backend -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a network of `ane` ops in memory, compiles it, runs the register
// program in the simulator, and writes it to the file that is named.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"
#include "ane/InitAll.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Runtime/Device.h"
#include "ane/Target/HWX/HWXTranslation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace hw = ::ane::hw;
namespace rt = ::ane::rt;

/// relu(conv(x, w)): each channel summed over 3 x 3 neighbourhoods.
static OwningOpRef<ModuleOp> makeNetwork(MLIRContext &context) {
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto image = RankedTensorType::get({1, 4, 8, 8}, b.getF16Type());
  auto kernel = RankedTensorType::get({4, 1, 3, 3}, b.getF16Type());
  b.setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(b, loc, "main", b.getFunctionType({image}, {image}));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  // One value for all is fine; large weights are DenseResourceElementsAttr,
  // whose bytes nobody copies.
  auto ones = DenseElementsAttr::get(kernel, b.getF16FloatAttr(1).getValue());
  auto weights = mlir::ane::ConstantOp::create(b, loc, kernel, ones);
  auto conv = mlir::ane::ConvOp::create(
      b, loc, image, body->getArgument(0), weights, /*bias=*/Value(),
      /*scale=*/Value(), /*strides=*/{1, 1}, /*pad=*/{1, 1, 1, 1},
      /*dilations=*/{1, 1}, /*groups=*/4,
      mlir::ane::ActivationAttr::get(&context,
                                     mlir::ane::ActivationKind::Relu));
  func::ReturnOp::create(b, loc, conv.getResult());
  return module;
}

/// The network becomes a `hwx.program`.
static LogicalResult compile(ModuleOp module) {
  PassManager passes(module.getContext());
  mlir::ane::PipelineOptions options; // target, flavour, plan of tiles, ...
  if (failed(mlir::ane::buildPipeline(
          passes, options, [&] { return emitError(module.getLoc()); })))
    return failure();
  return passes.run(module);
}

/// Runs the program in the simulator, with ones as input, and prints the first
/// rows of the result.
static absl::Status run(const hw::Program &program) {
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<absl::Span<uint8_t>> buffers;
  for (const hw::Tensor &tensor : program.tensors) {
    surfaces.emplace_back(tensor.bytes);
    std::vector<uint16_t> ones(tensor.elementCount(), hw::toHalfBits(1.0f));
    // Ones are halves, of which no low ones are left.
    if (tensor.kind == hw::TensorKind::Input && !tensor.isLow)
      if (absl::Status status = hw::packSurface(
              tensor,
              absl::MakeConstSpan(reinterpret_cast<uint8_t *>(ones.data()),
                                  2 * ones.size()),
              absl::MakeSpan(surfaces.back()));
          !status.ok())
        return status;
  }
  for (std::vector<uint8_t> &surface : surfaces)
    buffers.push_back(absl::MakeSpan(surface));

  auto device = rt::openDevice("sim");
  if (!device.ok())
    return device.status();
  auto result = (*device)->run(program, buffers, {});
  if (!result.ok())
    return result.status();

  const hw::Tensor &output = program.tensors.back();
  std::vector<uint16_t> dense(output.elementCount());
  if (absl::Status status = hw::unpackSurface(
          output, surfaces.back(),
          absl::MakeSpan(reinterpret_cast<uint8_t *>(dense.data()),
                         2 * dense.size()));
      !status.ok())
    return status;
  for (unsigned y = 0; y < 3; ++y) {
    for (unsigned x = 0; x < 8; ++x)
      llvm::outs() << llvm::format("%g ", hw::fromHalfBits(dense[y * 8 + x]));
    llvm::outs() << '\n';
  }
  llvm::outs() << program.tasks.size() << " task, predicted "
               << llvm::format("%.1f", result->stats->predictedMs * 1e3)
               << " us\n";
  return absl::OkStatus();
}

static LogicalResult write(ModuleOp module, StringRef path) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return emitError(module.getLoc(), "cannot write '")
           << path << "': " << error.message();
  return mlir::ane::hwx::translateToHWX(module, file);
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  mlir::ane::registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<mlir::ane::ANEDialect, func::FuncDialect>();

  OwningOpRef<ModuleOp> module = makeNetwork(context);
  if (failed(verify(*module)) || failed(compile(*module)))
    return 1; // the reason is on standard error
  auto op = *module->getOps<mlir::ane::hwx::ProgramOp>().begin();
  FailureOr<hw::Program> program = mlir::ane::hwx::exportProgram(op);
  if (failed(program))
    return 1;
  if (absl::Status status = run(*program); !status.ok()) {
    llvm::errs() << status.ToString() << '\n';
    return 1;
  }
  return argc > 1 && failed(write(*module, argv[1]));
}

//===- ConstantBlobsTest.cpp - When the bytes of constants go -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class ConstantBlobs : public ::testing::Test {
protected:
  ConstantBlobs() : builder(&context) {
    context.loadDialect<ANEDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  DenseResourceElementsAttr makeResource(StringRef name, int64_t elements) {
    std::vector<float> data(elements, 1.0f);
    return cast<DenseResourceElementsAttr>(DenseResourceElementsAttr::get(
        RankedTensorType::get({elements}, builder.getF32Type()), name,
        HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(data)));
  }
  static size_t bytes(DenseResourceElementsAttr attr) {
    return attr.getRawHandle().getBlob()->getData().size();
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ConstantBlobs, ReleaseUnusedKeepsWhatAnOpUses) {
  auto used = makeResource("used", 4), unused = makeResource("unused", 8);
  ConstantOp::create(builder, builder.getUnknownLoc(), used);
  EXPECT_EQ(releaseUnusedBlobs(*module),
            std::make_pair(int64_t(1), int64_t(32)));
  EXPECT_EQ(bytes(used), 16u);
  EXPECT_EQ(bytes(unused), 0u);
  // A second run finds nothing left.
  EXPECT_EQ(releaseUnusedBlobs(*module),
            std::make_pair(int64_t(0), int64_t(0)));
}

TEST_F(ConstantBlobs, LastUseReleases) {
  auto attr = makeResource("twice", 4);
  ConstantOp::create(builder, builder.getUnknownLoc(), attr);
  ConstantOp::create(builder, builder.getUnknownLoc(), attr);
  BlobUses uses(*module);
  uses.drop(attr);
  EXPECT_EQ(bytes(attr), 16u);
  uses.drop(attr);
  EXPECT_EQ(bytes(attr), 0u);
  EXPECT_EQ(uses.getReleasedBytes(), 16);
}

TEST_F(ConstantBlobs, UsesInAttributesOfOtherOpsCount) {
  auto attr = makeResource("hidden", 4);
  ConstantOp::create(builder, builder.getUnknownLoc(), attr);
  (*module)->setAttr("note", builder.getArrayAttr(attr));
  BlobUses uses(*module);
  uses.drop(attr);
  EXPECT_EQ(bytes(attr), 16u);
}

TEST_F(ConstantBlobs, ForeignResourcesStay) {
  BlobUses uses(*module);
  auto attr = makeResource("foreign", 4);
  uses.drop(attr);
  EXPECT_EQ(bytes(attr), 16u);
}

} // namespace

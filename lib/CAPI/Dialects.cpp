//===- Dialects.cpp - For users of MLIR's C interface ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Dialects.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/InitAll.h"

#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(ANE, ane, mlir::ane::ANEDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(HWX, hwx, mlir::ane::hwx::HWXDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MIL, mil, mlir::ane::mil::MILDialect)

void aneRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::ane::registerAllDialects(*unwrap(registry));
}

void aneRegisterPasses() {
  static bool done = (mlir::ane::registerANEPasses(), true);
  (void)done;
}

/*===- ane-c/Dialects.h - For users of MLIR's C interface ---------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* In libane-compiler. The functions of mlir-c themselves are in archives of  *|
|* MLIR (libMLIRCAPIIR.a), which the program links beside the same shared     *|
|* libMLIR.                                                                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef ANE_C_DIALECTS_H
#define ANE_C_DIALECTS_H

#include "ane-c/Support.h"

#include "mlir-c/IR.h"

ANE_C_BEGIN

ANE_C_EXPORT MlirDialectHandle mlirGetDialectHandle__ane__(void);
ANE_C_EXPORT MlirDialectHandle mlirGetDialectHandle__hwx__(void);
ANE_C_EXPORT MlirDialectHandle mlirGetDialectHandle__mil__(void);

/** These dialects, those of their inputs, and TilingInterface of the ops. */
ANE_C_EXPORT void aneRegisterAllDialects(MlirDialectRegistry registry);

/** Passes and pipelines, for mlirParsePassPipeline: "ane-pipeline", ... Once
 * for a process; later calls do nothing. */
ANE_C_EXPORT void aneRegisterPasses(void);

ANE_C_END

#endif /* ANE_C_DIALECTS_H */

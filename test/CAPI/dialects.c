// Programs that use MLIR's own C interface get dialects and passes from libane-compiler;
// that interface itself is in archives of MLIR.

// UNSUPPORTED: sanitizers
// RUN: %cc %s -o %t -I%ane_src/include -I%llvm_libs/../include -L%ane_build/lib -lane-compiler \
// RUN:   %llvm_libs/libMLIRCAPIIR.a %llvm_libs/libMLIR.so.22.1 %llvm_libs/libLLVM.so.22.1 \
// RUN:   -lstdc++ -lm -Wl,-rpath,%ane_build/lib,-rpath,%llvm_libs
// RUN: %t %S/Inputs/add.mlir | FileCheck %s

// CHECK: ane is loaded
// CHECK: hwx.program @net
// CHECK: hwx.task

#include "ane-c/Dialects.h"

#include "mlir-c/Pass.h"

#include <stdio.h>
#include <stdlib.h>

static void print(MlirStringRef text, void *unused) {
  fwrite(text.data, 1, text.length, stdout);
}

static int compile(MlirContext context, const char *network) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreateFromCString(network));
  if (mlirModuleIsNull(module))
    return 1;
  MlirPassManager passes = mlirPassManagerCreate(context);
  int failed = mlirLogicalResultIsFailure(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString("builtin.module(ane-pipeline)"), print,
      NULL));
  if (!failed)
    failed = mlirLogicalResultIsFailure(
        mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module)));
  if (!failed)
    mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  return failed;
}

int main(int argc, char **argv) {
  static char network[1 << 16];
  FILE *file = fopen(argv[1], "rb");
  if (!file || !fread(network, 1, sizeof(network) - 1, file))
    return 2;
  fclose(file);

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ane__(), registry);
  aneRegisterAllDialects(registry);
  aneRegisterPasses();
  aneRegisterPasses(); // once is enough
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirDialect dialect =
      mlirDialectHandleLoadDialect(mlirGetDialectHandle__ane__(), context);
  print(mlirDialectGetNamespace(dialect), NULL);
  printf(" is loaded\n");
  int failed = compile(context, network);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return failed;
}

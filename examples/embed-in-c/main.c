/*===- main.c - Compile and run a network from C ------------------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|*   embed-in-c net.mlir                                                      *|
|*                                                                            *|
|* Inputs are ones; the first values of each output are printed.              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "ane-c/Compiler.h"
#include "ane-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>

/* The file as bytes; NULL when it cannot be read. */
static char *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (!file)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    long length = ftell(file);
    rewind(file);
    bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    if (bytes)
      *size = fread(bytes, 1, (size_t)length, file);
  }
  fclose(file);
  return bytes;
}

static AneProgram *compile(const char *path) {
  size_t networkSize = 0, size = 0;
  char *said = NULL, *error = NULL;
  char *network = readFile(path, &networkSize);
  if (!network) {
    perror(path);
    return NULL;
  }
  AneCompileOptions options = {0}; /* h13, the planner's own strips, ... */
  void *bytes = aneCompile(network, networkSize, path, &options, &size, &said);
  free(network);
  if (said)
    fputs(said, stderr);
  aneCompilerFree(said);
  if (!bytes)
    return NULL;
  AneProgram *program = aneProgramRead(bytes, size, &error);
  if (!program)
    fprintf(stderr, "%s\n", error);
  aneRuntimeFree(error);
  aneCompilerFree(bytes);
  return program;
}

/* Ones of the tensor's type. */
static void fill(const AneTensor *tensor, void *array) {
  if (tensor->type == ANE_FLOAT16)
    for (uint64_t i = 0; i < tensor->denseBytes / 2; ++i)
      ((uint16_t *)array)[i] = 0x3c00;
  else
    for (uint64_t i = 0; i < tensor->denseBytes; ++i)
      ((uint8_t *)array)[i] = 1;
}

static int run(const AneProgram *program) {
  size_t count = aneProgramTensorCount(program);
  void **arrays = calloc(count, sizeof(void *));
  char *error = NULL;
  AneStats stats;
  for (size_t i = 0; i < count; ++i) {
    AneTensor tensor = aneProgramTensor(program, i);
    arrays[i] = calloc(1, tensor.denseBytes);
    /* Ones are halves, of which no low ones are left. */
    if (!tensor.isOutput && !tensor.isLow)
      fill(&tensor, arrays[i]);
  }
  AneExecutable *executable = aneProgramLoad(program, "sim", &error);
  int failed =
      !executable || aneExecutableRun(executable, arrays, NULL, &stats, &error);
  if (failed)
    fprintf(stderr, "%s\n", error);
  aneExecutableDestroy(executable);
  aneRuntimeFree(error);
  for (size_t i = 0; i < count && !failed; ++i) {
    AneTensor tensor = aneProgramTensor(program, i);
    printf("%s %s %ux%ux%ux%u", tensor.isOutput ? "output" : "input",
           tensor.name, tensor.shape[0], tensor.shape[1], tensor.shape[2],
           tensor.shape[3]);
    for (uint64_t k = 0; tensor.isOutput && k < 4 && 2 * k < tensor.denseBytes;
         ++k)
      printf(" %04x", ((uint16_t *)arrays[i])[k]);
    printf("\n");
  }
  if (!failed)
    printf("%llu tasks, %llu bytes of DRAM, predicted %.3f ms\n",
           (unsigned long long)stats.tasks, (unsigned long long)stats.dramBytes,
           stats.predictedMs);
  for (size_t i = 0; i < count; ++i)
    free(arrays[i]);
  free(arrays);
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s net.mlir\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < aneDeviceCount(); ++i) {
    AneDevice device = aneDeviceGet(i);
    printf("device %s: %s\n", device.kind, device.state);
  }
  AneProgram *program = compile(argv[1]);
  if (!program)
    return 1;
  int failed = run(program);
  aneProgramDestroy(program);
  return failed;
}

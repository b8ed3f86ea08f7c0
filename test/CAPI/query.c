// Asks what runs, without compiling a network: the answer, its cost, or the limit
// that is in the way.

// UNSUPPORTED: sanitizers
// RUN: %cc %s -o %t -I%ane_src/include -L%ane_build/lib -lane-compiler -Wl,-rpath,%ane_build/lib,-rpath,%llvm_libs
// RUN: %t %S/Inputs/questions.mlir | FileCheck %s

// CHECK: conv: runs in 1 tasks, {{[1-9][0-9]*}} ns after the dispatch, 16672 bytes, 147456 macs
// CHECK-NEXT: add: runs in 1 tasks, {{[1-9][0-9]*}} ns after the dispatch, 24576 bytes, 0 macs
// CHECK-NEXT: softmax: runs in {{[2-9]}} tasks, {{[1-9][0-9]*}} ns after the dispatch, {{[1-9][0-9]*}} bytes
// CHECK-NEXT: wide: does not run: {{.*}}tensor height 17000 exceeds the limit of {{[0-9]+}} of h13 (tensor_l2); split the tensor along the height
// CHECK-NEXT: tensor_l2: 17000 of {{[0-9]+}}; split the tensor along the height
// CHECK-NEXT: custom: does not run: {{.*}}'tosa.custom'
// CHECK-NEXT: 5 answers
// CHECK-NEXT: text that is no network: questions:1:1: error
// CHECK: a target that does not exist: {{.*}}h99

#include "ane-c/Query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(AneAnswer answer) {
  if (answer.runs)
    printf("%s: runs in %llu tasks, %.0f ns after the dispatch, %llu bytes, "
           "%llu macs\n",
           answer.name, (unsigned long long)answer.tasks,
           (answer.seconds - answer.dispatchSeconds) * 1e9,
           (unsigned long long)answer.bytes, (unsigned long long)answer.macs);
  else
    printf("%s: does not run: %s\n", answer.name, answer.reason);
  if (answer.hasLimit)
    printf("%s: %llu of %llu; %s\n", answer.constraint,
           (unsigned long long)answer.value, (unsigned long long)answer.limit,
           answer.hint);
}

int main(int argc, char **argv) {
  static char network[1 << 16];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 1;
  size_t size = fread(network, 1, sizeof(network), file);
  fclose(file);

  char *said = NULL;
  AneQuery *query = aneQueryCreate(NULL, &said);
  if (!query)
    return 1;
  int64_t count = aneQueryAsk(query, network, size, "questions", &said);
  for (int64_t i = 0; i < count; ++i)
    print(aneQueryAnswer(query, i));
  printf("%d answers\n", (int)count);
  if (aneQueryAnswer(query, count).name)
    return 1;

  if (aneQueryAsk(query, "what?", 5, "questions", &said) != -1)
    return 1;
  printf("text that is no network: %s\n", said);
  aneCompilerFree(said);
  aneQueryDestroy(query);

  AneCompileOptions options = {0};
  options.target = "h99";
  if (aneQueryCreate(&options, &said))
    return 1;
  printf("a target that does not exist: %s\n", said);
  aneCompilerFree(said);
  return 0;
}

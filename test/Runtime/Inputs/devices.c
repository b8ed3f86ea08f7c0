/* Runs a program on a device, step by step with a state that stays there, each
 * step submitted before the one before has ended: devices PROGRAM DEVICE STEPS */

#include "ane-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(char *error) {
  fprintf(stderr, "%s\n", error);
  aneRuntimeFree(error);
  return 1;
}

static void *readArray(const char *path, size_t size) {
  void *array = malloc(size);
  FILE *file = fopen(path, "rb");
  if (!file || fread(array, 1, size, file) != size)
    exit(2);
  fclose(file);
  return array;
}

static void writeArray(const char *path, const void *array, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(array, 1, size, file) != size || fclose(file))
    exit(2);
}

static void count(void *context) { ++*(int *)context; }

int main(int argc, char **argv) {
  enum { most = 16 };
  char *error = NULL;
  if (argc != 4 || atoi(argv[3]) > most)
    return 2;
  const int steps = atoi(argv[3]);
  AneProgram *program = aneProgramReadFile(argv[1], NULL, &error);
  AneExecutable *executable =
      program ? aneProgramLoad(program, argv[2], &error) : NULL;
  AneEvent *event = aneEventCreate(NULL, &error);
  if (!executable || !event)
    return fail(error);

  /* Files without names have the order of the network. */
  size_t state = 0, image = 1, next = 2, square = 3;
  for (size_t i = 0; i < aneProgramTensorCount(program); ++i) {
    const char *name = aneProgramTensor(program, i).name;
    if (!strcmp(name, "state"))
      state = i;
    if (!strcmp(name, "image"))
      image = i;
    if (!strcmp(name, "next"))
      next = i;
    if (!strcmp(name, "square"))
      square = i;
  }
  const size_t size = aneProgramTensor(program, state).denseBytes;
  void *first = readArray("state.raw", size);
  if (aneExecutableKeep(executable, aneProgramTensor(program, state).name,
                        aneProgramTensor(program, next).name, ANE_KEEP_EXCHANGE,
                        &error) ||
      aneExecutableWriteState(executable, aneProgramTensor(program, state).name,
                              first, &error))
    return fail(error);

  void *arrays[4] = {NULL};
  arrays[image] = readArray("image.raw", size);
  AneRequest *requests[most];
  int ended = 0;
  for (int i = 0; i < steps; ++i) {
    AneRunOptions options;
    memset(&options, 0, sizeof(options));
    if (i == 0)
      options.waitEvent = event, options.waitValue = 7;
    options.timeoutSeconds = 30;
    requests[i] = aneExecutableSubmit(executable, arrays, &options, &error);
    if (!requests[i])
      return fail(error);
    aneRequestOnCompletion(requests[i], count, &ended);
  }
  if (aneRequestWait(requests[steps - 1], 0.01))
    return 3; /* nobody has raised the event */
  aneEventSignal(event, 7);
  arrays[square] = malloc(size);
  for (int i = 0; i < steps; ++i)
    if (aneRequestFinish(requests[i], arrays, NULL, &error))
      return fail(error);
  if (aneRequestCancel(requests[0]))
    return 4;
  if (aneExecutableReadState(executable, aneProgramTensor(program, state).name,
                             first, &error))
    return fail(error);
  writeArray("next.raw", first, size);
  writeArray("square.raw", arrays[square], size);
  for (int i = 0; i < steps; ++i)
    aneRequestDestroy(requests[i]);
  free(arrays[image]);
  free(arrays[square]);
  free(first);
  aneEventDestroy(event);
  aneExecutableDestroy(executable);
  aneProgramDestroy(program);
  return ended == steps ? 0 : 5;
}

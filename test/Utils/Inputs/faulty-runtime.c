/* libane-runtime with a fault: FAULT is the fault of the first run of the program
   that FAULTY_PROGRAM names; REAL_RUNTIME is the library that does all else. */
#include "ane-c/Runtime.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *find(const char *name) {
  static void *library;
  if (!library)
    library = dlopen(getenv("REAL_RUNTIME"), RTLD_NOW | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : NULL;
  if (!found) {
    fprintf(stderr, "%s: %s\n", name, dlerror());
    exit(2);
  }
  return found;
}

static int isFaulty, runs;

#define FORWARD(result, name, parameters, arguments)                           \
  result name parameters {                                                     \
    return ((result(*) parameters)find(#name))arguments;                       \
  }

FORWARD(void, aneRuntimeFree, (void *memory), (memory))
FORWARD(const char *, aneRuntimeVersion, (void), ())
FORWARD(size_t, aneDeviceCount, (void), ())
FORWARD(AneDevice, aneDeviceGet, (size_t index), (index))
FORWARD(void, aneProgramDestroy, (AneProgram * program), (program))
FORWARD(size_t, aneProgramTensorCount, (const AneProgram *program), (program))
FORWARD(AneTensor, aneProgramTensor, (const AneProgram *program, size_t index),
        (program, index))
FORWARD(AneExecutable *, aneProgramLoad,
        (const AneProgram *program, const char *device, char **error),
        (program, device, error))
FORWARD(void, aneExecutableDestroy, (AneExecutable * executable), (executable))
FORWARD(AneAssumption, aneAssumptionGet, (size_t index), (index))
FORWARD(int, aneExecutableAssume,
        (AneExecutable * executable, const char *text, char **error),
        (executable, text, error))

AneProgram *aneProgramReadFile(const char *path, const char *root,
                               char **error) {
  const char *name = getenv("FAULTY_PROGRAM");
  isFaulty = name && strstr(path, name);
  return ((AneProgram * (*)(const char *, const char *, char **))
              find("aneProgramReadFile"))(path, root, error);
}

int aneProgramVerify(const AneProgram *program, char **error) {
  if (isFaulty && !strcmp(getenv("FAULT"), "refused")) {
    *error = strdup("task 0: a field is wrong");
    return 1;
  }
  return ((int (*)(const AneProgram *, char **))find("aneProgramVerify"))(
      program, error);
}

int aneExecutableRun(AneExecutable *executable, void *const *arrays,
                     const AneRunOptions *options, AneStats *stats,
                     char **error) {
  const char *fault = isFaulty ? getenv("FAULT") : "";
  if (!strcmp(fault, "reset"))
    kill(getppid(), 9), _exit(0);
  if (!strcmp(fault, "hang"))
    sleep(600);
  if (!strcmp(fault, "crash"))
    abort();
  if (!strcmp(fault, "error")) {
    char text[4096] = "the engine did not finish; see ", *end = strchr(text, 0);
    snprintf(end, sizeof text - (end - text), "%s/log", getenv("HOME"));
    *error = strdup(text);
    return 1;
  }
  int result = ((int (*)(AneExecutable *, void *const *, const AneRunOptions *,
                         AneStats *, char **))find("aneExecutableRun"))(
      executable, arrays, options, stats, error);
  ++runs;
  /* The output of an addition is its third tensor. */
  if (!strcmp(fault, "wrong") || (!strcmp(fault, "unstable") && runs == 2))
    ((unsigned char *)arrays[2])[1] ^= 1;
  return result;
}

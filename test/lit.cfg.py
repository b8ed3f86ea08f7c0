# -*- Python -*-
# The lit suite. test/ mirrors lib/; see docs/Architecture.md.
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import shell_paths

config.name = "mlir-ane"
config.test_format = shell_paths.PathTest()
config.suffixes = [".mlir", ".test", ".td", ".mil", ".c"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ane_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ane_binary_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
)
config.substitutions += [
    ("%golden", config.golden_dir),
    ("%ane_src", config.ane_source_dir),
    ("%ane_build", config.ane_binary_dir),
    ("%ane_plugin", os.path.join(config.ane_binary_dir, "lib", "ANEPlugin" + config.shlibext)),
    # A library in place of those of macOS.
    ("%apple_stand_in", os.path.join(config.ane_binary_dir, "unittests", "libapple-stand-in" + config.shlibext)),
    ("%ane_bin", os.path.join(config.ane_binary_dir, "bin")),
    ("%unittests", os.path.join(config.ane_binary_dir, "unittests")),
    # A project of its own, with the compilers of this one.
    ("%cc", config.c_compiler),
    ("%configure", f"cmake -G Ninja -DCMAKE_C_COMPILER={config.c_compiler} "
                   f"-DCMAKE_CXX_COMPILER={config.cxx_compiler} -DCMAKE_BUILD_TYPE=Debug"),
    ("%python", "/usr/bin/python3"),
    ("%llvm_libs", config.llvm_lib_dir),
    ("%td_inc", "-I" + os.path.join(config.ane_source_dir, "include")),
]

# `REQUIRES: golden`: real files that users do not have.
if config.golden_dir and os.path.isdir(config.golden_dir):
    config.available_features.add("golden")
# `REQUIRES: reference`: register maps of others, next to the real files.
reference_dir = os.path.join(os.path.dirname(config.golden_dir or ""), "reference")
config.substitutions.append(("%reference", reference_dir))
if os.path.isfile(os.path.join(reference_dir, "h13-regs.json")):
    config.available_features.add("reference")
# `REQUIRES: recorded-rows`: tables of words that another compiler chose.
if os.path.isfile(os.path.join(reference_dir, "apple-conv-choices.csv")):
    config.available_features.add("recorded-rows")
# `REQUIRES: materialize`: a tool that gives published networks their weights.
materialize = os.path.join(os.path.dirname(config.golden_dir or ""), "tools", "materialize.py")
config.substitutions.append(("%materialize", materialize))
if os.path.isfile(materialize):
    config.available_features.add("materialize")
# `REQUIRES: numpy`: tests that compare with functions of whole arrays.
if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode == 0:
    config.available_features.add("numpy")
# `REQUIRES: mkdocs`: what makes the docs a site.
if shutil.which("mkdocs"):
    config.available_features.add("mkdocs")
# `REQUIRES: mounts`: tests that fill a disk of their own.
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
    config.available_features.add("mounts")
# `REQUIRES: clang`: a compiler that knows targets of other systems.
if os.path.exists(os.path.join(config.llvm_tools_dir, "clang++")):
    config.available_features.add("clang")
# `REQUIRES: flip-bits`: the compiler comes with the runtime of its sanitizers.
if config.have_sanitizers:
    config.available_features.add("flip-bits")
if config.sanitizers:
    config.available_features.add("sanitizers")
    # Sanitizers reserve terabytes of addresses: no test may bound the memory of a tool.
    config.environment["ANE_SANITIZERS"] = "1"
    # The libraries are built without them: memory that inlined code of ours marks as unused is not
    # marked as used by theirs, and what they keep to the end is no leak of ours.
    config.environment["ASAN_OPTIONS"] = os.environ.get(
        "ASAN_OPTIONS", "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0")
    # Undefined behaviour fails a test; by itself it is only printed.
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"

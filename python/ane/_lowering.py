# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How stock MLIR computes a network, or a part of one, on the CPU. Python's standard library
is enough."""
import os

LLVM_BIN = os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin")
LLVM_LIB = os.environ.get("LLVM_LIB", os.path.join(os.path.dirname(LLVM_BIN.rstrip("/")), "lib"))

# tosa-to-linalg-pipeline validates against a level that real networks exceed, so its
# passes are named one by one.
_PIPELINE = """builtin.module(
  func.func(tosa-optional-decompositions, canonicalize, tosa-infer-shapes,
            tosa-make-broadcastable, tosa-to-linalg-named),
  canonicalize,
  func.func(tosa-layerwise-constant-fold, tosa-make-broadcastable, tosa-to-linalg),
  func.func(tosa-to-arith{include-apply-rescale=true use-32-bit=true}, tosa-to-tensor),
  canonicalize, cse,
  func.func(linalg-generalize-named-ops, linalg-fuse-elementwise-ops),
  func.func(convert-elementwise-to-linalg), convert-tensor-to-linalg,
  one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries=true
      function-boundary-type-conversion=identity-layout-map
      unknown-type-conversion=identity-layout-map},
  canonicalize, cse, buffer-deallocation-pipeline,
  func.func(convert-linalg-to-loops), convert-bufferization-to-memref,
  fold-memref-alias-ops, expand-strided-metadata, lower-affine, convert-scf-to-cf,
  canonicalize, func.func(arith-expand, math-expand-ops{ops=ceilf}),
  WRAPPERS
  convert-math-to-llvm, convert-math-to-libm, convert-arith-to-llvm, convert-index-to-llvm,
  finalize-memref-to-llvm, convert-cf-to-llvm, convert-func-to-llvm,
  reconcile-unrealized-casts)"""


def pipeline(c_wrappers: bool = False) -> str:
    """Passes of mlir-opt from tosa, linalg, tensor, arith and scf to llvm; functions can be
    called from C, by `_mlir_ciface_NAME`."""
    wrappers = "func.func(llvm-request-c-wrappers)," if c_wrappers else ""
    return " ".join(_PIPELINE.replace("WRAPPERS", wrappers).split())

// Messages, severities and options; the rules themselves are in rules.test.
// RUN: ane-opt %s --ane-check-mil=macos15,m4 --verify-diagnostics

// A clean program is silent, on every path and for every target.
// RUN: ane-opt %S/Inputs/clean.mlir --ane-check-mil=target=m5,macos27 -o %t 2>&1 | count 0
// RUN: ane-opt %S/Inputs/clean.mlir --ane-check-mil="target=macos13,m1 path=e5 compiler=9.509" -o %t 2>&1 | count 0
// RUN: ane-opt %S/Inputs/clean.mlir --pass-pipeline='builtin.module(ane-check-mil{target=macos15,m4 path=im})' -o %t 2>&1 | count 0

// Without a target nothing is certain, so nothing fails.
// RUN: ane-opt %s --ane-check-mil -o %t 2>&1 | FileCheck %s --check-prefix=ANY
// ANY: remark: conv has an argument 'bias', but a bias has to be an add after the convolution (conv_bias, seen:
// ANY-NOT: error: conv

// A weight of another rank is no matrix, and no convolution either.
// RUN: ane-translate --from-mil %S/Inputs/scalar-weight.mil | ane-opt --ane-check-mil -o %t 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: weight of conv is no constant

// What comes from the ane dialect is checked on its way to text, which it still becomes.
// RUN: ane-translate --to-mil %S/Inputs/narrow.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: narrow.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: input 'input0' has 16 bytes, but surfaces under 49152 bytes fail on some machines (border_minimum, claimed by one author: M4 Max with macOS 15; M1 is reported with 2048 bytes, M5 with 128); allocate at least 49152 bytes
// TEXT: -> (output0);

// Nothing is not clean.
// RUN: echo 'module {}' > %t.mlir
// RUN: not ane-opt %t.mlir --ane-check-mil=macos15,m4 2>&1 | FileCheck %s --check-prefix=NONE -DPASS=ane-check-mil
// RUN: not ane-opt %t.mlir --ane-legalize-mil=macos15,m4 2>&1 | FileCheck %s --check-prefix=NONE -DPASS=ane-legalize-mil
// NONE: error: [[PASS]]: there is no mil.program; convert-ane-to-mil makes one of ane ops, ane-translate --from-mil of MIL text

// Unknown options name the known ones.
// RUN: not ane-opt %s --ane-check-mil=macos12,m4 2>&1 | FileCheck %s --check-prefix=SYSTEM
// SYSTEM: error: ane-check-mil: target has no meaning for 'macos12'; the known systems are macos13, macos14, macos15, macos26, macos27, the known chips are m1 (h13), m2 (h14), m3 (h15), m4 (h16), m5 (h17)
// RUN: not ane-opt %s --ane-check-mil=macos15,m9 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: ane-check-mil: target has no meaning for 'm9'; the known systems are macos13
// RUN: not ane-opt %s --ane-check-mil=m1,m2 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: ane-check-mil: target names two chips; name one
// RUN: not ane-opt %s --ane-check-mil=macos15,macos26 2>&1 | FileCheck %s --check-prefix=TWOSYSTEMS
// TWOSYSTEMS: error: ane-check-mil: target names two systems; name one
// RUN: not ane-opt %s --ane-check-mil="macos15,m4 path=disk" 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: error: ane-check-mil: path is 'disk', but must be im (in memory) or e5
// RUN: not ane-opt %s --ane-check-mil="macos15,m4 compiler=10" 2>&1 | FileCheck %s --check-prefix=COMPILER
// COMPILER: error: ane-check-mil: compiler is '10', but the known versions are 4.2.1, 5.4.1, 7.6.4, 9.509

mil.program version "1.3" {buildInfo = {"coremlc-version" = "3520.5.1"}} {
  // expected-warning @+2 {{input 'in0' has a last axis of 48 elements, but a last axis that is no multiple of 32 gives garbage on some machines (border_width, claimed by one author: M3 Max with macOS 26.3; others ask for 16, or for nothing); pad the last axis to a multiple of 32}}
  // expected-warning @+1 {{output 'out0' has a last axis of 48 elements}}
  mil.func @main opset "ios18" (%in0: tensor<1x32x32x48xf16>) names ["in0"] {} {
    %w = mil.const #mil.blobfile<"w", 64> : tensor<32x32x1x16xf16> {} : tensor<32x32x1x16xf16>
    %b = mil.const #mil.blobfile<"w", 32896> : tensor<32xf16> {} : tensor<32xf16>
    %same = mil.const "same" : !mil.string {} : !mil.string
    // expected-error @+2 {{conv has an argument 'bias', but a bias has to be an add after the convolution (conv_bias, seen: M4 Max with macOS 15, and compiler 9.509 for M1 and M2); add it there, the compiler fuses it, as ane-legalize-mil does}}
    // expected-error @+1 {{kernel width is 16 taps, but at most 15 taps are taken (conv_kernel_width, seen: compile probes on M5, where 1 x 16 fails); turn the image, or split the kernel, as ane-legalize-mil does}}
    %0 = mil.op "conv"(bias = %b, pad_type = %same, weight = %w, x = %in0) {} as "out0" : (tensor<32xf16>, !mil.string, tensor<32x32x1x16xf16>, tensor<1x32x32x48xf16>) -> tensor<1x32x32x48xf16>
    mil.return %0 : tensor<1x32x32x48xf16>
  }
}

// Errors say what would help, and leave no file behind.
// RUN: split-file %s %t

// RUN: not ane-translate --to-mil %t/big.mlir -o %t/big.mil 2>&1 | FileCheck %s --check-prefix=BIG
// RUN: not ls %t/big.mil
// BIG: big.mlir:3:{{[0-9]+}}: error: 'mil.const' op has 10 elements, but only less than 10 are written into the text; name a folder for the weight file with --weights-dir

// RUN: touch %t/file && not ane-translate --to-mil --weights-dir=%t/file %t/big.mlir -o %t/big.mil 2>&1 | FileCheck %s --check-prefix=DIR
// RUN: not ls %t/big.mil
// DIR: big.mlir:3:{{[0-9]+}}: error: weights: cannot write '{{.*}}file/weights/weight.bin': {{.+}}

// RUN: mkdir -p %t/taken/weights/weight.bin && not ane-translate --to-mil --weights-dir=%t/taken %t/big.mlir -o %t/big.mil 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not ls %t/big.mil
// RUN: ls %t/taken/weights | count 1
// TAKEN: big.mlir:3:{{[0-9]+}}: error: weights: cannot write '{{.*}}weight.bin': {{.+}}

// An error after a weight was written takes the file and its folder away.
// RUN: not ane-translate --to-mil --weights-dir=%t/late %t/late.mlir -o %t/late.mil 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not ls %t/late.mil
// RUN: not ls %t/late/weights
// LATE: late.mlir:4:{{[0-9]+}}: error: 'mil.const' op type 'index' has no spelling in MIL

// RUN: not ane-translate --to-mil --weights-dir=%t/short %t/short.mlir 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: short.mlir:3:{{[0-9]+}}: error: 'mil.const' op has a resource without the bytes of its type 'tensor<12xf32>'

// RUN: not ane-translate --to-mil --weights-dir=%t/over %t/over.mlir 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: over.mlir:3:{{[0-9]+}}: error: 'mil.const' op cannot write weights: value 65520.00 is outside of fp16, which ends at 65504; scale the weights

// RUN: not ane-translate --to-mil %t/over-text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: over-text.mlir:3:{{[0-9]+}}: error: 'mil.const' op value 6.552000e+04 is outside of fp16, which ends at 65504; scale the weights

// RUN: not ane-translate --to-mil --weights-dir=%t/both %t/both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ls %t/both/weights
// BOTH: both.mlir:3:{{[0-9]+}}: error: 'mil.const' op refers to '@model_path/weights/weight.bin', which would be overwritten

// RUN: not ane-translate --to-mil %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.mlir:3:{{[0-9]+}}: error: 'arith.constant' op is no MIL statement; run convert-ane-to-mil first

// RUN: not ane-translate --to-mil %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: module has 2 mil.program, but MIL text is exactly one

// RUN: not ane-translate --to-mil --mil-version=1.1 %t/two.mlir 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: --mil-version is '1.1', but must be 1.0 or 1.3

// RUN: not ane-translate --to-mil %t/inline.mlir -o %t/inline.mil 2>&1 | FileCheck %s --check-prefix=INLINE
// RUN: not ls %t/inline.mil
// INLINE: error: 'mil.func' op returns a value in place, which has no name

//--- inline.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %x = mil.const inline 1.0 : f16 {} : f16
    mil.return %x : f16
  }
}

//--- big.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %w = mil.const dense_resource<w> : tensor<10xi8> {} : tensor<10xi8>
    mil.return
  }
}
{-#
  dialect_resources: { builtin: { w: "0x0400000000010203040506070809" } }
#-}

//--- late.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %w = mil.const dense_resource<w> : tensor<10xi8> {} : tensor<10xi8>
    %i = mil.const 1 : index {} : index
    mil.return
  }
}
{-#
  dialect_resources: { builtin: { w: "0x0400000000010203040506070809" } }
#-}

//--- short.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %w = mil.const dense_resource<w> : tensor<12xf32> {} : tensor<12xf16>
    mil.return
  }
}
{-#
  dialect_resources: { builtin: { w: "0x0400000000010203040506070809" } }
#-}

//--- over.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %w = mil.const dense_resource<w> : tensor<10xf32> {} : tensor<10xf16>
    mil.return
  }
}
{-#
  dialect_resources: { builtin: { w: "0x0400000000F07F4700F07F4700F07F4700F07F4700F07F4700F07F4700F07F4700F07F4700F07F4700F07F47" } }
#-}

//--- over-text.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %w = mil.const dense<65520.0> : tensor<1xf32> {} : tensor<1xf16>
    mil.return
  }
}

//--- both.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %f = mil.const #mil.blobfile<"@model_path/weights/weight.bin", 64> : tensor<16xf16> {} : tensor<16xf16>
    %w = mil.const dense_resource<w> : tensor<10xi8> {} : tensor<10xi8>
    mil.return
  }
}
{-#
  dialect_resources: { builtin: { w: "0x0400000000010203040506070809" } }
#-}

//--- other.mlir
mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %c = arith.constant 1 : i32
    mil.return
  }
}

//--- two.mlir
mil.program version "1.3" {} {
}
mil.program version "1.3" {} {
}

// RUN: ane-opt %s --ane-release-constants | FileCheck %s

// Bytes that an operation or a function attribute refers to stay; that the bytes
// of `unused` go is checked by a unit test (the printer shows used ones only).

// CHECK-DAG: used: "0x040000000000803F00000040"
// CHECK-DAG: hidden: "0x040000000000803F"

func.func @used() -> tensor<2xf32> attributes {note = {x = dense_resource<hidden> : tensor<1xf32>}} {
  %0 = ane.constant dense_resource<used> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      used: "0x040000000000803F00000040",
      hidden: "0x040000000000803F",
      unused: "0x040000000000803F00000040"
    }
  }
#-}

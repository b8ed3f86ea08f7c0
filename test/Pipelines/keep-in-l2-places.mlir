// What ane-keep-in-l2 finds room for, ane-allocate-l2 finds room for: a result that
// lies in the place of another one has the rows of that place, not rows of its own.
// Queries and keys that are normalized, soft limits of scores, keys of one head.
// RUN: ane-compile %s --bind 1=random:1:0.06 --bind 2=random:2:0.06 --bind 3=random:3:0.06 --bind 4=random:4:0.04 --bind 5=random:5:0.06 --bind 6=random:6:0.04 -o %t.hwx
// RUN: ane-run %t.hwx --mode=count

func.func @net(%arg0: tensor<1x320x768xf32>, %arg1: tensor<2048x768xf32>, %arg2: tensor<256x768xf32>, %arg3: tensor<256x768xf32>, %arg4: tensor<768x2048xf32>, %arg5: tensor<1536x768xf32>, %arg6: tensor<768x1536xf32>) -> tensor<1x320x768xf32> {
  %0 = ane.cast %arg0 : tensor<1x320x768xf32> -> tensor<1x320x768xf16>
  %1 = ane.cast %arg1 : tensor<2048x768xf32> -> tensor<2048x768xf16>
  %2 = ane.cast %arg2 : tensor<256x768xf32> -> tensor<256x768xf16>
  %3 = ane.cast %arg3 : tensor<256x768xf32> -> tensor<256x768xf16>
  %4 = ane.cast %arg4 : tensor<768x2048xf32> -> tensor<768x2048xf16>
  %5 = ane.cast %arg5 : tensor<1536x768xf32> -> tensor<1536x768xf16>
  %6 = ane.cast %arg6 : tensor<768x1536xf32> -> tensor<768x1536xf16>
  %7 = ane.elementwise  mul %0, %0 : tensor<1x320x768xf16>, tensor<1x320x768xf16> -> tensor<1x320x768xf16>
  %8 = ane.reduce  sum %7 {axes = array<i64: 2>} : tensor<1x320x768xf16> -> tensor<1x320x1xf16>
  %9 = ane.constant dense<7.680000e+02> : tensor<1xf32>
  %10 = ane.activation %9 {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %11 = ane.reshape %10 : tensor<1xf32> -> tensor<1x1x1xf32>
  %12 = ane.elementwise  mul %11, %8 : tensor<1x1x1xf32>, tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %13 = ane.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
  %14 = ane.elementwise  add %12, %13 : tensor<1x320x1xf16>, tensor<1x1x1xf32> -> tensor<1x320x1xf16>
  %15 = ane.activation %14 {function = #ane.act<rsqrt>} : tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %16 = ane.elementwise  mul %0, %15 : tensor<1x320x768xf16>, tensor<1x320x1xf16> -> tensor<1x320x768xf16>
  %17 = ane.transpose %1 {perm = array<i64: 1, 0>} : tensor<2048x768xf16> -> tensor<768x2048xf16>
  %18 = ane.reshape %17 : tensor<768x2048xf16> -> tensor<1x768x2048xf16>
  %19 = ane.matmul %16, %18 : tensor<1x320x768xf16>, tensor<1x768x2048xf16> -> tensor<1x320x2048xf16>
  %20 = ane.reshape %19 : tensor<1x320x2048xf16> -> tensor<320x2048xf16>
  %21 = ane.reshape %20 : tensor<320x2048xf16> -> tensor<1x320x2048xf16>
  %22 = ane.reshape %21 : tensor<1x320x2048xf16> -> tensor<1x320x8x256xf16>
  %23 = ane.transpose %22 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x320x8x256xf16> -> tensor<1x8x320x256xf16>
  %24 = ane.transpose %2 {perm = array<i64: 1, 0>} : tensor<256x768xf16> -> tensor<768x256xf16>
  %25 = ane.reshape %24 : tensor<768x256xf16> -> tensor<1x768x256xf16>
  %26 = ane.matmul %16, %25 : tensor<1x320x768xf16>, tensor<1x768x256xf16> -> tensor<1x320x256xf16>
  %27 = ane.reshape %26 : tensor<1x320x256xf16> -> tensor<320x256xf16>
  %28 = ane.reshape %27 : tensor<320x256xf16> -> tensor<1x320x256xf16>
  %29 = ane.reshape %28 : tensor<1x320x256xf16> -> tensor<1x320x1x256xf16>
  %30 = ane.transpose %29 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x320x1x256xf16> -> tensor<1x1x320x256xf16>
  %31 = ane.transpose %3 {perm = array<i64: 1, 0>} : tensor<256x768xf16> -> tensor<768x256xf16>
  %32 = ane.reshape %31 : tensor<768x256xf16> -> tensor<1x768x256xf16>
  %33 = ane.matmul %16, %32 : tensor<1x320x768xf16>, tensor<1x768x256xf16> -> tensor<1x320x256xf16>
  %34 = ane.reshape %33 : tensor<1x320x256xf16> -> tensor<320x256xf16>
  %35 = ane.reshape %34 : tensor<320x256xf16> -> tensor<1x320x256xf16>
  %36 = ane.reshape %35 : tensor<1x320x256xf16> -> tensor<1x320x1x256xf16>
  %37 = ane.transpose %36 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x320x1x256xf16> -> tensor<1x1x320x256xf16>
  %38 = ane.elementwise  mul %23, %23 : tensor<1x8x320x256xf16>, tensor<1x8x320x256xf16> -> tensor<1x8x320x256xf16>
  %39 = ane.reduce  sum %38 {axes = array<i64: 3>} : tensor<1x8x320x256xf16> -> tensor<1x8x320x1xf16>
  %40 = ane.constant dense<2.560000e+02> : tensor<1xf32>
  %41 = ane.activation %40 {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %42 = ane.reshape %41 : tensor<1xf32> -> tensor<1x1x1x1xf32>
  %43 = ane.elementwise  mul %42, %39 : tensor<1x1x1x1xf32>, tensor<1x8x320x1xf16> -> tensor<1x8x320x1xf16>
  %44 = ane.constant dense<9.99999997E-7> : tensor<1x1x1x1xf32>
  %45 = ane.elementwise  add %43, %44 : tensor<1x8x320x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x8x320x1xf16>
  %46 = ane.activation %45 {function = #ane.act<rsqrt>} : tensor<1x8x320x1xf16> -> tensor<1x8x320x1xf16>
  %47 = ane.elementwise  mul %23, %46 : tensor<1x8x320x256xf16>, tensor<1x8x320x1xf16> -> tensor<1x8x320x256xf16>
  %48 = ane.elementwise  mul %30, %30 : tensor<1x1x320x256xf16>, tensor<1x1x320x256xf16> -> tensor<1x1x320x256xf16>
  %49 = ane.reduce  sum %48 {axes = array<i64: 3>} : tensor<1x1x320x256xf16> -> tensor<1x1x320x1xf16>
  %50 = ane.constant dense<2.560000e+02> : tensor<1xf32>
  %51 = ane.activation %50 {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %52 = ane.reshape %51 : tensor<1xf32> -> tensor<1x1x1x1xf32>
  %53 = ane.elementwise  mul %52, %49 : tensor<1x1x1x1xf32>, tensor<1x1x320x1xf16> -> tensor<1x1x320x1xf16>
  %54 = ane.constant dense<9.99999997E-7> : tensor<1x1x1x1xf32>
  %55 = ane.elementwise  add %53, %54 : tensor<1x1x320x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x320x1xf16>
  %56 = ane.activation %55 {function = #ane.act<rsqrt>} : tensor<1x1x320x1xf16> -> tensor<1x1x320x1xf16>
  %57 = ane.elementwise  mul %30, %56 : tensor<1x1x320x256xf16>, tensor<1x1x320x1xf16> -> tensor<1x1x320x256xf16>
  %58 = ane.reshape %57 : tensor<1x1x320x256xf16> -> tensor<1x1x1x320x256xf16>
  %59 = ane.tile %58 {repeats = array<i64: 1, 1, 8, 1, 1>} : tensor<1x1x1x320x256xf16> -> tensor<1x1x8x320x256xf16>
  %60 = ane.reshape %59 : tensor<1x1x8x320x256xf16> -> tensor<1x8x320x256xf16>
  %61 = ane.transpose %60 {perm = array<i64: 0, 1, 3, 2>} : tensor<1x8x320x256xf16> -> tensor<1x8x256x320xf16>
  %62 = ane.reshape %47 : tensor<1x8x320x256xf16> -> tensor<8x320x256xf16>
  %63 = ane.reshape %61 : tensor<1x8x256x320xf16> -> tensor<8x256x320xf16>
  %64 = ane.matmul %62, %63 : tensor<8x320x256xf16>, tensor<8x256x320xf16> -> tensor<8x320x320xf16>
  %65 = ane.reshape %64 : tensor<8x320x320xf16> -> tensor<1x8x320x320xf16>
  %66 = ane.constant dense<2.000000e-02> : tensor<1x1x1x1xf32>
  %67 = ane.elementwise  mul %65, %66 : tensor<1x8x320x320xf16>, tensor<1x1x1x1xf32> -> tensor<1x8x320x320xf16>
  %68 = ane.activation %67 {function = #ane.act<tanh>} : tensor<1x8x320x320xf16> -> tensor<1x8x320x320xf16>
  %69 = ane.reduce  max %68 {axes = array<i64: 3>} : tensor<1x8x320x320xf16> -> tensor<1x8x320x1xf16>
  %70 = ane.elementwise  sub %68, %69 : tensor<1x8x320x320xf16>, tensor<1x8x320x1xf16> -> tensor<1x8x320x320xf16>
  %71 = ane.activation %70 {function = #ane.act<exp>} : tensor<1x8x320x320xf16> -> tensor<1x8x320x320xf16>
  %72 = ane.reduce  sum %71 {axes = array<i64: 3>} : tensor<1x8x320x320xf16> -> tensor<1x8x320x1xf16>
  %73 = ane.activation %72 {function = #ane.act<reciprocal>} : tensor<1x8x320x1xf16> -> tensor<1x8x320x1xf16>
  %74 = ane.elementwise  mul %71, %73 : tensor<1x8x320x320xf16>, tensor<1x8x320x1xf16> -> tensor<1x8x320x320xf16>
  %75 = ane.reshape %37 : tensor<1x1x320x256xf16> -> tensor<1x1x1x320x256xf16>
  %76 = ane.tile %75 {repeats = array<i64: 1, 1, 8, 1, 1>} : tensor<1x1x1x320x256xf16> -> tensor<1x1x8x320x256xf16>
  %77 = ane.reshape %76 : tensor<1x1x8x320x256xf16> -> tensor<1x8x320x256xf16>
  %78 = ane.reshape %74 : tensor<1x8x320x320xf16> -> tensor<8x320x320xf16>
  %79 = ane.reshape %77 : tensor<1x8x320x256xf16> -> tensor<8x320x256xf16>
  %80 = ane.matmul %78, %79 : tensor<8x320x320xf16>, tensor<8x320x256xf16> -> tensor<8x320x256xf16>
  %81 = ane.reshape %80 : tensor<8x320x256xf16> -> tensor<1x8x320x256xf16>
  %82 = ane.transpose %81 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x8x320x256xf16> -> tensor<1x320x8x256xf16>
  %83 = ane.reshape %82 : tensor<1x320x8x256xf16> -> tensor<1x320x2048xf16>
  %84 = ane.transpose %4 {perm = array<i64: 1, 0>} : tensor<768x2048xf16> -> tensor<2048x768xf16>
  %85 = ane.reshape %84 : tensor<2048x768xf16> -> tensor<1x2048x768xf16>
  %86 = ane.matmul %83, %85 : tensor<1x320x2048xf16>, tensor<1x2048x768xf16> -> tensor<1x320x768xf16>
  %87 = ane.reshape %86 : tensor<1x320x768xf16> -> tensor<320x768xf16>
  %88 = ane.reshape %87 : tensor<320x768xf16> -> tensor<1x320x768xf16>
  %89 = ane.elementwise  mul %88, %88 : tensor<1x320x768xf16>, tensor<1x320x768xf16> -> tensor<1x320x768xf16>
  %90 = ane.reduce  sum %89 {axes = array<i64: 2>} : tensor<1x320x768xf16> -> tensor<1x320x1xf16>
  %91 = ane.constant dense<7.680000e+02> : tensor<1xf32>
  %92 = ane.activation %91 {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %93 = ane.reshape %92 : tensor<1xf32> -> tensor<1x1x1xf32>
  %94 = ane.elementwise  mul %93, %90 : tensor<1x1x1xf32>, tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %95 = ane.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
  %96 = ane.elementwise  add %94, %95 : tensor<1x320x1xf16>, tensor<1x1x1xf32> -> tensor<1x320x1xf16>
  %97 = ane.activation %96 {function = #ane.act<rsqrt>} : tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %98 = ane.elementwise  mul %88, %97 : tensor<1x320x768xf16>, tensor<1x320x1xf16> -> tensor<1x320x768xf16>
  %99 = ane.elementwise  add %0, %98 : tensor<1x320x768xf16>, tensor<1x320x768xf16> -> tensor<1x320x768xf16>
  %100 = ane.elementwise  mul %99, %99 : tensor<1x320x768xf16>, tensor<1x320x768xf16> -> tensor<1x320x768xf16>
  %101 = ane.reduce  sum %100 {axes = array<i64: 2>} : tensor<1x320x768xf16> -> tensor<1x320x1xf16>
  %102 = ane.constant dense<7.680000e+02> : tensor<1xf32>
  %103 = ane.activation %102 {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %104 = ane.reshape %103 : tensor<1xf32> -> tensor<1x1x1xf32>
  %105 = ane.elementwise  mul %104, %101 : tensor<1x1x1xf32>, tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %106 = ane.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
  %107 = ane.elementwise  add %105, %106 : tensor<1x320x1xf16>, tensor<1x1x1xf32> -> tensor<1x320x1xf16>
  %108 = ane.activation %107 {function = #ane.act<rsqrt>} : tensor<1x320x1xf16> -> tensor<1x320x1xf16>
  %109 = ane.elementwise  mul %99, %108 : tensor<1x320x768xf16>, tensor<1x320x1xf16> -> tensor<1x320x768xf16>
  %110 = ane.transpose %5 {perm = array<i64: 1, 0>} : tensor<1536x768xf16> -> tensor<768x1536xf16>
  %111 = ane.reshape %110 : tensor<768x1536xf16> -> tensor<1x768x1536xf16>
  %112 = ane.matmul %109, %111 : tensor<1x320x768xf16>, tensor<1x768x1536xf16> -> tensor<1x320x1536xf16>
  %113 = ane.reshape %112 : tensor<1x320x1536xf16> -> tensor<320x1536xf16>
  %114 = ane.reshape %113 : tensor<320x1536xf16> -> tensor<1x320x1536xf16>
  %115 = ane.activation %114 {function = #ane.act<sigmoid>} : tensor<1x320x1536xf16> -> tensor<1x320x1536xf16>
  %116 = ane.elementwise  mul %114, %115 : tensor<1x320x1536xf16>, tensor<1x320x1536xf16> -> tensor<1x320x1536xf16>
  %117 = ane.transpose %6 {perm = array<i64: 1, 0>} : tensor<768x1536xf16> -> tensor<1536x768xf16>
  %118 = ane.reshape %117 : tensor<1536x768xf16> -> tensor<1x1536x768xf16>
  %119 = ane.matmul %116, %118 : tensor<1x320x1536xf16>, tensor<1x1536x768xf16> -> tensor<1x320x768xf16>
  %120 = ane.reshape %119 : tensor<1x320x768xf16> -> tensor<320x768xf16>
  %121 = ane.reshape %120 : tensor<320x768xf16> -> tensor<1x320x768xf16>
  %122 = ane.elementwise  add %99, %121 : tensor<1x320x768xf16>, tensor<1x320x768xf16> -> tensor<1x320x768xf16>
  %123 = ane.cast %122 : tensor<1x320x768xf16> -> tensor<1x320x768xf32>
  return %123 : tensor<1x320x768xf32>
}

// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s

// A truth of truths, each of which is used twice: more ways lead to the comparison than there
// is time to go.
// CHECK-LABEL: func.func @truths
// CHECK-COUNT-40: ane.elementwise mul
func.func @truths(%x: tensor<1x2x4x8xf16>, %y: tensor<1x2x4x8xf16>) -> tensor<1x2x4x8xf16> {
  %t0 = ane.compare gt %x, %y : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t1 = ane.elementwise mul %t0, %t0 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t2 = ane.elementwise mul %t1, %t1 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t3 = ane.elementwise mul %t2, %t2 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t4 = ane.elementwise mul %t3, %t3 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t5 = ane.elementwise mul %t4, %t4 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t6 = ane.elementwise mul %t5, %t5 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t7 = ane.elementwise mul %t6, %t6 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t8 = ane.elementwise mul %t7, %t7 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t9 = ane.elementwise mul %t8, %t8 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t10 = ane.elementwise mul %t9, %t9 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t11 = ane.elementwise mul %t10, %t10 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t12 = ane.elementwise mul %t11, %t11 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t13 = ane.elementwise mul %t12, %t12 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t14 = ane.elementwise mul %t13, %t13 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t15 = ane.elementwise mul %t14, %t14 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t16 = ane.elementwise mul %t15, %t15 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t17 = ane.elementwise mul %t16, %t16 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t18 = ane.elementwise mul %t17, %t17 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t19 = ane.elementwise mul %t18, %t18 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t20 = ane.elementwise mul %t19, %t19 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t21 = ane.elementwise mul %t20, %t20 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t22 = ane.elementwise mul %t21, %t21 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t23 = ane.elementwise mul %t22, %t22 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t24 = ane.elementwise mul %t23, %t23 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t25 = ane.elementwise mul %t24, %t24 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t26 = ane.elementwise mul %t25, %t25 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t27 = ane.elementwise mul %t26, %t26 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t28 = ane.elementwise mul %t27, %t27 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t29 = ane.elementwise mul %t28, %t28 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t30 = ane.elementwise mul %t29, %t29 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t31 = ane.elementwise mul %t30, %t30 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t32 = ane.elementwise mul %t31, %t31 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t33 = ane.elementwise mul %t32, %t32 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t34 = ane.elementwise mul %t33, %t33 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t35 = ane.elementwise mul %t34, %t34 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t36 = ane.elementwise mul %t35, %t35 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t37 = ane.elementwise mul %t36, %t36 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t38 = ane.elementwise mul %t37, %t37 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t39 = ane.elementwise mul %t38, %t38 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %t40 = ane.elementwise mul %t39, %t39 : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %s = ane.select %t40, %x, %y : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  return %s : tensor<1x2x4x8xf16>
}

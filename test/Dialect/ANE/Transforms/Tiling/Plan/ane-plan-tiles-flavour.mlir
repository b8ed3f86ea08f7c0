// RUN: echo '{"function": "none", "ops": 1, "groups": []}' > %t.json
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks plan=%{near}.json}))" 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks plan=%{near}.json flavour=zin-9.509}))" 2>&1 | FileCheck %s --check-prefix=ZIN

// The plan is for the tasks that the flavour makes. Beside the result of the
// first convolution L2 holds that of the second, but not its source, which two
// small tasks read and one large task only streams.
// CLEAN: remark: plan: 2523136 bytes of DRAM traffic, 1.262 times the least
// ZIN: remark: plan: 1998848 bytes of DRAM traffic, 1.000 times the least

// The one that the file has a plan for.
func.func private @none()

func.func @f(%p: tensor<1x64x16x16xf16>, %y: tensor<1x768x16x16xf16>) -> tensor<1x64x16x16xf16> {
  %v = ane.constant dense<0.125> : tensor<2688x64x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<512x768x1x1xf16>
  %u = ane.constant dense<0.5> : tensor<64x2688x1x1xf16>
  %t = ane.constant dense<0.75> : tensor<64x512x1x1xf16>
  %a = ane.conv %p, %v : tensor<1x64x16x16xf16>, tensor<2688x64x1x1xf16> -> tensor<1x2688x16x16xf16>
  %r = ane.conv %y, %w : tensor<1x768x16x16xf16>, tensor<512x768x1x1xf16> -> tensor<1x512x16x16xf16>
  %z = ane.conv %a, %u : tensor<1x2688x16x16xf16>, tensor<64x2688x1x1xf16> -> tensor<1x64x16x16xf16>
  %q = ane.conv %r, %t : tensor<1x512x16x16xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x16x16xf16>
  %s = ane.elementwise mul %z, %q : tensor<1x64x16x16xf16>, tensor<1x64x16x16xf16> -> tensor<1x64x16x16xf16>
  return %s : tensor<1x64x16x16xf16>
}

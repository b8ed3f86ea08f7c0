// What the generator makes of a few functions, and the rules that they must keep.
//
// RUN: ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include %s | FileCheck %s
// RUN: not ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include -DNUMBER %s -o %t 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include -DLEAF %s -o %t 2>&1 | FileCheck %s --check-prefix=LEAF
// RUN: not ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include -DPAIR %s -o %t 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include -DPARAMETERS %s -o %t 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not ane-tblgen --gen-ane-functions %td_inc -I %llvm_libs/../include -DVALUE %s -o %t 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not ls %t

include "ane/Dialect/ANE/IR/ANEFunctions.td"

// A definition is written in postfix order.
// CHECK:      kFn_HardSigmoid[] = {
// CHECK-NEXT: {FunctionStep::Argument, 0, 0, 0},
// CHECK-NEXT: {FunctionStep::Alpha, 0, 0, 0},
// CHECK-NEXT: {FunctionStep::Pair, int32_t(ElementwiseKind::Mul), 0, 0},
// CHECK-NEXT: {FunctionStep::Beta, 0, 0, 0},
// CHECK-NEXT: {FunctionStep::Pair, int32_t(ElementwiseKind::Add), 0, 0},
// CHECK-NEXT: {FunctionStep::Function, int32_t(ActivationKind::Clamp), 0, 1},
// CHECK:      kFunctions[] = {
// CHECK-NEXT: {ActivationKind::Relu, 0, false, true, false, 0, HUGE_VAL, "relu", {}},
// CHECK:      {ActivationKind::Silu, 1, true, true, true, -0.2785, HUGE_VAL, "", kFn_Silu},
// CHECK:      {ActivationKind::Extra, 0, false, false, false, -HUGE_VAL, HUGE_VAL, "", kFn_Extra},
// CHECK:      ANE_TABLE_FUNCTION(Gelu, GeluErf)
// CHECK-NOT:  ANE_TABLE_FUNCTION(Relu

#ifdef NUMBER
// NUMBER: [[@LINE+1]]:{{[0-9]+}}: error: definition: '"one"' is no number in quotes
def Fn_Extra : ANE_Function<"Extra", 46, "extra"> { let definition = (Pair_Add $x, "one"); }
#else
#ifdef LEAF
// LEAF: [[@LINE+1]]:{{[0-9]+}}: error: definition: '$y' is none of $x, $alpha, $beta
def Fn_Extra : ANE_Function<"Extra", 46, "extra"> { let definition = (Fn_Exp $y); }
#else
#ifdef PAIR
// PAIR: [[@LINE+1]]:{{[0-9]+}}: error: definition: 'Mul' takes two operands
def Fn_Extra : ANE_Function<"Extra", 46, "extra"> { let definition = (Pair_Mul $x); }
#else
#ifdef PARAMETERS
// PARAMETERS: [[@LINE+1]]:{{[0-9]+}}: error: definition: 'Exp' takes an argument and at most 0 parameters
def Fn_Extra : ANE_Function<"Extra", 46, "extra"> { let definition = (Fn_Exp $x, "2"); }
#else
#ifdef VALUE
// VALUE: [[@LINE+1]]:{{[0-9]+}}: error: the values of functions are not 0, 1, 2, ...
def Fn_Extra : ANE_Function<"Extra", 47, "extra">;
#else
def Fn_Extra : ANE_Function<"Extra", 46, "extra"> { let definition = (Pair_Mul $x, "2"); }
#endif
#endif
#endif
#endif
#endif

// What the generators make of a small table, and the rules that it must keep.
//
// RUN: ane-tblgen --gen-ane-mil-op-table %td_inc -I %llvm_libs/../include %s | FileCheck %s --check-prefix=TABLE
// RUN: ane-tblgen --gen-ane-mil-op-doc %td_inc -I %llvm_libs/../include %s | FileCheck %s --check-prefix=DOC
// RUN: ane-tblgen --gen-ane-mil-op-tests %td_inc -I %llvm_libs/../include %s | FileCheck %s --check-prefix=TEST
// RUN: not ane-tblgen --gen-ane-mil-op-table %td_inc -I %llvm_libs/../include -DELEMENT %s -o %t 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not ane-tblgen --gen-ane-mil-op-table %td_inc -I %llvm_libs/../include -DSHAPE %s -o %t 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not ane-tblgen --gen-ane-mil-op-table %td_inc -I %llvm_libs/../include -DEMPTY %s -o %t 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ls %t

include "ane/Dialect/MIL/IR/MILStatement.td"

#ifdef ELEMENT
// ELEMENT: [[@LINE+1]]:{{[0-9]+}}: error: 'fp17' is no element type
def Odd : MIL_Elements<["fp17"]>;
def OddOp : Statement<"odd", 15, [In<"x", Odd>], [Out<"T">]>;
#else
#ifdef SHAPE
// SHAPE: [[@LINE+1]]:{{[0-9]+}}: error: the shape is that of 'y', which is no argument
def ShapedOp : Statement<"shaped", 15, [In<"x", Float>], [Out<"T">], Same<"y">>;
#else
#ifdef EMPTY
// EMPTY: error: there is no MIL_Statement
#else

// The table is sorted by name.
// TABLE:      {"x", ArgumentInfo::tensor, false, false, 16, 255, "T", "T", {0xc, 0xc, 0xc, 0xc, }, "", ""},
// TABLE-NEXT: {"alpha", ArgumentInfo::tensor, true, true, 17, 18, "U", "T", {0x102, 0x102, 0x200982, 0x200982, }, "1", ""},
// TABLE:      {"result", ResultInfo::one, "T", "", 0x0, 255},
// TABLE:      kAOpShape[] = {"x"};
// TABLE:      kOps[] = {
// TABLE-NEXT: {"a", "say \"a\"", 16, false, OpInfo::same, kAOpShape, kAOpArguments, kAOpResults},
// TABLE-NEXT: {"b", "nothing", 15, true, OpInfo::none, {}, kBOpArguments, {}},

// DOC:      ## a
// DOC:      say "a". From ios16. Gives `result` (T). The shape is that of `x`.
// DOC:      | `x` | fp16, fp32 (T) | value | required |  |
// DOC-NEXT: | `alpha` | bool, int32, int8, int16, uint8 (U; T before ios17) | constant | `1` | from ios17 to ios18 |
// DOC:      ## b
// DOC:      No result.
// DOC:      | `values` | tuple | value | required |  |

// TEST:      mil.func @a opset "ios18"
// TEST:      %x = mil.const dense<1.0> : tensor<4xf32>
// TEST-NEXT: // CHECK: mil.a(x = %{{.*}}) {name = "a"}
// TEST-NEXT: %r:1 = mil.a(x = %x) {name = "a"} : (tensor<4xf32>) -> (tensor<4xf32>)
// TEST:      mil.b(values = (%values, %values), pad = %pad) {name = "b"} : (tensor<4xf16>, tensor<4xf16>, tensor<4xi32>) -> ()

def BOp : CompressedStatement<"b", 15, [TupleIn<"values">, Param<"pad", Int32>], []> {
  let summary = "nothing";
}
def Narrow : MIL_Elements<["bool", "int32"], [], ["int8", "int16", "uint8"]>;
def AOp : Statement<"a", 16, [In<"x", Float, var = "T">,
                             OptParam<"alpha", Narrow, var = "U", oldVar = "T", dflt = "1",
                                      since = 17, until = 18>], [Out<"T">], Same<"x">> {
  let summary = "say \"a\"";
}
#endif
#endif
#endif

//===- StableHLOOps.td - Ops of the stablehlo dialect ------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and attributes are those of the public specification (openxla.org/stablehlo/spec);
// the texts are those that JAX and torch-xla write. Ops without one have the generic form.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD
#define ANE_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD

include "ane/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Older files have dense tensors where newer ones have arrays.
def StableHLO_Numbers : AnyAttrOf<[DenseI64ArrayAttr, I64ElementsAttr]>;
def StableHLO_Flags : AnyAttrOf<[DenseBoolArrayAttr, ElementsAttr]>;
def StableHLO_Precisions : TypedArrayAttrBase<StableHLO_PrecisionAttr, "precisions">;

class StableHLO_Op<string name, list<Trait> traits = []>
    : Op<StableHLO_Dialect, name, traits> {
  let hasVerifier = 1;
}
class StableHLO_PureOp<string name, list<Trait> traits = []>
    : StableHLO_Op<name, !listconcat([Pure], traits)>;
class StableHLO_TensorOp<string name, list<Trait> traits = []> : StableHLO_PureOp<name, traits> {
  let results = (outs AnyRankedTensor:$result);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class StableHLO_UnaryOp<string name> : StableHLO_TensorOp<name, [SameOperandsAndResultShape]> {
  let arguments = (ins AnyRankedTensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` custom<SameTypes>(type($operand), type($result))";
  let hasVerifier = 0;
}
class StableHLO_BinaryOp<string name> : StableHLO_TensorOp<name, [SameOperandsAndResultShape]> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` custom<SameTypes>(type($lhs), type($rhs), type($result))
  }];
  let hasVerifier = 0;
}

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs">;
def StableHLO_CbrtOp : StableHLO_UnaryOp<"cbrt">;
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil">;
def StableHLO_ConvertOp : StableHLO_UnaryOp<"convert">;
def StableHLO_CosineOp : StableHLO_UnaryOp<"cosine">;
def StableHLO_ExpOp : StableHLO_UnaryOp<"exponential">;
def StableHLO_Expm1Op : StableHLO_UnaryOp<"exponential_minus_one">;
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor">;
def StableHLO_IsFiniteOp : StableHLO_TensorOp<"is_finite", [SameOperandsAndResultShape]> {
  let arguments = (ins AnyRankedTensor:$x);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 0;
}
def StableHLO_LogOp : StableHLO_UnaryOp<"log">;
def StableHLO_Log1pOp : StableHLO_UnaryOp<"log_plus_one">;
def StableHLO_LogisticOp : StableHLO_UnaryOp<"logistic">;
def StableHLO_NegOp : StableHLO_UnaryOp<"negate">;
def StableHLO_NotOp : StableHLO_UnaryOp<"not">;
def StableHLO_RoundAwayOp : StableHLO_UnaryOp<"round_nearest_afz">;
def StableHLO_RoundEvenOp : StableHLO_UnaryOp<"round_nearest_even">;
def StableHLO_RsqrtOp : StableHLO_UnaryOp<"rsqrt">;
def StableHLO_SignOp : StableHLO_UnaryOp<"sign">;
def StableHLO_SineOp : StableHLO_UnaryOp<"sine">;
def StableHLO_SqrtOp : StableHLO_UnaryOp<"sqrt">;
def StableHLO_TanOp : StableHLO_UnaryOp<"tan">;
def StableHLO_TanhOp : StableHLO_UnaryOp<"tanh">;

def StableHLO_AddOp : StableHLO_BinaryOp<"add">;
def StableHLO_AndOp : StableHLO_BinaryOp<"and">;
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2">;
def StableHLO_DivOp : StableHLO_BinaryOp<"divide">;
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum">;
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum">;
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply">;
def StableHLO_OrOp : StableHLO_BinaryOp<"or">;
def StableHLO_PowOp : StableHLO_BinaryOp<"power">;
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder">;
def StableHLO_SubOp : StableHLO_BinaryOp<"subtract">;
def StableHLO_XorOp : StableHLO_BinaryOp<"xor">;

def StableHLO_ClampOp : StableHLO_TensorOp<"clamp"> {
  let arguments = (ins AnyRankedTensor:$min, AnyRankedTensor:$operand, AnyRankedTensor:$max);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameTypes>(type($min), type($operand), type($max), type($result))
  }];
}

def StableHLO_CompareOp : StableHLO_TensorOp<"compare", [SameOperandsAndResultShape]> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
    StableHLO_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 0;
}

def StableHLO_SelectOp : StableHLO_TensorOp<"select"> {
  let arguments = (ins AnyRankedTensor:$pred, AnyRankedTensor:$on_true, AnyRankedTensor:$on_false);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:`
    custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Constants and shapes
//===----------------------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_TensorOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 0;
}

def StableHLO_IotaOp : StableHLO_TensorOp<"iota"> {
  let arguments = (ins I64Attr:$iota_dimension);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($result)";
}

def StableHLO_BroadcastInDimOp : StableHLO_TensorOp<"broadcast_in_dim"> {
  let arguments = (ins AnyRankedTensor:$operand, StableHLO_Numbers:$broadcast_dimensions);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Numbers>($broadcast_dimensions) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_ReshapeOp : StableHLO_TensorOp<"reshape"> {
  let arguments = (ins AnyRankedTensor:$operand);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_TransposeOp : StableHLO_TensorOp<"transpose"> {
  let arguments = (ins AnyRankedTensor:$operand, StableHLO_Numbers:$permutation);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Numbers>($permutation) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_SliceOp : StableHLO_TensorOp<"slice"> {
  let arguments = (ins AnyRankedTensor:$operand, StableHLO_Numbers:$start_indices,
                       StableHLO_Numbers:$limit_indices, StableHLO_Numbers:$strides);
  let assemblyFormat = [{
    $operand custom<Ranges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_ConcatenateOp : StableHLO_TensorOp<"concatenate"> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, I64Attr:$dimension);
  let assemblyFormat = [{
    custom<Inputs>($inputs, $dimension) attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_PadOp : StableHLO_TensorOp<"pad"> {
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$padding_value,
                       StableHLO_Numbers:$edge_padding_low, StableHLO_Numbers:$edge_padding_high,
                       StableHLO_Numbers:$interior_padding);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` custom<Numbers>($edge_padding_low)
    `,` `high` `=` custom<Numbers>($edge_padding_high)
    `,` `interior` `=` custom<Numbers>($interior_padding) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_ReverseOp : StableHLO_TensorOp<"reverse", [SameOperandsAndResultShape]> {
  let arguments = (ins AnyRankedTensor:$operand, StableHLO_Numbers:$dimensions);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Numbers>($dimensions) attr-dict `:`
    custom<SameTypes>(type($operand), type($result))
  }];
}

def StableHLO_DynamicSliceOp : StableHLO_TensorOp<"dynamic_slice"> {
  let arguments = (ins AnyRankedTensor:$operand, Variadic<AnyRankedTensor>:$start_indices,
                       StableHLO_Numbers:$slice_sizes);
  let assemblyFormat = [{
    $operand `,` custom<Starts>($start_indices, $slice_sizes) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_TensorOp<"dynamic_update_slice"> {
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$update,
                       Variadic<AnyRankedTensor>:$start_indices);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_GatherOp : StableHLO_TensorOp<"gather"> {
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$start_indices,
                       StableHLO_GatherAttr:$dimension_numbers, StableHLO_Numbers:$slice_sizes,
                       OptionalAttr<BoolAttr>:$indices_are_sorted);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def StableHLO_DotOp : StableHLO_TensorOp<"dot"> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
                       OptionalAttr<StableHLO_Precisions>:$precision_config);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<Precisions>($precision_config) attr-dict `:`
    functional-type(operands, results)
  }];
}

def StableHLO_DotGeneralOp : StableHLO_TensorOp<"dot_general"> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
                       StableHLO_DotAttr:$dot_dimension_numbers,
                       OptionalAttr<StableHLO_Precisions>:$precision_config);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers)
    `` custom<Precisions>($precision_config) attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_ConvolutionOp : StableHLO_TensorOp<"convolution"> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
    OptionalAttr<StableHLO_Numbers>:$window_strides, OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<StableHLO_Numbers>:$lhs_dilation, OptionalAttr<StableHLO_Numbers>:$rhs_dilation,
    OptionalAttr<StableHLO_Flags>:$window_reversal,
    StableHLO_ConvAttr:$dimension_numbers,
    I64Attr:$feature_group_count, I64Attr:$batch_group_count,
    OptionalAttr<StableHLO_Precisions>:$precision_config);
  let assemblyFormat = [{
    `(` $lhs `,` $rhs `)` `dim_numbers` `=` custom<ConvDimensions>($dimension_numbers)
    `,` `window` `=` `{`
    custom<Window>($window_strides, $padding, $lhs_dilation, $rhs_dilation, $window_reversal)
    `}` attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_BatchNormInferenceOp : StableHLO_TensorOp<"batch_norm_inference"> {
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$scale, AnyRankedTensor:$offset,
                       AnyRankedTensor:$mean, AnyRankedTensor:$variance,
                       F32Attr:$epsilon, I64Attr:$feature_index);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, Variadic<AnyRankedTensor>:$init_values,
                       StableHLO_Numbers:$dimensions);
  let results = (outs Variadic<AnyRankedTensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ReduceWindowOp
    : StableHLO_Op<"reduce_window", [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, Variadic<AnyRankedTensor>:$init_values,
                       StableHLO_Numbers:$window_dimensions,
                       OptionalAttr<StableHLO_Numbers>:$window_strides,
                       OptionalAttr<StableHLO_Numbers>:$base_dilations,
                       OptionalAttr<StableHLO_Numbers>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<AnyRankedTensor>);
  let regions = (region SizedRegion<1>:$body);
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [RecursiveMemoryEffects]> {
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$source, AnyRankedTensor:$init_value,
                       StableHLO_Numbers:$window_dimensions, OptionalAttr<StableHLO_Numbers>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs AnyRankedTensor);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}

def StableHLO_SortOp : StableHLO_Op<"sort", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, OptionalAttr<I64Attr>:$dimension,
                       OptionalAttr<BoolAttr>:$is_stable);
  let results = (outs Variadic<AnyRankedTensor>);
  let regions = (region SizedRegion<1>:$comparator);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def StableHLO_CaseOp : StableHLO_Op<"case", [RecursiveMemoryEffects]> {
  let arguments = (ins AnyRankedTensor:$index);
  let results = (outs Variadic<AnyType>);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

def StableHLO_IfOp : StableHLO_Op<"if", [RecursiveMemoryEffects]> {
  let arguments = (ins AnyRankedTensor:$pred);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def StableHLO_WhileOp : StableHLO_Op<"while", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ReturnOp : StableHLO_PureOp<"return", [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  let hasVerifier = 0;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def StableHLO_CustomCallOp : StableHLO_Op<"custom_call"> {
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$call_target_name);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = [{
    custom<Target>($call_target_name) `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 0;
}

def StableHLO_CompositeOp : StableHLO_Op<"composite"> {
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition, OptionalAttr<I32Attr>:$version);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$name $inputs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 0;
}

#endif // ANE_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD

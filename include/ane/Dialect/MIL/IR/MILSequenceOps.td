//===- MILSequenceOps.td - Recurrence, state, lists --------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILSEQUENCEOPS_TD
#define ANE_DIALECT_MIL_IR_MILSEQUENCEOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def ClassifyOp : Statement<"classify", 15,
    [In<"probabilities", Fp32>, ListIn<"classes", isConst = 1>],
    [OutAny<"label">, OutAny<"probabilities_of">]> {
  let summary = "the class with the greatest probability, and a dictionary of all";
}

def GruOp : Statement<"gru", 15,
    [In<"x", Float, var = "T">, In<"initial_h", Float, var = "T">,
     Param<"weight_ih", Float, var = "T">, Param<"weight_hh", Float, var = "T">,
     OptParam<"bias", Float, var = "T", note = "0">,
     OptParam<"direction", Str, dflt = "forward">,
     OptParam<"output_sequence", Bool, dflt = "false">,
     OptParam<"recurrent_activation", Str, dflt = "sigmoid">,
     OptParam<"activation", Str, dflt = "tanh">,
     OptParam<"reset_after", Bool, dflt = "false", since = 18>,
     OptParam<"input_bias", Float, var = "T", note = "0", since = 18>],
    [Out<"T", "output">, Out<"T", "hidden">]> {
  let summary = "gated recurrent unit";
}

def ListGatherOp : Statement<"list_gather", 15,
    [ListIn<"ls">, In<"indices", Int32>],
    [OutAny<>]> {
  let summary = "elements of a list, stacked";
}

def ListLengthOp : Statement<"list_length", 15,
    [ListIn<"ls">],
    [OutIs<Int32>]> {
  let summary = "number of elements of a list";
}

def ListReadOp : Statement<"list_read", 15,
    [ListIn<"ls">, In<"index", Int32>],
    [OutAny<>]> {
  let summary = "one element of a list";
}

def ListScatterOp : EffectStatement<"list_scatter", 15,
    [ListIn<"ls">, In<"indices", Int32>, In<"value", Any, var = "T">],
    [OutAny<>]> {
  let summary = "list with some elements replaced";
}

def ListWriteOp : EffectStatement<"list_write", 15,
    [ListIn<"ls">, In<"index", Int32>, In<"value", Any, var = "T">],
    [OutAny<>]> {
  let summary = "list with one element replaced";
}

def LstmOp : Statement<"lstm", 15,
    [In<"x", Float, var = "T">, In<"initial_h", Float, var = "T">,
     In<"initial_c", Float, var = "T">, Param<"weight_ih", Float, var = "T">,
     Param<"weight_hh", Float, var = "T">,
     OptParam<"bias", Float, var = "T", note = "0">,
     OptParam<"peephole", Float, var = "T", note = "0">,
     OptParam<"weight_ih_back", Float, var = "T", note = "as the direction demands">,
     OptParam<"weight_hh_back", Float, var = "T", note = "as the direction demands">,
     OptParam<"bias_back", Float, var = "T", note = "as the direction demands">,
     OptParam<"peephole_back", Float, var = "T", note = "as the direction demands">,
     OptParam<"direction", Str, dflt = "forward">,
     OptParam<"output_sequence", Bool, dflt = "false">,
     OptParam<"recurrent_activation", Str, dflt = "sigmoid">,
     OptParam<"cell_activation", Str, dflt = "tanh">,
     OptParam<"activation", Str, dflt = "tanh">,
     OptParam<"clip", Float, var = "T", note = "no bound">],
    [Out<"T", "output">, Out<"T", "hidden">, Out<"T", "cell">]> {
  let summary = "long short-term memory";
}

def MakeListOp : EffectStatement<"make_list", 15,
    [OptIn<"init_length", Int32, dflt = "1">,
     OptParam<"dynamic_length", Bool, dflt = "true">, TupleIn<"elem_shape">,
     OptParam<"dtype", Str, dflt = "fp32">],
    [OutAny<>]> {
  let summary = "empty list of tensors";
}

def ReadStateOp : EffectStatement<"read_state", 18,
    [StateIn<"input", var = "T">],
    [Out<"T">], Same<"input">> {
  let summary = "value of a state";
}

def RnnOp : Statement<"rnn", 15,
    [In<"x", Float, var = "T">, In<"initial_h", Float, var = "T">,
     Param<"weight_ih", Float, var = "T">, Param<"weight_hh", Float, var = "T">,
     OptParam<"bias", Float, var = "T", note = "0">,
     OptParam<"direction", Str, dflt = "forward">,
     OptParam<"output_sequence", Bool, dflt = "false">,
     OptParam<"activation", Str, dflt = "tanh">],
    [Out<"T", "output">, Out<"T", "hidden">]> {
  let summary = "recurrent layer";
}

def SelectOp : Statement<"select", 15,
    [In<"cond", Bool>, In<"a", Any, var = "T">, In<"b", Any, var = "T">],
    [Out<"T">], Broadcast<["cond", "a", "b"]>> {
  let summary = "a where cond holds, else b";
}

def WriteStateOp : EffectStatement<"write_state", 18,
    [StateIn<"input", var = "T">, In<"data", Everything, var = "T">],
    []> {
  let summary = "data becomes the value of a state";
}

def CoremlUpdateStateOp : EffectStatement<"coreml_update_state", 18,
    [StateIn<"state", var = "T">, In<"value", Everything, var = "T">],
    [Out<"T">]> {
  let summary = "value after it has been written into a state";
}

#endif // ANE_DIALECT_MIL_IR_MILSEQUENCEOPS_TD

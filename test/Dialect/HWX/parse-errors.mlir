// RUN: ane-opt %s --split-input-file --verify-diagnostics
// What can be wrong inside a task is said with names and ranges.

hwx.program @block target = h13 text = 0x100 {
  // expected-error @+1 {{unknown register block 'Comon', expected one of KernelDMASrc, Common, TileDMASrc, L2, PE, NE, TileDMADst}}
  hwx.task @td0 at 0x0 {} [Comon {}]
}

// -----

hwx.program @register target = h13 text = 0x100 {
  // expected-error @+1 {{unknown register 'Scale' of block PE, which has Cfg, BiasScale, PreScale, FinalScale}}
  hwx.task @td0 at 0x0 {} [PE {Scale = 1}]
}

// -----

hwx.program @field target = h13 text = 0x100 {
  // expected-error @+1 {{unknown field 'W' of Common.InDim, which has Hin, Win}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {W = 1}}]
}

// -----

hwx.program @header_field target = h13 text = 0x100 {
  // expected-error @+1 {{unknown field 'Tid' of a header of 10 words}}
  hwx.task @td0 at 0x0 {Tid = 1} []
}

// -----

hwx.program @range target = h13 text = 0x100 {
  // expected-error @+1 {{Common.InDim.Win}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {Win = 32768}}]
}

// -----

hwx.program @range64 target = h13 text = 0x100 {
  // expected-error @+1 {{Common.InDim.Win: value 0x100000000 does not fit 15 bits}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {Win = 0x100000000}}]
}

// -----

hwx.program @codec target = h13 text = 0x100 {
  // expected-error @+1 {{L2.SourceRowStride.Stride}}
  hwx.task @td0 at 0x0 {} [L2 {SourceRowStride = 0x11}]
}

// -----

hwx.program @enumerator target = h13 text = 0x100 {
  // expected-error @+1 {{unknown value 'Pooling' of Common.Cfg.TaskType, expected a number or one of }}
  hwx.task @td0 at 0x0 {} [Common {Cfg = {TaskType = Pooling}}]
}

// -----

hwx.program @flag target = h13 text = 0x100 {
  // expected-error @+1 {{expected '=' and a value, since Common.InDim.Win has 15 bits}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {Win}}]
}

// -----

hwx.program @braces target = h13 text = 0x100 {
  // expected-error @+1 {{expected '{', since Common.InDim has fields Hin, Win}}
  hwx.task @td0 at 0x0 {} [Common {InDim = 1}]
}

// -----

hwx.program @twice target = h13 text = 0x100 {
  // expected-error @+1 {{Common.InDim.Win is given twice}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {Win = 1, Win = 2}}]
}

// -----

hwx.program @register_twice target = h13 text = 0x100 {
  // expected-error @+1 {{Common.InDim is given twice}}
  hwx.task @td0 at 0x0 {} [Common {InDim = {Win = 1}, InDim = {Hin = 2}}]
}

// -----

hwx.program @header_twice target = h13 text = 0x100 {
  // expected-error @+1 {{Header.TID is given twice}}
  hwx.task @td0 at 0x0 {TID = 1, TID = 2} []
}

// -----

hwx.program @no_array target = h13 text = 0x100 {
  // expected-error @+1 {{Common.InDim is not an array}}
  hwx.task @td0 at 0x0 {} [Common {InDim[0] = {Win = 1}}]
}

// -----

hwx.program @no_index target = h13 text = 0x100 {
  // expected-error @+1 {{KernelDMASrc.CoeffBaseAddr is an array, expected an index from 0 to 15}}
  hwx.task @td0 at 0x0 {} [KernelDMASrc {CoeffBaseAddr = 0x40}]
}

// -----

hwx.program @index target = h13 text = 0x100 {
  // expected-error @+1 {{KernelDMASrc.CoeffBaseAddr has elements 0 to 15, but the index is 14 to 16}}
  hwx.task @td0 at 0x0 {} [KernelDMASrc {CoeffBaseAddr[14 to 16] = 0x40}]
}

// -----

hwx.program @descending target = h13 text = 0x100 {
  // expected-error @+1 {{index 2 to 1 is not an ascending range}}
  hwx.task @td0 at 0x0 {} [KernelDMASrc {CoeffBaseAddr[2 to 1] = 0x40}]
}

// -----

hwx.program @outside target = h13 text = 0x100 {
  // expected-error @+1 {{KernelDMASrc.CoeffBaseAddr is word 18 of block KernelDMASrc, but the record writes words 0 to 17}}
  hwx.task @td0 at 0x0 {} [KernelDMASrc[0 to 17] {CoeffBaseAddr[0] = 0x40}]
}

// -----

hwx.program @extent target = h13 text = 0x100 {
  // expected-error @+1 {{words 2 to 4 of block PE, which has words 0 to 3}}
  hwx.task @td0 at 0x0 {} [PE[2 to 4] {}]
}

// -----

hwx.program @raw_place target = h13 text = 0x100 {
  // expected-error @+1 {{raw word at 0x10, expected a multiple of 4 from 0x4 to 0xc}}
  hwx.task @td0 at 0x0 {} [PE[1 to 3] {} raw {0x10 = 0x1}]
}

// -----

hwx.program @raw_twice target = h13 text = 0x100 {
  // expected-error @+1 {{raw word at 0x4 is given twice}}
  hwx.task @td0 at 0x0 {} [PE {} raw {0x4 = 0x1, 0x4 = 0x2}]
}

// -----

hwx.program @raw_size target = h13 text = 0x100 {
  // expected-error @+1 {{raw word 0x100000000 has more than 32 bits}}
  hwx.task @td0 at 0x0 {} [PE {} raw {0x4 = 0x100000000}]
}

// -----

hwx.program @count target = h13 text = 0x100 {
  // expected-error @+1 {{count is 65 words, expected 1 to 64}}
  hwx.task @td0 at 0x0 {} [at 0x3000 words 65]
}

// -----

hwx.program @target target = h14 text = 0x100 {
  // expected-error @+1 {{unknown generation 'h99', expected one of: h13, h14, h15, h16, h17, h18}}
  hwx.task @td0 target = h99 at 0x10 {} []
}

// -----

hwx.program @scatter_reach target = h14 text = 0x100 {
  // expected-error @+1 {{raw word at 0x44, expected a multiple of 4 from 0x0 to 0x40}}
  hwx.task @td0 target = h14 at 0x10 {} [at 0x1f000 scatter raw {0x0 = 0, 0x44 = 0}]
}

// -----

hwx.program @scatter_first target = h14 text = 0x100 {
  // expected-error @+1 {{scattered record at 0x1f000 does not write its first word, expected 0x0 in raw}}
  hwx.task @td0 target = h14 at 0x10 {} [at 0x1f000 scatter raw {0x4 = 0}]
}

// -----

// Named blocks can be scattered in text of every generation.
hwx.program @scatter_empty target = h13 text = 0x100 {
  // expected-error @+1 {{scattered record writes no word}}
  hwx.task @td0 at 0x0 {} [Common scatter {}]
}

// -----

hwx.program @scatter_far target = h13 text = 0x100 {
  // expected-error @+1 {{scattered record writes the word 17 words after its first, expected at most 16}}
  hwx.task @td0 at 0x0 {} [L2 scatter {} raw {0x0 = 0, 0x44 = 1}]
}

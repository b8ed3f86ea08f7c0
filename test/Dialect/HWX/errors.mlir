// RUN: ane-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'hwx.program' op unknown generation 'h99'}}
hwx.program @program_c1 target = h99 text = 0x0 {
}

// -----

hwx.program @program_c2_name target = h13 text = 0x0 {
  // expected-note @+1 {{of this one}}
  hwx.tensor input "x" base 5 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
  // expected-error @+1 {{'hwx.tensor' op has the name "x" of another tensor}}
  hwx.tensor input "x" base 6 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @program_c2_base target = h13 text = 0x0 {
  // expected-note @+1 {{of this one}}
  hwx.tensor input "x" base 5 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
  // expected-error @+1 {{'hwx.tensor' op has the base 5 of another tensor}}
  hwx.tensor input "y" base 5 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @program_c3 target = h13 text = 0x0 {
  hwx.tensor output "y" base 4 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
  // expected-error @+1 {{'hwx.tensor' op is an input after an output, expected inputs first}}
  hwx.tensor input "x" base 5 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @program_c4_overlap target = h13 text = 0x100 {
  hwx.task @td0 at 0x0 {} []
  // expected-error @+1 {{'hwx.task' op at 0x24 overlaps the task that ends at 0x28}}
  hwx.task @td1 at 0x24 {} []
}

// -----

hwx.program @program_c4_text target = h13 text = 0x30 {
  // expected-error @+1 {{'hwx.task' op of 40 bytes at 0x10 leaves the text of 48 bytes}}
  hwx.task @td0 at 0x10 {} []
}

// -----

hwx.program @program_c7_gap target = h13 text = 0x8000 {
  // expected-error @+1 {{'hwx.task' op at 0x4004 is 0x4004 bytes after the task or start before it, expected at most 0x4000}}
  hwx.task @td0 at 0x4004 {} []
}

// -----

// expected-error @+1 {{'hwx.program' op has 0xffffffff bytes of text, but its tasks end at 0x28; expected at most 0x4000 bytes after them}}
hwx.program @program_c7_end target = h13 text = 0xffffffff {
  hwx.task @td0 at 0x0 {} []
}

// -----

hwx.program @program_c5_constants target = h13 text = 0x0 {
  hwx.constants dense<0> : tensor<4xui8>
  // expected-error @+1 {{'hwx.constants' op is the second one of its program}}
  hwx.constants dense<0> : tensor<4xui8>
}

// -----

hwx.program @program_c5_file target = h13 text = 0x0 {
  hwx.signature kind 17
  // expected-error @+1 {{'hwx.signature' op is the second description of the file; a program has one hwx.signature or one hwx.container}}
  hwx.signature kind 17
}

// -----

hwx.program @program_c5_foreign target = h13 text = 0x0 {
  // expected-error @+1 {{'builtin.module' op cannot stand in an hwx.program}}
  builtin.module {}
}

// -----

hwx.program @tensor_c1 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op has 4 extents and 5 strides, expected 5 of each (N, C, H, W, D)}}
  hwx.tensor input "x" base 5 shape [1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @tensor_c1_extent target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op has an extent of 0, expected 1 to 4294967295}}
  hwx.tensor input "x" base 5 shape [1, 0, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @tensor_c2 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op has element type 'f32', expected f16, i8 or ui8}}
  hwx.tensor input "x" base 5 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f32 bytes 64
}

// -----

hwx.program @tensor_c5 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op has other elements in the network: [2, 3], not those of [1, 5, 1, 1, 1]}}
  hwx.tensor input "x" base 5 shape [1, 5, 1, 1, 1] strides [320, 64, 64, 2, 320] type f16 bytes 320 network [2, 3]
}

// -----

hwx.program @tensor_c6 target = h13 text = 0x0 {
  hwx.tensor input "x" base 5 shape [1, 5, 1, 1, 1] strides [320, 64, 64, 2, 320] type f16 bytes 320
  // expected-error @+1 {{'hwx.tensor' op 'y' is low, but no f16 input of its shape is before it}}
  hwx.tensor input "y" base 6 shape [1, 4, 1, 1, 1] strides [256, 64, 64, 2, 256] type f16 bytes 256 low
}

// -----

hwx.program @tensor_c6_first target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op 'x' is low, but no f16 input of its shape is before it}}
  hwx.tensor input "x" base 5 shape [1, 5, 1, 1, 1] strides [320, 64, 64, 2, 320] type f16 bytes 320 low
}

// -----

hwx.program @tensor_c3 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op has base 3, expected 4 to 255}}
  hwx.tensor input "x" base 3 shape [1, 1, 1, 1, 1] strides [64, 64, 64, 2, 64] type f16 bytes 64
}

// -----

hwx.program @tensor_c4_elements target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op tensor 'x' has the shape 1x1x1x1000x1 of float16, for which its 192 bytes are too few}}
  hwx.tensor input "x" base 4 shape [1, 1, 1, 1000, 1] strides [192, 192, 192, 2, 192] type f16 bytes 192
}

// -----

hwx.program @tensor_c4_addresses target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.tensor' op tensor 'x' has 4611686018427387904 bytes, but addresses of a program have 32 bits}}
  hwx.tensor input "x" base 4 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type f16 bytes 4611686018427387904
}

// -----

hwx.program @constants_c2_generation target = h14 text = 0x0 {
  // expected-error @+1 {{'hwx.constants' op has a kernel segment, which programs for h14 do not have}}
  hwx.constants dense<0> : tensor<64xui8> kernels = 0x40
}

// -----

hwx.program @constants_c2_size target = h16 text = 0x0 {
  // expected-error @+1 {{'hwx.constants' op has 128 bytes of kernels, expected 0 to 64}}
  hwx.constants dense<0> : tensor<64xui8> kernels = 0x80
}

// -----

hwx.program @constants_c1 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.constants' op has type 'tensor<2x2xf16>', expected one dimension of i8 or ui8}}
  hwx.constants dense<0.0> : tensor<2x2xf16>
}

// -----

hwx.program @task_c1 target = h13 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op has a header of 10 words, expected 11, since the two lowest bits of word 9 are set}}
  hwx.task @td0 at 0x0 {KBase0 = 3} []
}

// -----

hwx.program @task_c2 target = h13 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op stands at 0x2, expected a multiple of 4 of at most 32 bits}}
  hwx.task @td0 at 0x2 {} []
}

// -----

hwx.program @task_c1_packed target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op has a header of 8 words, expected 9, since the two lowest bits of word 7 are set}}
  hwx.task @td0 target = h14 at 0x10 {} raw {0x0 = 0x80000, 0x1c = 0x3} []
}

// -----

hwx.program @task_c2_packed target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op stands at 0x14, expected a multiple of 16 of at most 32 bits}}
  hwx.task @td0 target = h14 at 0x14 {} raw {0x0 = 0x80000} []
}

// -----

hwx.program @task_c2_size target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op has 8 words, but bits 26 to 16 of its first word say 9}}
  hwx.task @td0 target = h14 at 0x10 {} raw {0x0 = 0x90000} []
}

// -----

hwx.program @task_c3 target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op is for h13, but its program for h14; expected 'target = h14' after its name}}
  hwx.task @td0 at 0x10 {} []
}

// -----

hwx.program @task_c4_linked target = h13 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op record 1 at 0x3000 is scattered or has a base, but h13 has dense records alone}}
  hwx.task @td0 at 0x0 {} [at 0x3000 words 1, at 0x3000 words 1 base 4]
}

// -----

hwx.program @task_c4_packed target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op record 0 has address 0x20000, but at most 0x1fffc fits}}
  hwx.task @td0 target = h14 at 0x10 {} raw {0x0 = 0xa0000} [at 0x20000 words 1]
}

// -----

hwx.program @program_c6 target = h14 text = 0x100 {
  // expected-error @+1 {{'hwx.task' op at 0x40 is not in the order of the offsets, in which h14 runs tasks}}
  hwx.task @td0 target = h14 at 0x40 {} raw {0x0 = 0x80000} []
  hwx.task @td1 target = h14 at 0x10 {} raw {0x0 = 0x80000} []
}

// -----

// expected-error @+1 {{scattered record has 2 words, the mask 0x5 and no base, expected one word more than the mask has of its 16 bits, and no base}}
func.func private @record_c3() attributes {r = #hwx.record<0, [1, 1] follow = 5>}

// -----

// expected-error @+1 {{record has base 256, expected at most 255}}
func.func private @record_c3_base() attributes {r = #hwx.record<0, [1] base = 256>}

// -----

// expected-error @+1 {{record has 65 words, expected 1 to 64}}
func.func private @record_c1() attributes {r = #hwx.record<0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>}

// -----

hwx.program @record_c2 target = h13 text = 0x100 {
  hwx.task @td0 at 0x0 {} [
    // expected-error @+1 {{record address is 0x4000000, expected at most 0x3ffffff}}
    at 0x4000000 words 1
  ]
}

// -----

hwx.program @container_c1 target = h13 text = 0x0 {
  // expected-error @+1 {{'hwx.container' op has a header of 1 words, expected 8}}
  hwx.container bytes 0x20 header [0x0] {
  }
}

// -----

hwx.program @section_c1 target = h13 text = 0x0 {
  hwx.container bytes 0x20 header [0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0] {
    hwx.segment "__TEXT" vm 0x0 size 0x0 file 0x0 size 0x0 protection 0 0 flags 0x0 {
      // expected-error @+1 {{'hwx.section' op has 3 reserved words and 1 words of relocations, expected 3 and pairs}}
      hwx.section "__text" in "__TEXT" vm 0x0 size 0x0 file 0x0 align 0 flags 0x0 reserved [0x0, 0x0, 0x0] relocations 0x0 [0x1]
    }
  }
}

// -----

hwx.program @segment_name target = h13 text = 0x0 {
  hwx.container bytes 0x20 header [0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0] {
    // expected-error @+1 {{'hwx.segment' op name "__TEXT_AND_MORE_TEXT" has 20 characters, expected at most 16 and no zero}}
    hwx.segment "__TEXT_AND_MORE_TEXT" vm 0x0 size 0x0 file 0x0 size 0x0 protection 0 0 flags 0x0 {
    }
  }
}

// -----

hwx.program @symbol_c1 target = h13 text = 0x0 {
  hwx.container bytes 0x20 header [0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0] {
    // expected-error @+1 {{'hwx.symbol' op has type 256, section 0 and description 0, expected at most 255, 255 and 65535}}
    hwx.symbol "x" type 256 section 0 description 0 value 0x0
  }
}

// -----

hwx.program @command_size target = h13 text = 0x0 {
  hwx.container bytes 0x20 header [0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0] {
    // expected-error @+1 {{size is 4294967296 bytes, expected a multiple of 4 from 8 to 1048576}}
    hwx.command 0x8 size 0x100000000 {}
  }
}

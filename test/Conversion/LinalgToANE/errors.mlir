// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-linalg-to-ane

func.func @tosa(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'tosa.exp' cannot be imported: the ane dialect has no op for it}}
  %0 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @diagonal(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{has the indexing map affine_map<(d0) -> (d0, d0)>, but only maps that name every loop at most once can be imported}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    // expected-error @+1 {{'math.acos' cannot be imported}}
    %1 = math.acos %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @order(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.cmpf' op compares by 'ord', but the engine only knows the six orders of two numbers; use one of eq, ne, lt, le, gt and ge of floats or signed integers}}
  %c = arith.cmpf ord, %x, %y : tensor<4xf32>
  %0 = arith.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bits(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{'arith.andi' op works on the bits of a number, but the engine computes on floats; run it on the host, or use i1 for booleans}}
  %0 = arith.andi %x, %x : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @integers(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{'arith.addi' op computes with integers that are not known at compile time, but the engine computes on floats; compute with floats, or run it on the host}}
  %0 = arith.addi %x, %x : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @unsigned(%x: tensor<4xi8>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.uitofp' op reads signed bytes as unsigned ones, which the engine does not; give them the type ui8}}
  %0 = arith.uitofp %x : tensor<4xi8> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @insert_in_nothing(%x: tensor<2xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'tensor.insert_slice' op writes to a slice of an uninitialised tensor; fill the tensor first}}
  %0 = tensor.insert_slice %x into %e[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @difference(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{reduces by a body that is not a sum, a product, a maximum or a minimum, which is all that can be imported}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.subf %out, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @nothing_there(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
  %e = tensor.empty() : tensor<1x2x3x3xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  // expected-error @+1 {{accumulates on a tensor that holds nothing; fill its destination first}}
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %k : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%e : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// -----

func.func @only_padding(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x9x2xf32> {
  %l = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 3, 0] high[0, 0, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %l : f32
  } : tensor<1x2x6x6xf32> to tensor<1x2x11x6xf32>
  %i = arith.constant dense<0xFF800000> : tensor<1x2x9x2xf32>
  %k = tensor.empty() : tensor<2x3xf32>
  // expected-error @+1 {{has windows that see nothing but padding with an infinity; pad with -65504}}
  %0 = linalg.pooling_nchw_max {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %k : tensor<1x2x11x6xf32>, tensor<2x3xf32>) outs(%i : tensor<1x2x9x2xf32>) -> tensor<1x2x9x2xf32>
  return %0 : tensor<1x2x9x2xf32>
}

// -----

func.func @computed_offset(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = arith.constant 1 : index
  %b = arith.addi %a, %a : index
  // expected-error @+1 {{'tensor.extract_slice' op has offsets that are computed, but a program for the engine has fixed shapes}}
  %0 = tensor.extract_slice %x[%b] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @computed_padding(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %value = tensor.extract %v[] : tensor<f32>
  // expected-error @+1 {{'tensor.pad' op pads with a value that is not a constant}}
  %0 = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @search_from_far(%x: tensor<5x9xf32>) -> tensor<5xi64> {
  %z = arith.constant 2049 : i64
  %n = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  // expected-error @+1 {{searches from place 2.049000e+03, which fp16 does not hold exactly; start from place 0}}
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#1 : tensor<5xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @search_far(%x: tensor<5x2050xf32>) -> tensor<5xi64> {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  // expected-error @+1 {{searches 2050 elements, but indices are computed in fp16}}
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x2050xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#1 : tensor<5xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @search_from_nothing(%x: tensor<5x9xf32>) -> tensor<5xi64> {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  // expected-error @+1 {{searches from a tensor that holds nothing; fill its destination first}}
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%ev, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#1 : tensor<5xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @far_number(%x: tensor<5x9xf32>) -> tensor<5x2050xi64> {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  %e = tensor.empty() : tensor<5x2050xi64>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r#1 : tensor<5xi64>) outs(%e : tensor<5x2050xi64>) {
  ^bb0(%in: i64, %out: i64):
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    // expected-error @+1 {{compares integers of the network with 2049, which fp16 does not hold exactly; compare them outside of the network}}
    %same = arith.cmpi eq, %in, %c : i64
    %bit = arith.extui %same : i1 to i64
    linalg.yield %bit : i64
  } -> tensor<5x2050xi64>
  return %0 : tensor<5x2050xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @inexact_choice(%x: tensor<5x9xf32>) -> tensor<5xi64> {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  %far = arith.constant 4097 : i64
  %e = tensor.empty() : tensor<5xi64>
  %0 = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%r#0, %r#1 : tensor<5xf32>, tensor<5xi64>) outs(%e : tensor<5xi64>) {
  ^bb0(%v: f32, %in: i64, %out: i64):
    %p = arith.cmpf ogt, %v, %n : f32
    // expected-error @+1 {{'arith.select' has integers of the network next to 4097, which fp16 does not hold exactly; compute them outside of the network}}
    %s = arith.select %p, %in, %far : i64
    linalg.yield %s : i64
  } -> tensor<5xi64>
  return %0 : tensor<5xi64>
}

// -----

func.func @short_integers(%x: tensor<4xf32>) -> tensor<4xi16> {
  // expected-error @+1 {{makes 'i16' of 'f32', which may be too small for it; make i32 or i64, or clamp it first}}
  %0 = arith.fptosi %x : tensor<4xf32> to tensor<4xi16>
  return %0 : tensor<4xi16>
}

// -----

func.func @extract_outside(%x: tensor<5x3xf32>) -> tensor<2x3xf32> {
  %known = arith.constant dense<[1, 5]> : tensor<2xi64>
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%known : tensor<2xi64>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.index_cast %in : i64 to index
    // expected-error @+1 {{reads element 5, but there are 5}}
    %v = tensor.extract %x[%k, %j] : tensor<5x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @extract_far(%x: tensor<2049x3xf32>, %at: tensor<2xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<2xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %n = arith.fptosi %in : f32 to i64
    %k = arith.index_cast %n : i64 to index
    // expected-error @+1 {{reads at computed indices among 2049 elements, but they are computed in fp16}}
    %v = tensor.extract %x[%k, %j] : tensor<2049x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @extract_several(%x: tensor<5x5xf32>, %at: tensor<2xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<2xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.fptosi %in : f32 to i64
    %k = arith.index_cast %n : i64 to index
    // expected-error @+1 {{reads at several coordinates that are computed or share loops with others, but at most one is supported; read along one dimension after the other}}
    %v = tensor.extract %x[%k, %k] : tensor<5x5xf32>
    linalg.yield %v : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// One place of a sample is beyond the end.
func.func @sample_beyond(%x: tensor<3xf32>) -> tensor<3xf32> {
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %next = arith.addi %i, %one : index
    %a = tensor.extract %x[%i] : tensor<3xf32>
    // expected-error @+1 {{reads element 3, but there are 3}}
    %b = tensor.extract %x[%next] : tensor<3xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @long_product(%x: tensor<17xf32>) -> tensor<f32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{multiplies 17 elements, but at most 16 can be imported; use a sum of logarithms}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<17xf32>) outs(%one : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.mulf %a, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @overlap(%a: tensor<3xf32>, %b: tensor<1xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = tensor.insert_slice %a into %e[0] [3] [1] : tensor<3xf32> into tensor<4xf32>
  // expected-error @+1 {{'tensor.insert_slice' op is the last of 2 boxes that overlap or leave gaps in a tensor that holds nothing; fill it first, or cut it into boxes side by side}}
  %1 = tensor.insert_slice %b into %0[1] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The tensor is read before it is full.
func.func @half_filled(%a: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'tensor.insert_slice' op writes to a slice of an uninitialised tensor; fill the tensor first}}
  %0 = tensor.insert_slice %a into %e[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %1 = tensor.insert_slice %a into %0[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @gaps_in_data(%x: tensor<2xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.insert_slice' op has a stride other than 1, but elements with gaps can only be inserted where one number is everywhere; fill the destination}}
  %0 = tensor.insert_slice %x into %y[0] [2] [2] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @many_iterations() -> tensor<16777217xf32> {
  %e = tensor.empty() : tensor<16777217xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<16777217xf32>) {
  ^bb0(%out: f32):
    // expected-error @+1 {{numbers 16777217 iterations, but only 16777216 numbers are exact in f32; split the loop}}
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    %v = arith.sitofp %c : i64 to f32
    linalg.yield %v : f32
  } -> tensor<16777217xf32>
  return %0 : tensor<16777217xf32>
}

// -----

func.func @integer_sum(%x: tensor<2x9xi8>) -> tensor<2x3xi32> {
  %w = arith.constant dense<100> : tensor<9x3xi8>
  %z = arith.constant dense<0> : tensor<2x3xi32>
  // expected-error @+1 {{adds up to 115200 in integers, but fp16 counts no further than 2048; make floats of the sum (arith.sitofp) and multiply them with their scale, or import the network in TOSA}}
  %0 = linalg.matmul ins(%x, %w : tensor<2x9xi8>, tensor<9x3xi8>) outs(%z : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

func.func @computed_zero_point(%x: tensor<2x9xi8>, %b: tensor<1xi8>) -> tensor<2x3xf32> {
  %w = arith.constant dense<100> : tensor<9x3xi8>
  %z = arith.constant dense<0> : tensor<2x3xi32>
  %zw = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %b0 = tensor.extract %b[%c0] : tensor<1xi8>
  %zx = arith.extsi %b0 : i8 to i32
  // expected-error @+1 {{multiplies integers, which the engine does only with signed bytes, constant zero points and a bias that is known; dequantize them in front of it (arith.sitofp)}}
  %0 = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<2x9xi8>, tensor<9x3xi8>, i32, i32) outs(%z : tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = arith.sitofp %0 : tensor<2x3xi32> to tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

# make-inputs.sh FOLDER SOURCES: the files that pages take for granted, in their usual names.
set -eu
cd "$1"
python=/usr/bin/python3
"$python" "$2/examples/networks/generate.py" lenet --weights=inline -o net.mlir
"$python" "$2/examples/networks/generate.py" image --shape 1x1x28x28 -o x.npy
ane-compile net.mlir -o net.hwx
ane-compile net.mlir -o net.mil
ane-compile net.mlir -o net.mlpackage
mkdir DIR && cp -r weights DIR
cp "$2/test/Tools/ane-plugin/transform.mlir" script.mlir
cp "$2/test/Docs/Inputs/f.mlir" f.mlir
cp "$2/test/Benchmarks/Inputs/measurements.csv" TABLE.csv
mkdir out
"$python" "$2/test/Docs/Inputs/make-onnx.py" "$2/test/Target/ONNX/Inputs"
"$python" "$2/test/Docs/Inputs/make-plist.py" "$2/test/Target/Models/Inputs"
"$python" "$2/test/Docs/Inputs/make-mlmodel.py" "$2/test/Target/Models/Inputs"
"$python" "$2/test/Docs/Inputs/make-espresso.py"

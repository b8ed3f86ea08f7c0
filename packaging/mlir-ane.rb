# Homebrew, from a clone: brew install --HEAD ./packaging/mlir-ane.rb. Not run yet (docs/Setup.md).
class MlirAne < Formula
  desc "Graph compiler for the Apple Neural Engine on MLIR"
  license "Apache-2.0" => { with: "LLVM-exception" }
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "cmake" => :build
  depends_on "lld" => :build
  depends_on "ninja" => :build
  depends_on "abseil"
  depends_on "highway"
  depends_on "llvm"
  depends_on "protobuf"
  depends_on "python@3.13"

  def install
    llvm = Formula["llvm"].opt_prefix
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DANE_BUILD_TESTS=OFF",
                    "-DCMAKE_C_COMPILER=#{llvm}/bin/clang", "-DCMAKE_CXX_COMPILER=#{llvm}/bin/clang++",
                    "-DCMAKE_PREFIX_PATH=#{llvm}", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"net.mlir").write <<~MLIR
      func.func @net(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
        %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
        return %0 : tensor<1x4x8x8xf16>
      }
    MLIR
    system bin/"ane-compile", "net.mlir", "-o", "net.hwx"
    system bin/"ane-run", "net.hwx"
  end
end

# Sourced by common.sh: what each package manager calls what we need, and how it is asked.
#
# Names for apt are used by every run of the tests. Those for dnf, pacman and brew follow the
# archives of Fedora 42, Arch and Homebrew; they have not run here (docs/Setup.md says what has).
# Only what bash 3.2 has, which is the one of macOS.

# The package manager of this machine: apt-get, dnf, pacman, brew, or nothing.
find_manager() {
  local candidate
  for candidate in apt-get dnf pacman brew; do
    if command -v "$candidate" >/dev/null; then
      echo "$candidate"
      return
    fi
  done
}
manager=$(find_manager)

# packages ROLE: what to install to build, to run the tests, to run the benchmarks.
packages() {
  case $manager/$1 in
  apt-get/build)
    echo g++ cmake ninja-build ccache clang-22 lld-22 llvm-22-dev libmlir-22-dev mlir-22-tools \
      llvm-22-tools libabsl-dev libhwy-dev libgmock-dev libgtest-dev libprotobuf-dev \
      protobuf-compiler python3
    ;;
  apt-get/test) echo clang-format-22 libclang-rt-22-dev python3-numpy ;;
  apt-get/benchmark) echo libbenchmark-dev libdnnl-dev ;;
  apt-get/tidy) echo clang-tidy-22 ;;
  apt-get/networks) echo python3-onnx python3-pil espeak-ng fonts-dejavu-core ;;
  dnf/build)
    echo gcc-c++ cmake ninja-build ccache clang lld llvm-devel llvm-static mlir-devel mlir \
      abseil-cpp-devel highway-devel gmock-devel gtest-devel protobuf-devel protobuf-compiler \
      python3
    ;;
  dnf/test) echo clang-tools-extra compiler-rt llvm-test python3-lit python3-numpy ;;
  dnf/benchmark) echo google-benchmark-devel onednn-devel ;;
  dnf/tidy) echo clang-tools-extra ;;
  pacman/build)
    echo gcc cmake ninja ccache clang lld llvm mlir abseil-cpp highway gtest protobuf python
    ;;
  pacman/test) echo clang compiler-rt llvm python-numpy ;;
  pacman/benchmark) echo benchmark onednn ;;
  pacman/tidy) echo clang ;;
  brew/build) echo cmake ninja ccache llvm lld abseil highway googletest protobuf ;;
  brew/test) echo lit numpy ;;
  brew/benchmark) echo google-benchmark onednn ;;
  brew/tidy) echo llvm ;;
  esac
}

is_installed() {
  case $manager in
  apt-get) [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = 'install ok installed' ] ;;
  dnf) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
  pacman) pacman -Qq "$1" >/dev/null 2>&1 ;;
  brew) brew list --versions "$1" >/dev/null 2>&1 ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    say "need root or sudo to run: $*"
    return 1
  fi
}

# The LLVM project's own archive, for a Debian or Ubuntu whose archive is older.
add_llvm_archive() {
  local codename key=/etc/apt/keyrings/apt.llvm.org.asc
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  say "LLVM 22 is not in the archive of this system: it comes from the LLVM project's archive,"
  say "  https://apt.llvm.org/$codename (see /etc/apt/sources.list.d/llvm-22.list afterwards)"
  step "apt-get install ca-certificates, wget" as_root apt-get install -y -q \
    --no-install-recommends ca-certificates wget || return 1
  step "add the archive" as_root sh -c "mkdir -p ${key%/*} &&
    wget -nv -O $key https://apt.llvm.org/llvm-snapshot.gpg.key &&
    echo 'deb [signed-by=$key] https://apt.llvm.org/$codename/ llvm-toolchain-$codename-22 main' \
      >/etc/apt/sources.list.d/llvm-22.list" || return 1
  step "apt-get update" as_root apt-get update -q
}

install_missing() {
  case $manager in
  apt-get)
    step "apt-get update" as_root apt-get update -q || return 1
    case " $* " in *-22*)
      case $(apt-cache policy clang-22) in
      *"Candidate: (none)"* | "") add_llvm_archive || return 1 ;;
      esac
      ;;
    esac
    step "apt-get install" as_root apt-get install -y -q --no-install-recommends "$@"
    ;;
  dnf) step "dnf install" as_root dnf install -y --setopt=install_weak_deps=False "$@" ;;
  pacman) step "pacman -S" as_root pacman -S --needed --noconfirm "$@" ;;
  brew) step "brew install" env HOMEBREW_NO_AUTO_UPDATE=1 brew install "$@" ;;
  esac
}

# install ROLE...: says what is missing and installs it; nothing when all is there.
install() {
  local role package missing=""
  if [ -z "$manager" ]; then
    say "no apt-get, dnf, pacman or brew is there: what is needed is taken as it is found."
    say "  It is LLVM and MLIR 22.1 with clang and lld, CMake, Ninja, Abseil, Highway,"
    say "  GoogleTest, protobuf and Python 3 (docs/Setup.md)."
    return 0
  fi
  for role in "$@"; do
    for package in $(packages "$role"); do
      is_installed "$package" || missing="$missing $package"
    done
  done
  [ -z "$missing" ] && return 0
  say "to be installed by $manager:$missing" | fold -s -w 96
  if [ "$manager" != brew ] && [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say "need root or sudo. Run this as root once; the scripts then need no rights:"
    case $manager in
    apt-get) say "  apt-get update && apt-get install -y --no-install-recommends$missing" ;;
    dnf) say "  dnf install -y$missing" ;;
    pacman) say "  pacman -S --needed$missing" ;;
    esac
    return 1
  fi
  # shellcheck disable=SC2086
  install_missing $missing
}

# first_of COMMAND...: the first that is there.
first_of() {
  local candidate
  for candidate in "$@"; do
    if command -v "$candidate" >/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# Where LLVM 22 is: Debian and Ubuntu, Homebrew, any other by the llvm-config on the path.
llvm_prefix() {
  local config
  if [ "${manager:-apt-get}" = apt-get ] && [ -d /usr/lib/llvm-22 ]; then
    echo /usr/lib/llvm-22
  elif [ "$manager" = brew ]; then
    brew --prefix llvm
  elif config=$(first_of llvm-config-22 llvm-config); then
    "$config" --prefix
  fi
}

# Fails where the LLVM of the system is another one, before CMake does in its words.
check_llvm() {
  local prefix version
  prefix=$(llvm_prefix)
  if [ -z "$prefix" ] || ! [ -x "$prefix/bin/llvm-config" ]; then
    return 0 # CMake says what it looked for
  fi
  version=$("$prefix/bin/llvm-config" --version)
  case $version in
  22.*) return 0 ;;
  esac
  say "LLVM of this system is $version ($prefix), but MLIR 22.1 is needed."
  say "  Take a newer release of the system, or build LLVM 22 with -DLLVM_ENABLE_PROJECTS='mlir;clang;lld'"
  say "  and put its bin folder first on PATH."
  return 1
}

# Arguments for CMake: compiler and LLVM of this machine.
compiler_arguments() {
  local prefix
  prefix=$(llvm_prefix)
  if ! command -v clang++-22 >/dev/null; then
    if [ -n "$prefix" ] && [ -x "$prefix/bin/clang++" ]; then
      echo "-DCMAKE_C_COMPILER=$prefix/bin/clang" "-DCMAKE_CXX_COMPILER=$prefix/bin/clang++"
    else
      echo -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
    fi
  fi
  case $prefix in "" | /usr | /usr/lib/llvm-22) ;; *) echo "-DCMAKE_PREFIX_PATH=$prefix" ;; esac
}

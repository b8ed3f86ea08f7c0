# Sourced by the scripts of this folder: finds what is missing, installs it, builds.
set -euo pipefail

# The scripts take nothing; whoever gives them something wants to know what they do.
if [ $# -gt 0 ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  case $1 in -h | --help) exit 0 ;; *) exit 1 ;; esac
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${ANE_BUILD_DIR:-$root/build}

build_packages=(g++ cmake ninja-build ccache clang-22 lld-22 llvm-22-dev
  libmlir-22-dev mlir-22-tools llvm-22-tools libabsl-dev libhwy-dev libgmock-dev libgtest-dev
  libprotobuf-dev protobuf-compiler python3)
test_packages=(clang-format-22 libclang-rt-22-dev python3-numpy)
benchmark_packages=(libbenchmark-dev libdnnl-dev)

say() { printf '%s\n' "$*"; }

# step "what is done" command...: prints what and how long; the output goes to a
# log that is shown only when the command fails.
step() {
  local what=$1 log start
  shift
  log=$(mktemp)
  start=$(date +%s)
  printf '%-44s' "$what"
  if "$@" >"$log" 2>&1; then
    printf '%4d s\n' $(($(date +%s) - start))
    rm -f "$log"
  else
    printf 'failed\n'
    tail -n 60 "$log"
    rm -f "$log"
    return 1
  fi
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

missing_packages() {
  local p
  for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' ||
      printf '%s ' "$p"
  done
}

# install packages...: nothing when all are there.
install() {
  local missing
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  if ! command -v apt-get >/dev/null; then
    say "these packages are missing and there is no apt-get: $missing"
    return 1
  fi
  step "apt-get update" as_root apt-get update -q
  # shellcheck disable=SC2086
  step "apt-get install" as_root apt-get install -y -q --no-install-recommends $missing
}

configure() {
  (cd "$root" && cmake --preset dev -B "$build" \
    -DANE_GOLDEN_DIR="${ANE_GOLDEN_DIR:-}" "$@")
}

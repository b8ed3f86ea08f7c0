# Sourced by the scripts of this folder: finds what is missing, installs it, builds.
set -euo pipefail

# The scripts take nothing; whoever gives them something wants to know what they do.
if [ $# -gt 0 ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  case $1 in -h | --help) exit 0 ;; *) exit 1 ;; esac
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${ANE_BUILD_DIR:-$root/build}

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

source "$root/scripts/packages.sh"

# progress "what is done" command...: as step, with the last line of output meanwhile, where
# somebody looks on.
progress() {
  if ! [ -t 1 ]; then
    step "$@"
    return
  fi
  local what=$1 log start
  shift
  log=$(mktemp)
  start=$(date +%s)
  if "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
    printf '\r%-44.44s%-34.34s' "$what" "$line"
  done; then
    printf '\r%-44s%4d s%30s\n' "$what" $(($(date +%s) - start)) ""
    rm -f "$log"
  else
    printf '\r%-44sfailed%30s\n' "$what" ""
    tail -n 60 "$log"
    rm -f "$log"
    return 1
  fi
}

configure() {
  check_llvm || return 1
  # shellcheck disable=SC2046
  (cd "$root" && cmake --preset dev -B "$build" $(compiler_arguments) \
    -DANE_GOLDEN_DIR="${ANE_GOLDEN_DIR:-}" "$@")
}

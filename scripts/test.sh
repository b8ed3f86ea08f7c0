#!/usr/bin/env bash
# Takes a bare machine (root or sudo; docs/Setup.md says which) to the result of every test:
# installs what is missing, configures, builds, checks the sources, runs the lit suite and the
# unit tests. The last line is "N passed, M failed"; before it stands what could not
# run here, and what is not checked for that.
#
# ANE_GOLDEN_DIR=DIR also runs the tests on real register programs and networks.
source "$(dirname "$0")/common.sh"
started=$(date +%s)

say "packages (1 to 2 minutes where they are missing), build (6 minutes on two cores), checks"
say "(2 minutes), tests (8 minutes)"
install build test
step "configure" configure -DANE_BUILD_TESTS=ON
progress "build" ninja -C "$build"
progress "build the fuzzers" ninja -C "$build" ANEFuzzers
# The packages above have all that tests need: here a fuzzer that is not built is a failure.
export ANE_ALL_TESTS=1

passed=0 failed=0 missing=0
for check in "$root"/utils/check-*; do
  case $check in *.py) continue ;; esac # tools of the tests, not checks
  if step "$(basename "$check")" "$check" "$build"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done

results=$build/lit-results.json
rm -f "$results"
tests_started=$(date +%s)
say "tests:"
ninja -C "$build" ANEUnitTests >/dev/null
# The slowest tests come first, so that none is alone in the end: by the times of the last
# run in this build folder, or by those in test/.lit_test_times.txt.
"$(first_of lit-22 lit llvm-lit)" -s --time-tests -o "$results" "$build/test" >"$build/lit.log" 2>&1 || true
if [ ! -s "$results" ]; then
  cat "$build/lit.log"
  say "the test suite did not run"
  failed=$((failed + 1))
else
  /usr/bin/python3 "$root/utils/summarize-tests.py" "$results" "$build/lit.log"
  read -r p f missing <<<"$(/usr/bin/python3 "$root/utils/summarize-tests.py" --count "$results")"
  passed=$((passed + p)) failed=$((failed + f))
fi
say "tests took $(($(date +%s) - tests_started)) s, everything $(($(date +%s) - started)) s"
[ "$missing" = 0 ] || say "$missing checks could not run: see what they need above"
say "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]

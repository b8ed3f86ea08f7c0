"""A judge of three programs. usage: judge.py BIN FAILURE..."""
import sys

failures = sys.argv[2:]
for name in failures:
    print(f"{name}: WRONG: error 1.0")
print(f"programs: {3 - len(failures)} of 3 right")
sys.exit(bool(failures))

"""Prints what section_cost.py reads from a table. usage: read-measurements.py FOLDER TABLE"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import section_cost

programs, reasons = section_cost.read(sys.argv[2])
for rows in programs.values():
    for row in rows:
        print(row.id, row.chip, row.kind, row.line)
for chip, counts in reasons.items():
    for reason, count in sorted(counts.items()):
        print(f"{chip} {count}: {reason}")

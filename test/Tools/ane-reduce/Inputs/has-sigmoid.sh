#!/bin/sh
# Interesting (exit 1) as long as the file applies a sigmoid.
grep -q 'sigmoid' "$1" && exit 1
exit 0

#!/usr/bin/env bash
# Builds the kit for owners of a machine with a Neural Engine: programs, their inputs and outputs, and
# the script that runs them, as build/device-kit.tar.gz (docs/DeviceKit.md).
source "$(dirname "$0")/common.sh"
out=$build/device-kit

install build
step "configure" configure -DANE_BUILD_TESTS=OFF
progress "build" ninja -C "$build" ane-compile ane-runtime
rm -rf "$out"
step "the kit" /usr/bin/python3 "$root/utils/device_kit.py" "$out" --bin "$build/bin" --library "$build/lib/libane-runtime.so"
step "pack" tar -C "$build" -czf "$out.tar.gz" device-kit
say "$out.tar.gz"

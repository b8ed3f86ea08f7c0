#!/usr/bin/env bash
# Makes packages of what is here: a .deb and a tarball with tools, plugin, libraries, headers,
# Python, pages of the manual, completions and docs, in build-package/.
source "$(dirname "$0")/common.sh"
build=${ANE_BUILD_DIR:-$root/build-package}

install build
step "configure" configure -DANE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr \
  -DCMAKE_INSTALL_LIBDIR=lib -DANE_PYTHON_DIR=lib/python3/dist-packages
progress "build" ninja -C "$build"
step "pack" cmake --build "$build" --target package
ls -1 "$build"/*.deb "$build"/*.tar.gz

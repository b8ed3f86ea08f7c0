#!/usr/bin/env bash
# Builds the docs as a site in build/site (or $ANE_BUILD_DIR/site), which opens from the disk:
# every warning of mkdocs is an error, and every link has to lead somewhere. Needs mkdocs.
source "$(dirname "$0")/common.sh"

if ! command -v mkdocs >/dev/null; then
  say "there is no mkdocs: install it (Debian, Ubuntu, Fedora, Homebrew: mkdocs; else pip install mkdocs)"
  exit 1
fi
step "mkdocs build --strict" mkdocs build --strict --config-file "$root/mkdocs.yml" --site-dir "$build/site"
step "links of the site" /usr/bin/env python3 -B "$root/utils/docs_site.py" "$build/site"
say "$build/site/index.html"

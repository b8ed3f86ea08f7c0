#!/usr/bin/python3
"""The hooks of mkdocs.yml, and a check of the links of a site.

usage: docs_site.py SITE     fails when a link of a page in the folder SITE leads nowhere

The pages of docs/ are written to be read in the tree, where they link to tests and sources. For the
site they are copied: the README becomes index.md, and a file or folder of the tree that a page
links to becomes a page of its own below source/. Headings get the ids that GitHub gives them.
"""
import html
import html.parser
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
MAX_BYTES = 400_000
log = logging.getLogger("mkdocs.docs_site")

PAGE = """<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font-family: sans-serif; margin: 2em; color-scheme: light dark }} pre {{ overflow-x: auto }}</style>
<p><a href="{home}">mlir-ane</a></p>
<h1>{title}</h1>
{body}
"""


def slug(text, separator="-"):
    """The id of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


class Site:
    """A folder of pages for mkdocs, made from docs/."""

    def __init__(self, folder):
        self.folder, self.sources = folder, set()

    def make(self):
        shutil.copytree(os.path.join(ROOT, "docs"), self.folder, dirs_exist_ok=True)
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            self.write("index.md", self.convert(file.read(), "README.md", "index.md"))
        for at, _, names in os.walk(os.path.join(ROOT, "docs")):
            for name in names:
                if name.endswith(".md"):
                    path = os.path.relpath(os.path.join(at, name), os.path.join(ROOT, "docs"))
                    with open(os.path.join(at, name), encoding="utf-8") as file:
                        self.write(path, self.convert(file.read(), os.path.join("docs", path), path))
        for source in sorted(self.sources):
            self.add_source(source)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def convert(self, text, source, page):
        """The text of a page of the site; `source` is its file in the tree."""
        def link(found):
            target = found[2]
            if re.match(r"[a-z]+:", target):
                return found[0]
            place = os.path.normpath(os.path.join(os.path.dirname(source), target))
            if place.startswith("docs" + os.sep) and place.endswith(".md"):
                to = os.path.relpath(place, "docs")
            elif place == "README.md":
                to = "index.md"
            elif not place.startswith("..") and os.path.exists(os.path.join(ROOT, place)):
                self.sources.add(place)
                to = source_page(place)
            else:
                log.warning("%s: there is no %s", source, target)
                return found[0]
            return found[1] + os.path.relpath(to, os.path.dirname(page) or ".") + found[3]

        lines, inside = [], False
        for line in text.split("\n"):
            if re.match(r"\s*```", line):
                inside = not inside
            lines.append(line if inside else LINK.sub(link, line))
        return "\n".join(indent_lists(lines))

    def add_source(self, place):
        path, page = os.path.join(ROOT, place), source_page(place)
        home = os.path.relpath("index.html", os.path.dirname(page))
        if os.path.isdir(path):
            items = []
            for name in sorted(os.listdir(path)):
                inner = os.path.join(place, name)
                if inner in self.sources:
                    at = os.path.relpath(source_page(inner), os.path.dirname(page))
                    items.append(f'<li><a href="{html.escape(at)}">{html.escape(name)}</a></li>')
                else:
                    items.append(f"<li>{html.escape(name)}</li>")
            body = "<ul>" + "".join(items) + "</ul>"
        else:
            with open(path, "rb") as file:
                text = file.read(MAX_BYTES + 1)
            cut = "\n... (the rest is in the tree)" if len(text) > MAX_BYTES else ""
            body = f"<pre>{html.escape(text[:MAX_BYTES].decode(errors='replace') + cut)}</pre>"
        self.write(page, PAGE.format(title=html.escape(place), home=html.escape(home), body=body))


def source_page(place):
    return os.path.join("source", place + ".html")


def indent_lists(lines):
    """Lists inside of lists are indented by two spaces on GitHub, by four in Python's Markdown."""
    inside = False
    for line in lines:
        if re.match(r"\s*```", line):
            inside = not inside
        found = None if inside else re.match(r"( {2,})([-*]|\d+\.) ", line)
        yield line if not found else " " * len(found[1]) + line


# ---------------------------------------------------------------- hooks
def on_config(config):
    folder = tempfile.mkdtemp(prefix="docs-site-")
    Site(folder).make()
    config["docs_dir"] = folder
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    return config


def on_nav(nav, config, files):
    for page in files.documentation_pages():
        if page.page is None or page.page not in nav.pages:
            log.warning("%s: is not in the nav of mkdocs.yml", page.src_path)
    return nav


def on_post_build(config):
    # A page that is read from a disk may load a script, but no data.
    folder = os.path.join(config["site_dir"], "search")
    with open(os.path.join(folder, "search_index.json"), encoding="utf-8") as file:
        entries = json.load(file)["docs"]
    titles = {entry["location"]: entry["title"] for entry in entries}
    for entry in entries:
        entry["page"] = titles.get(entry["location"].split("#")[0], "")
    with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as file:
        file.write(f"const INDEX = {json.dumps(entries)};\n")
    os.remove(os.path.join(folder, "search_index.json"))
    shutil.rmtree(config["docs_dir"], ignore_errors=True)


# ---------------------------------------------------------------- links
class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.ids = [], set()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for key in ("href", "src"):
            if attributes.get(key):
                self.targets.append(attributes[key])
        for key in ("id", "name"):
            if attributes.get(key):
                self.ids.add(attributes[key])


def check(site):
    """Links of pages that lead nowhere: to no file, or to no id of it; and what would be loaded from elsewhere."""
    pages = {}
    for at, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(at, name)
                links = pages[os.path.normpath(path)] = Links()
                with open(path, encoding="utf-8") as file:
                    links.feed(file.read())
    count = 0
    for path, links in sorted(pages.items()):
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            place = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if os.path.isdir(place):
                place = os.path.join(place, "index.html")
            fragment = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(place):
                yield f"{os.path.relpath(path, site)}: links to {target}, which is not there"
            elif fragment and place in pages and fragment not in pages[place].ids:
                yield f"{os.path.relpath(path, site)}: links to {target}, but {os.path.relpath(place, site)} has no such id"
    if not count:
        yield f"{site}: no page has a link"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    problems = list(check(sys.argv[1]))
    print("\n".join(problems))
    sys.exit(1 if problems else 0)

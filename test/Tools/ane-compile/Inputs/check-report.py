"""check-report.py PAGE STATS...: holds a page of ane-compile against what ane-run says

One file of `ane-run --stats` for each program of the page, in their order. Prints what the
page says of each, for FileCheck; anything that does not fit is an error.
"""
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.title, self.data, self.inside = [], "", "", []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in ("meta", "input"):
            self.inside.append((tag, dict(attributes)))
        for name, value in attributes:
            assert name not in ("src", "onload", "onerror"), f"{tag} has {name}={value}"
            assert name != "href", f"{tag} refers to {value}"

    def handle_endtag(self, tag):
        opened, _ = self.inside.pop()
        assert opened == tag, f"<{opened}> ends as </{tag}>"

    def handle_data(self, text):
        if not self.inside:
            return
        tag, attributes = self.inside[-1]
        if tag == "title":
            self.title += text
        if tag == "script" and attributes.get("id") == "data":
            self.data += text


def check_program(plan, stats, sources):
    assert plan["stats"] == stats, "the page and ane-run differ"
    tasks, size = stats["per_task"], plan["chip"]["l2_bytes"]
    assert len(plan["task_sources"]) == len(plan["l2_live_bytes"]) == len(tasks)
    assert all(0 <= number < len(sources) for numbers in plan["task_sources"] for number in numbers)
    free = {}
    for lane, task, start, took, moved in plan["slices"]:
        assert start >= free.get(lane, 0) - 1e-12, f"lane {lane} does two things at {start}"
        free[lane] = start + took
        assert took > 0 and 0 <= task < len(tasks) and moved >= 0
    # Buffers hold what the tasks say, all of it, and nothing else.
    placed = {(*operand["l2"], task["index"]) for task in tasks for operand in task["operands"]
              if "l2" in operand and (operand["place"] != "l2" or operand["role"] == "result")}
    assert {tuple(buffer[:3]) for buffer in plan["buffers"]} == placed
    for begin, end, first, last, kind in plan["buffers"]:
        assert 0 <= begin < end <= size and first <= last < len(tasks)
        assert plan["buffer_kinds"][kind] != "tile" or first == last
    for task in tasks:
        for operand in task["operands"]:
            if operand["place"] != "l2" or operand["role"] == "result":
                continue
            begin, end = operand["l2"]
            assert any(b < end and begin < e and first < task["index"] <= last
                       for b, e, first, last, _ in plan["buffers"]), f"nobody wrote what task {task['index']} reads"
    assert all(0 < live <= size for live in plan["l2_live_bytes"])
    print(f"{plan['file']}: {len(tasks)} tasks")
    for task, numbers in zip(tasks, plan["task_sources"]):
        print(f"  {task['unit']} {task['op']}:",
              ", ".join(f"{sources[n].get('file')}:{sources[n].get('line')} {sources[n].get('name', '')} {sources[n].get('text', '')}"
                        for n in numbers))


def main():
    path, *stats = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", ""), "the page wants a network"
    page = Page()
    page.feed(text)
    page.close()
    assert page.tags.count("script") == 2 and "img" not in page.tags and "link" not in page.tags, page.tags
    assert not page.inside, page.inside
    report = json.loads(page.data)
    assert page.title == report["input"], page.title
    assert len(report["programs"]) == len(stats), f"{len(report['programs'])} programs"
    print("page of", report["input"])
    for plan, name in zip(report["programs"], stats):
        with open(name, encoding="utf-8") as file:
            check_program(plan, json.load(file), report["sources"])


main()

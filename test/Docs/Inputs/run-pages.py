"""Runs the commands of pages, one after the other, as they stand there.

usage: run-pages.py PAGE... --inputs DIR --scratch DIR [--links NAME=PATH]... [--env NAME=VALUE]...

A block of a page is one of commands if it is ```sh, or has no language and begins with a command
of this project. Each page starts in a folder of its own with a copy of the inputs. All commands
have to succeed, and tools that have nothing to say have to say nothing. The other ones are named
in the source of the page, above their block, with the reason:

    <!-- not run, needs root: ane-run net.hwx --device=apple -->   lines that begin so
    <!-- not run, builds the project -->                           the whole block
    <!-- run as benchmarks/run.py --short: benchmarks/run.py -->   a cheaper form of lines that begin so
    <!-- fails with "no cache": ane-run net.hwx -->                what it says here

A reason begins with "needs" (a thing that is not on every machine), with "is tested by" or "runs in" (a
file), or is "builds the project". One that fits no command is an error, so that none outlives its command.

Examples of Python begin with >>> and are run by doctest; ... in what they print stands for anything.
A block of Python without >>> is an error: nothing would run it.

Commands in the text, such as `ane-run --stats`, have to name options that the tool has.
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys

TOOLS = ("ane-compile", "ane-lsp-server", "ane-opt", "ane-reduce", "ane-run", "ane-tblgen", "ane-translate")
OURS = re.compile(r"(build/bin/)?(" + "|".join(TOOLS) + r")\s|(utils|scripts|benchmarks|examples)/|"
                  r"(cmake|ninja|lit-22|mlir-opt-22|git|pip|mkdocs|sudo|apt|apt-get)\s")
MARK = re.compile(r'<!-- (?:(not run), ((?:needs [^:]+?)|(?:(?:is tested by|runs in) [^: ]+)|builds the project)|(run as) ([^:]+?)|(fails with) "(.+?)")'
                  r"(?:: (.+?))? -->")
SECONDS = 60


class Block:
    """Commands, with the lines that they begin at, and the marks above them."""

    def __init__(self, line, language):
        self.line, self.language, self.lines, self.marks = line, language, [], []

    def is_shell(self):
        if self.language:
            return self.language in ("sh", "bash", "shell", "console")
        return any(OURS.match(text) for _, text in self.lines[:1])

    def commands(self):
        """Pairs of line and command; a line may go on in the next one, comments are left out."""
        text, start = "", None
        for number, line in self.lines:
            start = start or number
            text += line
            if text.endswith("\\"):
                text = text[:-1]
                continue
            command = re.sub(r"(^|\s)#\s.*", "", text).strip()
            if command:
                yield start, command
            text, start = "", None


def blocks(page):
    """The blocks of a page, and problems of its marks."""
    found, problems, marks, block = [], [], [], None
    with open(page, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            fence = re.match(r"\s*```(.*)$", line)
            if fence and block is None:
                block = Block(number, fence[1].strip())
                block.marks, marks = marks, []
            elif fence:
                found.append(block)
                block = None
            elif block is not None:
                block.lines.append((number, line.strip()))
            elif re.match(r"\s*<!-- (not run|run as|fails with)", line):
                mark = MARK.fullmatch(line.strip())
                if mark:
                    marks.append((number, mark))
                else:
                    problems.append(f"{number}: no form of a mark: {line.strip()}")
            elif line.strip() and marks:
                problems += [f"{at}: no block follows the mark" for at, _ in marks]
                marks = []
    return found, problems


def quiet(command):
    return re.match(r"(build/bin/)?ane-", command) and not re.search(r"--(remarks|ane-why|ane-check|profile)", command)


class Page:
    def __init__(self, path, arguments):
        self.path, self.arguments = path, arguments
        self.name = os.path.relpath(path, arguments.root)
        self.problems, self.ran, self.left = [], 0, 0

    def problem(self, line, text):
        self.problems.append(f"{self.name}:{line}: {text}")

    def run(self):
        found, problems = blocks(self.path)
        self.problems += [f"{self.name}:{problem}" for problem in problems]
        shells = [block for block in found if block.is_shell()]
        examples = [block for block in found if block.language in ("python", "pycon")]
        for block in examples:
            if not any(line.startswith(">>> ") for _, line in block.lines):
                self.problem(block.line, "Python without >>>, which nothing runs")
        for block in found:
            if block not in shells and block.marks:
                self.problem(block.line, "a mark, but the block has no commands")
        if not shells and not examples:
            return
        self.folder = os.path.join(self.arguments.scratch, self.name.replace("/", "-"))
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.arguments.inputs, self.folder, symlinks=True)
        for link in self.arguments.link:
            name, target = link.split("=", 1)
            os.symlink(target, os.path.join(self.folder, name))
        for block in shells:
            self.run_block(block)
        if examples:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run-examples.py")
            self.run_command(1, shlex.join(["/usr/bin/python3", script, self.path]))
        shutil.rmtree(self.folder)

    def run_block(self, block):
        used = set()
        commands = list(block.commands())
        if not commands:
            self.problem(block.line, "no command in a block of commands")
        for line, command in commands:
            marks = [(at, mark) for at, mark in block.marks if command.startswith(mark[7] or "")]
            used |= {at for at, _ in marks}
            kind = {next(word for word in (mark[1], mark[3], mark[5]) if word): mark for _, mark in marks}
            if "not run" in kind:
                test = re.match(r"(?:is tested by|runs in) (.+)", kind["not run"][2])
                if test and not os.path.exists(os.path.join(self.arguments.root, test[1])):
                    self.problem(line, f"there is no {test[1]}")
                self.left += 1
                continue
            if "run as" in kind:
                command = kind["run as"][4] + command[len(kind["run as"][7]):]
            self.run_command(line, command, kind["fails with"][6] if "fails with" in kind else None)
        for at, mark in block.marks:
            if at not in used:
                self.problem(at, f"no command begins with '{mark[7]}'" if mark[7] else "nothing is marked")

    def run_command(self, line, command, failure=None):
        self.ran += 1
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONPATH="python", **dict(x.split("=", 1) for x in self.arguments.env))
        try:
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.problem(line, f"{command}\n    takes more than {SECONDS} s")
            return
        said = "".join(f"\n    {text}" for text in (done.stderr or done.stdout).strip().splitlines()[-60:])
        if failure is not None:
            if done.returncode == 0 or failure not in done.stderr:
                self.problem(line, f"{command}\n    exit code {done.returncode}, expected a failure with: {failure}{said}")
        elif done.returncode:
            self.problem(line, f"{command}\n    exit code {done.returncode}{said}")
        elif quiet(command) and done.stderr and " remark: " not in done.stderr:
            self.problem(line, f"{command}\n    is expected to say nothing{said}")


def options_of(tools):
    """The options of each tool: its --help-hidden lists them as '  --name' or '  -x'."""
    result = {}
    for tool in TOOLS:
        done = subprocess.run([os.path.join(tools, tool), "--help-hidden"], capture_output=True, text=True, check=False)
        # TableGen's and MLIR's own help: "--name", "--name=<value>", "=value" of an option without one.
        result[tool] = set(re.findall(r"(?<![\w-])-{1,2}([A-Za-z][\w-]*)", done.stdout)) | {"help", "help-hidden", "version"}
    return result


def check_spans(page, name, options):
    """Commands in the text name options that exist."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^\s*```.*?^\s*```", lambda found: "\n" * found[0].count("\n"), file.read(), flags=re.S | re.M)
    for span in re.finditer(r"`((?:build/bin/)?(" + "|".join(TOOLS) + r") [^`]*)`", text):
        try:
            words = shlex.split(span[1])
        except ValueError:
            words = span[1].split()
        for word in words[1:]:
            option = re.match(r"--?([A-Za-z][\w-]*)", word)
            if option and option[1] not in options[span[2]]:
                yield f"{name}:{text[:span.start()].count(chr(10)) + 1}: {span[2]} has no option --{option[1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+")
    for option in ("--root", "--inputs", "--scratch", "--tools"):
        parser.add_argument(option, required=True)
    parser.add_argument("--link", action="append", default=[])
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    options = options_of(arguments.tools)
    pages = [Page(os.path.abspath(path), arguments) for path in arguments.pages]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for _ in pool.map(Page.run, pages):
            pass
    problems = [problem for page in pages for problem in page.problems]
    for page in pages:
        problems += check_spans(page.path, page.name, options)
    print("\n".join(problems + [f"{sum(page.ran for page in pages)} commands run, {sum(page.left for page in pages)} not"]))
    sys.exit(1 if problems else 0)


main()

#!/usr/bin/python3
"""Makes a man page or the completion of a shell from what a tool says about itself.

usage: describe-tool.py TOOL {man,bash,zsh,fish} [-o FILE]

TOOL is asked for --help and --version, so that nothing is written down twice.
"""
import argparse
import os
import re
import subprocess
import sys
import textwrap


class Option:
    def __init__(self, name, value, text):
        self.name, self.value, self.text = name, value, text
        self.choices = []  # (value, text)

    @property
    def takes_file(self):
        return bool(re.search(r"\.\w+|file|DIR|dir|path", self.value or ""))


class Tool:
    """What --help says: `summary`, `lines` (the rest of the overview), `usage`, `groups` of options."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        said = subprocess.run([path, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.version = subprocess.run([path, "--version"], stdout=subprocess.PIPE, text=True,
                                      check=True).stdout.splitlines()[0].strip()
        head, found, tail = said.partition("\nUSAGE: ")
        if not found or not head.startswith("OVERVIEW: "):
            sys.exit(f"{path}: --help does not begin with OVERVIEW and USAGE")
        overview = head[len("OVERVIEW: "):].splitlines()
        self.summary = overview[0].split(": ", 1)[-1].strip()
        self.lines = overview[1:]
        usage, _, options = tail.partition("\n")
        self.usage = usage.strip()
        self.groups = self.parse(options)
        if not any(options for _, options in self.groups):
            sys.exit(f"{path}: --help lists no options")

    @staticmethod
    def parse(text):
        groups = []
        for line in text.splitlines():
            heading = re.fullmatch(r" {0,4}([^\s-].*?):?", line)
            option = re.match(r"  +--?([\w-]+)(?:\[?=<(.*?)>\]?)?\s+-\s+(.*)", line)
            choice = re.match(r"\s+=(\S+)\s+-\s+(.*)", line)
            if heading and not choice:
                groups.append((heading[1], []))
            elif option and groups:
                groups[-1][1].append(Option(*option.groups()))
            elif choice and groups and groups[-1][1]:
                groups[-1][1][-1].choices.append(choice.groups())
            elif line.strip() and groups and groups[-1][1]:
                last = groups[-1][1][-1]
                if last.choices:
                    value, text = last.choices[-1]
                    last.choices[-1] = (value, text + " " + line.strip())
                else:
                    last.text += " " + line.strip()
        return [(name, options) for name, options in groups if options]

    def options(self):
        return [option for _, options in self.groups for option in options]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man(tool):
    out = [f'.TH {tool.name.upper()} 1 "" "{tool.version}" "User Commands"', ".SH NAME",
           f"{roff(tool.name)} \\- {roff(tool.summary)}", ".SH SYNOPSIS", f".B {roff(tool.usage)}", ".SH DESCRIPTION"]
    in_example = False
    for line in tool.lines:
        is_example = line.startswith("  ")
        if is_example != in_example:
            out.append(".nf" if is_example else ".fi")
            in_example = is_example
        out.append(roff(line) if line.strip() else ".PP" if not in_example else "")
    if in_example:
        out.append(".fi")
    for heading, options in tool.groups:
        out.append(f'.SH "{heading.upper()}"')
        for option in options:
            value = f"=\\fI{roff(option.value)}\\fR" if option.value else ""
            out += [".TP", f"\\fB\\-\\-{roff(option.name)}\\fR{value}", roff(option.text)]
            for choice, text in option.choices:
                out += [".RS", ".TP", f".B {roff(choice)}", roff(text), ".RE"]
    return "\n".join(out) + "\n"


def bash(tool):
    function = "_" + tool.name.replace("-", "_")
    words = " ".join("--" + option.name + ("=" if option.value or option.choices else "") for option in tool.options())
    cases = "".join(f'  --{option.name}) COMPREPLY=($(compgen -W "{" ".join(c for c, _ in option.choices)}" -- "$value")); return ;;\n'
                    for option in tool.options() if option.choices)
    return textwrap.dedent(f"""\
        {function}() {{
          local word=${{COMP_LINE:0:COMP_POINT}} option value
          word=${{word##* }}
          option=${{word%%=*}} value=${{word#*=}}
          COMPREPLY=()
          if [ "$option" != "$word" ]; then
            case $option in
        """) + textwrap.indent(cases, "    ") + textwrap.dedent(f"""\
            esac
            COMPREPLY=($(compgen -f -- "$value"))
          elif [[ $word == -* ]]; then
            COMPREPLY=($(compgen -W "{words}" -- "$word"))
            [[ ${{COMPREPLY[0]:-}} == *= ]] && compopt -o nospace
          else
            COMPREPLY=($(compgen -f -- "$word"))
          fi
        }}
        complete -o filenames -F {function} {tool.name}
        """)


def quoted(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(tool):
    lines = []
    for option in tool.options():
        action = ""
        if option.choices:
            action = "=:value:(" + " ".join(value for value, _ in option.choices) + ")"
        elif option.value:
            action = f"=:{quoted(option.value)}:" + ("_files" if option.takes_file else "")
        name = "--" + option.name + ("=" if action else "")
        lines.append(f"  '{name}[{quoted(option.text)}]{action[1:]}'")
    return f"#compdef {tool.name}\n_arguments \\\n" + " \\\n".join(lines + ["  '*:file:_files'"]) + "\n"


def fish(tool):
    lines = []
    for option in tool.options():
        line = f"complete -c {tool.name} -l {option.name} -d '{quoted(option.text)}'"
        if option.choices:
            line += " -x -a '" + " ".join(value for value, _ in option.choices) + "'"
        elif option.value:
            line += " -r" + ("" if option.takes_file else " -f")
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("kind", choices=("man", "bash", "zsh", "fish"))
    parser.add_argument("-o", dest="output", default="-")
    options = parser.parse_args()
    text = {"man": man, "bash": bash, "zsh": zsh, "fish": fish}[options.kind](Tool(options.tool))
    if options.output == "-":
        sys.stdout.write(text)
    else:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()

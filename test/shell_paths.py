"""The format of the suite: lit's, in folders whose names have spaces, too.

lit puts paths into commands as they are. Here a path outside of quotes is one word,
whatever is in it, and one inside of quotes is part of what is quoted.
"""
import os

import lit.formats
import lit.Test
import lit.TestRunner

# Stands for a space of a path until it is known where it is. Nobody's text has it.
SPACE = "\ue000"


def quote(line):
    result, inside, escaped = [], "", False
    for c in line:
        if escaped or (c == "\\" and inside != "'"):
            escaped = not escaped
        elif c == SPACE:
            c = " " if inside else "' '"
        elif c in "'\"" and inside in ("", c):
            inside = "" if inside else c
        result.append(c)
    return "".join(result)


class PathTest(lit.formats.ShTest):
    def execute(self, test, litConfig):
        if test.config.unsupported:
            return lit.Test.Result(lit.Test.UNSUPPORTED, "Test is unsupported")
        runner = lit.TestRunner
        script = runner.parseIntegratedTestScript(test)
        if isinstance(script, lit.Test.Result) or litConfig.noExecute:
            return lit.Test.Result(lit.Test.PASS) if litConfig.noExecute else script
        folder, base = runner.getTempPaths(test)
        substitutions = runner.getDefaultSubstitutions(test, folder, base)
        # %t from where commands start: options of passes are separated by spaces.
        near = os.path.relpath(base + ".tmp", os.path.dirname(test.getExecPath()))
        substitutions.insert(0, ("%{near}", near))
        substitutions = [
            (key, value.replace(" ", SPACE) if isinstance(value, str) and key != "%configure" else value)
            for key, value in substitutions  # that one is several words
        ]
        conditions = {feature: True for feature in test.config.available_features}
        script = runner.applySubstitutions(
            script, substitutions, conditions, recursion_limit=test.config.recursiveExpansionLimit
        )
        script = [quote(line) for line in script]
        return runner._runShTest(test, litConfig, False, script, base)

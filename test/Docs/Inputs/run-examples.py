"""Runs the examples of a page (>>>) in this folder. usage: run-examples.py PAGE"""
import doctest
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    # The end of a block ends what an example prints.
    text = re.sub(r"^```.*", "", file.read(), flags=re.M)
test = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], sys.argv[1], 0)
runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_NDIFF)
runner.run(test)
sys.exit(1 if runner.summarize(verbose=False).failed else 0)

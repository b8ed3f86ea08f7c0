"""Runs the examples of a page (>>>) in this folder. usage: run-examples.py PAGE"""
import doctest
import sys

failed, _ = doctest.testfile(sys.argv[1], module_relative=False,
                             optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_NDIFF)
sys.exit(1 if failed else 0)

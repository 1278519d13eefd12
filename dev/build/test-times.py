#!/usr/bin/env python3
"""Prints where the time of the tests goes, from the reports of the last build.

  dev/build/test-times.py [--classes N] [FOLDER...]

For each module: the number of its test classes and tests, and their seconds; then the N classes
(default 25) that took longest. Reads the reports of Surefire and Failsafe below the folders, by
default below the repository. A class that ran in several executions counts once for each.
"""

import argparse
import os
import sys
import xml.etree.ElementTree as xml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORTS = ("surefire-reports", "failsafe-reports")


class TestClass:
    """One run of a test class."""

    def __init__(self, module, path):
        suite = xml.parse(path).getroot()
        self.module = module
        self.name = suite.get("name")
        self.tests = int(suite.get("tests"))
        self.seconds = float(suite.get("time").replace(",", ""))


def report_files(folder):
    """Yields (module, path) of each report; a module is the folder that has the target folder."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "src"]
        parts = path.split(os.sep)
        if any(part.startswith(REPORTS) for part in parts) and "target" in parts:
            module = parts[parts.index("target") - 1]
            for name in names:
                if name.startswith("TEST-") and name.endswith(".xml"):
                    yield module, os.path.join(path, name)


def read(folders):
    return [TestClass(module, path) for each in folders for module, path in report_files(each)]


def table_of_modules(classes):
    modules = {}
    for each in classes:
        modules.setdefault(each.module, []).append(each)
    rows = [
        (name, len(of_module), sum(c.tests for c in of_module), sum(c.seconds for c in of_module))
        for name, of_module in modules.items()
    ]
    rows.sort(key=lambda row: -row[3])
    total = ("total", *(sum(row[column] for row in rows) for column in (1, 2, 3)))
    return [f"{'module':22}{'classes':>8}{'tests':>8}{'seconds':>9}"] + [
        f"{name:22}{count:8}{tests:8}{seconds:9.0f}" for name, count, tests, seconds in [*rows, total]
    ]


def table_of_classes(classes, most):
    longest = sorted(classes, key=lambda each: -each.seconds)[:most]
    return [f"{'seconds':>9}{'tests':>7}  class"] + [
        f"{each.seconds:9.1f}{each.tests:7}  {each.module}: {each.name}" for each in longest
    ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", default=[ROOT])
    parser.add_argument("--classes", type=int, default=25)
    options = parser.parse_args()
    classes = read(options.folders)
    if not classes:
        print("no reports of tests: run ./mvnw verify first", file=sys.stderr)
        return 1
    print("\n".join([*table_of_modules(classes), "", *table_of_classes(classes, options.classes)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

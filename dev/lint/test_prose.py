"""Tests of prose.py."""

import unittest

import prose

PATH = "runtime/src/main/java/A.java"


def idioms(content, path=PATH):
    return [idiom for _, idiom, _ in prose.findings(path, content)]


class TestFindings(unittest.TestCase):
    def test_finds_idioms_in_comments_and_messages(self):
        self.assertEqual(["whoever"], idioms("/** For whoever calls. */\nclass A {}"))
        self.assertEqual(["Nobody"], idioms("int a; // Nobody reads it\n"))
        self.assertEqual(["put out"], idioms('throw new E("rows were put out");'))

    def test_ignores_code(self):
        self.assertEqual([], idioms("int room = figures.meets(nobody);"))
        self.assertEqual([], idioms("/** See {@code whoever} and {@link A#room}. @param room rows */"))
        self.assertEqual([], idioms("char c = '\"'; int room; char d = '\"';"))

    def test_reads_wrapped_lines_as_one_text(self):
        found = prose.findings(PATH, "class A {\n  /**\n   * The batch is at\n   * rest.\n   */\n}")
        self.assertEqual([(3, "at rest")], [(line, idiom) for line, idiom, _ in found])

    def test_reads_line_comments_that_follow_each_other_as_one_text(self):
        self.assertEqual(["in turns"], idioms("int a;\n  // They run in\n  // turns.\n"))

    def test_does_not_join_comments_with_code_between_them(self):
        self.assertEqual([], idioms("// They run in\nint a;\n// turns.\n"))

    def test_names_the_line(self):
        self.assertEqual(3, prose.findings("docs/a.md", "# A\n\nNobody knows.\n")[0][0])

    def test_ignores_code_in_markdown(self):
        self.assertEqual([], idioms("`room` and\n```\nwhoever\n```\n[a](nobody.md)\n", "docs/a.md"))

    def test_says_what_to_write(self):
        self.assertEqual("admit", prose.findings(PATH, "// batches that it let in\n")[0][2])

    def test_lanes_are_idioms_of_pipelines_only(self):
        self.assertEqual(["lane"], idioms("// a lane\n"))
        self.assertEqual([], idioms("// a lane\n", "gpu-ops/src/main/cuda/a.cuh"))

    def test_leaves_other_words(self):
        self.assertEqual([], idioms("// it returns the first batch, at restart in the room_count\n"))

    def test_reads_strings_of_java_only(self):
        self.assertEqual([], idioms('const char* a = "room";', "gpu-ops/src/main/cuda/a.cuh"))


class TestFiles(unittest.TestCase):
    def test_checks_documentation_and_main_sources(self):
        self.assertTrue(prose.is_checked("README.md"))
        self.assertTrue(prose.is_checked(PATH))
        self.assertFalse(prose.is_checked("runtime/src/test/java/TestA.java"))
        self.assertFalse(prose.is_checked("dev/gpu/parts.py"))

    def test_files_of_the_root_belong_to_docs(self):
        self.assertEqual("docs", prose.module_of("README.md"))
        self.assertEqual("docs", prose.module_of(".github/pull_request_template.md"))
        self.assertEqual("runtime", prose.module_of(PATH))


class TestAllowances(unittest.TestCase):
    found = [("runtime", PATH, 1, "room", "memory"), ("docs", "README.md", 2, "room", "memory")]

    def test_a_module_over_its_allowance_fails_with_its_findings(self):
        lines, over = prose.report(self.found, {"runtime": 0, "docs": 1})
        self.assertEqual(["runtime"], over)
        self.assertEqual(f"{PATH}:1: 'room': write: memory", lines[0])
        self.assertFalse(any(line.startswith("README.md") for line in lines))

    def test_a_module_without_an_allowance_has_none(self):
        self.assertEqual(["docs"], prose.report(self.found, {"runtime": 1})[1])

    def test_counts_are_printed_per_module(self):
        lines, _ = prose.report(self.found, {"runtime": 5, "docs": 1})
        self.assertEqual(["docs", "1", "1"], lines[1].split())
        self.assertEqual(["runtime", "1", "5"], lines[2].split())

    def test_update_never_raises_an_allowance(self):
        self.assertEqual({"runtime": 1, "docs": 0}, prose.lowered({"runtime": 5, "docs": 0}, {"runtime": 1, "docs": 3}))

    def test_first_update_takes_the_counts(self):
        self.assertEqual({"docs": 3}, prose.lowered(None, {"docs": 3}))


if __name__ == "__main__":
    unittest.main()

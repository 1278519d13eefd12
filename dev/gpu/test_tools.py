"""Tests of the tools of this folder: python3 -B -m unittest discover -s dev/gpu"""

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import time
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jars  # noqa: E402
import on_device  # noqa: E402
import parts  # noqa: E402
from steps import context, processes, results, suites, tpch  # noqa: E402


class InFolder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, content, *names):
        path = self.path(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path


class TestParts(InFolder):
    def setUp(self):
        super().setUp()
        self.noise = os.urandom(3 << 20)
        self.write(self.noise, "stage", "large", "sub", "noise")
        os.chmod(self.write(b"#!/bin/sh\n", "stage", "small", "program"), 0o755)
        self.part_bytes = parts.PART_BYTES
        parts.PART_BYTES = 1 << 20
        self.addCleanup(setattr, parts, "PART_BYTES", self.part_bytes)
        self.manifest = parts.pack(self.path("stage"), self.path("parts"), "c0ffee", 0)
        os.makedirs(self.path("arrived"))

    def send(self, *names):
        for name in (parts.MANIFEST, *names):
            with open(self.path("parts", name), "rb") as file:
                self.write(file.read(), "arrived", name)

    def depot(self):
        return parts.Depot(self.path("arrived"), self.path("work"))

    def names(self, component):
        return [part["name"] for part in self.manifest["components"][component]["parts"]]

    def test_parts_that_arrive_one_by_one_are_put_together(self):
        names = self.names("large")
        self.assertGreater(len(names), 2)
        for name in names[:-1]:
            self.send(name)
            self.depot().take_in()
            os.remove(self.path("arrived", name))
        with self.assertRaisesRegex(parts.PartsError, names[-1]):
            self.depot().component("large")
        self.send(names[-1])
        depot = self.depot()
        depot.take_in()
        with open(os.path.join(depot.component("large"), "sub", "noise"), "rb") as file:
            self.assertEqual(self.noise, file.read())
        self.assertEqual([], os.listdir(self.path("work", "parts")))

    def test_programs_stay_programs(self):
        self.send(*self.names("small"))
        depot = self.depot()
        depot.take_in()
        self.assertTrue(os.access(os.path.join(depot.component("small"), "program"), os.X_OK))

    def test_a_damaged_part_is_named(self):
        name = self.names("large")[1]
        self.send(name)
        self.write(b"x", "arrived", name)
        with self.assertRaisesRegex(parts.PartsError, name + ".*send it again"):
            self.depot().take_in()

    def test_another_bundle_replaces_what_was_unpacked(self):
        self.send(*self.names("small"))
        self.depot().take_in()
        self.write(b"new", "stage", "small", "program")
        self.manifest = parts.pack(self.path("stage"), self.path("parts"), "c0ffee", 0)
        self.send()
        with self.assertRaises(parts.PartsError):
            self.depot().component("small")
        self.send(*self.names("small"))
        depot = self.depot()
        depot.take_in()
        with open(os.path.join(depot.component("small"), "program"), "rb") as file:
            self.assertEqual(b"new", file.read())

    def test_no_call_carries_more_than_a_part_may_have(self):
        sizes = {
            part["name"]: part["bytes"]
            for entry in self.manifest["components"].values()
            for part in entry["parts"]
        }
        groups = parts.calls(self.manifest)
        self.assertEqual(sorted(sizes), sorted(name for group in groups for name in group))
        for group in groups:
            self.assertLessEqual(sum(sizes[name] for name in group), parts.PART_BYTES)


class TestJars(InFolder):
    def jar(self, *members):
        path = self.path("spark-core_2.13-4.1.3.jar")
        with zipfile.ZipFile(path, "w") as jar:
            for member in members:
                jar.writestr(member, b"content")
        return path

    def test_names_have_no_version(self):
        self.assertEqual("spark-core_2.13", jars.artifact("/x/spark-core_2.13-4.1.3.jar"))
        self.assertEqual("guava", jars.artifact("guava-33.4.0-jre.jar"))

    def test_only_loaded_packages_of_large_jars_stay(self):
        kept = ["a/b/C.class", "META-INF/services/X", "lib/linux/amd64/x.so"]
        kept.append("io/ariadne/native/emulated/x.so")
        dropped = ["a/D.class", "META-INF/INDEX.LIST", "META-INF/A.RSA", "lib/win/x.dll", "a/x.css"]
        dropped.append("lib/linux/aarch64/x.so")
        jars.write_jar(self.jar(*kept, *dropped), self.path("out.jar"), {"a/b"}, is_spark=True)
        with zipfile.ZipFile(self.path("out.jar")) as jar:
            self.assertEqual(sorted(kept), sorted(jar.namelist()))

    def test_the_list_is_what_logs_of_class_loading_name(self):
        jar = self.jar("a/b/C.class")
        other = self.write(b"", "other-1.0.jar")
        path = self.write(f"{jar}:{other}".encode(), "classpath.txt")
        line = f"[0.1s][info][class,load] a.b.C source: file:{jar}\n"
        line += "[0.1s][info][class,load] java.lang.X source: jrt:/java.base\n"
        self.write(line.encode(), "logs", "1.log")
        jars.WHOLE_BELOW_BYTES, before = 0, jars.WHOLE_BELOW_BYTES
        self.addCleanup(setattr, jars, "WHOLE_BELOW_BYTES", before)
        with contextlib.redirect_stdout(io.StringIO()):
            jars.record(self.path("logs"), path, self.path("list.txt"))
            self.assertEqual({"spark-core_2.13": {"a/b"}}, jars.read_list(self.path("list.txt")))
            jars.stage_spark(path, self.path("list.txt"), self.path("out"))
        self.assertEqual([os.path.basename(jar)], os.listdir(self.path("out")))

    def test_a_list_that_no_longer_fits_is_refused(self):
        path = self.write(self.jar("a/b/C.class").encode(), "classpath.txt")
        self.write(b"spark-core_2.13\nspark-gone\n", "list.txt")
        with contextlib.redirect_stdout(io.StringIO()):
            with self.assertRaisesRegex(SystemExit, "spark-gone.*--record"):
                jars.stage_spark(path, self.path("list.txt"), self.path("out"))


class TestProcesses(InFolder):
    def test_output_and_status_are_kept(self):
        ended = processes.run(["sh", "-c", "echo words; exit 3"], self.path("log"), 60)
        self.assertEqual(3, ended.code)
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertIn("words\n", file.read())

    def test_a_program_that_hangs_is_stopped_with_its_children(self):
        script = f"sleep 1000 & echo $! >{self.path('child')}; wait"
        dump_seconds = processes.DUMP_SECONDS
        processes.DUMP_SECONDS = 0
        self.addCleanup(setattr, processes, "DUMP_SECONDS", dump_seconds)
        ended = processes.run(["sh", "-c", script], self.path("log"), 1)
        self.assertTrue(ended.is_timed_out)
        with open(self.path("child"), encoding="utf-8") as file:
            child = int(file.read())
        self.assertFalse(is_running(child))


def is_running(pid):
    """Returns whether a process runs; one that has ended may wait to be reaped for a moment."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class FakeContext:
    """As much of a context as the steps under test ask for."""

    has_gpu = False
    gpu = {"reason": "none"}

    def __init__(self, folder):
        self.results = os.path.join(folder, "results")
        self.work = folder
        self.options = argparse.Namespace(label="")
        self.step = "made-up"
        self.left = 100.0
        self.depot = self
        self.manifest = {"commit": "c0ffee"}

    def seconds_left(self):
        return self.left

    def log(self, name):
        return os.path.join(self.results, self.step, name)


class TestSteps(InFolder):
    def run_step(self, run):
        made_up = type("Step", (), {"run": staticmethod(run), "__doc__": "a step"})
        on_device.STEPS["made-up"] = made_up
        self.addCleanup(on_device.STEPS.pop, "made-up", None)
        with contextlib.redirect_stdout(io.StringIO()):
            on_device.run_step("made-up", FakeContext(self.folder))
        with open(self.path("results", "made-up.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_a_result_names_step_machine_and_commit(self):
        result = self.run_step(lambda _context: context.Outcome("passed", {"figure": 7}))
        self.assertEqual("passed", result["status"])
        self.assertEqual({"figure": 7}, result["details"])
        self.assertEqual("c0ffee", result["commit"])
        self.assertGreater(result["machine"]["cores"], 0)

    def test_an_error_of_a_step_is_its_result(self):
        def fails(_context):
            raise context.StepError("no space")

        self.assertEqual("no space", self.run_step(fails)["reason"])
        result = self.run_step(lambda _context: 1 // 0)
        self.assertEqual("failed", result["status"])
        self.assertIn("ZeroDivisionError", result["details"]["trace"])

    def test_large_logs_lose_their_middle(self):
        log = self.write(b"a" * (5 << 20) + b"end", "logs", "x.log")
        results.cap_logs(self.path("logs"))
        self.assertLess(os.path.getsize(log), (4 << 20) + 100)
        with open(log, "rb") as file:
            content = file.read()
        self.assertTrue(content.startswith(b"a") and content.endswith(b"end"))
        self.assertIn(results.CUT, content)

    def test_an_archive_that_is_too_large_loses_its_largest_files(self):
        limit = results.MAX_COLLECTED_BYTES
        self.addCleanup(setattr, results, "MAX_COLLECTED_BYTES", limit)
        results.MAX_COLLECTED_BYTES = 100_000
        for name in "ab":
            self.write(os.urandom(60_000), "results", "step", name + ".log")
        self.write(b"{}", "results", "step.json")
        with contextlib.redirect_stdout(io.StringIO()) as words:
            names = results.collect(self.path("results"), self.path("out"))
        self.assertEqual(["logs.tar.xz", "results.json"], names)
        self.assertLess(os.path.getsize(self.path("out", "logs.tar.xz")), 100_000)
        self.assertIn(".log", words.getvalue())


class Scripted(tpch.Benchmark):
    """A comparison in which one query leaves no report whenever it takes part."""

    def __init__(self, folder, bad):
        super().__init__(FakeContext(folder), 0.01, ["spark"], 1, 1, 1)
        self.bad = bad
        self.asked = []

    def compare(self, queries):
        self.asked.append(queries)
        if self.bad in queries:
            return None, processes.Ended(None, 1.0)
        return [{"query": f"q{query}", "good": True} for query in queries], None


class TestTpch(InFolder):
    def test_only_the_query_that_hangs_stays_without_answer(self):
        benchmark = Scripted(self.folder, bad=3)
        answers = benchmark.run([1, 2, 3, 4, 5])
        self.assertEqual(["q1", "q2", "q3", "q4", "q5"], [a["query"] for a in answers])
        self.assertEqual(["q3"], [a["query"] for a in answers if not a["good"]])
        self.assertIn("stopped", answers[2]["reason"])

    def test_queries_without_time_are_not_run(self):
        benchmark = Scripted(self.folder, bad=0)
        benchmark.context.left = 1.0
        self.assertIn("not run", benchmark.run([1])[0]["reason"])
        self.assertEqual([], benchmark.asked)

    def test_other_answers_than_sparks_are_bad(self):
        entry = {"query": "q1", "engine": "ariadne", "difference": "2 rows against 1"}
        content = {"results": [{"query": "q1", "engine": "spark"}, entry]}
        result = tpch.measured(1, content, processes.Ended(1, 1.0))
        self.assertFalse(result["good"])
        self.assertEqual("ariadne: 2 rows against 1", result["reason"])

    def test_engines_that_end_badly_are_bad(self):
        content = {"results": [{"query": "q1", "engine": "spark"}]}
        self.assertFalse(tpch.measured(1, content, processes.Ended(1, 1.0))["good"])
        self.assertTrue(tpch.measured(1, content, processes.Ended(0, 1.0))["good"])


class TestSuites(unittest.TestCase):
    def test_classes_are_known_by_their_names(self):
        for name, kind in (("TestCudaSort", "Cuda"), ("TestFakeCudaSort", "FakeCuda")):
            match = suites.CLASS.match(f"io/ariadne/operator/sort/{name}.class")
            self.assertEqual(kind, match.group(2))
        for other in ("TestHostSort", "AbstractTestSort", "TestCudaSort$1"):
            self.assertIsNone(suites.CLASS.match(f"io/ariadne/operator/sort/{other}.class"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[1:])

"""Tests of the tools of this folder: python3 -B -m unittest discover -s dev/gpu"""

import argparse
import contextlib
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jars  # noqa: E402
import on_device  # noqa: E402
import parts  # noqa: E402
import replay  # noqa: E402
import replay_case  # noqa: E402
from steps import (  # noqa: E402
    context,
    kernels,
    machine,
    processes,
    profiling,
    results,
    sanitizer,
    storage,
    suites,
    tpch,
)


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
        self.send(*self.names("small"))
        depot = self.depot()
        depot.take_in()
        with self.assertRaisesRegex(parts.PartsError, name + " again"):
            depot.component("large")
        depot.component("small")

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


    def test_calls_name_each_file_and_the_steps_that_can_run(self):
        manifest = {"components": {"replay": {"parts": [{"name": "replay.0", "bytes": 1}]}}}
        lines = "\n".join(parts.advice(manifest, self.path("parts")))
        self.assertIn("replay.0", lines)
        self.assertIn(parts.MANIFEST, lines)
        self.assertIn("kernels profile sanitizer --collect", lines)
        self.assertNotIn("suites", lines)

    def test_every_step_that_needs_parts_is_in_one_command(self):
        grouped = [step for group in parts.COMMANDS for step in group]
        self.assertEqual(sorted(set(parts.NEEDS) - {"tables"}), sorted(grouped))
        self.assertEqual(["suites --collect FOLDER", "bench --collect FOLDER"],
                         parts.commands(["bench", "suites"]))


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


    def test_a_program_stays_in_the_session_and_dies_with_a_killed_command(self):
        script = "import sys; sys.path.insert(0, sys.argv[1]); from steps import processes; "
        script += "processes.run(['sh', '-c', sys.argv[2]], sys.argv[3], 100)"
        inner = f"echo $$ >{self.path('child.new')}; mv {self.path('child.new')} "
        inner += f"{self.path('child')}; exec sleep 1000"
        words = [sys.executable, "-B", "-c", script, TOOLS, inner, self.path("log")]
        with subprocess.Popen(words) as command:
            wait_until(lambda: os.path.exists(self.path("child")))
            with open(self.path("child"), encoding="utf-8") as file:
                child = int(file.read())
            self.assertEqual(os.getsid(0), os.getsid(child))
            command.kill()
        wait_until(lambda: not is_running(child))

    def test_a_short_program_is_not_waited_for_longer_than_said(self):
        self.assertEqual((3, "a\n"), processes.answer(["sh", "-c", "echo a; exit 3"], 60))
        started = time.monotonic()
        code, _text = processes.answer(["sleep", "1000"], 0.2)
        self.assertIsNone(code)
        self.assertLess(time.monotonic() - started, 30)

    def test_programs_dump_no_core_and_name_crash_logs(self):
        script = 'ulimit -c; echo "$JDK_JAVA_OPTIONS"'
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        before = resource.getrlimit(resource.RLIMIT_CORE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, before)
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        processes.run(["sh", "-c", script], self.path("log"), 60)
        with open(self.path("log"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("\n0\n", text)
        self.assertIn(f"-XX:ErrorFile={self.folder}/hs_err_%p.log", text)


class TestSmi(InFolder):
    """With a script in the place of nvidia-smi, which notes each call."""

    def state(self, script, smi):
        program = self.path("nvidia-smi")
        self.write(f'#!/bin/sh\necho "$3" >>{self.path("calls")}\n{script}\n'.encode(), program)
        os.chmod(program, 0o755)
        with mock.patch.object(machine.shutil, "which", return_value=program):
            return smi.state()

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_one_query_asks_for_all(self):
        with mock.patch.object(machine, "FIELDS", ["a", "b"]):
            self.assertEqual({"a": "1", "b": "2 MHz"}, self.state("echo 1, 2 MHz", machine.Smi()))
        self.assertEqual(["--query-gpu=a,b"], self.calls())

    def test_a_field_that_is_not_known_is_left_out(self):
        smi = machine.Smi()
        script = 'case "$3" in *b*) exit 2 ;; esac; echo 1'
        with mock.patch.object(machine, "FIELDS", ["a", "b"]):
            for _ in range(2):
                self.assertEqual({"a": "1"}, self.state(script, smi))
        self.assertEqual("--query-gpu=a", self.calls()[-1])
        self.assertEqual(4, len(self.calls()))

    def test_after_a_timeout_nothing_more_is_asked(self):
        smi = machine.Smi()
        with mock.patch.object(machine, "SMI_SECONDS", 2):
            for _ in range(2):
                self.assertIn("not answered", self.state("exec sleep 1000", smi)["reason"])
        self.assertLessEqual(len(self.calls()), 1)


TOOLS = os.path.dirname(os.path.abspath(__file__))


def wait_until(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError("it has not come to be")
        time.sleep(0.02)


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
    target = "without"
    gpu = {"reason": "none"}
    name_of = context.Context.name_of

    def __init__(self, folder):
        self.results = os.path.join(folder, "results")
        self.work = folder
        self.options = argparse.Namespace(
            label="", cases=[], tools=[], collect=None, without_gpu=True
        )
        self.ending = threading.Lock()
        self.step_started = 0.0
        self.step = "made-up"
        self.left = 100.0
        self.keep = lambda details: None
        self.depot = self
        self.manifest = {"commit": "c0ffee"}

    def seconds_left(self):
        return self.left

    def log(self, name):
        return os.path.join(self.results, self.step, name)

    def file(self, *names):
        return os.path.join(self.work, *names)

    def script(self, name):
        return os.path.join(self.work, name)


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
        self.write(b'{"status": "passed"}', "results", "step.json")
        with contextlib.redirect_stdout(io.StringIO()) as words:
            names = results.collect(self.path("results"), self.path("out"))
        self.assertEqual(["logs.tar.xz", "results.json"], names)
        self.assertLess(os.path.getsize(self.path("out", "logs.tar.xz")), 100_000)
        self.assertIn(".log", words.getvalue())


    def command(self, run, **options):
        """Runs a command of one made-up step; returns its status and what it collects."""
        made_up = type("Step", (), {"run": staticmethod(run), "__doc__": "a step"})
        fake = FakeContext(self.folder)
        vars(fake.options).update(collect=self.path("out"), **options)
        with mock.patch.dict(on_device.STEPS, {"made-up": made_up}):
            with contextlib.redirect_stdout(io.StringIO()):
                with contextlib.redirect_stderr(io.StringIO()):
                    status = on_device.run_all(fake, ["made-up"])
        with open(self.path("out", "results.json"), encoding="utf-8") as file:
            return status, json.load(file)["made-up"]

    def test_without_its_gpu_a_command_fails_unless_told(self):
        ran = []

        def run(_context):
            ran.append(True)
            return context.Outcome("passed")

        status, result = self.command(run, without_gpu=False)
        self.assertEqual((1, "failed", []), (status, result["status"], ran))
        self.assertIn("no GPU", result["reason"])
        status, result = self.command(run)
        self.assertEqual((0, "passed"), (status, result["status"]))
        self.assertEqual("without", result["target"])

    def test_a_step_that_was_killed_has_not_passed(self):
        self.write(b'{"status": "passed", "reason": ""}', "results", "made-up.json")

        def run(fake):
            results.collect_steps(fake.results, self.path("killed"))
            return context.Outcome("passed")

        self.command(run)
        with open(self.path("killed", "results.json"), encoding="utf-8") as file:
            killed = json.load(file)["made-up"]
        self.assertEqual("failed", killed["status"])
        self.assertIn("killed", killed["reason"])

    def test_a_command_that_overruns_is_ended_with_its_results(self):
        def run(fake):
            fake.keep({"found": 7})
            time.sleep(1000)

        pid = os.fork()
        if pid == 0:
            with mock.patch.object(on_device, "GRACE_SECONDS", 3):
                with mock.patch.object(FakeContext, "seconds_left", lambda fake: 0.2):
                    self.command(run)
            os._exit(0)
        self.assertEqual(1, os.WEXITSTATUS(os.waitpid(pid, 0)[1]))
        self.assertIn("logs.tar.xz", os.listdir(self.path("out")))
        with open(self.path("out", "results.json"), encoding="utf-8") as file:
            result = json.load(file)["made-up"]
        self.assertIn("killed", result["reason"])
        self.assertEqual({"found": 7}, result["details"])

    def test_steps_without_time_ask_no_gpu(self):
        fake = FakeContext(self.folder)
        fake.has_gpu, fake.left = True, 0.0
        with mock.patch.object(machine, "gpu_state", side_effect=AssertionError):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual("failed", on_device.run_step("kernels", fake))

    def replayed(self, ending, seconds=100):
        script = "import json, sys, time; at = sys.argv.index('--json')\n"
        script += "found = {'planned': 5, 'results': [{'name': 'a', 'outcome': 'equal'}]}\n"
        script += "file = open(sys.argv[at + 1], 'w'); json.dump(found, file); file.close()\n"
        self.write((script + ending).encode(), "replay.py")
        fake = FakeContext(self.folder)
        fake.left = seconds
        with mock.patch.object(processes, "DUMP_SECONDS", 0):
            return kernels.run(fake)

    def test_kernels_keep_the_results_of_a_replay_that_ended_badly(self):
        outcome = self.replayed("sys.exit(1)")
        self.assertEqual("failed", outcome.status)
        self.assertIn("1 of 5 cases", outcome.reason)

    def test_kernels_keep_the_results_of_a_replay_that_was_stopped(self):
        outcome = self.replayed("time.sleep(1000)", seconds=3)
        self.assertEqual("failed", outcome.status)
        self.assertIn("stopped", outcome.reason)
        self.assertIn("1 of 5 cases", outcome.reason)

    def test_a_program_that_runs_is_watched_meanwhile(self):
        calls = []
        with mock.patch.object(processes, "MEANWHILE_SECONDS", 0.1):
            words = ["sh", "-c", "sleep 0.5"]
            ended = processes.run(words, self.path("log"), 60, meanwhile=lambda: calls.append(1))
        self.assertEqual(0, ended.code)
        self.assertGreater(len(calls), 1)

    def test_ncu_leaves_the_clocks_alone(self):
        with mock.patch.object(processes, "run", return_value=processes.Ended(0, 1.0)) as run:
            profiling.profile(FakeContext(self.folder), "ncu", 0, "case")
        words = run.call_args[0][0]
        self.assertEqual("none", words[words.index("--clock-control") + 1])


class TestSanitizer(InFolder):
    def checks(self, script):
        self.write(script.encode(), "sanitizer")
        os.chmod(self.path("sanitizer"), 0o755)
        fake = FakeContext(self.folder)
        with mock.patch.object(sanitizer, "tool", return_value=self.path("sanitizer")):
            with mock.patch.object(sanitizer, "case_names", return_value=list("abcdefgh")):
                return sanitizer.run(fake)

    def test_tools_take_turns_and_must_say_that_they_found_nothing(self):
        self.assertEqual("failed", self.checks("#!/bin/sh\n").status)
        outcome = self.checks("#!/bin/sh\necho '= ERROR SUMMARY: 0 errors'\n")
        self.assertEqual("passed", outcome.status)
        order = [(check["tool"], check["cases"][0]) for check in outcome.details["checks"]]
        self.assertEqual(("memcheck", "a"), order[0])
        self.assertEqual(("synccheck", "a"), order[2])

    def test_what_has_no_time_is_named(self):
        with mock.patch.object(FakeContext, "seconds_left", lambda fake: 0):
            reason = self.checks("#!/bin/sh\n").reason
        self.assertIn("not run: the command's time is over (h)", reason)


class CountingDevice:
    """Memory without kernels: notes sizes and launches."""

    is_gpu = True
    architecture = "sm_90"

    def __init__(self):
        self.sizes, self.written, self.grids = {}, {}, []

    def function(self, image, kernel):
        return image, kernel

    def allocate(self, size):
        address = (len(self.sizes) + 1) << 40
        self.sizes[address] = size
        return address

    def free(self, address):
        del self.sizes[address]

    def write(self, address, content):
        self.written[address] = content

    def zero(self, address, size):
        self.written[address] = bytes(size)

    def persistent_grid(self, _function, _block, _shared):
        return 64

    def prepared(self, function, grid, _block, _shared, arguments):
        return lambda: self.grids.append((function, grid, arguments))


class StoredBundle:
    """Contents by name, and one module."""

    contents = {"rows": b"12345678", "arguments": (100).to_bytes(4, "little") + bytes(12)}

    def read(self, name):
        return self.contents[name]

    def code(self, _module, _architecture, _ptx):
        return [("ptx", b"text"), ("sm_90", b"machine code")]


class TestLargeCase(unittest.TestCase):
    CASE = {
        "name": "a",
        "kernel": "k",
        "module": "m",
        "rows": 100,
        "bytesMoved": 1 << 20,
        "measured": True,
        "rowFields": [0],
        "buffers": [
            {"name": "b", "bytes": 8, "content": "rows", "scales": True, "pointers": []},
            {"name": "c", "bytes": 8, "content": "", "scales": False, "pointers": []},
        ],
        "launches": [
            {
                "grid": 2,
                "block": 32,
                "shared": 0,
                "arguments": "arguments",
                "pointers": [{"at": 8, "buffer": 0, "offset": 0}],
            }
        ],
    }

    def test_a_profile_launches_machine_code_over_as_many_rows_as_are_measured(self):
        device = CountingDevice()
        options = argparse.Namespace(profile=True, ptx=False)
        result = replay_case.run_case(device, StoredBundle(), self.CASE, options)
        self.assertEqual("equal", result["outcome"])
        (function, grid, arguments), copies = device.grids[0], replay_case.MEASURED_BYTES >> 20
        self.assertEqual((b"machine code", "k"), function)
        self.assertEqual(64, grid)
        self.assertEqual(100 * copies, int.from_bytes(arguments[:4], "little"))
        self.assertEqual(1 << 40, int.from_bytes(arguments[8:], "little"))
        self.assertEqual(copies + 1, len(device.written))
        self.assertEqual({}, device.sizes)

    def test_a_case_that_is_not_measured_stays_as_it_was_recorded(self):
        case = {**self.CASE, "measured": False, "bytesMoved": 0, "rows": 0}
        with replay_case.LargeCase(CountingDevice(), None, StoredBundle(), case, 1 << 40) as large:
            self.assertEqual(1, large.scale)

    def test_rows_are_not_repeated_beyond_what_kernels_count(self):
        case = {**self.CASE, "rows": 1 << 29}
        with replay_case.LargeCase(CountingDevice(), None, StoredBundle(), case, 1 << 40) as large:
            self.assertLess(case["rows"] * large.scale, 1 << 31)


class TestReplay(InFolder):
    def test_after_two_hangs_the_rest_is_not_run(self):
        class Hanging:
            def __init__(self, *_arguments):
                pass

            def __enter__(self):
                return self

            def __exit__(self, *_error):
                pass

            def device(self):
                return {"name": "a", "architecture": "b", "copyGigabytesPerSecond": 0}

            def result(self):
                raise replay.WorkerHangs("no answer")

        cases = [{"name": name, "kernel": name} for name in "abcd"]
        report = replay.Report(self.path("replay.json"), len(cases))
        with mock.patch.object(replay, "Worker", Hanging):
            with contextlib.redirect_stdout(io.StringIO()):
                replay.run_apart(cases, argparse.Namespace(timeout=1), report)
        with open(self.path("replay.json"), encoding="utf-8") as file:
            outcomes = [case["outcome"] for case in json.load(file)["results"]]
        self.assertEqual(["hung", "hung", "not run", "not run"], outcomes)


class Scripted(tpch.Benchmark):
    """A comparison whose command is stopped, or ends with a status, after some queries."""

    def __init__(self, folder, answered, code=0):
        super().__init__(FakeContext(folder), 0.01, ["spark"], 1, 1, 1)
        self.answered = answered
        self.code = code
        self.asked = []

    def run_java(self, words, log, seconds, meanwhile=None):
        self.asked.append(words)
        entries = [{"query": f"q{query}", "engine": "spark"} for query in self.answered]
        results.write_json(self.context.log("tpch.json"), {"results": entries})
        return processes.Ended(self.code, 1.0)


class TestTpch(InFolder):
    def test_answers_stay_when_the_command_is_stopped(self):
        benchmark = Scripted(self.folder, [1, 2], code=None)
        answers = benchmark.run([1, 2, 3])
        self.assertEqual(["q1", "q2"], [a["query"] for a in answers if a["good"]])
        self.assertIn("stopped", answers[2]["reason"])
        with contextlib.redirect_stdout(io.StringIO()):
            outcome = tpch.outcome(benchmark, answers)
        self.assertEqual("failed", outcome.status)

    def test_a_query_has_its_time_limit(self):
        benchmark = Scripted(self.folder, [1])
        benchmark.run([1])
        words = benchmark.asked[0]
        self.assertEqual(1, words[words.index("--query-seconds") + 1])

    def test_queries_without_time_are_not_run(self):
        benchmark = Scripted(self.folder, [1])
        benchmark.context.left = 1.0
        self.assertIn("not run", benchmark.run([1])[0]["reason"])
        self.assertEqual([], benchmark.asked)

    def test_engines_need_memory(self):
        benchmark = Scripted(self.folder, [1])
        benchmark.scale = 1
        with mock.patch.object(machine, "memory_megabytes", return_value=2000):
            with self.assertRaisesRegex(context.StepError, "fewer --engines"):
                benchmark.generate()

    def test_other_answers_than_sparks_are_bad(self):
        entry = {"query": "q1", "engine": "ariadne", "difference": "2 rows against 1"}
        content = {"results": [{"query": "q1", "engine": "spark"}, entry]}
        result = tpch.measured(1, content, processes.Ended(1, 1.0))
        self.assertFalse(result["good"])
        self.assertEqual("ariadne: 2 rows against 1", result["reason"])

    def test_engines_that_accelerate_nothing_are_bad(self):
        for engine, accelerated, good in (
            ("ariadne-cuda", "0/14", False),
            ("ariadne-cuda", "3/14", True),
            ("spark", "0/14", True),
        ):
            entry = {"query": "q1", "engine": engine, "accelerated": accelerated}
            result = tpch.measured(1, {"results": [entry]}, processes.Ended(0, 1.0))
            self.assertEqual(good, result["good"], entry)

    def test_plans_and_answers_of_bad_queries_stay(self):
        benchmark = Scripted(self.folder, [])
        for query in (1, 2):
            self.write(b"plan", "data", "runs", "run-7", "spark", f"q{query}.plan.txt")
            self.write(b"answer", "data", "runs", "run-7", "spark", f"q{query}.txt")
        os.makedirs(os.path.dirname(benchmark.context.log("x")))
        benchmark.keep_logs([1])
        names = sorted(os.listdir(os.path.dirname(benchmark.context.log("x"))))
        self.assertEqual(["tpch-spark-q1.plan.txt", "tpch-spark-q1.txt"], names)
        self.assertEqual([], benchmark.runs())

    def test_engines_that_end_badly_are_bad(self):
        for code, status in ((1, "failed"), (0, "passed")):
            benchmark = Scripted(self.folder, [1], code)
            with contextlib.redirect_stdout(io.StringIO()):
                outcome = tpch.outcome(benchmark, benchmark.run([1]))
            self.assertEqual(status, outcome.status)


class TestSuites(unittest.TestCase):
    def test_classes_are_known_by_their_names(self):
        for name, kind in (("TestCudaSort", "Cuda"), ("TestFakeCudaSort", "FakeCuda")):
            match = suites.CLASS.match(f"io/ariadne/operator/sort/{name}.class")
            self.assertEqual(kind, match.group(2))
        for other in ("TestHostSort", "AbstractTestSort", "TestCudaSort$1"):
            self.assertIsNone(suites.CLASS.match(f"io/ariadne/operator/sort/{other}.class"))

    def test_a_class_that_finds_no_gpu_has_not_passed(self):
        counts = {"SUCCESSFUL": 1, "ABORTED": 2}
        report = {"counts": counts, "notRun": {"Assumption failed: no GPU: none": 2}}
        ended = processes.Ended(0, 1.0)
        self.assertFalse(suites.judged(report, ended, True)["good"])
        self.assertTrue(suites.judged(report, ended, False)["good"])
        self.assertIn("2 not run", suites.judged(report, ended, True)["ended"])
        other = {"counts": counts, "notRun": {"one GPU only": 2}}
        self.assertTrue(suites.judged(other, ended, True)["good"])
        self.assertIn("no report", suites.judged(None, ended, True)["ended"])


class TestStorage(InFolder):
    def context(self, has_gpu):
        made = mock.Mock(work=self.folder, has_gpu=has_gpu)
        made.seconds_left.return_value = 100
        made.log.side_effect = self.path
        made.java.return_value = ["java"]
        made.class_path.return_value = ["a.jar", "b.jar"]
        return made

    def test_a_file_leaves_space_for_others(self):
        self.assertEqual(4 << 30, storage.file_bytes(True, 100 << 30))
        self.assertEqual(1 << 30, storage.file_bytes(True, 5 << 30))
        self.assertEqual(0, storage.file_bytes(True, 1 << 30))
        self.assertEqual(64 << 20, storage.file_bytes(False, 1 << 30))

    def test_rates_are_compared_with_dd(self):
        entry = {"report": {"bytesPerSecond": 450}}
        self.assertEqual(0.9, storage.with_share(entry, {"bytesPerSecond": 500})["shareOfDd"])
        self.assertNotIn("shareOfDd", storage.with_share({"report": None}, {"bytesPerSecond": 1}))
        other = {"report": {"bytesPerSecond": 450}}
        self.assertNotIn("shareOfDd", storage.with_share(other, {"ended": "status 1"}))

    def run_with(self, code):
        """Runs the step; its programs end with a status, and write what they have to."""

        def run(command, log, seconds):
            if code == 0 and command[0] == "java":
                with open(command[-1], "w", encoding="utf-8") as file:
                    json.dump({"bytesPerSecond": 10, "mode": "BOUNCE"}, file)
            return processes.Ended(code, 2.0)

        with mock.patch.object(storage.processes, "run", run):
            return storage.run(self.context(False))

    def test_every_number_of_threads_is_measured_with_and_without_registration(self):
        outcome = self.run_with(0)
        self.assertEqual("passed", outcome.status, outcome.reason)
        self.assertEqual(32 << 20, outcome.details["dd"]["bytesPerSecond"])
        found = [(entry["threads"], entry["isRegistered"]) for entry in outcome.details["checks"]]
        self.assertEqual(6, len(set(found)))
        self.assertFalse(os.path.exists(self.path("storage.bin")))

    def test_a_program_that_fails_fails_the_step(self):
        outcome = self.run_with(1)
        self.assertEqual("failed", outcome.status)
        self.assertIn("1 threads, registered False: status 1", outcome.reason)
        self.assertFalse(os.path.exists(self.path("storage.bin")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[1:])

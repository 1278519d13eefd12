"""What every step is given, and what it returns."""

import json
import os
import re
import threading
import time
from dataclasses import dataclass, field

from . import machine

ADDED_OPENS = """java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util
    java.util.concurrent java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs
    sun.security.action sun.util.calendar""".split()


class StepError(Exception):
    """A step cannot go on; says why and what to do."""


@dataclass
class Outcome:
    """How a step ended."""

    status: str
    details: dict = field(default_factory=dict)
    reason: str = ""


def passed_if(is_good, details, reason=""):
    return Outcome("passed" if is_good else "failed", details, "" if is_good else reason)


def read_json(path):
    """Returns what a program has written, or None where that is missing or not whole."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None


def guarded(result, run, *arguments):
    """Returns what one check of a step returns; of one that fails, its result with the error."""
    try:
        return run(*arguments)
    except Exception as error:  # pylint: disable=broad-except
        return {**result, "ended": repr(error)}


class Context:
    """The machine, the bundle and the options, for the time of one command."""

    def __init__(self, root, depot, options, started):
        self.root = root
        self.depot = depot
        self.options = options
        self.work = depot.work
        self.results = os.path.join(self.work, "results")
        if options.without_gpu:
            self.gpu = {"reason": "--without-gpu"}
        else:
            self.gpu = machine.gpu(os.path.join(root, "dev", "gpu"))
        self.deadline = started + options.seconds
        self.step = ""
        self.step_started = 0.0
        self.keep = lambda details: None  # details of the present step so far, for its results
        self.ending = threading.Lock()  # whoever holds it writes what becomes of a step

    @property
    def has_gpu(self):
        return "name" in self.gpu

    @property
    def target(self):
        """Returns what the steps run on: `gpu`, or `without` one."""
        return "gpu" if self.has_gpu else "without"

    def name_of(self, step):
        """Returns the name of a step's results."""
        return f"{step}-{self.options.label}" if self.options.label else step

    def seconds_left(self):
        return self.deadline - time.monotonic()

    def log(self, name):
        """Returns the path of a log of the present step."""
        return os.path.join(self.results, self.step, name)

    def file(self, component, *names):
        return os.path.join(self.depot.component(component), *names)

    def script(self, name):
        return os.path.join(self.root, "dev", "gpu", name)

    def class_path(self, component):
        """Returns the jars of a component, Ariadne's own first."""
        folder = self.file(component, "lib")
        jars = sorted(os.listdir(folder), key=lambda jar: (not jar.startswith("ariadne-"), jar))
        return [os.path.join(folder, jar) for jar in jars]

    def plugin_jar(self):
        for jar in self.class_path("runtime"):
            if os.path.basename(jar).startswith("ariadne-spark-"):
                return jar
        raise StepError("the bundle has no plugin: make it anew with bundle.sh")

    def java(self, heap_megabytes):
        """Returns the beginning of a command line that starts a JVM as Spark needs it."""
        opens = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ADDED_OPENS]
        return [
            self.file("runtime", "jre", "bin", "java"),
            f"-Xmx{heap_megabytes}m",
            *opens,
            "-Djdk.reflect.useDirectMethodHandle=false",
            "-Dio.netty.tryReflectionSetAccessible=true",
        ]

    def test_seed(self):
        """Returns the seed that the build's tests have."""
        with open(os.path.join(self.root, "pom.xml"), encoding="utf-8") as pom:
            return re.search(r"<ariadne.test.seed>(\d+)<", pom.read()).group(1)

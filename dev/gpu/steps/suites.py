"""TestCuda* classes, a JVM each, several side by side; else TestFakeCuda*"""

import json
import os
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor

from . import machine, processes
from .context import StepError, passed_if

MAIN = "io.ariadne.backend.cuda.RunTestClasses"
HEAP_MEGABYTES = 3072
CLASS = re.compile(r"^(io/ariadne/.*/Test(Cuda|FakeCuda)[^/$]*)\.class$")
FAKE_OPTIONS = [
    # As in gpu-ops/pom.xml: failures that the tests ask for, by the hundred; waits without an end.
    "-Dorg.slf4j.simpleLogger.log.io.ariadne.backend.cuda=off",
    "-Djunit.jupiter.execution.timeout.testable.method.default=180 s",
]


def run(context):
    kind = "Cuda" if context.has_gpu else "FakeCuda"
    classes = [
        name
        for name in test_classes(context, kind)
        if any(text in name for text in context.options.classes or [""])
    ]
    if not classes:
        raise StepError(f"no Test{kind} class contains {' or '.join(context.options.classes)}")
    with ThreadPoolExecutor(parallel(context)) as threads:
        results = list(threads.map(lambda name: run_class(context, name, kind), classes))
    bad = [f"{result['class']}: {result['ended']}" for result in results if not result["good"]]
    details = {
        "target": context.gpu.get("name", "fake driver over the emulator"),
        "sideBySide": parallel(context),
        "classes": results,
    }
    return passed_if(not bad, details, "; ".join(bad))


def parallel(context):
    """A class keeps about one and a half cores busy, most of it waiting for the device."""
    return context.options.parallel or max(1, min(10, machine.cores() * 5 // 8))


def test_classes(context, kind):
    """Returns the classes of a kind, the long ones first: those of operators."""
    found = []
    for jar in context.class_path("runtime"):
        if jar.endswith("-tests.jar"):
            with zipfile.ZipFile(jar) as archive:
                matches = [CLASS.match(name) for name in archive.namelist()]
            found += [match.group(1) for match in matches if match and match.group(2) == kind]
    names = sorted(name.replace("/", ".") for name in found)
    return sorted(names, key=lambda name: ".operator." not in name)


def run_class(context, name, kind):
    short = name.rpartition(".")[2]
    result = {"class": name, "good": False}
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    report = context.log(short + ".json")
    command = context.java(HEAP_MEGABYTES) + [
        "-ea",  # as Surefire does
        "-Dariadne.memory.trackAllocations=true",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        f"-Dariadne.test.seed={context.test_seed()}",
    ]
    command += FAKE_OPTIONS if kind == "FakeCuda" else []
    command += ["-cp", ":".join(context.class_path("runtime")), MAIN]
    command += [] if kind == "FakeCuda" else ["--hold-context"]
    command += [report, name]
    ended = processes.run(
        command,
        context.log(short + ".log"),
        min(context.options.class_seconds, left),
        folder=os.path.join(context.root, "gpu-ops"),
    )
    result["ended"] = ended.words()
    result["seconds"] = round(ended.seconds, 1)
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            result.update(json.load(file))
        result["good"] = ended.code == 0 and result["counts"].get("SUCCESSFUL", 0) > 0
    print(f"  {'passed' if result['good'] else 'FAILED'} {short}: {ended.words()}", flush=True)
    return result

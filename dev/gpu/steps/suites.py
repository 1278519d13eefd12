"""TestCuda* classes, a JVM each, several side by side; else TestFakeCuda*"""

import os
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor, as_completed

from . import machine, processes
from .context import StepError, guarded, passed_if, read_json

MAIN = "io.ariadne.backend.cuda.RunTestClasses"
HEAP_MEGABYTES = 3072
CLASS = re.compile(r"^(io/ariadne/.*/Test(Cuda|FakeCuda)[^/$]*)\.class$")
# What a test says that looks for a GPU in vain (RealDriver), as JUnit gives it.
LACKS_GPU = re.compile(r"^(Assumption failed: )?no GPU")
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
    details = {
        "target": context.gpu.get("name", "fake driver over the emulator"),
        "sideBySide": parallel(context),
        "planned": len(classes),
        "classes": [],
    }
    with ThreadPoolExecutor(parallel(context)) as threads:
        for ended in as_completed(threads.submit(checked, context, n, kind) for n in classes):
            details["classes"].append(ended.result())
            context.keep(details)
    bad = [entry for entry in details["classes"] if not entry["good"]]
    bad = [f"{entry['class']}: {entry['ended']}" for entry in bad]
    return passed_if(not bad, details, "; ".join(bad))


def checked(context, name, kind):
    return guarded({"class": name, "good": False}, run_class, context, name, kind)


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


def command_of(context, name, kind, report):
    command = context.java(HEAP_MEGABYTES) + [
        "-ea",  # as Surefire does
        "-Dariadne.memory.trackAllocations=true",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        f"-Dariadne.test.seed={context.test_seed()}",
    ]
    command += FAKE_OPTIONS if kind == "FakeCuda" else []
    command += ["-cp", ":".join(context.class_path("runtime")), MAIN]
    # The fake driver takes the place of the real one only before that is looked for.
    command += [] if kind == "FakeCuda" else ["--hold-context"]
    return command + [report, name]


def run_class(context, name, kind):
    short = name.rpartition(".")[2]
    result = {"class": name, "good": False}
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    report = context.log(short + ".json")
    ended = processes.run(
        command_of(context, name, kind, report),
        context.log(short + ".log"),
        min(context.options.class_seconds, left),
        folder=os.path.join(context.root, "gpu-ops"),
    )
    result["seconds"] = round(ended.seconds, 1)
    result.update(judged(read_json(report), ended, context.has_gpu))
    print(f"  {'passed' if result['good'] else 'FAILED'} {short}: {result['ended']}", flush=True)
    return result


def judged(report, ended, has_gpu):
    """Returns what a class's report and its process say of it."""
    if report is None:
        return {"ended": f"{ended.words()}, no report"}
    not_run = report.get("notRun", {})
    words = ended.words()
    if not_run:
        words += f", {sum(not_run.values())} not run"
    lacking = [reason for reason in not_run if has_gpu and LACKS_GPU.match(reason)]
    if lacking:
        words += f": {lacking[0]}"
    some_pass = report["counts"].get("SUCCESSFUL", 0) > 0
    return {**report, "good": ended.code == 0 and some_pass and not lacking, "ended": words}

"""each operator by itself on the cuda and cpu back ends, at SF1 (GpuBench); else SF0.01, simulated"""

import zipfile

from . import processes, tpch
from .context import Outcome, guarded, passed_if, read_json

# What is known of the program's command line is here, and nowhere else.
MAIN = "io.ariadne.benchmark.operators.GpuBench"
CASES = "scan filter group-by-few group-by-many join sort top-n partition".split()
HEAP_MEGABYTES = 4096
SECONDS = 120


def arguments(tables, backend, case, report):
    return ["--tables", tables, "--backend", backend, "--cases", case, "--json", report]


def run(context):
    if not has_class(context, MAIN):
        return Outcome("skipped", {}, f"the bundle has no {MAIN}")
    scale = context.options.scale or (1 if context.has_gpu else 0.01)
    data = tpch.Benchmark(context, scale, ["ariadne"], 1, 1, SECONDS)
    data.generate()
    backends = ["cuda", "cpu"] if context.has_gpu else ["simulated"]
    checks = []
    for case in CASES:
        for backend in backends:
            entry = {"case": case, "backend": backend, "good": False}
            checks.append(guarded(entry, check, context, data.folder(), backend, case))
            context.keep({"scale": scale, "checks": checks})
    bad = [f"{entry['case']} on {entry['backend']}: {entry['ended']}" for entry in checks]
    bad = [words for words, entry in zip(bad, checks) if not entry["good"]]
    return passed_if(not bad, {"scale": scale, "checks": checks}, "; ".join(bad))


def check(context, tables, backend, case):
    """Runs one operator on one back end, in a process of its own."""
    result = {"case": case, "backend": backend, "good": False}
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    report = context.log(f"{case}-{backend}.json")
    jars = [context.plugin_jar(), *context.class_path("spark")]
    command = context.java(HEAP_MEGABYTES) + ["-cp", ":".join(jars), MAIN]
    command += arguments(tables, backend, case, report)
    ended = processes.run(command, context.log(f"{case}-{backend}.log"), min(SECONDS, left))
    result["ended"] = ended.words()
    result["report"] = read_json(report)
    result["good"] = ended.code == 0 and result["report"] is not None
    return result


def has_class(context, name):
    member = name.replace(".", "/") + ".class"
    for jar in context.class_path("spark"):
        with zipfile.ZipFile(jar) as archive:
            if member in archive.NameToInfo:
                return True
    return False

"""Runs TPC-H through the benchmarks' command line, on as many engines as asked for."""

import glob
import os
import shutil

from . import machine, processes
from .context import Outcome, StepError, guarded, read_json

MAIN = "io.ariadne.benchmark.command.AriadneCommand"
MAX_ENGINE_MEGABYTES = 32_000
SMALL_ENGINE_MEGABYTES = 3_000
MIN_ENGINE_MEGABYTES = 2_000
SMALL_SCALE = 0.1
# Of what an engine is given, and of the machine: the rest is the operating system's file cache.
ENGINES_SHARE = 0.75
START_SECONDS = 60
# As Parquet, with something to spare: SF0.2 has 0.31 GB per scale factor, and 0.13 GB with only the
# columns that Q1, Q3, Q6, Q9 and Q18 read.
GIGABYTES_PER_SCALE = 0.4
COLUMNS_SHARE = 0.5
# For shuffles of the engines.
LOCAL_GIGABYTES_PER_SCALE = 0.2
# Of the plan and of the answer of a query that went wrong.
KEPT_BYTES = 256 << 10


class Benchmark:
    """One comparison of engines: the same data and settings for each group of queries."""

    def __init__(self, context, scale, engines, rounds, warmups, seconds_per_query):
        self.context = context
        self.scale = scale
        self.engines = engines
        self.rounds = rounds
        self.warmups = warmups
        self.seconds_per_query = seconds_per_query
        self.only_columns_of = []
        self.complaint = ""  # of the run as a whole
        self.data = os.path.join(context.work, "data")

    def keep_only_columns_of(self, queries):
        """Has the tables made with no other columns than these queries read."""
        self.only_columns_of = list(queries)

    def require_space(self):
        if os.path.isdir(self.folder()):
            return
        share = COLUMNS_SHARE if self.only_columns_of else 1
        needed = self.scale * (GIGABYTES_PER_SCALE * share + LOCAL_GIGABYTES_PER_SCALE)
        os.makedirs(self.data, exist_ok=True)
        free = shutil.disk_usage(self.data).free / 1e9
        if free < needed:
            raise StepError(
                f"SF{self.scale:g} needs about {needed:.0f} GB below {self.data}, where {free:.0f}"
                " are free: give a smaller --scale or another ARIADNE_GPU_WORK"
            )

    def require_memory(self):
        if self.engine_megabytes() < MIN_ENGINE_MEGABYTES:
            raise StepError(
                f"{len(self.engines)} engines need {MIN_ENGINE_MEGABYTES} MB each, and this machine"
                f" gives them {self.engine_megabytes()}: give fewer --engines"
            )

    def folder(self):
        names = "".join(f"-q{number}" for number in self.only_columns_of)
        return os.path.join(
            self.data, f"tpch-sf{self.scale:g}" + ("-columns" + names if names else "")
        )

    def columns(self):
        numbers = ",".join(map(str, self.only_columns_of))
        return ["--columns-of", numbers] if numbers else []

    def engine_megabytes(self):
        if self.scale <= SMALL_SCALE:
            return SMALL_ENGINE_MEGABYTES
        share = int(machine.memory_megabytes() * ENGINES_SHARE / len(self.engines))
        return min(MAX_ENGINE_MEGABYTES, share)

    def command(self, words, heap_megabytes):
        jars = self.context.class_path("spark")
        return self.context.java(heap_megabytes) + [
            "-Dlog4j2.configurationFile=log4j2-benchmark.properties",
            f"-Dariadne.classpath.ariadne={self.context.plugin_jar()}",
            *["-cp", ":".join(jars), MAIN, *words],
            *["--data", self.data, "--cores", machine.cores()],
        ]

    def keep(self, report):
        """Keeps what is measured so far, should the command be killed."""
        content = read_json(report) or {"results": []}
        self.context.keep({"scale": self.scale, "soFar": content["results"]})

    def run_java(self, words, log, seconds, meanwhile=None):
        heap = max(2048, min(16_384, machine.memory_megabytes() // 8))
        return processes.run(
            self.command(words, heap),
            self.context.log(log),
            seconds,
            meanwhile=meanwhile,
            environment={"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": self.local_folder()},
        )

    def generate(self):
        """Writes the tables apart from the comparison, so that its time limit is its own."""
        self.require_space()
        self.require_memory()
        words = ["generate", "--scale", self.scale, *self.columns()]
        ended = self.run_java(words, "generate.log", self.context.seconds_left())
        if ended.code != 0:
            raise StepError(f"no data of SF{self.scale:g}: {ended.words()}: see generate.log")

    def run(self, queries):
        """Returns results by query; the engines are the same processes for all queries."""
        left = self.context.seconds_left()
        if left <= START_SECONDS // 2:
            return [missing(query, "not run: the command's time is over") for query in queries]
        report = self.context.log("tpch.json")
        words = ["bench", "tpch", "--scale", self.scale, "--queries", ",".join(map(str, queries))]
        words += ["--engines", ",".join(self.engines), "--rounds", self.rounds]
        words += ["--warmups", self.warmups, "--memory", self.engine_megabytes(), "--json", report]
        words += ["--query-seconds", int(self.seconds_per_query), *self.columns()]
        self.remove_runs()  # a command that was killed has left its own
        ended = self.run_java(words, "tpch.log", left, lambda: self.keep(report))
        content = read_json(report) or {"results": []}
        results = [
            guarded(missing(query, "a report of another form"), measured, query, content, ended)
            for query in queries
        ]
        # Engines may end badly after their last answer, with memory left behind for example.
        if ended.code != 0 and all(result["good"] for result in results):
            self.complaint = f"all answers are equal, but the engines: {ended.words()}"
        self.keep_logs([query for query, result in zip(queries, results) if not result["good"]])
        return results

    def runs(self):
        return glob.glob(os.path.join(self.data, "runs", "run-*"))

    def local_folder(self):
        """Returns where Spark puts shuffles: engines that are killed leave theirs."""
        return os.path.join(self.data, "spark-local")

    def remove_runs(self):
        for run in [*self.runs(), self.local_folder()]:
            shutil.rmtree(run, ignore_errors=True)

    def keep_logs(self, bad):
        """Copies the engines' logs of the last run, and plans and answers of its bad queries."""
        for run in self.runs():
            for log in glob.glob(os.path.join(run, "*.log")):
                shutil.copyfile(log, self.context.log(f"tpch-{os.path.basename(log)}"))
            for query in bad:
                for path in glob.glob(os.path.join(run, "*", f"q{query}.*txt")):
                    engine_name = os.path.basename(os.path.dirname(path))
                    kept = f"tpch-{engine_name}-{os.path.basename(path)}"
                    copy_beginning(path, self.context.log(kept))
        self.remove_runs()


def copy_beginning(source, target):
    with open(source, "rb") as file:
        content = file.read(KEPT_BYTES)
    with open(target, "wb") as file:
        file.write(content)


def missing(query, reason):
    return {"query": f"q{query}", "good": False, "reason": reason, "engines": {}}


def measured(query, content, ended):
    """Returns what the report of a comparison says of one query."""
    of_query = [entry for entry in content["results"] if entry["query"] == f"q{query}"]
    if not of_query:
        return missing(query, f"no answer: {ended.words()}")
    reasons = [
        f"{entry['engine']}: {entry.get('error') or entry.get('difference')}"
        for entry in of_query
        if entry.get("error") or entry.get("difference")
    ]
    reasons += [
        f"{entry['engine']}: none of its operators is accelerated ({entry['accelerated']})"
        for entry in of_query
        if entry["engine"].startswith("ariadne")
        and str(entry.get("accelerated") or "").startswith("0/")
    ]
    return {
        "query": f"q{query}",
        "good": not reasons,
        "reason": "; ".join(reasons),
        "engines": {entry["engine"]: engine(entry) for entry in of_query},
    }


def engine(entry):
    kept = ("medianSeconds", "firstSeconds", "seconds", "accelerated", "rows", "resultHash")
    return {name: entry[name] for name in kept if name in entry}


def outcome(benchmark, results):
    bad = [f"{result['query']}: {result['reason']}" for result in results if not result["good"]]
    bad += [benchmark.complaint] if benchmark.complaint else []
    for result in results:
        times = ", ".join(
            f"{name} {entry.get('medianSeconds') or 0:.3f} s"
            for name, entry in result["engines"].items()
        )
        print(f"  {'equal' if result['good'] else 'FAILED'} {result['query']} {times}", flush=True)
    details = {
        "scale": benchmark.scale,
        "engines": benchmark.engines,
        "rounds": benchmark.rounds,
        "warmups": benchmark.warmups,
        "engineMegabytes": benchmark.engine_megabytes(),
        "queries": results,
    }
    return Outcome("failed" if bad else "passed", details, "; ".join(bad))

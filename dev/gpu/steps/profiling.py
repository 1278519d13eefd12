"""ncu on the three slowest kernels of the recorded launches, or on --cases"""

import csv
import glob
import os
import sys

from . import kernels, processes
from .context import Outcome, StepError, guarded, passed_if, read_json
from .machine import tool

NEEDS_GPU = True
KERNELS = 3
SECONDS = 120
METRICS = [
    "gpu__time_duration.sum",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "launch__registers_per_thread",
    "launch__grid_size",
    "launch__block_size",
]


def run(context):
    program = tool("ncu")
    if program is None:
        return Outcome("skipped", {}, "no ncu on the PATH: install Nsight Compute")
    cases = context.options.cases or slowest(context)
    if not cases:
        return passed_if(False, {}, "replay.py measured no kernel: see replay.log")
    profiles = []
    for number, case in enumerate(cases):
        entry = {"case": case, "launches": []}
        profiles.append(guarded(entry, profile, context, program, number, case))
        context.keep({"profiles": profiles})
    bad = [f"{entry['case']}: {entry['ended']}" for entry in profiles if not entry["launches"]]
    return passed_if(not bad, {"profiles": profiles}, "; ".join(bad))


def slowest(context):
    """Returns one case of each of the slowest kernels, of the last run of the step `kernels`."""
    results = measured(os.path.join(context.results, context.name_of("kernels"), "replay.json"))
    if not results:
        kernels.run(context)
        results = measured(context.log("replay.json"))
    chosen = {}
    for result in sorted(results, key=lambda entry: entry["gigabytesPerSecond"]):
        chosen.setdefault(result["kernel"], result["name"])
    return list(chosen.values())[:KERNELS]


def measured(path):
    written = read_json(path) or {"results": []}
    return [entry for entry in written["results"] if entry["gigabytesPerSecond"]]


def profile(context, program, number, case):
    """Profiles the launches of a case, of many rows as they are measured; the whole report is in the log, some of it in the result."""
    result = {"case": case, "launches": []}
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    exported = context.log(f"ncu-{number}")
    bundle = context.file("replay", "replay-bundle.zip")
    # Without this ncu locks the card's clocks, which other programs on it would see.
    command = [program, "--set", "full", "--clock-control", "none"]
    command += ["--launch-count", 4, "--force-overwrite"]
    command += ["--export", exported, sys.executable, "-B", context.script("replay.py"), bundle]
    command += ["--no-check", "--in-process", "--no-speed", "--profile", "--only", case]
    ended = processes.run(command, context.log(f"ncu-{number}.log"), min(SECONDS, left))
    result["ended"] = ended.words()
    for report in glob.glob(exported + ".ncu-rep"):
        result["launches"] = read_report(context, program, number, report)
        os.remove(report)  # some megabytes, of which the log has the text
    return result


def read_report(context, program, number, report):
    """Returns chosen metrics of each launch in a report."""
    words = [program, "--import", report, "--page"]
    table = context.log(f"ncu-{number}.csv")
    details = context.log(f"ncu-{number}.details.log")
    for page, log in ((["raw", "--csv"], table), (["details"], details)):
        left = context.seconds_left()
        if left <= 0:
            raise StepError("its report was not read: the command's time is over")
        processes.run([*words, *page], log, min(SECONDS, left))
    with open(table, encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.startswith('"')]
    launches = []
    for row in csv.DictReader(lines):
        if row.get("ID"):  # the row below the names holds the units
            launch = {name: row[name] for name in METRICS if name in row}
            missing = [name for name in METRICS if name not in row]
            launches.append({"kernel": row.get("Kernel Name", ""), **launch, "missing": missing})
    return launches

"""Checks Ariadne on a machine with a GPU, without network and JDK: see README.md beside this file.

  on-device.sh --list              the steps
  on-device.sh unpack              only takes in the parts that have arrived
  on-device.sh STEP [STEP...]      the same, then runs the steps, one after another
  on-device.sh collect FOLDER      copies results and logs there, few and small files
"""

import argparse
import os
import re
import sys
import threading
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from parts import Depot, PartsError  # noqa: E402
from steps import (  # noqa: E402
    bench,
    kernels,
    machine,
    operators,
    peers,
    processes,
    profiling,
    results,
    sanitizer,
    spark,
    storage,
    suites,
    tables,
)
from steps.context import Context, Outcome, StepError, read_json  # noqa: E402

STEPS = {
    "kernels": kernels,
    "sanitizer": sanitizer,
    "suites": suites,
    "spark": spark,
    "tables": tables,
    "bench": bench,
    "peers": peers,
    "profile": profiling,
    "operators": operators,
    "storage": storage,
}
NO_TIME = Outcome("failed", {}, "not run: the command's time is over")
NOT_REACHED = Outcome("failed", {}, "not run: the command has ended before it")
# After the time of all steps: for what is being stopped; then the command ends by force.
GRACE_SECONDS = 20
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def outcome_of(module, context):
    """Runs a step; an error of the step is its outcome, and the next step runs all the same."""
    if getattr(module, "NEEDS_GPU", False) and not context.has_gpu:
        return Outcome("skipped", {}, f"no GPU: {context.gpu['reason']}")
    try:
        return module.run(context)
    except (PartsError, StepError) as error:
        return Outcome("failed", {}, str(error))
    except Exception as error:  # pylint: disable=broad-except
        return Outcome("failed", {"trace": traceback.format_exc()}, repr(error))


def run_step(name, context):
    """Runs a step and writes what became of it; returns its status."""
    context.step = context.name_of(name)
    if context.seconds_left() <= 0:
        path = results.write(context, context.step, NO_TIME)
        print(f"{name}: {NO_TIME.status}: {NO_TIME.reason} ({path})", flush=True)
        return NO_TIME.status
    results.clear(os.path.join(context.results, context.step))
    context.step_started = time.monotonic()
    context.keep = lambda details: keep(context, details)
    context.keep({})
    print(f"{name} (target: {context.target}): {STEPS[name].__doc__}", flush=True)
    before = machine.gpu_state() if context.has_gpu else {}
    outcome = outcome_of(STEPS[name], context)
    seconds = time.monotonic() - context.step_started
    with context.ending:  # first, as nvidia-smi may not answer
        results.write(context, context.step, outcome, seconds, before)
    results.cap_logs(os.path.join(context.results, context.step))
    after = machine.gpu_state() if context.has_gpu else {}
    with context.ending:
        path = results.write(context, context.step, outcome, seconds, before, after)
    reason = f": {outcome.reason}" if outcome.reason else ""
    words = f"{outcome.status} on target {context.target} in {seconds:.0f} s{reason}"
    print(f"{name}: {words} ({path})", flush=True)
    return outcome.status


def keep(context, details):
    """Writes what a step has found so far, which stays when the step is killed."""
    with context.ending:
        results.write(context, context.step, Outcome("running", details))


def run_all(context, names):
    """Runs steps; those that the command does not come to are left as not run."""
    os.makedirs(context.results, exist_ok=True)
    for name in names:
        results.write(context, context.name_of(name), NOT_REACHED)
    collect_steps(context)
    if not (context.has_gpu or context.options.without_gpu):
        return refuse(context, names)
    ends_well = watch(context)
    statuses = []
    for name in names:
        statuses.append(run_step(name, context))
        collect_steps(context)
    with context.ending:
        ends_well.set()
    if context.options.collect:
        results.collect(context.results, context.options.collect)
    return 1 if "failed" in statuses else 0


def refuse(context, names):
    """Runs nothing: without its GPU a run would be a rehearsal that passes."""
    reason = f"no GPU: {context.gpu['reason']}"
    for name in names:
        results.write(context, context.name_of(name), Outcome("failed", {}, reason))
    collect_steps(context)
    advice = "see what nvidia-smi says, or rehearse with --without-gpu"
    print(f"on-device.sh: {reason}: {advice}", file=sys.stderr, flush=True)
    return 1


def collect_steps(context):
    if context.options.collect:
        results.collect_steps(context.results, context.options.collect)


def watch(context):
    """Starts a thread that ends a command that overruns; returns the event that calls it off."""
    ends_well = threading.Event()

    def wait():
        ends_well.wait(max(0.0, context.seconds_left() + GRACE_SECONDS))
        context.ending.acquire(timeout=1)  # and keeps it: no other thread writes results any more
        if ends_well.is_set():
            return
        try:
            end_late(context)
        finally:
            processes.kill_all()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    return ends_well


def end_late(context):
    """Kills what runs and says of the present step that it failed."""
    print(f"on-device.sh: over its time by {GRACE_SECONDS} s: killed", flush=True)
    processes.kill_all()
    step = read_json(os.path.join(context.results, context.step + ".json")) or {}
    if step.get("status") == "running":
        seconds = time.monotonic() - context.step_started
        outcome = Outcome("failed", step["details"], "killed: it ran on after the command's time")
        results.write(context, context.step, outcome, seconds)
    results.cap_logs(os.path.join(context.results, context.step))
    if context.options.collect:
        results.collect(context.results, context.options.collect)


def numbers(text):
    return [int(number) for number in text.split(",")]


def words(text):
    return text.split(",")


def parse_options():
    parser = argparse.ArgumentParser(
        prog="on-device.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="STEP")
    parser.add_argument("--list", action="store_true", help="one line for each step")
    parser.add_argument("--parts", default=os.path.join(ROOT, "dev", "gpu", "parts"))
    parser.add_argument("--seconds", type=float, default=540, help="for all steps together")
    parser.add_argument(
        "--without-gpu", action="store_true", help="rehearse: no step looks for a GPU"
    )
    parser.add_argument(
        "--collect", metavar="FOLDER", help="collect there, results.json after every step"
    )
    parser.add_argument(
        "--cases",
        action="append",
        default=[],
        help="kernels, sanitizer, profile: part of a name; may be given again",
    )
    parser.add_argument(
        "--tools", type=words, default=[], help="sanitizer: such as memcheck,racecheck"
    )
    parser.add_argument("--classes", action="append", default=[], help="suites: part of a name")
    parser.add_argument("--class-seconds", type=float, default=400, help="suites: for each class")
    parser.add_argument("--parallel", type=int, default=0, help="suites: classes side by side")
    parser.add_argument("--scale", type=float, default=0, help="spark, tables, bench, operators: factor")
    parser.add_argument("--queries", type=numbers, default=[], help="spark, tables, bench: such as 1,6")
    parser.add_argument("--engines", type=words, default=[], help="bench: such as spark,ariadne")
    parser.add_argument("--rounds", type=int, help="bench: timed runs; 0: the first run counts")
    parser.add_argument("--warmups", type=int, help="bench: runs before them")
    parser.add_argument("--label", default="", help="ends the results' names: bench-LABEL.json")
    options = parser.parse_args()
    if not re.fullmatch(r"[\w.-]*", options.label):
        parser.error("a label has letters, digits, '.', '_' and '-'")
    check_steps(parser, options)
    return options


def check_steps(parser, options):
    given = options.words
    if not given and not options.list:
        parser.error("give a step: see --list")
    if given[:1] == ["collect"]:
        if len(given) != 2:
            parser.error("collect needs a folder")
    elif given != ["unpack"]:
        for step in given:
            if step not in STEPS:
                parser.error(f"no step {step}: see --list")


def work_folder():
    default = os.path.join(os.path.expanduser("~"), "ariadne-gpu")
    return os.path.abspath(os.environ.get("ARIADNE_GPU_WORK", default))


def run_steps(options, work):
    depot = Depot(options.parts, work)
    started = time.monotonic()
    depot.take_in()
    commit = depot.manifest["commit"][:12]
    print(f"bundle of {commit} in {work}, taken in {time.monotonic() - started:.0f} s", flush=True)
    for name in depot.manifest["components"]:
        wanted = "" if depot.is_unpacked(name) else depot.wanted(name)
        state = "waits for " + wanted if wanted else "unpacked"
        print(f"  {name}: {state}", flush=True)
    if options.words == ["unpack"]:
        return 1 if depot.damaged else 0
    context = Context(ROOT, depot, options, started)
    what = context.gpu.get("name") or context.gpu["reason"]
    print(f"target: {context.target} ({what})", flush=True)
    return run_all(context, options.words)


def main():
    options = parse_options()
    if options.list:
        for name, module in STEPS.items():
            print(f"{name:10} {module.__doc__}")
        return 0
    if options.words[0] == "collect":
        print("\n".join(results.collect(os.path.join(work_folder(), "results"), options.words[1])))
        return 0
    processes.end_with_this_process()
    try:
        return run_steps(options, work_folder())
    except PartsError as error:
        print(f"on-device.sh: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

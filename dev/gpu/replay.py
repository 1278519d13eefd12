#!/usr/bin/env python3
"""Replays recorded kernel launches on a GPU and compares the answers; no JVM, no CUDA toolkit.

Needs Python 3.8 and an NVIDIA driver (libcuda.so.1), nothing else. The bundle is written by
`./mvnw -Preplay-bundle -pl gpu-ops -am process-test-classes -Dreplay.bundle=FILE`.

  replay.py BUNDLE                  memory-order litmus tests, then all cases, then their speed
  replay.py BUNDLE --dry-run        checks the bundle's integrity; needs no GPU
  replay.py BUNDLE --list           names of the cases; needs no GPU
  replay.py BUNDLE --emulated LIB   runs the cases on libariadne_emulated.so instead of a GPU
  options: --only TEXT  --ptx  --device N  --repeat N  --no-speed  --json FILE
           --timeout SECONDS  --in-process  --no-check  --profile

Every case runs from the PTX and from the cubin of the GPU's architecture when the bundle has one.
The cases run in another process, which is replaced when a case hangs, kills it or ends in an error
of the device: such a case is reported, and the rest run. --in-process runs them in this one, for
tools that look into a process. Ends with status 1 when a case is not equal.
"""

import argparse
import json
import os
import sys
import zipfile

from devices import CudaDevice, DeviceError, EmulatedDevice
from replay_bundle import Bundle, check_bundle
from replay_case import MEASURED_BYTES, run_case, without_answer
from replay_worker import Worker, WorkerEnded, WorkerHangs, serve

# A device on which so many cases hang is given up: each costs the whole time that a case may take.
MAX_HANGS = 2
WORDS = {
    "equal": "equal",
    "differs": "DIFFERS",
    "failed": "FAILED",
    "hung": "HANGS",
    "died": "DIED",
    "not run": "NOT RUN",
}


def open_device(options):
    if options.emulated:
        return EmulatedDevice(options.emulated)
    return CudaDevice(options.device)


def description(device, options):
    """Returns what the report says of a device."""
    return {
        "name": device.name,
        "architecture": device.architecture,
        "copyGigabytesPerSecond": 0.0 if options.no_speed else device.copy_rate(MEASURED_BYTES),
    }


def run_here(bundle, cases, options, report):
    """Runs cases in this process, up to the first that leaves the device of no more use."""
    try:
        device = open_device(options)
    except DeviceError as error:
        report.not_run(cases, f"no device: {error}")
        return
    report.begins(description(device, options))
    for number, case in enumerate(cases):
        result = run_case(device, bundle, case, options)
        report.add(result)
        if result["outcome"] == "failed" and device.is_gpu:
            report.not_run(cases[number + 1 :], "the device is of no more use after this error")
            return


def run_apart(cases, options, report):
    """Runs cases in worker processes, a new one after each case that ends its worker."""
    waiting = list(cases)
    while waiting:
        with Worker(sys.argv[1:], [case["name"] for case in waiting], options.timeout) as worker:
            try:
                report.begins(worker.device())
            except (WorkerEnded, WorkerHangs) as error:
                report.not_run(waiting, f"no device: {error}")
                return
            waiting = run_until_one_fails(worker, waiting, report)
        if report.hangs() >= MAX_HANGS:
            report.not_run(waiting, f"{MAX_HANGS} cases have hung before it")
            return


def run_until_one_fails(worker, waiting, report):
    """Returns the cases that remain when a worker is of no more use, or done."""
    while waiting:
        case = waiting.pop(0)
        try:
            result = worker.result()
        except WorkerHangs as error:
            report.add(without_answer(case, "hung", str(error)))
            return waiting
        except WorkerEnded as error:
            report.add(without_answer(case, "died", str(error)))
            return waiting
        report.add(result)
        if result["outcome"] == "failed":
            return waiting
    return waiting


class Report:
    """Results as they come: printed, and written to the file in JSON, which is whole all along."""

    def __init__(self, path, planned):
        self.path = path
        self.planned = planned
        self.device = None
        self.results = []

    def begins(self, device):
        if self.device is None:
            self.device = device
            rate = device["copyGigabytesPerSecond"]
            print(f"device: {device['name']}, {device['architecture']}, copy {rate:.1f} GB/s")

    def not_run(self, cases, reason):
        for case in cases:
            self.add(without_answer(case, "not run", reason))

    def add(self, result):
        self.results.append(result)
        speed = ""
        copy_rate = self.device["copyGigabytesPerSecond"] if self.device else 0
        if result["gigabytesPerSecond"] and copy_rate:
            share = 100 * result["gigabytesPerSecond"] / copy_rate
            speed = f"{result['gigabytesPerSecond']:8.1f} GB/s {share:5.1f} % of copy"
        forms = ", ".join(result["forms"])
        print(f"{WORDS[result['outcome']]:8}{result['name']:44}{forms:16}{speed}")
        for label, lines in result["forms"].items():
            for line in lines:
                print(f"        {label}: {line}")
        sys.stdout.flush()
        self.write()

    def hangs(self):
        return sum(result["outcome"] == "hung" for result in self.results)

    def is_good(self):
        return all(result["outcome"] == "equal" for result in self.results)

    def write(self):
        if not self.path:
            return
        device = self.device or {"name": None, "copyGigabytesPerSecond": 0}
        content = {
            "device": device["name"],
            "copyGigabytesPerSecond": device["copyGigabytesPerSecond"],
            "planned": self.planned,
            "results": self.results,
        }
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(content, file, indent=2)
        os.replace(self.path + ".new", self.path)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bundle")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--list", action="store_true", help="only print the names of the cases")
    parser.add_argument("--emulated", metavar="LIB")
    parser.add_argument(
        "--only", action="append", metavar="TEXT", help="cases whose name contains this, or another"
    )
    parser.add_argument("--ptx", action="store_true", help="leave the cubins out")
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=0, help="instead of each case's own number")
    parser.add_argument("--no-speed", action="store_true", help="only compare answers")
    parser.add_argument(
        "--profile",
        action="store_true",
        help="only launch each case once, with as many rows as its speed is measured with",
    )
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a case may take")
    parser.add_argument("--in-process", action="store_true", help="start no other process")
    parser.add_argument(
        "--no-check", action="store_true", help="for a bundle that has been checked before"
    )
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def checked_cases(bundle, options):
    """Returns the chosen cases, or None when the bundle is not whole, having said why."""
    with open(options.bundle, "rb") as file:
        size = file.seek(0, 2)
    faults = [] if options.no_check else check_bundle(bundle, size)
    for fault in faults:
        print("bundle:", fault)
    cases = bundle.cases(options.only)
    sources = bundle.index["sourceHash"][:12]
    print(f"bundle: {len(cases)} cases, {size / 1048576:.1f} MiB, sources {sources}", flush=True)
    return None if faults else cases


def main():
    options = parse_options()
    try:
        bundle = Bundle(options.bundle)
    except zipfile.BadZipFile as error:
        print(f"bundle: {options.bundle} is damaged: {error}")
        return 1
    if options.worker:
        return serve(bundle, options, open_device, description)
    if options.list:
        print("\n".join(case["name"] for case in bundle.cases(options.only)))
        return 0
    cases = checked_cases(bundle, options)
    if cases is None or options.dry_run:
        return 1 if cases is None else 0
    report = Report(options.json, len(cases))
    if options.in_process:
        run_here(bundle, cases, options, report)
    else:
        run_apart(cases, options, report)
    report.write()
    return 0 if report.is_good() else 1


if __name__ == "__main__":
    sys.exit(main())

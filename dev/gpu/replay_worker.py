"""The process in which replay.py runs cases, seen from both of its ends.

The worker reads the names of its cases from its input, a list in JSON, and writes a line of JSON
for the device and for each case that it has run.
"""

import ctypes
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time

from devices import DeviceError
from replay_case import run_case

START_SECONDS = 120
STOP_SECONDS = 30
LAST_LINES = 5
PR_SET_PDEATHSIG = 1


class WorkerEnded(Exception):
    """The worker is gone and has not answered."""


class WorkerHangs(Exception):
    """The worker has not answered in time."""


class Worker:
    """A worker process; closing it kills it."""

    def __init__(self, arguments, names, timeout):
        self.timeout = timeout
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-B", sys.argv[0], *arguments, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.pending = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        try:
            self.process.stdin.write(json.dumps(names).encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already, which the first answer tells with its reason

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.selector.close()
        self.process.kill()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"process {self.process.pid} does not end: the driver holds it", flush=True)
        self.process.stdout.close()
        self.errors.close()

    def device(self):
        """Waits for the device's description."""
        return json.loads(self.line(max(START_SECONDS, self.timeout)))

    def result(self):
        """Waits for the next case's result."""
        return json.loads(self.line(self.timeout))

    def line(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\n" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                raise WorkerHangs(f"no answer within {seconds:g} s")
            received = os.read(self.process.stdout.fileno(), 1 << 16)
            if not received:
                raise WorkerEnded(self.how_it_ended())
            self.pending += received
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def how_it_ended(self):
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        words = f"status {code}" if code >= 0 else signal.Signals(-code).name
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return " | ".join([words, *lines[-LAST_LINES:]])


def serve(bundle, options, open_device, description):
    """Runs in the worker: answers for the device, then for each case, and ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it dies with replay.py
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the driver or a kernel prints is no answer
    names = json.load(sys.stdin)
    cases = {case["name"]: case for case in bundle.cases(options.only)}
    try:
        device = open_device(options)
    except DeviceError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(description(device, options)), file=answers, flush=True)
    for name in names:
        result = run_case(device, bundle, cases[name], options)
        print(json.dumps(result), file=answers, flush=True)
        if result["outcome"] == "failed" and device.is_gpu:
            break
    return 0

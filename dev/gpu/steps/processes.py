"""Runs programs with a timeout; before a program is killed its JVMs print what their threads do."""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

DUMP_SECONDS = 5
KILL_SECONDS = 30
# Thread dumps go to standard error, as the workers of the benchmarks answer on standard output.
JAVA_OPTIONS = "-XX:+DisplayVMOutputToStderr"

_sessions = set()
_lock = threading.Lock()


@dataclass(frozen=True)
class Ended:
    """How a program ended: its status, None when it had to be killed, and its time."""

    code: object
    seconds: float

    @property
    def is_timed_out(self):
        return self.code is None

    def words(self):
        if self.is_timed_out:
            return f"stopped after {self.seconds:.0f} s"
        if self.code < 0:
            return f"killed by {signal.Signals(-self.code).name} after {self.seconds:.0f} s"
        return f"status {self.code} after {self.seconds:.0f} s"


def run(command, log, seconds, environment=None, folder=None):
    """Runs a program for at most so many seconds; its output goes to a file."""
    started = time.monotonic()
    full = {**os.environ, "JDK_JAVA_OPTIONS": JAVA_OPTIONS, **(environment or {})}
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "ab") as output:
        output.write((" ".join(map(str, command)) + "\n").encode())
        output.flush()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=full,
            cwd=folder,
            start_new_session=True,
        )
        with _lock:
            _sessions.add(process.pid)
        try:
            code = process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            stop(process)
            code = None
        finally:
            kill_session(process.pid)
            with _lock:
                _sessions.discard(process.pid)
    return Ended(code, time.monotonic() - started)


def stop(process):
    """Lets a program's JVMs dump their threads, then kills the program and its children."""
    for pid in jvms(process.pid):
        signal_process(pid, signal.SIGQUIT)
    time.sleep(DUMP_SECONDS)
    kill_session(process.pid)
    try:
        process.wait(KILL_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"process {process.pid} does not end: the driver holds it", file=sys.stderr)


def jvms(session):
    """Returns the processes of a session that are JVMs."""
    return [pid for pid, name in members(session) if name == "java"]


def members(session):
    """Returns (number, name) of the processes of a session."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue  # it has ended since
        name = text[text.index("(") + 1 : text.rindex(")")]
        if int(text[text.rindex(")") + 1 :].split()[3]) == session:
            found.append((int(entry), name))
    return found


def kill_session(session):
    for pid, _name in members(session):
        signal_process(pid, signal.SIGKILL)


def signal_process(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it has ended since


def kill_all():
    with _lock:
        sessions = list(_sessions)
    for session in sessions:
        kill_session(session)


def end_with_this_process():
    """Lets no program outlive this process when that is told to stop."""
    atexit.register(kill_all)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end_all)


def end_all(number, _frame):
    kill_all()
    os._exit(128 + number)  # not sys.exit, which would wait for threads that start programs

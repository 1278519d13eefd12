"""Runs programs with a timeout; before a program is killed its JVMs print what their threads do."""

import atexit
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

DUMP_SECONDS = 5
KILL_SECONDS = 10
MEANWHILE_SECONDS = 5
# Thread dumps and the JVM's log go to standard error, as the workers of the benchmarks answer on
# standard output.
JAVA_OPTIONS = (
    "-XX:+DisplayVMOutputToStderr -XX:-CreateCoredumpOnCrash -Xlog:disable -Xlog:all=warning:stderr"
)
PR_SET_PDEATHSIG = 1

_groups = set()
_lock = threading.RLock()  # a signal may arrive while this thread holds it
_prctl = ctypes.CDLL(None).prctl  # looked up before a child needs it


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


def run(command, log, seconds, environment=None, folder=None, meanwhile=None):
    """Runs a program for at most so many seconds; its output goes to a file.

    Calls `meanwhile` now and then while the program runs.
    """
    started = time.monotonic()
    folder_of_log = os.path.dirname(os.path.abspath(log))
    os.makedirs(folder_of_log, exist_ok=True)
    full = {**os.environ, "JDK_JAVA_OPTIONS": java_options(folder_of_log), **(environment or {})}
    with open(log, "ab") as output:
        output.write((" ".join(map(str, command)) + "\n").encode())
        output.flush()
        process = start(command, output, env=full, cwd=folder)
        try:
            code = wait(process, started + max(0.0, seconds), meanwhile)
        except subprocess.TimeoutExpired:
            stop(process)
            code = None
        finally:
            forget(process)
    return Ended(code, time.monotonic() - started)


def wait(process, deadline, meanwhile):
    """Returns the status of a process; raises TimeoutExpired at the deadline."""
    while True:
        left = max(0.0, deadline - time.monotonic())
        try:
            return process.wait(min(left, MEANWHILE_SECONDS) if meanwhile else left)
        except subprocess.TimeoutExpired:
            if left <= MEANWHILE_SECONDS or not meanwhile:
                raise
        meanwhile()


def answer(command, seconds):
    """Runs a short program; returns its status, None after a timeout, and what it has printed.

    It waits no longer than it says, even for a program that the driver holds.
    """
    with tempfile.TemporaryFile() as output:
        process = start(command, output)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            kill_group(process.pid)
            reap(process, 1)
            code = None
        finally:
            forget(process)
        output.seek(0)
        return code, output.read().decode(errors="replace")


def java_options(folder):
    """Returns options of all JVMs below a program, those that it starts among them."""
    return f'{JAVA_OPTIONS} "-XX:ErrorFile={folder}/hs_err_%p.log"'


def start(command, output, **more):
    """Starts a program in a process group of its own, in the session of this process."""
    parent = os.getpid()
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        preexec_fn=lambda: prepare_child(parent),
        **more,
    )
    with _lock:
        _groups.add(process.pid)
    return process


def prepare_child(parent):
    """Runs in the child: it gets a group, dies with the thread that waits, and dumps no core."""
    os.setpgid(0, 0)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the parent has ended before the child could say so
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def forget(process):
    """Ends what a program has left."""
    kill_group(process.pid)
    with _lock:
        _groups.discard(process.pid)


def stop(process):
    """Lets a program's JVMs dump their threads, then kills the program and its children."""
    for pid in jvms(process.pid):
        signal_process(pid, signal.SIGQUIT)
    time.sleep(DUMP_SECONDS)
    kill_group(process.pid)
    reap(process, KILL_SECONDS)


def reap(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        words = f"process {process.pid} does not end: the driver holds it"
        print(words, file=sys.stderr, flush=True)


def jvms(group):
    """Returns the processes of a group that are JVMs."""
    return [pid for pid, name in members(group) if name == "java"]


def members(group):
    """Returns (number, name) of the processes of a group."""
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
        if int(text[text.rindex(")") + 1 :].split()[2]) == group:
            found.append((int(entry), name))
    return found


def kill_group(group):
    for pid, _name in members(group):
        signal_process(pid, signal.SIGKILL)


def signal_process(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it has ended since


def kill_all():
    with _lock:
        groups = list(_groups)
    for group in groups:
        kill_group(group)


def end_with_this_process():
    """Lets no program outlive this process when that is told to stop."""
    atexit.register(kill_all)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end_all)


def end_all(number, _frame):
    kill_all()
    os._exit(128 + number)  # not sys.exit, which would wait for threads that start programs

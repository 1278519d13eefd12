"""Cuts what a machine with a GPU needs into parts, and puts the parts together there.

A component is a folder: an archive in tar.xz, cut into parts that are sent one by one. The
manifest, which lies beside the parts, has the hash of each.

  parts.py pack STAGE PARTS --commit HASH [--level N]    each folder of STAGE is a component
"""

import argparse
import hashlib
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile

FORMAT = 1
PART_BYTES = 48 << 20
READ_BYTES = 1 << 20
MANIFEST = "manifest.json"
UNPACKED = ".unpacked"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The components that each step needs.
NEEDS = {
    "kernels": ["replay"],
    "profile": ["replay"],
    "sanitizer": ["replay"],
    "suites": ["runtime"],
    "storage": ["runtime"],
    "spark": ["runtime", "spark"],
    "operators": ["runtime", "spark"],
    "tables": ["runtime", "spark"],
    "bench": ["runtime", "spark"],
}
# Steps whose time fits one command of ten minutes.
COMMANDS = [["kernels", "profile", "sanitizer"], ["suites", "storage"], ["spark", "operators"], ["bench"]]


class PartsError(Exception):
    """Parts are missing or damaged; says which and what to do."""


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(READ_BYTES), b""):
            digest.update(block)
    return digest.hexdigest()


def pack(stage, parts, commit, level):
    """Writes the parts of all components, and their manifest."""
    shutil.rmtree(parts, ignore_errors=True)
    os.makedirs(parts)
    components = {
        name: {"parts": pack_component(os.path.join(stage, name), name, parts, level)}
        for name in sorted(os.listdir(stage))
    }
    manifest = {"format": FORMAT, "commit": commit, "components": components}
    with open(os.path.join(parts, MANIFEST), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")
    return manifest


def pack_component(folder, name, parts, level):
    """Archives a folder and returns what the manifest says of its parts."""
    archive = ["tar", "-c", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]
    archive += ["--mtime=@0", "-C", folder, "."]
    compress = ["xz", "-c", "-T0", f"-{level}"]
    pipe = subprocess.PIPE
    described = []
    with subprocess.Popen(archive, stdout=pipe) as tar:
        with subprocess.Popen(compress, stdin=tar.stdout, stdout=pipe) as xz:
            tar.stdout.close()
            for piece in iter(lambda: xz.stdout.read(PART_BYTES), b""):
                described.append(write_part(parts, f"{name}.tar.xz.{len(described)}", piece))
    if tar.returncode or xz.returncode:
        words = f"tar {tar.returncode}, xz {xz.returncode}"
        raise PartsError(f"{folder} could not be archived: {words}")
    return described


def write_part(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
    return {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def calls(manifest):
    """Returns names of parts that can be sent together: lists of at most PART_BYTES in total."""
    parts = [part for entry in manifest["components"].values() for part in entry["parts"]]
    groups = []
    for part in sorted(parts, key=lambda part: -part["bytes"]):
        for group in groups:
            if sum(other["bytes"] for other in group) + part["bytes"] <= PART_BYTES:
                group.append(part)
                break
        else:
            groups.append([part])
    return [[part["name"] for part in group] for group in groups]


def read_manifest(folder):
    path = os.path.join(folder, MANIFEST)
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
    except FileNotFoundError:
        raise PartsError(f"{path} is missing: send it with each part") from None
    if manifest["format"] != FORMAT:
        raise PartsError(f"{path} has format {manifest['format']}, expected {FORMAT}")
    return manifest


class Depot:
    """Where parts arrive over several calls, and what has been unpacked of them."""

    def __init__(self, arrivals, work):
        self.manifest = read_manifest(arrivals)
        self.arrivals = arrivals
        self.work = work
        self.kept = os.path.join(work, "parts")
        self.damaged = []

    def take_in(self):
        """Keeps whole parts that have arrived and unpacks components that are complete."""
        os.makedirs(self.kept, exist_ok=True)
        for name, component in self.manifest["components"].items():
            if self.is_unpacked(name):
                continue
            for part in component["parts"]:
                self.keep(part)
            if not self.missing(name):
                self.unpack(name)

    def keep(self, part):
        arrived = os.path.join(self.arrivals, part["name"])
        kept = os.path.join(self.kept, part["name"])
        if os.path.exists(kept):
            if sha256(kept) == part["sha256"]:
                return
            os.remove(kept)  # of another bundle
        if not os.path.exists(arrived):
            return
        if sha256(arrived) != part["sha256"]:
            self.damaged.append(part["name"])  # what needs another component can go on
            return
        shutil.copyfile(arrived, kept)

    def missing(self, name):
        """Returns names of the parts of a component that have not arrived."""
        return [
            part["name"]
            for part in self.manifest["components"][name]["parts"]
            if not os.path.exists(os.path.join(self.kept, part["name"]))
        ]

    def wanted(self, name):
        """Returns in words which parts of a component are to be sent, and which of them again."""
        return ", ".join(
            part + (" again (it is damaged)" if part in self.damaged else "")
            for part in self.missing(name)
        )

    def stamp(self, name):
        return json.dumps([part["sha256"] for part in self.manifest["components"][name]["parts"]])

    def is_unpacked(self, name):
        try:
            with open(os.path.join(self.work, name, UNPACKED), encoding="utf-8") as file:
                return file.read() == self.stamp(name)
        except FileNotFoundError:
            return False

    def unpack(self, name):
        folder = os.path.join(self.work, name)
        new = folder + ".new"
        for old in (folder, new):
            shutil.rmtree(old, ignore_errors=True)
        os.makedirs(new)
        parts = [
            os.path.join(self.kept, part["name"])
            for part in self.manifest["components"][name]["parts"]
        ]
        with lzma.open(io.BufferedReader(Joined(parts), READ_BYTES)) as stream:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                archive.extractall(new, **extraction())
        with open(os.path.join(new, UNPACKED), "w", encoding="utf-8") as file:
            file.write(self.stamp(name))
        os.rename(new, folder)
        for part in parts:
            os.remove(part)

    def component(self, name):
        """Returns the folder of a component."""
        if name not in self.manifest["components"]:
            raise PartsError(f"the bundle has no component {name}: make it anew with bundle.sh")
        if not self.is_unpacked(name):
            raise PartsError(
                f"component {name} is not whole: send {self.wanted(name)} to {self.arrivals}"
            )
        return os.path.join(self.work, name)


def extraction():
    """Returns arguments that keep an archive's members below the folder, where Python can."""
    return {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


class Joined(io.RawIOBase):
    """The parts of an archive read as one file."""

    def __init__(self, paths):
        super().__init__()
        self.paths = list(paths)
        self.file = None

    def readable(self):
        return True

    def readinto(self, buffer):
        while True:
            if self.file is None:
                if not self.paths:
                    return 0
                self.file = open(self.paths.pop(0), "rb")
            count = self.file.readinto(buffer)
            if count:
                return count
            self.file.close()
            self.file = None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("action", choices=["pack"])
    parser.add_argument("stage")
    parser.add_argument("parts")
    parser.add_argument("--commit", required=True)
    parser.add_argument("--level", default="6")
    options = parser.parse_args()
    manifest = pack(options.stage, options.parts, options.commit, options.level)
    print("\n".join(advice(manifest, options.parts)))
    return 0


def advice(manifest, folder):
    """Returns the calls that send all parts and use them: files to send, command to run."""
    lines = []
    groups = calls(manifest)
    arrived = set()
    folder = os.path.relpath(folder, ROOT)
    for number, group in enumerate(groups, 1):
        lines.append(f"call {number} of {len(groups)} sends:")
        lines += [f"  {os.path.join(folder, name)}" for name in [MANIFEST, *group]]
        before = usable_steps(manifest, arrived)
        arrived.update(group)
        steps = [step for step in usable_steps(manifest, arrived) if step not in before]
        lines += [f"  and runs: dev/gpu/on-device.sh {words}" for words in commands(steps)]
    return lines


def commands(steps):
    """Returns the words of the commands that run steps, each within the time of one."""
    groups = [[step for step in group if step in steps] for group in COMMANDS]
    return [" ".join([*group, "--collect FOLDER"]) for group in groups if group] or ["unpack"]


def usable_steps(manifest, arrived):
    """Returns the steps whose components are whole once these parts have arrived."""
    whole = {
        name
        for name, component in manifest["components"].items()
        if all(part["name"] in arrived for part in component["parts"])
    }
    return [step for step, needed in NEEDS.items() if whole.issuperset(needed)]


if __name__ == "__main__":
    sys.exit(main())

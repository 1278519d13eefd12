"""Collects the jars that go into the bundle, without what is not used.

  jars.py record LOGS CLASSPATH LIST   writes the list of what Spark loads, from logs of the JVM
  jars.py spark CLASSPATH LIST OUT     Spark's jars with only what is on the list
  jars.py copy OUT JAR...              other jars, without natives of other systems

A CLASSPATH is a file as Maven writes it. Jars are written uncompressed, which makes the archive
around them smaller.
"""

import functools
import os
import re
import sys
import zipfile

# Of larger jars only the packages that are loaded are kept; smaller ones, whose rest costs little,
# go whole.
WHOLE_BELOW_BYTES = 3_500_000
# They look for their own classes by reflection.
ALWAYS_WHOLE = {"scala-library", "scala-reflect"}
LOADED = re.compile(r"\]\s*(\S+) source: (?:file:)?(\S+\.jar)")
NATIVE = re.compile(r"\.(so|dll|dylib|jnilib|a)$")
SIGNATURE = re.compile(r"^meta-inf/.*\.(sf|rsa|dsa)$")
WEB = re.compile(r"\.(js|css|html|png|svg|proto|tasty|scala|java)$")
# Names of places, units and currencies in all languages: no query here prints them.
UNUSED_DATA = re.compile(
    r"^com/ibm/icu/impl/data/icudata/(zone|unit|curr|lang|region|translit|rbnf)/"
)
HEADER = """\
# What Spark loads while it generates TPC-H data and runs the queries, with and without Ariadne.
# Written by dev/gpu/bundle.sh --record. The bundle gets each jar that is
# named here: only the packages listed below its name, or all of it where there are none.
"""


def artifact(path):
    """Returns a jar's name without its version, which then may change without a new list."""
    return re.sub(r"-\d[^/]*\.jar$", "", os.path.basename(path))


def class_path(file):
    with open(file, encoding="utf-8") as text:
        return [path for path in text.read().strip().split(":") if path]


def loaded_packages(folder, jars):
    """Returns the packages that logs of class loading name, for each jar of a class path."""
    packages = {}
    real = functools.lru_cache(maxsize=None)(os.path.realpath)
    wanted = {real(jar): jar for jar in jars}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as log:
            for line in log:
                match = LOADED.search(line)
                jar = wanted.get(real(match.group(2))) if match else None
                if jar:
                    package = match.group(1).rpartition(".")[0].replace(".", "/")
                    packages.setdefault(jar, set()).add(package)
    return packages


def record(logs, class_path_file, list_file):
    jars = class_path(class_path_file)
    loaded = loaded_packages(logs, jars)
    if not loaded:
        raise SystemExit(f"jars.py: the logs in {logs} name no class of a jar of {class_path_file}")
    lines = []
    for jar in sorted(loaded, key=artifact):
        lines.append(artifact(jar))
        is_whole = os.path.getsize(jar) < WHOLE_BELOW_BYTES or artifact(jar) in ALWAYS_WHOLE
        lines += [] if is_whole else ["  " + package for package in sorted(loaded[jar])]
    with open(list_file, "w", encoding="utf-8") as file:
        file.write(HEADER + "\n".join(lines) + "\n")
    print(f"{list_file}: {len(loaded)} of {len(jars)} jars")


def read_list(list_file):
    """Returns the packages to keep by artifact; an empty set for jars that go whole."""
    packages = {}
    current = None
    with open(list_file, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith(" "):
                current.add(line.strip())
            else:
                current = packages.setdefault(line.strip(), set())
    return packages


def is_kept(name, packages, is_spark):
    """Returns whether a member of a jar goes into the bundle."""
    lower = name.lower()
    if name.endswith("/") or lower == "meta-inf/index.list" or SIGNATURE.search(lower):
        return False  # an index that names dropped members hides the others
    if name.endswith(".class"):
        return not packages or name.rpartition("/")[0] in packages
    if NATIVE.search(lower):
        return is_native_kept(lower)
    return not (UNUSED_DATA.search(name) or (is_spark and WEB.search(lower)))


def is_native_kept(lower):
    """Returns whether a library is for Linux on x86-64, which some of ours do not say."""
    if lower.startswith("io/ariadne/"):
        return "aarch64" not in lower
    return "linux" in lower and ("x86_64" in lower or "amd64" in lower)


def write_jar(source, target, packages, is_spark=False):
    with zipfile.ZipFile(source) as jar, zipfile.ZipFile(target, "w") as kept:
        for member in jar.infolist():
            if is_kept(member.filename, packages, is_spark):
                kept.writestr(member, jar.read(member), compress_type=zipfile.ZIP_STORED)


def stage_spark(class_path_file, list_file, out):
    wanted = read_list(list_file)
    os.makedirs(out)
    names = []
    for jar in class_path(class_path_file):
        name = os.path.basename(jar)
        if artifact(jar) in wanted:
            packages = wanted[artifact(jar)]
            write_jar(jar, os.path.join(out, name), packages, name.startswith("spark-"))
            names.append(name)
    missing = wanted.keys() - {artifact(name) for name in names}
    if missing:
        raise SystemExit(
            f"jars.py: {class_path_file} has no {', '.join(sorted(missing))}, which {list_file}"
            " names: write the list anew with dev/gpu/bundle.sh --record"
        )
    print(f"{out}: {len(names)} jars")


def copy(out, jars):
    os.makedirs(out, exist_ok=True)
    for jar in jars:
        write_jar(jar, os.path.join(out, os.path.basename(jar)), set())


def main(arguments):
    action, words = arguments[0], arguments[1:]
    if action == "record":
        record(*words)
    elif action == "spark":
        stage_spark(*words)
    elif action == "copy":
        copy(words[0], words[1:])
    else:
        raise SystemExit(f"jars.py: no action {action}: see the top of the file")


if __name__ == "__main__":
    main(sys.argv[1:])

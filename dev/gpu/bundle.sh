#!/usr/bin/env bash
# Makes the parts that a machine with a GPU, without network and JDK, needs: see README.md beside this file.
#   dev/gpu/bundle.sh              builds Ariadne, writes dev/gpu/parts
#   dev/gpu/bundle.sh --no-build   takes what the last ./mvnw package or verify has built
#   dev/gpu/bundle.sh --level N    level of xz: 0 is quick, 9 small (default: 7)
#   dev/gpu/bundle.sh --record     first writes spark-classes.txt anew: what Spark loads of its jars
# Needs JDK 17, Python 3.8, xz and GNU tar. MVN names another Maven than ./mvnw.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools=$root/dev/gpu
stage=$root/target/gpu-bundle
parts=$tools/parts
list=$tools/spark-classes.txt
built=$root/benchmarks/target/spark-4.1
# The modules of which tests run on a GPU. Their tests need no more than those of gpu-ops.
test_modules=(columnar memory-spill gpu-ops gds-reader runtime)
runtime_modules=java.se,jdk.unsupported,jdk.management,jdk.jfr,jdk.crypto.ec,jdk.zipfs,jdk.net,jdk.charsets
runtime_modules+=,jdk.localedata,jdk.security.auth,jdk.security.jgss,jdk.naming.dns,jdk.jcmd,jdk.attach
runtime_modules+=,jdk.incubator.vector

fail() {
  echo "bundle.sh: $*" >&2
  exit 1
}

say() {
  echo "bundle.sh: $* ($SECONDS s since the start)"
}

usage() {
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

python() {
  python3 -B "$@"
}

java_home() {
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p'
}

# The jar of a folder whose name begins so, not its sources nor its tests. Fails unless there is exactly one.
jar_of() {
  local found
  found=$(find "$1" -maxdepth 1 -name "$2*.jar" ! -name '*-sources.jar' ! -name '*-tests.jar' 2>/dev/null || true)
  [ -n "$found" ] || fail "no $2*.jar in $1: run without --no-build"
  [ "$(wc -l <<<"$found")" = 1 ] || fail "several $2*.jar in $1, of which the old ones must go:" $found
  echo "$found"
}

plugin_jar() {
  jar_of "$root/plugin/target/spark-4.1" ariadne-spark-4.1_
}

require_tools() {
  local tool
  for tool in python3 xz tar git; do
    command -v "$tool" >/dev/null || fail "$tool is not on the PATH: install it"
  done
  [ -x "$(java_home)/bin/jlink" ] || fail "$(java_home) has no jlink: take a whole JDK 17"
}

build() {
  local maven=${MVN:-$root/mvnw}
  (cd "$root" && $maven -B -q -DskipTests -DskipITs package)
}

require_build() {
  plugin_jar >/dev/null
  [ -f "$built/classpath.txt" ] && [ -f "$root/gpu-ops/target/test-classpath.txt" ] ||
    fail "Ariadne is not built: run without --no-build"
}

# Classes of a module that is not in the bundle would be left out without a word.
require_all_suites() {
  local other
  other=$(cd "$root" && git ls-files '*/src/test/java/*/TestCuda*.java' | cut -d/ -f1 | sort -u |
    grep -v -x -E "$(IFS='|' && echo "${test_modules[*]}")" || true)
  [ -z "$other" ] || fail "$other has tests for a GPU: add it to test_modules in bundle.sh"
}

record() {
  local work
  work=$(mktemp -d)
  mkdir "$work/logs"
  JDK_JAVA_OPTIONS="-Xlog:class+load=info:file=$work/logs/%p.log" "$root/bin/ariadne" bench tpch --scale 0.01 \
    --engines spark,ariadne,ariadne-simulated --rounds 1 --warmups 1 --memory 3000 --data "$work/data"
  python "$tools/jars.py" record "$work/logs" "$built/classpath.txt" "$list"
  rm -rf "$work"
}

# A JVM, Ariadne, its tests and what they need.
stage_runtime() {
  local module plugin jars=()
  plugin=$(plugin_jar)
  "$(java_home)/bin/jlink" --add-modules "$runtime_modules" --strip-debug --no-header-files --no-man-pages \
    --output "$stage/runtime/jre"
  for module in "${test_modules[@]}"; do
    jars+=("$root/$module"/target/ariadne-"$module"-*-tests.jar)
  done
  while read -r jar; do
    case $jar in
      */org/jcuda/*) ;; # in the plugin's jar
      *) jars+=("$jar") ;;
    esac
  done < <(tr ':' '\n' <"$root/gpu-ops/target/test-classpath.txt"; echo)
  python "$tools/jars.py" copy "$stage/runtime/lib" "$plugin" "${jars[@]}"
}

# What Spark loads of its jars, and the benchmarks.
stage_spark() {
  local benchmarks
  benchmarks=$(jar_of "$built" ariadne-benchmarks-)
  python "$tools/jars.py" spark "$built/classpath.txt" "$list" "$stage/spark/lib"
  python "$tools/jars.py" copy "$stage/spark/lib" "$benchmarks"
}

# Whether a bundle, which some builds' tests write, too, was written after the tests were compiled.
is_of_these_tests() {
  [ -f "$1" ] && [ -z "$(find "$root/gpu-ops/target/test-classes" -name '*.class' -newer "$1" -print -quit)" ]
}

# Whether it is of the kernels that are built and of the format of replay.py.
is_of_these_kernels() {
  local catalog=$root/gpu-ops/target/generated-sources/kernel-abi/io/ariadne/kernel/abi/KernelCatalog.java
  python - "$1" "$catalog" "$tools" <<'PYTHON'
import json, sys, zipfile
sys.path.insert(0, sys.argv[3])
from replay_bundle import FORMAT
with zipfile.ZipFile(sys.argv[1]) as bundle:
    index = json.loads(bundle.read("bundle.json"))
with open(sys.argv[2], encoding="utf-8") as catalog:
    is_current = index["format"] == FORMAT and f'"{index["sourceHash"]}"' in catalog.read()
sys.exit(0 if is_current else 1)
PYTHON
}

# Recorded launches of kernels, and the emulator that plays them where there is no GPU.
stage_replay() {
  local written=$root/gpu-ops/target/replay-bundle.zip
  mkdir -p "$stage/replay"
  if is_of_these_tests "$written" && is_of_these_kernels "$written"; then
    cp "$written" "$stage/replay"
  else
    "$stage/runtime/jre/bin/java" -cp "$stage/runtime/lib/*" io.ariadne.replay.WriteReplayBundle \
      "$stage/replay/replay-bundle.zip"
  fi
  python "$tools/replay.py" "$stage/replay/replay-bundle.zip" --dry-run
  cp "$root/gpu-ops/target/test-classes/io/ariadne/native/emulated/libariadne_emulated.so" "$stage/replay"
}

commit() {
  local changed=""
  [ -z "$(cd "$root" && git status --porcelain --untracked-files=no)" ] || changed=-changed
  echo "$(cd "$root" && git rev-parse HEAD)$changed"
}

main() {
  local is_built=true is_recorded=false level=7
  while (($#)); do
    case $1 in
      --no-build) is_built=false ;;
      --record) is_recorded=true ;;
      --level)
        level=${2:?--level needs a number}
        shift
        ;;
      -h | --help)
        usage
        return
        ;;
      *) fail "no option $1: see --help" ;;
    esac
    shift
  done
  require_tools
  require_all_suites
  if $is_built; then
    say "building Ariadne"
    build
  fi
  require_build
  if $is_recorded; then
    say "recording what Spark loads"
    record
  fi
  rm -rf "$stage"
  mkdir -p "$stage"
  say "a JVM, the tests and what they need"
  stage_runtime
  say "what Spark loads"
  stage_spark
  say "recorded launches of kernels"
  stage_replay
  say "parts"
  python "$tools/parts.py" pack "$stage" "$parts" --commit "$(commit)" --level "$level"
  say "done"
  du -h "$parts"/* | sed "s,$root/,,"
}

main "$@"

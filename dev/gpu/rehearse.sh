#!/usr/bin/env bash
# Makes the bundle and runs it as a machine with a GPU would: from a copy of the tracked files, with parts
# that arrive one call after another, an empty environment and no JDK on the PATH.
#   dev/gpu/rehearse.sh           every step; without a GPU, what of it needs none
#   dev/gpu/rehearse.sh --short   recorded launches, one test class, two queries: what CI runs
# Other options go to bundle.sh. Fails when a step does. Needs what bundle.sh needs.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
all_steps=(kernels sanitizer suites spark tables bench peers profile operators storage)

run_on_device() {
  env -i "HOME=$there/home" "PATH=$there/tools" "ARIADNE_GPU_WORK=$there/work" \
    bash "$there/checkout/dev/gpu/on-device.sh" "$@"
}

copy_checkout() {
  mkdir -p "$there/checkout" "$there/home"
  (cd "$root" && git ls-files -z | tar -c --null -T - --ignore-failed-read) | tar -x -C "$there/checkout"
}

# All programs of the system but Java's.
link_tools() {
  mkdir -p "$there/tools"
  find /usr/local/bin /usr/bin /bin -maxdepth 1 ! -type d -exec ln -sf -t "$there/tools" {} +
  rm -f "$there"/tools/{java,javac,jlink,jar}
  ln -sf "$(python3 -c 'import sys; print(sys.executable)')" "$there/tools/python3"
  if PATH=$there/tools command -v java >/dev/null; then
    echo "rehearse.sh: there is still a java on the PATH" >&2
    exit 1
  fi
}

# One part at a time, of which the checkout keeps none.
send_parts() {
  local part
  mkdir -p "$there/checkout/dev/gpu/parts"
  for part in "$root"/dev/gpu/parts/*.tar.xz.*; do
    cp "$root/dev/gpu/parts/manifest.json" "$part" "$there/checkout/dev/gpu/parts"
    run_on_device unpack
    rm "$there/checkout/dev/gpu/parts/$(basename "$part")"
  done
}

# Collected files are few, and every step has passed or says that there is no GPU.
check_results() {
  run_on_device collect "$there/collected"
  python3 - "$there/collected" "$@" <<'PYTHON'
import json, os, sys
folder, steps = sys.argv[1], sys.argv[2:]
names = os.listdir(folder)
sizes = [os.path.getsize(os.path.join(folder, name)) for name in names]
assert len(names) <= 8 and max(sizes) < 16 << 20, dict(zip(names, sizes))
with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
    results = json.load(file)
need_gpu = ("sanitizer", "peers", "profile")
bad = [
    f"{step}: {results[step]['status'] if step in results else 'no result'}"
    for step in steps
    if step not in results
    or results[step]["status"] not in (("passed", "skipped") if step in need_gpu else ("passed",))
]
for step in steps:
    print(f"{step:10} {results[step]['status']:8} {results[step]['seconds']:6.1f} s  {results[step]['reason']}")
sys.exit("rehearse.sh: " + "; ".join(bad) if bad else 0)
PYTHON
}

main() {
  local is_short=false options=() failed=0
  while (($#)); do
    case $1 in
      --short) is_short=true ;;
      -h | --help)
        sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        return
        ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  "$root/dev/gpu/bundle.sh" "${options[@]}"
  there=$(mktemp -d)
  trap 'rm -rf "$there"' EXIT
  copy_checkout
  link_tools
  send_parts
  if $is_short; then
    run_on_device kernels suites spark --without-gpu --classes TestFakeCudaGatherKernels --queries 1,6 || failed=$?
    check_results kernels suites spark
  else
    run_on_device "${all_steps[@]}" --without-gpu --parallel 2 --seconds 3600 || failed=$?
    check_results "${all_steps[@]}"
  fi
  return "$failed"
}

main "$@"

#!/usr/bin/env bash
# Runs checks on a machine with a GPU: on-device.sh --help. The work folder is $ARIADNE_GPU_WORK, or ~/ariadne-gpu.
# Needs Python 3.8; the steps that look closer also nvcc, ncu or compute-sanitizer.
set -euo pipefail
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/on_device.py" "$@"

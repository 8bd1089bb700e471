#!/usr/bin/env bash
# run_layouts.sh OUT: runs run_layouts.py next to it under Nsight Compute and writes OUT/ncu.csv and OUT/gpu.txt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
op=l1tex__data_pipe_lsu_wavefronts_mem_shared
ncu --clock-control none --csv --page raw --log-file "$1/ncu.csv" \
  --metrics $op.sum,${op}_op_ld.sum,${op}_op_st.sum,${op}_op_atom.sum,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal \
  python3 -B "$here/run_layouts.py"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader > "$1/gpu.txt"

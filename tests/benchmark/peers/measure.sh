#!/usr/bin/env bash
# measure.sh OUT [REPETITIONS]: on a machine with an NVIDIA GPU, nvcc, cuBLAS and ncu, builds peers.cu and the lessons' kernels,
# times them in one run, and counts each kernel once with ncu. Writes OUT/times.json, OUT/counts_SIZE.csv and OUT/limits.txt;
# keep_peers.py makes the recording of them. Needs no other file of the project than the lessons and this folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lessons=${LESSONS:-$here/../../../assets/lessons}
out=$1 repetitions=${2:-21}
build=$(mktemp -d)
mkdir -p "$out" "$build/cubins"

cubin() {  # LESSON KERNEL [DEFINES]
  local defines=()
  [ -z "${3:-}" ] || IFS=, read -ra defines <<<"$3"
  local arch=sm_90
  if grep -q wgmma "$lessons/$1/$2.cu"; then arch=sm_90a; fi
  nvcc -std=c++17 -arch=$arch -cubin "${defines[@]/#/-D}" -o "$build/cubins/$1.$2${3:+.$3}.cubin" "$lessons/$1/$2.cu"
}
for lesson in matrix_product fast_as_copy; do
  for kernel in "$lessons/$lesson"/*.cu; do cubin $lesson "$(basename "$kernel" .cu)" & done
done
for kernel in count scan scatter; do cubin radix $kernel & done
for defines in READ=2,WRITE=0 READ=3,WRITE=0 READ=4,WRITE=3 READ=0,WRITE=2; do cubin fast_as_copy hints $defines & done
cubin fast_as_copy bulk ORDER=1 & cubin fast_as_copy ordered ORDER=2 & cubin fast_as_copy ordered ORDER=3 &
nvcc -std=c++20 -O2 -arch=sm_90 -o "$build/peers" "$here/peers.cu" -lcublas -lcuda &
wait

"$build/peers" "$build/cubins" "$out/times.json" "$repetitions"

metrics=$(tr '\n' ',' <"$here/metrics.txt")
size=512
ncu --clock-control none --metrics "${metrics%,}" --csv --page raw --kernel-name 'regex:^(?!fill_random)' \
  "$build/peers" "$build/cubins" --count $size >"$out/counts_$size.csv"
while read -r lesson kernel size; do
  ncu --clock-control none --set full --kernel-name "$kernel" "$build/peers" "$build/cubins" --once "$lesson.$kernel" "$size" 2>&1
done >"$out/limits.txt" <<'LAST'
matrix_product warp_tiles 4096
matrix_product tensor_pipeline 4096
matrix_product warpgroup 4096
fast_as_copy vectorized 16384
fast_as_copy ordered 16384
LAST

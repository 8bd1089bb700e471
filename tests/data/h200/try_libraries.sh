#!/usr/bin/env bash
# Compares Lanescope's cuBLAS and cuRAND with NVIDIA's on this machine's GPU: try_libraries.sh BUILD OUT. Needs NVIDIA's driver, nvcc and
# libraries. Prints the lines of random numbers that differ (< the GPU's, > Lanescope's): those of normal numbers may in the last digits.
# blas.cu checks itself on both. Exit status 1 if a program fails.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
programs=$(realpath "$(dirname "$0")/../../programs/libraries")
nvcc -std=c++17 -arch=native "$programs/random.cu" -o "$out/random" -lcurand
"$out/random" >"$out/random-gpu.txt"
"$out/random" host >"$out/random-host.txt"
"$build/lanescope" run "$programs/random.cu" >"$out/random-lanescope.txt"
echo "bits, the GPU against its generators of the host:"
diff <(grep -E '^[a-z0-9]+$|^bits|^more|^uniform' "$out/random-gpu.txt") <(grep -E '^[a-z0-9]+$|^bits|^more|^uniform' "$out/random-host.txt") && echo "equal" || true
echo "all, the GPU against Lanescope:"
diff "$out/random-gpu.txt" "$out/random-lanescope.txt" && echo "equal" || true
nvcc -std=c++17 -arch=native "$programs/blas.cu" -o "$out/blas" -lcublas
status=0
"$out/blas" || status=1
"$build/lanescope" run "$programs/blas.cu" || status=1
exit $status

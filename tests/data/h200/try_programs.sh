#!/usr/bin/env bash
# Runs programs on this machine's GPU under `lanescope run --producer gpu`, and compares the first launch of each kernel with the
# emulator: try_programs.sh BUILD OUT. Needs NVIDIA's driver and nvcc. Exit status 1 if a program fails or a launch was not compared as equal.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
clients=$(realpath "$(dirname "$0")/../../programs/clients")
status=0
for source in "$clients"/*.cu; do
  for runtime in static shared; do
    name=$(basename "$source" .cu)-$runtime
    flags=$(sed -n 's|^// nvcc: ||p' "$source")
    # shellcheck disable=SC2086  # several flags
    nvcc -cudart "$runtime" -std=c++17 -arch=sm_80 -lineinfo $flags "$source" -o "$out/$name"
    if ! "$build/lanescope" run --producer gpu --json="$out/$name.json" -- "$out/$name" >"$out/$name.txt" 2>&1; then
      echo "$name: failed, see $out/$name.txt"
      status=1
      continue
    fi
    mapfile -t kernels < <(python3 -c 'import json, sys; print(*dict.fromkeys(l["kernel"] for l in json.load(open(sys.argv[1]))["launches"]), sep="\n")' \
      "$out/$name.json")
    captures=()
    for kernel in "${kernels[@]}"; do captures+=(--capture "$kernel"); done
    rm -rf "$out/$name.run"
    "$build/lanescope" run --producer gpu "${captures[@]}" --save "$out/$name.run" -- "$out/$name" >"$out/$name.txt" 2>&1 || status=1
    python3 - "$name" "$out/$name.run/run.json" <<'END' || status=1
import json, sys
name, run = sys.argv[1], json.load(open(sys.argv[2]))
# A launch that the driver refused has no time.
untimed = [l["number"] for l in run["launches"] if "measured_seconds" not in l and not l.get("error")]
compared = [l for l in run["launches"] if "memory_after" in l]
different = [l for l in compared if not l["memory_after"]["equal"]]
print(f"{name}: {len(run['launches'])} launches, {len(untimed)} without a time, {len(compared)} compared, {len(different)} differ")
for launch in different:
    print("   ", launch["kernel"], json.dumps(launch["memory_after"]["differences"]))
for note in run["notes"]:
    print("   ", note)
sys.exit(bool(different or untimed or run["notes"]))
END
  done
done
exit $status

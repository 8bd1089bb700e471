#!/usr/bin/env bash
# Builds the window with AddressSanitizer and UndefinedBehaviorSanitizer, and lets the monkey at it:
# tests/gui/monkey.sh [SECONDS [SEED]]. Its files go to a folder of its own, which is removed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
project=$PWD
cmake --preset sanitize -B build-monkey -DLANESCOPE_TESTS=ON -DLANESCOPE_WINDOW=ON -DLANESCOPE_EXECUTORS=plain >/dev/null
ninja -C build-monkey monkey
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
# Leaks of the driver are not ours.
HOME=$room XDG_CONFIG_HOME=$room ASAN_OPTIONS=detect_leaks=0 "$project/build-monkey/tests/gui/monkey" "$@"

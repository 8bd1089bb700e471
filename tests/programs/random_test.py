#!/usr/bin/env python3
"""The numbers of Lanescope's cuRAND against the generators' definitions: random_test.py LANESCOPE

Prints of tests/programs/libraries/random.cu are held against a computation of its own here, from the papers and NVIDIA's
guide: the first 16 numbers of each generator, and those where its subsequences come again. Where NVIDIA's cuRAND is
installed, all prints are held against those of its generators of the host too, which need no GPU. Skipped (77) without nvcc.
Standard library only."""

import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "libraries/random.cu"
SKIPPED = 77
SEED = 1234
COUNT = 300000
PRINTED = [n for n in range(COUNT) if n < 16 or 4095 <= n < 4098 or 8191 <= n < 8194 or n + 3 > COUNT]
WORD = 0xFFFFFFFF


def xorwow_step(state):
    """Marsaglia's xorwow without its counter; the state is a number of 160 bits, the oldest word lowest."""
    oldest, newest = state & WORD, state >> 128
    t = oldest ^ oldest >> 2
    return state >> 32 | (newest ^ newest << 4 & WORD ^ t ^ t << 1 & WORD) << 128


def times(matrix, state):
    """matrix[n]: what bit n becomes."""
    result, n = 0, 0
    while state:
        if state & 1:
            result ^= matrix[n]
        state, n = state >> 1, n + 1
    return result


def xorwow(places):
    """The numbers at these places: place n is number n // 4096 of subsequence n % 4096, and these are 2^67 numbers apart."""
    low, high = 1099087573 * (SEED ^ 0xAAD26B49) & WORD, 2591861531 * (SEED >> 32 ^ 0xF7DCEFDD) & WORD
    words = [123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low]
    state = sum((word & WORD) << 32 * n for n, word in enumerate(words))
    counter = 6615241 + high + low
    matrix = [xorwow_step(1 << n) for n in range(160)]
    for _ in range(67):
        matrix = [times(matrix, row) for row in matrix]
    begins = [state]
    for _ in range(max(place % 4096 for place in places)):
        begins.append(times(matrix, begins[-1]))
    found = []
    for place in places:
        state = begins[place % 4096]
        steps = place // 4096 + 1
        for _ in range(steps):
            state = xorwow_step(state)
        found.append((state >> 128) + counter + 362437 * steps & WORD)
    return found


def philox(places):
    """The numbers at these places: four in a row are a block of one of 65536 subsequences."""
    found = []
    for place in places:
        c = [place // 4 // 65536, 0, place // 4 % 65536, 0]
        key = [SEED, 0]
        for _ in range(10):
            first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [second >> 32 ^ c[1] ^ key[0], second & WORD, first >> 32 ^ c[3] ^ key[1], first & WORD]
            key = [key[0] + 0x9E3779B9 & WORD, key[1] + 0xBB67AE85 & WORD]
        found.append(c[place % 4])
    return found


def mrg32k3a(places):
    """The numbers at these places, from 1 to 4294967087: place n is number n // 81920 of subsequence n % 81920, 2^76 apart."""
    m1, m2 = 4294967087, 4294944443
    low, high = SEED ^ 0x55555555, SEED >> 32 ^ 0xAAAAAAAA

    def product(a, b, m):
        return [[sum(a[i][k] * b[k][j] for k in range(3)) % m for j in range(3)] for i in range(3)]

    def power(a, exponent, m):
        result = [[int(i == j) for j in range(3)] for i in range(3)]
        while exponent:
            if exponent & 1:
                result = product(result, a, m)
            a, exponent = product(a, a, m), exponent >> 1
        return result

    a1, a2 = [[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]], [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]]
    s1, s2 = [low * 12345, high * 12345, low * 12345], [high * 12345, low * 12345, high * 12345]
    found = []
    for place in places:
        steps = place % 81920 * 2**76 + place // 81920 + 1
        last1 = sum(a * s for a, s in zip(power(a1, steps, m1)[2], s1)) % m1
        last2 = sum(a * s for a, s in zip(power(a2, steps, m2)[2], s2)) % m2
        found.append((last1 - last2) % m1 or m1)
    return found


def table(text):
    """generator -> name of a line -> its numbers, the first line of each name."""
    found, here = {}, None
    for line in text.splitlines():
        name, *numbers = line.split()
        if not numbers:
            here = found.setdefault(name, {})
        elif here is not None:
            here.setdefault(name, [float(each) for each in numbers])
    return found


def close(found, right, tolerance):
    return len(found) == len(right) and all(abs(a - b) <= tolerance * max(1, abs(b)) for a, b in zip(found, right))


def check_definitions(found):
    unit = 2.0**-32
    for name, generator in (("xorwow", xorwow), ("philox", philox), ("mrg32k3a", mrg32k3a)):
        numbers = generator(PRINTED)
        is_mrg = name == "mrg32k3a"
        bits = [int(each * 1.000000048662) for each in numbers] if is_mrg else numbers
        uniform = [each / 4294967087 if is_mrg else (each + 0.5) * unit for each in numbers]
        assert found[name]["bits"] == [0, *bits], f"{name}: bits"
        assert close(found[name]["uniform"], [0, *uniform], 2e-7), f"{name}: uniform"
    # A pair of normal numbers, of mean 1 and deviation 2, is of two numbers of a subsequence: the sine first.
    first, second = xorwow([0, 4096])
    radius, angle = math.sqrt(-2 * math.log((first + 0.5) * unit)), 2 * math.pi * (second + 0.5) * unit
    assert close(found["xorwow"]["normal"][1:3], [1 + 2 * radius * math.sin(angle), 1 + 2 * radius * math.cos(angle)], 1e-5), "normal"
    double = ((first ^ second << 21) + 0.5) * 2.0**-53
    assert close(found["xorwow"]["uniform_double"][1:2], [double], 1e-15), "uniform_double"


def check_against_nvidia(lanescope, ours, folder):
    """Everything but a known difference, which is the second line of "after" of Philox."""
    nvcc = shutil.which("nvcc")
    home = pathlib.Path(nvcc).resolve().parents[1] if nvcc else None
    libraries = next((home / name for name in ("lib64", "lib") if home and (home / name / "libcurand.so.10").exists()), None)
    if libraries is None:
        return "NVIDIA's library is not here"
    program = pathlib.Path(folder, "random")
    subprocess.run([nvcc, "-cudart", "shared", str(SOURCE), "-o", str(program), f"-L{libraries}", "-lcurand"], check=True)
    right = subprocess.run([str(program), "host"], env={**os.environ, "LD_LIBRARY_PATH": str(libraries)}, capture_output=True,
                           text=True, check=True).stdout
    differing = [n for n, (a, b) in enumerate(zip(ours.splitlines(), right.splitlines())) if a != b]
    known = [n for n, line in enumerate(right.splitlines()) if line == "philox"][0] + 6
    assert set(differing) <= {known}, f"NVIDIA's lines {differing} are others"
    return "all lines but one are those of NVIDIA's library too"


def main():
    lanescope = sys.argv[1]
    if not pathlib.Path(lanescope).parent.joinpath("driver/libcurand.so.10").exists():
        print("skipped: this build has no driver, since CUDA's headers are missing")
        sys.exit(SKIPPED)
    done = subprocess.run([lanescope, "run", str(SOURCE)], capture_output=True, text=True, check=False)
    if done.returncode != 0 and "nvcc" in done.stderr:
        print(f"skipped: {done.stderr.strip()}")
        sys.exit(SKIPPED)
    check_definitions(table(done.stdout))
    with tempfile.TemporaryDirectory() as folder:
        print("the numbers are those of the definitions;", check_against_nvidia(lanescope, done.stdout, folder))


if __name__ == "__main__":
    main()

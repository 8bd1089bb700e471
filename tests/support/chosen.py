"""The tests whose names match a regular expression, for tests/run -R: only what they need is built and run.

    chosen.py targets BUILD REGEX                   ninja's targets that hold such tests, one a line
    chosen.py run BUILD REGEX [--gtest_OPTION...]   runs them; prints and exits as summary.py does

A test is named "plot.BankFigure.rows_are_words": executable, suite, test. Method: the names are read from the sources that
BUILD/tests/executables.txt lists, so nothing must be built to choose. Checks that are no GoogleTest (structure, format, tidy,
fuzz) are CTest's entries of that name."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from summary import Summary  # noqa: E402

TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)


def chosen(build, wanted):
    """(executable's name, its target, GoogleTest's filter or "" for another program) of each that holds a matching test."""
    for line in (build / "tests/executables.txt").read_text().splitlines():
        name, target, *sources = line.split(" ", 2)
        if not sources:
            if wanted.search(name):
                yield name, target, ""
            continue
        filters = []
        for source in sources[0].split(";"):
            for suite, test in TEST.findall(pathlib.Path(source).read_text(encoding="utf-8")):
                if wanted.search(f"{name}.{suite}.{test}"):
                    filters += [f"{suite}.{test}", f"*/{suite}.{test}/*", f"{suite}/*.{test}"]
        if filters:
            yield name, target, ":".join(dict.fromkeys(filters))


def run_shard(program, name, index, count, results, only, options):
    report = results / f"{name}.{index + 1}of{count}.xml"
    environment = os.environ | {"GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(index)}
    done = subprocess.run([program, f"--gtest_filter={only}", f"--gtest_output=xml:{report}", *options], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return report.stem, done


def find_program(build, target):
    return next(path for path in (build / "tests").rglob(target) if path.is_file() and os.access(path, os.X_OK))


def run(build, wanted, regex, options):
    summary = Summary()
    cores = os.cpu_count() or 1
    executables = [one for one in chosen(build, wanted) if one[2]]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(cores) as pool:
        results = pathlib.Path(folder)
        shards = [pool.submit(run_shard, find_program(build, target), name, index, cores, results, only, options)
                  for name, target, only in executables for index in range(cores)]
        for shard in shards:
            entry, done = shard.result()
            bad_before = len(summary.failures)
            if options:
                print(done.stdout)
            if not summary.add_shard(entry, results) or (done.returncode != 0 and len(summary.failures) == bad_before):
                summary.fail(entry, f"{done.stdout}\nended with status {done.returncode}")
        # Everything of CTest that is no shard of an executable.
        report = results / "ctest.xml"
        subprocess.run(["ctest", "--test-dir", str(build), "-R", regex, "-LE", "gtest", "-j", str(cores), "--quiet",
                        "--no-tests=ignore", "--output-junit", str(report)], stdout=subprocess.DEVNULL)
        if report.exists():
            summary.add_ctest(report, results)
    if summary.passed + len(summary.failures) + summary.skips.total() == 0:
        summary.fail(regex, "no test has a name that this matches")
    return summary.show()


def main():
    what, build, regex, *options = sys.argv[1:]
    build = pathlib.Path(build).resolve()
    try:
        wanted = re.compile(regex)
    except re.error as error:
        sys.exit(f"-R {regex} is no regular expression: {error}")
    if what == "run":
        sys.exit(run(build, wanted, regex, options))
    print("\n".join(dict.fromkeys(target for _, target, _ in chosen(build, wanted))))


if __name__ == "__main__":
    main()

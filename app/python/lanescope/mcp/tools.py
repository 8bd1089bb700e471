"""What the tools do: each runs verbs of the lanescope program on one source and makes a short answer of its reports.

A call has a folder of its own for a source that was given as text and for what the verbs write. Tests: tests/mcp
"""

import base64
import json
import os
import re
import shutil
import tempfile

import anyio

from lanescope import figures
from lanescope.mcp import answers, values
from lanescope.mcp.places import shown
from lanescope.mcp.runs import OutOfTime
from lanescope.program import LanescopeError

SOURCE = "source.cu"
MOST_PICTURE = 2 << 20


class Target:
    """A source of a call: `folder`, in which the verbs run; `words`, the file and the compiler's options; `scratch`, for what they write."""

    def __init__(self, server, given, scratch, suffixes=(".cu", ".cuh", ".ptx", ".lane")):
        self.server, self.scratch, places = server, scratch, server.places
        if ("path" in given) == ("source" in given):
            raise LanescopeError("path or source was expected, one of both")
        if "path" in given:
            self.folder, self.file = places.root, places.file(given["path"], suffixes)
            self.words = ["./" + self.file if self.file.startswith("-") else self.file]
        else:
            places.check_size(len(given["source"].encode(errors="replace")), "the source")
            places.check_includes(given["source"], places.root)
            self.folder, self.file = scratch, SOURCE
            with open(os.path.join(scratch, SOURCE), "w", encoding="utf-8", errors="replace") as file:
                file.write(given["source"])
            self.words = [SOURCE, "-I", places.root]
        for one in given.get("macros", ()):
            if not re.fullmatch(r"[A-Za-z_]\w*(=[^\n\r\0]*)?", one):
                raise LanescopeError(f"macros: NAME or NAME=VALUE was expected, '{shown(one)}' was given")
            self.words += ["-D", one]
        for one in given.get("include_folders", ()):
            self.words += ["-I", places.folder(one)]

    def path(self, name):
        return os.path.join(self.scratch, name)

    async def run(self, verb, *words, is_host_code=False):
        return await self.server.runner.run([verb, *words], self.folder, self.scratch, is_host_code)

    async def report(self, verb, *words, name="report.json", is_host_code=False):
        """(what the verb wrote as JSON, how it ended). Errors: what it says where it wrote none."""
        flag = "-o" if verb == "report" else "--json"
        ended = await self.run(verb, flag, self.path(name), *words, is_host_code=is_host_code)
        return self.read(name, ended), ended

    def read(self, name, ended):
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            raise LanescopeError(answers.short(self.clean(ended.complaint), 4000) or f"lanescope wrote no {name}") from None

    def clean(self, text):
        """Without the folders of this machine."""
        return text.replace(self.scratch + "/", "").replace(self.server.places.root + "/", "").strip()


def launch_words(target, given):
    """The options of a launch, and the buffers. A saved trace has its own."""
    words, buffers = ["--kernels-only"], []
    if target.file.endswith(".lane"):
        if any(name in given for name in ("grid", "block", "shared_bytes", "arguments")):
            raise LanescopeError("a saved trace has its launch; leave grid, block, shared_bytes and arguments out")
        return ([f"--kernel={given['kernel']}"] if "kernel" in given else []), buffers
    if "kernel" in given:
        words.append(f"--kernel={given['kernel']}")
    for name in ("grid", "block"):
        if name in given:
            words += [f"--{name}", ",".join(map(str, given[name]))]
    if "shared_bytes" in given:
        words += ["--shared", str(given["shared_bytes"])]
    if "arguments" in given:
        limits = target.server.runner.limits
        # A quarter of the memory, since the emulator keeps more beside a buffer; and its dump is a file.
        most = min(limits.memory_mib << 18, limits.file_mib << 20)
        passed, buffers = values.pass_all(given["arguments"], target.scratch, most)
        words += passed
    return words, buffers


def without_dumps(words):
    """Other verbs than trace have no --dump."""
    return [word for n, word in enumerate(words) if word != "--dump" and (n == 0 or words[n - 1] != "--dump")]


async def compile_source(target, given):
    ended = await target.run("kernels", *target.words, "--json", target.path("kernels.json"))
    if not os.path.exists(target.path("kernels.json")):
        lines = target.clean(ended.complaint).splitlines()
        return {"compiled": False, **answers.part([answers.short(line, 400) for line in lines], {"most": 30}, "diagnostics")}
    kernels = [{"name": answers.short(one["name"], 200), "static_shared_bytes": one["static_shared_bytes"],
                "parameters": [f"{parameter['type']} {parameter['name']}".strip() for parameter in one["parameters"]]}
               for one in target.read("kernels.json", ended)["kernels"]]
    answer = {"compiled": True, **answers.part(kernels, {"most": 30}, "kernels")}
    if ended.complaint:
        answer["diagnostics"] = answers.short(target.clean(ended.complaint), 2000)
    return answer


async def run_kernel(target, given):
    if target.file.endswith(".lane"):
        raise LanescopeError("a saved trace has no values and is not run again; check, explain_cost and figure read it")
    words, buffers = launch_words(target, given)
    report, ended = await target.report("trace", *target.words, *words, "--blocks", "none")
    answer = {**answers.traced(report), **answers.costs_of(report)}
    answer.update(answers.part(answers.hazards_of(report), {}, "hazards"))
    if report.get("output"):
        answer["output"] = answers.short(report["output"], 2000)
    first = given.get("first_values", 8)
    answer["buffers"] = [await anyio.to_thread.run_sync(values.result_of, one, first) for one in buffers]
    return {**answer, "notes": [target.clean(one) for one in answers.remarks_of(report, ended.complaint)]}


async def check(target, given):
    words, _ = launch_words(target, given)
    if target.file.endswith(".lane"):
        launch = (await target.report("report", *target.words, *words))[0]["launches"][0]
        hazards = [answers.short(f"{one['kind']}: {answers.place(one)}: {one['sentence']}") for one in launch["findings"] if one["hazard"]]
        return {"kernel": answers.short(launch["kernel"], 200), "grid": launch["grid"], "block": launch["block"], "found": len(hazards),
                **answers.part(hazards, given, "hazards"), "notes": [answers.short(target.clean(one)) for one in launch["notes"][:8]]}
    report, ended = await target.report("trace", *target.words, *without_dumps(words), "--blocks", "none")
    hazards = answers.hazards_of(report)
    return {**answers.traced(report), "found": len(hazards), **answers.part(hazards, given, "hazards"),
            "notes": [target.clean(one) for one in answers.remarks_of(report, ended.complaint)]}


async def counts_alone(target, words, given):
    """What is known of a launch whose report takes too long: its counts, without caches and checks."""
    report, _ = await target.report("trace", *target.words, *words, "--blocks", "none", "--checks", "none")
    rows = answers.counted_lines(report, given.get("line"))
    seconds = target.server.runner.limits.seconds
    return {**answers.traced(report), **answers.costs_of(report), **answers.part(rows, given, "lines"),
            "notes": [f"partial: the report did not end within {seconds} s, so checks, modelled times and gains, and what to change are missing; "
                      "use a smaller grid, or start the server with a larger --seconds"]}


async def explain_cost(target, given):
    words, _ = launch_words(target, given)
    try:
        report, _ = await target.report("report", *target.words, *without_dumps(words))
    except OutOfTime:
        if target.file.endswith(".lane"):
            raise
        return await counts_alone(target, without_dumps(words), given)
    if not report["launches"]:
        raise LanescopeError(answers.short("; ".join(report["problems"])) or "no kernel ran; give arguments, grid and block")
    launch = report["launches"][0]
    rows = answers.lines_of(launch, given.get("line"))
    answer = {**answers.launch_of(launch), **answers.part(rows, given, "lines")}
    if "line" in given and not rows:
        lines = sorted({one["line"] for one in launch["lines"]})
        answer["notes"] = [f"line {given['line']} has no access to memory; those with one are {', '.join(map(str, lines[:40]))}"]
    if len(report["launches"]) > 1:
        answer["other_kernels"] = [answers.short(one["kernel"], 100) for one in report["launches"][1:11]]
    return {**answer, "notes": answer.get("notes", []) + [answers.short(target.clean(one)) for one in launch["notes"][:5]]}


async def compare(server, given):
    with server.scratch() as one, server.scratch() as other:
        before = Target(server, given["before"], one)
        after = Target(server, given["after"], other)
        words = without_dumps(launch_words(before, given)[0])
        await before.report("report", *before.words, *words)
        words = without_dumps(launch_words(after, given)[0])
        shutil.copy(before.path("report.json"), after.path("before.json"))  # a run reads its own folder
        report, _ = await after.report("report", *after.words, *words, "--against", after.path("before.json"),
                                       "--tolerance", str(given.get("tolerance_percent", 1)))
    against = report["against"]
    new = [answers.line_of(found) for launch in report["launches"] for found in launch["findings"] if found.get("new")]
    changes = sorted(against["changes"], key=lambda change: change["verdict"] == "same")
    answer = {"worse": against["worse"], **answers.part(changes, given, "changes"), "new_findings": against["new_findings"],
              "gone_findings": against["gone_findings"], **answers.part(new, given, "new")}
    return {**answer, **{name: against[name] for name in ("new_kernels", "gone_kernels") if against[name]}}


async def figure(target, given):
    """(what the figure shows in words, the picture)"""
    words, _ = launch_words(target, given)
    words = [*target.words, *without_dumps(words), "--figure", given["figure"], "--theme", given.get("theme", "light"),
             "--size", f"{given.get('width', 960)}x{given.get('height', 540)}"]
    if "block_index" in given:
        words += ["--cta", ",".join(map(str, given["block_index"]))]
    for name in ("warp", "access"):
        if name in given:
            words += [f"--{name}", str(given[name])]
    for name in ("figure.svg", "figure.png"):
        ended = await target.run("plot", *words, "-o", target.path(name))
        if not os.path.exists(target.path(name)):
            raise LanescopeError(answers.short(target.clean(ended.complaint), 2000) or "nothing was drawn")
    with open(target.path("figure.svg"), encoding="utf-8") as file:
        title, description = figures.words_of(file.read())
    with open(target.path("figure.png"), "rb") as file:
        picture = file.read(MOST_PICTURE + 1)
    if len(picture) > MOST_PICTURE:
        raise LanescopeError("the picture has more than 2 MiB; make it smaller by width and height")
    return {"figure": given["figure"], "title": answers.short(title), "shows": answers.short(description, 2000)}, picture


ON_ONE_SOURCE = {"compile": compile_source, "run_kernel": run_kernel, "check": check, "explain_cost": explain_cost, "figure": figure}


async def call(server, name, given):
    """(the answer, the picture or None) of a tool, whose arguments were checked. Errors: LanescopeError."""
    if name == "compare":
        return await compare(server, given), None
    with server.scratch() as scratch:
        suffixes = (".cu", ".cuh", ".ptx") if name == "compile" else (".cu", ".cuh", ".ptx", ".lane")
        answer = await ON_ONE_SOURCE[name](Target(server, given, scratch, suffixes), given)
    return answer if name == "figure" else (answer, None)


def scratch_in(folder):
    return tempfile.TemporaryDirectory(prefix="call-", dir=folder, ignore_cleanup_errors=True)


def as_content(picture):
    return base64.b64encode(picture).decode()

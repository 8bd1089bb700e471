"""The tool run_program: a source with main, compiled by nvcc and run as it is. Its host code may do what the person may, so the server
offers it only with --allow-host-code; time, memory and output are limited. Tests: tests/mcp"""

from lanescope.mcp import answers

REFUSED = ("run_program runs host code, and this server was started without --allow-host-code; use run_kernel, which runs a kernel alone, or "
           "ask the person to start the server with it")


async def run_program(target, given):
    """Runs it, then reports on what the run kept. A saved run is read within the walls again."""
    kept, arguments = target.path("kept"), given.get("arguments", [])
    seconds = str(max(1, target.server.runner.limits.seconds * 2 // 3))  # nvcc has the rest
    run, ended = await target.report("run", *target.words, "--save", kept, "--limit-seconds", seconds, *(["--", *arguments] if arguments
                                     else []), name="run.json", is_host_code=True)
    report, _ = await target.report("report", kept)
    launches = [answers.launch_of(one) for one in report["launches"]]
    lines = [{"kernel": answers.short(launch["kernel"], 100), **row} for launch in report["launches"]
             for row in answers.lines_of(launch) if "kind" in row]
    answer = {"status": run.get("status", ended.status), "output": answers.short(ended.output, 4000),
              **answers.part(launches, {}, "launches"), **answers.part(lines, given, "lines")}
    if answer["status"] != 0:
        answer["complaint"] = answers.short(target.clean(ended.complaint), 2000)
    return answer

"""The server: which tools there are, calls of them over stdio by PyPI's `mcp`, the official SDK of the Model Context Protocol.

Standard output has nothing but the protocol: the SDK takes it, and the programs that run get pipes. Tests: tests/mcp
"""

import json
import os
import sys
import tempfile

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from lanescope import __version__
from lanescope.mcp import checking, schemas, tools, whole_program
from lanescope.mcp.messages import Messages
from lanescope.mcp.places import Places, shown
from lanescope.mcp.runs import Runner
from lanescope.program import LanescopeError

INSTRUCTIONS = ("Lanescope runs CUDA kernels in an emulator and counts what they do to memory; no GPU is needed. Sectors are 32 bytes of global "
                "memory, wavefronts passes of shared memory; ideal is the least for the same lanes. Times are modelled, for an H200. Begin with "
                "compile, then explain_cost or check. Paths are relative to the server's folder.")


class Service:
    """A running server: its folder, its limits, and a folder for what its calls write."""

    def __init__(self, root, limits, is_host_code_allowed, has_walls, holder):
        self.places, self.holder = Places(root, limits.source_kib << 10), holder
        self.runner = Runner(limits, self.places.root, has_walls)
        self.tools = dict(schemas.TOOLS)
        self.is_host_code_allowed = is_host_code_allowed
        if is_host_code_allowed:
            self.tools["run_program"] = schemas.RUN_PROGRAM
        self.slots, self.is_prepared = anyio.Semaphore(limits.at_once), anyio.Event()

    def scratch(self):
        return tools.scratch_in(self.holder)

    async def prepare(self):
        with self.scratch() as scratch:
            await self.runner.prepare(scratch)
        self.is_prepared.set()

    async def answer(self, name, given):
        """(JSON, picture or None) of a call. Errors: LanescopeError."""
        if name == "run_program" and not self.is_host_code_allowed:
            raise LanescopeError(whole_program.REFUSED)
        if name not in self.tools:
            raise LanescopeError(f"there is no tool '{shown(name)}'; there are {', '.join(self.tools)}")
        checking.check(given, self.tools[name]["schema"], name)
        await self.is_prepared.wait()
        async with self.slots:
            if name != "run_program":
                return await tools.call(self, name, given)
            with self.scratch() as scratch:
                return await whole_program.run_program(tools.Target(self, given, scratch, (".cu",)), given), None

    def fits(self, answer):
        text = json.dumps(answer, ensure_ascii=False)
        most = self.runner.limits.answer_kib << 10
        if len(text.encode(errors="replace")) > most:
            raise LanescopeError(f"the answer has more than {most >> 10} KiB; ask for less, by most, line or first_values")
        return text

    async def call(self, name, given):
        try:
            answer, picture = await self.answer(name, given)
            content = [types.TextContent(type="text", text=self.fits(answer))]
        except LanescopeError as error:
            text = str(error).replace(self.holder + "/", "").replace(self.places.root + "/", "")
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
        except Exception as error:  # a mistake of ours must not end the server
            print(f"lanescope mcp: {name}: {error!r}", file=sys.stderr)
            text = f"{name} failed inside of the server ({type(error).__name__}); the server goes on"
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
        if picture is not None:
            content.append(types.ImageContent(type="image", data=tools.as_content(picture), mime_type="image/png"))
        return types.CallToolResult(content=content, structured_content=answer)


def described(service):
    return [types.Tool(name=name, description=tool["description"], input_schema=tool["schema"],
                       annotations=types.ToolAnnotations(read_only_hint=name != "run_program", open_world_hint=name == "run_program"))
            for name, tool in service.tools.items()]


async def serve(service):
    async def on_list_tools(_, __):
        return types.ListToolsResult(tools=described(service))

    async def on_call_tool(_, wanted):
        return await service.call(wanted.name, wanted.arguments or {})

    server = Server("lanescope", version=__version__, instructions=INSTRUCTIONS, on_list_tools=on_list_tools, on_call_tool=on_call_tool)
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(service.prepare)
        await server.run(Messages(read, write), write, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def run(root, limits, is_host_code_allowed, has_walls):
    with tempfile.TemporaryDirectory(prefix="lanescope-mcp-", ignore_cleanup_errors=True) as holder:
        service = Service(root, limits, is_host_code_allowed, has_walls, os.path.realpath(holder))
        anyio.run(serve, service)

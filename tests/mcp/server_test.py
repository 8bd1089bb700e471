"""The server for agents (`lanescope mcp`) by the SDK's own client over stdio, and with hostile calls. Usage: server_test.py LANESCOPE

Needs PyPI's mcp, in this Python or in .cache/programs/mcp:
    python3 -m venv .cache/programs/mcp && .cache/programs/mcp/bin/pip install mcp==2.3.0
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".cache/programs/mcp/bin/python"
try:
    import anyio
    from mcp import ClientSession
    from mcp.client.stdio import StdioServerParameters, stdio_client
except ImportError:
    if PYTHON.exists() and sys.executable != str(PYTHON):
        os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])
    print("skipped: PyPI's mcp is not installed; python3 -m venv .cache/programs/mcp && .cache/programs/mcp/bin/pip install mcp==2.3.0")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "app/python"))
from lanescope.mcp.runs import compiler_places  # noqa: E402

LANESCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
SCALE = """__global__ void scale(const float* in, float* out, float f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = f * in[2 * i];
}
"""
# A warp reads 32 floats at 8 bytes' distance, 8 sectors where 4 would hold them, and writes 4; there are two warps.
SCALED = {"grid": [2], "block": [32], "arguments": [{"name": "in", "type": "f32", "shape": 128, "init": "iota"},
                                                   {"name": "out", "type": "f32", "shape": [8, 8]}, {"type": "f32", "value": 3}]}
TILE = """__global__ void columns(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1;
  __syncthreads();
  out[32 * threadIdx.x + threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
"""
TILED = {"grid": [1], "block": [32, 32], "arguments": [{"name": "out", "type": "f32", "shape": [32, 32]}]}
ONE_ARRAY = {"grid": [1], "block": [32], "arguments": [{"name": "a", "type": "i32", "shape": 32}]}
# The values never repeat, so that the emulator cannot tell that the loop has no end.
ENDLESS = "__global__ void f(unsigned long long* a) { for (unsigned long long n = 1; n; n += 2) a[threadIdx.x] += n; }"
PROGRAM = """#include <cstdio>
#include "scale.cuh"
int main(int count, char** words) {
  float* x;
  cudaMalloc(&x, 32 * 32 * sizeof(float));
  cudaMemset(x, 0, 32 * 32 * sizeof(float));
  scale<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  std::printf("<b>%d %s</b>\\n", count, words[1]);
  return 3;
}
"""


class Server(unittest.TestCase):
    def setUp(self):
        self.holder = self.enterContext(tempfile.TemporaryDirectory())
        self.root = os.path.join(self.holder, "project")
        os.makedirs(os.path.join(self.root, "inc"))
        self.write("scale.cu", SCALE)
        self.write("program.cu", PROGRAM)
        self.write("inc/scale.cuh", "__global__ void scale(float* x) { x[32 * threadIdx.x] *= 2; }\n")
        # What the agent's folder has must not become part of the server.
        self.write("json.py", "raise SystemExit('json of the project')")
        self.write("mcp.py", "raise SystemExit('mcp of the project')")

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w") as file:
            file.write(text)

    def environment(self):
        return {**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}

    def served(self, use, *options):
        """What the coroutine `use` returns of a session."""
        async def run():
            wanted = StdioServerParameters(command=LANESCOPE, args=["mcp", *options], cwd=self.root, env=self.environment())
            with open(os.path.join(self.holder, "stderr.txt"), "w") as said:
                async with stdio_client(wanted, errlog=said) as (read, write):
                    async with ClientSession(read, write) as session:
                        await session.initialize()
                        return await use(session)
        found = anyio.run(run)
        said = pathlib.Path(self.holder, "stderr.txt").read_text()
        self.assertEqual(said, "", "the server had nothing to complain of")
        return found

    def call(self, name, *options, **given):
        return self.calls([(name, given)], *options)[0]

    def calls(self, all_of_them, *options):
        """The answers in JSON; of an error its sentence."""
        async def use(session):
            return [self.content(await session.call_tool(name, given)) for name, given in all_of_them]
        return self.served(use, *options)

    def content(self, result):
        text = result.content[0].text
        if result.is_error:
            self.assertNotIn("Traceback", text)
            return text
        self.assertEqual(json.loads(text), result.structured_content)
        return result.structured_content


class Tools(Server):
    def test_tools_have_schemas_and_host_code_is_not_offered(self):
        async def use(session):
            return (await session.list_tools()).tools
        tools = self.served(use)
        self.assertEqual([tool.name for tool in tools], ["compile", "run_kernel", "check", "explain_cost", "compare", "figure"])
        for tool in tools:
            self.assertIs(tool.input_schema["additionalProperties"], False)
        self.assertEqual(self.served(use, "--allow-host-code")[-1].name, "run_program")

    def test_compile(self):
        kernels, wrong = self.calls([("compile", {"path": "scale.cu"}), ("compile", {"source": "__global__ void f(int* a) { *a = b; }"})])
        self.assertEqual(kernels["kernels"], [{"name": "scale", "static_shared_bytes": 0,
                                               "parameters": ["const float* in", "float* out", "float f"]}])
        self.assertFalse(wrong["compiled"])
        self.assertIn('source.cu(1): error: identifier "b" is undefined', wrong["diagnostics"])

    def test_a_kernel_runs_on_arrays(self):
        found = self.call("run_kernel", path="scale.cu", first_values=3, **{**SCALED, "arguments": [
            *SCALED["arguments"][:1], {**SCALED["arguments"][1], "expected": [0, 6, 12, 17]}, SCALED["arguments"][2]]})
        self.assertEqual((found["sectors"], found["ideal_sectors"], found["requests"], found["hazards"]), (24, 16, 4, []))
        self.assertEqual(found["buffers"][1], {
            "name": "out", "type": "f32", "shape": [8, 8], "values": [0, 6, 12], "more_values": 61, "least": 0, "largest": 378,
            "check": "wrong: 1 of 4 values; the first is [3]: 18.0, 17 was expected"})

    def test_hazards_are_found(self):
        beyond, guessed = self.calls([("check", {"path": "scale.cu", **SCALED, "block": [64]}), ("check", {"path": "scale.cu"})])
        # Thread 0 of block 1 of 64 reads in[128] of 128, which ends the launch.
        self.assertEqual(beyond["found"], 1)
        self.assertRegex(beyond["hazards"][0], r"^out_of_bounds: scale\.cu:3: thread \(0,0,0\) of block \(1,0,0\) reads .* in\[128\]")
        self.assertIn("the launch is a guess", guessed["notes"][0])

    def test_lines_are_explained_the_worst_first(self):
        both, one, none = self.calls([("explain_cost", {"source": TILE, "most": 1, **TILED}),
                                      ("explain_cost", {"source": TILE, "line": 3, **TILED}),
                                      ("explain_cost", {"source": TILE, "line": 4, **TILED})])
        # A column of 32 rows of 32 floats: all in one bank, 32 warps.
        self.assertEqual((both["wavefronts"], both["ideal_wavefronts"]), (2 * 32 * 32, 2 * 32))
        self.assertEqual(len(both["lines"]), 1)
        self.assertRegex(both["more_lines"], r"^\d; ask with first=2$")
        self.assertEqual([(row["line"], row["cost"], row["ideal"]) for row in one["lines"]], [("source.cu:3", 1024, 32)])
        self.assertIn("pad", one["lines"][0]["change"])
        self.assertEqual((none["lines"], none["notes"]), ([], ["line 4 has no access to memory; those with one are 3, 5"]))

    def test_a_large_launch_is_explained_in_part(self):
        product = """__global__ void product(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[x * n + k];
  c[y * n + x] = sum;
}
"""
        side = 384
        given = {"grid": [side // 32, side // 8], "block": [32, 8],
                 "arguments": [*({"name": name, "type": "f32", "shape": [side, side]} for name in "abc"), {"type": "i32", "value": side}]}
        found = self.call("explain_cost", "--seconds", "2", source=product, most=1, **given)
        self.assertRegex(found["notes"][0], "^partial: the report did not end within 2 s")
        # Of b each lane of each of side * side / 32 warps reads a sector of its own, side times; 4 sectors would hold them.
        requests = side * side // 32 * side
        self.assertEqual([(row["line"], row["access"]) for row in found["lines"]], [("source.cu:5", "global load")])
        self.assertEqual(found["lines"][0]["cost"], requests * (32 + 1))

    def test_a_saved_trace_is_checked_and_explained(self):
        self.write("tile.cu", TILE.replace("__syncthreads();", "").replace("tile[threadIdx.x][threadIdx.y];", "tile[threadIdx.y][threadIdx.x];"))
        saved = subprocess.run([LANESCOPE, "trace", "tile.cu", "--grid", "1", "--block", "32,32", "--arg", "out=f32[1024]:zeros", "--save",
                                "tile.lane"], cwd=self.root, capture_output=True, text=True)
        self.assertTrue(os.path.exists(os.path.join(self.root, "tile.lane")), saved.stderr)
        checked, explained, run = self.calls([("check", {"path": "tile.lane"}), ("explain_cost", {"path": "tile.lane"}),
                                              ("run_kernel", {"path": "tile.lane"})])
        self.assertGreater(checked["found"], 0)
        self.assertRegex(checked["hazards"][0], r"^race: tile\.cu:[35]: thread ")
        self.assertEqual(explained["block"], [32, 32, 1])
        self.assertIn("a saved trace has no values and is not run again", run)

    def test_versions_are_compared(self):
        padded = TILE.replace("[32][32]", "[32][33]")
        better, worse = self.calls([("compare", {"before": {"source": one}, "after": {"source": other}, **TILED})
                                    for one, other in ((TILE, padded), (padded, TILE))])
        self.assertEqual((better["worse"], better["new"]), (False, []))
        self.assertEqual(better["changes"][0], {"kernel": "columns", "measure": "wavefronts", "before": 2048, "after": 64,
                                                "verdict": "better"})
        self.assertTrue(worse["worse"])
        self.assertEqual({row["kind"] for row in worse["new"]}, {"bank_conflicts"})

    def test_a_figure_is_a_picture(self):
        async def use(session):
            return await session.call_tool("figure", {"source": TILE, "figure": "banks", "width": 400, "height": 300, **TILED})
        words, picture = self.served(use).content
        self.assertEqual(picture.mime_type, "image/png")
        self.assertTrue(base64.b64decode(picture.data).startswith(b"\x89PNG\r\n\x1a\n"))
        self.assertIn("32 wavefronts", json.loads(words.text)["shows"])

    def test_a_program_runs_where_that_was_allowed(self):
        given = {"path": "program.cu", "include_folders": ["inc"], "arguments": ["a b"]}
        self.assertIn("without --allow-host-code", self.call("run_program", **given))
        found = self.call("run_program", "--allow-host-code", **given)
        self.assertEqual((found["status"], found["output"]), (3, "<b>2 a b</b>\n"))
        # 32 lanes at 128 bytes' distance are 32 sectors each for the load and the store; 4 would hold their bytes.
        self.assertEqual([(one["kernel"], one["sectors"], one["ideal_sectors"]) for one in found["launches"]], [("scale", 64, 8)])
        self.assertEqual(found["lines"][0]["line"], "inc/scale.cuh:1")

    def test_other_tools_run_no_host_code(self):
        text = '#include <cstdio>\n__global__ void f(int* a) { a[0] = 1; }\nint main() { fopen("made.txt", "w"); f<<<1, 1>>>(nullptr); }\n'
        for tool in ("compile", "check", "explain_cost", "run_kernel"):
            self.assertIsInstance(self.call(tool, "--allow-host-code", source=text), dict)
        self.assertFalse(os.path.exists(os.path.join(self.root, "made.txt")))


class Compiler(unittest.TestCase):
    def test_its_places_are_those_that_doctor_names(self):
        places = compiler_places(subprocess.run([LANESCOPE, "doctor"], capture_output=True, text=True).stdout)
        self.assertTrue(any(name.startswith("libnvrtc") for name in os.listdir(places[0])), places)
        self.assertTrue(any(os.path.exists(os.path.join(place, "cuda_runtime.h")) for place in places[2:]), places)

    def test_a_link_to_the_library_is_followed(self):
        folder = os.path.realpath(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("a", "b"):
            os.makedirs(os.path.join(folder, name))
        os.symlink("../b/libnvrtc.so.13", os.path.join(folder, "a/libnvrtc.so.13"))
        said = f"emulator   yes  2 threads\ncompiler   yes  NVRTC 13.0 in {folder}/a/libnvrtc.so.13\nheaders    yes  /include\n"
        self.assertEqual(compiler_places(said), [f"{folder}/a", f"{folder}/b", "/include"])
        self.assertEqual(compiler_places("compiler   no   it was not found in /a/b\n"), [])


class Hostile(Server):
    def test_nothing_is_read_outside_of_the_folder(self):
        pathlib.Path(self.holder, "secret.cu").write_text("secret_of_the_test;\n__global__ void f(int* a) {}\n")
        os.symlink("../secret.cu", os.path.join(self.root, "link.cu"))
        secret = os.path.join(self.holder, "secret.cu")
        wanted = [{"path": "../secret.cu"}, {"path": secret}, {"path": "link.cu"}, {"source": f'#include "{secret}"'},
                  {"source": '#include "../secret.cu"'}, {"source": '#include "link.cu"'}, {"source": f'#define X "{secret}"\n#include X'},
                  {"source": "", "include_folders": [".."]}]
        for given, said in zip(wanted, self.calls([("compile", given) for given in wanted])):
            self.assertRegex(str(said), "outside of the folder|a macro may not", given)
            self.assertNotIn("secret_of_the_test", str(said))

    def test_what_a_text_hides_the_kernel_refuses(self):
        secret = pathlib.Path(self.holder, "secret.h")
        secret.write_text("secret_of_the_test;\n")
        # The raw string's /* begins no comment, but looks like one.
        hidden = f'const char* s = R"a(" /* )a";\n#include "{secret}"\n//*/\n__global__ void f(int* a) {{}}'
        said = self.call("compile", source=hidden)
        self.assertIn("Permission denied", str(said))
        self.assertNotIn("secret_of_the_test", str(said))
        without = self.call("compile", "--without-walls", source=hidden)
        self.assertIn("secret_of_the_test", str(without), "the wall was not what refused it")

    def test_no_line_of_another_file_is_shown_as_a_source(self):
        secret = pathlib.Path(self.holder, "secret.h")
        secret.write_text("secret_of_the_test;\n" * 9)
        named = f'#line 1 "{secret}"\n__global__ void f(float* a) {{ a[32 * threadIdx.x] = 1; }}'
        given = {"source": named, **ONE_ARRAY, "arguments": [{"type": "f32", "shape": 1024}]}
        self.assertNotIn("secret_of_the_test", str(self.call("explain_cost", **given)))
        self.assertIn("secret_of_the_test", str(self.call("explain_cost", "--without-walls", **given)), "the wall was not what hid it")

    def test_an_endless_kernel_and_endless_output_are_ended(self):
        wide = {**ONE_ARRAY, "arguments": [{"type": "u64", "shape": 32}]}
        printing = '#include <cstdio>\n__global__ void f(int* a) { for (int i = 0; i < 100000000; ++i) printf("%d\\n", i); }'
        endless, printed, alive = self.calls([("run_kernel", {"source": ENDLESS, **wide}), ("check", {"source": printing, **ONE_ARRAY}),
                                              ("compile", {"path": "scale.cu"})], "--seconds", "2")
        for said in (endless, printed):
            self.assertIn("did not end within 2 s", said)
        self.assertTrue(alive["compiled"])

    def test_memory_without_end_is_refused(self):
        large = "__device__ char big[1ull << 40]; __global__ void f(int* a) { a[0] = big[a[1]]; }"
        grows = "__global__ void f(int* a) { for (int i = 0; i < 1 << 20; ++i) { char* p = (char*)malloc(1 << 24); if (p) p[i] = a[0]; } }"
        huge = {**ONE_ARRAY, "arguments": [{"type": "i32", "shape": [100_000, 100_000]}]}
        said = self.calls([("run_kernel", {"source": large, **ONE_ARRAY}), ("run_kernel", {"source": grows, **ONE_ARRAY}),
                           ("run_kernel", {"source": SCALE, **huge}), ("compile", {"path": "scale.cu"})], "--seconds", "20")
        self.assertRegex(said[0], "memory")
        self.assertIsNotNone(said[1])
        self.assertIn("40,000,000,000 bytes are more than", said[2])
        self.assertTrue(said[3]["compiled"])

    def test_a_program_without_end_is_ended(self):
        endless = '#include <cstdio>\nint main() { while (true) std::puts("x"); }'
        grows = "#include <cstdlib>\n#include <cstring>\nint main() { while (char* p = (char*)malloc(1 << 24)) memset(p, 1, 1 << 24); return 7; }"
        one, other, alive = self.calls([("run_program", {"source": endless}), ("run_program", {"source": grows}),
                                        ("compile", {"path": "scale.cu"})], "--allow-host-code", "--seconds", "18", "--memory-mib", "2048")
        self.assertEqual(one["status"], 137, one)
        self.assertLess(len(one["output"]), 5000)
        self.assertEqual(other["status"], 7, other)
        self.assertTrue(alive["compiled"])

    def test_a_large_source_is_refused(self):
        said = self.calls([("compile", {"source": "x" * 10_000_000}), ("compile", {"path": "scale.cu"})])
        self.assertIn("10,000,000 bytes, and 1,048,576 at most", said[0])
        self.assertTrue(said[1]["compiled"])

    def test_markup_and_controls_stay_text(self):
        text = '#include <cstdio>\n__global__ void f(int* a) { printf("<script>\\x1b[2J\\"}\\n"); }'
        self.assertEqual(self.call("run_kernel", source=text, **{**ONE_ARRAY, "block": [1]})["output"], '<script>\x1b[2J"}\n')

    def test_wrong_arguments_are_sentences(self):
        wrong = [("none", {}, "there is no tool 'none'"), ("check", {}, "path or source was expected"),
                 ("check", {"sorce": "x"}, "did you mean source"), ("check", {"path": 3}, "path: a text was expected, an integer"),
                 ("check", {"path": "scale.cu", "grid": [0]}, r"grid\[0\]: 1 to"),
                 ("check", {"path": "scale.cu", "grid": [1, 1, 1, 1]}, "1 to 3 values were expected, 4"),
                 ("check", {"path": "scale.cu", "arguments": [{"type": "i32", "value": 1}]}, "3 arguments"),
                 ("check", {"path": "scale.cu", "kernel": "--help"}, "no kernel '--help'"),
                 ("check", {"path": "scale.cu", "macros": ["-I/etc"]}, "NAME or NAME=VALUE"),
                 ("compare", {"before": {"path": "scale.cu"}}, "'after' is missing"),
                 ("compare", {"before": {"path": "scale.cu"}, "after": {"paht": "a"}}, "did you mean path"),
                 ("figure", {"path": "scale.cu", "figure": "cake"}, "one of banks, "),
                 ("explain_cost", {"path": "scale.cu", "most": 1e9}, "an integer was expected|1 to 50"),
                 ("explain_cost", {"source": "__global__ void f(int* a) { a = b; }"}, "error: identifier")]
        said = self.calls([(name, given) for name, given, _ in wrong])
        for (name, given, sentence), text in zip(wrong, said):
            self.assertIsInstance(text, str, (name, given))
            self.assertRegex(text, sentence)

    def test_calls_run_beside_each_other(self):
        async def use(session):
            found = [None] * 6

            async def one(n):
                given = {**SCALED, "arguments": [*SCALED["arguments"][:2], {"type": "f32", "value": n}]}
                found[n] = self.content(await session.call_tool("run_kernel", {"path": "scale.cu", **given}))["buffers"][1]["values"][1]

            async with anyio.create_task_group() as tasks:
                for n in range(6):
                    tasks.start_soon(one, n)
            return found
        self.assertEqual(self.served(use), [0, 2, 4, 6, 8, 10])

    def is_running(self, mark):
        done = subprocess.run(["pgrep", "-f", f"trace.*{mark}"], capture_output=True)
        return done.returncode == 0

    def wait_until(self, condition):
        end = time.monotonic() + 20
        while not condition() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(condition())

    def endless(self, mark):
        return {"source": ENDLESS, "macros": [mark], **ONE_ARRAY, "arguments": [{"type": "u64", "shape": 32}]}

    def test_a_cancelled_call_ends_its_program(self):
        mark = f"CANCELLED_{os.getpid()}"

        async def use(session):
            with anyio.move_on_after(2) as waited:
                await session.call_tool("run_kernel", self.endless(mark))
            self.assertTrue(waited.cancelled_caught)
            with anyio.fail_after(20):
                while self.is_running(mark):
                    await anyio.sleep(0.05)
            return self.content(await session.call_tool("compile", {"path": "scale.cu"}))
        self.assertTrue(self.served(use)["compiled"])

    def test_what_left_the_group_of_a_program_is_ended(self):
        mark = f"LEFT_{os.getpid()}"
        text = f'''#include <unistd.h>
int main() {{
  if (fork() == 0) {{
    setsid();
    for (int n = 0; n < 3; ++n) close(n);
    execlp("sh", "sh", "-c", "sleep 300; : {mark}", nullptr);
  }}
  sleep(1);
}}'''

        async def use(session):
            found = self.content(await session.call_tool("run_program", {"source": text}))
            self.assertEqual(found["status"], 0)
            return subprocess.run(["pgrep", "-f", f"sleep.*{mark}"], capture_output=True, text=True).stdout
        self.assertEqual(self.served(use, "--allow-host-code"), "")

    def test_the_end_of_the_server_ends_what_it_runs(self):
        mark = f"ENDED_{os.getpid()}"
        server = self.start_raw()
        self.say(server, 2, "tools/call", {"name": "check", "arguments": self.endless(mark)})
        self.wait_until(lambda: self.is_running(mark))
        server.kill()
        server.communicate()
        self.wait_until(lambda: not self.is_running(mark))

    def test_a_client_that_ends_is_no_error(self):
        with open(os.path.join(self.holder, "stderr.txt"), "w+") as said:
            server = self.start_raw(said)
            server.stdout.close()
            self.say(server, 2, "tools/call", {"name": "compile", "arguments": {"path": "scale.cu"}})
            server.stdin.close()
            self.assertEqual(server.wait(30), 0)
            said.seek(0)
            self.assertEqual(said.read(), "")

    def start_raw(self, said=subprocess.DEVNULL):
        server = subprocess.Popen([LANESCOPE, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True,
                                  cwd=self.root, env=self.environment())
        self.say(server, 1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.assertEqual(json.loads(server.stdout.readline())["id"], 1)
        server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return server

    def say(self, server, number, method, parameters):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + "\n")
        server.stdin.flush()

    def test_what_is_no_message_is_answered(self):
        server = self.start_raw()
        deep = "[" * 300 + "]" * 300
        call = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"compile","arguments":{"source":%s}}}'
        for line, number, code in (("hello", None, -32700), ("\0", None, -32700), ('{"a":' + "[" * 100_000, None, -32700), ("3", None, -32600),
                                   (call % (7, '"\\ud800"'), 7, -32600), (call % ('"a"', deep), "a", -32600), ('{"id":8}', 8, -32600),
                                   ('{"jsonrpc":"2.0","id":9,"method":3}', 9, -32600)):
            server.stdin.write("\n" + line + "\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            self.assertEqual((answer["id"], answer["error"]["code"]), (number, code), line[:80])
        self.say(server, 2, "tools/call", {"name": "compile", "arguments": {"path": "scale.cu"}})
        self.assertFalse(json.loads(server.stdout.readline())["result"].get("isError", False))
        rest, _ = server.communicate(timeout=30)
        self.assertEqual((rest, server.returncode), ("", 0))

    def test_output_is_the_protocol_alone(self):
        server = self.start_raw()
        text = '#include <cstdio>\n__global__ void f(int* a) { printf("printed\\n"); }'
        self.say(server, 2, "tools/call", {"name": "run_kernel", "arguments": {"source": text, **ONE_ARRAY}})
        self.say(server, 3, "tools/call", {"name": "compile", "arguments": {"path": "scale.cu"}})
        lines = [json.loads(server.stdout.readline()) for _ in range(2)]
        self.assertEqual({(line["jsonrpc"], line["id"]) for line in lines}, {("2.0", 2), ("2.0", 3)})
        rest, _ = server.communicate(timeout=30)
        self.assertEqual((rest, server.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()

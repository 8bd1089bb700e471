"""An edit that an instance of Compiler Explorer compiles, which a stub of its public API stands in for: asked once, told where it goes.

Usage: explorer_test.py [Explorer.test_NAME]. It needs what work_test.py needs; exit status 77 where that is missing.
"""

import http.server
import json
import pathlib
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test
import work_test


class Stub(http.server.BaseHTTPRequestHandler):
    """The two calls of the API that the page makes; the compiler is the program's own."""

    def log_message(self, *_):
        pass

    def answer(self, content, status=200):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "Content-Type, Accept")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_OPTIONS(self):
        self.answer({})

    def do_GET(self):
        self.server.paths.append(self.path)
        self.answer([{"id": "nvcc118", "semver": "11.8.0"}, {"id": "nvcc125u1", "semver": "12.5.1"}, {"id": "cltrunk", "semver": "99"}]
                    if self.path == "/api/compilers/cuda" else {"error": "no such path"})

    def do_POST(self):
        self.server.paths.append(self.path)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        if self.server.is_broken:
            return self.answer({}, 500)
        flags = asked["options"]["userArguments"].split()
        defines = [flag[2:] for flag in flags if flag.startswith("-D")]
        request = {"name": "example.cu", "text": asked["source"], "headers": [{"name": one["filename"], "text": one["contents"]} for one in asked["files"]],
                   "arch": next(flag[6:] for flag in flags if flag.startswith("-arch=")), "defines": defines}
        made = json.loads(subprocess.run([page_test.ROOT / "build/lanescope", "compile", "--stdio"], input=json.dumps(request), capture_output=True,
                                         text=True, check=False).stdout)
        lines = [{"text": line} for line in (made.get("ptx") or "").splitlines()]
        log = [{"text": line.replace("example.cu", "<source>")} for line in made.get("log", "").splitlines()]
        return self.answer({"code": 0 if lines else 2, "stdout": [], "stderr": log, "asm": [],
                            "devices": {"PTX (compute_90)": {"asm": lines}} if lines else {}})


class Explorer(work_test.WorkTest):
    def setUp(self):
        self.stub = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
        self.stub.daemon_threads = True
        self.stub.paths, self.stub.asked, self.stub.is_broken = [], [], False
        threading.Thread(target=self.stub.serve_forever, daemon=True).start()
        self.addCleanup(self.stub.server_close)
        self.addCleanup(self.stub.shutdown)
        self.address = f"http://127.0.0.1:{self.stub.server_port}"

    def opened(self, browser, link, answers=True):
        """The tiled transpose, where the person answers the question so."""
        browser.send("Page.addScriptToEvaluateOnNewDocument",
                     source=f"self.asked = []; self.confirm = (text) => {{ asked.push(text); return {json.dumps(answers)}; }};")
        self.open(browser, f"{link}?compiler={self.address}&one-thread#lesson=transpose&kernel=tiled")

    def test_an_edit_is_compiled_there_and_the_person_is_asked_once(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.opened(browser, link)
            self.assertEqual(self.stub.paths, [], "nothing is asked before something is edited")
            self.write(browser, work_test.TILED.replace("__syncthreads();", "", 1))
            self.assertIn("transpose_tiled.cu", self.spoken(browser, "no barrier is between them"))
            browser.chord("a")
            browser.paste(work_test.TILED.replace("const int row", "const int row row", 1))
            line = work_test.TILED[:work_test.TILED.index("const int row")].count("\n") + 1
            self.spoken(browser, f"transpose_tiled.cu({line})")
            asked = browser.evaluate("asked")
            self.assertEqual(len(asked), 1)
            self.assertIn(self.address, asked[0])
            self.assertEqual(self.stub.paths[:2], ["/api/compilers/cuda", "/api/compiler/nvcc125u1/compile"])
            others = {one for one in browser.requests if not one.startswith((link, "blob:", "data:"))}
            self.assertTrue(others and all(one.startswith(self.address) for one in others), others)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_who_says_no_sends_nothing(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.opened(browser, link, answers=False)
            self.write(browser, "// own\n" + work_test.TILED)
            self.spoken(browser, "nothing was sent")
            self.assertEqual(self.stub.paths, [])

    def test_a_service_that_fails_is_a_sentence(self):
        self.stub.is_broken = True
        with page_test.Served() as link, chromium.Browser() as browser:
            self.opened(browser, link)
            self.write(browser, "// own\n" + work_test.TILED)
            self.spoken(browser, "does not answer as Compiler Explorer does")

    def test_the_page_of_a_class_may_send_to_no_other_address(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose")
            self.assertEqual(browser.evaluate(f"fetch('{self.address}/api/compilers/cuda').then(() => 'came', () => 'refused')"), "refused")
            self.assertEqual(self.stub.paths, [])


if __name__ == "__main__":
    page_test.run_tests()

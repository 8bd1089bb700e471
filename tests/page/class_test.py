"""The service of a class (app/page serve --class): what it compiles, for whom, and what it refuses.

Usage: class_test.py [PROGRAM] [ClassTest.test_NAME]. PROGRAM: lanescope. The page itself need not be built.
"""

import concurrent.futures
import http.client
import json
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import certificate

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("Class") else str(ROOT / "build/lanescope")
KERNEL = 'extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= %d.0f; }\n'
ENDLESS = "template <int n> struct T { static constexpr int v = T<n + 1>::v + T<n + 2>::v; };\n__device__ int x = T<0>::v;\n"


class Class:
    """The service with a page of one line, on a port of 127.0.0.1."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        pathlib.Path(self.folder.name, "index.html").write_text("the page")
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(ROOT / "app/packaging/serve_page.py"), "127.0.0.1", "0", "--class", "--word", "tiles", "--folder",
             self.folder.name, "--program", PROGRAM, *options], stdout=subprocess.PIPE, text=True)
        self.link = self.process.stdout.readline().strip()
        self.port = int(self.link.partition("127.0.0.1:")[2].partition("/")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def send(self, body, source="127.0.0.1", path="/compile", **headers):
        """(status, answer). `source`: the client's own address. A header of None is left out."""
        host = f"127.0.0.1:{self.port}"
        all_headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json", "X-Lanescope-Word": "tiles",
                       **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90, source_address=(source, 0))
        connection.putrequest("POST", path, skip_host=True)
        for name, value in {"Content-Length": str(len(body)), **all_headers}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, json.loads(content)

    def hand_in(self, **submission):
        return self.send(json.dumps(submission).encode(), path="/hand-in")

    def compile(self, text, source="127.0.0.1", **more):
        return self.send(json.dumps({"name": "scale.cu", "text": text, **more}).encode(), source)


class ClassTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = Class()

    @classmethod
    def tearDownClass(cls):
        cls.room.__exit__()

    def error_of(self, answer, status):
        self.assertEqual(answer[0], status, answer)
        return answer[1]["error"]

    def test_a_kernel_with_a_header_of_the_lesson_and_one_of_cuda_becomes_ptx(self):
        status, answer = self.room.compile('#include "tile.h"\n#include <cuda_fp16.h>\n' + KERNEL % 3,
                                           headers=[{"name": "tile.h", "text": "#define TILE 32\n"}])
        self.assertEqual(status, 200)
        self.assertIn(".entry scale", answer["ptx"])
        self.assertIn('"scale.cu"', answer["ptx"])

    def test_a_mistake_is_in_the_log_with_its_line(self):
        status, answer = self.room.compile("\n__global__ void k() { x = 1; }\n")
        self.assertEqual(status, 200)
        self.assertIsNone(answer["ptx"])
        self.assertIn('scale.cu(2): error: identifier "x" is undefined', answer["log"])

    def test_a_file_of_the_teacher_is_not_read_and_not_quoted(self):
        with tempfile.NamedTemporaryFile("w", suffix=".h", dir=ROOT / "app") as secret:
            secret.write("#error the teacher's own\n")
            secret.flush()
            for line in (f'#include "{secret.name}"', f'#define F "{secret.name}"\n#include F', f'%:include "{secret.name}"',
                         f'#if __has_include("{secret.name}")\n#error there\n#endif'):
                answer = self.room.compile(line + "\n" + KERNEL % 4)
                self.assertIn("neither the lesson's nor CUDA's", answer[1].get("error", ""), line)
                self.assertNotIn("teacher's own", json.dumps(answer))
                self.assertNotIn(secret.name, json.dumps(answer))

    def test_only_the_page_of_this_origin_with_the_word_is_answered(self):
        body = json.dumps({"name": "scale.cu", "text": KERNEL % 5}).encode()
        host = f"127.0.0.1:{self.room.port}"
        for wrong in ({"X_Lanescope_Word": "tile"}, {"X_Lanescope_Word": None}, {"Origin": "http://example.org"}, {"Origin": None},
                      {"Origin": "null"}, {"Content_Type": "text/plain"},
                      {"Host": f"example.org:{self.room.port}", "Origin": f"http://example.org:{self.room.port}"}):
            self.assertIn("teacher gave", self.error_of(self.room.send(body, **wrong), 403), wrong)
        self.assertEqual(self.room.send(body, Host=host)[0], 200)

    def test_rubbish_is_a_sentence(self):
        for body in (b"", b"{", b"\0\xff" * 1000, b"[" * 100000, b'{"name": "../x.cu", "text": ""}'):
            self.assertIn("a source with its headers was expected", self.error_of(self.room.send(body), 200), body[:20])
        self.assertIn("longer than 1 MB", self.error_of(self.room.send(b"", Content_Length="9" * 30), 413))
        with socket.create_connection(("127.0.0.1", self.room.port)) as one:
            one.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n" * 100)
        self.assertEqual(self.room.compile(KERNEL % 6)[0], 200)

    def test_a_compilation_that_never_ends_is_ended_and_keeps_nobody_waiting(self):
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            endless = pool.submit(self.room.compile, ENDLESS)
            self.assertIn(".entry", self.room.compile(KERNEL % 7, source="127.0.0.2")[1]["ptx"])
            error = endless.result()[1]
        self.assertLess(time.monotonic() - began, 60)
        self.assertTrue(error.get("log") or error.get("error"), "NVRTC has a limit of its own for the depth of templates")
        self.assertIsNone(error.get("ptx"))

    def test_a_class_that_presses_at_once_with_a_slow_client_among_them_loses_nothing(self):
        students = 80
        body = json.dumps({"name": "scale.cu", "text": KERNEL % 8}).encode()
        with socket.create_connection(("127.0.0.1", self.room.port)) as slow:
            slow.sendall(f"POST /compile HTTP/1.0\r\nHost: 127.0.0.1:{self.room.port}\r\nOrigin: http://127.0.0.1:{self.room.port}\r\n"
                         f"Content-Type: application/json\r\nX-Lanescope-Word: tiles\r\nContent-Length: {len(body)}\r\n\r\n".encode())
            slow.sendall(body[:10])
            began = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(students) as pool:
                answers = list(pool.map(lambda n: self.room.compile(KERNEL % (100 + n), source=f"127.0.1.{n + 1}"), range(students)))
            seconds = time.monotonic() - began
            for n, (status, answer) in enumerate(answers):
                self.assertEqual(status, 200)
                # The student's own factor, as the bits of a float.
                self.assertIn(f"0f{struct.pack('>f', 100 + n).hex().upper()}", answer["ptx"])
            self.assertIn("did not come whole", slow.makefile("rb").read().decode())
        print(f"80 sources that were sent at once: {seconds:.1f} s", file=sys.stderr)

    def test_one_address_cannot_fill_the_queue(self):
        with concurrent.futures.ThreadPoolExecutor(30) as pool:
            statuses = [answer[0] for answer in pool.map(lambda n: self.room.compile(KERNEL % (300 + n), source="127.0.3.1"), range(30))]
        self.assertIn(503, statuses)
        self.assertIn(200, statuses)

    def test_what_is_handed_in_is_what_check_all_reads_and_nothing_is_replaced(self):
        solution = (ROOT / "assets/lessons/transpose/exercises/tiled/solution.cu").read_text()
        with tempfile.TemporaryDirectory() as folder, Class("--hand-in", folder) as room:
            self.assertEqual(room.hand_in(exercise="transpose/tiled", name="Zoé Ⅻ", text=solution),
                             (200, {"file": "transpose/tiled/Zoé Ⅻ.cu"}))
            self.assertEqual(room.hand_in(exercise="transpose/tiled", name="../Bo", text="broken"), (200, {"file": "transpose/tiled/___Bo.cu"}))
            self.assertEqual(room.hand_in(exercise="transpose/tiled", name="Zoé Ⅻ", text="later"), (200, {"file": "transpose/tiled/Zoé Ⅻ 2.cu"}))
            handed = pathlib.Path(folder, "transpose/tiled")
            self.assertEqual((handed / "Zoé Ⅻ.cu").read_text(), solution)
            (handed / "Zoé Ⅻ 2.cu").unlink()
            table = subprocess.run([PROGRAM, "check", "transpose/tiled", "--all", str(handed)], capture_output=True, text=True, check=False).stdout
            self.assertRegex(table, r"Zoé Ⅻ.cu +ok +ok +ok +ok")
            self.assertRegex(table, r"___Bo.cu +FAIL")

    def test_a_submission_to_nowhere_or_of_nobody_is_a_sentence(self):
        self.assertIn("takes no files in", self.error_of(self.room.hand_in(exercise="transpose/tiled", name="Bo", text=""), 404))
        with tempfile.TemporaryDirectory() as folder, Class("--hand-in", folder) as room:
            for exercise in ("../x", "transpose", "a/b/c", "/etc/x", 7, None):
                self.assertIn("with its exercise", self.error_of(room.hand_in(exercise=exercise, name="Bo", text=""), 400), exercise)
            self.assertIn("no letter", self.error_of(room.hand_in(exercise="transpose/tiled", name=" ./. ", text=""), 400))
            self.assertIn("teacher gave", self.error_of(room.send(b"{}", path="/hand-in", Origin="http://example.org"), 403))
            for _ in range(20):
                self.assertEqual(room.hand_in(exercise="transpose/tiled", name="Bo", text="x")[0], 200)
            self.assertIn("20 submissions of this name", self.error_of(room.hand_in(exercise="transpose/tiled", name="Bo", text="x"), 429))
            self.assertEqual(len(list(pathlib.Path(folder).rglob("*"))), 22, "two folders and 20 files")

    def test_with_a_certificate_the_page_and_the_service_are_https(self):
        if not certificate.can_be_made():
            self.skipTest("no openssl makes a certificate")
        with tempfile.TemporaryDirectory() as folder:
            file, alone = certificate.certificate_for("127.0.0.1", folder)
            with Class("--certificate", str(file)) as room:
                self.assertTrue(room.link.startswith("https://127.0.0.1:"))
                context = ssl.create_default_context(cafile=alone)
                # One who connects and says nothing keeps nobody waiting.
                with socket.create_connection(("127.0.0.1", room.port)):
                    connection = http.client.HTTPSConnection("127.0.0.1", room.port, timeout=60, context=context)
                    host = f"127.0.0.1:{room.port}"
                    connection.request("POST", "/compile", json.dumps({"name": "scale.cu", "text": KERNEL % 9}),
                                       {"Origin": f"https://{host}", "Content-Type": "application/json", "X-Lanescope-Word": "tiles"})
                    self.assertIn(".entry scale", json.loads(connection.getresponse().read())["ptx"])
                    connection.close()

    def test_the_link_has_the_word_and_leads_to_the_page(self):
        self.assertTrue(self.room.link.endswith("/?word=tiles"))
        connection = http.client.HTTPConnection("127.0.0.1", self.room.port)
        connection.request("GET", "/?word=tiles")
        self.assertEqual(connection.getresponse().read(), b"the page")
        connection.close()


if __name__ == "__main__":
    if not pathlib.Path(PROGRAM).is_file():
        print(f"{PROGRAM} is not built", file=sys.stderr)
        sys.exit(77)
    unittest.main()

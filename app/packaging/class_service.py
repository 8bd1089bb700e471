"""Compiles the sources of a class's page to PTX, and takes its submissions in: what of `app/page serve --class` is no server of files.

Method: a process of `lanescope compile --stdio` for each source, which opens no file of this machine but CUDA's; as many at once as the
machine has processors, the rest wait in a queue of bounded length. Equal sources that wait are compiled once, and the latest answers are
remembered; nothing is written but submissions, where the teacher named a folder for them. A request is answered to the page of this origin alone, which brings the word of the class along.
Tests: tests/page/class_test.py
"""

import collections
import concurrent.futures
import hashlib
import hmac
import ipaddress
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unicodedata

MOST_REQUEST_BYTES = 1 << 20
MOST_ANSWER_BYTES = 16 << 20
MOST_SECONDS = 20  # of one compilation
MOST_WAITING_SECONDS = 60
MOST_WAITING = 400
MOST_WAITING_OF_ONE = 8  # address
MOST_REMEMBERED = 256
MOST_HANDED_IN = 4000
MOST_OF_ONE_NAME = 20


class Refusal(Exception):
    """`status` of HTTP, and one sentence for the student."""

    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


def is_own_host(host):
    """Whether the header Host is an address or a name of this machine: another name is a page of somebody who made it lead here."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    name = name.strip("[]").lower()
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        own = socket.gethostname().lower()
        return name in ("localhost", own, own.partition(".")[0], own.partition(".")[0] + ".local")


def require_own_page(headers, scheme, word):
    """Refuses what a page of another origin sends, and who does not know the word."""
    host = headers.get("Host", "")
    if not is_own_host(host):
        raise Refusal(403, "this address is not that of the class; open the link that the teacher gave")
    if headers.get("Origin") != f"{scheme}://{host}" or headers.get_content_type() != "application/json":
        raise Refusal(403, "only the page of the class is answered; open the link that the teacher gave")
    if not hmac.compare_digest(headers.get("X-Lanescope-Word", "").encode(), word.encode()):
        raise Refusal(403, "the word of the class was expected; open the whole link that the teacher gave, with ?word=")


def read_body(stream, headers, connection):
    """The request's text. A client that sends it slowly has as long as a fast one needs ten times over."""
    length = headers.get("Content-Length", "")
    if not length.isdecimal():
        raise Refusal(411, "the length of the source was expected")
    if int(length) > MOST_REQUEST_BYTES:
        raise Refusal(413, "the source is longer than 1 MB; leave something out")
    end = time.monotonic() + 10
    parts, left = [], int(length)
    while left > 0:
        connection.settimeout(max(0.01, end - time.monotonic()))
        part = stream.read1(min(left, 1 << 16)) if time.monotonic() < end else b""
        if not part:
            raise Refusal(408, "the source did not come whole; try again")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def failure(sentence):
    return json.dumps({"error": sentence}).encode()


def output_of(process, seconds):
    """What the process writes within the time; it is killed where there is more than MOST_ANSWER_BYTES. None: it did not end."""
    end = time.monotonic() + seconds
    parts, size = [], 0
    while (left := end - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left)[0]:
            break
        part = os.read(process.stdout.fileno(), 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > MOST_ANSWER_BYTES:
            return b""
    return None


class Compilers:
    """Thread-safe. `program`: lanescope."""

    def __init__(self, program, at_once=None):
        self.program = str(pathlib.Path(program).resolve())  # it is started in another folder
        self.pool = concurrent.futures.ThreadPoolExecutor(at_once or os.cpu_count() or 1)
        self.lock = threading.Lock()
        self.under_way = {}  # [hash of a request] its future
        self.answers = collections.OrderedDict()  # [hash of a request]
        self.waiting = collections.Counter()  # [address]
        self.compiled = 0
        self.folder = tempfile.TemporaryDirectory(prefix="lanescope-class-")  # empty: names of files are looked up in it

    def _compile(self, request, key):
        answer, can_remember = failure("the compiler of the class ended without an answer; try again"), False
        with subprocess.Popen([self.program, "compile", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              cwd=self.folder.name, start_new_session=True) as process:
            try:
                process.stdin.write(request)
                process.stdin.close()
                output = output_of(process, MOST_SECONDS)
            except BrokenPipeError:
                output = b""
            finally:
                os.killpg(process.pid, signal.SIGKILL)  # it has not been waited for, so its number is still its own
        if output is None:
            answer = failure(f"this took the compiler of the class longer than {MOST_SECONDS} s, and was ended; look for a template or a "
                             "constant that never ends")
        elif output:
            answer, can_remember = output.strip(), True
        with self.lock:
            self.compiled += 1
            del self.under_way[key]
            if can_remember:
                self.answers[key] = answer
                if len(self.answers) > MOST_REMEMBERED:
                    self.answers.popitem(last=False)
        return answer

    def answer(self, request, address):
        """JSON for the request of a client at `address`, in its turn. Errors: Refusal."""
        key = hashlib.sha256(request).digest()
        with self.lock:
            if key in self.answers:
                self.answers.move_to_end(key)
                return self.answers[key]
            if self.waiting.total() >= MOST_WAITING or self.waiting[address] >= MOST_WAITING_OF_ONE:
                raise Refusal(503, "too many sources wait for the compiler of the class; try again in a minute")
            self.waiting[address] += 1
            future = self.under_way.get(key)
            if future is None:
                future = self.under_way[key] = self.pool.submit(self._compile, request, key)
        try:
            return future.result(MOST_WAITING_SECONDS)
        except concurrent.futures.TimeoutError as error:
            raise Refusal(503, "the compiler of the class did not come to this source within a minute; try again") from error
        finally:
            with self.lock:
                self.waiting[address] -= 1
                if not self.waiting[address]:
                    del self.waiting[address]


class HandIns:
    """Submissions of a class below `folder`, as LESSON/EXERCISE/NAME.cu: what `lanescope check --all` reads. Thread-safe. Nothing that
    was handed in is replaced: a second file of a name has a number."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.lock = threading.Lock()
        self.count = sum(1 for _ in self.folder.rglob("*.cu"))

    def take(self, request):
        """JSON for the request of a student. Errors: Refusal."""
        try:
            wanted = json.loads(request)
            exercise, name, text = (wanted[key] for key in ("exercise", "name", "text"))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Refusal(400, "a submission with its exercise and the student's name was expected") from error
        if not all(isinstance(one, str) for one in (exercise, name, text)) or not re.fullmatch(r"[a-z0-9_]{1,60}/[a-z0-9_]{1,60}", exercise):
            raise Refusal(400, "a submission with its exercise and the student's name was expected")
        # Of the name what may stand in a file's name anywhere.
        name = "".join(c if c.isalnum() or c in "-_ " else "_" for c in unicodedata.normalize("NFC", name)).strip()[:60]
        if not any(c.isalnum() for c in name):
            raise Refusal(400, "your name has no letter; hand in once more under the name by which the teacher knows you")
        with self.lock:
            if self.count >= MOST_HANDED_IN:
                raise Refusal(507, "the class has taken in all that it may; tell the teacher")
            return self._write(self.folder / exercise, name, text.encode("utf-8", "replace"))

    def _write(self, folder, name, content):
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, MOST_OF_ONE_NAME + 1):
            file = folder / (f"{name}.cu" if number == 1 else f"{name} {number}.cu")
            try:
                with open(file, "xb") as stream:
                    stream.write(content)
            except FileExistsError:
                continue
            except OSError as error:
                file.unlink(missing_ok=True)
                raise Refusal(507, "the machine of the class cannot write this; tell the teacher") from error
            self.count += 1
            return json.dumps({"file": str(file.relative_to(self.folder))}).encode()
        raise Refusal(429, f"there are {MOST_OF_ONE_NAME} submissions of this name; tell the teacher")

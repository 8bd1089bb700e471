"""A page in Firefox, driven by WebDriver BiDi: no library and no driver of Firefox's is needed.

Method: JSON texts over a WebSocket of the browser's own port (RFC 6455, by sockets). Its display is xvfb-run's: without one Firefox gives
no WebGL 2. OpenGL is in software.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from chromium import remove_profile

NAMES = ("firefox-esr", "firefox")
PREFERENCES = {"webgl.force-enabled": "true", "webgl.disabled": "false", "browser.shell.checkDefaultBrowser": "false",
               "datareporting.policy.dataSubmissionEnabled": "false", "toolkit.telemetry.reportingpolicy.firstRun": "false"}
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def find_browser():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class WebSocket:
    """The client's end of one, to this machine."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        status = self.file.readline()
        if b" 101 " not in status:
            raise RuntimeError(f"Firefox refused the connection: {status}")
        while self.file.readline().strip():
            pass

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, content, kind=TEXT):
        mask, size = os.urandom(4), len(content)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xfe]) + struct.pack(">H", size) if size < 1 << 16 else \
            bytes([0xff]) + struct.pack(">Q", size)
        masked = (int.from_bytes(content, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")).to_bytes(size, "big")
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def receive(self, seconds):
        """The next text."""
        self.socket.settimeout(seconds)
        content = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7f
            if size == 126:
                size, = struct.unpack(">H", self.file.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.file.read(8))
            part, kind = self.file.read(size), first & 0x0f
            if kind == CLOSE:
                raise RuntimeError("the browser has ended")
            if kind == PING:
                self.send(part, PONG)
            elif kind != PONG:
                content += part
                if first & 0x80:
                    return content.decode()


class Browser:
    """One tab of `width` x `height` CSS pixels."""

    def __init__(self, width=1280, height=720):
        self.profile = tempfile.mkdtemp(prefix="lanescope-page-")
        pathlib.Path(self.profile, "user.js").write_text("".join(f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items()))
        self.console, self.number = [], 0
        self.process = subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24", find_browser(), "--no-remote", "--profile", self.profile,
                                         "--remote-debugging-port", "0", "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"}, start_new_session=True)
        self.socket = WebSocket(self._port(), "/session")
        self.send("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def _port(self):
        for line in self.process.stderr:
            if found := re.search(rb"ws://[^:]+:(\d+)", line):
                return int(found[1])
        raise RuntimeError("Firefox has ended before it named its port")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("browser.close")
            self.process.wait(20)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.socket.close()
        self.process.stderr.close()
        remove_profile(self.profile)

    def send(self, method, **values):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": values}).encode())
        end = time.monotonic() + 120
        while (left := end - time.monotonic()) > 0:
            message = json.loads(self.socket.receive(left))
            if message.get("method") == "log.entryAdded":
                self.console.append(f"{message['params']['level']}: {message['params']['text']}")
            if message.get("id") != self.number:
                continue
            if message["type"] == "error":
                raise RuntimeError(f"{method}: {message['message']}")
            return message["result"]
        raise TimeoutError(f"the browser did not answer {method}")

    def open(self, address):
        self.send("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, text):
        """The value of the JavaScript, which JSON can hold; a promise's once it has one."""
        found = self.send("script.evaluate", expression=f"(async () => JSON.stringify(await ({text}) ?? null))()", awaitPromise=True,
                          target={"context": self.tab})
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def wait_for(self, text, seconds=120):
        """Until the JavaScript is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(text):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s: {text}; the console has {self.console[-5:]}")
            time.sleep(0.1)

    def rest_for(self, seconds):
        time.sleep(seconds)

    def press(self, key):
        """A letter, or a key's code of WebDriver."""
        steps = [{"type": "keyDown", "value": key}, {"type": "pause", "duration": 100}, {"type": "keyUp", "value": key}]
        self.send("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keys", "actions": steps}])

    def click(self, x, y):
        steps = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pause", "duration": 100}, {"type": "pointerDown", "button": 0},
                 {"type": "pause", "duration": 100}, {"type": "pointerUp", "button": 0}]
        self.send("input.performActions", context=self.tab, actions=[{"type": "pointer", "id": "mouse", "actions": steps}])

    def screenshot(self, file):
        """A PNG; its bytes are returned too."""
        data = base64.b64decode(self.send("browsingContext.captureScreenshot", context=self.tab)["data"])
        pathlib.Path(file).write_bytes(data)
        return data

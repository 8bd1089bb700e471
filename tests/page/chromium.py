"""A page in headless Chromium, driven through the browser's debugging pipe: no library and no port is needed.

Method: the DevTools protocol as JSON texts that end in a zero byte, on descriptors 3 and 4 of the browser. OpenGL is in software.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
           "--enable-unsafe-swiftshader", "--hide-scrollbars", "--remote-debugging-pipe", "--no-first-run", "--mute-audio"]


def find_browser():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def remove_profile(folder, seconds=10):
    """Once the browser's other processes, which end after it, write nothing more there."""
    end = time.monotonic() + seconds
    while os.path.isdir(folder) and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.1)


class Browser:
    """One tab. `width` and `height` in CSS pixels; `scale` pixels each."""

    def __init__(self, width=1280, height=720, *, scale=1, dark=False, touch=False, language="en-US"):
        self.profile = tempfile.mkdtemp(prefix="lanescope-page-")
        self.console, self.requests, self.number = [], [], 0
        self.file_dialogs = []  # that wait for a file
        read_end, to_browser = os.pipe()
        from_browser, write_end = os.pipe()

        def connect():
            # Both may be 3 or 4 already.
            first, second = os.dup(read_end), os.dup(write_end)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen([find_browser(), *OPTIONS, f"--user-data-dir={self.profile}", f"--lang={language}", "about:blank"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        pass_fds=(3, 4, read_end, write_end), preexec_fn=connect)
        os.close(read_end)
        os.close(write_end)
        self.to, self.source, self.rest = to_browser, from_browser, b""
        target = next(one for one in self._send("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self._send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.send("Emulation.setUserAgentOverride", userAgent=self.evaluate("navigator.userAgent"), acceptLanguage=language)
        if touch:
            self.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.source)
        remove_profile(self.profile)

    def _messages(self, seconds):
        """Those that come within the time, or none."""
        if not select.select([self.source], [], [], seconds)[0]:
            return []
        chunk = os.read(self.source, 1 << 20)
        if not chunk:
            raise RuntimeError("the browser has ended")
        *whole, self.rest = (self.rest + chunk).split(b"\0")
        return [json.loads(text) for text in whole]

    def _note(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(one.get("value", one.get("description", ""))) for one in values["args"]))
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.console.append("exception: " + str(details.get("exception", {}).get("description", details.get("text"))))
        elif method == "Log.entryAdded":
            self.console.append(f"{values['entry']['level']}: {values['entry']['text']}")
        elif method == "Page.fileChooserOpened":
            self.file_dialogs.append(values["backendNodeId"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def _send(self, method, session=None, **values):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": values, **({"sessionId": session} if session else {})}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + 120
        answer = None
        while answer is None and time.monotonic() < end:
            for one in self._messages(1):
                if one.get("id") == number:
                    answer = one
                else:
                    self._note(one)
        if answer is None:
            raise TimeoutError(f"the browser did not answer {method}")
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, method, **values):
        return self._send(method, self.session, **values)

    def open(self, address):
        self.send("Page.navigate", url=address)

    def evaluate(self, text):
        """The value of the JavaScript; a promise's once it has one."""
        found = self.send("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"].get("exception", {}).get("description")))
        return found["result"].get("value")

    def wait_for(self, text, seconds=120):
        """Until the JavaScript is true; returns the seconds that it took."""
        began = time.monotonic()
        while not self.evaluate(text):
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"not within {seconds} s: {text}; the console has {self.console[-5:]}")
            self.rest_for(0.05)
        return time.monotonic() - began

    def rest_for(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for one in self._messages(left):
                self._note(one)

    def press(self, key, code, number, modifiers=0):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=modifiers,
                      **({"text": key} if kind == "keyDown" and len(key) == 1 and not modifiers else {}))
            self.rest_for(0.1)

    def chord(self, key):
        """Ctrl and the letter, as a person presses them."""
        held = {"key": "Control", "code": "ControlLeft", "windowsVirtualKeyCode": 17}
        self.send("Input.dispatchKeyEvent", type="keyDown", modifiers=2, **held)
        self.rest_for(0.15)
        self.press(key, f"Key{key.upper()}", ord(key.upper()), modifiers=2)
        self.send("Input.dispatchKeyEvent", type="keyUp", **held)
        self.rest_for(0.15)

    def paste(self, text):
        """Ctrl V in the program, without the browser's own clipboard, which is empty."""
        self.evaluate(f"""(() => {{
          addEventListener("paste", (event) => event.stopImmediatePropagation(), {{capture: true, once: true}});
          Module.clipboard = {json.dumps(text)};
        }})()""")
        self.chord("v")

    def drop(self, name, content):
        """A file, of text or bytes, on the page."""
        content = base64.b64encode(content.encode() if isinstance(content, str) else content).decode()
        self.evaluate(f"""(() => {{
          const data = new DataTransfer(), bytes = Uint8Array.from(atob({json.dumps(content)}), (one) => one.charCodeAt(0));
          data.items.add(new File([bytes], {json.dumps(name)}));
          document.getElementById("canvas").dispatchEvent(new DragEvent("drop", {{dataTransfer: data, bubbles: true}}));
        }})()""")

    def catch_file_dialogs(self):
        self.send("Page.setInterceptFileChooserDialog", enabled=True)

    def choose(self, file, seconds=10):
        """In the dialog that opens within the time."""
        end = time.monotonic() + seconds
        while not self.file_dialogs:
            if time.monotonic() > end:
                raise TimeoutError("no dialog for a file was opened")
            self.rest_for(0.1)
        self.send("DOM.setFileInputFiles", files=[str(file)], backendNodeId=self.file_dialogs.pop())

    def grant(self, *permissions):
        self._send("Browser.grantPermissions", permissions=permissions)

    def save_downloads_in(self, folder):
        self._send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left",
                      clickCount=0 if kind == "mouseMoved" else 1)
            self.rest_for(0.15)

    def touch(self, places, seconds):
        """A finger that goes from place to place within the time, and is lifted."""
        self.touch_with_fingers([[place] for place in places], seconds)

    def touch_with_fingers(self, steps, seconds):
        """The same of several fingers: a list of their places for each step."""
        points = lambda places: [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(steps[0]))
        for places in steps[1:]:
            self.rest_for(seconds / len(steps))
            self.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(places))
        self.rest_for(seconds / len(steps))
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def screenshot(self, file):
        """A PNG; its bytes are returned too."""
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        pathlib.Path(file).write_bytes(data)
        return data

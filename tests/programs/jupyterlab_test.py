"""The stepper of a launch below its cell: in JupyterLab, and in frames as other front ends have them, in headless Chromium.

It needs PyPI's jupyterlab, playwright and numpy for the Python that runs it, dist/page/handout and Chromium; without one of them exit
status 77. Usage: jupyterlab_test.py LANESCOPE
"""

import html
import importlib.util
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("jupyterlab", "playwright", "numpy")
CELLS = ['''import lanescope, numpy as np
source = lanescope.cu("""
extern "C" __global__ void scale(const float* in, float* out, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = k * in[2 * i];
}""")
launch = source.launch("scale", 2, 32, np.arange(128, dtype=np.float32), np.zeros(64, np.float32), 3.0)''', "launch.stepper()"]
PLACE = "document.querySelector('.view[lang=' + document.documentElement.lang + '] output')?.textContent"
# The policies that a page of a front end gives its outputs. That of VS Code's notebooks allows inline scripts and eval.
VSCODE = ("default-src 'none'; img-src https: data: blob:; script-src 'unsafe-inline' 'unsafe-eval' https: data: blob:; "
          "style-src 'unsafe-inline'; font-src https: data:; connect-src *; worker-src blob:; frame-src https: data:")


def browser():
    return next((found for name in ("chromium-headless-shell", "chromium") if (found := shutil.which(name))), None)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def places_of(page, frame):
    """What the stepper says after each key."""
    frame.click("h1")
    found = []
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
        time.sleep(0.5)
        found.append(frame.evaluate(PLACE))
    return found


class Chromium(unittest.TestCase):
    def setUp(self):
        from playwright.sync_api import sync_playwright
        player = self.enterContext(sync_playwright())
        chromium = player.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        self.addCleanup(chromium.close)
        self.page = chromium.new_page(viewport={"width": 1400, "height": 1000})
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="lanescope-jupyter-")))


class JupyterLab(Chromium):
    def setUp(self):
        super().setUp()
        cells = [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
                 for n, text in enumerate(CELLS)]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / "n.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        self.port = free_port()
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "app/python"), "HOME": str(self.folder)}
        for name in ("CONFIG", "RUNTIME", "DATA"):
            environment[f"JUPYTER_{name}_DIR"] = str(self.folder / name)
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.server = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={self.port}",
                 "--IdentityProvider.token=t", f"--ServerApp.root_dir={self.folder}"], env=environment, stdout=log, stderr=log)
        self.addCleanup(self.end)

    def end(self):
        self.server.terminate()
        self.server.wait(60)

    def wait_for_server(self):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.2)
        raise TimeoutError((self.folder / "log").read_text())

    def test_the_stepper_steps_below_its_cell(self):
        self.wait_for_server()
        self.page.goto(f"http://127.0.0.1:{self.port}/lab/tree/n.ipynb?token=t")
        self.page.click(".jp-Notebook .jp-CodeCell >> nth=0", timeout=180_000)
        self.page.wait_for_selector("text=Python 3 (ipykernel) | Idle", timeout=120_000)
        for _ in CELLS:
            self.page.keyboard.press("Shift+Enter")
        element = self.page.wait_for_selector("iframe[title=Lanescope]", state="attached", timeout=120_000)
        element.scroll_into_view_if_needed()
        frame = element.content_frame()
        frame.wait_for_function("self.lanescopeReady > 0", timeout=120_000)
        self.assertEqual(places_of(self.page, frame), ["1 / 2", "2 / 2"])
        self.assertEqual(frame.text_content("h1"), "scale.lane")
        self.assertGreater(element.bounding_box()["width"], 600)


class Frames(Chromium):
    def shown(self, sandbox, policy):
        """The frame of the stepper in an output with these rules."""
        sys.path.insert(0, str(ROOT / "app/python"))
        import lanescope
        import numpy as np
        names = {"lanescope": lanescope, "np": np}
        exec(CELLS[0], names)
        cell = names["launch"].stepper()._repr_html_()
        rules = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
        output = f"<!DOCTYPE html><html><head>{rules}</head><body>{cell}</body></html>"
        self.page.set_content(f'<iframe sandbox="{sandbox}" style="width:100%;height:900px" srcdoc="{html.escape(output)}"></iframe>')
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = next((one for one in self.page.frames if one.query_selector(".view .side")), None)
            if found:
                return found
            time.sleep(0.2)
        raise TimeoutError("the stepper was not shown")

    def test_it_steps_in_an_output_of_its_own_origin_and_of_none(self):
        for sandbox, policy in (("allow-scripts", ""), ("allow-scripts allow-same-origin", ""), ("allow-scripts allow-same-origin", VSCODE)):
            frame = self.shown(sandbox, policy)
            frame.wait_for_function("self.lanescopeReady > 0", timeout=60_000)
            self.assertEqual(places_of(self.page, frame), ["1 / 2", "2 / 2"], (sandbox, policy))

    def test_where_an_output_may_not_compile_the_pictures_stay_and_it_says_so(self):
        frame = self.shown("allow-scripts", "script-src 'unsafe-inline'")
        frame.wait_for_function("document.body.textContent.includes('The pictures of one access stay')", timeout=60_000)
        self.assertTrue(frame.query_selector(".view svg"))


if __name__ == "__main__":
    os.environ["LANESCOPE_PROGRAM"] = str(pathlib.Path(sys.argv.pop(1)).resolve())
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if browser() is None or not (ROOT / "dist/page/handout/handout.wasm.packed").exists():
        missing.append("Chromium or dist/page/handout (app/page build)")
    if missing:
        print("skipped, for lack of " + ", ".join(missing))
        sys.exit(77)
    unittest.main()

"""The figures of app/docs/page.md, measured in one run: the page, with and without threads, beside the program of this machine. Usage: measure.py

It needs what app/page build makes, Chromium, and `ninja -C build frame_benchmark`. Each is the median of several; the page runs in
Chromium with OpenGL in software, the program with a screen of xvfb-run.
"""

import dataclasses
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

PROGRAM = page_test.ROOT / "build/tests/gui/frame_benchmark"
WARM, TOGGLES = 4, 12
# From the key to the frame that shows its run, by the sentence for a screen reader, which the page says after that frame.
WATCH = """self.took = [];
addEventListener("keydown", () => { self.pressed = performance.now(); }, true);
new MutationObserver(() => { if (self.pressed) took.push(performance.now() - pressed); self.pressed = 0; })
  .observe(document.getElementById("spoken"), {childList: true});"""


# Tasks of the page's own thread that took long: [ms from its start, ms].
PAUSES = """self.pauses = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => pauses.push([one.startTime, one.duration]))).observe({type: "longtask", buffered: true});"""
FRAMES = """self.frames = []; { let last = performance.now();
const next = (now) => { frames.push(now - last); last = now; requestAnimationFrame(next); }; requestAnimationFrame(next); }"""


@dataclasses.dataclass
class Measured:
    name: str
    download: int   # bytes, without the PTX that comes after the first picture
    cold: float     # ms to the first picture with nothing kept
    warm: float     # ms, loaded once more
    opening: float  # ms, the longest task of the page's own thread until the first picture, of both loads; 0: none above 50
    pause: float    # ms, the longest task from the first picture on, while the lesson is worked out, of both loads
    key: float      # ms from the key to its picture
    frame: float    # ms from one frame to the next while one steps
    memory: int     # bytes of the page's program


def page(name, query):
    with page_test.Served() as address, chromium.Browser(1600, 900) as browser:
        browser.send("Page.addScriptToEvaluateOnNewDocument", source=PAUSES)
        started, opening, pause = [], [], []
        longest = lambda when: browser.evaluate(f"Math.max(0, ...pauses.filter(([start]) => start {when} lanescopeStarted).map(([, ms]) => ms))")
        for again in ("", "again"):
            browser.open(f"{address}?{query}&{again}#lesson=transpose&kernel=tiled")
            page_test.wait_for_start(browser)
            started.append(browser.evaluate("lanescopeStarted"))
            browser.rest_for(8)
            opening.append(longest("<"))
            pause.append(longest(">="))
            if not again:
                size = browser.evaluate("performance.getEntriesByType('resource').filter((one) => !/ptx.|offline/.test(one.name))"
                                        ".reduce((sum, one) => sum + one.encodedBodySize, 0)")
        browser.evaluate(WATCH)
        for _ in range(WARM + TOGGLES):
            browser.press("p", "KeyP", ord("P"))
            browser.rest_for(1.5)
        took = browser.evaluate("took")[WARM:]
        browser.evaluate(FRAMES)
        for _ in range(15):
            browser.press("ArrowRight", "ArrowRight", 39)
        return Measured(name, size, *started, max(opening), max(pause), statistics.median(took), statistics.median(browser.evaluate("frames")),
                        browser.evaluate("Module.HEAPU8.length"))


@dataclasses.dataclass
class Native:
    key: float   # as of Measured
    frame: float
    memory: int  # bytes


def program():
    output = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24 -noreset", PROGRAM], capture_output=True, text=True, check=True,
                            env={"XDG_RUNTIME_DIR": "/tmp", **os.environ}).stdout
    median = lambda row: float(re.search(row + r" .*?median +([0-9.]+) ms", output)[1])  # of the first size, that of the page
    return Native(median("toggle to picture, 1024"), median("stepping, whole frame"),
                  resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)


def main():
    pages = [page("without threads", "one-thread")] + ([page("with threads", "all")] if page_test.has("threads") else [])
    for one in pages:
        print(f"{one.name}: download {one.download / 1e6:.1f} MB; first picture {one.cold / 1e3:.1f} s, loaded once more {one.warm / 1e3:.1f} s; "
              f"longest pause before it {one.opening:.0f} ms, after it {one.pause:.0f} ms; key to picture {one.key:.0f} ms; frame {one.frame:.0f} ms; memory {one.memory / 1e6:.0f} MB")
    own = program()
    print(f"here: key to picture {own.key:.0f} ms; frame {own.frame:.0f} ms; memory {own.memory / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

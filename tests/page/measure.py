"""The figures of app/docs/page.md, measured in one run: the page beside the program of this machine. Usage: measure.py

It needs what app/page build makes, Chromium, and `ninja -C build frame_benchmark`. Each is the median of several; the page runs without
threads in Chromium with OpenGL in software, the program with a screen of xvfb-run.
"""

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


def page():
    """(bytes that were transferred, ms to the first picture with nothing kept, the same once more, ms from key to picture, bytes of memory)"""
    with page_test.Served() as address, chromium.Browser(1600, 900) as browser:
        started = []
        for again in ("", "&again"):
            browser.open(f"{address}?one-thread{again}#lesson=transpose&kernel=tiled")
            page_test.wait_for_start(browser)
            started.append(browser.evaluate("lanescopeStarted"))
            browser.rest_for(8)
            if not again:
                names = "name.includes('/ptx/')"
                size = browser.evaluate(f"performance.getEntriesByType('resource').filter((one) => !one.{names})"
                                        ".reduce((sum, one) => sum + one.encodedBodySize, 0)")
        browser.evaluate(WATCH)
        for _ in range(WARM + TOGGLES):
            browser.press("p", "KeyP", ord("P"))
            browser.rest_for(1.5)
        took = browser.evaluate("took")[WARM:]
        return size, *started, statistics.median(took), browser.evaluate("Module.HEAPU8.length")


def program():
    """(ms from toggle to picture, bytes of memory)"""
    output = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24 -noreset", PROGRAM], capture_output=True, text=True, check=True).stdout
    found = re.search(r"toggle to picture, 1024 .*?median +([0-9.]+) ms", output)
    return float(found[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def main():
    size, cold, warm, key, memory = page()
    own_key, own_memory = program()
    print(f"download {size / 1e6:.1f} MB; first picture {cold / 1e3:.1f} s, loaded once more {warm / 1e3:.1f} s; key to picture {key:.0f} ms, "
          f"{own_key:.0f} ms here, {key / own_key:.1f} times; memory {memory / 1e6:.0f} MB, {own_memory / 1e6:.0f} MB here")


if __name__ == "__main__":
    main()

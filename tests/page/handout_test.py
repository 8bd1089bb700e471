"""Handouts in Chromium, opened from a file: steps, toggles, two runs, French, keys and fingers, three sizes, and what is left where
there is no WebAssembly or no JavaScript.

Usage: handout_test.py [Handout.test_NAME]; handout_test.py measure prints sizes and times. It needs build/lanescope, dist/page/handout
and Chromium; exit status 77 where one is missing. axe checks accessibility where PyPI's axe-core-python is installed.
"""

import functools
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

PROGRAM = page_test.ROOT / "build/lanescope"
MODULE = page_test.PAGE / "handout/handout.wasm.packed"
FOLDER = tempfile.TemporaryDirectory(prefix="lanescope-handout-")
WORDS = ["--lesson", "transpose", "--device", "gt200", "--toggle", "kernel", "--toggle", "padding", "--toggle", "swizzle", "--toggle", "order",
         "--toggle", "size=128,1024"]


@functools.cache
def handout(*words):
    """The file that the verb wrote."""
    file = pathlib.Path(FOLDER.name) / f"{abs(hash(words))}.html"
    subprocess.run([PROGRAM, "handout", *words, "-o", file], check=True, capture_output=True)
    return file


class Page(chromium.Browser):
    """A handout in a browser; at the end nothing was asked of a network, and the console is empty."""

    def __init__(self, *words, fragment="", **options):
        super().__init__(**options)
        self.address = handout(*(words or WORDS)).as_uri() + fragment

    def __enter__(self):
        self.open(self.address)
        self.wait_for("document.readyState === 'complete' && document.querySelector('.view .side') !== null")
        return self

    def ready(self):
        self.wait_for("self.lanescopeReady > 0", 120)
        return self

    def view(self, rest):
        return self.evaluate(f"(() => {{ const view = document.querySelector('.view[lang=' + document.documentElement.lang + ']'); {rest} }})()")

    def text(self, selector):
        return self.view(f"return view.querySelector({json.dumps(selector)})?.textContent || '';")

    def choose(self, toggle, value):
        self.view(f"const list = view.querySelector('[data-toggle={toggle}]'); list.value = {json.dumps(value)};"
                  "list.dispatchEvent(new Event('change'));")

    def key(self, name, code):
        self.press(name, name, code)


class Handout(unittest.TestCase):
    def quiet(self, page):
        self.assertEqual([one for one in page.requests if not one.startswith(("file:", "data:", "blob:"))], [])
        self.assertEqual(page.console, [])

    def test_keys_buttons_and_the_slider_step(self):
        with Page() as page:
            page.ready()
            self.assertIn("/ 16", page.text("output"))
            page.key("Home", 36)
            self.assertEqual(page.text("output"), "1 / 16")
            page.key("ArrowRight", 39)
            self.assertEqual(page.text("output"), "2 / 16")
            first = page.text(".sentence")
            page.view("view.querySelector('[data-to=last]').click();")
            self.assertEqual(page.text("output"), "16 / 16")
            self.assertNotEqual(page.text(".sentence"), first)
            page.view("const slider = view.querySelector('[data-access]'); slider.value = 9; slider.dispatchEvent(new Event('input'));")
            self.assertEqual(page.text("output"), "9 / 16")
            self.assertEqual(page.view("return view.querySelector('.source .at').dataset.line;"), "28")
            page.key("End", 35)
            page.key("ArrowRight", 39)
            self.assertEqual(page.text("output"), "16 / 16")
            self.quiet(page)

    def test_in_a_frame_one_figure_is_shown_with_what_steps_and_toggles_it(self):
        seen = "[...view.querySelectorAll('figure[data-figure]')].filter((one) => one.checkVisibility()).map((one) => one.dataset.figure)"
        with Page(fragment="#fr&figure=sectors") as page:
            page.ready()
            self.assertEqual(set(page.view(f"return {seen};")), {"sectors"})
            self.assertFalse(page.view("return view.querySelector('h1').checkVisibility() || view.querySelector('.source').checkVisibility();"))
            page.choose("kernel", "naive")
            self.assertEqual(set(page.view(f"return {seen};")), {"sectors"})
            self.assertEqual(page.evaluate("document.documentElement.lang"), "fr")
            self.quiet(page)
        with Page(fragment="#en&figure=none") as page:
            page.ready()
            self.assertTrue(page.view("return view.querySelector('h1').checkVisibility();"))

    def test_a_toggle_runs_the_kernel_in_the_page(self):
        with Page() as page:
            page.ready()
            before = page.text(".figures")
            page.choose("padding", "1")
            self.assertEqual(page.text(".state"), "")
            self.assertNotEqual(page.text(".figures"), before)
            self.assertEqual(page.view("return view.querySelector('[data-toggle=kernel]').value;"), "padded")
            page.choose("size", "1024")
            self.assertEqual(page.view("return view.querySelector('[data-place=block]').max;"), "1023")
            page.choose("kernel", "naive")
            self.assertEqual(page.text(".text h3 code"), "transpose_naive.cu")
            self.assertTrue(page.view("return view.querySelector('[data-toggle=padding]').disabled;"))
            self.quiet(page)

    def test_the_module_and_the_program_draw_the_same(self):
        with Page() as page:
            still = page.text(".sides")
            page.ready()
            page.view("view.querySelector('[data-to=first]').click(); view.querySelector('[data-to=next]').click();")
            self.assertNotEqual(page.text(".sides"), still)
            access = int(re.search(r"(\d+) / 16", subprocess.run(["grep", "-o", "<output>.*</output>", handout(*WORDS)], check=True,
                                                               capture_output=True, text=True).stdout)[1])
            page.view(f"const slider = view.querySelector('[data-access]'); slider.value = {access}; slider.dispatchEvent(new Event('input'));")
            # The still pictures are there for light and dark, and are wider: sentences and tables are what both have.
            def parts(text):
                return sorted(set(re.findall(r"[^.\n]*\b(?:wavefronts?|passes|transactions)\b[^.\n]*\.", text)))
            self.assertEqual(parts(page.view("return [...view.querySelectorAll('.side .sentence, .side figcaption')].map(one => one.textContent).join('\\n');")),
                             parts(still_captions(handout(*WORDS))))

    def test_two_runs_stand_beside_each_other(self):
        with Page(*WORDS, width=1920, height=1080) as page:
            page.ready()
            page.view("view.querySelector('[data-compare]').click();")
            page.choose("padding", "1")
            self.assertEqual(page.view("return view.querySelectorAll('.side').length;"), 2)
            self.assertEqual(page.view("return [...view.querySelectorAll('.what .letter')].map(one => one.textContent).join();"), "B,A")
            places = page.view("return [...view.querySelectorAll('.side')].map(one => one.getBoundingClientRect().left);")
            self.assertLess(places[1], places[0])  # A is on the left
            tops = page.view("return [...view.querySelectorAll('.step')].map(one => one.getBoundingClientRect().top);")
            self.assertEqual(tops[0], tops[1])
            page.view("view.querySelector('[data-compare]').click();")
            self.assertEqual(page.view("return view.querySelectorAll('.side').length;"), 1)
            self.quiet(page)

    def test_the_author_may_show_two_runs_from_the_start(self):
        with Page(*WORDS, "--set", "padding=1", "--against", "padding=0") as page:
            self.assertEqual(page.view("return view.querySelectorAll('.side').length;"), 2)
            page.ready()
            self.assertEqual(page.view("return view.querySelectorAll('.side').length;"), 2)
            self.assertTrue(page.view("return view.querySelector('[data-compare]').checked;"))
            self.quiet(page)

    def test_it_speaks_french(self):
        with Page() as page:
            page.ready()
            page.view("view.querySelector('[data-language=fr]').click();")
            self.assertEqual(page.text("h1"), "Transposée d’une matrice")
            self.assertIn("accès", page.text(".sentence"))
            page.choose("padding", "1")
            self.assertIn("Marge 1", page.text(".what"))
            self.quiet(page)
        with Page(fragment="#fr") as page:
            self.assertEqual(page.text("h1"), "Transposée d’une matrice")

    def test_a_question_is_answered_after_a_guess(self):
        with Page() as page:
            page.ready()
            page.view("view.querySelector('.question [data-guess=\"1\"]').click();")
            self.assertIn("Not quite", page.text(".question .outcome"))
            answer = page.view("return view.querySelector('.question').dataset.answer;")
            page.view(f"view.querySelector('.question [data-guess=\"{answer}\"]').click();")
            self.assertEqual(page.text(".question .outcome"), "Right.")
            page.view("view.querySelector('.question .show').click();")
            self.assertEqual(page.text(".state"), "")
            self.assertEqual(page.view("return view.querySelector('[data-toggle=kernel]').value;"), "naive")
            self.quiet(page)

    def test_a_setting_without_ptx_is_a_sentence_and_the_page_goes_on(self):
        with Page() as page:
            page.ready()
            before = page.text(".sentence")
            page.view("const list = view.querySelector('[data-toggle=padding]'); list.add(new Option('9', '9'));")
            page.choose("padding", "9")
            self.assertIn("padding", page.text(".state"))
            self.assertEqual(page.text(".sentence"), before)
            page.key("Home", 36)
            self.assertEqual(page.text("output"), "1 / 16")

    def test_a_swipe_steps_on_a_phone_and_nothing_is_wider_than_the_screen(self):
        with Page(width=390, height=844, scale=2, touch=True) as page:
            page.ready()
            page.view("view.querySelector('[data-to=first]').click(); view.querySelector('.sentence').scrollIntoView({block: 'center'});")
            x, y = page.view("const box = view.querySelector('.sentence').getBoundingClientRect(); return [box.left + 200, box.top + 10];")
            page.touch([(x, y), (x - 60, y), (x - 130, y)], 0.3)
            self.assertEqual(page.text("output"), "2 / 16")
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
            small = page.view("return [...view.querySelectorAll('button, select, .stepper input')].filter(one => one.offsetParent && one.getBoundingClientRect().height < 44).length;")
            self.assertEqual(small, 0)
            self.quiet(page)

    def test_pictures_are_dark_where_the_page_is_and_light_on_paper(self):
        with Page(dark=True) as page:
            ground = "return getComputedStyle(view.querySelector('.picture rect')).fill;"
            self.assertEqual(page.view(ground), "rgb(26, 32, 41)")
            page.ready()
            self.assertEqual(page.view(ground), "rgb(26, 32, 41)")
            page.send("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            self.assertEqual(page.view(ground), "rgb(255, 255, 255)")
            self.assertEqual(page.view("return getComputedStyle(view.querySelector('.stepper')).display;"), "none")

    def test_without_the_module_the_still_pictures_are_stepped_through(self):
        with Page("--lesson", "transpose", "--set", "size=128", "--stills") as page:
            self.assertEqual(page.text("output"), "9 / 16")
            page.key("ArrowRight", 39)
            self.assertEqual(page.text("output"), "10 / 16")
            self.assertEqual(page.view("return view.querySelectorAll('details.still[open]').length;"), 1)
            self.quiet(page)

    def test_a_device_of_ones_own_goes_with_the_page(self):
        own = pathlib.Path(FOLDER.name) / "my gpu's.toml"
        text = (page_test.ROOT / "assets/devices/gt200.toml").read_text(encoding="utf-8")
        own.write_text(re.sub(r'^title = .*$', 'title = "My <b>GPU</b>"', text, flags=re.M), encoding="utf-8")
        file = pathlib.Path(FOLDER.name) / "k.cu"
        file.write_text('extern "C" __global__ void k(float* out) { out[threadIdx.x * 8] = 1; }\n', encoding="utf-8")
        for words in (["--lesson", "transpose", "--set", "size=128"], [str(file), "--grid", "1", "--block", "32", "--arg", "out=f32[256]:zeros"]):
            with Page(*words, "--device", str(own)) as page:
                page.ready()
                page.key("Home", 36)
                page.key("ArrowRight", 39)
                self.assertIn("My <b>GPU</b>", page.text(".side"))
                self.quiet(page)

    def test_without_webassembly_one_sentence_says_so(self):
        with chromium.Browser() as browser:
            browser.send("Page.addScriptToEvaluateOnNewDocument", source="delete self.WebAssembly;")
            browser.open(handout(*WORDS).as_uri())
            browser.wait_for("(document.querySelector('.state')?.textContent || '').includes('cannot run the stepper')")
            self.assertIn("wavefront", browser.evaluate("document.querySelector('.view[lang=en] .side').textContent").replace("pass", "wavefront"))

    def test_without_javascript_both_languages_can_be_read(self):
        with chromium.Browser() as browser:
            browser.send("Emulation.setScriptExecutionDisabled", value=True)
            browser.open(handout(*WORDS).as_uri())
            names, end = "", time.monotonic() + 60
            while "Exercices" not in names and time.monotonic() < end:  # which comes last
                browser.rest_for(1)
                tree = browser.send("Accessibility.getFullAXTree")["nodes"]
                names = " ".join(str(one.get("name", {}).get("value", "")) for one in tree if not one.get("ignored"))
            for words in ("Matrix transpose", "Transposée d’une matrice", "Show the answer", "Exercices", "Its numbers as a table"):
                self.assertIn(words, names)
            self.assertNotIn("Next access", names)

    def test_a_source_of_ones_own_runs_in_the_page(self):
        source = pathlib.Path(FOLDER.name) / "own.cu"
        source.write_text('extern "C" __global__ void k(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * STRIDE]; }\n')
        words = [str(source), "--grid", "2", "--block", "64", "--arg", "in=f32[2048]:iota", "--arg", "out=f32[64]:zeros"]
        with Page(*words, "--toggle", "STRIDE=8,1") as page:
            page.ready()
            self.assertEqual(page.text("output"), "1 / 2")
            self.assertIn("32 sectors; ideal 4", page.text(".sentence"))
            page.choose("STRIDE", "1")
            self.assertIn("STRIDE=1", page.text(".what"))
            self.assertIn("4 sectors; ideal 4", page.text(".sentence"))
            page.key("End", 35)
            self.assertIn("store", page.text(".sentence"))
            page.view("view.querySelector('[data-compare]').click();")
            page.choose("STRIDE", "8")
            self.assertEqual(page.view("return view.querySelectorAll('.side').length;"), 2)
            page.view("const warp = view.querySelector('[data-place=warp]'); warp.value = 1; warp.dispatchEvent(new Event('change'));")
            self.assertIn("warp 1", page.view("return [...view.querySelectorAll('.side')].map(one => one.textContent).join();").lower())
            self.quiet(page)
        self.assertNotIn(FOLDER.name, handout(*words, "--toggle", "STRIDE=8,1").read_text(encoding="utf-8"))
        with Page(*words, "-D", "STRIDE=2") as page:
            page.ready()
            self.assertEqual(page.view("return view.querySelectorAll('[data-toggle], [data-compare]').length;"), 0)
            self.assertIn("8 sectors; ideal 4", page.text(".sentence"))

    def test_a_saved_trace_steps_in_the_frame_of_a_notebook(self):
        trace = pathlib.Path(FOLDER.name) / "t.lane"
        subprocess.run([PROGRAM, "trace", "--lesson", "transpose", "--set", "size=128", "--save", trace], check=True, capture_output=True)
        html_text = handout(str(trace)).read_text(encoding="utf-8")
        frame = pathlib.Path(FOLDER.name) / "frame.html"
        frame.write_text(f'<iframe srcdoc="{html.escape(html_text)}" sandbox="allow-scripts"></iframe>', encoding="utf-8")
        with chromium.Browser() as browser:
            # Only the frame's own scripts reach into it.
            browser.send("Page.addScriptToEvaluateOnNewDocument", source="""if (self !== top) setInterval(() => {
              if (!self.lanescopeReady) return;
              document.querySelector('.view [data-to=last]').click();
              top.postMessage(document.querySelector('.view output').textContent + document.querySelector('.view .sentence').textContent, '*');
            }, 200); else addEventListener('message', (event) => self.told = event.data);""")
            browser.open(frame.as_uri())
            browser.wait_for("(self.told || '').startsWith('16 / 16access 16, ST g')", 60)
            self.assertEqual(browser.console, [])
        with Page(str(trace)) as page:
            page.ready()
            self.assertEqual(page.text("output"), "9 / 16")
            self.assertIn("32 wavefronts; ideal 1", page.text(".sentence"))
            page.view("const block = view.querySelector('[data-place=block]'); block.value = 15; block.dispatchEvent(new Event('change'));")
            self.assertIn("block (3, 3)", page.text(".step"))
            page.view("const block = view.querySelector('[data-place=block]'); block.value = 16; block.dispatchEvent(new Event('change'));")
            self.assertIn("16 blocks", page.text(".state"))
            self.assertEqual(page.text("output"), "9 / 16")
            self.quiet(page)

    def test_names_and_comments_with_markup_stay_text(self):
        source = pathlib.Path(FOLDER.name) / "x<img src=y onerror=alert(1)>.cu"
        source.write_text("// </code></pre><img src=x onerror=\"console.log('run')\"><script>console.log('run')</script>\n"
                          "extern \"C\" __global__ void k(float* out) { out[threadIdx.x] = 1; }\n")
        with Page(str(source), "--grid", "1", "--block", "32", "--arg", "out=f32[32]:zeros") as page:
            page.rest_for(1)
            self.assertEqual(page.evaluate("document.querySelectorAll('img').length"), 0)
            self.assertIn("<script>", page.text(".source"))
            self.quiet(page)

    def test_it_is_small_and_quick(self):
        file = handout(*WORDS)
        self.assertLess(file.stat().st_size, 4e6)
        with Page() as page:
            page.ready()
            self.assertLess(step_milliseconds(page), 100)  # 16 on a machine that does nothing else

    def test_each_lesson_runs_in_its_page(self):
        folder = pathlib.Path(FOLDER.name) / "all"
        subprocess.run([PROGRAM, "handout", "--all", "-o", folder], check=True, capture_output=True)
        pages = sorted(set(folder.glob("*.html")) - {folder / "index.html"})
        self.assertGreater(len(pages), 13)
        with chromium.Browser(width=390, height=844) as browser:
            for page in pages:
                browser.open(page.as_uri())
                browser.wait_for(f"location.pathname.endsWith('{page.name}') && self.lanescopeReady > 0", 60)
                self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 390, page.name)
            self.assertEqual(browser.console, [])
            self.assertEqual([one for one in browser.requests if not one.startswith(("file:", "data:", "blob:"))], [])

    def test_axe_finds_nothing(self):
        script = page_test.axe_script()
        if script is None:
            self.skipTest("PyPI's axe-core-python is not installed")
        for width, height in ((390, 844), (1280, 720)):
            with Page(width=width, height=height) as page:
                page.ready()
                self.assertEqual(page.evaluate(script + page_test.AXE_FINDS), [])


def still_captions(file):
    """The sentences of the first view, as the file has them."""
    text = file.read_text(encoding="utf-8")
    text = text[text.index('<div class="view"'):text.index('<section class="questions"')]
    parts = re.findall(r'<p class="sentence">.*?</p>|<figcaption>.*?</figcaption>', text, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", "\n".join(parts)))


def step_milliseconds(page):
    """The median of 32 steps, until the browser has laid the page out."""
    return page.view("""
      const times = [];
      const slider = view.querySelector('[data-access]');
      for (let n = 0; n < 32; ++n) {
        slider.value = 1 + (n * 5) % 16;
        const began = performance.now();
        slider.dispatchEvent(new Event('input'));
        view.getBoundingClientRect();
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[16];""")


def measure():
    source = str(page_test.ROOT / "kernels/transpose_tiled.cu")
    for name, words in (("transpose, five toggles", WORDS), ("transpose_tiled.cu alone", [source, "--grid", "32,32", "--block", "32,8"])):
        measure_one(name, words)


def measure_one(name, words):
    print(f"{name}: {handout(*words).stat().st_size / 1e6:.2f} MB")
    for width, height in ((390, 844), (1280, 720), (1920, 1080)):
        with Page(*words, width=width, height=height) as page:
            first = page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)))")
            page.ready()
            ready = page.evaluate("self.lanescopeReady")
            toggles = []
            for value in ("1", "0", "2", "0", "3", "0") if words is WORDS else ():
                began = time.monotonic()
                page.choose("padding", value)
                toggles.append(time.monotonic() - began)
            print(f"{width} x {height}: still pictures {first:.0f} ms, first step {ready:.0f} ms, a step {step_milliseconds(page):.1f} ms"
                  + (f", a toggle {1000 * sorted(toggles)[3]:.0f} ms" if toggles else ""))


if __name__ == "__main__":
    for needed in (PROGRAM, MODULE):
        if not needed.is_file() or not chromium.find_browser():
            print(f"{needed.relative_to(page_test.ROOT)} and Chromium are needed; app/page build makes the former", file=sys.stderr)
            sys.exit(77)
    if sys.argv[1:] == ["measure"]:
        measure()
    else:
        unittest.main()

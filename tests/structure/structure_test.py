"""The structure of the sources: which folder may include which, where files are, how a file begins.

Method: reads the files, builds nothing. The arrows are those of app/ARCHITECTURE.md; change both together.
Usage: structure_test.py [Structure.test_NAME]
"""

import functools
import hashlib
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = ROOT / "app"

# folder, or file without its suffix -> what it may include itself; an arrow is transitive. A file belongs to the longest name
# that its path begins with.
ARROWS = {
    "base": (),
    "trace": ("base",),
    "launch": ("base",),
    "ptx": ("base",),
    "compile": ("base",),
    "model": ("trace",),
    "sass": ("ptx", "trace"),
    "caches": ("model", "ptx"),
    "emulator/options": ("trace",),
    "emulator/outcome": ("launch", "trace"),
    "emulator/memory": ("ptx", "launch", "trace"),
    "emulator/values": ("emulator/options", "ptx"),
    "emulator/block": ("emulator/values", "emulator/memory"),
    "emulator/exec": ("emulator/block",),
    "emulator/checks": ("emulator/block", "emulator/outcome"),
    "emulator/schedule": ("emulator/checks",),
    "emulator": ("emulator/exec", "emulator/schedule"),
    "gpu": ("ptx", "launch", "trace"),
    "remote": ("gpu", "export"),
    "lesson": ("launch",),
    "layout": ("launch", "model"),
    "plot": ("layout", "caches"),
    "export": ("plot", "sass", "caches", "trace"),
    "driver": ("pipeline", "export"),
    "report": ("pipeline", "export"),
    "handout": ("pipeline", "export"),
    "sweep": ("pipeline", "plot"),
    "pipeline": ("lesson", "compile", "emulator", "sass", "caches", "gpu", "layout"),
    "recordings": ("pipeline", "plot"),
    "study": ("pipeline", "recordings", "plot"),
    "session": ("pipeline", "recordings", "study"),
    "view": ("session", "plot"),
    "shell": ("view", "export", "session", "remote", "driver", "report", "sweep", "handout"),
}
# The programs of app/driver: folder -> the folders of app/driver that it may include too, besides driver/messages.h.
DRIVER_ARROWS = {
    "server": (),
    "client": (),
    "client/runtime": ("client",),
    "forward": ("client",),
    "libraries": ("client", "libraries/include"),
    **{f"libraries/{name}": ("client", "libraries", "libraries/include") for name in ("cublas", "cublasLt", "curand", "cufft")},
}
# Units that include each other, still to be cut: the source of one needs the types of the other.
KNOWN_CYCLES = {frozenset(units.split()) for units in (
    "model/partitions model/residency",
    "model/memory_network model/timing",
    "gpu/driver gpu/driver_functions",
    "gpu/cupti gpu/cupti_functions",
    "shell/gpu_choice shell/verbs",
)}
TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "app", "assets", "kernels", "shaders", "tests", "third_party",
    ".ci", ".clang-format", ".clang-tidy", ".gitignore",
}
GENERATED = {"base/text_ids.h"}  # in the build folder, from base/text.def
MADE_HERE = re.compile(r"\.git|\.cache|build.*|dist|lanescope-out|compile_commands\.json")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
WINDOW_HEADER = re.compile(r"(.*/)?(imgui|imstb|imgui_impl|implot|glad|glfw)[^/]*\.h|glad/.*|GLFW/.*|GL/.*|portable-file-dialogs\.h")
SOURCES = (".cpp", ".h", ".c")
# Folders whose comments begin with the noun or the verb that names the thing; a reader needs no comment above them.
PLAIN_OPENINGS = ("app/emulator", "app/driver", "app/compile", "app/trace")
VAGUE_OPENING = re.compile(
    r"(What|Whether|Of|How|Where|The same|Which|As if|That|This|These|Those|It|They|Its|Their|One's|There|Then|So|Such|Who|Whose"
    r"|Also|Same|Else|Otherwise|And|Or|But)\b")
COMMENT_LINE = re.compile(r"\s*///?(?!/)\s?(.*)")
TRAILING_COMMENT = re.compile(r"///<\s*(.*)")


def files_below(*folders, suffixes=SOURCES):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def includes(path):
    """(line number, '<' or '"', what is included) of each #include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def comment_openings(path):
    """(line number, text) of the first line of each comment."""
    goes_on = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        trailing, own = TRAILING_COMMENT.search(line), COMMENT_LINE.match(line)
        if trailing:
            yield number, trailing[1]
        elif own and not goes_on:
            yield number, own[1]
        goes_on = bool(own) and not trailing


def cycles_of(graph):
    """The strongly connected sets of more than one node (Tarjan's algorithm). graph: node -> nodes."""
    number, low, path, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        path.append(node)
        for target in graph.get(node, ()):
            if target not in number:
                visit(target)
            if target in path:
                low[node] = min(low[node], low[target])
        if low[node] == number[node]:
            start = path.index(node)
            if len(path) - start > 1:
                found.append(path[start:])
            del path[start:]

    for node in graph:
        if node not in number:
            visit(node)
    return found


def folder_of(path):
    return path.relative_to(APP).parts[0]


def part_of(name):
    """The longest name in ARROWS that this path below app begins with; None if there is none."""
    steps = name.rsplit(".", 1)[0].split("/")
    return next((part for length in range(len(steps), 0, -1) if (part := "/".join(steps[:length])) in ARROWS), None)


def reachable(folder):
    """All folders that `folder` may include, itself among them."""
    found, waiting = set(), [folder]
    while waiting:
        if (next_one := waiting.pop()) not in found:
            found.add(next_one)
            waiting += ARROWS[next_one]
    return found


class Structure(unittest.TestCase):
    maxDiff = None

    def claim_none(self, wrong):
        if wrong:
            self.fail("\n" + "\n".join(wrong))

    def each_include(self):
        for path in files_below("app", suffixes=(*SOURCES, ".def")):
            for number, kind, name in includes(path):
                yield path, f"{path.relative_to(ROOT)}:{number}", kind, name

    def test_includes_follow_the_arrows(self):
        wrong = [f"app/{name}: named among the arrows, and does not exist" for name in ARROWS if not list(APP.glob(f"{name}*"))]
        wrong += [f"app/{folder.name}: a folder that the architecture does not know"
                 for folder in APP.iterdir() if folder.is_dir() and folder.name not in {*ARROWS, "docs", "packaging", "python"}]
        count = 0
        for path, place, kind, name in self.each_include():
            source, target = part_of(str(path.relative_to(APP))), part_of(name)
            if kind == '"' and target:
                count += 1
                if target not in reachable(source):
                    wrong.append(f"{place}: {source} must not include {name}")
        self.claim_none(wrong)
        self.assertGreater(count, 0, "no include was found: the check itself is broken")

    def test_programs_of_the_driver_share_their_messages_alone(self):
        """A program's process loads client and forward: plain C, with no other code of ours."""
        wrong, seen = [], set()
        for path, place, kind, name in self.each_include():
            if not path.is_relative_to(APP / "driver") or kind != '"':
                continue
            own, target = str(path.parent.relative_to(APP / "driver")), name.removeprefix("driver/").rpartition("/")[0]
            seen.add(own)
            if name == "driver/messages.h" or own == "server" and not name.startswith("driver/"):
                continue
            if not name.startswith("driver/") or target not in (own, *DRIVER_ARROWS[own]):
                wrong.append(f"{place}: app/driver/{own} must not include {name}")
        self.claim_none(wrong)
        self.assertEqual(seen, set(DRIVER_ARROWS), "a folder of app/driver that has no row")

    def test_includes_form_no_cycle(self):
        """A unit is a header and the source of the same name: a cycle of units can only be read and built as one."""
        graph = {}
        for path, _, kind, name in self.each_include():
            unit, target = str(path.relative_to(APP).with_suffix("")), name.rsplit(".", 1)[0]
            graph.setdefault(unit, set())
            if kind == '"' and path.suffix in SOURCES and name.endswith(".h") and target != unit:
                graph[unit].add(target)
        cycles = {frozenset(cycle) for cycle in cycles_of(graph)}
        self.assertEqual([sorted(cycle) for cycle in cycles - KNOWN_CYCLES], [], "cut them, for instance by a header of plain data")
        self.assertEqual([sorted(cycle) for cycle in KNOWN_CYCLES - cycles], [], "cut by now: take them off the list")
        self.assertGreater(len(graph), 0, "no unit was found: the check itself is broken")

    def test_every_include_names_its_folder(self):
        self.claim_none([f'{place}: "{name}" should be written as "folder/file"'
                         for path, place, kind, name in self.each_include()
                         if kind == '"' and name not in GENERATED and not (APP / name).is_file()])

    def test_only_view_and_shell_know_the_window(self):
        """But for the reader of fonts in a browser, which the window's sources bring."""
        self.claim_none([f"{place}: only view and shell may include {name}"
                         for path, place, kind, name in self.each_include()
                         if kind == "<" and WINDOW_HEADER.fullmatch(name) and folder_of(path) not in ("view", "shell")
                         and (name, path.name) != ("imstb_truetype.h", "glyph_outlines.cpp")])

    def test_only_compile_knows_nvrtc(self):
        self.claim_none([f"{place}: only compile may include {name}"
                         for path, place, kind, name in self.each_include()
                         if "nvrtc" in name.split("/")[-1] and kind == "<" and folder_of(path) != "compile"])

    def test_only_gpu_and_driver_know_cuda(self):
        """The driver is called by gpu, and stood in for by driver/client, which driver/libraries call."""
        self.claim_none([f"{place}: only gpu may include {name}"
                         for path, place, kind, name in self.each_include()
                         if re.fullmatch(r"cuda\.h|cuda_runtime_api\.h|cupti.*\.h|nvperf.*\.h", name)
                         and folder_of(path) != "gpu" and not (name.startswith("cuda")
                                  and any(path.parent.is_relative_to(APP / "driver" / part) for part in ("client", "libraries")))])

    def test_the_command_line_uses_no_interactive_state(self):
        """Apart from the window, the page, its screenshots, figures, lectures and saved sessions, nothing of shell includes session or view, directly or through others."""
        window = {f"shell/{name}" for name in ("screenshot_verb.cpp", "lecture_verb.cpp", "lecture_slides.h", "lecture_slides.cpp",
                                             "shown_figure.cpp", "handout_session.cpp")}
        included = {}
        for path, _, kind, name in self.each_include():
            included.setdefault(str(path.relative_to(APP)), []).extend([name] if kind == '"' else [])
        wrong = []
        for file in sorted(file for file in included if file.startswith("shell/") and not file.startswith(("shell/window/", "shell/page/")) and file not in window):
            found, waiting = set(), [file]
            while waiting:
                if (next_one := waiting.pop()) not in found:
                    found.add(next_one)
                    waiting += included.get(next_one, ())
            wrong += [f"app/{file}: includes {name}" for name in sorted(found) if name.startswith(("session/", "view/context"))]
        self.claim_none(wrong)
        self.assertIn("session/session.h", included["shell/window/window.h"], "the check itself is broken")

    def test_the_top_level_is_the_one_of_the_architecture(self):
        found = {path.name for path in ROOT.iterdir() if not MADE_HERE.fullmatch(path.name)}
        self.assertEqual(found - TOP_LEVEL, set(), "nothing else belongs on the top level")
        self.assertEqual(TOP_LEVEL - found, set(), "missing on the top level")

    def test_every_file_opens_with_its_purpose(self):
        wrong = []
        for path in files_below("app", "tests/support", "kernels", suffixes=(*SOURCES, ".def", ".cu", ".cuh")):
            if path.suffix in (".cpp", ".c") and path.with_suffix(".h").is_file():
                continue  # its header says it
            if not path.read_text(encoding="utf-8").startswith(("// ", "/* ")):
                wrong.append(f"{path.relative_to(ROOT)}: the first line should be a comment that says what the file is for")
        self.claim_none(wrong)

    def test_comments_open_with_what_they_name(self):
        wrong = []
        for path in files_below(*PLAIN_OPENINGS):
            wrong += [f"{path.relative_to(ROOT)}:{number}: {text}" for number, text in comment_openings(path) if VAGUE_OPENING.match(text)]
        self.claim_none(wrong)

    def test_what_an_opcode_does_is_listed_in_one_table(self):
        # Handlers and control flow are executed there, spellings checked here; nothing else distinguishes many opcodes.
        allowed = ("app/emulator/exec/", "app/emulator/schedule/", "app/ptx/matrix_check.cpp", "app/ptx/modifier_check.cpp",
                   "app/ptx/operand_check.cpp")
        most = 3
        wrong = []
        for path in files_below("app"):
            name = str(path.relative_to(ROOT))
            if name.startswith(allowed):
                continue
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(r"case (?:ptx::)?Op::(\w+)", text):
                wrong.append(f"{name}: a switch over opcodes ({match[1]})")
            for statement in re.split(r"[;{}]", text):
                opcodes = set(re.findall(r"\bOp::(\w+)", statement))
                if len(opcodes) > most and "case " not in statement:
                    wrong.append(f"{name}: a list of opcodes ({', '.join(sorted(opcodes))})")
        self.claim_none([f"{each}; make it a trait in app/ptx/opcode.def" for each in wrong])

    def test_every_panel_is_a_row_of_the_table(self):
        rows = set(re.findall(r"^PANEL\(\w+, (\w+),", (APP / "view/panels.def").read_text(encoding="utf-8"), re.MULTILINE))
        made = [(name, path) for path in files_below("app/view", suffixes=(".cpp",))
                for name in re.findall(r"^std::unique_ptr<Panel> make_(\w+)_panel\(\)", path.read_text(encoding="utf-8"), re.MULTILINE)]
        self.assertGreater(len(rows), 10, "no row was found: the check itself is broken")
        self.claim_none([f"{path.relative_to(ROOT)}: make_{name}_panel() has no row in app/view/panels.def"
                         for name, path in made if name not in rows])
        self.assertEqual(sorted(rows), sorted(name for name, _ in made), "each row has one make_NAME_panel()")

    def test_every_figure_can_be_asked_for_by_name(self):
        places = {"app/plot/figures.h": "app/plot/figure_table.cpp", "app/plot/model_figures.h": "app/study/study_plans.cpp"}
        for header, table in places.items():
            figures = re.findall(r"^Figure (\w+_figure)\(", (ROOT / header).read_text(encoding="utf-8"), re.MULTILINE)
            self.assertGreater(len(figures), 5, f"no figure was found in {header}: the check itself is broken")
            drawn = (ROOT / table).read_text(encoding="utf-8")
            self.claim_none([f"{header}: {name}() is not drawn by {table}" for name in figures
                             if not re.search(rf"\b{name}\(", drawn)])

    def test_no_file_is_longer_than_500_lines(self):
        wrong = []
        for path in files_below("app", "tests"):
            count = path.read_text(encoding="utf-8").count("\n")
            if count > 500:
                wrong.append(f"{path.relative_to(ROOT)}: {count} lines; split it along its ideas")
        self.claim_none(wrong)

    def test_no_file_names_a_place_of_one_machine(self):
        place_of_one_machine = re.compile(rb"(?<![\w./-])/(work|root|home|Users|mnt)/\w")
        wrong = []
        for folder in ("app", "kernels", "shaders", "tests", "third_party", "assets", ".ci"):
            for path in sorted((ROOT / folder).rglob("*")):
                if not path.is_file() or path.suffix in (".otf", ".ttf", ".png", ".gz", ".pyc"):
                    continue
                content = path.read_bytes()
                if path == pathlib.Path(__file__).resolve() or not place_of_one_machine.search(content):
                    continue
                for number, line in enumerate(content.splitlines(), 1):
                    if (match := place_of_one_machine.search(line)):
                        wrong.append(f"{path.relative_to(ROOT)}:{number}: {match[0].decode()}... exists on one machine only")
        self.claim_none(wrong)

    def test_every_path_in_a_comment_exists(self):
        """A comment or a page may name a file or folder of the project from its root, also as a pattern (exec_*.cpp,
        NAME.toml)."""
        path_in_text = re.compile(r"(?<![\w./-])(?:app|tests|kernels|shaders|assets|third_party)/[\w./*-]*\w")
        wrong, count = [], 0

        @functools.cache
        def exists(named):
            named = re.sub(r"\b[A-Z]{4,}\b", "*", named)
            return any(ROOT.glob(named)) if "*" in named else (ROOT / named).exists()

        for path in files_below("app", "tests", "kernels", "third_party",
                                suffixes=(*SOURCES, ".def", ".cu", ".cuh", ".py", ".txt", ".cmake", ".sh", ".md")):
            if path.suffix != ".md" and any(part in ("golden", "data", "corpus", "launch_corpus") for part in path.relative_to(ROOT).parts):
                continue
            mark = re.compile("" if path.suffix == ".md" else
                              r"(?:^|\s)#\s" if path.suffix in (".py", ".txt", ".cmake", ".sh") else "//")
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                begin = mark.search(line)
                for match in path_in_text.findall(line, begin.end()) if begin else ():
                    count += 1
                    if not exists(match):
                        wrong.append(f"{path.relative_to(ROOT)}:{number}: {match} does not exist")
        self.claim_none(wrong)
        self.assertGreater(count, 200, "few paths were found: the check itself is broken")

    def test_slow_tests_are_run_as_such(self):
        """A suite that begins with Slow is left out of its executable's fast shards: the executable must have slow ones."""
        slow = re.compile(r"^(?:TEST|TEST_F|TEST_P|INSTANTIATE_TEST_SUITE_P)\(\s*Slow", re.MULTILINE)
        wrong = []
        for path in files_below("tests", suffixes=(".cpp",)):
            if not slow.search(path.read_text(encoding="utf-8")):
                continue
            name = path.parent.name if path.parent.name != "gpu" else "gpu_trace"
            listed = "\n".join(one.read_text() for one in (ROOT / "tests").rglob("CMakeLists.txt"))
            if not re.search(rf"lanescope_test\({name} [^)]*SLOW", listed):
                wrong.append(f"{path.relative_to(ROOT)}: {name}_tests has no slow shards (SLOW n of lanescope_test)")
        self.claim_none(wrong)

    def test_every_cmake_option_that_is_named_exists(self):
        listed = "\n".join(path.read_text(encoding="utf-8") for pattern in ("CMakeLists.txt", "*.cmake")
                           for folder in ("app", "tests", "third_party") for path in (ROOT / folder).rglob(pattern))
        listed += (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        known = set(re.findall(r"(?:option|set|find_path|find_program)\(\s*(LANESCOPE_\w+)", listed))
        wrong = []
        for path in [ROOT / "README.md", ROOT / "CMakePresets.json", ROOT / "app/run", ROOT / "tests/run",
                     *(ROOT / "third_party").glob("*.*"), *APP.rglob("*.md"), *(ROOT / "tests").rglob("CMakeLists.txt")]:
            for option in re.findall(r'(?:-D|")(LANESCOPE_\w+)(?==|":)', path.read_text(encoding="utf-8")):
                if option not in known:
                    wrong.append(f"{path.relative_to(ROOT)}: no CMake file declares the option {option}")
        self.claim_none(wrong)

    def test_the_hooks_of_the_tests_change_no_type_of_dear_imgui(self):
        """The window's objects are linked with the Dear ImGui of the program and with the one that has the test engine's
        hooks. That is right as long as the hooks add constants, functions and macros to the headers, and nothing else."""
        folder = ROOT / ".cache/third_party/window/imgui"
        if not folder.is_dir():
            self.skipTest("Dear ImGui is not fetched: app/run does it")
        harmless = re.compile(r"\s*(//.*|ImGui\w+_\w+\s*=.*|extern .*\);.*|#define IMGUI_TEST_ENGINE_\w+\(.*|)")
        blocks = 0
        for path in sorted(folder.glob("*.h")):
            inside = False
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.match(r"\s*#\s*if.*IMGUI_ENABLE_TEST_ENGINE", line):
                    inside, blocks = True, blocks + 1
                elif inside and re.match(r"\s*#\s*(endif|else)", line):
                    inside = line.lstrip("# ").startswith("else")
                elif inside:
                    self.assertRegex(line, rf"^{harmless.pattern}$", f"{path.name}:{number}")
        self.assertGreater(blocks, 0, "Dear ImGui has no hooks in its headers: the check itself is broken")

    def test_every_font_has_the_hash_that_its_readme_says(self):
        fonts = ROOT / "assets/fonts"
        text = (fonts / "README.md").read_text(encoding="utf-8")
        for path in sorted([*fonts.glob("*.otf"), *fonts.glob("*.ttf")]):
            with self.subTest(path.name):
                row = next((line for line in text.splitlines() if path.name in line), "")
                self.assertIn(hashlib.sha256(path.read_bytes()).hexdigest(), row)


if __name__ == "__main__":
    unittest.main()

#include "shell/page/browser.h"

#include "view/imgui.h"

#include <cstdlib>

#include <emscripten.h>
#include <emscripten/html5.h>

// Each returns text that the caller frees, or null.
// clang-format off
EM_JS(char*, page_take_link, (), {
  const link = location.hash.slice(1);
  if (link === (Module.lastLink || "")) return 0;
  Module.lastLink = link;
  return link ? stringToNewUTF8(link) : 0;
})
EM_JS(char*, page_address, (), { return stringToNewUTF8(location.href.split("#")[0]); })
EM_JS(int, page_prefers, (const char* what), {
  const wanted = UTF8ToString(what);
  if (wanted === "fingers") return matchMedia("(pointer: coarse)").matches && Math.min(innerWidth, innerHeight) >= 600 ? 1 : 0;
  if (wanted === "dark") return matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0;
  return (navigator.language || "").toLowerCase().startsWith(wanted) ? 1 : 0;
})
EM_JS(void, page_download, (const char* path), {
  const name = UTF8ToString(path);
  Module.offer(name.split("/").pop(), FS.readFile(name));
})
EM_JS(void, page_connect_files, (), {
  Module.take = async (files) => {
    for (const file of files) {
      const name = file.name.replace(/[\\/]/g, "_");
      try {
        (Module.chosen = Module.chosen || []).push([name, new Uint8Array(await file.arrayBuffer())]);
      } catch (error) {  // it is larger than a browser reads, or gone
        Module.say(Module.words.noFile + name + ": " + error.message);
      }
    }
  };
  // Before GLFW's own, whose files would not be kept.
  document.addEventListener("dragover", (event) => event.preventDefault(), true);
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    Module.take(event.dataTransfer.files);
  }, true);
})
EM_JS(void, page_choose_file, (), {
  const input = Module.fileInput = document.createElement("input");  // kept until the next: browsers drop one that nothing names
  input.type = "file";
  input.multiple = true;
  input.onchange = () => Module.take(input.files);
  input.click();
})
EM_JS(char*, page_take_chosen, (const char* kept, const char* large), {
  if (!Module.chosen || Module.chosen.length === 0) return 0;
  const [name, bytes] = Module.chosen.shift();
  const path = UTF8ToString(bytes.length > 4e6 ? large : kept) + "/" + name;
  FS.writeFile(path, bytes, {canOwn: true});
  return stringToNewUTF8(path);
})
EM_JS(void, page_connect_clipboard, (), {
  Module.clipboard = "";
  document.addEventListener("paste", (event) => {
    Module.clipboard = (event.clipboardData || {getData: () => ""}).getData("text/plain");
    event.preventDefault();
  });
})
EM_JS(void, page_copy, (const char* text), {
  Module.clipboard = UTF8ToString(text);
  // Without a secure origin a browser has only the older way.
  const older = () => {
    const area = document.createElement("textarea");
    area.value = Module.clipboard;
    document.body.appendChild(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    Module.canvas.focus();
  };
  if (navigator.clipboard && isSecureContext) navigator.clipboard.writeText(Module.clipboard).catch(older);
  else older();
})
EM_JS(int, page_takes_pictures, (), { return isSecureContext && navigator.clipboard && self.ClipboardItem ? 1 : 0; })
EM_JS(void, page_copy_png, (const char* path), {
  const picture = new Blob([FS.readFile(UTF8ToString(path))], {type: "image/png"});
  navigator.clipboard.write([new ClipboardItem({"image/png": picture})])
    .catch((error) => Module.say(Module.words.notCopied + error.message));
})
EM_JS(char*, page_pasted, (), { return stringToNewUTF8(Module.clipboard); })
EM_JS(void, page_fetch_texts, (const char* lesson), {
  const name = UTF8ToString(lesson);
  const asked = Module.askedTexts = Module.askedTexts || new Set();
  if (asked.has(name)) return;
  asked.add(name);
  Module.unpacked("ptx/" + name + ".packed").then((text) => {
    (Module.texts = Module.texts || []).push([name, text]);
  }).catch((error) => { asked.delete(name); console.warn(String(error)); });
})
EM_JS(char*, page_take_texts, (const char* folder), {
  if (!Module.texts || Module.texts.length === 0) return 0;
  const [lesson, bytes] = Module.texts.shift();
  const path = UTF8ToString(folder) + "/" + lesson;
  FS.writeFile(path, bytes, {canOwn: true});
  return stringToNewUTF8(path);
})
EM_JS(int, page_fetch_sqlite, (), { return Module.fetchSqlite(); })
EM_JS(int, page_sqlite_size, (), { return Module.sqliteBinary.length; })
EM_JS(void, page_copy_sqlite, (char* place), { HEAPU8.set(Module.sqliteBinary, place); })
// The browser's own functions wait here: a worker may compile without a promise.
EM_JS(int, page_load_sqlite, (const char* bytes, size_t size), {
  try {
    importScripts(new URL("../sqlite/sqlite.js", self.location.href).href);
    const instantiateWasm = (imports, receive) => {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(HEAPU8.slice(bytes, bytes + size)), imports);
      receive(instance);
      return instance.exports;
    };
    lanescopeSqlite(Module.sqlite = {instantiateWasm});
    return 1;
  } catch (error) {
    console.warn(String(error));
    Module.sqlite = undefined;
    return 0;
  }
})
EM_JS(void, page_say, (const char* sentence), { Module.say(UTF8ToString(sentence)); })
EM_JS(void, page_speak, (const char* settings, const char* step, const char* language), {
  document.documentElement.lang = UTF8ToString(language);
  document.getElementById("spoken").textContent = UTF8ToString(settings);
  // A reader says again what is put in again.
  const place = document.getElementById("spoken-step");
  const text = UTF8ToString(step);
  if (place.textContent !== text) place.textContent = text;
})
EM_JS(void, page_speak_control, (const char* control), {
  document.getElementById("spoken-control").textContent = UTF8ToString(control);
})
EM_JS(void, page_hand_in, (const char* exercise, const char* path), {
  const name = UTF8ToString(path);
  Module.handIn(UTF8ToString(exercise), name.split("/").pop(), FS.readFile(name, {encoding: "utf8"}));
})
EM_JS(int, page_has_class, (), { return Module.classWord || Module.askExplorer ? 1 : 0; })
EM_JS(void, page_ask_class, (const char* request), {
  const give = (text) => { Module.classAnswer = text; };
  if (Module.askExplorer) return void Module.askExplorer(UTF8ToString(request)).then(give);
  const patience = new AbortController();
  setTimeout(() => patience.abort(), 100000);
  fetch("compile", {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Lanescope-Word": Module.classWord},
    body: UTF8ToString(request),
    signal: patience.signal,
  }).then((response) => response.text()).then(give, () => give(JSON.stringify({error: Module.words.noClass})));
})
EM_JS(char*, page_take_class_answer, (), {
  const text = Module.classAnswer;
  if (text === undefined) return 0;
  Module.classAnswer = undefined;
  return stringToNewUTF8(text);
})
EM_JS(void, page_report, (int is_failure, const char* sentence), {
  Module.report(is_failure !== 0, UTF8ToString(sentence));
})
EM_JS(void, page_report_end, (const char* reason), {
  console.warn("exception: " + UTF8ToString(reason));
  Module.onAbort();
})
// clang-format on

namespace lanescope::shell::page {
namespace {

/// Takes the text over.
std::string text_of(char* text) {
  if (text == nullptr) return {};
  std::string taken(text);
  std::free(text);
  return taken;
}

}  // namespace

Size size() {
  double width = 0, height = 0;
  emscripten_get_element_css_size("body", &width, &height);
  return {static_cast<int>(width), static_cast<int>(height)};
}

double now() { return emscripten_get_now(); }
std::string take_link() { return text_of(page_take_link()); }
std::string address() { return text_of(page_address()); }
bool prefers_french() { return page_prefers("fr") != 0; }
bool prefers_dark() { return page_prefers("dark") != 0; }
float least_control() { return page_prefers("fingers") != 0 ? 44 : 0; }
void download(const std::filesystem::path& file) { page_download(file.c_str()); }
void choose_file() { page_choose_file(); }

std::vector<std::filesystem::path> take_chosen(const Places& places) {
  std::vector<std::filesystem::path> files;
  for (std::string path;
       !(path = text_of(page_take_chosen(places.kept.c_str(), places.large.c_str()))).empty();)
    files.emplace_back(path);
  return files;
}

void connect_clipboard() {
  page_connect_clipboard();
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { page_copy(text); };
  // The text stays until the next one is asked for.
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* {
    static std::string pasted;
    pasted = text_of(page_pasted());
    return pasted.c_str();
  };
}

void fetch_texts(std::string_view lesson) { page_fetch_texts(std::string(lesson).c_str()); }

std::vector<std::filesystem::path> take_texts(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (std::string path; !(path = text_of(page_take_texts(folder.c_str()))).empty();)
    files.emplace_back(path);
  return files;
}

Fetched fetch_sqlite() { return static_cast<Fetched>(page_fetch_sqlite()); }

std::string sqlite_binary() {
  std::string bytes(static_cast<size_t>(page_sqlite_size()), '\0');
  page_copy_sqlite(bytes.data());
  return bytes;
}

bool load_sqlite(std::string_view binary) { return page_load_sqlite(binary.data(), binary.size()) != 0; }
void say(std::string_view sentence) { page_say(std::string(sentence).c_str()); }

void connect_files() { page_connect_files(); }
void speak(const Spoken& spoken) {
  page_speak(spoken.settings.c_str(), spoken.step.c_str(), spoken.language == Language::French ? "fr" : "en");
}

void speak_control(std::string_view control) { page_speak_control(std::string(control).c_str()); }

void hand_in(std::string_view exercise, const std::filesystem::path& submission) {
  page_hand_in(std::string(exercise).c_str(), submission.c_str());
}

bool has_class() { return page_has_class() != 0; }
void ask_class(std::string_view request) { page_ask_class(std::string(request).c_str()); }

std::optional<std::string> take_class_answer() {
  char* const text = page_take_class_answer();
  return text == nullptr ? std::nullopt : std::optional(text_of(text));
}

bool takes_pictures() { return page_takes_pictures() != 0; }
void copy_png(const std::filesystem::path& file) { page_copy_png(file.c_str()); }

void report_started() { page_report(0, ""); }
void report_end(std::string_view reason) { page_report_end(std::string(reason).c_str()); }
void report_failure(std::string_view sentence) { page_report(1, std::string(sentence).c_str()); }

}  // namespace lanescope::shell::page

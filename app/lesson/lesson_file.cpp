// FOLDER/lesson.toml -> Lesson. Every key and every name is checked: a lesson that loads is complete.

#include "launch/element_type.h"
#include "lesson/launch_plan.h"
#include "lesson/live_text.h"
#include "lesson/table_reader.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;

/// The rules and what lesson.toml calls them.
constexpr std::pair<std::string_view, OutputRule> kRules[] = {{"copy", OutputRule::Copy},
                                                              {"transpose", OutputRule::Transpose},
                                                              {"turn_tiles", OutputRule::TurnTiles},
                                                              {"move_tiles", OutputRule::MoveTiles}};

/// A file's name: a lesson cannot reach out of its folder.
std::string file_name(TableReader& reader, const toml::node& at, std::string name) {
  if (!is_plain_file_name(name))
    reader.wrong(at, fmt::format("'{}' is no name of a file in the lesson's folder or in kernels/; give one "
                                 "without a folder",
                                 name));
  return name;
}

Expectation read_expectation(TableReader& reader, const toml::table& table) {
  reader.only(table, {"rule", "reference", "buffer", "of", "tile"});
  Expectation expect;
  expect.buffer = reader.text(table, "buffer");
  if (table.contains("reference")) {
    expect.reference = reader.text(table, "reference");
    return expect;
  }
  const std::string name = reader.text(table, "rule");
  for (const auto& [known, rule] : kRules)
    if (name == known) expect.rule = rule;
  if (!expect.rule)
    reader.wrong(table, fmt::format("there is no rule '{}'; the rules are copy, transpose, turn_tiles and "
                                    "move_tiles; anything else is what a kernel writes: reference = \"NAME\"",
                                    name));
  expect.of = reader.text(table, "of");
  if (const auto* tile = table.get("tile")) expect.tile = reader.expression(*tile);
  return expect;
}

TilePlan read_tile(TableReader& reader, const toml::table& table) {
  reader.only(table, {"rows", "columns", "element", "swizzle_bits", "swizzle_base", "swizzle_shift",
                      "padding", "accesses"});
  constexpr int64_t kMostSide = 1 << 16;
  const auto side = [&](const char* key, int64_t least) {
    const int64_t value = reader.number(table, key, 0);
    if (value >= least && value <= kMostSide) return static_cast<uint32_t>(value);
    const toml::node* const node = table.get(key);
    reader.wrong(node != nullptr ? *node : table,
                 fmt::format("'{}' of a tile is a whole number from {} to {}", key, least, kMostSide));
    return uint32_t{1};
  };
  TilePlan tile;
  tile.rows = side("rows", 1);
  tile.columns = side("columns", 1);
  tile.element = reader.text(table, "element");
  tile.swizzle_base = side("swizzle_base", 0);
  tile.swizzle_shift = side("swizzle_shift", 0);
  if (const auto* bits = table.get("swizzle_bits")) tile.swizzle_bits = reader.expression(*bits);
  if (const auto* padding = table.get("padding")) tile.padding_elements = reader.expression(*padding);
  tile.accesses = reader.texts(table, "accesses");
  return tile;
}

Question read_question(TableReader& reader, const toml::table& table) {
  reader.only(table, {"name", "set", "answer", "guesses"});
  constexpr size_t kFewest = 2, kMost = 5;
  Question question;
  question.name = reader.text(table, "name");
  question.set = reader.settings(table, "set");
  question.answer = reader.text(table, "answer");
  const toml::node* const guesses = table.get("guesses");
  const toml::array* const list = guesses != nullptr ? guesses->as_array() : nullptr;
  if (list == nullptr || list->size() < kFewest || list->size() > kMost) {
    reader.wrong(guesses != nullptr ? *guesses : table,
                 fmt::format("'guesses' must be a list of {} to {} numbers", kFewest, kMost));
    return question;
  }
  for (const auto& guess : *list) {
    if (const auto number = guess.value<double>())
      question.guesses.push_back(*number);
    else
      reader.wrong(guess, "a guess is a number");
  }
  return question;
}

/// Whole numbers above 0.
std::vector<uint32_t> read_sizes(TableReader& reader, const toml::table& root) {
  std::vector<uint32_t> sizes;
  const toml::node* const node = root.get("recorded_sizes");
  if (node == nullptr) return sizes;
  const toml::array* const list = node->as_array();
  for (size_t n = 0; list != nullptr && n < list->size(); ++n) {
    const auto size = list->get(n)->value_exact<int64_t>();
    if (size && *size > 0 && *size <= UINT32_MAX) sizes.push_back(static_cast<uint32_t>(*size));
  }
  if (list == nullptr || sizes.size() != list->size())
    reader.wrong(*node, "'recorded_sizes' is a list of whole numbers above 0, for example [1024, 4096]");
  return sizes;
}

std::optional<uint32_t> read_times_size(TableReader& reader, const toml::table& root) {
  const toml::node* const node = root.get("times");
  if (node == nullptr) return {};
  const auto size = node->value_exact<int64_t>();
  if (size && *size > 0 && *size <= UINT32_MAX) return static_cast<uint32_t>(*size);
  reader.wrong(*node, "'times' is a whole number above 0, for example 4096");
  return {};
}

Kernel read_kernel(TableReader& reader, const toml::table& root, const toml::table& table,
                   const std::optional<std::string>& otherwise) {
  reader.only(table, {"name", "label", "file", "entry", "toggles", "presets", "launch", "expect", "before",
                      "hazards", "arch", "operations", "tile"});
  Kernel kernel;
  kernel.name = reader.text(table, "name");
  kernel.label = reader.words(table, "label", otherwise);
  kernel.file = reader.text(table, "file");
  if (const auto* file = table.get("file")) file_name(reader, *file, kernel.file);
  kernel.entry = reader.text(table, "entry");
  kernel.arch = reader.text(table, "arch", "");
  if (const auto* arch = table.get("arch"); arch != nullptr && !kernel.arch.starts_with("sm_"))
    reader.wrong(*arch, "'arch' is an architecture such as \"sm_90a\"");
  kernel.toggles = reader.texts(table, "toggles");
  kernel.before = reader.texts(table, "before");
  kernel.hazards = reader.flag(table, "hazards");
  kernel.presets = reader.settings(table, "presets");
  static const toml::table kNone;
  const toml::table* const launch = reader.table(root, "launch");
  kernel.launch = read_launch(reader, launch ? *launch : kNone, reader.table(table, "launch"));
  const toml::node* const own_operations = table.get("operations");
  if (const toml::node* node = own_operations != nullptr ? own_operations : root.get("operations"))
    kernel.operations = reader.expression(*node);
  if (const auto* expect = reader.table(table, "expect")) kernel.expect = read_expectation(reader, *expect);
  if (const auto* tile = reader.table(table, "tile")) kernel.tile = read_tile(reader, *tile);
  return kernel;
}

/// Checks what refers to other parts of the lesson, at the table that does.
class Names {
 public:
  Names(TableReader& reader, const toml::table& root, const Lesson& lesson)
      : reader_(reader), root_(root), lesson_(lesson) {}

  void check() {
    check_toggles(reader_, root_, lesson_);
    std::vector<std::string> kernels;
    size_t n = 0;
    reader_.each(root_, "kernels", TableReader::Need::None,
                 [&](const toml::table& table) { check_kernel(table, lesson_.kernels[n++], kernels); });
    n = 0;
    reader_.each(root_, "references", TableReader::Need::None,
                 [&](const toml::table& table) { check_kernel(table, lesson_.references[n++], kernels); });
    check_hints();
    check_size();
    check_questions();
    for (const Prose* prose : {&lesson_.prose.english, &lesson_.prose.french}) check_prose(*prose);
    check_studies();
  }

 private:
  void value(const toml::node& at, const std::string& toggle, const std::string& value) {
    if (const auto set = with_toggle(lesson_, {}, toggle, value); !set)
      reader_.wrong(at, set.error().message);
  }

  void toggle(const toml::node& at, const std::string& name) {
    if (find_toggle(lesson_, name) == nullptr)
      reader_.wrong(at, fmt::format("there is no toggle '{}' in the lesson", name));
  }

  void check_kernel(const toml::table& table, const Kernel& kernel, std::vector<std::string>& names) {
    reader_.unique(table, "kernels", names, kernel.name);
    if (const auto* toggles = table["toggles"].as_array())
      for (size_t n = 0; n < kernel.toggles.size() && n < toggles->size(); ++n)
        toggle(*toggles->get(n), kernel.toggles[n]);
    if (const auto* presets = table["presets"].as_table())
      for (const auto& [name, text] : *presets)
        value(text, std::string(name.str()), text.value_or(std::string()));
    check_launch(kernel.launch);
    for (const std::string& before : kernel.before) {
      const Kernel* const known = find_kernel(lesson_, before);
      if (known == nullptr || known == &kernel || !known->before.empty())
        reader_.wrong(*table.get("before"),
                      fmt::format("'{}' of 'before' is no other kernel or reference of the lesson, or has a "
                                  "'before' of its own; list all in order",
                                  before));
    }
    if (kernel.operations) check(*kernel.operations);
    if (kernel.tile) {
      check(kernel.tile->swizzle_bits);
      check(kernel.tile->padding_elements);
    }
    if (kernel.expect) check_expectation(*table.get("expect"), kernel);
  }

  void check(const Expression& expression) {
    if (auto known = check_names(lesson_, expression); !known) reader_.wrong(known.error());
  }

  /// A launch shares the contents of the buffers of the one before, by their names.
  void check_contents(const BufferPlan& buffer) {
    const auto [known, is_new] = contents_.emplace(buffer.name, buffer.contents);
    if (!is_new && known->second != buffer.contents)
      reader_.wrong(
          Error{ErrorKind::Syntax,
                fmt::format("buffer '{}' holds '{}' here and '{}' elsewhere in the lesson; buffers of one "
                            "name begin the same",
                            buffer.name, buffer.contents, known->second),
                buffer.where});
  }

  void check_launch(const LaunchPlan& plan) {
    for (const BufferPlan& buffer : plan.buffers) check_contents(buffer);
    lesson::check_launch(reader_, lesson_, plan);
  }

  void check_expectation(const toml::node& at, const Kernel& kernel) {
    const Expectation& expect = *kernel.expect;
    const auto has = [](const Kernel& of, const std::string& buffer) {
      return std::ranges::find(of.launch.buffers, buffer, &BufferPlan::name) != of.launch.buffers.end();
    };
    const Kernel* const reference = find_kernel(lesson_, expect.reference);
    if (!expect.rule && reference == nullptr)
      reader_.wrong(at, fmt::format("there is no kernel or reference '{}' in the lesson", expect.reference));
    if (reference == &kernel) reader_.wrong(at, "a kernel cannot be its own reference");
    if (!has(kernel, expect.buffer) || (reference != nullptr && !has(*reference, expect.buffer)))
      reader_.wrong(at, fmt::format("there is no buffer '{}' in the launch", expect.buffer));
    if (expect.rule && !has(kernel, expect.of))
      reader_.wrong(at, fmt::format("there is no buffer '{}' in the launch", expect.of));
    check(expect.tile);
  }

  void check_hints() {
    if (const auto* hints = root_["hints"].as_table())
      for (const auto& [panel, names] : *hints)
        for (const std::string& name : reader_.texts(*hints, panel.str())) toggle(names, name);
  }

  void check_size() {
    if (!lesson_.size_toggle.empty()) toggle(*root_.get("size"), lesson_.size_toggle);
    if (lesson_.times_size && lesson_.size_toggle.empty())
      reader_.wrong(*root_.get("times"), "'times' needs size = \"TOGGLE\" at the top of the file");
  }

  void check_questions() {
    std::vector<std::string> names;
    size_t n = 0;
    reader_.each(root_, "questions", TableReader::Need::None, [&](const toml::table& table) {
      const Question& question = lesson_.questions[n++];
      reader_.unique(table, "questions", names, question.name);
      if (const auto set = with_toggles(lesson_, initial_settings(lesson_), question.set); !set)
        reader_.wrong(table, set.error().message);
      if (const auto answer = Expression::parse(question.answer, reader_.where(table)); !answer)
        reader_.wrong(answer.error());
      for (const Part::Kind kind : {Part::Kind::Question, Part::Kind::Answer})
        if (find_part(lesson_.prose.english, kind, question.name) == nullptr)
          reader_.wrong(table,
                        fmt::format("the texts have no '# question {0}' with an '## answer'; add both to "
                                    "english.md",
                                    question.name));
    });
  }

  /// Parts are about kernels and questions of the lesson, and conditions about its toggles.
  void check_prose(const Prose& prose) {
    for (const Part& part : prose) {
      using Kind = Part::Kind;
      const bool is_question = part.kind == Kind::Question || part.kind == Kind::Answer;
      const bool is_known =
          part.kind == Kind::Introduction ||
          (part.kind == Kind::Kernel && std::ranges::count(lesson_.kernels, part.name, &Kernel::name) != 0) ||
          (is_question && std::ranges::count(lesson_.questions, part.name, &Question::name) != 0);
      if (!is_known)
        reader_.wrong(Error{ErrorKind::Syntax,
                            fmt::format("there is no kernel or question '{}' in the lesson, and hints and "
                                        "solutions are of exercises",
                                        part.name),
                            part.where});
      for (const Section& section : part.sections) {
        if (section.when) check(*section.when);
        if (const auto known = check_live_text(section.markdown, section.where); !known)
          reader_.wrong(known.error());
      }
    }
  }

  void check_studies() {
    if (!lesson_.studies) return;
    const toml::node& at = *root_.get("studies");
    const Studies& studies = *lesson_.studies;
    std::vector<std::string> names = studies.queues;
    for (const StudiedKernel& one : studies.published) names.push_back(one.kernel);
    for (const Remedy& one : studies.remedies) names.push_back(one.kernel);
    names.insert(names.end(), studies.assumptions.begin(), studies.assumptions.end());
    names.insert(names.end(), studies.widths.begin(), studies.widths.end());
    if (!studies.bound_kernel.empty()) names.push_back(studies.bound_kernel);
    for (const std::string& name : names)
      if (std::ranges::find(lesson_.kernels, name, &Kernel::name) == lesson_.kernels.end())
        reader_.wrong(at, fmt::format("there is no kernel '{}' in the lesson", name));
    for (const std::string& name : studies.assumptions)
      if (std::ranges::find(studies.published, name, &StudiedKernel::kernel) == studies.published.end())
        reader_.wrong(at, fmt::format("kernel '{}' of 'assumptions' has no published number", name));
    if (lesson_.size_toggle.empty())
      reader_.wrong(at, "'studies' needs size = \"TOGGLE\" at the top of the file");
  }

  TableReader& reader_;
  const toml::table& root_;
  const Lesson& lesson_;
  std::map<std::string, std::string> contents_;  // [buffer]
};

std::string folder_name(const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(folder, ignored);
  return (whole.empty() ? folder : whole).filename().string();
}

Result<toml::table> parse_lesson(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return fail(ErrorKind::File,
                fmt::format("there is no lesson here; a folder with a file {} was expected", kLessonFile),
                Location{file.parent_path().string(), 0});
  return read_toml(file);
}

}  // namespace

Result<Lesson> read_lesson(const fs::path& folder) {
  const fs::path file = folder / kLessonFile;
  TRY(const toml::table root, parse_lesson(file));
  TableReader reader(file.string());
  reader.only(root, {"order", "title", "kernel", "size", "recorded_sizes", "times", "operations", "headers",
                     "panels", "device", "caches", "launch", "kernels", "references", "toggles", "questions",
                     "hints", "studies"});
  Lesson lesson;
  lesson.folder = folder;
  lesson.name = folder_name(folder);
  lesson.title = reader.words(root, "title");
  TRY(lesson.prose, read_both_prose(folder));
  lesson.panels = reader.texts(root, "panels");
  lesson.device = reader.text(root, "device", "h200");
  lesson.caches = reader.flag(root, "caches");
  lesson.headers = reader.texts(root, "headers");
  for (const std::string& header : lesson.headers) file_name(reader, *root.get("headers"), header);
  lesson.size_toggle = reader.text(root, "size", "");
  lesson.recorded_sizes = read_sizes(reader, root);
  lesson.times_size = read_times_size(reader, root);
  using enum TableReader::Need;
  lesson.toggles = read_toggles(reader, root);
  reader.each(root, "kernels", One, [&](const toml::table& table) {
    lesson.kernels.push_back(read_kernel(reader, root, table, {}));
  });
  reader.each(root, "references", None, [&](const toml::table& table) {
    lesson.references.push_back(read_kernel(reader, root, table, ""));
  });
  reader.each(root, "questions", None,
              [&](const toml::table& table) { lesson.questions.push_back(read_question(reader, table)); });
  if (const auto* hints = reader.table(root, "hints"))
    for (const auto& [panel, names] : *hints)
      lesson.hints[std::string(panel.str())] = reader.texts(*hints, panel.str());
  if (const auto* studies = reader.table(root, "studies")) lesson.studies = read_studies(reader, *studies);
  lesson.initial_kernel =
      reader.text(root, "kernel", lesson.kernels.empty() ? "" : lesson.kernels.front().name);
  if (!reader.error()) Names(reader, root, lesson).check();
  if (std::ranges::find(lesson.kernels, lesson.initial_kernel, &Kernel::name) == lesson.kernels.end()) {
    const toml::node* const at = root.get("kernel");
    reader.wrong(at ? *at : root, fmt::format("'kernel' is '{}', which is none of the lesson's kernels",
                                              lesson.initial_kernel));
  }
  if (const auto& error = reader.error()) return std::unexpected(*error);
  return lesson;
}

std::vector<std::string> lesson_names(const fs::path& folder) {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!fs::exists(entry.path() / kLessonFile, ignored)) continue;
    // A file that cannot be read is listed last; opening it says what is wrong.
    constexpr int64_t kLast = 1000;
    const auto root = parse_lesson(entry.path() / kLessonFile);
    found.emplace_back(root ? (*root)["order"].value_or(kLast) : kLast + 1, entry.path().filename().string());
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [order, name] : found) names.push_back(std::move(name));
  return names;
}

Result<Lesson> find_lesson(const fs::path& folder, std::string_view name) {
  if (name.find('/') != std::string_view::npos || name == "." || name == "..") return read_lesson(name);
  const std::vector<std::string> names = lesson_names(folder);
  if (name.empty() && !names.empty()) return read_lesson(folder / names.front());
  if (std::ranges::find(names, name) == names.end())
    return fail(ErrorKind::Usage, fmt::format("there is no lesson '{}'; choose one of: {}; a folder of your "
                                              "own is given by its path, for example ./{}",
                                              name, fmt::join(names, ", "), name));
  return read_lesson(folder / name);
}

Result<Lesson> find_studied_lesson(const fs::path& folder) {
  for (const std::string& name : lesson_names(folder)) {
    TRY(Lesson lesson, read_lesson(folder / name));
    if (lesson.studies) return lesson;
  }
  return fail(ErrorKind::File, "no lesson has a table 'studies', which these figures are made of",
              Location{folder.string(), 0});
}

}  // namespace lanescope::lesson

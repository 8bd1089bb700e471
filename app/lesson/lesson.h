// A lesson as data: kernels to choose from, toggles to flip, how to launch them, what to say, what the output
// must be. Read from a folder with a lesson.toml; a kernel's file is in that folder or in kernels/.
// Tests: tests/unit/lesson/*

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "launch/launch.h"
#include "lesson/expression.h"
#include "lesson/prose.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::lesson {

/// A text in each language of the program.
struct Words {
  std::string english;
  std::string french;
  const std::string& in(Language language) const { return language == Language::French ? french : english; }
};

struct Choice {
  std::string value;   // what --set takes: "1", "xor", "diagonal"
  std::string define;  // the macro's value; the same as `value` unless the file says otherwise
  Words label;
  std::optional<launch::ElementType> type;  // of a buffer that takes its type from this toggle
};

/// The values that a toggle takes besides its choices.
struct FreeValues {
  enum class Kind {
    Number,  // "4096"
    Matrix   // "1024" or "1024x512": columns, or columns x rows
  };
  Kind kind = Kind::Number;
  int64_t minimum = 1;  // of a number, or of each side
  int64_t maximum = 1;
};

/// Something that a person flips while looking.
struct Toggle {
  std::string name;  // what --set takes: "stride"
  Words label;
  Words hint;                      // one sentence
  char key = 0;                    // the key that flips it to the next choice; 0: none
  std::string define;              // the macro it sets; empty: it changes the launch alone
  std::optional<FreeValues> free;  // empty: only the choices
  std::vector<Choice> choices;
  std::string initial;
};

/// Keys of the window that no toggle may take: next kernel, light or dark.
inline constexpr std::string_view kWindowKeys = "KL";

/// A buffer of a launch. `type` names an element type, or a toggle whose choices have types.
struct BufferPlan {
  std::string name;
  std::string type;
  std::vector<Expression> shape;  // slowest first
  std::string contents;           // "count", "none", or a word of --arg: zeros, iota, fill(V), random(SEED)
  Location where;
};

/// A kernel argument: a buffer by its name, or a number.
struct ArgumentPlan {
  std::optional<size_t> buffer;  // index into LaunchPlan::buffers
  launch::ElementType type = launch::ElementType::I32;
  Expression value;
  std::optional<launch::Value> constant;  // of a floating-point type, as it is written
  Location where;
};

/// How a kernel is launched, as a function of the toggles.
struct LaunchPlan {
  std::vector<Expression> grid;   // x[, y[, z]]
  std::vector<Expression> block;  // x[, y[, z]]
  Expression shared_bytes;        // dynamic
  std::vector<BufferPlan> buffers;
  std::vector<ArgumentPlan> arguments;
};

/// Built-in rules for what an output buffer holds; lesson/check.h computes them.
enum class OutputRule { Copy, Transpose, TurnTiles, MoveTiles };

/// What a kernel must have written into the buffer `buffer`: by a rule from the buffer `of`, or what the
/// kernel `reference` writes there.
struct Expectation {
  std::optional<OutputRule> rule;
  std::string reference;  // used where there is no rule
  std::string buffer;
  std::string of;
  Expression tile = 1;  // side of the tiles of TurnTiles and MoveTiles
};

/// The tile in shared memory that a kernel arranges by its toggles, row by row, in elements.
struct TilePlan {
  uint32_t rows = 0, columns = 0;
  std::string element;      // "f16"
  Expression swizzle_bits;  // of CuTe's Swizzle<bits, base, shift>; 0: none
  uint32_t swizzle_base = 0, swizzle_shift = 0;
  Expression padding_elements;        // after each row
  std::vector<std::string> accesses;  // of the layout lab: what a warp does with the whole tile
};

/// One kernel of the lesson. Choosing it also sets `presets`.
struct Kernel {
  std::string name;  // what --set kernel=... takes
  Words label;
  std::string file;   // in the lesson's folder or in kernels/
  std::string entry;  // the __global__ function
  std::string arch;   // that it is compiled for: "sm_90a"; empty: the default
  LaunchPlan launch;  // the lesson's, with what the kernel's own table replaces
  std::optional<Expectation> expect;
  std::optional<TilePlan> tile;          // that the panel Layout asks about
  std::optional<Expression> operations;  // floating-point, of one launch: its speed is that of a calculation
  std::vector<std::pair<std::string, std::string>> presets;  // toggle, value
  std::vector<std::string> toggles;                          // names of those that mean something here
  std::vector<std::string> before;  // kernels and references that are launched first, on the same buffers
  bool hazards = false;             // on purpose: the checks find something at its presets
};

/// "Predict first": a question whose answer is a live number of the run with these settings.
struct Question {
  std::string name;
  std::vector<std::pair<std::string, std::string>> set;  // toggle or "kernel", value: what revealing chooses
  std::string answer;                                    // an expression of live numbers
  std::vector<double> guesses;                           // to choose from
};

/// A kernel with its published bandwidth.
struct StudiedKernel {
  std::string kernel;
  double gib_per_second = 0;
  bool fitted = false;  // the model's free parameters were chosen so that it agrees
};
struct Remedy {
  Words label;
  std::string kernel;
  std::string size;
};
/// What the figures of models (app/study) run of this lesson.
struct Studies {
  std::string size;                      // of the published table
  std::vector<StudiedKernel> published;  // the table, in its order
  std::vector<std::string> assumptions;  // kernels that are modelled without each assumption
  std::vector<std::string> widths;       // kernels of the sweep over matrix widths
  std::vector<std::string> queues;       // two kernels: whose queues are shown; --beside replaces the second
  std::vector<Remedy> remedies;
  std::string bound_kernel, bound_size;  // the cell that a device's bound is fitted to
};

struct Lesson {
  std::string name;
  std::filesystem::path folder;
  Words title;
  BothProse prose;
  std::vector<Question> questions;
  std::vector<std::string> panels;       // have the places of figures, whatever is chosen
  std::vector<std::string> headers;      // files that the kernels include
  std::string size_toggle;               // the toggle that recordings vary; empty: none
  std::vector<uint32_t> recorded_sizes;  // its values in recordings; empty: those of its choices
  std::optional<uint32_t> times_size;  // its value in the times that the lesson opens with; empty: the run's
  std::string initial_kernel;
  std::string device;   // whose rules and partitions its text is about
  bool caches = false;  // its text is about them: each run models them, where the device has rules
  std::vector<Kernel> kernels;
  std::vector<Kernel> references;  // run to know what others must write; not offered for choosing
  std::vector<Toggle> toggles;
  std::map<std::string, std::vector<std::string>, std::less<>> hints;  // [panel]: toggles worth a try there
  std::optional<Studies> studies;
};

/// Values of every toggle of a lesson and the chosen kernel: complete and valid once made by the functions
/// below.
struct Settings {
  std::string kernel;
  std::map<std::string, std::string> values;  // [toggle name]
  bool operator==(const Settings&) const = default;
};

/// `settings` with the kernel and toggles of `set`, in this order.
Result<Settings> with_toggles(const Lesson& lesson, const Settings& settings,
                              const std::vector<std::pair<std::string, std::string>>& set);

/// The file that makes a folder a lesson.
inline constexpr const char* kLessonFile = "lesson.toml";

/// The lesson in `folder`. Errors: File, Syntax with the line.
Result<Lesson> read_lesson(const std::filesystem::path& folder);
/// Names of the lessons in `folder` (assets/lessons), by their field `order`, then by name: the first one is
/// opened where none is named.
std::vector<std::string> lesson_names(const std::filesystem::path& folder);
/// `name`: one of lesson_names(), or the path of a lesson's folder, which has a '/' or is "."; empty: the
/// first lesson.
Result<Lesson> find_lesson(const std::filesystem::path& folder, std::string_view name);
/// The first lesson with a table `studies`.
Result<Lesson> find_studied_lesson(const std::filesystem::path& folder);

Settings initial_settings(const Lesson& lesson);
/// `settings` with one toggle changed. `name` may be "kernel". Where the values are now the presets of
/// another kernel of the same code, that one is chosen. ErrorKind::Usage lists what there is.
Result<Settings> with_toggle(const Lesson& lesson, const Settings& settings, std::string_view name,
                             std::string_view value);

const Kernel& kernel_of(const Lesson& lesson, const Settings& settings);
/// The whole text as a decimal number; absent if it is none.
std::optional<int64_t> parse_integer(std::string_view text);

const Toggle* find_toggle(const Lesson& lesson, std::string_view name);
/// A kernel or a reference; null where there is none of that name.
const Kernel* find_kernel(const Lesson& lesson, std::string_view name);
/// Toggles that are worth a try in this panel.
std::span<const std::string> hints_of(const Lesson& lesson, std::string_view panel);
/// Whether flipping `toggle` changes anything for the chosen kernel.
bool applies(const Lesson& lesson, const Settings& settings, const Toggle& toggle);

/// Macros for the compiler, "NAME=VALUE", sorted: of the toggles that apply.
std::vector<std::string> defines(const Lesson& lesson, const Settings& settings);

/// The number that recordings know the settings by: the value of the lesson's size toggle, 0 where there is
/// no such toggle. None where the value is no single number.
std::optional<uint32_t> recorded_size(const Lesson& lesson, const Settings& settings);
/// The sizes that a recording of the lesson has, in rising order: one, 0, where there is no size toggle.
std::vector<uint32_t> sizes_to_record(const Lesson& lesson);
/// Every settings that a recording of the lesson has, apart from the size: all texts that the toggles of each
/// kernel can make, and what is one flip away from the kernel's presets.
std::vector<Settings> settings_to_record(const Lesson& lesson);

/// A matrix size, "1024" or "1024x512".
struct MatrixSize {
  uint32_t width = 0;
  uint32_t height = 0;
};
std::optional<MatrixSize> parse_matrix_size(std::string_view text);

/// `settings` with every combination of the choices of those toggles that set a macro of its kernel.
std::vector<Settings> all_macros(const Lesson& lesson, const Settings& settings);

/// Every settings that is one flip away (choices only): what is compiled ahead.
std::vector<Settings> single_flips(const Lesson& lesson, const Settings& settings);

}  // namespace lanescope::lesson

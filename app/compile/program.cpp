#include "compile/program.h"

#include "base/file.h"
#include "base/limited_process.h"
#include "base/temporary_folder.h"
#include "compile/harmless_names.h"
#include "compile/nearby_files.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostCached = 100;
constexpr uint32_t kMostSeconds = 900;  // CUTLASS takes minutes
constexpr const char* kExecutable = "program";
constexpr const char* kHeaders = "headers";
constexpr const char* kNotes = "notes";
/// Libraries in place of NVIDIA's (driver/libraries), and of its driver.
constexpr std::array kLibraries{"libcublas.so.13", "libcublasLt.so.13", "libcurand.so.10", "libcufft.so.12",
                                "libcuda.so.1"};

/// The options that each of nvcc's steps gets.
std::vector<std::string> options_of(const Toolkit& toolkit, const ProgramOptions& options) {
  std::vector<std::string> words{"-lineinfo"};
  for (std::string& word : runtime_words_of(toolkit)) words.push_back(std::move(word));
  if (!options.standard.empty()) words.push_back("-std=" + options.standard);
  for (const std::string& define : options.defines) words.push_back("-D" + define);
  for (const fs::path& folder : options.include_directories)
    words.push_back("-I" + fs::absolute(folder).string());
  words.insert(words.end(), options.more.begin(), options.more.end());
  return words;
}

/// The key of a program in the cache. Headers are compared by size and time when an entry is found.
Result<std::string> key_of(const Toolkit& toolkit, const std::vector<fs::path>& files,
                           const ProgramOptions& options) {
  std::string all;
  const auto add = [&](std::string_view part) { all += fmt::format("{}:{}", part.size(), part); };
  add(identity_of_program(toolkit.nvcc));
  add(identity_of_program(find_on_path("g++")));
  add(identity_of_program(options.old_names));
  for (const char* library : kLibraries) add(identity_of_program(options.libraries / library));
  for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                           "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "LIBRARY_PATH"}) {
    // The environment is read before another thread can change it.
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    add(value == nullptr ? "" : value);
  }
  for (const std::string& word : options_of(toolkit, options)) add(word);
  for (const fs::path& file : files) {
    TRY(const std::string text, read_text(file));
    add(fs::absolute(file).string());
    add(text);
  }
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// "SIZE TIME PATH" of a header; empty where it is gone.
std::string state_of(const std::string& header) {
  struct stat found{};
  if (stat(header.c_str(), &found) != 0) return {};
  return fmt::format("{} {}.{:09} {}", found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec, header);
}

std::vector<std::string> notes_in(const fs::path& entry) {
  std::vector<std::string> notes;
  std::ifstream stream(entry / kNotes);
  for (std::string line; std::getline(stream, line);) notes.push_back(line);
  return notes;
}

bool is_current(const fs::path& entry) {
  std::ifstream stream(entry / kHeaders);
  std::error_code ignored;
  if (!stream || !fs::is_regular_file(entry / kExecutable, ignored)) return false;
  for (std::string line; std::getline(stream, line);) {
    const size_t path = line.find(' ', line.find(' ') + 1);
    if (path == std::string::npos || state_of(line.substr(path + 1)) != line) return false;
  }
  return true;
}

/// The prerequisites of a rule for make, as a compiler writes it: a space in a name has a backslash.
std::vector<std::string> prerequisites_of(std::string_view rule) {
  std::vector<std::string> names;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) names.push_back(std::exchange(name, {}));
  };
  size_t at = rule.find(": ");
  for (at = at == std::string_view::npos ? rule.size() : at + 1; at < rule.size(); ++at) {
    const char c = rule[at];
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (c == '\\' && next == '\n') {
      ++at;
      end_name();
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$')) {
      name += next;
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return names;
}

/// Removes the entries that were made first.
void forget_oldest(const fs::path& cache) {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored))
    if (entry.path() != links_folder(cache))
      entries.emplace_back(entry.last_write_time(ignored), entry.path());
  if (entries.size() <= kMostCached) return;
  std::ranges::sort(entries);
  entries.resize(entries.size() - kMostCached);
  for (const auto& [time, path] : entries) fs::remove_all(path, ignored);
}

/// The header that a compiler did not find; empty where that is not what is wrong.
std::string missing_header_in(std::string_view log) {
  constexpr std::string_view kEnd = ": No such file or directory", kStart = "fatal error: ";
  const size_t end = log.find(kEnd);
  if (end == std::string_view::npos) return {};
  const size_t start = log.rfind(kStart, end);
  if (start == std::string_view::npos || log.substr(start, end - start).contains('\n')) return {};
  return std::string(log.substr(start + kStart.size(), end - start - kStart.size()));
}

/// Names that CUDA 13 took away, and the macro that the header of old names needs for them.
struct OldNames {
  const char* macro;                    // empty: none
  std::vector<std::string_view> signs;  // that the compiler's or the assembler's words have
};
const std::array kOldNames{
    OldNames{"",
             {"cudaThreadSynchronize", "cudaThreadExit", "cudaThreadSetCacheConfig", "cudaMemPrefetchAsync",
              "cudaMemAdvise", "\"__shfl"}},
    OldNames{"LANESCOPE_OLD_MEMBERS",
             {"\"clockRate\"", "\"memoryClockRate\"", "\"deviceOverlap\"", "\"computeMode\"",
              "\"kernelExecTimeoutEnabled\""}},
    OldNames{"LANESCOPE_OLD_VOTES", {"\"__any\"", "\"__all\"", "\"__ballot\"", "'vote' without"}}};

constexpr const char* kOldNamesNote =
    "the program uses names that CUDA 13 took away; it was compiled with a header that brings them back";

/// One compilation, in a separate folder.
class Compilation {
 public:
  /// `links`: the folder of links to what has no harmless name (compile/harmless_names.h).
  Compilation(const Toolkit& toolkit, const std::vector<fs::path>& files, const ProgramOptions& options,
              fs::path folder, fs::path links)
      : toolkit_(toolkit),
        files_(files),
        options_(options),
        folder_(std::move(folder)),
        links_(std::move(links)) {}

  /// Compiles and links; a second time with what the first attempt lacked.
  Result<void> run() {
    TRY(const std::string architecture, find_architecture());
    words_ = options_of(toolkit_, options_);
    words_.push_back("-arch=" + architecture);
    // The last folder of all: a toolkit's own headers come before.
    if (has_libraries())
      words_.push_back("-Xcompiler=-idirafter," + (options_.libraries / "include").string());
    for (const fs::path& file : files_) {
      TRY(const std::string text, read_text(file));
      if (text.contains("<omp.h>")) words_.push_back("-Xcompiler=-fopenmp");
    }
    auto done = attempt();
    constexpr int kMostAttempts = 8;
    for (int n = 0; n < kMostAttempts; ++n) {
      if (done || done.error().kind != ErrorKind::Compile || !add_what_was_missing(done.error().message))
        break;
      done = attempt();
    }
    return done;  // where it fails, what is left to mend
  }

 private:
  Result<Ended> nvcc(std::vector<std::string> words) const {
    words.insert(words.begin(), toolkit_.nvcc.string());
    TRY(Ended ended, run_limited(words, {.seconds = kMostSeconds, .memory_mib = 0, .stop = options_.stop}));
    if (ended.how == Ended::How::Stopped) return fail(ErrorKind::Cancelled, "the compilation was cancelled");
    if (ended.how == Ended::How::TimedOut)
      return fail(ErrorKind::Limit, fmt::format("nvcc was ended after {} minutes", kMostSeconds / 60));
    return ended;
  }

  bool has_libraries() const {
    std::error_code ignored;
    return !options_.libraries.empty() && fs::exists(options_.libraries / kLibraries.front(), ignored);
  }

  Result<std::string> find_architecture() const {
    TRY(const Ended ended, nvcc({"--list-gpu-arch"}));
    std::string architecture = architecture_of(ended.output);
    if (!architecture.empty()) return architecture;
    return fail(ErrorKind::File,
                fmt::format("nvcc was expected to list the architectures that it compiles for; {} says: {}",
                            toolkit_.nvcc.string(), first_error_of(ended.error + ended.output)));
  }

  /// Changes the words by what the log asks for. False where nothing is known to help.
  bool add_what_was_missing(const std::string& log) {
    if (const std::string header = missing_header_in(log); !header.empty()) {
      for (const fs::path& file : files_) {
        const fs::path folder = folder_with(header, file);
        if (folder.empty()) continue;
        const std::string word = "-I" + folder.string();
        if (std::ranges::find(words_, word) != words_.end()) continue;
        words_.push_back(word);
        return true;
      }
      return false;
    }
    if (log.contains("unsupported GNU version") && !allows_compiler_) {
      allows_compiler_ = true;
      words_.emplace_back("-allow-unsupported-compiler");
      return true;
    }
    return add_extended_lambdas(log) || add_relocatable_code(log) || add_old_names(log);
  }

  bool add_extended_lambdas(const std::string& log) {
    constexpr const char* kWord = "--extended-lambda";
    if (!log.contains(kWord) || std::ranges::find(words_, kWord) != words_.end()) return false;
    words_.emplace_back(kWord);
    notes_.emplace_back("nvcc refused the program as it is, and it was compiled with --extended-lambda");
    return true;
  }

  bool add_relocatable_code(const std::string& log) {
    constexpr std::array kSigns{"requires separate compilation mode", "Unresolved extern"};
    if (relocates_ || std::ranges::none_of(kSigns, [&](const char* sign) { return log.contains(sign); }))
      return false;
    relocates_ = true;
    words_.insert(words_.end(), {"-rdc=true", "-cudadevrt=none"});
    notes_.emplace_back("nvcc refused the program as it is, and it was compiled with -rdc=true");
    return true;
  }

  bool add_old_names(const std::string& log) {
    if (options_.old_names.empty()) return false;
    const size_t before = words_.size();
    for (const OldNames& names : kOldNames) {
      if (std::ranges::none_of(names.signs, [&](std::string_view sign) { return log.contains(sign); }))
        continue;
      const std::vector<std::string> wanted{"-include=" + options_.old_names.string(),
                                            std::string("-D") + names.macro};
      for (const std::string& word : wanted)
        if (word != "-D" && std::ranges::find(words_, word) == words_.end()) words_.push_back(word);
    }
    if (words_.size() == before) return false;
    if (std::ranges::find(notes_, kOldNamesNote) == notes_.end()) notes_.emplace_back(kOldNamesNote);
    return true;
  }

  Result<void> attempt() {
    std::vector<std::string> objects;
    for (size_t n = 0; n < files_.size(); ++n) {
      if (options_.progress) options_.progress(fmt::format("compiling {}", files_[n].filename().string()));
      objects.push_back((folder_ / fmt::format("{}.o", n)).string());
      std::vector<std::string> words = words_;
      TRY(const fs::path file, harmless_file(files_[n], links_));
      // A copy is not next to the files that the source includes.
      if (const fs::path own = fs::absolute(files_[n]); file != own)
        words.insert(words.begin(), "-I" + own.parent_path().string());
      words.insert(words.end(), {"-c", file.string(), "-o", objects.back(), "-MD", "-MF",
                                 (folder_ / fmt::format("{}.d", n)).string()});
      TRY_VOID(step(std::move(words)));
    }
    std::vector<std::string> words = words_;
    words.insert(words.begin(), objects.begin(), objects.end());
    words.insert(words.end(), {"-o", (folder_ / kExecutable).string()});
    if (has_libraries()) {
      // Only those that the program calls become libraries that it loads.
      words.insert(words.end(), {"-L" + options_.libraries.string(), "-Xlinker=--as-needed"});
      for (const char* library : kLibraries) words.push_back(std::string("-l:") + library);
    }
    TRY_VOID(step(std::move(words)));
    return note_headers();
  }

  /// An option for nvcc, which hands its options to a shell, in place of one that a shell would read.
  Result<std::string> harmless_word(const std::string& word) const {
    constexpr std::string_view kFolder = "-I", kMacro = "-D";
    if (word.starts_with(kFolder)) {
      TRY(const fs::path folder, harmless_folder(word.substr(kFolder.size()), links_));
      return std::string(kFolder) + folder.string();
    }
    if (word.starts_with(kMacro)) {
      TRY(const fs::path header, harmless_macro(word.substr(kMacro.size()), links_));
      return "-include=" + header.string();
    }
    return fail(ErrorKind::Usage,
                fmt::format("nvcc hands its options to a shell, which would read '{}' in another way; leave "
                            "out its quotation marks, $, ` and \\",
                            word));
  }

  Result<void> step(std::vector<std::string> words) const {
    for (std::string& word : words)
      if (!is_harmless(word)) {
        TRY(word, harmless_word(word));
      }
    TRY(const Ended ended, nvcc(std::move(words)));
    if (ended.how == Ended::How::Exited && ended.number == 0) return {};
    const std::string log = with_own_names(ended.error + ended.output);
    return fail(ErrorKind::Compile,
                log.empty() ? fmt::format("nvcc ended with status {} and said nothing", ended.number) : log);
  }

  /// Keeps what the next run of the program needs of this compilation.
  Result<void> note_headers() const {
    std::set<std::string> headers;
    for (size_t n = 0; n < files_.size(); ++n) {
      std::ifstream stream(folder_ / fmt::format("{}.d", n));
      const std::string rule{std::istreambuf_iterator<char>(stream), {}};
      for (const std::string& name : prerequisites_of(rule)) headers.insert(fs::absolute(name).string());
    }
    std::ofstream stream(folder_ / kHeaders);
    for (const std::string& header : headers) stream << state_of(header) << '\n';
    std::ofstream notes(folder_ / kNotes);
    for (const std::string& note : notes_) notes << note << '\n';
    if (stream.flush() && notes.flush()) return {};
    return fail(ErrorKind::File, "the cache cannot be written; free some room there",
                Location{folder_.string(), 0});
  }

  const Toolkit& toolkit_;
  const std::vector<fs::path>& files_;
  const ProgramOptions& options_;
  fs::path folder_, links_;
  std::vector<std::string> words_;
  std::vector<std::string> notes_;
  bool allows_compiler_ = false, relocates_ = false;
};

/// "FILE:LINE: error: ..." of "FILE(LINE): error: ...".
std::string with_colon(std::string_view line) {
  const size_t close = line.find("): ");
  const size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
  if (open == std::string_view::npos || open + 1 == close ||
      line.substr(open + 1, close - open - 1).find_first_not_of("0123456789") != std::string_view::npos)
    return std::string(line);
  return fmt::format("{}:{}{}", line.substr(0, open), line.substr(open + 1, close - open - 1),
                     line.substr(close + 1));
}

}  // namespace

std::string first_error_of(std::string_view log) {
  std::string_view first;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const size_t undefined = line.find("undefined reference");
    // The linker names a file of nvcc's, which is gone.
    if (undefined != std::string_view::npos && line.contains("tmpxft_"))
      return std::string(line.substr(undefined));
    if (line.contains("error") || undefined != std::string_view::npos) return with_colon(line);
    if (first.empty()) first = line;
  }
  return std::string(first);
}

Result<void> make_private_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  struct stat found{};
  const bool is_made = mkdir(folder.c_str(), S_IRWXU) == 0;
  if (!is_made && lstat(folder.c_str(), &found) != 0)
    return fail(ErrorKind::File, "the folder for compiled programs cannot be made; make it writable",
                Location{folder.string(), 0});
  if (is_made) return {};
  const bool is_own = S_ISDIR(found.st_mode) && found.st_uid == geteuid();
  if (is_own && (found.st_mode & (S_IRWXG | S_IRWXO)) == 0) return {};
  return fail(
      ErrorKind::File,
      "compiled programs are kept in a folder that only you can enter, and others can enter this one; "
      "remove it, or run: chmod 700",
      Location{folder.string(), 0});
}

Result<CompiledProgram> compile_program(const Toolkit& toolkit, const std::vector<fs::path>& files,
                                        const ProgramOptions& options) {
  const fs::path cache = options.cache.empty()
                             ? fs::temp_directory_path() / fmt::format("lanescope-programs-{}", geteuid())
                             : options.cache;
  TRY_VOID(make_private_folder(cache));
  TRY(const std::string key, key_of(toolkit, files, options));
  const fs::path entry = cache / key;
  if (is_current(entry)) return CompiledProgram{entry / kExecutable, true, notes_in(entry)};
  if (find_on_path("g++").empty())
    return fail(ErrorKind::File,
                "nvcc needs the compiler g++, which is not on PATH; install it (Debian: g++)");
  TRY(const TemporaryFolder work, TemporaryFolder::make_in(cache, "part"));
  TRY_VOID(Compilation(toolkit, files, options, work.path(), links_folder(cache)).run());
  std::error_code error;
  fs::remove_all(entry, error);
  fs::rename(work.path(), entry, error);
  // Another process may have put its own there at the same moment.
  if (error && !is_current(entry))
    return fail(ErrorKind::File, fmt::format("the compiled program cannot be kept: {}", error.message()),
                Location{entry.string(), 0});
  forget_oldest(cache);
  return CompiledProgram{entry / kExecutable, false, notes_in(entry)};
}

}  // namespace lanescope::compile

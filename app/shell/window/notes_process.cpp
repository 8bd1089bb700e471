#include "shell/window/notes_process.h"

#include <atomic>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

using nlohmann::json;

json json_of(const session::LectureTexts::Paragraphs& paragraphs) {
  json list = json::array();
  for (const lesson::Paragraph& paragraph : paragraphs) {
    json runs = json::array();
    for (const lesson::Run& run : paragraph.runs)
      runs.push_back({{"face", static_cast<int>(run.face)}, {"text", run.text}});
    list.push_back({{"kind", static_cast<int>(paragraph.kind)}, {"runs", std::move(runs)}});
  }
  return list;
}

/// Throws json::exception where the text is none.
session::LectureTexts::Paragraphs paragraphs_of(const json& list) {
  session::LectureTexts::Paragraphs paragraphs;
  for (const json& entry : list) {
    lesson::Paragraph paragraph{
        .kind = static_cast<lesson::Paragraph::Kind>(entry.at("kind").get<uint8_t>() % 3), .runs = {}};
    for (const json& run : entry.at("runs"))
      paragraph.runs.push_back({static_cast<lesson::Run::Face>(run.at("face").get<uint8_t>() % 3),
                                run.at("text").get<std::string>()});
    paragraphs.push_back(std::move(paragraph));
  }
  return paragraphs;
}

}  // namespace

std::string line_of(const view::NotesPage& page) {
  const json object{{"title", page.title},
                    {"count", page.count},
                    {"covered", page.is_covered},
                    {"french", page.language == Language::French},
                    {"dark", page.mode == plot::Theme::Dark},
                    {"say", json_of(page.texts.say)},
                    {"reveal", json_of(page.texts.reveal)},
                    {"notes", json_of(page.texts.notes)},
                    {"after", json_of(page.texts.after)}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

Result<view::NotesPage> page_of(std::string_view line) {
  try {
    const json object = json::parse(line);
    return view::NotesPage{.title = object.at("title").get<std::string>(),
                           .count = object.at("count").get<std::string>(),
                           .is_covered = object.at("covered").get<bool>(),
                           .language = object.at("french").get<bool>() ? Language::French : Language::English,
                           .mode = object.at("dark").get<bool>() ? plot::Theme::Dark : plot::Theme::Light,
                           .texts = {.say = paragraphs_of(object.at("say")),
                                     .reveal = paragraphs_of(object.at("reveal")),
                                     .notes = paragraphs_of(object.at("notes")),
                                     .after = paragraphs_of(object.at("after"))}};
  } catch (const json::exception& problem) {
    return fail(ErrorKind::Syntax, fmt::format("a page of notes was expected ({})", problem.what()));
  }
}

struct NotesProcess::Process {
  Process(pid_t child, int socket, std::function<void(NotesKey)> on_key)
      : pid(child), connection(socket), reader([this, take = std::move(on_key)] { read(take); }) {}
  ~Process() {
    // Its input ends, and with it the window; the reader then finds the end of its output.
    shutdown(connection, SHUT_WR);
    kill(pid, SIGTERM);
    reader.join();
    waitpid(pid, nullptr, 0);
    close(connection);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void read(const std::function<void(NotesKey)>& take) {
    std::string line;
    char byte = 0;
    while (::read(connection, &byte, 1) == 1) {
      if (byte != '\n') {
        line += byte;
        continue;
      }
      if (line == "next") take(NotesKey::Next);
      if (line == "back") take(NotesKey::Back);
      line.clear();
    }
    is_open = false;
  }

  pid_t pid;
  int connection;
  std::atomic<bool> is_open{true};
  std::optional<view::NotesPage> sent;
  std::thread reader;  // last: it uses the others
};

NotesProcess::NotesProcess(std::unique_ptr<Process> process) : process_(std::move(process)) {}
NotesProcess::NotesProcess(NotesProcess&&) noexcept = default;
NotesProcess& NotesProcess::operator=(NotesProcess&&) noexcept = default;
NotesProcess::~NotesProcess() = default;

Result<NotesProcess> NotesProcess::start(const std::filesystem::path& program,
                                         std::function<void(NotesKey)> on_key) {
  int ends[2]{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::File, "the window of the notes cannot be started: no socket is free");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = program.string(), verb = "lecture", option = "--notes-window";
  char* const words[]{name.data(), verb.data(), option.data(), nullptr};
  pid_t pid = -1;
  const int problem = posix_spawn(&pid, name.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (problem != 0) {
    close(ends[0]);
    return fail(ErrorKind::File,
                fmt::format("the window of the notes cannot be started: {}",
                            std::generic_category().message(problem)),
                Location{name, 0});
  }
  return NotesProcess(std::make_unique<Process>(pid, ends[0], std::move(on_key)));
}

bool NotesProcess::is_open() const { return process_->is_open; }

void NotesProcess::show(const view::NotesPage& page) {
  if (process_->sent == page || !is_open()) return;
  const std::string line = line_of(page);
  // A window that was closed has closed its end: that is no reason for a signal.
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t count = send(process_->connection, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<size_t>(count);
  }
  process_->sent = page;
}

}  // namespace lanescope::shell

// A handout: one HTML file with a lesson's text, source, figures and exercises, or with the source and
// figures of a file's run, which a browser opens from a disk, with no network. Method: the pieces that change
// with a step or a toggle are those of handout/side.h, drawn here once as still pictures; the module in the
// page makes them again. Without the module each access of the warp is there as a still picture. Tests:
// tests/unit/handout/page_test.cpp, tests/page/handout_test.py

#pragma once

#include "handout/files.h"
#include "handout/lab.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::handout {

/// The program that draws in the reader's browser.
struct Module {
  std::string script;  // JavaScript that defines lanescopeHandout()
  std::string packed;  // WebAssembly, compressed by gzip
};

/// What all pages share.
struct Dress {
  std::string style, script;              // assets/handout
  std::optional<Module> module;           // none: still pictures alone
  std::optional<Module> sqlite;           // which defines lanescopeSqlite(); none: no saved trace is read
  Language language = Language::English;  // that the page opens in; it has both
};

struct Handout {
  std::string html;
  std::vector<std::string> notes;  // sentences on what is not in it
};

/// What a page is of.
struct Contents {
  lesson::Words title;
  Offer offer;                       // what the reader may choose
  std::optional<PackedFiles> files;  // that the module of the dress reads; none: still pictures
};

/// The page of what the lab runs, as `wish` shows it first. Errors: those of the run and of a lesson's texts.
Result<Handout> handout_of(Lab& lab, const Wish& wish, const Contents& contents, const Dress& dress);

/// A page with a link to each file: "transpose.html" and the title in both languages.
struct Listed {
  std::string file;
  lesson::Words title;
};
std::string index_page(const std::vector<Listed>& pages, const Dress& dress);

}  // namespace lanescope::handout

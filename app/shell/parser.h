// The parser of the command line, which is CLI11's, by its name alone: its header takes seconds to compile,
// and only who adds options needs it.

#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

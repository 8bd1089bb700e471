#include "gpu/instrument/plain_copy.h"

#include "gpu/instrument/insertion_points.h"
#include "ptx/lexer.h"

#include <set>
#include <string_view>
#include <vector>

namespace lanescope::gpu {

Result<PlainCopy> plain_copy(const ptx::Module& module, const ptx::Function& kernel) {
  TRY(const uint32_t begin, after_declarations(module, kernel));
  const std::string_view body = std::string_view(module.text).substr(begin);
  ptx::Lexer lexer(body, module.file_name);
  std::vector<ptx::Token> words;
  std::set<std::string_view> labels;
  uint32_t end = 0;
  for (int depth = 1; depth > 0;) {
    TRY(const ptx::Token token, lexer.next());
    if (token.kind == ptx::TokenKind::End)
      return fail(ErrorKind::Internal, "the body of " + kernel.name + " has no end",
                  Location{module.file_name, kernel.ptx_line});
    if (token.is(':') && !words.empty()) labels.insert(words.back().text);
    if (token.kind == ptx::TokenKind::Word) words.push_back(token);
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    end = token.begin;
  }
  TRY(const std::string registers, register_declarations(module, kernel));
  PlainCopy copy{.end = begin + end, .text = "{\n" + registers};
  size_t at = 0;
  for (const ptx::Token& word : words) {
    if (!labels.contains(word.text)) continue;
    const size_t behind = word.begin + word.text.size();
    copy.text.append(body, at, behind - at);
    copy.text += "_lanescope_plain";
    at = behind;
  }
  copy.text.append(body, at, end - at);
  copy.text += "}\n";
  return copy;
}

}  // namespace lanescope::gpu

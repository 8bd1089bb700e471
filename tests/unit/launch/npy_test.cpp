#include "launch/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file of version 1.0 with this dictionary.
std::string file_with(std::string_view dictionary) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size());
  file += '\0';
  return file + std::string(dictionary) + "elements";
}

TEST(Npy, a_header_that_numpy_wrote_is_read) {
  // numpy.save of numpy.zeros((3, 4), 'f4'), NumPy 1.24.
  std::string file("\x93NUMPY\x01\x00v\x00", 10);
  file += "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
  file.resize(127, ' ');
  file += '\n';
  const auto header = read_npy_header(file + std::string(48, '\0'));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->type, ElementType::F32);
  EXPECT_THAT(header->shape, ElementsAre(3, 4));
  EXPECT_EQ(header->data_at, 128u);
  EXPECT_EQ(npy_header(ElementType::F32, {3, 4}), file);
}

TEST(Npy, what_is_written_is_read_for_every_type_and_shape) {
  for (int n = 0; n <= static_cast<int>(ElementType::Bytes16); ++n)
    for (const std::vector<uint64_t>& shape : {std::vector<uint64_t>{}, {7}, {2, 3, 5}}) {
      const auto type = static_cast<ElementType>(n);
      const std::string text = npy_header(type, shape);
      EXPECT_EQ(text.size() % 64, 0u);
      const auto header = read_npy_header(text);
      ASSERT_TRUE(header) << text;
      EXPECT_EQ(header->type, type);
      EXPECT_EQ(header->shape, shape);
      EXPECT_EQ(header->data_at, text.size());
    }
}

TEST(Npy, booleans_are_bytes) {
  const auto header =
      read_npy_header(file_with("{'descr': '|b1', 'fortran_order': False, 'shape': (8,), }\n"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->type, ElementType::U8);
  EXPECT_THAT(header->shape, ElementsAre(8));
}

TEST(Npy, what_cannot_be_read_is_refused_in_a_sentence) {
  const auto why = [](std::string_view bytes) { return read_npy_header(bytes).error().message; };
  EXPECT_THAT(why(""), HasSubstr("does not begin as one"));
  EXPECT_THAT(why(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)), HasSubstr("damaged"));
  EXPECT_THAT(why(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (8,), }\n")),
              HasSubstr("'>f4', which is not supported"));
  EXPECT_THAT(why(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (8,), }\n")),
              HasSubstr("ascontiguousarray"));
  EXPECT_THAT(why(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (-8,), }\n")),
              HasSubstr("shape"));
  EXPECT_THAT(why(file_with("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (8,), }\n")),
              HasSubstr("no plain type"));
}

TEST(Npy, a_damaged_header_is_an_error_or_a_header) {
  const std::string good = npy_header(ElementType::F32, {3, 4});
  for (size_t at = 0; at < good.size(); ++at) {
    (void)read_npy_header(std::string_view(good).substr(0, at));
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      const auto header = read_npy_header(bad);
      EXPECT_LE(header ? header->data_at : 0, bad.size());
    }
  }
}

}  // namespace
}  // namespace lanescope::launch

// What nearly every test includes, precompiled for all of them (tests/support/CMakeLists.txt). Tests include
// what they use all the same: they compile without it.

#pragma once

#include <algorithm>
#include <array>
#include <expected>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

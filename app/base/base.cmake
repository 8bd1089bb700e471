# The names of the strings apart from the strings: base/text.h includes them from the build folder.
set(text_ids ${CMAKE_BINARY_DIR}/generated/base/text_ids.h)
add_custom_command(
  OUTPUT ${text_ids}
  COMMAND ${CMAKE_COMMAND} -DTABLE=${CMAKE_CURRENT_SOURCE_DIR}/base/text.def -DHEADER=${text_ids}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/base/text_ids.cmake
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/base/text.def ${CMAKE_CURRENT_SOURCE_DIR}/base/text_ids.cmake
  COMMENT "Generating the names of the strings"
  VERBATIM)
target_sources(lanescope_base PRIVATE ${text_ids})
target_include_directories(lanescope_base PUBLIC ${CMAKE_BINARY_DIR}/generated)

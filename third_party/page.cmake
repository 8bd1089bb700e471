# The libraries of the program for WebAssembly, in place of the system's (Emscripten). Headers alone are Debian's, linked into a folder
# of their own: the system's other headers are of another system. The rest is compiled from the sources that fetch_page.py unpacked.
set(page ${CMAKE_SOURCE_DIR}/.cache/third_party/page)
if(NOT EXISTS ${page}/.pins)
  message(FATAL_ERROR "The page's sources are not in ${page}: run app/page build, which fetches them.")
endif()
set(page_include ${CMAKE_BINARY_DIR}/third_party/include)
file(MAKE_DIRECTORY ${page_include})
foreach(name fmt nlohmann toml++ CLI xxhash.h xxh3.h)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} was expected and not found: run app/page build, which installs it.")
  endif()
  file(CREATE_LINK /usr/include/${name} ${page_include}/${name} SYMBOLIC)
endforeach()

# lanescope_page_library(NAME TARGET FILES...): compiled without warnings, which are not ours to mend.
function(lanescope_page_library name target)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${page_include})
  target_compile_options(${name} PRIVATE -w)
  add_library(${target} ALIAS ${name})
endfunction()
function(lanescope_page_headers name target)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${page_include})
  add_library(${target} ALIAS ${name})
endfunction()

lanescope_page_headers(page_json nlohmann_json::nlohmann_json)
lanescope_page_headers(page_toml tomlplusplus::tomlplusplus)

lanescope_page_library(page_fmt fmt::fmt ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)

# Its header holds all of it. With SIMD of WebAssembly it would include arm_neon.h, of which Debian's Emscripten has only a part.
set(xxhash ${CMAKE_BINARY_DIR}/third_party/xxhash.c)
file(CONFIGURE OUTPUT ${xxhash} CONTENT "#define XXH_STATIC_LINKING_ONLY\n#define XXH_IMPLEMENTATION\n#include <xxhash.h>\n")
lanescope_page_library(page_xxhash PkgConfig::xxhash ${xxhash})
target_compile_options(page_xxhash PRIVATE -mno-simd128)

lanescope_page_library(page_md4c PkgConfig::md4c ${page}/md4c/src/md4c.c)
target_include_directories(page_md4c SYSTEM PUBLIC ${page}/md4c/src)

file(GLOB zlib ${page}/zlib/*.c)
list(FILTER zlib EXCLUDE REGEX "/gz[a-z]+\\.c$")
lanescope_page_library(page_zlib ZLIB::ZLIB ${zlib})
target_include_directories(page_zlib SYSTEM PUBLIC ${page}/zlib)

set(png ${page}/libpng1.6)
configure_file(${png}/scripts/pnglibconf.h.prebuilt ${CMAKE_BINARY_DIR}/third_party/png/pnglibconf.h COPYONLY)
file(GLOB png_sources ${png}/png*.c)
list(FILTER png_sources EXCLUDE REGEX "/pngtest\\.c$")
lanescope_page_library(page_png PNG::PNG ${png_sources})
target_include_directories(page_png SYSTEM PUBLIC ${png} ${CMAKE_BINARY_DIR}/third_party/png)
target_link_libraries(page_png PUBLIC page_zlib)

# Its header alone: app/shell/page/sqlite.js makes the calls, in a module of its own.
set(page_sqlite ${page}/libdbd-sqlite3-perl)
lanescope_page_headers(page_sqlite_headers PkgConfig::sqlite)
target_include_directories(page_sqlite_headers SYSTEM INTERFACE ${page_sqlite})

# lanescope_page_window(): GLFW and OpenGL for third_party/CMakeLists.txt. Both are Emscripten's: GLFW on a canvas, and OpenGL ES 3,
# which the browser has as WebGL 2, under the name that the program includes.
macro(lanescope_page_window)
  add_library(glfw INTERFACE)
  target_link_options(glfw INTERFACE -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
  set(glad ${CMAKE_CURRENT_BINARY_DIR}/glad)
  file(CONFIGURE OUTPUT ${glad}/include/glad/gl.h CONTENT "#pragma once
#include <GLES3/gl3.h>
#define GLAD_GL_KHR_debug 0
typedef void (*GLADapiproc)(void);
typedef GLADapiproc (*GLADloadfunc)(const char*);
#define gladLoadGL(load) 1
")
  add_library(lanescope_glad INTERFACE)
  target_include_directories(lanescope_glad SYSTEM INTERFACE ${glad}/include)
endmacro()

# The program of a package runs on systems whose libraries differ: what they have in other versions or not at all is linked from
# Debian's static archives, of which the linker takes what is used. With its archive, Cairo asks for no library of X11.
# Included at the end of app/CMakeLists.txt if LANESCOPE_PORTABLE is set. Test: tests/packages/install_test.py

# lanescope_from_archives(TARGET NAMES...): an imported library, and what it needs in turn, as archives.
function(lanescope_from_archives target)
  set(archives)
  foreach(name ${ARGN})
    find_library(LANESCOPE_ARCHIVE_${name} NAMES lib${name}.a REQUIRED)
    list(APPEND archives ${LANESCOPE_ARCHIVE_${name}})
  endforeach()
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES "${archives}")
  get_target_property(location ${target} IMPORTED_LOCATION)
  if(location)
    list(POP_FRONT archives first)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${first} IMPORTED_LOCATION_RELEASE ${first} INTERFACE_LINK_LIBRARIES "${archives};m")
  endif()
endfunction()

lanescope_from_archives(PkgConfig::cairo cairo fontconfig freetype pixman-1 png16 expat brotlidec brotlicommon z)
lanescope_from_archives(PkgConfig::sqlite sqlite3)
lanescope_from_archives(PkgConfig::xxhash xxhash)
lanescope_from_archives(PkgConfig::zstd zstd)
lanescope_from_archives(PkgConfig::lz4 lz4)
lanescope_from_archives(PNG::PNG png16 z)
lanescope_from_archives(ZLIB::ZLIB z)

add_library(lanescope_expat_random STATIC ${CMAKE_SOURCE_DIR}/third_party/expat_random.c)
set_property(TARGET PkgConfig::cairo APPEND PROPERTY INTERFACE_LINK_LIBRARIES lanescope_expat_random)

# The program. Without the window, a file that reports so replaces it.
find_package(CLI11 REQUIRED)
set(shell ${CMAKE_SOURCE_DIR}/app/shell)
file(GLOB shell_sources CONFIGURE_DEPENDS ${shell}/*.cpp)
if(LANESCOPE_WINDOW)
  list(REMOVE_ITEM shell_sources ${shell}/no_window.cpp)
  # The window's part is a library, so that its tests link it with the Dear ImGui that has hooks for them.
  set(window_sources ${shell}/cell_painter.cpp ${shell}/clipboard.cpp ${shell}/damage.cpp ${shell}/fonts.cpp ${shell}/gl_window.cpp
                     ${shell}/lecture_process.cpp ${shell}/notes_process.cpp ${shell}/notes_window.cpp
                     ${shell}/picture.cpp ${shell}/settings.cpp ${shell}/window.cpp ${shell}/window_state.cpp)
  list(REMOVE_ITEM shell_sources ${window_sources})
  add_library(lanescope_window STATIC ${window_sources})
  target_link_libraries(lanescope_window PUBLIC lanescope_view lanescope_export)
  lanescope_precompile(lanescope_window)
  lanescope_unite(lanescope_window)
else()
  list(FILTER shell_sources EXCLUDE REGEX "/(cell_painter|clipboard|damage|fonts|gl_window|lecture_process|notes_process|notes_window|picture|screenshot_verb|settings|window|window_state)\\.cpp$")
endif()
# Without CUDA's headers likewise.
if(TARGET lanescope_gpu)
  list(REMOVE_ITEM shell_sources ${shell}/no_gpu.cpp)
else()
  list(FILTER shell_sources EXCLUDE REGEX "/(gpu_choice|gpu_producer|gpu_report|record_verb|serve_verb|slices_verb|time_report|time_verb)\\.cpp$")
endif()
# What runs other people's programs is a library, so that its tests link it.
set(hosting_sources ${shell}/fetched_packages.cpp ${shell}/hosted_program.cpp ${shell}/hosted_run.cpp ${shell}/installed_driver.cpp ${shell}/installed_toolkit.cpp
                    ${shell}/launch_progress.cpp ${shell}/progress.cpp ${shell}/session_program.cpp ${shell}/source_program.cpp
                    ${shell}/toolkit_folder.cpp)
list(REMOVE_ITEM shell_sources ${hosting_sources})
add_library(lanescope_hosting STATIC ${hosting_sources})
target_link_libraries(lanescope_hosting PUBLIC lanescope_driver lanescope_export nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
lanescope_precompile(lanescope_hosting)
lanescope_unite(lanescope_hosting)
add_executable(lanescope ${shell_sources})
# lib next to it: where tests/tools/bundle_for_gpu.sh puts the libraries that another machine may lack.
set_target_properties(lanescope PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} BUILD_RPATH "$ORIGIN/lib"
                      INSTALL_RPATH "$ORIGIN/../lib/lanescope")
lanescope_precompile(lanescope)
lanescope_unite(lanescope)
target_link_options(lanescope PRIVATE -Wl,--disable-new-dtags)  # for what these libraries need in turn too
target_link_libraries(lanescope PRIVATE lanescope_hosting lanescope_session lanescope_driver lanescope_export CLI11::CLI11 nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
if(TARGET lanescope_gpu)
  target_link_libraries(lanescope PRIVATE lanescope_remote)
endif()
# What `lanescope run` puts in front of programs.
if(TARGET lanescope_driver_client)
  add_dependencies(lanescope lanescope_driver_client)
endif()
if(LANESCOPE_WINDOW)
  target_link_libraries(lanescope PRIVATE lanescope_window lanescope_imgui)
endif()

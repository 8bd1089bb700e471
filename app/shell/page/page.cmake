# The program in a browser (page.cpp), in place of shell.cmake's.
set(shell ${CMAKE_SOURCE_DIR}/app/shell)
file(GLOB page_sources CONFIGURE_DEPENDS ${shell}/page/*.cpp ${shell}/window/*.cpp ${shell}/classroom/service_client.cpp
     ${shell}/shown_figure.cpp)
list(FILTER page_sources EXCLUDE REGEX "/window/(clipboard|picture|notes_process|notes_window)\\.cpp$|/page/handout_module\\.cpp$")
add_executable(page ${page_sources})
target_link_libraries(page PRIVATE lanescope_view lanescope_session lanescope_export lanescope_imgui nlohmann_json::nlohmann_json)
set(assets ${CMAKE_SOURCE_DIR}/assets)
set(files "")
foreach(folder lessons devices ptx fonts recordings)
  list(APPEND files "SHELL:--preload-file ${assets}/${folder}@/assets/${folder}")
endforeach()
foreach(folder kernels shaders)
  list(APPEND files "SHELL:--preload-file ${CMAKE_SOURCE_DIR}/${folder}@/${folder}")
endforeach()
target_link_options(page PRIVATE ${files} -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=128MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB
  -sENVIRONMENT=web,worker -sFORCE_FILESYSTEM=1 -lidbfs.js "SHELL:--pre-js ${shell}/page/storage.js"
  -sEXPORTED_RUNTIME_METHODS=stringToNewUTF8,ccall,HEAPU8)
set_target_properties(page PROPERTIES OUTPUT_NAME lanescope SUFFIX .js LINK_DEPENDS ${shell}/page/storage.js)
if(CMAKE_CXX_FLAGS MATCHES "-pthread")
  # The session's worker and the emulator's threads: a page that waits for a thread that does not exist yet would wait for ever.
  target_link_options(page PRIVATE -sPTHREAD_POOL_SIZE=5)
endif()

# The figures of a handout alone (handout_module.cpp), which `lanescope handout` puts into its page.
add_executable(handout ${shell}/page/handout_module.cpp)
target_link_libraries(handout PRIVATE lanescope_handout)
target_link_options(handout PRIVATE -sMODULARIZE=1 -sEXPORT_NAME=lanescopeHandout -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB
  -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB -sENVIRONMENT=web,node -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS)

# `cmake --install`: the program in bin/, what it loads and starts in lib/lanescope/, what it reads in share/lanescope/, and what makes
# a desktop, a shell and Python know it where they look. app/shell/paths.cpp finds these places from the program's file, so an
# installation can be moved; nothing is written into it. Test: tests/packages/install_test.py
set(packaging ${CMAKE_SOURCE_DIR}/app/packaging)
set(data share/lanescope)

install(TARGETS lanescope RUNTIME DESTINATION bin)
if(TARGET lanescope_driver_client)
  set(driver ${CMAKE_BINARY_DIR}/driver)
  set(of_a_library PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  install(TARGETS lanescope_libcuda lanescope_libcudart.so.13 lanescope_libcudart.so.12 lanescope_libcudart.so.11.0
          LIBRARY DESTINATION lib/lanescope/driver ${of_a_library})
  install(TARGETS lanescope_cublas lanescope_cublasLt lanescope_curand lanescope_cufft LIBRARY DESTINATION lib/lanescope/driver ${of_a_library})
  install(TARGETS lanescope_libcublas.so.12 lanescope_libcublasLt.so.12 lanescope_libcufft.so.11
          LIBRARY DESTINATION lib/lanescope/driver ${of_a_library})
  install(FILES ${driver}/libcublas.so ${driver}/libcublasLt.so ${driver}/libcurand.so ${driver}/libcufft.so DESTINATION lib/lanescope/driver)
  install(DIRECTORY ${driver}/include DESTINATION lib/lanescope/driver)
  install(TARGETS lanescope_forward LIBRARY DESTINATION lib/lanescope/driver/forward ${of_a_library})
  install(FILES ${driver}/libcuda.so ${driver}/libcudart.so DESTINATION lib/lanescope/driver)
  install(FILES ${driver}/forward/libcuda.so DESTINATION lib/lanescope/driver/forward)
  install(DIRECTORY ${driver}/tools DESTINATION lib/lanescope/driver USE_SOURCE_PERMISSIONS)
endif()
install(DIRECTORY assets kernels shaders DESTINATION ${data} PATTERN gallery EXCLUDE)
# The module of handouts, where app/page build made it.
install(DIRECTORY dist/page/handout dist/page/sqlite DESTINATION ${data}/page OPTIONAL)
install(DIRECTORY app/python/hooks DESTINATION ${data}/app/python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY app/python/lanescope DESTINATION lib/python3/dist-packages PATTERN __pycache__ EXCLUDE)
# What an installation fetches when it is first needed.
install(FILES third_party/fetch.py third_party/pypi-cuda.txt third_party/pypi-nvcc.txt DESTINATION ${data}/third_party)

# Pages and completions from the help texts of the program, so that they name what it has.
find_program(LANESCOPE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(pages ${CMAKE_BINARY_DIR}/pages)
install(CODE "execute_process(COMMAND ${LANESCOPE_PYTHON} -I -B ${packaging}/pages.py ${CMAKE_BINARY_DIR}/lanescope ${pages}
                              COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${pages}/man1 DESTINATION share/man)
install(FILES ${pages}/lanescope.bash DESTINATION share/bash-completion/completions RENAME lanescope)
install(FILES ${pages}/_lanescope DESTINATION share/zsh/vendor-completions)
install(FILES ${pages}/lanescope.fish DESTINATION share/fish/vendor_completions.d)

install(FILES ${packaging}/lanescope.desktop DESTINATION share/applications)
install(FILES ${packaging}/lanescope.xml DESTINATION share/mime/packages)
install(FILES ${packaging}/lanescope.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES ${packaging}/copyright DESTINATION share/doc/lanescope)
install(FILES ${pages}/changelog.gz DESTINATION share/doc/lanescope)
install(FILES ${packaging}/lintian-overrides DESTINATION share/lintian/overrides RENAME lanescope)

# The .deb of `cpack` (app/package deb).
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_VENDOR "The Lanescope authors")
set(CPACK_PACKAGE_CONTACT "The Lanescope authors <lanescope@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows what a CUDA kernel does to memory")
set(CPACK_PACKAGE_DESCRIPTION "Lanescope runs CUDA kernels in an emulator, with no GPU, records every\naddress of every warp, and draws banks, sectors, partitions and blocks.")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/driver)  # the runtime library is linked with the driver beside it
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Pictures need OpenGL; NVIDIA's compiler comes by Python's pip when it is first needed.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1, libegl1, libgl1-mesa-dri, python3, python3-pip-whl, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, xclip, openssh-client")
include(CPack)

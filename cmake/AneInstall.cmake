# `cmake --install`: tools, plugin, headers, Python, and a package for find_package(ANE).
#
#   ANE::Compiler   dialects, passes, pipelines and file formats   ("ane/InitAll.h")
#   ANE::Runtime    registers, simulator and devices, without MLIR ("ane/Runtime/Device.h")
#   ANE::CCompiler, ANE::CRuntime   the C interfaces of both       ("ane-c/...")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT ANE_RUNTIME_ONLY)
  add_library(ane_compiler INTERFACE)
  target_link_libraries(ane_compiler INTERFACE ANEInitAll ANEArguments)
  set_target_properties(ane_compiler PROPERTIES EXPORT_NAME Compiler)
endif()
add_library(ane_runtime INTERFACE)
target_link_libraries(ane_runtime INTERFACE ANERuntime)
set_target_properties(ane_runtime PROPERTIES EXPORT_NAME Runtime)

# Two sets: what only runs programs does not look for MLIR.
get_property(below GLOBAL PROPERTY ANE_EXPORTED_BELOW)
get_property(above GLOBAL PROPERTY ANE_EXPORTED)
get_property(tools GLOBAL PROPERTY ANE_TOOLS)
install(TARGETS ane_runtime ane_includes ane_hw ${below} EXPORT ANERuntimeTargets)
install(TARGETS ${tools})
set(libraries runtime)
set(parts Runtime)
if(NOT ANE_RUNTIME_ONLY)
  install(TARGETS ane_compiler ane_mlir ${above} EXPORT ANECompilerTargets)
  install(TARGETS ANEPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND libraries compiler)
  list(APPEND parts Compiler)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  TYPE INCLUDE
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td" PATTERN "*.def"
  PATTERN CMakeFiles EXCLUDE)
set(ANE_PYTHON_DIR ${CMAKE_INSTALL_LIBDIR}/python CACHE STRING
    "Where the Python package goes, below the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/ane
  DESTINATION ${ANE_PYTHON_DIR} FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# Man pages and completions: made when they are installed, from what the tools say then.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  foreach(tool IN LISTS tools)
    set(made ${PROJECT_BINARY_DIR}/share)
    foreach(kind "man|man/man1|${tool}.1" "bash|bash-completion/completions|${tool}"
                 "zsh|zsh/site-functions|_${tool}" "fish|fish/vendor_completions.d|${tool}.fish")
      string(REPLACE "|" ";" kind "${kind}")
      list(GET kind 0 form)
      list(GET kind 1 folder)
      list(GET kind 2 file)
      install(CODE "
        file(MAKE_DIRECTORY \"${made}/${folder}\")
        execute_process(COMMAND \"${Python3_EXECUTABLE}\"
          \"${PROJECT_SOURCE_DIR}/packaging/describe-tool.py\" \"$<TARGET_FILE:${tool}>\" ${form}
          -o \"${made}/${folder}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
      install(FILES ${made}/${folder}/${file} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder})
    endforeach()
  endforeach()
endif()

# pkg-config, for programs in C that do not use CMake. A folder of libraries may be several
# folders deep (lib/x86_64-linux-gnu).
file(RELATIVE_PATH ane_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library IN LISTS libraries)
  set(generated ${PROJECT_BINARY_DIR}/CMakeFiles/package)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/ane.pc.in ${generated}/ane-${library}.pc @ONLY)
  install(FILES ${generated}/ane-${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ANE)
foreach(part IN LISTS parts)
  install(EXPORT ANE${part}Targets NAMESPACE ANE:: DESTINATION ${package})
endforeach()
# Not where find_package looks beside the tools of a build folder.
set(generated ${PROJECT_BINARY_DIR}/CMakeFiles/package)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ANEConfig.cmake.in
  ${generated}/ANEConfig.cmake INSTALL_DESTINATION ${package})
# Before 1.0 any minor version may change an interface.
write_basic_package_version_file(${generated}/ANEConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/ANEConfig.cmake ${generated}/ANEConfigVersion.cmake
  DESTINATION ${package})

# `cpack`, or scripts/package.sh: a .deb, and a tarball that works wherever it is unpacked on a
# machine with the same libMLIR.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME mlir-ane)
if(ANE_RUNTIME_ONLY)
  set(CPACK_PACKAGE_NAME ane-runtime)
endif()
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Graph compiler for the Apple Neural Engine on MLIR")
set(CPACK_PACKAGE_CONTACT "The mlir-ane authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mlir-22-tools, clang-22, libmlir-22-dev, libabsl-dev, libhwy-dev, libprotobuf-dev")
include(CPack)

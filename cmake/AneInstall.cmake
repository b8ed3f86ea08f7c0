# `cmake --install`: tools, plugin, headers, and a package for find_package(ANE).
#
#   ANE::Compiler   dialects, passes, pipelines and file formats   ("ane/InitAll.h")
#   ANE::Runtime    registers, simulator and devices, without MLIR ("ane/Runtime/Device.h")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(ane_compiler INTERFACE)
target_link_libraries(ane_compiler INTERFACE ANEInitAll)
set_target_properties(ane_compiler PROPERTIES EXPORT_NAME Compiler)
add_library(ane_runtime INTERFACE)
target_link_libraries(ane_runtime INTERFACE ANERuntime)
set_target_properties(ane_runtime PROPERTIES EXPORT_NAME Runtime)

get_property(ane_exported GLOBAL PROPERTY ANE_EXPORTED)
get_property(ane_tools GLOBAL PROPERTY ANE_TOOLS)
install(TARGETS ane_compiler ane_runtime ane_includes ane_hw ane_mlir ${ane_exported}
  EXPORT ANETargets)
install(TARGETS ${ane_tools})
install(TARGETS ANEPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  TYPE INCLUDE
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td" PATTERN "*.def"
  PATTERN CMakeFiles EXCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ANE)
install(EXPORT ANETargets NAMESPACE ANE:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ANEConfig.cmake.in
  ${PROJECT_BINARY_DIR}/CMakeFiles/package/ANEConfig.cmake INSTALL_DESTINATION ${package})
# Before 1.0 any minor version may change an interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/CMakeFiles/package/ANEConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/CMakeFiles/package/ANEConfig.cmake
  ${PROJECT_BINARY_DIR}/CMakeFiles/package/ANEConfigVersion.cmake DESTINATION ${package})

# `cmake --install`: tools, plugin, headers, Python, and a package for find_package(ANE).
#
#   ANE::Compiler   dialects, passes, pipelines and file formats   ("ane/InitAll.h")
#   ANE::Runtime    registers, simulator and devices, without MLIR ("ane/Runtime/Device.h")
#   ANE::CCompiler, ANE::CRuntime   the C interfaces of both       ("ane-c/...")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(ane_compiler INTERFACE)
target_link_libraries(ane_compiler INTERFACE ANEInitAll ANEArguments)
set_target_properties(ane_compiler PROPERTIES EXPORT_NAME Compiler)
add_library(ane_runtime INTERFACE)
target_link_libraries(ane_runtime INTERFACE ANERuntime)
set_target_properties(ane_runtime PROPERTIES EXPORT_NAME Runtime)

# Two sets: what only runs programs does not look for MLIR.
get_property(below GLOBAL PROPERTY ANE_EXPORTED_BELOW)
get_property(above GLOBAL PROPERTY ANE_EXPORTED)
get_property(tools GLOBAL PROPERTY ANE_TOOLS)
install(TARGETS ane_runtime ane_includes ane_hw ${below} EXPORT ANERuntimeTargets)
install(TARGETS ane_compiler ane_mlir ${above} EXPORT ANECompilerTargets)
install(TARGETS ${tools})
install(TARGETS ANEPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  TYPE INCLUDE
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td" PATTERN "*.def"
  PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/ane
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/python FILES_MATCHING PATTERN "*.py")

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ANE)
foreach(part Runtime Compiler)
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

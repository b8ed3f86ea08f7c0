# Compile options and the few verbs that the CMakeLists files use.
#
#   ane_add_hw_library(Name sources... LINK libs...)    below the line: Abseil, no LLVM
#   ane_add_mlir_library(Name sources... LINK libs...)  above it: shared libMLIR and libLLVM
#   ane_add_tool(name sources... LINK libs...)          an executable in bin/

add_compile_options(-fno-exceptions -fvisibility-inlines-hidden -Wall -Wextra
                    -Wno-unused-parameter)
# libLLVM is built with RTTI, so we are too; TypeIDs must agree. It is built with
# NDEBUG, so we are too: without it the headers give Pass::Statistic members that
# the constructor in libMLIR does not know and leaves uninitialised.
add_compile_definitions(NDEBUG)
# libMLIR finds the TypeIDs of traits by the names of types, as Clang writes them, unless
# the symbols are one. So libraries of another compiler cannot keep theirs to themselves.
#
# ane_export_only(target pattern...): only symbols of these names leave a loaded library.
function(ane_export_only target)
  if(APPLE)
    list(TRANSFORM ARGN PREPEND "_" OUTPUT_VARIABLE symbols)
    list(JOIN symbols "\n" text)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.exports)
    file(CONFIGURE OUTPUT ${list} CONTENT "${text}\n" @ONLY)
    target_link_options(${target} PRIVATE LINKER:-exported_symbols_list,${list})
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL)
  endif()
endfunction()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-fcolor-diagnostics)
  # Lets ccache hit although a precompiled header is in play.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
else()
  # False alarms of g++-12 (in std::vector::insert), and moves that Expected needs
  # with other compilers.
  add_compile_options(-Wno-array-bounds -Wno-comment -Wno-maybe-uninitialized
                      -Wno-redundant-move)
endif()
if(ANE_SANITIZE)
  add_compile_options(-fsanitize=${ANE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ANE_SANITIZE})
endif()

# ld.bfd needs 3 s against the two big shared libraries, lld 0.3 s. On macOS the linker of
# the system does.
if(NOT ANE_RUNTIME_ONLY)
  find_program(ANE_LLD NAMES ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
endif()
if(ANE_LLD AND NOT APPLE)
  add_link_options(-fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR})
endif()

find_program(ANE_CCACHE ccache)
if(ANE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${ANE_CCACHE})
endif()

add_library(ane_includes INTERFACE)
target_include_directories(ane_includes INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)

# Abseil from its archives: the dynamic linker looks up each of the 74,000 symbols
# of libMLIR and libLLVM in all libraries, and Abseil is 36 of them. Without them a
# tool starts in half the time, and the tests start tools thousands of times. What is
# loaded by other programs (ANE_LOADED) has to take the shared ones: Debian's archives
# are not position independent.
set(ane_shared_absl)
get_property(ane_imported DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(target IN LISTS ane_imported)
  get_target_property(location ${target} LOCATION)
  string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${location}")
  if(target MATCHES "^absl::" AND location MATCHES "\\.so[.0-9]*$" AND EXISTS ${archive})
    list(APPEND ane_shared_absl ${location})
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS configurations)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${archive})
    endforeach()
  endif()
endforeach()

if(NOT ANE_RUNTIME_ONLY)
  # The only place that names libMLIR and libLLVM. An archive of MLIR next to the shared
  # library would bring second copies of every TypeID.
  add_library(ane_mlir INTERFACE)
  target_include_directories(ane_mlir SYSTEM INTERFACE
    "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  if(ANE_SHARED_MLIR)
    target_link_libraries(ane_mlir INTERFACE ane_includes MLIR LLVM)
  else()
    get_property(ane_mlir_archives GLOBAL PROPERTY MLIR_ALL_LIBS)
    target_link_libraries(ane_mlir INTERFACE ane_includes ${ane_mlir_archives})
  endif()
  target_compile_definitions(ane_mlir INTERFACE $<INSTALL_INTERFACE:NDEBUG>)
endif()

# What all libraries below the line link.
add_library(ane_hw INTERFACE)
set(ane_absl_targets absl::status absl::statusor absl::strings absl::str_format absl::span
  absl::flat_hash_map)
add_library(ane_absl INTERFACE)
target_link_libraries(ane_absl INTERFACE ${ane_absl_targets})
add_library(ane_shared_absl INTERFACE)
if(ane_shared_absl)
  target_link_libraries(ane_shared_absl INTERFACE
    -Wl,--push-state,--as-needed ${ane_shared_absl} -Wl,--pop-state)
else() # the packages have one kind only
  target_link_libraries(ane_shared_absl INTERFACE ane_absl)
endif()
target_link_libraries(ane_hw INTERFACE ane_includes
  $<BUILD_INTERFACE:$<IF:$<BOOL:$<TARGET_PROPERTY:ANE_LOADED>>,ane_shared_absl,ane_absl>>)
foreach(target IN LISTS ane_absl_targets)
  target_link_libraries(ane_hw INTERFACE $<INSTALL_INTERFACE:${target}>)
endforeach()

# ane_add_precompiled(Name LINK libs... HEADERS <header>...): a precompiled header that
# other targets reuse. Only angle brackets work here; quoted names would be searched in
# the source folder.
function(ane_add_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# What a library, tool or test reads first: headers that most of its files include.
function(ane_reuse_precompiled name precompiled)
  target_precompile_headers(${name} REUSE_FROM ${precompiled})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:${precompiled}>)
endfunction()

function(ane_add_hw_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY ANE_EXPORTED_BELOW ${name})
  target_link_libraries(${name} PUBLIC ane_hw ${ARG_LINK})
  add_dependencies(${name} ANEHWIncGen)
  ane_reuse_precompiled(${name} ANEHWPrecompiled)
endfunction()

# ANE_PRECOMPILED is ANEPrecompiled or, where the ane dialect is used, ANEDialectPrecompiled.
function(ane_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY ANE_EXPORTED ${name})
  target_link_libraries(${name} PUBLIC ane_mlir ${ARG_LINK})
  add_dependencies(${name} ANEIncGen ANEHWIncGen)
  ane_reuse_precompiled(${name} ${ANE_PRECOMPILED})
endfunction()

function(ane_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY ANE_TOOLS ${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  add_dependencies(${name} ANEHWIncGen)
  # As the libraries are compiled, otherwise their precompiled header does not fit.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  ane_reuse_precompiled(${name} ${ANE_PRECOMPILED})
endfunction()

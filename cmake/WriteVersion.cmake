# cmake -DSOURCE=folder -DVERSION=0.1.0 -DOUTPUT=Version.inc -P WriteVersion.cmake
#
# A string literal with version and commit. It is looked up at each build, and the file
# is left as it is where nothing changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "commit unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "\"mlir-ane ${VERSION} (${commit})\"\n")

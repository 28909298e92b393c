# SPDX-License-Identifier: Apache-2.0
# What most files of a group of libraries include of other people's headers is compiled once for all of
# them. No file may rely on it: each includes what it uses, and -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds
# as well.

# lockstep_compiled_headers(<name> LINKS … HEADERS …): compiles the headers, once. A library that takes
# them (target_precompile_headers(<library> REUSE_FROM <name>)) links all that LINKS names: GCC refuses them
# where something is not defined as it was then, or is defined besides and asked for in them.
function(lockstep_compiled_headers name)
    cmake_parse_arguments(COMPILED "" "" "LINKS;HEADERS" ${ARGN})
    # A target has to have a source.
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Empty: ${name} is its compiled headers.\n")
    add_library(${name} OBJECT ${source})
    target_link_libraries(${name} PRIVATE lockstep_options ${COMPILED_LINKS})
    target_precompile_headers(${name} PRIVATE ${COMPILED_HEADERS})
endfunction()

set(LOCKSTEP_STANDARD_HEADERS <algorithm> <array> <chrono> <cmath> <condition_variable> <cstddef> <cstdint>
    <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <optional> <span> <string>
    <string_view> <thread> <utility> <variant> <vector>)

# SPDX-License-Identifier: Apache-2.0
# Refuses the compilers that are known to build a wrong Pawl, and sets what every target shares.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    message(FATAL_ERROR
        "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines (double destruction of temporaries in "
        "statements with co_await), without a warning. Use clang 19: `tools/setup build`, then "
        "`cmake --preset dev`. See docs/decisions/0001-toolchain.md.")
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
    message(FATAL_ERROR
        "Pawl is built with clang 19 or later, found ${CMAKE_CXX_COMPILER_ID} "
        "${CMAKE_CXX_COMPILER_VERSION}. Run `tools/setup build`, then `cmake --preset dev`.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)  # -fPIE for all instead: one precompiled header serves programs and libraries

option(PAWL_WARNINGS_ARE_ERRORS "Treat compiler warnings as errors" OFF)
option(PAWL_PLANTED_BUGS "Compile the planted bugs in, switched by name at run time (simulation only)" OFF)

add_library(pawl_flags INTERFACE)
target_compile_options(pawl_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Wold-style-cast -Wunused -Wno-missing-designated-field-initializers -Woverloaded-virtual -Wimplicit-fallthrough
    -fPIE -fno-omit-frame-pointer -fstack-protector-strong -Xclang -fno-pch-timestamp)
if(PAWL_WARNINGS_ARE_ERRORS)
    target_compile_options(pawl_flags INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(pawl_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
target_link_options(pawl_flags INTERFACE -fuse-ld=lld -pie -Wl,-z,relro,-z,now)
target_include_directories(pawl_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(pawl_flags INTERFACE
    BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE
    $<$<BOOL:${PAWL_PLANTED_BUGS}>:PAWL_PLANTED_BUGS=1>)

# ccache when present; the precompiled header must not defeat it.
find_program(PAWL_CCACHE ccache)
if(PAWL_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${PAWL_CCACHE})
endif()

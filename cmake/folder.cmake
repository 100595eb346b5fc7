# SPDX-License-Identifier: Apache-2.0
# pawl_folder(NAME SOURCES ... LINKS ... TESTS ...): the static target pawl_NAME (alias pawl::NAME) of
# the current folder and, when it has tests, the GoogleTest program NAME_test.
# One precompiled header (cmake/precompiled.hpp) is built once and shared by all of them.

add_library(pawl_precompiled STATIC ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
target_link_libraries(pawl_precompiled PUBLIC pawl_flags pawl_asio fmt::fmt)
target_precompile_headers(pawl_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)

function(pawl_folder name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;TESTS;TEST_LINKS" ${ARGN})
    if(ARG_SOURCES)
        add_library(pawl_${name} STATIC ${ARG_SOURCES})
        target_link_libraries(pawl_${name} PUBLIC pawl_flags pawl_asio fmt::fmt ${ARG_LINKS})
        target_precompile_headers(pawl_${name} REUSE_FROM pawl_precompiled)
    else()
        add_library(pawl_${name} INTERFACE)
        target_link_libraries(pawl_${name} INTERFACE pawl_flags pawl_asio fmt::fmt ${ARG_LINKS})
    endif()
    add_library(pawl::${name} ALIAS pawl_${name})
    if(ARG_TESTS)
        pawl_test(${name}_test SOURCES ${ARG_TESTS} LINKS pawl::${name} ${ARG_TEST_LINKS})
    endif()
endfunction()

set(PAWL_TEST_SLOWNESS 1 CACHE STRING "So many times as long as elsewhere a test may take (sanitizers)")

# What the thread sanitizer has something to see in: `threaded` builds it, label `one_thread` has the rest of the tests.
add_custom_target(threaded)
set(PAWL_ONE_THREAD "^(src/(core|gateway|engine|surface)|test/gateway|sim)(/|$)")

# pawl_test(NAME SOURCES ... LINKS ...): one GoogleTest program, one ctest entry.
function(pawl_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * ${PAWL_TEST_SLOWNESS}")
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINKS} pawl_flags pawl_asio fmt::fmt GTest::gmock GTest::gtest_main)
    target_precompile_headers(${name} REUSE_FROM pawl_precompiled)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    if(folder MATCHES "${PAWL_ONE_THREAD}")
        list(APPEND ARG_LABELS one_thread)
    else()
        add_dependencies(threaded ${name})
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "unit;${ARG_LABELS}")
endfunction()

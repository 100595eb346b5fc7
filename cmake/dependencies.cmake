# SPDX-License-Identifier: Apache-2.0
# Everything comes from Debian 12; `tools/setup build` installs what is missing.

set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(OpenSSL 3 REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# The program's allocator (docs/decisions/0008-allocator.md). Sanitizers bring their own.
find_library(PAWL_JEMALLOC NAMES jemalloc REQUIRED)

add_library(pawl_asio INTERFACE)
target_link_libraries(pawl_asio INTERFACE Boost::headers Threads::Threads OpenSSL::SSL OpenSSL::Crypto)

# SPDX-License-Identifier: Apache-2.0
# The commands of every day. Each installs what is missing first (tools/setup, Debian 12).
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
ARGS ?=
PREFIX ?= /usr/local
PAWL := $(CURDIR)/build/release/pawl
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help run test test-deep bench bench-long format tidy lint coverage clean dev release install

help: ## this list
	@echo "Pawl makes HTTP operations take effect exactly once."
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: ## build what is missing, then start Pawl (ARGS="--config pawl.yaml")
	@tools/setup run
	@$(MAKE) release
	@exec $(PAWL) serve $(ARGS)

test: ## every test but the deep ones
	@tools/setup build test
	@$(MAKE) dev release
	@PAWL_BIN=$(PAWL) ctest --test-dir build/dev -LE 'deep|service' --output-on-failure --no-tests=error
	@# Real servers on real time: a machine that stands still for seconds gets a second try; the log keeps the first.
	@PAWL_BIN=$(PAWL) ctest --test-dir build/dev -L service -LE deep --output-on-failure --no-tests=error \
		--repeat until-pass:2

test-deep: ## sanitizers, another optimisation level, more seeds, fuzzing, kills, lint (ARGS="asan fuzz")
	@tools/setup build test lint
	@$(MAKE) dev release
	@tools/test_deep $(ARGS)

bench: ## measure on this machine, beside peers
	@tools/setup build bench
	@$(MAKE) release
	@bench/run $(ARGS)
	@bench/orders
	@bench/crowd

bench-long: ## ten minutes at half load, a million deadlines, ten million records (half an hour, 12 GiB of disk)
	@tools/setup build bench
	@$(MAKE) release
	@bench/sustained
	@bench/deadlines
	@bench/growth

format: ## lay out every C++ file by .clang-format
	@tools/setup lint
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-19 -i

tidy: ## the house rules (also a test)
	@tools/tidy

lint: ## clang-tidy over what differs from main (ARGS=--all: over everything)
	@tools/setup build lint
	@$(MAKE) dev
	@tools/lint $(ARGS)

coverage: ## line, branch and condition coverage of the unit tests
	@tools/setup build test lint
	@tools/coverage

clean: ## remove what was built
	rm -rf build

dev: ## build everything for tests, without running them
	@cmake --preset dev --log-level=WARNING >/dev/null
	@cmake --build --preset dev -j $(JOBS)

release: ## build the program as it is shipped: build/release/pawl
	@cmake --preset release --log-level=WARNING >/dev/null
	@[ -x $(PAWL) ] || echo "building Pawl for the first time: several minutes, of which linking is the last"
	@tools/patiently 'building Pawl' cmake --build --preset release -j $(JOBS) --target product

install: release ## put the program on the PATH (PREFIX=/usr/local)
	@cmake --install build/release --prefix $(PREFIX) --component product

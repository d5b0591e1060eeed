# Everything one does with a clone of Beeline. Needs Python 3.11 with venv, g++ and make; the rest comes from PyPI.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# How many processes the tests run in; each takes tests from another that still has many.
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
NATIVE := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name CMakeLists.txt) CMakeLists.txt
MODULES := $(firstword $(shell find src -name '*.py' | sort | cksum))
CPP := $(shell find native -name "*.cpp" -o -name "*.hpp") $(wildcard src/beeline/gpu/kernels/*.h)

.PHONY: all venv build test unit slow browser editor docs docs-figures plots coverage tidy soundness lint format demo bench bench-full instructions speed conformance gpu-test sanitize sanitized race raced clean

all: build

$(VENV)/.ready: pyproject.toml
	@echo "making an environment in $(VENV) and installing packages into it (a minute or two)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --upgrade pip
	@$(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
	  print(*p['dependencies'], *p['optional-dependencies']['dev'], sep='\n')" > $(VENV)/requirements.txt
	@$(BIN)/python -m pip install -q -r $(VENV)/requirements.txt
	@touch $@

venv: $(VENV)/.ready

# The installed package knows its modules by their files: when one comes or goes, it is installed again.
$(VENV)/.modules-$(MODULES): $(VENV)/.ready
	@rm -f $(VENV)/.modules-*
	@touch $@

# No build isolation: the build folder keeps its objects, so that a rebuild compiles only what changed.
# The generated stub is copied to where mypy and editors look for it.
$(VENV)/.built: $(VENV)/.ready $(VENV)/.modules-$(MODULES) $(NATIVE) pyproject.toml
	@echo "building the engine (some minutes the first time; later only what changed)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .
	@cp $(VENV)/lib/python3*/site-packages/beeline/_native.pyi src/beeline/
	@touch $@

build: $(VENV)/.built

test: build lint unit

unit: build
	$(PYTEST)

# The optional packages of pyproject.toml that some targets need: .venv/.docs has those of `docs`, and so on.
# Tests in a real browser need Chromium besides (Debian's package `chromium`).
EXTRAS := browser docs coverage tidy plots gpu
$(EXTRAS:%=$(VENV)/.%): $(VENV)/.%: $(VENV)/.ready
	$(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
	  print(*p['optional-dependencies']['$*'], sep='\n')" > $(VENV)/$*.txt
	$(BIN)/python -m pip install -q -r $(VENV)/$*.txt
	touch $@

browser: $(VENV)/.browser

plots: $(VENV)/.plots

# The extension for VS Code: tested, and packed as editors/vscode/dist/beeline.vsix. Needs Node.js; the rest comes from npm.
editor: build
	cd editors/vscode && npm ci --no-fund --no-audit --loglevel=error && npm run --silent test && npm run --silent package

# The documentation as a site in site/; any warning is an error.
docs: build $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# A sample of the figures of docs/directed.md measured again: shows cells that are stale. Some minutes, and not in CI.
docs-figures: build
	$(BIN)/python -m benchmarks.docs_figures

# Which lines of the Python package the tests run: a table, and pages in build/coverage/html. TESTS=tests/por for some tests only.
coverage: build $(VENV)/.coverage
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/python -m coverage run -m pytest $(TESTS)
	$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage html -q
	$(BIN)/python -m coverage report --skip-covered

# The checks of .clang-tidy on what the module is made of.
tidy: build $(VENV)/.tidy
	find native -name '*.cpp' -not -path 'native/tests/*' | xargs -P 2 -n 4 $(BIN)/clang-tidy --quiet -p $(firstword $(wildcard build/cp*))

slow: build
	$(PYTEST) --slow -m slow

# Those of the slow tests that compare reductions and searches with plain search on thousands of models, and take about six minutes of one core.
SOUND := tests/por/test_soundness.py::test_thousands_of_promela_programs tests/searches/test_default.py \
	tests/preprocessing/test_soundness.py::test_thousands_of_networks_of_any_kind \
	tests/preprocessing/test_soundness.py::test_thousands_of_loosely_coupled_networks
soundness: build
	$(PYTEST) --slow -m slow $(SOUND)

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)

format: venv
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

# The bundled model is faulty: the checker is right to exit with 1, "violated".
demo: build
	@echo 'beeline check models/python/philosophers.py'
	@$(BIN)/beeline check models/python/philosophers.py; test $$? -eq 1
	@echo 'next: . $(BIN)/activate, and docs/quickstart.md'

# Promela models through SPIN and through Beeline; SPIN's answers are remembered by content.
conformance: build
	$(BIN)/python -m benchmarks.conformance

# Needs a GPU: counts, verdicts and traces there next to the processor's, on bundled models, BEEM and random programs; then
# a few of them under NVIDIA's sanitizer, if it is installed.
SANITIZED := benchmarks.gpu compare --alone --largest 0 --random 2 --only ferry mailbox needham random
gpu-test: build
	$(BIN)/python -m benchmarks.gpu compare
	if command -v compute-sanitizer > /dev/null; then for tool in memcheck racecheck; do \
	  compute-sanitizer --error-exitcode 1 --tool $$tool $(BIN)/python -m $(SANITIZED) || exit 1; done; fi

# Beeline next to SPIN: search alone, from command to verdict, memory. Some minutes.
speed: build
	$(BIN)/python -m benchmarks.speed

# Short suites, about ten minutes; and everything, some hours.
bench: build
	$(BIN)/python -m benchmarks

bench-full: build
	$(BIN)/python -m benchmarks full

# Instructions that small searches execute, next to the recorded ones: a minute, and no matter how busy the machine is.
instructions: build
	$(BIN)/python -m benchmarks.instructions

# Models with clocks are compiled by Python first: the native tests search their zone graphs, too.
sanitize: build sanitized
	$(BIN)/python native/tests/programs.py build/sanitize/programs
	BEELINE_PROGRAMS=build/sanitize/programs build/sanitize/native/beeline_tests

# Compiles them.
sanitized: $(VENV)/.ready
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -DBEELINE_MODULE=OFF -DBEELINE_TESTS=ON -DBEELINE_SANITIZE=address,undefined > /dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitize

# Searches by several threads under the thread sanitizer.
race: build raced
	$(BIN)/python native/tests/programs.py build/race/programs
	BEELINE_PROGRAMS=build/race/programs build/race/native/beeline_tests parallel

raced: $(VENV)/.ready
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/race -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -DBEELINE_MODULE=OFF -DBEELINE_TESTS=ON -DBEELINE_TESTS_NAMED=parallel -DBEELINE_SANITIZE=thread > /dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/race

clean:
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .pytest_cache src/beeline/_native.pyi

# Each target sets up what it needs. See README.md.
# The parts of `make test-all` beside `make test`
LONG = test-experiments test-browser test-audit test-running test-fuzz test-soak test-rest test-pages test-labs
.PHONY: env test-env book slides test test-all $(LONG) run experiments paper sweep audit lab bench clean \
	pdf zip wheelhouse article release publish newest
.DELETE_ON_ERROR:

# The first Python 3.11 to 3.13 that can make virtual environments; `make PYTHON=...` overrides.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	>/dev/null 2>&1 && { echo $$p; break; }; done)
BIN = .venv/bin

# Where there is a folder of wheels (`make wheelhouse`), packages come from it and no network is asked.
ifneq ($(wildcard wheelhouse),)
export PIP_NO_INDEX = 1
export PIP_FIND_LINKS = wheelhouse
export UV_FIND_LINKS = wheelhouse
endif
# Modules are compiled when they are first imported, and only once, whatever the environment asks for.
export PYTHONDONTWRITEBYTECODE =

# $(call install,ENVIRONMENT,LOCKS): exactly these packages; by pip where uv cannot be had or fails. uv does not read
# pip's settings: it is told which index and which certificates are set for pip
install = set_for_pip() { $(1)/bin/python -m pip config list | sed -n "s/^[^=]*[.]$$1='\(.*\)'$$/\1/p" | head -n 1; }; \
	index=$$(set_for_pip index-url); certificates=$$(set_for_pip cert); \
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check "$$(grep '^uv==' requirements.lock)" \
	&& env $${index:+"UV_DEFAULT_INDEX=$$index"} $${certificates:+"SSL_CERT_FILE=$$certificates"} \
		$(1)/bin/uv pip sync --quiet $(if $(PIP_NO_INDEX),--no-index) --python $(1)/bin/python $(2) \
	|| $(1)/bin/python -m pip install --no-deps --disable-pip-version-check --progress-bar on $(addprefix -r ,$(2))
# $(call begin,ENVIRONMENT): an empty environment that finds `lib` in this folder
begin = test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 with venv is needed: install one, or say make PYTHON=/path/to/python"; exit 1; }; \
	$(PYTHON) -m venv --clear $(1) && $(1)/bin/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "aggregate-location.pth").write_text(str(pathlib.Path.cwd()) + "\n")'

# What the book and `python -m lib` need
env: .venv/.installed
.venv/.installed: requirements.lock
	@$(call begin,.venv)
	@echo "installing the packages of requirements.lock"
	@$(call install,.venv,requirements.lock)
	@touch $@

# What the tests need, too
test-env: .venv/.tests-installed
.venv/.tests-installed: .venv/.installed requirements-test.lock
	@echo "installing the packages of requirements-test.lock"
	@$(call install,.venv,requirements.lock requirements-test.lock)
	@touch $@

book: env
	@$(BIN)/python -m lib book

# A deck for each chapter, in _build/slides
slides: env
	@$(BIN)/python -m lib slides

PYTEST = $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
# Pages whose numbers are computed again in seconds; `make test-pages` takes the others
QUICK_PAGES = fano fano_bounds replication/crowd replication/fano replication/kk replication/threshold replication/zk
PAGES = $(patsubst notebooks/%.py,%,$(wildcard notebooks/*.py notebooks/replication/*.py))

# Is this checkout sound? Style, types, fast tests, one unit of each family of experiments, quick pages
test: test-env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYTEST) -m "not slow" tests
	$(BIN)/python -m lib check $(QUICK_PAGES)

# Everything. Each part can be run alone
test-all: test $(LONG)

# One unit of every experiment, computed again and compared; an experiment that is killed goes on
test-experiments: test-env
	$(PYTEST) --dist worksteal -m slow tests/papers

# The built book and its slides in Chromium: accessible, whole on a phone and on paper, no request to another host
test-browser: test-env
	$(PYTEST) -m slow tests/pages

test-audit: test-env
	$(PYTEST) --dist worksteal -m slow tests/audit

# Runs, sweeps and pages that are executed, interrupted, killed and resumed
test-running: test-env
	$(PYTEST) --dist worksteal -m slow tests/chapters tests/execution

# Inputs nobody would write; FUZZ_CASES=5000 for more
test-fuzz: test-env
	$(PYTEST) -m slow tests/fuzz

# Chapters with valid parameters drawn at random; SOAK=20 draws each of them (an hour)
test-soak: test-env
	$(PYTEST) --dist worksteal tests/repository/test_soak.py

test-rest: test-env
	$(PYTEST) --dist worksteal -m slow tests --ignore tests/papers --ignore tests/pages --ignore tests/audit \
		--ignore tests/chapters --ignore tests/execution --ignore tests/fuzz --ignore tests/repository/test_soak.py

# The pages that `make test` leaves out are executed again, and every documented number is compared
test-pages: test-env
	$(BIN)/python -m lib check $(filter-out $(QUICK_PAGES),$(PAGES))

# Every lab: solution 100%, empty copy 0, each wrong answer loses its own step. make test-labs LAB=foundations
test-labs: .venv-course/.installed
	@.venv-course/bin/python -m tests.labs.proof $(LAB)

# make run NOTEBOOK=foundations PARAMS="seed=7"
run: env
	@test -n "$(NOTEBOOK)" || { echo "say which: make $@ NOTEBOOK=foundations"; exit 2; }
	@$(BIN)/python -m lib run "$(NOTEBOOK)" --params "$(PARAMS)"

# make experiments; make experiments NAME=kk
experiments: env
	@$(BIN)/python -m lib experiments $(NAME)

# make paper; make paper NAME=kk; make paper NAME=foundations-sum-attack
paper: env
	@$(BIN)/python -m lib paper $(NAME)

# make sweep FILE=my.yml
sweep: env
	@test -n "$(FILE)" || { echo "say which: make sweep FILE=my.yml"; exit 2; }
	@$(BIN)/python -m lib sweep "$(FILE)"

# make audit; make audit FILE=records.csv RELEASE=release.yml OUT=report
audit: env
	@$(BIN)/python -m lib audit $(if $(FILE),"$(FILE)" --release "$(RELEASE)",--example) $(if $(OUT),--out "$(OUT)")

.venv-course/.installed: requirements-course.lock
	@$(call begin,.venv-course)
	@echo "installing the packages of requirements-course.lock"
	@$(call install,.venv-course,requirements-course.lock)
	@touch $@

# make lab: the chapters in JupyterLab; make lab LAB=foundations: one lab, as a student gets it
lab: .venv-course/.installed
	@.venv-course/bin/python -m lib.chapters.labs open $(LAB)

# What is published, into _build: the book as PDF (needs Chromium); a zip of notebooks that run without git
pdf: book test-env
	@$(BIN)/python -m lib publish pdf

zip: env
	@$(BIN)/python -m lib publish zip

# The packages of all locks as wheels for this Python and system, with checksums; with them no network is needed
wheelhouse: export PIP_NO_INDEX =
wheelhouse: export PIP_FIND_LINKS =
wheelhouse: export UV_FIND_LINKS =
wheelhouse: env
	@$(BIN)/python -m lib publish wheelhouse

# The software paper, paper/paper.md, with its numbers counted anew
article: env
	@$(BIN)/python -m lib publish article

# All of it and the stored results into _build/release, with checksums
release: book test-env
	@$(BIN)/python -m lib publish release

# Hands _build/release to GitHub under a tag that exists: make publish TAG=v0.1.0 (needs gh and its token)
publish:
	@test -n "$(TAG)" || { echo "say which: make publish TAG=v0.1.0"; exit 2; }
	cd _build/release && sha256sum --check SHA256SUMS
	gh release create "$(TAG)" --verify-tag --title "$(TAG)" --notes-file CHANGELOG.md _build/release/*

# The fast tests with the newest versions of what requirements.in names, in an environment of its own. Pages and
# stored results are out of date there by definition: they depend on the locked numerical packages.
STALE_THERE = --deselect tests/papers/test_experiments.py::test_no_stored_results_are_out_of_date \
	--deselect tests/pages/test_notebooks.py::test_is_executed_and_made_from_the_present_inputs
newest:
	$(PYTHON) -m venv --clear runs/newest
	runs/newest/bin/python -m pip install --quiet --upgrade -r requirements.in -r requirements-test.in
	runs/newest/bin/python -m pip list
	PYTHONPATH=$(CURDIR) runs/newest/bin/python -m pytest -n 2 --dist loadfile -m "not slow" -p no:cacheprovider $(STALE_THERE)

bench: test-env
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.bench

clean:
	rm -rf _build .venv .venv-course runs/newest wheelhouse.part .nbval .executing-* .mypy_cache .ruff_cache .pytest_cache

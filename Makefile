# Each target sets up what it needs. See README.md.
.PHONY: env book check test soak run studies paper sweep lab lab-check bench clean
.DELETE_ON_ERROR:

# The first Python 3.11 to 3.13 that can make virtual environments; `make PYTHON=...` overrides.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	>/dev/null 2>&1 && { echo $$p; break; }; done)
BIN = .venv/bin

env: .venv/.installed

.venv/.installed: requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 with venv is needed: install one, or say make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --no-deps --disable-pip-version-check --progress-bar on -r requirements.lock
	@$(BIN)/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "aggregate-location.pth").write_text(str(pathlib.Path.cwd()) + "\n")'
	@touch $@

book: env
	@$(BIN)/python -m lib book

# While editing: style, types and the fast tests, and the numbers of pages that changed since they were last found good
check: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow"
	$(BIN)/python -m lib check

# Before a merge: everything
test: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m lib check --all tests

# make run NOTEBOOK=foundations PARAMS="seed=7"
run: env
	@test -n "$(NOTEBOOK)" || { echo "say which: make $@ NOTEBOOK=foundations"; exit 2; }
	@$(BIN)/python -m lib run "$(NOTEBOOK)" --params "$(PARAMS)"

# make studies; make studies NAME=kk
studies: env
	@$(BIN)/python -m lib studies $(NAME)

# make paper; make paper NAME=kk; make paper NAME=foundations-sum-attack
paper: env
	@$(BIN)/python -m lib paper $(NAME)

# make sweep FILE=my.yml
sweep: env
	@test -n "$(FILE)" || { echo "say which: make sweep FILE=my.yml"; exit 2; }
	@$(BIN)/python -m lib sweep "$(FILE)"

# Twenty random choices of parameters in each chapter, and a reader's own data: about an hour
soak: env
	SOAK=20 $(BIN)/python -m pytest -n 2 tests/test_soak.py

.venv-course/.installed: requirements-course.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 with venv is needed: install one, or say make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv --clear .venv-course
	.venv-course/bin/python -m pip install --no-deps --disable-pip-version-check --progress-bar on -r requirements-course.lock
	@.venv-course/bin/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "aggregate-location.pth").write_text(str(pathlib.Path.cwd()) + "\n")'
	@touch $@

# make lab: the chapters in JupyterLab; make lab LAB=foundations: one lab, as a student gets it
lab: .venv-course/.installed
	@.venv-course/bin/python -m lib.running.labs open $(LAB)

# Every lab: solution 100%, empty copy 0, each wrong answer loses its own step. make lab-check LAB=foundations
lab-check: .venv-course/.installed
	@.venv-course/bin/python -m lib.running.labs check $(LAB)

bench: env
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.bench

clean:
	rm -rf _build .venv .venv-course labs .nbval .executing-* .mypy_cache .ruff_cache .pytest_cache

# Each target sets up what it needs. See README.md.
.PHONY: env book test run paper sweep bench clean
.DELETE_ON_ERROR:

# The first Python 3.11 to 3.13 that can make virtual environments; `make PYTHON=...` overrides.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	>/dev/null 2>&1 && { echo $$p; break; }; done)
BIN = .venv/bin
NBVAL_ENV = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell TQDM_DISABLE=1

env: .venv/.installed

.venv/.installed: requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 with venv is needed: install one, or say make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --no-deps --disable-pip-version-check --progress-bar on -r requirements.lock
	@$(BIN)/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "aggregate-location.pth").write_text(str(pathlib.Path.cwd()) + "\n")'
	@touch $@

book: env
	@$(BIN)/python -m lib book

test: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile
	$(NBVAL_ENV) $(BIN)/python -m pytest --nbval --nbval-current-env -n 2 --dist loadscope book/*.ipynb

# make run NOTEBOOK=foundations PARAMS="seed=7"
run: env
	@test -n "$(NOTEBOOK)" || { echo "say which: make $@ NOTEBOOK=foundations"; exit 2; }
	@$(BIN)/python -m lib run "$(NOTEBOOK)" --params "$(PARAMS)"

# make paper; make paper NOTEBOOK=foundations
paper: env
	@$(BIN)/python -m lib paper $(NOTEBOOK) --params "$(PARAMS)"

# make sweep FILE=my.yml
sweep: env
	@test -n "$(FILE)" || { echo "say which: make sweep FILE=my.yml"; exit 2; }
	@$(BIN)/python -m lib sweep "$(FILE)"

bench: env
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.bench

clean:
	rm -rf _build .venv .executing-* .mypy_cache .ruff_cache .pytest_cache

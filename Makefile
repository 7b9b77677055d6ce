# Two commands on a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo serve test test-all check matrix words docs pictures bench public-tables clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.tests: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test,check]"
	touch $@

# Tests of databases and of Spark start servers of their own.
$(VENV)/.services: tests/services/install | $(STAMP)
	tests/services/install
	touch $@

demo: $(STAMP)
	$(BIN)/python examples/demo.py

$(VENV)/.web: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[web]"
	touch $@

serve: $(VENV)/.web
	$(BIN)/celosia serve --open

# What must pass, in less than ten minutes on two cores.
test: $(VENV)/.tests $(VENV)/.services check
	$(BIN)/python -m pytest -n auto -m "not exhaustive" --durations=20

# Everything: each rare case, and four times as many random examples.
test-all: $(VENV)/.tests $(VENV)/.services check
	$(BIN)/python -m pytest -n auto --hypothesis-profile=exhaustive --durations=20

check: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The wheel in empty environments: the lowest versions that pyproject.toml promises, and every Python that is here.
.venv-matrix/.installed:
	$(PYTHON) -m venv .venv-matrix
	.venv-matrix/bin/python -m pip install --quiet --disable-pip-version-check uv
	touch $@

# Without a shell in between, which a test would take for that of whoever sits at the terminal.
matrix: export PATH := $(CURDIR)/.venv-matrix/bin:$(PATH)
matrix: .venv-matrix/.installed
	.venv-matrix/bin/python tests/matrix.py

# What people read: bring the catalogue up to date with the code, and compile it.
words: $(VENV)/.tests
	$(BIN)/python tools/words.py

$(VENV)/.docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	touch $@

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The pages are in site/index.html"

# What the README shows of the result page and of the terminal.
pictures: $(VENV)/.tests $(VENV)/.services
	$(BIN)/python docs/pictures.py

# Other packages pin old versions of ours, so they get an environment of their own.
.venv-rivals/.installed: benchmarks/rivals.txt
	$(PYTHON) -m venv .venv-rivals
	.venv-rivals/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/rivals.txt
	touch $@

# Says at once which public tables are missing, and where they belong.
public-tables:
	@$(PYTHON) tests/oracles/public_tables.py

bench: public-tables $(VENV)/.tests $(VENV)/.services .venv-rivals/.installed
	$(BIN)/python benchmarks/full_domain.py
	$(BIN)/python benchmarks/mondrian.py
	$(BIN)/python benchmarks/clustering.py
	$(BIN)/python benchmarks/databases.py
	$(BIN)/python benchmarks/light.py
	$(BIN)/python benchmarks/text_files.py
	$(BIN)/python benchmarks/redact.py
	$(BIN)/python benchmarks/measure.py
	$(BIN)/python benchmarks/top_down.py
	$(BIN)/python benchmarks/perturb.py
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/spark.py
	$(BIN)/python benchmarks/spark_mondrian.py
	$(BIN)/python benchmarks/measure_suda.py
	$(BIN)/python benchmarks/measure_attacks.py
	$(BIN)/python benchmarks/private_tables.py
	$(BIN)/python benchmarks/case_study.py
	$(BIN)/python benchmarks/ledger.py
	$(BIN)/python benchmarks/web.py
	$(BIN)/python benchmarks/fuzz.py
	$(BIN)/python benchmarks/install_size.py

clean:
	rm -rf $(VENV) .venv-rivals .venv-matrix demo site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

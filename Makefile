# Every habit is a target. All of them make .venv first and install into it what is missing.
#
#   make run     a board on this machine, and its page     make run ARGS="--board /dev/ttyACM0"
#   make test    everything: lint, types, tests            make test ARGS="tests/rules -k MOVE"
#   make check   lint and types only
#   make silicon MicroPython for the emulated RP2040, found or built, and the board tests on it
#   make flash   firmware and board profile onto a Pico       make flash ARGS="/dev/ttyACM0"
#   make bench   latency on the simulated board
#   make soak    faults of all kinds for hours: link, cable, killed programs, switches, damaged files
#   make fmt     put the sources into shape
#   make words   what is new to translate comes into the catalogues, what is said no more goes
#   make pins    renew host/constraints.txt

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
STUBS := .venv/stubs

.PHONY: run test check silicon flash bench soak fmt words pins

run: $(READY)
	@exec $(BIN)/underglow run $(ARGS)

test: check chromium silicon
	$(BIN)/pytest $(ARGS)

# Without MicroPython for the chip these tests skip and say so; where CI is set, that fails.
silicon: $(READY)
	-@$(BIN)/python -m underglow.bench.uf2
	-@$(BIN)/python -m underglow.bench.emulator
	$(BIN)/pytest --board=chip tests/board

flash: $(READY)
	@exec $(BIN)/underglow flash $(ARGS)

check: $(READY)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/basedpyright --warnings
	$(BIN)/basedpyright --warnings --project .pyright-firmware.json

bench: $(READY)
	$(BIN)/underglow bench latency $(ARGS)

soak: $(READY)
	$(BIN)/underglow bench faults --frames 1000000 --replugs 1000 --kills 200
	$(BIN)/underglow bench soak --touches 100000
	$(BIN)/underglow bench attract --games 500 --page
	$(BIN)/underglow bench crowd --rounds 20
	$(BIN)/underglow bench fuzz --inputs 1000000 --jobs 2

fmt: $(READY)
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

words: $(READY)
	@$(BIN)/underglow words

pins: $(READY)
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager --editable '.[bench,chip]' --group dev
	$(BIN)/pip freeze --exclude-editable > host/constraints.txt

# $(call debian,PACKAGE,WHAT FOR): install it if we may, else say what to do.
debian = if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; \
	then apt-get update -qq && apt-get install -y -qq $(1) > /dev/null; \
	else echo "$(2): install it with  sudo apt-get install $(1)"; false; fi

$(READY): pyproject.toml host/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Underglow needs Python 3.11 or newer; name one with  make PYTHON=python3.12"; false; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { $(call debian,python3-venv,Python has no venv here); }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade --constraint host/constraints.txt pip
	$(BIN)/pip install --quiet --constraint host/constraints.txt --editable '.[bench,chip]' --group dev
	rm -rf $(STUBS)
	$(BIN)/pip install --quiet --constraint host/constraints.txt --target $(STUBS) micropython-rp2-stubs
	@touch $@

.PHONY: chromium
chromium:
	@command -v chromium chromium-browser google-chrome > /dev/null || \
		{ $(call debian,chromium,The browser tests need Chromium and are skipped); } || true

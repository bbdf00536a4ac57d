# Commands of the project. `make help` lists them.

GO ?= go
PACKAGES := ./...
HANDWRITTEN = git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs ls -d 2>/dev/null

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: generate build ## Run the example servers grizzly and bookworm on sample data.
	@$(GO) run ./examples/grizzly/demo bin/grizzly
	@echo
	@$(GO) run ./examples/bookworm/demo bin/bookworm

# TAGS=programs adds the tests that need Chromium, strace, npm, nginx and haproxy. CI sets it.
TAGS ?=

.PHONY: test
test: ## Run the checks of every change, in about two minutes.
	@$(MAKE) --no-print-directory -j2 format vet check test-short

# make vet runs go vet. Tests skip what takes long with -short, and send a tenth of their random inputs.
.PHONY: test-short
test-short:
	@echo "$(GO) test -short"
	@$(GO) test -short -vet=off -timeout 15m $(PACKAGES)

.PHONY: test-all
test-all: ## Run all checks; TAGS=programs includes those that need Chromium, strace, npm, nginx and haproxy.
	@$(MAKE) --no-print-directory -j2 format vet staticcheck check vuln test-full race

.PHONY: test-full
test-full:
	@echo "$(GO) test"
	@$(GO) test -vet=off -timeout 25m -tags "$(TAGS)" $(PACKAGES)

# A process that is built with the race detector waits for one second at exit, to find races in
# running goroutines. A tenth of a second is enough, and most tests start processes.
RACE := GORACE=atexit_sleep_ms=100 $(GO) test -race -vet=off

# Tests that run the same code with many inputs, or kill many processes.
RANDOM := -run 'TestOdd|TestExactLikeAnother|FuzzBudget|TestKilledAnywhere' ./sdk ./sdk/gen/decode ./sdk/tool/gen/handler ./examples/bookworm

.PHONY: race
race: ## Run the race detector on all tests, except the scripts of jptoolgen, which run complete commands.
	@echo "$(RACE)"
	@$(RACE) -short -tags "$(TAGS)" -timeout 25m $$($(GO) list $(PACKAGES) | grep -v '/cmd/jptoolgen$$')
	@$(RACE) -timeout 25m $(RANDOM)

.PHONY: race-scripts
race-scripts: ## Run the scripts of jptoolgen with the race detector; takes a long time.
	$(RACE) -timeout 30m ./cmd/jptoolgen

.PHONY: windows
windows: ## Run the unit tests of the runtime and the generator as Windows programs; needs wine.
	@internal/wine/test.sh

.PHONY: generate
generate: ## Generate code and contracts.
	$(GO) tool jptoolgen $(PACKAGES)

.PHONY: build
build: ## Build the commands into bin/.
	$(GO) build -o bin/ ./cmd/jptoolgen ./examples/grizzly ./examples/bookworm

.PHONY: docs
docs: ## Generate the tables and the picture in docs/ and README.md.
	UPDATE_DOCS=1 $(GO) test -p 1 -count 1 -run 'TestReference$$|TestDocumentedRules$$|TestPictureOfACall$$|TestReadmeComparesSDKs$$' ./cmd/jptoolgen ./cmd/jptoolgen/internal/breaking

SAMPLE := examples/bookworm/sample

.PHONY: sample
sample: ## Generate the documentation of bookworm's sample crate; needs cargo and zip.
	@tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	cargo doc -q --no-deps --manifest-path $(SAMPLE)/Cargo.toml --target-dir "$$tmp" && \
	find "$$tmp/doc" -exec touch -d '2026-01-01 00:00:00' {} + && rm -f $(SAMPLE)/tea-time-1.2.0.zip && zip="$$PWD/$(SAMPLE)/tea-time-1.2.0.zip" && \
	rm $(SAMPLE)/Cargo.lock && cd "$$tmp/doc" && TZ=UTC zip -q -X -9 -r -D "$$zip" . -x 'static.files/*' '.lock'

.PHONY: check
check: ## Fail if generated code or a contract is out of date.
	$(GO) tool jptoolgen --check $(PACKAGES)

.PHONY: format
format: ## Fail if gofmt would change a file.
	@unformatted=$$($(HANDWRITTEN) | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w would change:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet: ## Run go vet and jptoolgen vet.
	$(GO) vet -tags programs $(PACKAGES)
	$(GO) tool jptoolgen vet $(PACKAGES)

.PHONY: staticcheck
staticcheck: ## Run staticcheck at the version in go.mod.
	$(GO) tool staticcheck -tags programs $(PACKAGES)

# ONLY selects parts of the comparison, such as ONLY=http. Their results are printed, not written to the file.
ONLY ?=

.PHONY: bench
bench: ## Compare jptool with other SDKs and write bench/RESULTS.md; ONLY prints some parts instead.
	cd bench && $(GO) run . $(if $(ONLY),-only $(ONLY),-o RESULTS.md)

.PHONY: conformance
conformance: ## Run MCP's official conformance suite on the server and the client; needs npm.
	cd bench && $(GO) run ./conformance

.PHONY: abuse
abuse: ## Run trials with hostile clients against several SDKs; fails if jptool's server fails a trial.
	cd bench && $(GO) run ./abuse -v

.PHONY: battery
battery: ## Send more random messages, and build more random packages, than the tests, with a new seed.
	$(GO) test -count=1 -timeout 60m -run TestRandom ./cmd/jptoolgen/internal/emit -v -random.seed=$$(date +%s) -random.count=10000 -random.built=300
	$(GO) test -count=1 -run TestOdd ./sdk -odd.seed=$$(date +%s) -odd.calls=6000 -odd.messages=50000 -odd.starts=1000

CALLS ?= 1000000
# HTTP=true makes the calls over HTTP.
HTTP ?= false

FOREIGN := cmd/jptoolgen/testdata/foreign

.PHONY: test-foreign
test-foreign: ## Test tools with the types of well-known modules, at the versions in a go.mod of their own; downloads them.
	$(GO) build -o bin/ ./cmd/jptoolgen
	cd $(FOREIGN) && ../../../../bin/jptoolgen ./... && $(GO) vet ./... && $(GO) test -count 1 ./...

.PHONY: soak
soak: ## Call a server a million times (CALLS), over HTTP if HTTP=true, and fail if it leaks resources.
	cd bench && $(GO) run ./soak -calls $(CALLS) -http=$(HTTP)

.PHONY: bench-check
bench-check: ## Check the code of bench/, which is a separate module.
	$(GO) build -o bin/ honnef.co/go/tools/cmd/staticcheck
	cd bench && $(GO) vet ./... && $(GO) build ./... && ../bin/staticcheck ./...
	cd bench/kubernetes && $(GO) vet ./... && $(GO) test ./...

FUZZTIME ?= 10s

# At the end of FUZZTIME, the go command may report its own deadline as a failure of the target.
# For a real failure, it prints the input.
.PHONY: fuzz
fuzz: ## Fuzz every target for FUZZTIME (10s), one after another.
	@log=$$(mktemp) && trap 'rm -f "$$log"' EXIT && \
	grep -r --include='*_test.go' --exclude-dir=bench --exclude-dir=testdata -o '^func Fuzz[[:alnum:]_]*' . | sort | { failed=0; \
	while IFS=: read -r file func; do \
		echo "== $${func#func } in $${file%/*}"; \
		$(GO) test -run '^$$' -fuzz "^$${func#func }\$$" -fuzztime $(FUZZTIME) "$${file%/*}" 2>&1 | tee "$$log"; \
		if grep -q '^ok' "$$log"; then continue; fi; \
		if grep -q '^    context deadline exceeded$$' "$$log" && ! grep -q 'Failing input' "$$log"; then continue; fi; \
		failed=1; \
	done; exit $$failed; }

# Directories of test servers, and of packages that only tests and make use.
TEST_SERVERS := ^(internal/(conformance|fixture|odd|repair|vuln)|sdk/jp/jpdoc/vectortest|cmd/jptoolgen/internal/(corpus|kiosk))/

.PHONY: lines
lines: ## Count the lines of Go code without tests, generated code and test servers.
	@for dir in sdk cmd internal templates; do \
		git ls-files -co --exclude-standard "$$dir/*.go" | grep -vE '_test\.go$$|/testdata/|$(TEST_SERVERS)' | xargs ls -d 2>/dev/null | \
		xargs grep -LE '^// Code generated .* DO NOT EDIT\.$$' | xargs cat | wc -l | sed "s/$$/ $$dir/"; \
	done | awk '{ printf "%7d %s\n", $$1, $$2; total += $$1 } END { printf "%7d total\n", total }'

VULNDB ?= https://vuln.go.dev
# Directory of the database, which CI can cache (default jptool/vulndb in the user's cache directory).
VULNDIR ?=

.PHONY: vuln
vuln: ## Fail if the code calls a function with a known vulnerability; VULNDB may be a file:// URL.
	@$(GO) run ./internal/vuln -db $(VULNDB) -dir "$(VULNDIR)" $(PACKAGES)

.PHONY: licenses
licenses: ## Fail if docs/dependencies.md does not list a license or a linked module.
	$(GO) test -count 1 -run 'Licen|Dependenc|Linked' ./sdk

PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
DIST ?= dist
SYFT := github.com/anchore/syft/cmd/syft@v1.52.0

.PHONY: binaries
binaries:
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@for platform in $(PLATFORMS); do for command in ./cmd/jptoolgen ./examples/grizzly ./examples/bookworm; do \
		os=$${platform%/*} arch=$${platform#*/}; \
		file=$(DIST)/$${command##*/}_$${os}_$$arch; if [ $$os = windows ]; then file=$$file.exe; fi; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o $$file $$command || exit 1; \
	done; done
	@cd $(DIST) && sha256sum * > SHA256SUMS

.PHONY: dist
dist: binaries ## Build the release into dist/: binaries, checksums and bills of materials.
	@if $(GO) run $(SYFT) version >/dev/null; then \
		for file in $(DIST)/*_*; do \
			SYFT_CHECK_FOR_APP_UPDATE=false $(GO) run $(SYFT) scan -q file:$$file \
				-o spdx-json=$$file.spdx.json -o cyclonedx-json=$$file.cdx.json || exit 1; \
		done; \
	else \
		echo "dist: NO SBOM: $(SYFT) cannot be downloaded; modules.txt lists the modules instead" >&2; \
		$(GO) version -m $(DIST)/*_* > $(DIST)/modules.txt; \
	fi
	@cd $(DIST) && rm -f SHA256SUMS && sha256sum * > SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS

.PHONY: dist-check
dist-check: ## Check that builds in two directories produce the same binaries.
	@tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	for copy in a b/deeper; do \
		mkdir -p $$tmp/$$copy && git ls-files -co --exclude-standard | xargs tar cf - --ignore-failed-read 2>/dev/null | tar xf - -C $$tmp/$$copy && \
		$(MAKE) --no-print-directory -C $$tmp/$$copy binaries || exit 1; \
	done; \
	cmp $$tmp/a/dist/SHA256SUMS $$tmp/b/deeper/dist/SHA256SUMS && cat $$tmp/a/dist/SHA256SUMS

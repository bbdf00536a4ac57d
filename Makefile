# Every command of the project. `make help` lists them.

GO ?= go
PACKAGES := ./...
HANDWRITTEN = git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs ls -d 2>/dev/null

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: generate build ## Show grizzly answering from a sample database, asking, and creating a note.
	@$(GO) run ./examples/grizzly/demo bin/grizzly

.PHONY: test
test: format vet staticcheck check ## Everything that CI runs.
	$(GO) test -race -timeout 10m $(PACKAGES)

.PHONY: generate
generate: ## Write the generated code and contracts anew.
	$(GO) tool jptoolgen $(PACKAGES)

.PHONY: build
build: ## Build the commands into bin/.
	$(GO) build -o bin/ ./cmd/jptoolgen ./examples/grizzly

.PHONY: check
check: ## Fail if generated code or a contract is out of date.
	$(GO) tool jptoolgen --check $(PACKAGES)

.PHONY: format
format: ## Fail if gofmt would change a file.
	@unformatted=$$($(HANDWRITTEN) | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w would change:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet: ## Run go vet.
	$(GO) vet $(PACKAGES)

.PHONY: staticcheck
staticcheck: ## Run staticcheck, at the version go.mod pins.
	$(GO) tool staticcheck $(PACKAGES)

.PHONY: bench
bench: ## Run the benchmarks.
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

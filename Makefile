# For OpenBench and other builders: make EXE=name [ARCH=native|v2|v3|v4]
# With profile-guided optimisation: make pgo EXE=name
# Files to publish, in dist: make release [TARGET=x86_64-pc-windows-gnu]
EXE  ?= deepfeeling
ARCH ?= native

CPU_native := native
CPU_v2     := x86-64-v2
CPU_v3     := x86-64-v3
CPU_v4     := x86-64-v4
FLAGS      := -C target-cpu=$(CPU_$(ARCH))

# shown by `deepfeeling --version`
export DEEPFEELING_COMMIT := $(shell git describe --always --dirty --abbrev=10 2>/dev/null)

# `make pgo` needs llvm-profdata that reads the profiles of rustc: `rustup component add llvm-tools`,
# or a package such as llvm-19 (works with rustc 1.95) and PROFDATA=llvm-profdata-19
HOST     = $(shell rustc -vV | sed -n 's/host: //p')
TOOLS    = $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin
PROFDATA ?= $(firstword $(wildcard $(TOOLS)/llvm-profdata) llvm-profdata)
PROFILE  := $(CURDIR)/target/pgo/profile
# with --target, build scripts are not instrumented
BUILD    = cargo build --release --locked --target $(HOST) --target-dir target/pgo
BINARY   = target/pgo/$(HOST)/release/deepfeeling

# `make release` needs cargo-cyclonedx, and the C compiler of the target for another system
TARGET  ?= $(HOST)
VERSION  = $(shell cargo pkgid -p deepfeeling | sed 's/.*[\#@]//')
SUFFIX   = $(if $(findstring windows,$(TARGET)),.exe)
LEVELS   = $(if $(filter x86_64%,$(TARGET)),v2 v3 v4,generic)
CPU_generic := generic
# no path of this machine, so that equal sources and compilers give equal files
REMAP    = --remap-path-prefix=$(CURDIR)=. --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo

.PHONY: all pgo release clean

all:
	RUSTFLAGS="$(FLAGS)" cargo build --release --locked
	cp target/release/deepfeeling $(EXE)

# Builds with counters, runs the bench, and builds again for the branches that it took.
pgo:
	$(PROFDATA) --version > /dev/null
	rm -rf $(PROFILE)
	RUSTFLAGS="$(FLAGS) -C profile-generate=$(PROFILE)" $(BUILD)
	$(BINARY) bench
	$(PROFDATA) merge -o $(PROFILE)/merged.profdata $(PROFILE)
	RUSTFLAGS="$(FLAGS) -C profile-use=$(PROFILE)/merged.profdata" $(BUILD)
	cp $(BINARY) $(EXE)

# One file per processor level, their checksums and a list of everything inside.
release: $(LEVELS:%=release-%)
	cargo cyclonedx --format json --override-filename deepfeeling.cdx
	mv deepfeeling.cdx.json dist/deepfeeling-$(VERSION).cdx.json
	rm -f games/deepfeeling.cdx.json
	cd dist && sha256sum deepfeeling-$(VERSION)* > SHA256SUMS && cat SHA256SUMS

release-%:
	mkdir -p dist
	RUSTFLAGS="-C target-cpu=$(CPU_$*) $(REMAP)" CARGO_PROFILE_RELEASE_STRIP=true \
	    cargo build --release --locked --target $(TARGET) --target-dir target/dist
	cp target/dist/$(TARGET)/release/deepfeeling$(SUFFIX) \
	    dist/deepfeeling-$(VERSION)-$(TARGET)-$*$(SUFFIX)

clean:
	cargo clean

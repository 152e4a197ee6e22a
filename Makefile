# For OpenBench and other builders: make EXE=name [ARCH=native|v2|v3|v4]
# With profile-guided optimisation: make pgo EXE=name
# Files to publish, in dist: make release [TARGET=x86_64-pc-windows-gnu]
# The same, about 10 % faster: make profile, then make release GUIDE=target/pgo/profile.profdata
EXE  ?= deepfeeling
ARCH ?= native

CPU_native := native
CPU_v2     := x86-64-v2
CPU_v3     := x86-64-v3
CPU_v4     := x86-64-v4
FLAGS      := -C target-cpu=$(CPU_$(ARCH))

# shown by `deepfeeling --version`
export DEEPFEELING_COMMIT := $(shell git describe --always --dirty --abbrev=10 2>/dev/null)

# `make profile` needs llvm-profdata that reads the profiles of rustc: `rustup component add llvm-tools`,
# or a package such as llvm-19 (works with rustc 1.95) and PROFDATA=llvm-profdata-19
HOST     = $(shell rustc -vV | sed -n 's/host: //p')
TOOLS    = $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin
PROFDATA ?= $(firstword $(wildcard $(TOOLS)/llvm-profdata) llvm-profdata)
COUNTS   := $(CURDIR)/target/pgo/counts
PROFILE  := $(CURDIR)/target/pgo/profile.profdata
# the names of functions depend on it, and a profile fits only equal names
STRIPPED := CARGO_PROFILE_RELEASE_STRIP=true
# with --target, build scripts are not instrumented
BUILD    = $(STRIPPED) cargo build --release --locked --target $(HOST) --target-dir target/pgo
BINARY   = target/pgo/$(HOST)/release/deepfeeling

# `make release` needs cargo-cyclonedx, and the C compiler of the target for another system
TARGET  ?= $(HOST)
VERSION  = $(shell cargo pkgid -p deepfeeling | sed 's/.*[\#@]//')
SUFFIX   = $(if $(findstring windows,$(TARGET)),.exe)
LEVELS   = $(if $(filter x86_64%,$(TARGET)),v2 v3 v4,generic)
CPU_generic := generic
# no path of this machine, so that equal sources and compilers give equal files
REMAP    = --remap-path-prefix=$(CURDIR)=. --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo

ifneq ($(GUIDE),$(wildcard $(GUIDE)))
$(error GUIDE: found no file $(GUIDE); `make profile` records target/pgo/profile.profdata)
endif

.PHONY: all profile pgo release clean

all:
	RUSTFLAGS="$(FLAGS)" cargo build --release --locked
	cp target/release/deepfeeling $(EXE)

# Builds with counters and runs the bench, to learn which branches it takes.
profile:
	$(PROFDATA) --version > /dev/null
	rm -rf $(COUNTS)
	RUSTFLAGS="$(FLAGS) -C profile-generate=$(COUNTS)" $(BUILD)
	$(BINARY) bench
	$(PROFDATA) merge -o $(PROFILE) $(COUNTS)

# Builds for the branches that the bench takes.
pgo: profile
	RUSTFLAGS="$(FLAGS) -C profile-use=$(PROFILE)" $(BUILD)
	cp $(BINARY) $(EXE)

# One file per processor level, the profile, their checksums and a list of everything inside.
release: $(LEVELS:%=release-%)
	$(if $(GUIDE),cp $(GUIDE) dist/deepfeeling-$(VERSION)-$(TARGET).profdata)
	cargo cyclonedx --format json --override-filename deepfeeling.cdx
	mv deepfeeling.cdx.json dist/deepfeeling-$(VERSION).cdx.json
	rm -f games/deepfeeling.cdx.json
	cd dist && sha256sum deepfeeling-$(VERSION)* > SHA256SUMS && cat SHA256SUMS

release-%:
	mkdir -p dist
	RUSTFLAGS="-C target-cpu=$(CPU_$*) $(REMAP) $(GUIDE:%=-C profile-use=$(abspath $(GUIDE)))" $(STRIPPED) \
	    cargo build --release --locked --target $(TARGET) --target-dir target/dist
	cp target/dist/$(TARGET)/release/deepfeeling$(SUFFIX) \
	    dist/deepfeeling-$(VERSION)-$(TARGET)-$*$(SUFFIX)

clean:
	cargo clean

# For OpenBench and other builders: make EXE=name [ARCH=native|v2|v3]
# With profile-guided optimisation: make pgo EXE=name
EXE  ?= deepfeeling
ARCH ?= native

CPU_native := native
CPU_v2     := x86-64-v2
CPU_v3     := x86-64-v3
FLAGS      := -C target-cpu=$(CPU_$(ARCH))

# `make pgo` needs llvm-profdata of at least the LLVM version of rustc (rustc -vV):
# `rustup component add llvm-tools`, or a package such as llvm-22 and PROFDATA=llvm-profdata-22
HOST     = $(shell rustc -vV | sed -n 's/host: //p')
TOOLS    = $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin
PROFDATA ?= $(firstword $(wildcard $(TOOLS)/llvm-profdata) llvm-profdata)
PROFILE  := $(CURDIR)/target/pgo/profile
# with --target, build scripts are not instrumented
BUILD    = cargo build --release --locked --target $(HOST) --target-dir target/pgo
BINARY   = target/pgo/$(HOST)/release/deepfeeling

.PHONY: all pgo clean

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

clean:
	cargo clean

# For OpenBench and other builders: make EXE=name [ARCH=native|v2|v3]
EXE  ?= deepfeeling
ARCH ?= native

CPU_native := native
CPU_v2     := x86-64-v2
CPU_v3     := x86-64-v3

.PHONY: all clean

all:
	RUSTFLAGS="-C target-cpu=$(CPU_$(ARCH))" cargo build --release --locked
	cp target/release/deepfeeling $(EXE)

clean:
	cargo clean

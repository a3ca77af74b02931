# SPDX-License-Identifier: MIT
# Two commands for users: `make demo` and `make test`. Both install what a fresh Debian 12 or 13 lacks, build and run. `make check` is
# for developers: all the rest that must hold.

# everything that building, testing and drawing need
PACKAGES := build-essential clang clang-format cmake pkg-config gnuplot-nox libarpack2-dev libcmocka-dev libhdf5-dev \
            libclang-rt-dev liblapacke-dev libnlopt-dev libopenmpi-dev libsuitesparse-dev libsundials-dev libxxhash-dev lld ninja-build \
            libxml2-utils locales openmpi-bin python3-numpy zlib1g-dev
# what the page of `kane view` needs to be built (npm may come from elsewhere), and what its tests and others of `make check` need to run
PAGE_PACKAGES  := $(if $(shell command -v npm),,npm)
CHECK_PACKAGES := $(if $(shell command -v chromium chromium-browser google-chrome),,chromium) fontconfig fonts-dejavu-core \
                  gcc-aarch64-linux-gnu libc6-dev-arm64-cross python3-h5netcdf python3-jsonschema python3-xarray qemu-user valgrind
JOBS     := $(shell nproc)
KANE     := build/release/bin/kane
DEMO     := build/demo
PAGE_BUILT := build/release/share/kane/view/page.html

MAKEFLAGS += --no-print-directory

.PHONY: help demo test check papers debian surroundings machines fuzz packages page_packages check_packages release clean

help:
	@echo "make demo   a wagon in a transition curve, a coach in equilibrium and its modes, what an imaginary torque does;"
	@echo "            PAGE=no: without npm, and without the page of the run that it helps to build"
	@echo "make test   build everything and run the tests"
	@echo "make check  what make test leaves out: long tests, sanitizers (by clang), general steps without closed forms, the sources"
	@echo "make papers tables and figures of the publications that libkane follows; WORD=rods: sections with this word"
	@echo "make debian make demo and make test from nothing on a Debian of its own, RELEASE=trixie or bookworm; needs root"
	@echo "make surroundings"
	@echo "            the tests of make test from a path with blanks, with a decimal comma, another time zone and user"
	@echo "make machines"
	@echo "            the tests as other processors, C libraries, LAPACKs and compilers carry them out, and arm64; SETTINGS='glibc arm64'"
	@echo "make fuzz   broken files at every reader, MINUTES=1 each"
	@echo "make clean  remove what was built"

check_packages: page_packages
page_packages: packages
packages page_packages check_packages: wanted = $(PACKAGES)
page_packages: wanted = $(PAGE_PACKAGES)
check_packages: wanted = $(CHECK_PACKAGES)
packages page_packages check_packages:
	@missing=""; for p in $(wanted); do \
	    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q "ok installed" || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	    if [ "$$(id -u)" = 0 ]; then sudo=""; \
	    elif command -v sudo >/dev/null; then sudo=sudo; \
	    else echo "These packages are missing, and neither root nor sudo is there to install them:$$missing" >&2; exit 1; fi; \
	    echo "installing:$$missing"; \
	    $$sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends $$missing; \
	fi

# STRICT=1: warnings are errors
release: packages
	cmake --preset release $(if $(STRICT),-DKANE_WARNINGS_AS_ERRORS=ON)
	cmake --build --preset release -j $(JOBS)

demo: packages $(if $(filter no,$(PAGE)),,page_packages)
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target kane kane_static kane_program kane_view
	@mkdir -p $(DEMO)
	$(KANE) check data/runs/wagon-transition.json
	$(KANE) track data/tracks/short-transition.json --speed 20 --acceleration 0.5 -o $(DEMO)/track.svg > $(DEMO)/track.csv
	$(KANE) run data/runs/wagon-transition.json -o $(DEMO)/moving
	$(KANE) plot $(DEMO)/moving --channels 'body.y,body.yaw,body.roll,*.Q' --against distance -o $(DEMO)/run.svg
	$(KANE) equilibrium data/runs/coach-curve.json --speed '90 km/h' --radius 500 --cant '100 mm'
	$(KANE) modes data/runs/coach-straight.json --over speed=10:100:step=5 -o $(DEMO)/locus.csv -o $(DEMO)/locus.svg
	$(KANE) study omit data/runs/soft-wagon-transition.json --omit body:torque.rotation.z \
	    --accelerations 0,0.5,1 --response body.yaw -o $(DEMO)/study
	@echo
	@echo "Pictures:"
	@echo "  $(DEMO)/track.svg             the line: curvature, cant, and how a frame on it turns"
	@echo "  $(DEMO)/run.svg               the run: car body and wheel loads against distance"
	@echo "  $(DEMO)/locus.svg             modes of a coach over its speed, and where it begins to hunt"
	@echo "  $(DEMO)/study/omitted.svg     the imaginary torque that was left out, for three accelerations"
	@echo "  $(DEMO)/study/body.yaw.svg    the body's yaw with it (solid) and without it (dashed), and the difference"
	$(if $(filter no,$(PAGE)),,@test -s $(PAGE_BUILT) || { echo; echo "No page of the run (make demo PAGE=no leaves it out):"; \
	    cat build/release/view/reason.txt; exit 1; } >&2)
	$(if $(filter no,$(PAGE)),,$(KANE) view $(DEMO)/moving -o $(DEMO)/run.html)
	$(if $(filter no,$(PAGE)),,@printf '\n%s\n' "The run in a browser: file://$(CURDIR)/$(DEMO)/run.html")

test: release
	tests/run.sh release -j $(JOBS) -LE 'long|house|figures|slow|exports'

check: check_packages release
	tests/run.sh release -j $(JOBS) -L 'long|house|figures|slow'
	tests/run.sh release -j $(JOBS) -R 'unit.view.(browser|pictures)' # with the browser that is there now
	cmake --preset asan && cmake --build --preset asan -j $(JOBS)
	cmake --preset general && cmake --build --preset general -j $(JOBS)
	tests/run.sh general -j $(JOBS) -R '^(unit.agem|unit.tree|property)' -LE 'long|house|figures|slow|exports'
	tests/surroundings.sh build/surroundings tests/run.sh asan -j $(JOBS) -LE 'long|house|figures|exports'

# Build and tests of a copy of the sources whose path has blanks, by a user who is not root if root asks, in strange surroundings.
surroundings: packages
	tests/strange_copy.sh build/surroundings $(JOBS)

# Tables and figures of the publications that libkane follows (docs/papers.md), in build/papers. WORD: one section; JOBS: sections at once.
WORD :=

papers: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target kane kane_program
	JOBS='$(JOBS)' apps/papers.py docs/papers.md $(KANE) build/papers $(if $(WORD),'$(WORD)')
	@echo "file://$(CURDIR)/build/papers/index.html"

# As root, by debootstrap into build/debian, some 12 minutes. MIRROR=URL: else apt's own sources. Where it cannot be, it says SKIPPED.
RELEASE  := trixie
MIRROR   :=

debian:
	@tests/install/debian.sh $(RELEASE) $(MIRROR)

# Settings one by one, and what the table shows: tests/machines/run.sh
machines: PACKAGES += gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user
machines: release
	KANE_PACKAGES="$(filter-out libclang-rt-dev libopenmpi-dev,$(filter lib%-dev zlib1g-dev,$(PACKAGES)))" tests/machines/run.sh $(SETTINGS)

# A corpus from shipped files, what was found before beside it; keys of the schemas as words. What falls stays in build/fuzz/found.
FUZZ     := build/fuzz/corpus
MINUTES  := 1

fuzz: packages
	cmake --preset fuzz && cmake --build --preset fuzz -j $(JOBS)
	@mkdir -p build/fuzz/found $(addprefix $(FUZZ)/,vehicle mechanism track run flexible results simpack columns miniprof tyre)
	@cp vehicles/*.json $(FUZZ)/vehicle && cp data/mechanisms/*.json $(FUZZ)/mechanism
	@cp $(filter-out %-ore.json,$(wildcard data/tracks/*.json)) $(FUZZ)/track # those take seconds each
	@cp data/runs/*.json $(FUZZ)/run && cp data/flexible/*.json $(FUZZ)/flexible && cp tests/unit/results/edited.h5 $(FUZZ)/results
	@cp data/tyres/*.tir $(FUZZ)/tyre
	@grep -oh '"[A-Za-z_0-9 ]*"' data/schemas/*.json | sort -u | sed 's/"/\\"/g; s/.*/"&"/' >build/fuzz/words
	@set -e; for reader in $$(ls $(FUZZ)); do echo "$$reader"; \
	    nice -n 19 build/fuzz/bin/fuzz_$$reader -dict=build/fuzz/words -artifact_prefix=build/fuzz/found/$$reader- \
	        -max_total_time=$$((60 * $(MINUTES))) -timeout=60 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 \
	        $(FUZZ)/$$reader 2>build/fuzz/$$reader.log || { tail -n 30 build/fuzz/$$reader.log; exit 1; }; \
	    grep -e number_of_executed -e average_exec build/fuzz/$$reader.log; done

clean:
	rm -rf build

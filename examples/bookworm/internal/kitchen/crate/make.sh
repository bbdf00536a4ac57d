#!/bin/sh
# make.sh NAME RUSTC RUSTDOC [FLAG…] documents the crate as docs.rs does and packs it into ../testdata/NAME.zip,
# without the files that docs.rs serves for all crates.
set -eu
cd "$(dirname "$0")"
name=$1 rustc=$2 rustdoc=$3
shift 3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export RUSTC_BOOTSTRAP=1
"$rustc" --crate-type proc-macro --crate-name kitchen_macros --edition 2021 --out-dir "$out" macros.rs
"$rustdoc" --crate-name kitchen --crate-version 1.0.0 --edition 2021 "$@" \
	--extern kitchen_macros="$(ls "$out"/*kitchen_macros.*)" \
	-Z unstable-options --static-root-path /-/rustdoc.static/ --out-dir "$out/doc" src/lib.rs
cd "$out/doc"
mkdir -p "$OLDPWD/../testdata"
rm -f "$OLDPWD/../testdata/$name.zip"
rm -rf .lock search* type.impl static.files ./*.woff2 ./*.css ./*.svg ./*.png ./*.txt ./*.md main.js settings.js storage.js source-script.js
find . -type f ! -name 'sidebar-items*' | sed 's|^\./||' | LC_ALL=C sort | TZ=UTC zip -X -q -9 "$OLDPWD/../testdata/$name.zip" -@

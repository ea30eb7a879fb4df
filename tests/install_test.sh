#!/usr/bin/env bash
# Installs the build into an empty folder and runs the program from there, as
# someone would whose source tree is gone.
#   install_test.sh CMAKE BUILD_DIR SOURCE_DIR
set -euo pipefail

cmake=$1 build_dir=$2 source_dir=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

"$cmake" --install "$build_dir" --prefix "$prefix"
program=$prefix/bin/gpuledger
cd "$prefix"

version=$(env -i "$program" --version)
echo "$version"
[[ $version =~ [0-9]+\.[0-9]+\.[0-9]+ ]]

if ldd "$program" | grep -F -e "$source_dir" -e "$build_dir"; then
  echo "the installed program loads libraries from the build" >&2
  exit 1
fi

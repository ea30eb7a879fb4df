# Debian packages that the project needs, and the one way to install them.
# Sourced by ./start and ./test; REPO is the root of the checkout.

BUILD_PACKAGES=(
  build-essential g++ cmake ninja-build pkg-config ccache
  libsimdjson-dev libisal-dev libzstd-dev libcli11-dev libfmt-dev
  libexpected-dev libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev
  python3 python3-jsonschema gzip zstd
)
TEST_PACKAGES=(clang libclang-rt-14-dev)

# True if the package is fully installed.
is_installed() {
  local status
  status=$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) || return 1
  [[ $status == installed ]]
}

# Installs those of the named packages that are missing. Uses no network when
# none is.
install_packages() {
  local missing=() package as_root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This script installs Debian packages, and there is no dpkg here." >&2
    echo "Install by hand what stands for: $*" >&2
    return 1
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  echo "Installing: ${missing[*]}"
  ((EUID == 0)) || as_root=(sudo)
  if ((EUID == 0)) || command -v sudo >/dev/null; then
    "${as_root[@]}" apt-get update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install \
        --yes --no-install-recommends "${missing[@]}" && return 0
  fi
  echo "These packages are missing and could not be installed. As root, run" >&2
  echo "  apt-get update && apt-get install ${missing[*]}" >&2
  return 1
}

# Under `sudo ./start` only the installation needs root. The rest of the given
# command runs as the owner of the checkout, who can then build without sudo.
leave_sudo() {
  ((EUID == 0)) && [[ ${SUDO_UID:-0} != 0 ]] || return 0
  [[ $(stat -c %u "$REPO") == "$SUDO_UID" ]] || return 0
  local home
  home=$(getent passwd "$SUDO_UID" | cut -d: -f6)
  exec runuser -u "$SUDO_USER" -- env HOME="$home" "$@"
}

# Configures preset $1 and builds the targets that follow (none: all).
build_preset() {
  local preset=$1
  shift
  (cd "$REPO" && cmake --preset "$preset")
  cmake --build "$REPO/build/$preset" --parallel "$(nproc)" \
    ${1:+--target "$@"}
}

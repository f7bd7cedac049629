# Sourced by server/run and tests/run: install what is missing, build the viewer.
# Everything may be repeated; nothing is done that is already there.

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "needs root to run: $* (no sudo here)"; fi
}

# need_packages NAME...: Debian packages, installed when dpkg does not have them.
need_packages() {
  local missing=() name log
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || die "missing packages, and there is no apt-get: ${missing[*]}"
  say "installing ${missing[*]}"
  log=$(mktemp)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 update >"$log" 2>&1 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
      install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; rm -f "$log"; die "apt-get could not install ${missing[*]}"; }
  rm -f "$log"
}

# Node trusts what the system trusts, a site's own certificate authority included.
[[ ! -r /etc/ssl/certs/ca-certificates.crt ]] || export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}

# Node 18 or newer with npm: whatever is there, else Debian's.
need_node() {
  command -v node >/dev/null && command -v npm >/dev/null || need_packages nodejs npm
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  ((major >= 18)) || die "node $major is too old: the viewer needs 18 or newer"
}

build_packages() {
  need_packages gcc libc6-dev cmake ninja-build pkg-config libuv1-dev libcjson-dev libwebsockets-dev \
    libwebsockets-evlib-uv libcglm-dev libassimp-dev libxxhash-dev libssl-dev
}

# configure_and_build PRESET [TARGET...]
configure_and_build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset" >"$log" 2>&1 ||
    { cat "$log" >&2; rm -f "$log"; die "cmake could not configure the preset $preset"; }
  cmake --build "build/$preset" --target "${@:-all}" >"$log" 2>&1 ||
    { tail -n 60 "$log" >&2; rm -f "$log"; die "the build of preset $preset failed"; }
  rm -f "$log"
}

# node_modules DIR: as package-lock.json says, installed anew only when it changed.
node_modules() {
  local dir=$1 stamp=$1/node_modules/.lock-installed
  if ! cmp -s "$dir/package-lock.json" "$stamp"; then
    say "installing the npm packages of $dir"
    (cd "$dir" && npm ci --no-audit --no-fund --loglevel=error >&2) || die "npm ci failed in $dir"
    cp "$dir/package-lock.json" "$stamp"
  fi
}

# The viewer into clients/web/dist, when a source is newer than what is there.
build_viewer() {
  local dist=clients/web/dist/index.html
  if [[ -f $dist ]] && ! find clients/web clients/js protocol/commands.json \
    \( -name node_modules -o -name dist -o -name tests \) -prune -o -type f -newer "$dist" -print -quit | grep -q .; then
    return 0
  fi
  need_node
  node_modules clients/web
  say "building the viewer"
  (cd clients/web && npm run --silent build >&2) || die "the viewer's build failed"
  touch "$dist"
}

"""The rules of the house, held by tests: file length, include direction, a test per
source, formatting, nothing of anybody's machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINES_MAX = 500
# Files that may be longer, each with its reason.
LONGER: dict[str, str] = {
    "clients/python/clothd/commands.py": "generated: a method for every command",
}

SOURCE = {".c", ".h", ".inc", ".def", ".py", ".ts", ".js", ".mjs", ".sh", ".cmake", ".css"}


def tracked() -> list[Path]:
    """Files that git knows and that exist; what a user leaves beside them is his own."""
    out = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout.decode()
    return [Path(p) for p in out.split("\0") if p and (ROOT / p).is_file()]


FILES = tracked()


def text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def test_no_merge_is_left_half_done():
    marks = re.compile(r"^(<{7} |>{7} )", re.M)
    assert not [str(p) for p in FILES if marks.search(text(p))]


def test_files_stay_under_500_lines():
    long = {str(p): n for p in FILES if p.suffix in SOURCE or p.name == "CMakeLists.txt"
            if (n := text(p).count("\n")) > LINES_MAX and str(p) not in LONGER}
    assert not long


# layer -> what it may include with <layer/…> or quotes, and what it never may.
FORBIDDEN = {
    "server/pbd": r'#include\s*[<"](uv\.h|libwebsockets|lws|cjson|cJSON|wire/|time\.h|base/|sim/|net/|scene/|app/)',
    "protocol/src": r'#include\s*[<"](uv\.h|libwebsockets|pbd/|sim/|net/|scene/|app/|base/)',
    "protocol/include": r'#include\s*[<"](uv\.h|libwebsockets|pbd/|sim/|net/|scene/|app/|base/)',
    "server/base": r'#include\s*[<"](uv\.h|libwebsockets|cjson|cJSON|pbd/|wire/|sim/|net/|scene/|app/)',
    "server/net": r'#include\s*[<"](pbd/|wire/|cjson|cJSON|sim/|scene/|app/)',
    "server/sim": r'#include\s*[<"](libwebsockets|net/|app/|cjson|cJSON)',
    "server/scene": r'#include\s*[<"](uv\.h|libwebsockets|sim/|net/|app/)',
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_includes_point_one_way(folder):
    bad = [f"{p}: {m.group(0)}" for p in FILES
           if str(p).startswith(folder + "/") and p.suffix in {".c", ".h"}
           for m in re.finditer(FORBIDDEN[folder], text(p))]
    assert not bad


def test_uv_appears_in_the_loop_file_of_sim_alone():
    users = [str(p) for p in FILES if str(p).startswith("server/sim/") and re.search(r"#include\s*<uv\.h>", text(p))]
    assert users == ["server/sim/loop.c"]


TESTS_OF = {
    "server/pbd/src": "tests/pbd", "protocol/src": "tests/protocol", "server/base": "tests/base",
    "server/scene": "tests/scene", "server/sim": "tests/sim", "server/net": "tests/net", "server/app": "tests/app",
}


def test_every_source_has_its_test():
    missing = []
    for folder, tests in TESTS_OF.items():
        for p in FILES:
            if not str(p).startswith(folder + "/") or p.suffix != ".c" or p.name == "main.c":
                continue
            if not (ROOT / tests / f"test_{p.stem}.c").is_file():
                missing.append(str(p))
    assert not missing


def test_c_files_are_formatted():
    formatter = shutil.which("clang-format")
    assert formatter, "clang-format is missing"
    files = [str(p) for p in FILES if p.suffix in {".c", ".h"} and str(p).split("/")[0] in {"server", "protocol", "tests"}]
    done = subprocess.run([formatter, "--dry-run", "--Werror", *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


# Written in pieces, so that this file does not find itself.
PATHS = "|".join(["/" + "work/", "/" + "root/", "/" + "farm/", "/home/" + "[a-z]"])
MARKS = "|".join(["TO" + "DO", "FIX" + "ME", r"\bX" + r"XX\b", "not " + "implemented", "un" + "implemented"])


def test_no_machine_paths_and_no_unfinished_marks():
    bad = []
    for p in FILES:
        if p.name == "package-lock.json" or p.suffix in {".png", ".obj"}:
            continue
        for number, line in enumerate(text(p).splitlines(), 1):
            if re.search(PATHS, line) or (p.suffix in SOURCE | {".md"} and re.search(MARKS, line)):
                bad.append(f"{p}:{number}: {line.strip()[:100]}")
    assert not bad


def test_lock_files_record_no_download_addresses():
    bad = [str(p) for p in FILES if p.name == "package-lock.json" and '"resolved": "http' in text(p)]
    assert not bad


def test_top_level_holds_what_it_should():
    allowed = {"server", "protocol", "clients", "tests", "docker", ".ci"}
    assert {p.parts[0] for p in FILES if len(p.parts) > 1} <= allowed

"""Copies the sources of the models and plants the fault of this number; prints its model and what it is.

    plant.py NUMBER FOLDER

Ends with 3 where there is no such number.
"""

import pathlib
import shutil
import sys
import tomllib

LOOM = pathlib.Path(__file__).resolve().parent
NATIVE = pathlib.Path("std/src/native")


def main(number, folder):
    faults = tomllib.loads((LOOM / "planted.toml").read_text(encoding="utf-8"))["fault"]
    if number >= len(faults):
        sys.exit(3)
    fault = faults[number]
    shutil.rmtree(folder / "std", ignore_errors=True)
    shutil.copytree(LOOM.parent.parent / NATIVE, folder / NATIVE)
    shutil.copytree(LOOM, folder / ".ci/loom", dirs_exist_ok=True)
    # The core is no part of it: that of this tree.
    manifest = folder / ".ci/loom/Cargo.toml"
    core = f'"{LOOM.parent.parent / "core"}"'
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"../../core"', core), encoding="utf-8")
    file = folder / NATIVE / fault["file"]
    text = file.read_text(encoding="utf-8")
    was = fault["was"].lstrip("\n")
    if text.count(was) != 1:
        sys.exit(f"planted.toml: {fault['what']}: its text stands {text.count(was)} times in {fault['file']}")
    file.write_text(text.replace(was, fault["becomes"].lstrip("\n")), encoding="utf-8")
    print(fault["model"], fault["what"])


main(int(sys.argv[1]), pathlib.Path(sys.argv[2]))

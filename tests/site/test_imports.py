import ast
import os
import subprocess
import sys
from pathlib import Path

from games.registry import GAMES
from magic_site.settings import BASE_DIR

PURE = ("rules", "cast", "setting", "sample")
"""The modules of a game's folder that stand on the core and the standard library alone."""
FOLDERS = [BASE_DIR / Path(*rules.folder.split(".")) for rules in GAMES]
FILES = [
    *sorted((BASE_DIR / "games" / "rules").glob("**/*.py")),
    *(file for folder in FOLDERS for name in PURE if (file := folder / f"{name}.py").exists()),
]


def test_the_rules_import_only_themselves_and_the_standard_library():
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for name in names:
                own = f"games.{file.parent.name}"
                inside = name == "games.rules" or name.startswith(("games.rules.", *(f"{own}.{pure}" for pure in PURE)))
                assert inside or name.split(".")[0] in sys.stdlib_module_names, f"{file.name} imports {name}"


def test_a_web_process_begins_from_nothing(tmp_path):
    """Elsewhere in the tests processes are forked from one that has the apps already."""
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "magic_site.settings", "VAR_DIR": str(tmp_path)}
    begun = [sys.executable, "-c", "import magic_site.web; import os; os._exit(0)"]
    done = subprocess.run(begun, env=env, cwd=BASE_DIR, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

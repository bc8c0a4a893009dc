import ast
import sys
from pathlib import Path

import games.rules

FILES = sorted(Path(games.rules.__file__).parent.glob("**/*.py"))


def test_the_rules_import_only_themselves_and_the_standard_library():
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for name in names:
                inside = name == "games.rules" or name.startswith("games.rules.")
                assert inside or name.split(".")[0] in sys.stdlib_module_names, f"{file.name} imports {name}"

"""The pages about projects and for users of TLA+ say what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from beeline.checking import check as run_check
from beeline.cli.project import VERDICTS, ModelTable, ProjectTable, PropertyTable

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_every_key_of_the_project_file_is_documented() -> None:
    text = (DOCS / "ci.md").read_text()
    keys = (table.__struct_fields__ for table in (ModelTable, PropertyTable, ProjectTable))
    for key in {key for names in keys for key in names}:
        assert f"`{key}`" in text or f"[{key}]" in text, key
    assert all(f'"{word}"' in text for word in VERDICTS)


def test_the_space_for_tlaplus_users_works(tmp_path: Path) -> None:
    block = re.search(r"```python\n(.*?)```", (DOCS / "tlaplus-users.md").read_text(), re.DOTALL)
    assert block is not None
    (tmp_path / "jugs.py").write_text(block[1])
    result = run_check(tmp_path / "jugs.py")
    assert result.trace is not None and len(result.trace) == 6

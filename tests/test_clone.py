"""What a newcomer does: clone, `make demo`, and see a counterexample."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a git clone")
def test_the_demo_works_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "beeline"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(clone)], check=True, timeout=300)
    # The clone makes an environment of its own: nothing of ours may leak into it.
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(
        ["make", "demo"], cwd=clone, env=environment, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "safety: VIOLATED (deadlock)" in done.stdout
    assert "counterexample, 4 steps, the shortest possible:" in done.stdout
    assert "34 states stored" in done.stdout

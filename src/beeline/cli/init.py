"""`beeline init`: a small commented example with a real bug in it, to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from beeline.model.source import BeelineError

EXAMPLES = Path(__file__).parent / "examples"
LANGUAGES = ("promela", "uppaal", "murphi", "smv", "asbru", "python")


class FolderInUse(BeelineError):
    """The example would overwrite a file."""


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[promela|uppaal|murphi|smv|asbru|python] FOLDER")
def init(words: tuple[str, ...]) -> int:
    """Write a small example with a bug in it into FOLDER.

    The language is Promela unless another is named. Nothing that is there is overwritten."""
    if len(words) > 2:
        raise click.UsageError("name one language and one folder")
    language, folder = words if len(words) == 2 else ("promela", words[0])
    if language not in LANGUAGES:
        raise click.BadParameter(f"'{language}' is none of {', '.join(LANGUAGES)}", param_hint="language")
    files = write_example(language, Path(folder))
    click.echo(f"wrote {', '.join(str(file) for file in files)}")
    model = next(file for file in files if file.suffix in (".pml", ".xta", ".m", ".smv", ".asbru", ".py"))
    click.echo(f"\nnext:\n  beeline check {model} --explain    finds the bug\n"
               f"  beeline run {folder}    checks all that beeline.toml asks for")  # fmt: skip
    return 0


def write_example(language: str, folder: Path) -> list[Path]:
    """Copies an example and returns the files it wrote; refuses to overwrite."""
    sources = sorted(path for path in (EXAMPLES / language).iterdir() if path.is_file())
    targets = [folder / source.name for source in sources]
    for target in targets:
        if target.exists():
            raise FolderInUse(f"{target} is there already\n  hint: choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in zip(sources, targets, strict=True):
            target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    except OSError as error:
        raise FolderInUse(f"cannot write to {folder}: {error.strerror}") from None
    return targets

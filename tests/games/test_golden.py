"""Golden games: whole records with a hash per checkpoint, replayed on today's rules.

A record that differs is either a bug, or a change of rules that raises `rules_version`. To write one:
`atoll export`, or `record.write(position)`; the diff is reviewed like code.
"""

from pathlib import Path

import pytest

from atoll.engine import record
from atoll.testing import difference_of

FILES = sorted(Path(__file__).parent.glob("*/golden/*.game"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_golden(path: Path) -> None:
    text = path.read_text("utf-8")
    assert record.read(text).game == path.parent.parent.name
    assert difference_of(text) is None


@pytest.mark.parametrize("path", FILES[:1], ids=lambda path: path.stem)
def test_a_changed_record_is_found(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    number = next(index for index, line in enumerate(lines) if line.startswith("p"))
    del lines[number]
    assert difference_of("\n".join(lines)) is not None

"""Languages are found: files alone add one, and English stands where it has no text."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import atoll

ROOT = Path(__file__).parents[1]
PACKAGES = ("", "server/presentation", "games/atacama")
LEFT_OUT = ("atacama.prompt.place", "nav.lobby", "time.days")

ASK = """
import json, sys
from datetime import datetime, timezone
from atoll import games
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import GameMessages
from atoll.server.presentation import clocks
from atoll.server.presentation.texts import site as texts
from atoll.narration import Narration
from tests.server.conftest import site_at

found = {"languages": LANGUAGES}
words, other = GameMessages(games["atacama"], "eo"), GameMessages(games["raiatea"], "eo")
found["seat"] = words.seat(0)
found["title"] = words.title()
found["goal"] = words.say("goal")
found["lacking"] = words.say("prompt.place")
found["ore"] = [words.name("ore", 0), words.name("ore", 1)]
found["other"] = other.say("goal") == GameMessages(games["raiatea"], "en").say("goal")
found["story"] = Narration(games["atacama"], "eo").title(2)
found["days"] = [texts("eo").text("time.days", n=n) for n in (1, 2)]
found["day"] = str(clocks.day(datetime(2026, 8, 5, tzinfo=timezone.utc), "", "eo"))
with site_at("sqlite:///" + sys.argv[1], {"atacama": games["atacama"]}) as site:
    ada = site.browser("Ada")
    page = ada.get("/settings").text
    found["offered"] = 'value="eo"' in page and 'lang="eo">Esperanto<' in page
    asked = ada.get("/", headers={"accept-language": "eo"}).text
    found["page"] = ['<html lang="eo"' in asked, "«" in asked]
    ada.post("/settings", {"language": "eo", "back": "/"})
    found["chosen"] = '<html lang="eo"' in ada.get("/").text
    program = site.program("Bob")
    found["api"] = program.ask("GET", "/games").json()
    channel = {"kind": "ntfy", "address": {"url": "https://ntfy.sh/x"}}
    found["bodies"] = [
        program.ask("POST", "/me/channels", channel | {"language": language}).status_code
        for language in ("eo", "xx")
    ]
print(json.dumps(found))
"""


def translated(source: bytes) -> bytes:
    """Return an English catalogue in quotation marks as one in Esperanto, without some of its texts."""
    english = read_po(io.BytesIO(source), locale="en")
    found = Catalog(locale="eo")
    for message in english:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            said = message.string
            if key == "language":
                said = "Esperanto"
            elif not key.startswith("time.format.") and isinstance(said, str):
                said = f"«{said}»"
            if key not in LEFT_OUT:
                found.add(message.id, said)
    written = io.BytesIO()
    write_po(written, found)
    return written.getvalue()


@pytest.mark.source
def test_files_alone_add_a_language(tmp_path: Path) -> None:
    package = tmp_path / "atoll"
    shutil.copytree(Path(atoll.__file__).parent, package, ignore=shutil.ignore_patterns("nets", "__pycache__"))
    for each in PACKAGES:
        words = package / each / "words"
        (words / "eo.po").write_bytes(translated((words / "en.po").read_bytes()))
    with (package / "games" / "atacama" / "words" / "eo.po").open("a", encoding="utf-8") as catalogue:
        name = atoll.games["atacama"].titles(atoll.games["atacama"].components, "en")["ore"][0]
        catalogue.write(f'\nmsgctxt "components"\nmsgid "{name}"\nmsgstr "erco"\n')
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    run = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path / "atoll.db")],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found = json.loads(run.stdout.splitlines()[-1])
    english = atoll.games["atacama"].titles(atoll.games["atacama"].components, "en")
    assert found["languages"] == ["en", "de", "eo"]
    assert found["seat"] == "«Seat» 1"
    assert found["title"] == "Atacama", "the component data has no name in Esperanto"
    assert found["goal"].startswith("«")
    assert found["lacking"] and not found["lacking"].startswith("«")
    assert found["ore"] == ["erco", english["ore"][1]]
    assert found["other"], "a game without the language speaks English"
    assert found["story"].endswith("2 «seats»")
    assert found["days"] == ["1 day", "2 days"]
    assert "5 Aŭg 2026" in found["day"]
    assert found["offered"] and found["page"] == [True, True] and found["chosen"]
    (game,) = found["api"]
    assert list(game["goal"]) == ["en", "de", "eo"] and game["goal"]["eo"] == found["goal"]
    assert found["bodies"][0] < 300 <= 400 <= found["bodies"][1] < 500
    assert "has no texts in 'eo' for atacama.prompt.place" in run.stderr


def test_an_unknown_language_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "atoll",
            "replay",
            str(ROOT / "tests/games/atacama/golden/enhanced.game"),
            "--language=xx",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (1, "atoll: unknown language 'xx'; known: en, de\n")

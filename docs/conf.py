"""Configuration of Sphinx; `python -m scripts.docs` builds the site from docs/ and the code."""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from scripts.docs import docstrings  # noqa: E402

project = "Atoll"
author = "the authors of Atoll"
release = version = importlib.metadata.version("atoll")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
language = "en"
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!atoll\.).*"),  # of other packages
    (r"py:.*", r"atoll\..*\.(_\w+|[A-Z])"),  # private, or a type variable
    (r"py:.*", r"atoll\.(bots\.(one_hot|value_net)|engine\.segment)\..*"),  # modules that may change
    (r"py:.*", r"atoll\.engine\.component_schema\.Spoken_\w+"),  # made from a declared struct
]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4

add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
viewcode_follow_imported_members = False
viewcode_line_numbers = True
doctest_global_setup = "import atoll"

html_theme = "pydata_sphinx_theme"
html_title = "Atoll"
html_static_path = [str(ROOT / "docs" / "_static")]
html_css_files = ["atoll.css"]
html_favicon = str(ROOT / "src/atoll/server/http/pages/static/atoll.svg")
html_copy_source = False
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_sidebars: dict[str, list[str]] = {"index": [], "gallery": [], "changelog": []}
html_theme_options = {
    "logo": {"text": "Atoll", "image_light": html_favicon, "image_dark": html_favicon},
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}


def setup(app: Any) -> None:
    """Connect the conversion of docstrings.

    Args:
        app: The Sphinx application.
    """
    app.connect("autodoc-process-docstring", docstrings.process, priority=400)  # before napoleon's
    app.connect("missing-reference", docstrings.resolve)

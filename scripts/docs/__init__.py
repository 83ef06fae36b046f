"""The documentation site: `python -m scripts.docs` builds it.

Pages are Markdown files in `docs/`. These modules write the pages that follow from the code:
API, commands, settings, HTTP API, observations, rules and gallery. `docs/conf.py` configures
Sphinx.
"""

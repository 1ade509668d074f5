"""How `python -m lib slides` builds the decks, which are the other files of this folder."""

project = "Privacy of aggregate location data"
author = "The authors of the executable companion"
copyright = "2026, CC BY 4.0"
language = "en"
extensions = ["myst_parser", "sphinx_revealjs", "sphinx-mathjax-offline", "book._ext.slides"]
myst_enable_extensions = ["dollarmath", "smartquotes"]

revealjs_html_theme = "revealjs-simple"
revealjs_style_theme = "white"
revealjs_static_path = ["static"]
revealjs_css_files = ["slides.css"]
revealjs_script_conf = {
    "width": 1280,
    "height": 720,
    "margin": 0.04,
    "transition": "none",
    "slideNumber": "c/t",
    "controls": False,
    "center": False,
    "hash": True,
    "pdfSeparateFragments": False,
    "pdfMaxPagesPerSlide": 1,
    "scrollActivationWidth": None,
}
revealjs_script_plugins = [{"name": "RevealNotes", "src": "revealjs/plugin/notes/notes.js"}]

"""Buttons at the top of a page: to Colab and Binder, if the book has a public address.

The address is not known here: whoever publishes the book names it in HBUCB_REPOSITORY (the
workflow that publishes the pages does). Without it no page holds a link that leads nowhere.

Each button is a stop of the Tab key before the text, so the one for the full screen is left out:
browsers have a key for that.
"""

import os
import re

_ADDRESS = re.compile(r"https://[\w.-]+/[\w.-]+/[\w.-]+")


def options(address, branch="main"):
    """Options of the theme for a repository at `address`."""
    if not _ADDRESS.fullmatch(address):
        raise ValueError(
            f"HBUCB_REPOSITORY is {address!r}; it must be https://host/owner/name without more"
        )
    return {
        "repository_url": address,
        "repository_branch": branch,
        "path_to_docs": "",
        "use_repository_button": True,
        "launch_buttons": {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
        },
    }


def _before(app, config):
    address = os.environ.get("HBUCB_REPOSITORY")
    # a new dict: the theme looks at the values of the configuration file otherwise
    config.html_theme_options = {
        **config.html_theme_options,
        "use_fullscreen_button": False,
        **(options(address) if address else {}),
    }


def _without_logos(app, pagename, templatename, context, doctree):
    """A logo beside its name says the name twice to one who hears the page."""
    for group in context.get("header_buttons", ()):
        for button in group.get("buttons", ()):
            if not button.get("icon", "fa").startswith("fa"):
                del button["icon"]


def setup(app):
    app.connect("config-inited", _before)
    # after the theme has put its buttons there
    app.connect("html-page-context", _without_logos, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

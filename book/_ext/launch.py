"""Buttons to Colab and Binder, if the book is built for a public address.

The address is not known here: whoever publishes the book names it in HBUCB_REPOSITORY (the
workflow that publishes the pages does). Without it no page holds a link that leads nowhere.
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
    if address:
        # a new dict: the theme looks at the values of the configuration file otherwise
        config.html_theme_options = {**config.html_theme_options, **options(address)}


def setup(app):
    app.connect("config-inited", _before)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The book's table of contents once for all source pages of a folder.

Sphinx makes the sidebar of each page from the tree of contents anew. On a page that is not in that
tree (the source of a module, the index) nothing in it is marked as open, so it depends on the
page's folder alone: its links are relative.
"""

from pathlib import PurePosixPath


def shared(app, pagename, templatename, context, doctree):
    """Let a page outside the contents take the sidebar of the first one in its folder."""
    if pagename in app.env.found_docs:
        return
    make, kept = context["toctree"], app.hbucb_sidebars
    folder = PurePosixPath(pagename).parent

    def toctree(**options):
        key = (folder, *sorted(options.items()))
        if key not in kept:
            kept[key] = make(**options)
        return kept[key]

    context["toctree"] = toctree


def setup(app):
    app.hbucb_sidebars = {}
    # before the theme, which renders the sidebar in its own answer to this event
    app.connect("html-page-context", shared, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

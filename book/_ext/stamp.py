"""Write into the built book a digest of what it was built from, if the build had no warning.

The tests compare it with the files as they are: a missing or different digest means that the
book must be built again (a time stamp would not do: a checkout makes every file new).
"""

import hashlib
import shutil
from pathlib import Path

NAME = ".built-from"


def digest(root):
    """SHA-256 over path and content of every file that can change a page."""
    root = Path(root)
    files = [root / "_config.yml", root / "_toc.yml"]
    files += [p for p in (root / "book").rglob("*") if p.is_file()]
    files += (root / "hbucb").rglob("*.py")
    sha = hashlib.sha256()
    for path in sorted(files):
        name = path.relative_to(root).as_posix()
        if "__pycache__" in name or "/." in name or name.startswith("book/src/"):
            continue
        sha.update(f"{name}\0{path.stat().st_size}\0".encode())
        sha.update(path.read_bytes())
    return sha.hexdigest()


def _before(app):
    app.hbucb_digest = digest(app.srcdir)
    (Path(app.outdir) / NAME).unlink(missing_ok=True)
    # viewcode keeps a source page as long as its file is unchanged, also when new names link to it
    shutil.rmtree(Path(app.outdir) / "_modules", ignore_errors=True)


def _after(app, exception):
    if exception is None and app.builder.name == "html" and not app._warncount:
        (Path(app.outdir) / NAME).write_text(app.hbucb_digest + "\n")


def setup(app):
    app.connect("builder-inited", _before)
    app.connect("build-finished", _after)
    return {"parallel_read_safe": True}

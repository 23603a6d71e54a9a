"""Let sphinx-codeautolink read pages with theorems.

A theorem's body is a section without a title on the analyser's stack; leaving it would pop an
empty stack (IndexError) on every page that holds a theorem.
"""

from sphinx_codeautolink.extension import block


def setup(app):
    cls, leave = block.CodeBlockAnalyser, block.CodeBlockAnalyser.depart_section
    if not getattr(cls, "_untitled_sections_pass", False):
        cls.depart_section = lambda self, node: leave(self, node) if self.title_stack else None
        cls._untitled_sections_pass = True
    return {"parallel_read_safe": True}

"""Pages as tests read them: however their templates are laid out."""

import html
import re


def tight(response) -> str:
    """A page without the spaces around its tags, in which only its layout differs."""
    page = " ".join(html.unescape(response.content.decode()).split())
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", page)

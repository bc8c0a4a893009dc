"""Times as a person says them."""

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def duration(seconds: float) -> str:
    """Seconds in words: 8 s, 3 min, 2 h 10 min."""
    if seconds < 100:
        return _("%d s") % round(seconds)
    minutes = round(seconds / 60)
    if minutes < 100:
        return _("%d min") % minutes
    return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}

"""Money as a person reads it."""

from django import template

register = template.Library()


@register.filter
def dollars(amount: float, digits: int = 4) -> str:
    """US dollars: what calls cost in ten-thousandths, a plan in cents."""
    return f"${amount:,.{digits}f}"

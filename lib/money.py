"""Amounts of money with as many decimals as their currency has, or as they were sent with."""

from decimal import ROUND_HALF_UP, Decimal

from django.utils.formats import number_format

# ISO 4217: the currencies whose minor unit is not a hundredth.
NO_DECIMALS = frozenset(
    {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"}
    | {"RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"}
)
THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
USUAL_DECIMALS = 2
MOST_DECIMALS = 3  # what the copy keeps of an amount


def decimals_of(currency: str) -> int:
    code = currency.upper()
    if code in NO_DECIMALS:
        return 0
    return MOST_DECIMALS if code in THREE_DECIMALS else USUAL_DECIMALS


def exact(amount: Decimal, currency: str) -> Decimal:
    """A received amount with the decimals of its currency, or more if it was sent with more."""
    kept = _round(amount, MOST_DECIMALS).normalize()
    exponent = kept.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    return _round(kept, max(decimals, decimals_of(currency)))


def rounded(amount: Decimal, currency: str) -> Decimal:
    """A computed amount, such as a mean, rounded to the smallest unit of its currency."""
    return _round(amount, decimals_of(currency))


def spelt(amount: Decimal, *, grouped: bool = False) -> str:
    """The number as people of the reader's language write it, with all its decimals."""
    exponent = amount.as_tuple().exponent
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    return number_format(amount, decimals, use_l10n=True, force_grouping=grouped)


def money(amount: Decimal, currency: str) -> str:
    """“87.455 TND”, “65.00 EUR”, “6,500 JPY”."""
    return f"{spelt(exact(amount, currency), grouped=True)} {currency}".rstrip()


def mean_money(amount: Decimal, currency: str) -> str:
    return f"{spelt(rounded(amount, currency), grouped=True)} {currency}".rstrip()


def _round(amount: Decimal, decimals: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)

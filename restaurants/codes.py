"""The codes that an admin types: currencies, countries, time zones, colours, telephone lines.

The lists are those of ISO 4217 and ISO 3166-1; time zones come with Python.
"""

import re
import zoneinfo
from functools import cache

import phonenumbers
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

CURRENCY_CODES = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR
    MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
    SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
    USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""

COUNTRY_CODES = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR
    BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ
    EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW
    GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
    KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
    MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
    QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG
    TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM
    ZW
"""
CURRENCIES = frozenset(CURRENCY_CODES.split())
COUNTRIES = frozenset(COUNTRY_CODES.split())

COLOUR = re.compile(r"#[0-9a-f]{6}")

# The languages in which allergens have names, as people of the kitchen call them.
KITCHEN_LANGUAGES = {
    "en": "English",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "de": "Deutsch",
    "pt": "Português",
    "nl": "Nederlands",
}

# Where most restaurants stand whose people read a language.
LIKELY_ZONES = {
    "en": "Europe/London Europe/Dublin America/New_York America/Chicago America/Los_Angeles",
    "fr": "Europe/Paris Europe/Brussels Europe/Zurich Europe/Luxembourg America/Toronto",
    "es": """
        Europe/Madrid Atlantic/Canary America/Mexico_City America/Bogota
        America/Argentina/Buenos_Aires
    """,
}


@cache
def time_zones() -> frozenset[str]:
    """Names that this machine knows: to find them opens six hundred files, so once a process."""
    return frozenset(zoneinfo.available_timezones())


def validate_timezone(value: str) -> None:
    if value not in time_zones():
        raise ValidationError(
            _("“%(value)s” is not a known time zone; one is written like Europe/Paris."),
            params={"value": value},
        )


def validate_currency(value: str) -> None:
    if value not in CURRENCIES:
        raise ValidationError(
            _("“%(value)s” is not a known currency; one is written like EUR."),
            params={"value": value},
        )


def validate_country(value: str) -> None:
    if value not in COUNTRIES:
        raise ValidationError(
            _("“%(value)s” is not a known country; one is written like FR."),
            params={"value": value},
        )


def validate_colour(value: str) -> None:
    if not COLOUR.fullmatch(value):
        raise ValidationError(
            _("“%(value)s” is not a colour; one is written like #155aa7."), params={"value": value}
        )


def read_phone(value: str, *, country: str) -> str:
    """Return a telephone number as E.164, read as the people of the country write it."""
    try:
        number = phonenumbers.parse(value, country or None)
    except phonenumbers.NumberParseException as error:
        raise not_a_number(value) from error
    if not phonenumbers.is_possible_number(number):
        raise not_a_number(value)
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


def not_a_number(value: str) -> ValidationError:
    return ValidationError(
        _("“%(value)s” is not a telephone number; one is written like +33 1 23 45 67 89."),
        params={"value": value},
    )

"""Words for numbers, units, months and days, and what one unit is of another."""

from fractions import Fraction
from typing import Final

from muniment.domain.gate.tokens import word_set
from muniment.domain.text import MONTHS, WEEKDAYS

Unit = tuple[str, str, Fraction | None]
"""A family of units, the name of one, and how many of the family's own it is, where they turn."""

_NUMBER_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
SMALL: Final = {word: value for value, word in enumerate(_NUMBER_WORDS.split())} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES: Final = {
    "dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000,
    "mn": 10**6, "bn": 10**9,
}  # fmt: skip
_ORDINAL_WORDS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS: Final = {word: value for value, word in enumerate(_ORDINAL_WORDS.split(), 1)}
# A family of units: spellings, and what one is of the family's own where they turn into each other.
_UNITS_OF: Final = {
    "span": "millisecond,msec,ms=1/1000|second,sec,s=1|minute,min,mins=60|hour,hr,hrs,h,hourly=3600"
    "|day,daily=86400|week,wk,weekly=604800|fortnight,fortnightly=1209600",
    "months": "month,monthly=1|quarter,quarterly=3|year,yr,yearly,annual,annually=12",
    "share": "percent,pct,percentage,%=1|permille,‰=1/10",
    "length": "kilometre,kilometer,km,kms=1000|metre,meter,m=1|centimetre,centimeter,cm=1/100"
    "|millimetre,millimeter,mm=1/1000",
    "weight": "tonne,t=1000000|kilogram,kilo,kg,kgs=1000|gram,gramme,g=1|milligram,mg=1/1000"
    "|microgram,mcg,µg=1/1000000",
    "volume": "litre,liter,l=1|decilitre,deciliter,dl=1/10|centilitre,centiliter,cl=1/100"
    "|millilitre,milliliter,ml=1/1000",
    "energy": "watthour,wh=1|kilowatthour,kwh=1000|mwh=1000000|gwh=1000000000",
    "power": "watt,w=1|kilowatt,kw=1000|megawatt,mw=1000000|gigawatt,gw=1000000000",
    "money": "euro,eur,€|dollar,usd,$|pound,gbp,quid,£|yen,jpy,¥|franc,chf|cent|kroner,krone,dkk"
    "|rupee,inr|zloty,pln|yuan,cny",
    "imperial": "mile,mi|foot,feet,ft|inch,inches|yard,yd|ounce,oz|lb,lbs|stone|gallon|pint|cup"
    "|knot|acre",
    "heat": "celsius,centigrade,°c|fahrenheit,°f|kelvin|degree,°",
    "size": "byte|kilobyte,kb|megabyte,mb|gigabyte,gb|terabyte,tb|petabyte,pb|kbit|mbit|gbit",
    "sound": "decibel,db",
}  # fmt: skip
# Words that are units behind a number alone: else they are other words, or letters.
BEHIND_NUMBERS: Final = word_set(
    "s h m g l t w ms min sec d mi ft in cup stone yard foot feet second degree ° k mn bn"
)
HALVES: Final = {"half": Fraction(1, 2), "twice": Fraction(2), "thrice": Fraction(3)}
MODIFIERS: Final = frozenset({"working", "business", "calendar", "square", "cubic"})
MONTH_NUMBERS: Final = {name: at for at, name in enumerate(MONTHS, 1)} | {
    name[:3]: at for at, name in enumerate(MONTHS, 1)
} | {"sept": 9}  # fmt: skip
_SEASONS: Final = "weekend weekends weekday weekdays summer summers winter winters autumn easter"
DAYS: Final = {form: day for day in WEEKDAYS for form in (day, f"{day}s")} | {
    form: form.removesuffix("s") for form in _SEASONS.split()
}


def _table() -> dict[str, tuple[str, str, Fraction | None]]:
    found: dict[str, tuple[str, str, Fraction | None]] = {}
    for family, units in _UNITS_OF.items():
        for entry in units.split("|"):
            names, _, factor = entry.partition("=")
            forms = names.split(",")
            for form in forms:
                of = (family, forms[0], Fraction(factor) if factor else None)
                found[form] = of
                if len(form) > 2:
                    found.setdefault(f"{form}s", of)
    return found


UNITS: Final = _table()
"""Spellings of units: family, name, and how many of the family's own one is, where they turn."""
BASES: Final = {family: name for family, name, factor in reversed(UNITS.values()) if factor == 1}
"""The unit by which a family is counted whose units turn into each other."""
MONEY: Final = frozenset(name for family, name, _ in UNITS.values() if family == "money")

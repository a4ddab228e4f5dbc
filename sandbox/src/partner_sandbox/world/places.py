"""Invented restaurants: names, towns, money, telephone ranges kept free for fiction."""

from dataclasses import dataclass, replace

# Ranges kept for drama and tests where a country has one, else a first digit that it gives to
# nobody; the Netherlands borrow the British range.
FICTION = {
    "FR": "+3319900{:04d}",
    "GB": "+442079460{:03d}",
    "US": "+120255501{:02d}",
    "DE": "+493023125{:03d}",
    "ES": "+34555010{:03d}",
    "IT": "+39555010{:04d}",
    "PT": "+351555010{:03d}",
    "NZ": "+6455501{:03d}",
    "AE": "+97115550{:03d}",
    "NL": "+441632960{:03d}",
    "CA": "+161355501{:02d}",
    "MX": "+520555010{:03d}",
    "DO": "+180955501{:02d}",
    "NC": "+687055{:03d}",
    "RE": "+26205550{:04d}",
    "JP": "+81055501{:04d}",
    "SG": "+650555{:04d}",
    "IN": "+910555{:06d}",
}


def fictitious(country: str, number: int) -> str:
    """An E.164 number that rings nowhere."""
    pattern = FICTION[country]
    digits = int(pattern[pattern.index(":0") + 2])
    return pattern.format(number % 10**digits)


@dataclass(frozen=True)
class Place:
    name: str
    town: str
    timezone: str
    country: str
    currency: str
    locale: str
    bill: float
    group: str = ""
    dinner: int = 0  # the local minute of its first table, where it has an hour of its own
    lunch: bool = False

    def phone(self, number: int) -> str:
        return fictitious(self.country, 7 * number + 1)

    def branch(self, number: int) -> "Place":
        return replace(self, name=f"{self.name} {BRANCHES[(number - 1) % len(BRANCHES)]}")


BRANCHES = [
    "am Markt",
    "Station",
    "Riverside",
    "North",
    "Harbour",
    "Old Town",
    "Gardens",
    "Arcade",
    "Hill",
    "Quay",
    "Bridge",
    "Terrace",
    "Mill",
    "Square",
    "Docks",
    "Park",
]

GROUPS = (
    "Maison Belcourt",
    "Tidewater Tables",
    "Linden & Ash",
    "Quatre Saisons Réunies",
    "Copper Lane Houses",
)

PARIS = ("Europe/Paris", "FR", "EUR", "fr_FR")
LONDON = ("Europe/London", "GB", "GBP", "en_GB")
NEW_YORK = ("America/New_York", "US", "USD", "en_US")
MADRID = ("Europe/Madrid", "ES", "EUR", "es_ES")

PLACES = (
    Place("Chez Mirabeau", "Paris", *PARIS, bill=46),
    Place("La Table d'Octave", "Lyon", *PARIS, bill=62),
    Place("The Saltmarsh Room", "London", *LONDON, bill=48),
    Place("Juniper & Slate", "New York", *NEW_YORK, bill=71),
    Place("Casa Alborada", "Madrid", *MADRID, bill=39),
    Place("Le Comptoir des Halles Vertes", "Nantes", *PARIS, bill=34),
    Place("Harrow Street Kitchen", "London", *LONDON, bill=41),
    Place("Bistrot Clairval", "Bordeaux", *PARIS, bill=44),
    Place("The Lantern House", "Brooklyn", *NEW_YORK, bill=58),
    Place("Osteria Lunaria", "Firenze", "Europe/Rome", "IT", "EUR", "it_IT", bill=42),
    Place("Taberna Azahar", "Sevilla", *MADRID, bill=33),
    Place("Auberge du Vieux Pont", "Annecy", *PARIS, bill=68),
    Place("Gasthaus Lindenblatt", "Berlin", "Europe/Berlin", "DE", "EUR", "de_DE", bill=38),
    Place("Far Shore", "Waitangi", "Pacific/Chatham", "NZ", "NZD", "en_NZ", bill=52),
    Place("Adega Marisal", "Lisboa", "Europe/Lisbon", "PT", "EUR", "pt_PT", bill=36),
    Place("De Zilveren Reiger", "Amsterdam", "Europe/Amsterdam", "NL", "EUR", "nl_NL", bill=45),
    Place("Qasr Garden", "Dubai", "Asia/Dubai", "AE", "AED", "en_AE", bill=190),
)

STRANGER = Place("The Other House", "Bath", *LONDON, bill=40, group="Somebody Else's Tables")

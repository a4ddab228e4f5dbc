"""The restaurants of the demo: at any hour one of them is at dinner and another opens soon.

They stand around the world, and each opens its dinner at the hour of its city, so that two
openings are never more than two and a half hours apart, in summer and in winter. The menus of a
dashboard are in the order of names: the first one decides which day its boards open at, and
Santo Domingo has the day of all that are at dinner.
"""

from partner_sandbox.world.places import LONDON, MADRID, PARIS, Place

DINNER = 255  # minutes from the first to the last table given out

PLACES = (
    Place(
        "Almacén del Mar", "Santo Domingo", "America/Santo_Domingo", "DO", "DOP", "es_DO",
        bill=1_900, dinner=20 * 60,
    ),
    Place(
        "Casa Jacaranda", "Ciudad de México", "America/Mexico_City", "MX", "MXN", "es_MX",
        bill=640, dinner=20 * 60 + 15,
    ),
    Place(
        "Koa & Salt", "Honolulu", "Pacific/Honolulu", "US", "USD", "en_US",
        bill=66, dinner=18 * 60 + 45,
    ),
    Place(
        "Le Grand Banian", "Nouméa", "Pacific/Noumea", "NC", "XPF", "fr_FR",
        bill=5_400, dinner=18 * 60 + 15,
    ),
    Place(
        "Kaede no Niwa", "Tokyo", "Asia/Tokyo", "JP", "JPY", "ja_JP",
        bill=8_200, dinner=18 * 60, lunch=True,
    ),
    Place(
        "Rain Tree Kitchen", "Singapore", "Asia/Singapore", "SG", "SGD", "en_SG",
        bill=74, dinner=19 * 60 + 30,
    ),
    Place(
        "Le Tamarinier", "Saint-Denis", "Indian/Reunion", "RE", "EUR", "fr_FR",
        bill=38, dinner=18 * 60,
    ),
    Place(
        "Qasr Garden", "Dubai", "Asia/Dubai", "AE", "AED", "en_AE",
        bill=190, dinner=20 * 60,
    ),
    Place("Chez Mirabeau", "Paris", *PARIS, bill=46, dinner=19 * 60, lunch=True),
    Place("The Saltmarsh Room", "London", *LONDON, bill=48, dinner=18 * 60 + 30, lunch=True),
    Place("Casa Alborada", "Madrid", *MADRID, bill=39, dinner=21 * 60),
    Place(
        "Maison Laurier", "Montréal", "America/Toronto", "CA", "CAD", "fr_CA",
        bill=68, dinner=17 * 60 + 30, lunch=True,
    ),
)  # fmt: skip

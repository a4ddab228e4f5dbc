"""What guests and staff write beside a booking: in their language, and true of their party."""

from random import Random

Note = tuple[int, int, str]  # smallest and largest party that may write it

GUEST_NOTES: dict[str, tuple[Note, ...]] = {
    "en": (
        (1, 6, "Window table if possible, please."),
        (2, 2, "It's our tenth anniversary 🎉 – could you write something on the dessert?"),
        (2, 12, "One of us is allergic to nuts (carries an EpiPen)."),
        (3, 8, "We will arrive with a pushchair."),
        (1, 6, "Running to the theatre afterwards, quick service appreciated."),
        (3, 8, "High chair for our daughter, please. She is 14 months."),
        (1, 1, "Just me and a book. A quiet corner would be lovely."),
        (2, 12, "Two of us are coeliac, no gluten at all please."),
        (4, 12, "Surprise birthday: please do not mention the cake on the phone."),
        (1, 12, "No shellfish please, severe allergy."),
        (2, 10, "We may be ten minutes late, coming straight from the airport."),
        (2, 8, "One wheelchair user. Is the entrance level?"),
        (3, 12, "Three vegetarians, the rest eat everything."),
        (2, 4, "Could we sit at the bar for a drink first?"),
    ),
    "fr": (
        (3, 8, "Une chaise haute pour notre fils, merci !"),
        (3, 12, "Nous fêtons l'anniversaire de ma mère, elle ne le sait pas encore."),
        (2, 12, "Allergie sévère aux crustacés pour une personne."),
        (2, 6, "Table au calme si possible, rendez-vous professionnel."),
        (1, 6, "Près de la fenêtre si c'est possible, merci d'avance."),
        (2, 2, "Nous fêtons nos vingt ans de mariage."),
        (2, 12, "Une personne sans gluten (maladie cœliaque)."),
        (1, 4, "Nous avons un train à 22 h 40, service rapide si possible."),
        (2, 10, "Un petit chien nous accompagne, est-ce que cela convient ?"),
        (1, 12, "Allergie aux fruits à coque, merci de prévenir la cuisine."),
        (1, 1, "Je dîne seul, une place au comptoir me va très bien."),
        (3, 12, "Deux enfants de 4 et 6 ans, un coin tranquille serait idéal."),
    ),
    "es": (
        (1, 8, "¿Podría ser una mesa en la terraza? Muchas gracias."),
        (2, 12, "Somos dos celíacos, ¿hay opciones sin gluten?"),
        (2, 10, "Llegaremos quizá diez minutos tarde."),
        (3, 8, "Necesitamos una trona para el niño, gracias."),
        (2, 2, "Es nuestro aniversario, una mesa tranquila si puede ser."),
        (1, 12, "Alergia grave al marisco."),
        (3, 12, "Cumpleaños de mi padre: ¿podéis sacar la tarta con una vela?"),
        (1, 1, "Ceno solo, la barra está bien."),
        (3, 12, "Tres personas son vegetarianas."),
        (2, 8, "Una persona va en silla de ruedas, sin escalones por favor."),
    ),
    "it": (
        (2, 2, "Un tavolo tranquillo, è una proposta di matrimonio!"),
        (3, 12, "Siamo vegetariani in tre, grazie mille."),
        (1, 8, "Abbiamo un cane piccolo, è un problema?"),
        (2, 12, "Una persona è celiaca, serve un menù senza glutine."),
        (3, 8, "Serve un seggiolone per la bambina, grazie."),
        (1, 12, "Allergia alle noci, per favore avvisate la cucina."),
        (1, 6, "Vicino alla finestra, se possibile."),
        (4, 12, "Festeggiamo una laurea, arriviamo con i fiori."),
    ),
    "de": (
        (1, 6, "Bitte ein Tisch am Fenster, wenn möglich."),
        (2, 12, "Eine Person ist laktoseintolerant."),
        (2, 8, "Wir bringen einen Rollstuhl mit, ist der Eingang ebenerdig?"),
        (3, 8, "Bitte ein Hochstuhl für unsere Tochter."),
        (2, 2, "Wir feiern unseren Hochzeitstag."),
        (1, 12, "Schwere Nussallergie, bitte der Küche sagen."),
        (1, 1, "Ich komme allein und lese gern, ein ruhiger Platz wäre schön."),
        (4, 12, "Geburtstag meines Vaters, die Torte bringen wir mit."),
    ),
    "nl": (
        (3, 12, "Graag een rustige tafel, we vieren een pensioen."),
        (1, 12, "Notenallergie, graag doorgeven aan de keuken."),
    ),
    "pt": (
        (1, 8, "Mesa junto à janela, se possível."),
        (1, 12, "Alergia ao marisco, por favor avisem a cozinha."),
    ),
    "ja": (
        (1, 6, "窓際の席をお願いします。"),
        (2, 12, "一人がえびとかにのアレルギーです。"),
        (2, 2, "結婚記念日です。静かな席を希望します。"),
    ),
}
ALLERGY_NOTES = {
    "en": "Severe peanut allergy: my son (6) carries an EpiPen. Please tell the kitchen.",
    "fr": "Allergie sévère aux arachides : mon fils a son EpiPen. Prévenez la cuisine, merci.",
    "es": "Alergia grave a los cacahuetes: mi hijo lleva su EpiPen. Avisen a cocina.",
}
STAFF_NOTES: dict[str, tuple[Note, ...]] = {
    "en": (
        (1, 12, "VIP – welcome drink on the house."),
        (2, 6, "Table 14, asked twice for the corner."),
        (1, 12, "Called to confirm, will be 10 min late."),
        (6, 12, "Deposit waived by the manager."),
        (4, 12, "Push 8 and 9 together, one chair at the head."),
        (2, 4, "Second visit this month. Remembers Ana, seat in her section."),
    ),
    "fr": (
        (3, 12, "Gâteau d'anniversaire commandé, bougies au bar."),
        (1, 12, "Client difficile la dernière fois, prévenir la direction."),
        (2, 4, "Table 12, près de la fenêtre. Confirmé par téléphone."),
        (1, 6, "Habitué, apéritif offert."),
    ),
    "es": (
        (2, 4, "Mesa 6, junto a la ventana. Confirmado por teléfono."),
        (4, 12, "Juntar las mesas 3 y 4. Tarta a las 23:00."),
        (1, 12, "Cliente de la casa desde hace años, saludar al llegar."),
    ),
    "ja": ((2, 4, "常連のお客様。窓側の席。"), (1, 12, "電話で確認済み。10分遅れる予定。")),
}
LONG_GUEST_NOTE = " ".join(  # over 1,000 characters: edited after the booking
    (
        "We are three generations at one table, so please bear with a long list.",
        "My grandmother is 91 and cannot manage stairs; a chair with arms would be kind.",
        "Two of the children are under four and will need high chairs, away from the door.",
        "One of us is coeliac, and traces in the fryer are enough to make her ill for days.",
        "My brother does not eat shellfish, and must not sit beside a plate of it either.",
        "We should like the tasting menu for six and the children's menu for two, if you can.",
        "Wine with the first three courses only, please, and plenty of still water.",
        "The cake comes from the bakery around the corner at five; the box has our name on it.",
        "Please bring it after the cheese, with nine candles, and do not sing: she hates it.",
        "My father will try to pay before anybody else; the bill is for me, whatever he says.",
        "We leave for the night train at half past ten, and a taxi for four would help a lot.",
        "If anything of this cannot be done, call me rather than my sister, who knows nothing.",
        "Thank you so much, we have been looking forward to this evening since the spring.",
    )
)
LONG_STAFF_NOTE = " ".join(  # near the 3,000 characters that an update takes
    f"{number}. Called about course {number}, agreed with the kitchen, see the sheet by the pass."
    for number in range(1, 36)
)
LONG_FROM_PARTY = 6  # the parties that a long note may be of


def guest_note(luck: Random, language: str, size: int) -> str:
    return _pick(luck, GUEST_NOTES.get(language, GUEST_NOTES["en"]), size)


def staff_note(luck: Random, language: str, size: int) -> str:
    return _pick(luck, STAFF_NOTES.get(language, STAFF_NOTES["en"]), size)


def _pick(luck: Random, notes: tuple[Note, ...], size: int) -> str:
    """Each language has a note for any party size up to 12."""
    return luck.choice([text for least, most, text in notes if least <= size <= most])

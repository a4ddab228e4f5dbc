"""What guests and staff write, in five languages and a few more."""

GUEST_NOTES = (
    "Window table if possible, please.",
    "It's our tenth anniversary 🎉 – could you write something on the dessert?",
    "One of us is allergic to nuts (carries an EpiPen).",
    "We will arrive with a pushchair.",
    "Running to the theatre at 21:30, quick service appreciated.",
    "Une chaise haute pour notre fils, merci !",
    "Nous fêtons l'anniversaire de ma mère, elle ne le sait pas encore.",
    "Allergie sévère aux crustacés pour une personne.",
    "Table au calme si possible, rendez-vous professionnel.",
    "¿Podría ser una mesa en la terraza? Muchas gracias.",
    "Somos dos celíacos, ¿hay opciones sin gluten?",
    "Llegaremos quizá diez minutos tarde.",
    "Un tavolo tranquillo, è una proposta di matrimonio!",
    "Siamo vegetariani in tre, grazie mille.",
    "Abbiamo un cane piccolo, è un problema?",
    "Bitte ein Tisch am Fenster, wenn möglich.",
    "Eine Person ist laktoseintolerant.",
    "Wir bringen einen Rollstuhl mit, ist der Eingang ebenerdig?",
    "Graag een rustige tafel, we vieren een pensioen.",
    "窓際の席をお願いします。",
)
STAFF_NOTES = (
    "VIP – welcome drink on the house.",
    "Table 14, asked twice for the corner.",
    "Called to confirm, will be 10 min late.",
    "Gâteau d'anniversaire commandé, bougies au bar.",
    "Client difficile la dernière fois, prévenir la direction.",
    "Mesa 6, junto a la ventana. Confirmado por teléfono.",
    "Torta alle 22:00, senza noci.",
    "Stammgast, kennt die Karte. Tisch 3.",
    "Deposit waived by the manager.",
)
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
OCCASION_FIELD = ("Birthday", "Anniversary", "Business", "First visit")

PRAISE = {
    "en": (
        "Lovely evening from start to finish. The lamb was the best I have had in years.",
        "Warm welcome, careful cooking, fair prices. We will be back with friends.",
        "The waiter remembered us from last year! Dessert was a dream.",
    ),
    "fr": (
        "Une cuisine précise et généreuse, un service aux petits soins. Bravo à l'équipe !",
        "Très belle découverte, le menu dégustation vaut le détour.",
        "Accueil chaleureux, assiettes superbes. Nous reviendrons sans hésiter.",
    ),
    "es": (
        "Todo estupendo, sobre todo el arroz. El personal, encantador.",
        "Un sitio para volver. Platos con mucho sabor y buena relación calidad-precio.",
    ),
    "it": (
        "Piatti curati e servizio gentile. La pasta fresca è imperdibile.",
        "Serata splendida, torneremo presto!",
    ),
    "de": (
        "Ausgezeichnetes Essen und sehr aufmerksamer Service. Gerne wieder!",
        "Gemütlich, herzlich, köstlich. Die Weinempfehlung passte perfekt.",
    ),
}
BLAME = {
    "en": (
        "We waited fifty minutes for the mains and nobody apologised.",
        "Food was fine but the room was so loud that we could hardly talk.",
    ),
    "fr": (
        "Attente beaucoup trop longue et plats tièdes. Dommage, le cadre est joli.",
        "L'addition comportait une erreur et personne ne s'est excusé.",
    ),
    "es": ("Nos sentaron junto al baño y el pescado llegó frío.",),
    "it": ("Servizio distratto, conto salato. Peccato.",),
    "de": ("Trotz Reservierung mussten wir 30 Minuten auf den Tisch warten.",),
}
REPLIES = {
    "en": "Thank you for your kind words. We look forward to welcoming you again.",
    "fr": "Merci beaucoup pour votre message, toute l'équipe vous attend avec plaisir.",
    "es": "Muchas gracias por sus palabras. Esperamos verle pronto.",
    "it": "Grazie di cuore, vi aspettiamo presto.",
    "de": "Herzlichen Dank für Ihre Worte. Wir freuen uns auf Ihren nächsten Besuch.",
}
UNHAPPY_REPLIES = {
    "en": "We are sorry about your evening and have spoken with the team. Please write to us.",
    "fr": "Nous sommes désolés de cette soirée et en avons parlé avec l'équipe.",
    "es": "Lamentamos lo ocurrido y ya lo hemos hablado con el equipo.",
    "it": "Ci dispiace molto per la serata, ne abbiamo parlato con la squadra.",
    "de": "Es tut uns leid, wir haben den Abend mit dem Team besprochen.",
}
CAMPAIGNS = ("newsletter", "autumn", "instagram", "partner-page")
SEASONS = ("spring-terrace", "new-menu", "twelve-nights")

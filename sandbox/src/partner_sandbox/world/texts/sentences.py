"""Sentences of reviews and replies in five languages, by what they speak of.

`opinions.py` puts them together so that a text says what its ratings say.
"""

Sentences = dict[str, tuple[str, ...]]

ENGLISH: Sentences = {
    "great": (
        "One of the best meals we have had this year.",
        "Lovely evening from start to finish.",
        "We came for a birthday and left very happy.",
        "Everything we hoped for, and a little more.",
        "A small gem, I hesitate to tell anybody.",
    ),
    "good": (
        "A good evening all in all.",
        "Nice place, well run.",
        "We enjoyed ourselves.",
        "Solid neighbourhood restaurant.",
    ),
    "mixed": (
        "A mixed evening.",
        "It was all right, no more than that.",
        "Not quite what we remembered.",
    ),
    "bad": (
        "A disappointing evening.",
        "We had looked forward to this, and left annoyed.",
        "Sadly not what it used to be.",
    ),
    "food_good": (
        "The lamb was the best I have had in years.",
        "Dessert was a dream.",
        "Careful cooking, and nothing too clever.",
        "The fish was perfectly done.",
        "The bread alone is worth the trip.",
    ),
    "food_poor": (
        "The mains came lukewarm.",
        "The fish was dry and the vegetables came out of a bag.",
        "My risotto was salty beyond rescue.",
    ),
    "service_good": (
        "The waiter remembered us from last year!",
        "Warm welcome, and the staff know the wine list.",
        "They handled my son's allergy with real care.",
        "Attentive without hovering.",
    ),
    "service_poor": (
        "Nobody apologised.",
        "We had to ask three times for water.",
        "The waiter was short with us from the beginning.",
    ),
    "fast": ("Seated at once, and the food came quickly.", "No waiting, even on a full evening."),
    "slow": (
        "We waited fifty minutes for the mains.",
        "Half an hour for the bill is too long.",
        "An hour between starters and mains.",
    ),
    "quiet": ("Quiet enough for a real conversation.", "A calm room, which is rare these days."),
    "loud": (
        "The room was so loud that we could hardly talk.",
        "Bring earplugs: we shouted across the table all evening.",
    ),
    "cheap": ("Fair prices for what you get.", "Great value, we expected to pay more."),
    "dear": ("Rather expensive for the portions.", "The bill made us swallow."),
    "ambience_good": ("Beautiful room, candlelight and all.", "We loved the terrace."),
    "ambience_poor": (
        "Our table stood in the draught next to the toilets.",
        "The room felt tired.",
    ),
    "back": ("We will be back with friends.", "See you next month!", "Already booked again."),
    "never": ("We will not come back.", "I would think twice."),
    "thanks": (
        "Thank you for your kind words. We look forward to welcoming you again.",
        "What a pleasure to read this. The whole team says thank you.",
        "Thank you for taking the time to write. See you soon!",
        "We are glad that you enjoyed your evening, and I have passed your words to the kitchen.",
    ),
    "sorry": (
        "We are sorry about your evening and have spoken with the team. Please write to us.",
        "This is not the evening we want to give. Thank you for telling us so plainly.",
        "I am sorry. We were short of hands, which is no excuse. Please let us make it good.",
    ),
}
FRENCH: Sentences = {
    "great": (
        "Une très belle soirée du début à la fin.",
        "Très belle découverte !",
        "L'une de nos meilleures tables de l'année.",
        "Un moment parfait pour nos dix ans de mariage.",
        "Une adresse rare, à garder précieusement.",
    ),
    "good": (
        "Une bonne soirée dans l'ensemble.",
        "Une adresse sérieuse.",
        "Nous avons passé un bon moment.",
        "Bonne table de quartier.",
    ),
    "mixed": ("Soirée mitigée.", "Correct, sans plus.", "Moins bien que la dernière fois."),
    "bad": (
        "Grosse déception.",
        "Nous attendions beaucoup mieux.",
        "Dommage, le lieu a bien changé.",
    ),
    "food_good": (
        "Une cuisine précise et généreuse.",
        "Assiettes superbes et produits de saison.",
        "Le menu dégustation vaut le détour.",
        "Cuisson du poisson parfaite.",
        "Le dessert au citron, un rêve.",
    ),
    "food_poor": (
        "Les plats sont arrivés tièdes.",
        "Viande trop cuite et garniture sans goût.",
        "La sauce sortait manifestement d'un pot.",
    ),
    "service_good": (
        "Un service aux petits soins. Bravo à l'équipe !",
        "Accueil chaleureux.",
        "Le sommelier nous a conseillés à merveille.",
        "Mon allergie a été prise très au sérieux.",
    ),
    "service_poor": (
        "Personne ne s'est excusé.",
        "Le serveur nous a oubliés deux fois.",
        "Accueil froid, presque désagréable.",
    ),
    "fast": ("Servis rapidement, même un samedi.", "Aucune attente."),
    "slow": (
        "Attente beaucoup trop longue.",
        "Cinquante minutes pour les plats.",
        "Une demi-heure pour obtenir l'addition.",
    ),
    "quiet": ("Une salle calme où l'on s'entend parler.", "Ambiance feutrée, très reposante."),
    "loud": (
        "Salle si bruyante que nous ne nous entendions plus.",
        "La musique était beaucoup trop forte.",
    ),
    "cheap": ("Des prix très honnêtes.", "Excellent rapport qualité-prix."),
    "dear": ("Un peu cher pour les quantités.", "L'addition est salée."),
    "ambience_good": ("Le cadre est magnifique.", "La terrasse est un petit paradis."),
    "ambience_poor": ("Notre table était à côté des toilettes.", "La décoration a vieilli."),
    "back": ("Nous reviendrons sans hésiter.", "À très bientôt !", "Déjà réservé pour Noël."),
    "never": ("Nous ne reviendrons pas.", "À éviter un samedi soir."),
    "thanks": (
        "Merci beaucoup pour votre message, toute l'équipe vous attend avec plaisir.",
        "Quel plaisir de vous lire ! À très bientôt.",
        "Un grand merci, j'ai transmis vos mots à la cuisine.",
        "Merci d'avoir pris le temps de nous écrire.",
    ),
    "sorry": (
        "Nous sommes désolés de cette soirée et en avons parlé avec l'équipe.",
        "Ce n'est pas l'accueil que nous voulons offrir. Merci de nous l'avoir dit.",
        "Toutes nos excuses. Écrivez-nous, nous aimerions nous rattraper.",
    ),
}
SPANISH: Sentences = {
    "great": (
        "Todo estupendo.",
        "Una noche redonda.",
        "De lo mejor que hemos probado este año.",
        "Celebramos nuestro aniversario y fue inolvidable.",
    ),
    "good": (
        "Buena cena en general.",
        "Un sitio que cumple.",
        "Lo pasamos bien.",
        "Buen restaurante de barrio.",
    ),
    "mixed": ("Una noche irregular.", "Correcto, sin más.", "Esperábamos algo más."),
    "bad": ("Una decepción.", "Muy por debajo de lo que era.", "Salimos enfadados."),
    "food_good": (
        "El arroz, espectacular.",
        "Platos con mucho sabor.",
        "El pescado estaba en su punto.",
        "Los postres caseros son una maravilla.",
    ),
    "food_poor": (
        "El pescado llegó frío.",
        "La carne, dura y sin sabor.",
        "Las croquetas eran congeladas.",
    ),
    "service_good": (
        "El personal, encantador.",
        "Nos atendieron de maravilla.",
        "Tuvieron mucho cuidado con mi alergia.",
    ),
    "service_poor": (
        "Nadie se disculpó.",
        "El camarero nos ignoró.",
        "Tuvimos que pedirlo todo dos veces.",
    ),
    "fast": ("Nos sentaron enseguida.", "Servicio rápido incluso con el local lleno."),
    "slow": ("Esperamos casi una hora por los segundos.", "Media hora para la cuenta."),
    "quiet": ("Un comedor tranquilo donde se puede hablar.", "Ambiente silencioso y agradable."),
    "loud": ("Había tanto ruido que no podíamos hablar.", "La música, altísima."),
    "cheap": ("Muy buena relación calidad-precio.", "Precios más que razonables."),
    "dear": ("Algo caro para la cantidad.", "La cuenta, excesiva."),
    "ambience_good": ("El patio es precioso.", "Un local con mucho encanto."),
    "ambience_poor": ("Nos sentaron junto al baño.", "El local necesita una reforma."),
    "back": ("Un sitio para volver.", "Repetiremos seguro.", "¡Hasta pronto!"),
    "never": ("No volveremos.", "No lo recomiendo."),
    "thanks": (
        "Muchas gracias por sus palabras. Esperamos verle pronto.",
        "¡Qué alegría leerle! Se lo cuento a la cocina.",
        "Gracias por tomarse el tiempo de escribirnos.",
    ),
    "sorry": (
        "Lamentamos lo ocurrido y ya lo hemos hablado con el equipo.",
        "Le pedimos disculpas. Escríbanos, nos gustaría compensarle.",
    ),
}
ITALIAN: Sentences = {
    "great": (
        "Serata splendida.",
        "Una cena da ricordare.",
        "Tutto perfetto, dall'inizio alla fine.",
    ),
    "good": ("Una buona cena.", "Posto piacevole.", "Siamo stati bene."),
    "mixed": ("Serata così così.", "Nella media, niente di più."),
    "bad": ("Una delusione.", "Peccato, ci aspettavamo altro."),
    "food_good": ("La pasta fresca è imperdibile.", "Piatti curati.", "Il tiramisù è un sogno."),
    "food_poor": ("I piatti sono arrivati freddi.", "Il risotto era scotto."),
    "service_good": ("Servizio gentile e preparato.", "Ci hanno accolti con calore."),
    "service_poor": ("Servizio distratto.", "Nessuno si è scusato."),
    "fast": ("Serviti subito.", "Nessuna attesa."),
    "slow": ("Un'ora per i secondi.", "Attesa infinita tra un piatto e l'altro."),
    "quiet": ("Sala tranquilla, si parla bene.", "Atmosfera silenziosa e rilassante."),
    "loud": ("Troppo rumore per parlare.", "Musica altissima tutta la sera."),
    "cheap": ("Prezzi onesti.", "Ottimo rapporto qualità-prezzo."),
    "dear": ("Conto salato.", "Caro per quello che si mangia."),
    "ambience_good": ("Locale bellissimo.", "Il giardino è incantevole."),
    "ambience_poor": ("Tavolo accanto al bagno.", "L'arredo è trascurato."),
    "back": ("Torneremo presto!", "Da rifare."),
    "never": ("Non torneremo.", "Non lo consiglio."),
    "thanks": ("Grazie di cuore, vi aspettiamo presto.", "Che bello leggervi, grazie mille!"),
    "sorry": (
        "Ci dispiace molto per la serata, ne abbiamo parlato con la squadra.",
        "Vi chiediamo scusa. Scriveteci, vorremmo rimediare.",
    ),
}
GERMAN: Sentences = {
    "great": (
        "Ein rundum gelungener Abend.",
        "Eines der besten Essen des Jahres.",
        "Gemütlich, herzlich, köstlich.",
    ),
    "good": ("Ein guter Abend.", "Solides Lokal.", "Wir haben uns wohlgefühlt."),
    "mixed": ("Ein durchwachsener Abend.", "In Ordnung, mehr nicht."),
    "bad": ("Leider eine Enttäuschung.", "Wir hatten uns mehr erwartet."),
    "food_good": (
        "Ausgezeichnetes Essen.",
        "Der Fisch war auf den Punkt.",
        "Das Dessert war ein Traum.",
    ),
    "food_poor": ("Das Essen kam lauwarm.", "Das Fleisch war zäh."),
    "service_good": ("Sehr aufmerksamer Service.", "Die Weinempfehlung passte perfekt."),
    "service_poor": ("Niemand hat sich entschuldigt.", "Der Kellner war unfreundlich."),
    "fast": ("Wir bekamen sofort unseren Tisch.", "Keine Wartezeit, trotz vollem Haus."),
    "slow": (
        "Trotz Reservierung mussten wir 30 Minuten auf den Tisch warten.",
        "Eine Stunde bis zum Hauptgang.",
    ),
    "quiet": ("Ein ruhiger Raum, man versteht sich.", "Angenehm leise."),
    "loud": ("So laut, dass man sich kaum unterhalten konnte.", "Die Musik war viel zu laut."),
    "cheap": ("Faire Preise.", "Sehr gutes Preis-Leistungs-Verhältnis."),
    "dear": ("Für die Portionen recht teuer.", "Die Rechnung war gesalzen."),
    "ambience_good": ("Wunderschöner Raum.", "Die Terrasse ist herrlich."),
    "ambience_poor": (
        "Unser Tisch stand neben der Toilette.",
        "Die Einrichtung ist in die Jahre gekommen.",
    ),
    "back": ("Gerne wieder!", "Wir kommen bald wieder."),
    "never": ("Wir kommen nicht wieder.", "Keine Empfehlung."),
    "thanks": (
        "Herzlichen Dank für Ihre Worte. Wir freuen uns auf Ihren nächsten Besuch.",
        "Das freut uns sehr, vielen Dank!",
    ),
    "sorry": (
        "Es tut uns leid, wir haben den Abend mit dem Team besprochen.",
        "Wir bitten um Entschuldigung. Schreiben Sie uns, wir möchten das gutmachen.",
    ),
}
LANGUAGES = {"en": ENGLISH, "fr": FRENCH, "es": SPANISH, "it": ITALIAN, "de": GERMAN}

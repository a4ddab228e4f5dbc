"""What a food does to somebody, with no word for an allergy: throat, breath, hospital, poison."""

import pytest

from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kiwi makes my throat close", {"kiwi"}),
        ("salmon makes my throat close up", {"fish"}),
        ("egg makes his throat shut", {"eggs"}),
        ("my daughter's lips go blue with eggs", {"eggs"}),
        ("salmon nearly put my dad in a coma", {"fish"}),
        ("she'd die if she had salmon", {"fish"}),
        ("my body rejects salmon", {"fish"}),
        ("le saumon me ferme la gorge", {"fish"}),
        ("les oeufs lui serrent la gorge", {"eggs"}),
        ("le saumon me bloque la respiration", {"fish"}),
        ("mon corps rejette le saumon", {"fish"}),
        ("le saumon c'est hopital direct", {"fish"}),
        ("hospital directo con salmón", {"fish"}),
        ("no me dejan comer huevo", {"eggs"}),
        ("salmone, dritto in ospedale", {"fish"}),
        ("o salmão fecha-me a garganta", {"fish"}),
        ("direto para o hospital com ovo", {"eggs"}),
        ("Lachs kann ihn umbringen", {"fish"}),
        ("van zalm krijgt hij geen lucht", {"fish"}),
    ],
)
def test_a_grave_effect_states_an_allergy(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("le saumon est un poison pour moi", "fish"),
        ("el huevo es veneno para mí", "eggs"),
        ("il salmone è veleno per me", "fish"),
        ("Lachs ist Gift für mich", "fish"),
        ("o salmão é veneno para mim", "fish"),
        ("zalm is vergif voor mij", "fish"),
        ("pb avec le saumon", "fish"),
        ("impossible de manger du saumon", "fish"),
        ("we keep salmon away from our son", "fish"),
    ],
)
def test_poison_and_trouble_leave_a_hint(text, code):
    assert codes_of(text) & {code, f"{code}?"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no longer tolerates milk", {"milk"}),
        ("can no longer tolerate dairy", {"milk"}),
        ("no longer allowed nuts", {"nuts"}),
        ("may no longer have dairy", {"milk"}),
        ("n'est plus capable de manger des noix", {"nuts"}),
        ("n'a plus droit aux noix", {"nuts"}),
        ("no puede comer más nueces", {"nuts"}),
        ("non può più mangiare noci", {"nuts"}),
        ("non posso più mangiare gamberi", {"crustaceans"}),
        ("não pode mais comer nozes", {"nuts"}),
        ("não pode mais camarão", {"crustaceans"}),
        ("kann Eier nicht essen", {"eggs?"}),
        ("kann Eier nicht mehr essen", {"eggs?"}),
        ("mag garnalen niet eten", {"crustaceans?"}),
        ("kan garnalen niet meer eten", {"crustaceans?"}),
    ],
)
def test_what_somebody_can_no_longer_eat_is_shown(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("prawns she can't have", {"crustaceans"}),
        ("prawns, she can't have", {"crustaceans"}),
        ("eggs my son cannot eat", {"eggs"}),
        ("fish my wife has to avoid", {"fish"}),
        ("nuts and eggs my son can't have", {"nuts", "eggs"}),
        ("le poisson ma femme ne peut pas manger", {"fish"}),
        ("les crevettes elle n'a pas le droit", {"crustaceans"}),
        ("las gambas mi hija no puede comer", {"crustaceans"}),
        ("el pescado está prohibido", {"fish"}),
        ("i gamberi mia moglie non può mangiare", {"crustaceans"}),
        ("camarão ela não pode", {"crustaceans"}),
        ("o peixe está proibido", {"fish"}),
        ("prawns we can't wait for", set()),
        ("fish and chips for us, my son can't come", set()),
        ("salmon for my wife, she can't drink", {"fish?"}),
    ],
)
def test_a_food_may_stand_before_who_cannot_eat_it(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "not a mild nut allergy",
        "pas une légère allergie aux noix",
        "no es una alergia leve a las nueces",
        "keine leichte Nussallergie",
        "non è un'allergia lieve alle noci",
        "geen lichte notenallergie",
    ],
)
def test_an_allergy_that_is_not_mild_is_a_hint(text):
    assert codes_of(text) == {"nuts?"}


@pytest.mark.parametrize(
    "text",
    [
        "can no longer come, please cancel the fish menu",
        "dogs no longer allowed on terrace",
        "non possiamo più venire, annullate il pesce",
        "no mild allergies",
        "your salmon is to die for",
        "we'd die if we missed the prawns",
        "hospital dinner, salmon for all",
        "cena del hospital, pescado para todos",
        "ce plat me coupe le souffle, homard",
        "impossible de manger à 19h, on prend le homard à 20h",
        "Gift für Gäste, Lachs zum Start",
    ],
)
def test_dinner_in_the_same_words_is_none(text):
    assert codes_of(text) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ospedale con i gamberi", {"crustaceans?"}),
        ("pronto soccorso coi gamberi", {"crustaceans?"}),
        ("hospital com ovos", {"eggs?"}),
        ("hospital con gambas", {"crustaceans?"}),
        ("hôpital avec les crevettes", {"crustaceans?"}),
        ("urgences après du homard", {"crustaceans?"}),
        ("Krankenhaus mit Garnelen", {"crustaceans?"}),
        ("ziekenhuis met garnalen", {"crustaceans?"}),
        ("hospital after prawns", {"crustaceans?"}),
        ("hospital from prawns", {"crustaceans"}),
        ("hôpital l'an dernier à cause des crevettes", {"crustaceans"}),
        ("ospedale l'anno scorso per colpa dei gamberi", {"crustaceans"}),
        ("NO PRAWNS!!! HOSPITAL LAST TIME", {"crustaceans"}),
        ("cena ospedale con 12 medici, antipasto di pesce", set()),
        ("hospital con 10 pax, mariscada a las 21", set()),
        ("Krankenhaus mit 12 Personen, Fischbuffet", set()),
    ],
)
def test_a_hospital_with_a_food_is_read(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ma femme craint les crevettes", {"crustaceans?"}),
        ("je crains l'ail", {"garlic?"}),
        ("kann Fisch nicht ab", {"fish?"}),
        ("vis mag er niet in", {"fish?"}),
        ("ei lust hij niet", {"eggs?"}),
        ("il craint le froid, plateau de fruits de mer pour 2", set()),
        ("je crains le retard", set()),
        ("dochter lust graag vis", set()),
    ],
)
def test_a_refusal_in_everyday_words_is_a_hint(text, codes):
    assert codes_of(text) == codes

"""What one note says, rule by rule; the corpus measures the rest."""

import json
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from time import process_time

import pytest
from django.core.management import call_command

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of

ROOT = Path(__file__).parents[3]


def diets(text: str) -> set[str]:
    return {each.code for each in read_note(text).diets if each.certainty == "stated"}


class TestReadNote:
    def test_it_works(self):
        text = "Ma femme est allergique aux noix"
        found = read_note(text).allergens[0]

        assert (found.code, found.certainty, found.people) == ("nuts", "stated", 1)
        assert text[slice(*found.span)] == "noix"

    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            ("peanuts + sesame allergy", {"peanuts", "sesame"}),
            ("allergies: nuts, fish and sesame", {"nuts", "fish", "sesame"}),
            ("Erdnuss- und Milchallergie", {"peanuts", "milk"}),
            ("meine Frau ist gegen Nüsse allergisch", {"nuts"}),
            ("alergic to penuts", {"peanuts"}),
            ("she could die if she eats crab", {"crustaceans"}),
            ("peanuts could kill her", {"peanuts"}),
            ("no gluten or eggs", {"gluten?", "eggs?"}),
            ("Severe: peanuts", {"peanuts"}),
            ("traces of nuts are dangerous", {"nuts"}),
            ("Carta de alérgenos por favor", {"unspecified?"}),
            ("no nuts due to allergy", {"nuts"}),
            ("Cuidado com o amendoim, o meu filho é alérgico", {"peanuts"}),
            ("🥜 ⚠️", {"peanuts", "nuts?"}),  # there is no other sign for most nuts
            ("severe allergies, will tell at table", {"unspecified"}),
            ("had an allergic reaction to nuts", {"nuts"}),
            ("my wife is very allergic to nuts", {"nuts"}),
            ("meine Frau ist hochallergisch gegen Nüsse", {"nuts"}),
            ("nada picante", {"chilli?"}),
            ("ya no tolera la leche", {"milk"}),
            ("ya no puede huevo", {"eggs"}),
            ("can't really eat nuts", {"nuts"}),
            ("prawns give my wife hives", {"crustaceans"}),
            ("my throat swells with kiwi", {"kiwi"}),
            ("no coriander, it makes me ill", {"coriander"}),
            ("not allergic but my wife to nuts", {"nuts"}),
            ("allergic to hummus", {"sesame", "legumes?"}),
            ("anafilaktik to seseme", {"sesame"}),
            ("Alergia a la proteína de la leche de vaca", {"milk"}),
            ("laktoseint.", {"lactose"}),
            ("allergisch voor garnaaltjes", {"crustaceans"}),
            ("Allergie gegen Nordseekrabben und Selleriesalz", {"crustaceans", "celery"}),
            ("lactose-intolerant, een beetje boter is prima", {"lactose"}),
            ("avec des noix elle finit à l'hôpital", {"nuts"}),
            ("nach Milch ist mir übel", {"milk"}),
            ("eats no meat", {"meat?"}),
            ("Soya + pea protein allergy", {"soybeans", "legumes"}),
            ("the peanut sauce nearly killed me", {"peanuts"}),
            ("absolument aucune trace d'arachide", {"peanuts"}),
            ("er is iemand met een sesamallergie bij", {"sesame"}),
            ("she is sensitive to garlic", {"garlic"}),
            ("Gluten- u. Laktosefrei", {"gluten?", "lactose?", "milk?"}),
            ("noten!! kind in ambulance geweest!!", {"nuts?"}),
            ("Do not serve nuts to this guest", {"nuts?"}),
            ("Il peut mourir s'il mange des noix", {"nuts"}),
            ("può morire con le arachidi", {"peanuts"}),
            ("Er stirbt bei Nüssen", {"nuts"}),
            ("Hij kan doodgaan aan garnalen", {"crustaceans"}),
            ("Nusalergie", {"nuts"}),
            ("Nut allergy? No, peanut!", {"nuts?", "peanuts?"}),
            ("soja en lupine kan mijn vriend niet hebben", {"soybeans", "lupin"}),
            ("pas op met selderij!! zwaar allergisch", {"celery"}),
            ("histaminarm kochen", {"histamine?"}),
            ("con los frutos secos se le cierra la garganta", {"nuts"}),
            ("j peu pa mangé de noix", {"nuts"}),
            ("Is it fried with prawns? My son is allergic", {"crustaceans"}),
            ("sensitive to noise, quiet table please", set()),
            ("traces of nuts are fine", set()),
            ("I am coeliac, could you do a pizza?", {"gluten"}),
            ("please keep butter out of his food", {"milk?"}),
            ("my gf can't eat nuts", {"nuts"}),
            ("allergic to cashews \U0001f95c", {"nuts", "peanuts"}),
            ("Allergie gegen Rohmilchkäse und Mandelmilch", {"milk", "nuts"}),
        ],
    )
    def test_it_finds_what_is_stated(self, text, codes):
        assert codes_of(text) == codes

    @pytest.mark.parametrize(
        "text",
        [
            "no allergies",
            "NKA",
            "pas d'allergie",
            "keine Allergien",
            "not allergic any more",
            "Allergies? None.",
            "no nut allergy",
            "no gluten allergy",
            "none of us has any allergies",
            "no allergies but hates fish",
            "allergic to Mondays",
            "loves the nut tart",
            "used to be vegetarian",
            "guten Abend, Tisch am Fenster",
        ],
    )
    def test_it_leaves_denials_and_talk(self, text):
        assert codes_of(text) == set() == diets(text)

    def test_it_reads_an_exception_from_a_denial(self):
        assert codes_of("no allergies except nuts") == {"nuts"}

    def test_a_request_is_only_a_hint(self):
        assert codes_of("no onions please") == {"onion?"}

    @pytest.mark.parametrize(
        ("text", "codes", "named"),
        [
            (
                "nut, dairy and gluten free",
                {"nuts?", "milk?", "gluten?", "lactose?"},
                {"gluten_free"},
            ),
            (
                "sans gluten ni lactose",
                {"gluten?", "lactose?", "milk?"},
                {"gluten_free", "lactose_free"},
            ),
            (
                "laktose- und glutenfrei",
                {"gluten?", "lactose?", "milk?"},
                {"gluten_free", "lactose_free"},
            ),
            ("no sugar nor salt", {"sugar?"}, {"low_salt", "diabetic"}),
            ("oignons et ail à éviter", {"onion?", "garlic?"}, set()),
            ("we eat everything except mushrooms", {"mushroom?"}, set()),
        ],
    )
    def test_a_list_shares_one_word_that_leaves_it_out(self, text, codes, named):
        assert (codes_of(text), diets(text)) == (codes, named)

    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            ("nut allergy, please have a look", {"nuts"}),
            ("allergie voor room en look", {"milk", "garlic"}),
            ("papa is allergic to nuts", {"nuts"}),
            ("alergia a la papa", {"potato"}),
        ],
    )
    def test_a_word_of_two_languages_is_read_in_that_of_the_note(self, text, codes):
        assert codes_of(text) == codes

    def test_a_short_form_of_two_diets_is_a_hint_at_both(self):
        assert {(each.code, each.certainty) for each in read_note("1 VG").diets} == {
            ("vegan", "maybe"),
            ("vegetarian", "maybe"),
        }

    def test_other_foods_of_a_note_that_tells_of_an_allergy_are_hints(self):
        assert codes_of("Lupin allergy. Please check the celery soup") == {"lupin", "celery?"}
        assert codes_of("Please check the celery soup") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "L'allergie au lait de notre fils est guérie",
            "Mijn allergie voor vis is over, ik eet weer alles",
            "me han quitado la alergia al melocotón",
            "ho smesso di essere vegana",
            "ya no soy vegetariano",
            "Gluten free isn't needed any more",
            "She used to carry an EpiPen for wasp stings",
            "In shock at how good the fish was",
            "Does anyone have allergies? - No",
            "we vieren dat oma haar notenallergie kwijt is",
            "a bebé já ultrapassou a alergia ao leite",
            "alergia ao amendoim? não, foi engano da colega",
            "l'allergia alle fragole non ce l'ha più",
            "The nut allergy on this booking is a mistake, please delete",
        ],
    )
    def test_what_is_over_is_not_stated(self, text):
        reading = read_note(text)

        assert not [each for each in reading.allergens if each.certainty == "stated"]
        assert not [each for each in reading.diets if each.certainty == "stated"]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("L'allergie au lait de notre fils est guérie", "milk?"),
            ("The nut allergy on this booking is a mistake", "nuts?"),
            ("his nut allergy is not over", "nuts"),
            ("Notenallergie is niet over", "nuts"),
        ],
    )
    def test_what_is_called_over_in_passing_stays_a_hint(self, text, code):
        assert codes_of(text) == {code}

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("allergic to cured ham", "pork"),
            ("intolerante à lactose (queijo curado ok)", "lactose"),
            ("nut allergy, dinner is over by 10", "nuts"),
            ("Allergies: [x] Nuts [ ] Milk", "nuts"),
        ],
    )
    def test_a_cured_ham_or_a_dinner_ends_no_allergy(self, text, code):
        assert codes_of(text) == {code}

    def test_a_vegetarian_who_eats_fish_is_perhaps_one(self):
        found = {d.code: d.certainty for d in read_note("vegetarian but eats fish").diets}

        assert found == {"pescatarian": "stated", "vegetarian": "maybe"}

    def test_what_is_listed_after_a_forbidden_food_is_forbidden_too(self):
        found = read_note("mag geen gluten en geen lactose")

        assert {a.code for a in found.allergens if a.certainty == "stated"} == {"gluten", "lactose"}
        assert {d.certainty for d in found.diets} == {"maybe"}

    def test_gravity_belongs_to_its_allergy(self):
        found = {
            a.code: a.is_severe
            for a in read_note("severe nut allergy and lactose intolerant").allergens
        }

        assert found == {"nuts": True, "lactose": False}

    def test_gravity_in_brackets_belongs_to_the_food_before(self):
        found = {
            a.code: a.is_severe for a in read_note("nuts (severe), fish (mild) allergies").allergens
        }

        assert found == {"nuts": True, "fish": False}

    def test_spans_count_characters_of_the_text_as_written(self):
        text = "🥂🎂 Cœliaque — allergie: œufs"
        spans = {text[slice(*each.span)] for each in read_note(text).allergens}

        assert spans == {"Cœliaque", "œufs"}


class TestCommand:
    def test_it_answers_each_line(self):
        notes = [{"text": "2 vegans", "locale": None}, {"text": "", "locale": "fr_FR"}]
        ran = subprocess.run(
            [sys.executable, "manage.py", "read_notes"],
            cwd=ROOT,
            input="\n".join(json.dumps(note) for note in notes),
            capture_output=True,
            text=True,
            check=True,
        )
        answers = [json.loads(line) for line in ran.stdout.splitlines()]

        assert answers == [
            {
                "allergens": [],
                "diets": [{"code": "vegan", "certainty": "stated", "people": 2, "span": [2, 8]}],
            },
            {"allergens": [], "diets": []},
        ]

    def test_it_ends_in_silence_when_nobody_reads_on(self, tmp_path):
        notes = tmp_path / "notes.jsonl"
        notes.write_text('{"text": "2 vegans"}\n' * 5_000)
        with (
            notes.open() as lines,
            subprocess.Popen(
                [sys.executable, "manage.py", "read_notes"],
                cwd=ROOT,
                stdin=lines,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as reader,
        ):
            assert reader.stdout
            assert reader.stderr
            reader.stdout.readline()
            reader.stdout.close()
            faults = reader.stderr.read()

        assert (reader.returncode, faults) == (0, b"")

    @pytest.mark.parametrize(
        "line",
        [
            b"{",
            b"[1]",
            b'{"text": 3}',
            b'{"text": 0}',
            b'{"txt": "nuts"}',
            b"\xff\xfe",
            b"[" * 90_000,
        ],
    )
    def test_it_names_the_line_that_is_no_note_and_reads_on(self, line, monkeypatch):
        note = b'{"text": "vegan"}'
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"\n".join([note, line, note]))))
        printed, faults = StringIO(), StringIO()

        call_command("read_notes", stdout=printed, stderr=faults)

        answers = [json.loads(answer) for answer in printed.getvalue().splitlines()]
        assert [len(answer["diets"]) for answer in answers] == [1, 0, 1]
        assert answers[1]["error"].startswith("Line 2 is not a note")
        assert faults.getvalue().startswith("Line 2 is not a note")

    @pytest.mark.parametrize(
        "line",
        [
            b'{"text": null}',
            b"",
            b"  \t",
            b'\xef\xbb\xbf{"text": ""}',
            b'{"text": "\\ud83d \\u0000"}',
        ],
    )
    def test_it_takes_what_is_empty_or_odd(self, line, monkeypatch):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(line)))
        printed, faults = StringIO(), StringIO()

        call_command("read_notes", stdout=printed, stderr=faults)

        assert printed.getvalue().strip() in ("", '{"allergens": [], "diets": []}')
        assert not faults.getvalue()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("🎉🎉 allergic to nuts", "nuts"),
        ("allergique aux ce\u0301leris", "ce\u0301leris"),
        ("fête d\x00anniversaire, allergique au lait", "lait"),
    ],
)
def test_a_span_counts_code_points(text, word):
    found = read_note(text).allergens[0]

    assert text[slice(*found.span)] == word


@pytest.mark.parametrize(
    "text",
    [
        "nuts and milk " * 3_000,
        "a" * 100_000,
        "🥜" * 5_000,
        "no milk. " * 4_000,
        "☐ gluten ☒ milk " * 4_000,
        "gluten ☐ milk ☒ " * 4_000,
        "a" * 100_000 + "☐ mild ☒ severe ☐",
        "Allergies:\n" + "Milk: no\n" * 8_000,
        "-" * 100_000,
        "アレルギー" + " " * 1_000 + "z",
    ],
)
def test_a_huge_text_takes_time_in_proportion(text):
    started = process_time()
    read_note(text)

    assert process_time() - started < 5  # by the square of its length it took minutes


@pytest.mark.parametrize(
    "text", ["notenallergie! ook geen sporen", "Nussallergie. Spuren reichen schon."]
)
def test_traces_are_grave_in_a_sentence_of_their_own(text):
    assert read_note(text).allergens[0].is_severe

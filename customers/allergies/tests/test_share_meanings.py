"""The word lists in memory: tens of thousands of phrases have a few hundred meanings."""

from django.test import SimpleTestCase

from customers.allergies.lexicon import lexicon


class TestShareMeanings(SimpleTestCase):
    def test_it_works(self):
        phrases = lexicon().phrases

        assert len({id(entry) for entry in phrases.values()}) < len(phrases) / 50
        assert phrases["peanut",] is phrases["peanuts",]

    def test_different_meanings_stay_apart(self):
        phrases = lexicon().phrases

        assert phrases["peanut",] is not phrases["milk",]
        assert phrases["vegan",] is not phrases["vegetarian",]

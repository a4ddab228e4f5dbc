"""Every sentence in every language, with the same gaps to fill. `make check` looks for new ones."""

import polib
import pytest

from bin.messages import catalogues, faults

CATALOGUES = {path.parts[-3]: path for path in catalogues()}


@pytest.mark.django_db
@pytest.mark.parametrize("language", CATALOGUES)
def test_it_works(client, language):
    words = {entry.msgid: entry.msgstr for entry in polib.pofile(str(CATALOGUES[language]))}

    page = client.get("/accounts/login/", headers={"accept-language": language})

    assert page.headers["Content-Language"] == language
    assert words["Sign in"] in page.content.decode()


def test_every_language_of_the_settings_has_its_words(settings):
    assert {code for code, _name in settings.LANGUAGES} == {"en", *CATALOGUES}


@pytest.mark.parametrize("path", CATALOGUES.values(), ids=CATALOGUES)
def test_no_sentence_is_left_out_and_no_gap_is_lost(path):
    assert list(faults(path)) == []


class TestFaults:
    def test_it_names_what_is_missing_and_what_would_break(self, tmp_path):
        path = tmp_path / "xx" / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(parents=True)
        path.write_text(
            'msgid "Hello"\nmsgstr ""\n\n'
            'msgid "%(count)s guests"\nmsgstr "gasten"\n\n'
            'msgid "{name} left"\nmsgstr "{name} weg"\n'
        )

        assert list(faults(path)) == [
            "xx: 'Hello' is not translated",
            "xx: '%(count)s guests' has other placeholders in its translation",
        ]

"""The page of the logo, and what each answer of the service becomes."""

from datetime import timedelta
from uuid import uuid4

import pytest
from auditlog.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from partner.http.transport import Lost, NotConnected
from partner.testing import FakeTransport, pos_identity, speak_through
from pos.models import KEPT, Logo, LogoQuerySet
from pos.testing import FILES, make_logo, png
from restaurants.testing import sign_in

KEY = "api-key-for-tests"
REFUSALS = (301, 302, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504)


@pytest.fixture
def admin(dora):
    return sign_in(dora)


@pytest.fixture
def service(db):
    transport = FakeTransport(upload_logo=200)
    speak_through(transport)
    pos_identity()
    return transport


@pytest.fixture
def send(admin, service):
    def post(data=None, *, name="logo.png", key=None, **headers):
        upload = SimpleUploadedFile(name, png() if data is None else data, "image/png")
        body = {"key": str(key or uuid4()), "logo": upload}
        return admin.post("/setup/pos/send/", body, headers=headers)

    return post


class TestSendLogos:
    def test_it_works(self, send, service, admin):
        assert send().status_code == 302

        [request] = service.requests
        assert b'name="logo"; filename="logo.png"' in request.body
        assert service.headers[0]["X-Api-Key"] == KEY
        assert Logo.objects.get().state == Logo.State.SENT
        html = admin.get("/setup/pos/").content.decode()
        assert "The service shows this logo now." in html
        assert "/logos/1.png" in html

    @pytest.mark.parametrize("file", FILES.values(), ids=FILES)
    def test_the_server_judges_again(self, send, service, file):
        response = send(file.data, name=file.name)

        assert response.status_code == (302 if file.is_taken else 422)
        assert len(service.requests) == file.is_taken
        assert Logo.objects.count() == file.is_taken

    def test_the_field_gets_a_part_of_the_page(self, send):
        html = send(**{"hx-request": "true"}).content.decode()

        assert "<html" not in html
        assert 'id="logo"' in html

    @pytest.mark.parametrize(
        ("answer", "state", "words"),
        [
            ((400, {"data": {"code": "INVALID_LOGO"}}), "refused", "refused the file"),
            ((401, {"message": "Unauthorized"}), "refused", "refused our key"),
            ((404, {"data": {"code": ""}}), "refused", "no point-of-sale entry"),
            ((404, "<h1>Not Found</h1>"), "refused", "no point-of-sale entry"),
            ((415, {"data": {"code": ""}}), "refused", "not a PNG"),
            ((500, {"data": {"code": ""}}), "unsure", "Try again later; your file is kept."),
            ((503, {"message": "x"}), "unsure", "your file is kept"),
            ((200, "thanks"), "unsure", "did not say that it took the logo"),
            ((200, {}), "unsure", "did not say that it took the logo"),
            ((200, {"data": {"uuid": "1"}}), "unsure", "did not say that it took the logo"),
            ((200, {"uuid": str(uuid4())}), "unsure", "did not say that it took the logo"),
            ((403, {"message": "Forbidden"}), "refused", "refused our key"),
            ((413, ""), "refused", "refused the file"),
            ((429, {"message": "Too Many Requests"}), "refused", "Send it again in a minute"),
            ((302, ""), "unsure", "did not say that it took the logo"),
            (Lost(), "unsure", "did not answer"),
            (NotConnected(), "refused", "cannot be reached"),
        ],
    )
    def test_each_answer_has_a_sentence(self, send, service, answer, state, words):
        service.reply("upload_logo", answer)
        html = send(**{"hx-request": "true"}).content.decode()

        assert Logo.objects.get().state == state
        assert words in html

    @pytest.mark.parametrize("answer", [*((one, "") for one in REFUSALS), Lost(), NotConnected()])
    def test_no_sentence_is_one_of_the_other_api(self, send, service, answer):
        """There changes are sent again by themselves, and odd answers are kept. Here neither is."""
        service.reply("upload_logo", answer)
        send()

        words = Logo.objects.get().next_step
        assert "by itself" not in words
        assert "Setup →" not in words

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (200, "Le service montre maintenant ce logo."),
            ((413, ""), "Le service a refusé le fichier."),
            ((429, ""), "votre fichier est gardé."),
            (NotConnected(), "Le service est injoignable."),
        ],
    )
    def test_every_reader_has_it_in_their_language(self, send, service, admin, answer, words):
        service.reply("upload_logo", answer)
        send(**{"accept-language": "es"})

        html = admin.get("/setup/pos/", headers={"accept-language": "fr"}).content.decode()
        assert words in html

    def test_a_refused_file_is_not_called_sent(self, send):
        """The notice of the sending before stands on the page until the next one."""
        send()
        html = send(b"no picture").content.decode()

        assert "not a PNG picture" in html
        assert "The service shows this logo now." not in html

    @pytest.mark.parametrize(
        ("age", "shown"),
        [
            (timedelta(seconds=10), "Being sent"),
            (timedelta(hours=1), "It is not known how the last sending ended."),
        ],
    )
    def test_a_sending_whose_process_was_killed_is_not_under_way_for_ever(
        self, admin, service, age, shown
    ):
        make_logo(state=Logo.State.SENDING, ended_at=None, created_at=timezone.now() - age)
        html = admin.get("/setup/pos/").content.decode()

        words = ["Being sent", "It is not known how the last sending ended."]
        assert [one for one in words if one in html] == [shown]

    def test_a_double_click_is_one_sending(self, send, service):
        key = uuid4()
        send(key=key)
        send(key=key)

        assert len(service.requests) == 1

    def test_of_two_clicks_at_once_the_second_waits_for_nothing(self, send, service, monkeypatch):
        """The second comes before the first is stored, as far as it can see."""
        key = uuid4()
        send(key=key)
        monkeypatch.setattr(LogoQuerySet, "exists", lambda _rows: False)

        assert send(key=key).status_code == 302
        assert len(service.requests) == 1

    def test_without_an_identity_nothing_is_sent(self, admin):
        assert "No point-of-sale identity yet" in admin.get("/setup/pos/").content.decode()

    def test_it_is_on_the_record(self, send):
        send()

        assert "pos.send_logo" in str(list(LogEntry.objects.values_list("additional_data")))

    def test_the_key_is_on_no_page_and_in_no_log(self, send, admin, service, log_lines):
        service.reply("upload_logo", (401, {"message": KEY}))
        send()

        assert KEY not in admin.get("/setup/pos/").content.decode()
        assert KEY not in log_lines()
        assert KEY not in str(list(Logo.objects.values_list("sentence", "answer")))

    @pytest.mark.parametrize("person", ["alice", "bob", "charlie"])
    def test_it_is_for_admins(self, cast, service, person):
        client = sign_in(getattr(cast, person))
        logo = make_logo()

        assert client.get("/setup/pos/").status_code == 403
        assert client.get(f"/setup/pos/{logo.pk}.png").status_code == 403
        assert client.post("/setup/pos/send/").status_code == 403
        assert client.post(f"/setup/pos/{logo.pk}/send/").status_code == 403
        assert service.requests == []


class TestPutBack:
    def test_it_works(self, admin, service):
        before = make_logo(png=png(310))
        make_logo(png=png(320))
        admin.post(f"/setup/pos/{before.pk}/send/")

        newest = Logo.objects.latest("pk")
        assert (newest.width, newest.state) == (310, Logo.State.SENT)
        assert bytes(newest.png) == bytes(before.png)

    def test_what_is_gone_is_not_found(self, admin, service):
        assert admin.post("/setup/pos/4711/send/").status_code == 404

    def test_only_some_are_kept_but_always_the_one_in_use(self, admin, service):
        in_use = make_logo()
        failed = make_logo(state=Logo.State.REFUSED)
        service.reply("upload_logo", (400, {"data": {"code": ""}}))
        for _time in range(KEPT + 3):
            admin.post(f"/setup/pos/{Logo.objects.latest('pk').pk}/send/")

        kept = set(Logo.objects.values_list("pk", flat=True))
        assert in_use.pk in kept
        assert failed.pk not in kept
        assert len(kept) == KEPT + 1


class TestShowPicture:
    def test_it_works(self, admin):
        logo = make_logo()
        response = admin.get(f"/setup/pos/{logo.pk}.png")

        assert response.content == bytes(logo.png)
        assert response["Content-Type"] == "image/png"
        assert response["X-Content-Type-Options"] == "nosniff"

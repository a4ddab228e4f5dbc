"""The partner's answers, as data or as the one exception that says what to do."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner import errors
from partner.http import protocol
from partner.http.protocol import Response, build, build_get, decipher, parse

MOMENT = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
UUID_1 = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
READ = build("get_reservation", UUID_1)
RATE_LIMIT = {"error": "RATE_LIMIT", "message": "", "data": {}}
WRITE = build("update_reservation", UUID_1, body={"partySize": 2})
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
HTML = b"<html><body>Bad gateway</body></html>"


def response(status, body=b"", **headers):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(status, {k.replace("_", "-"): v for k, v in headers.items()}, raw, MOMENT)


def decode(request, status, body=b"", **headers):
    return decipher(request, response(status, body, **headers))


def fault(request, status, body=b"", **headers):
    with pytest.raises(errors.PartnerError) as caught:
        decode(request, status, body, **headers)
    return caught.value


def api(status, code):
    return {"statusCode": status, "error": "text", "data": {"code": code}}


class TestBuild:
    def test_it_works(self):
        request = build("list_reviews", query={"restaurantUuid": UUID_1, "page": 2, "none": None})

        assert request.method == "GET"
        assert request.path == f"/v1/reviews?restaurantUuid={UUID_1}&page=2"

    def test_a_plus_in_the_path_is_encoded_and_the_number_stays_out_of_logs(self):
        request = build("find_customer_by_phone", UUID_1, "+33199001234")

        assert request.path.endswith("/customers/phone/%2B33199001234")
        assert request.safe_path == f"/v1/restaurants/{UUID_1}/customers/phone/…"

    def test_days_and_flags_have_the_contracts_spelling(self):
        request = build("list_reviews", query={"startDate": MOMENT.date(), "withCommentOnly": True})

        assert request.path == "/v1/reviews?startDate=2026-11-20&withCommentOnly=true"

    def test_bodies_are_utf_8(self):
        assert "é".encode() in (build("report_call", body={"a": "é"}).body or b"")

    @pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "v1", "/é"])
    def test_only_paths_can_be_got(self, path):
        with pytest.raises(errors.InvalidRequest):
            build_get(path)

    def test_any_path_can_be_got(self):
        assert build_get("/v1/reviews?a=b c").path == "/v1/reviews?a=b%20c"


class TestGoodAnswers:
    def test_it_works(self):
        decoded = decode(READ, 200, {"partySize": 4})

        assert decoded.text == '{"partySize": 4}'
        assert decoded.payload == {"partySize": 4}
        assert decoded.started_at == MOMENT

    @pytest.mark.parametrize(
        "body", [b"", HTML, b'{"a": ', b"\xff\xfe", b'{"a": "\x00"}', b"[" * 100_000]
    )
    def test_an_unreadable_body_of_a_read_is_malformed(self, body):
        error = fault(READ, 200, body)

        assert type(error) is errors.Malformed
        assert len(error.body) <= errors.Malformed.BODY_CAP

    def test_an_unreadable_body_of_a_write_is_ambiguous(self):
        assert type(fault(WRITE, 200, HTML)) is errors.Ambiguous

    @pytest.mark.parametrize("status", [204, 201])
    def test_any_success_is_a_success(self, status):
        assert decode(WRITE, status, {}).payload == {}

    @pytest.mark.parametrize("status", [301, 302, 307, 418])
    def test_an_odd_status_is_malformed(self, status):
        assert type(fault(READ, status, HTML)) is errors.Malformed

    @pytest.mark.parametrize(
        ("status", "kind"),
        [
            *((redirect, errors.Ambiguous) for redirect in (300, 301, 302, 303, 304, 307, 308)),
            *((refusal, errors.Malformed) for refusal in (402, 405, 410, 418)),
        ],
    )
    def test_only_a_refusal_means_that_a_write_was_not_done(self, status, kind):
        assert type(fault(WRITE, status, HTML)) is kind

    @pytest.mark.parametrize("status", [404, 405, 410, 418])
    def test_a_status_that_is_not_listed_is_named_to_people(self, status):
        sentence = f"The service answered {status}, in a form that is not in its contract."

        assert fault(READ, status, HTML).sentence == sentence
        assert fault(WRITE, status, HTML).sentence == f"{sentence} Nothing was changed."

    def test_a_code_is_worth_more_than_its_status(self):
        assert fault(WRITE, 410, api(410, "DOUBLE_BOOKING")).code == "DOUBLE_BOOKING"


class TestRefusals:
    @pytest.mark.parametrize(
        ("status", "body", "kind", "code"),
        [
            (400, api(400, "NO_AVAILABILITY"), errors.Refused, "NO_AVAILABILITY"),
            (400, api(400, "INVALID_MEAL_DATE"), errors.Refused, "INVALID_MEAL_DATE"),
            (400, api(400, ""), errors.Refused, ""),
            (400, HTML, errors.Refused, ""),
            (
                400,
                {"error": "RESTAURANT_GROUP_NOT_READY", "message": "…", "data": {}},
                errors.Refused,
                "RESTAURANT_GROUP_NOT_READY",
            ),
            (403, {"message": "Forbidden"}, errors.MissingScope, ""),
            (404, api(404, "RESERVATION_NOT_FOUND"), errors.NotFound, "RESERVATION_NOT_FOUND"),
            (404, api(404, "Restaurant not found"), errors.NotFound, "RESTAURANT_NOT_FOUND"),
            (404, api(404, ""), errors.NotFound, ""),
            (410, api(410, "RESERVATION_NOT_FOUND"), errors.NotFound, "RESERVATION_NOT_FOUND"),
            (410, api(410, "VERSION_RETIRED"), errors.Malformed, "VERSION_RETIRED"),
            (409, api(409, "DOUBLE_BOOKING"), errors.Conflict, "DOUBLE_BOOKING"),
            (415, HTML, errors.Refused, ""),
            (429, {"message": "Too Many Requests"}, errors.Throttled, ""),
            (
                429,
                {"error": "RATE_LIMIT", "message": "", "data": {}},
                errors.Throttled,
                "RATE_LIMIT",
            ),
        ],
    )
    def test_each_is_its_own_kind(self, status, body, kind, code):
        for request in (READ, WRITE):
            error = fault(request, status, body)

            assert type(error) is kind
            assert (error.status, error.code) == (status, code)

    @pytest.mark.parametrize(
        "body", [api(401, ""), {"message": "Unauthorized"}, {"error": "access_denied"}, HTML, b""]
    )
    def test_every_401_is_the_same(self, body):
        assert type(fault(READ, 401, body)) is errors.NotOurs

    @pytest.mark.parametrize("body", [HTML, b"", {"message": "no Route matched"}])
    def test_a_404_that_is_not_the_apis_own_forgets_nothing(self, body):
        assert type(fault(READ, 404, body)) is errors.Malformed

    @pytest.mark.parametrize("status", [408, 499, 500, 502, 503, 504])
    @pytest.mark.parametrize("body", [api(500, "INTERNAL_SERVER_ERROR"), HTML, b""])
    def test_a_server_fault_may_have_written(self, status, body):
        assert type(fault(READ, status, body)) is errors.Unavailable
        assert type(fault(WRITE, status, body)) is errors.Ambiguous

    def test_a_403_names_the_scopes_that_would_do(self):
        request = build("override_availability", UUID_1, body={})

        error = fault(request, 403, {"message": "Forbidden"})

        assert isinstance(error, errors.MissingScope)
        assert error.scopes == ("svc-restaurant:override-availabilities",)
        assert not isinstance(fault(build_get("/v1/x"), 403), errors.Retryable)

    @pytest.mark.parametrize("code", ["jo@example.com", "<b>", "A" * 200, 7, None])
    def test_a_code_is_a_code_or_nothing(self, code):
        assert fault(READ, 400, api(400, code)).code == ""

    def test_text_and_repr_hold_no_personal_data(self):
        request = build("find_customer_by_phone", UUID_1, "+33199001234")
        error = fault(request, 404, api(404, "PHONE_NUMBER_NOT_FOUND"))

        assert str(error) == f"not_found GET {request.safe_path} 404 PHONE_NUMBER_NOT_FOUND"
        assert "33199001234" not in repr(error)


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("value", "seconds"),
        [
            ("1", 1),
            ("3600", 900),
            ("29.5", 29.5),
            ("-5", None),
            ("soon", None),
            ("", None),
            ("Fri, 20 Nov 2026 18:00:30 GMT", 30),
            ("Fri, 20 Nov 2026 17:00:00 GMT", 0),
            ("Fri, 20 Nov 2026 18:00:30 -0000", 30),
        ],
    )
    def test_it_works(self, value, seconds):
        assert protocol.retry_after(response(429, b"", retry_after=value)) == seconds

    @pytest.mark.parametrize("time", ["17:50", "18:10"])  # the answer came at 18:00 by our clock
    def test_a_date_counts_from_the_date_of_the_answer(self, time):
        dates = (f"Fri, 20 Nov 2026 {time}:{second} GMT" for second in ("00", "20"))
        sent_at, value = dates
        answer = response(429, b"", retry_after=value, date=sent_at)

        assert protocol.retry_after(answer) == 20

    @pytest.mark.parametrize("date", ["", "yesterday"])
    def test_an_answer_without_a_date_was_sent_now(self, date):
        value = "Fri, 20 Nov 2026 18:00:30 GMT"

        assert protocol.retry_after(response(429, b"", retry_after=value, date=date)) == 30

    @pytest.mark.parametrize("status", [429, 503])
    @pytest.mark.parametrize("header", ["date", "retry_after"])
    @pytest.mark.parametrize(
        "odd",
        [
            "Fri, 20 Nov 99999999999999999999 18:00:00 GMT",
            "Fri, 20 Nov 2026 18:00:00 +99999999999999999999",
            "Fri, 20 Nov 2026 18:00:00 +4444444444100",
            "Fri, 20 Nov 2026 18:00:99999999999999999999 GMT",
        ],
    )
    def test_a_date_beyond_any_calendar_is_none(self, status, header, odd):
        headers = {"retry_after": "Fri, 20 Nov 2026 18:00:30 GMT"} | {header: odd}
        error = fault(READ, status, b"", **headers)

        assert isinstance(error, errors.Throttled if status == 429 else errors.Unavailable)
        assert error.has_retry_after is (header == "date")
        assert not error.has_retry_after or error.retry_after == 30

    def test_it_is_on_the_error(self):
        error = fault(READ, 429, b"", retry_after="7")

        assert isinstance(error, errors.Throttled)
        assert (error.retry_after, error.has_retry_after) == (7, True)


class TestParse:
    def test_what_is_not_json_but_common_is_read(self):
        assert parse('\ufeff{"a": NaN, "b": Infinity}')[0] == {"a": None, "b": None}
        assert parse('{"a": ' + "9" * 5000 + ', "b": 1}')[0] == {"a": None, "b": 1}

    def test_what_no_database_stores_is_marked(self):
        payload, drift = parse('{"a": ["x\\u0000y", "\\ud83c"], "b": "\\ud83c\\udf77"}')

        assert payload == {"a": ["x\ufffdy", "\ufffd"], "b": "\N{WINE GLASS}"}
        assert [item.kind for item in drift] == ["odd characters"]
        assert parse('{"b": "\\ud83c\\udf77"}')[1] == ()

    @given(JSON)
    def test_all_json_comes_through(self, value):
        text = json.dumps(value)

        payload, drift = parse(text)

        assert payload == value or drift

    @given(st.binary(max_size=200), st.integers(100, 599), st.sampled_from([READ, WRITE]))
    def test_no_answer_raises_anything_but_our_own(self, body, status, request):
        try:
            decoded = decode(request, status, body)
        except errors.PartnerError as caught:
            shown = str(caught) and caught.sentence
        else:
            shown = decoded.text.encode() == body

        assert shown

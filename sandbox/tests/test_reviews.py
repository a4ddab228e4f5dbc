from typing import Any

import pytest

from cast import NOBODY, Cast
from partner_sandbox.happenings.opinions import moderation_of

RANGE = {"startDate": "2026-10-07", "endDate": "2026-10-21"}
PUBLISHED = "comment_status='PUBLISHED' AND is_valid=1 AND restaurant_id=1 AND reply_status IS NULL"


def list_of(cast: Cast, **query: Any) -> Any:
    place = {"restaurantUuid": cast.mirabeau["uuid"]}
    return cast.full("GET", "reviews", **{**place, **RANGE, **query})


def every(cast: Cast, **query: Any) -> list[str]:
    found: list[str] = []
    page, more = 1, True
    while more:
        answer = list_of(cast, limit=100, page=page, **query).json
        found += answer["data"]
        page, more = page + 1, answer["hasNext"]
    return found


class TestList:
    def test_it_holds_uuids_and_whether_there_is_more(self, cast: Cast) -> None:
        answer = list_of(cast, limit=5).json

        assert set(answer) == {"data", "hasNext"}
        assert len(answer["data"]) == 5
        assert answer["hasNext"] is True

    def test_the_last_page_says_so(self, cast: Cast) -> None:
        total = len(every(cast))

        assert list_of(cast, limit=total).json["hasNext"] is False
        assert list_of(cast, limit=total - 1).json["hasNext"] is True

    @pytest.mark.parametrize(
        ("limit", "status"),
        [("0", 400), ("1", 200), ("100", 200), ("101", 400), ("1.5", 400), ("x", 400)],
    )
    def test_limit_is_1_to_100(self, cast: Cast, limit: str, status: int) -> None:
        assert list_of(cast, limit=limit).status == status

    @pytest.mark.parametrize(("page", "status"), [("0", 400), ("1", 200), ("1.5", 400)])
    def test_page_starts_at_1(self, cast: Cast, page: str, status: int) -> None:
        assert list_of(cast, page=page).status == status

    @pytest.mark.parametrize("name", ["restaurantUuid", "startDate", "endDate"])
    def test_required(self, cast: Cast, name: str) -> None:
        query = {"restaurantUuid": cast.mirabeau["uuid"], **RANGE}
        del query[name]

        assert cast.full("GET", "reviews", **query).status == 400

    def test_the_end_is_later_than_the_start(self, cast: Cast) -> None:
        for end, status in (("2026-10-06", 400), ("2026-10-07", 400), ("2026-10-08", 200)):
            assert list_of(cast, endDate=end).status == status

    def test_unknown_and_foreign_restaurants_are_401(self, cast: Cast) -> None:
        for place in (NOBODY, cast.other["restaurants"][0]["uuid"]):
            assert list_of(cast, restaurantUuid=place).status == 401

    def test_with_comment_only(self, cast: Cast) -> None:
        commented = every(cast, withCommentOnly="true")

        def has_comment(uuid: str) -> bool:
            return cast.full("GET", f"reviews/{uuid}").json["comment"] is not None

        assert commented == [uuid for uuid in every(cast) if has_comment(uuid)]
        assert commented != every(cast)
        assert every(cast, withCommentOnly="false") == every(cast)
        assert list_of(cast, withCommentOnly="maybe").code == "INVALID_WITH_COMMENT_ONLY"

    def test_only_valid_and_published_ones_are_listed(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")
        assert uuid in every(cast)

        cast.happen("invalidate_review", review=uuid)

        assert uuid not in every(cast)
        shown = cast.full("GET", f"reviews/{uuid}")
        assert (shown.status, shown.json["isValid"]) == (200, False)

    def test_an_unpublished_comment_takes_the_review_off_the_list(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")

        cast.happen("unpublish_comment", review=uuid)

        assert uuid not in every(cast)

    @pytest.mark.parametrize(
        ("meal", "listed"),
        [
            ("2026-10-24T23:59:59Z", False),
            ("2026-10-25T00:00:00Z", True),
            ("2026-10-25T23:59:59Z", True),
            ("2026-10-26T00:00:00Z", False),
        ],
    )
    def test_both_dates_are_midnight_utc_on_a_clock_change(
        self, cast: Cast, meal: str, listed: bool
    ) -> None:
        made = cast.book(cast.unrestricted, mealDate=meal).json["reservationUuid"]
        uuid = cast.happen("review", reservation=made, comment=False)[0]["review"]

        night = every(cast, startDate="2026-10-25", endDate="2026-10-26")

        assert (uuid in night) is listed


class TestReply:
    def reply(self, cast: Cast, uuid: str, content: Any = "Thank you.", **body: Any) -> Any:
        return cast.full(
            "PUT", f"reviews/{uuid}/reply", {"content": content, "language": "en", **body}
        )

    def test_it_enters_moderation(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")

        answer = self.reply(cast, uuid)

        assert answer.status == 200
        text = answer.json["restaurantReply"]
        assert answer.json["reviewUuid"] == uuid
        assert text["publicationStatus"] == "NOT_REVIEWED"
        assert (text["publishedTs"], text["moderationReason"]) == (None, None)
        assert cast.full("GET", f"reviews/{uuid}").json["restaurantReply"] == text

    @pytest.mark.parametrize(
        ("content", "fate"),
        [
            ("Thank you, see you soon.", "PUBLISHED"),
            ("THANK YOU AND COME BACK", "WAITING_REFORMULATE"),
            ("Call me on 0199 001 234", "WAITING_REFORMULATE"),
            ("You are a liar.", "REJECTED"),
        ],
    )
    def test_its_fate_is_known_after_a_while_without_an_event(
        self, cast: Cast, content: str, fate: str
    ) -> None:
        uuid = cast.find(PUBLISHED, "review")
        self.reply(cast, uuid, content)
        events = cast.events()

        cast.clock.advance(120_001)
        cast.sandbox.life.tick()

        cast.full.ask_token()
        text = cast.full("GET", f"reviews/{uuid}").json["restaurantReply"]
        assert text["publicationStatus"] == fate
        assert (text["moderationReason"] is None) == (fate == "PUBLISHED")
        assert cast.events() == events

    def test_a_reply_that_is_never_rewritten_is_refused_after_a_fortnight(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")
        self.reply(cast, uuid, "THANK YOU AND COME BACK")
        for wait in (120_001, 14 * 86_400_000 + 1):
            cast.clock.advance(wait)
            cast.sandbox.life.tick()

        cast.full.ask_token()
        text = cast.full("GET", f"reviews/{uuid}").json["restaurantReply"]
        assert text["moderationReason"] == "REJECT_REPLY_REFORMULATION_PERIOD_ENDED"

    def test_it_can_be_rewritten(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")
        first = self.reply(cast, uuid).json["restaurantReply"]
        cast.clock.advance(60_000)

        second = self.reply(cast, uuid, "Thank you so much.").json["restaurantReply"]

        assert second["createdTs"] == first["createdTs"]
        assert second["updatedTs"] > first["updatedTs"]

    @pytest.mark.parametrize("status", ["NOT_REVIEWED", "REJECTED", "ARCHIVED"])
    def test_only_a_published_comment_can_be_answered(self, cast: Cast, status: str) -> None:
        uuid = cast.find("comment_status='PUBLISHED' AND restaurant_id=1", "review")
        with cast.service.store.writing() as db:
            raw = bytes.fromhex(uuid.replace("-", ""))
            db.execute("UPDATE review SET comment_status=? WHERE uuid=?", (status, raw))

        answer = self.reply(cast, uuid)

        assert (answer.status, answer.code) == (400, "REVIEW_HAS_NO_PUBLISHED_COMMENT")

    def test_a_rating_without_a_comment_cannot_be_answered(self, cast: Cast) -> None:
        uuid = cast.find("comment_status IS NULL AND restaurant_id=1", "review")

        assert self.reply(cast, uuid).code == "REVIEW_HAS_NO_PUBLISHED_COMMENT"

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"content": ""}, 400),
            ({"content": "T"}, 200),
            ({"content": None}, 400),
            ({"content": "x" * 100_000}, 200),
            ({"language": None}, 200),
            ({"language": "fra"}, 200),
            ({"language": "fr_FR"}, 400),
            ({"language": ""}, 400),
            ({"status": "PUBLISHED"}, 400),
        ],
    )
    def test_its_fields(self, cast: Cast, body: Any, status: int) -> None:
        assert self.reply(cast, cast.find(PUBLISHED, "review"), **body).status == status

    def test_the_language_must_be_there_even_if_null(self, cast: Cast) -> None:
        uuid = cast.find(PUBLISHED, "review")

        answer = cast.full("PUT", f"reviews/{uuid}/reply", {"content": "Thanks"})

        assert (answer.status, answer.code) == (400, "INVALID_LANGUAGE")

    def test_unknown_and_foreign(self, cast: Cast) -> None:
        assert self.reply(cast, NOBODY).code == "REVIEW_NOT_FOUND"
        assert self.reply(cast, cast.find("restaurant_id=4", "review")).status == 401


def test_moderation_reads_the_words() -> None:
    assert moderation_of("Merci !") == ("publish", None)
    assert moderation_of("See https://example.com")[0] == "reformulate"

import pytest
from django.db import transaction

from live.announcements import announce
from live.models import Announcement
from live.testing import make_line


@pytest.mark.django_db
class TestAnnounce:
    def test_it_works(self, quay):
        announce([make_line(quay, version=3)])

        assert Announcement.objects.get().version == 3

    def test_it_takes_many_in_one_statement(self, quay, django_assert_max_num_queries):
        with django_assert_max_num_queries(2):
            announce(make_line(quay) for _number in range(50))

        assert Announcement.objects.count() == 50

    def test_it_keeps_their_order(self, quay):
        announce([make_line(quay, version=version) for version in (4, 2, 9)])

        versions = Announcement.objects.order_by("pk").values_list("version", flat=True)
        assert list(versions) == [4, 2, 9]

    def test_it_says_nothing_about_what_was_rolled_back(self, quay):
        with transaction.atomic():
            announce([make_line(quay)])
            transaction.set_rollback(True)

        assert not Announcement.objects.exists()

    def test_it_takes_nothing(self):
        announce([])

        assert not Announcement.objects.exists()

from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from restaurants import directory
from restaurants.testing import make_restaurant


def test_it_works(quay):
    assert directory.find_restaurant(quay.uuid) == quay
    assert directory.find_group(quay.group.uuid) == quay.group


def test_it_asks_the_database_once(quay, loft, django_assert_max_num_queries):
    with django_assert_max_num_queries(2):
        for _ in range(100):
            found = directory.find_restaurant(quay.uuid)
            assert found
            assert found.group.name == "Harbour Group"
            assert directory.find_restaurant(loft.uuid) == loft


def test_it_reads_the_places_of_one_group_only(quay, loft, cellar):
    with CaptureQueriesContext(connection) as queries:
        directory.find_restaurant(quay.uuid)

    assert all(" WHERE " in query["sql"] for query in queries)
    with CaptureQueriesContext(connection) as queries:
        assert directory.find_restaurant(loft.uuid) == loft
        assert not len(queries)
        assert directory.find_restaurant(cellar.uuid) == cellar
    assert len(queries)


def test_it_asks_once_for_what_does_not_exist(quay, django_assert_max_num_queries):
    nobody = uuid4()
    directory.find_restaurant(quay.uuid)

    with django_assert_max_num_queries(2):
        assert all(directory.find_restaurant(nobody) is None for _ in range(100))


def test_it_finds_a_restaurant_that_was_just_added(harbour, quay):
    directory.find_restaurant(quay.uuid)
    added = make_restaurant(harbour)

    assert directory.find_restaurant(added.uuid) == added


def test_it_finds_a_restaurant_that_was_looked_for_before_it_was_added(harbour):
    uuid = uuid4()
    assert directory.find_restaurant(uuid) is None
    added = make_restaurant(harbour, uuid=uuid)
    directory.restaurants_of(harbour)

    assert directory.find_restaurant(uuid) == added


def test_it_names_the_restaurants_of_a_group(harbour, quay, loft, cellar):
    assert set(directory.restaurants_of(harbour)) == {quay, loft}


def test_nothing_is_found_for_no_uuid(db):
    assert directory.find_restaurant(None) is None
    assert directory.find_group(None) is None

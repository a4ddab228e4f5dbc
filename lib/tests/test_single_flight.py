"""Work that is done by one thread at a time, and once more for who came meanwhile."""

import threading

import pytest

from lib.processes.single_flight import SingleFlight


def in_another_thread(work):
    results = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


def test_it_works():
    assert SingleFlight(lambda: 1)() == [1]


def test_who_comes_meanwhile_goes_away_and_is_served():
    seen: list[int] = []

    def work():
        seen.append(len(seen))
        if len(seen) == 1:
            assert in_another_thread(one) == []
        return seen[-1]

    one = SingleFlight(work)

    assert one() == [0, 1]


def test_a_fault_leaves_it_free_for_the_next():
    faults = [ZeroDivisionError()]

    def work():
        if faults:
            raise faults.pop()
        return "done"

    one = SingleFlight(work)
    with pytest.raises(ZeroDivisionError):
        one()

    assert one() == ["done"]

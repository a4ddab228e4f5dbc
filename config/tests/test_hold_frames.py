"""The frames of a page stand in one piece of memory, whatever the depth at which a loop calls."""

from resource import RUSAGE_THREAD, getrusage

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from config.requests.frame_stack import hold_frames

CALLS = 200
DEPTHS = range(300)  # over the edges of several pieces


def leaf():
    return 1


def faults_at(depth):
    """How often memory was mapped anew while a loop called, so many calls below."""
    if depth:
        return faults_at(depth - 1)
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for _time in range(CALLS):
        leaf()
    return getrusage(RUSAGE_THREAD).ru_minflt - before


@pytest.fixture
def request_():
    return RequestFactory().get("/calendar/")


def test_it_works(request_):
    answer = hold_frames(lambda request: HttpResponse(request.path))(request_)

    assert answer.content == b"/calendar/"


def test_no_call_maps_memory(request_):
    def page(_request):
        return HttpResponse(str(max(map(faults_at, DEPTHS))))

    assert int(hold_frames(page)(request_).content) < CALLS / 2

import pytest

from partner.testing import FakeTransport, speak_through
from reviews.testing import make_comment


@pytest.fixture
def api(db):
    transport = FakeTransport()
    speak_through(transport)
    return transport


@pytest.fixture
def review(quay):
    """A review that can be answered."""
    return make_comment(quay)

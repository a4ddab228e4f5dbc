"""What one slow visitor may hold of a web process."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event, Semaphore
from types import SimpleNamespace

import pytest

from config.requests.page_threads import PageThreads
from config.requests.request_bodies import BODIES, BODIES_PER_ADDRESS, client_address

PAGE = [b"page"]


class NeverEnds:
    """A body whose sender stopped in the middle."""

    def __init__(self):
        self.hung_up = Event()
        self.read_once = Semaphore(0)

    def read(self, size):
        self.read_once.release()
        self.hung_up.wait()
        return b""


def ask(program, stream=None, *, length="", address="192.0.2.1"):
    """Return the status of a refusal or else "page", and what the server would send."""
    statuses = []
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/accounts/login/",
        "CONTENT_LENGTH": length,
        "REMOTE_ADDR": address,
        "wsgi.input": stream or BytesIO(),
    }
    answer = program(environ, lambda status, headers: statuses.append(status))
    return SimpleNamespace(status="".join(statuses)[:3] or "page", answer=answer)


def page(environ, start_response):
    return iter(PAGE)


def echo(environ, start_response):
    return [environ["wsgi.input"].read(100)]


class TestThreads:
    def test_a_page_holds_one_until_the_server_closes_its_answer(self):
        program = PageThreads(page, threads=1)
        first = ask(program)

        assert ask(program).status == "503"
        first.answer.close()
        assert ask(program).status == "page"

    def test_closing_twice_frees_one(self):
        program = PageThreads(page, threads=1)
        first = ask(program)
        first.answer.close()
        first.answer.close()

        assert [ask(program).status for _ in range(2)] == ["page", "503"]

    def test_a_page_that_fails_frees_its_own(self):
        def broken(environ, start_response):
            raise RuntimeError

        program = PageThreads(broken, threads=1)
        for _ in range(2):
            with pytest.raises(RuntimeError):
                ask(program)

    def test_the_page_hears_that_its_answer_was_closed(self):
        answer = BytesIO(b"page")
        ask(PageThreads(lambda environ, start_response: answer)).answer.close()

        assert answer.closed


class TestBodies:
    @pytest.fixture
    def slow(self):
        stream = NeverEnds()
        yield stream
        stream.hung_up.set()

    @pytest.fixture
    def pool(self, slow):
        with ThreadPoolExecutor(BODIES) as pool:
            yield pool
            slow.hung_up.set()

    def test_a_whole_one_reaches_the_page(self):
        body = b"x" * 40
        found = ask(PageThreads(echo), BytesIO(body + b"next request"), length="40")

        assert list(found.answer) == [body]

    def test_a_large_one_reaches_it_too(self):
        body = bytes(range(250)) * 2000

        def last(environ, start_response):
            return [environ["wsgi.input"].read(len(body))]

        assert list(ask(PageThreads(last), BytesIO(body), length=str(len(body))).answer) == [body]

    @pytest.mark.parametrize("length", ["20", "200000"])
    def test_one_that_was_cut_off_is_refused(self, length):
        assert ask(PageThreads(page), BytesIO(b"half a no"), length=length).status == "400"

    def test_one_of_a_lost_connection_is_refused(self):
        class Lost:
            def read(self, size):
                raise ConnectionResetError

        assert ask(PageThreads(page), Lost(), length="20").status == "400"

    def test_many_forms_of_one_office_at_once_wait_for_their_place(self):
        """Each takes a moment: none is refused, though there are more than places."""

        class Brief(BytesIO):
            def read(self, size=-1):
                pause.wait(0.01)
                return super().read(size)

        pause, program = Event(), PageThreads(page)
        with ThreadPoolExecutor(4 * BODIES_PER_ADDRESS) as pool:
            answers = [pool.submit(ask, program, Brief(b"xx"), length="2") for _ in range(100)]

        assert {one.result().status for one in answers} == {"page"}

    def test_one_address_has_few_under_way(self, slow, pool):
        program = PageThreads(page)
        begin(pool, program, slow, addresses=["192.0.2.1"] * BODIES_PER_ADDRESS)

        assert ask(program, BytesIO(b"xx"), length="2").status == "503"
        assert ask(program, BytesIO(b"xx"), length="2", address="192.0.2.2").status == "page"
        assert ask(program).status == "page"

    def test_all_together_have_few_under_way(self, slow, pool):
        program = PageThreads(page)
        begin(pool, program, slow, addresses=[f"192.0.2.{number}" for number in range(BODIES)])

        assert ask(program, BytesIO(b"xx"), length="2", address="198.51.100.1").status == "503"
        assert ask(program).status == "page"

    def test_a_lost_connection_frees_its_place(self, slow, pool):
        program = PageThreads(page)
        waiting = begin(pool, program, slow, addresses=["192.0.2.1"] * BODIES_PER_ADDRESS)
        slow.hung_up.set()

        assert {each.result().status for each in waiting} == {"400"}
        assert ask(program, BytesIO(b"xx"), length="2").status == "page"

    def test_a_proxy_of_ours_says_whose_it_is(self, settings):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        # Of two names in the header only the last is the proxy's own word.
        assert client(forwarded="203.0.113.9, 198.51.100.7") == "198.51.100.7"

    def test_a_stranger_cannot_choose_the_address(self, settings):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0

        assert client(forwarded="203.0.113.9") == "192.0.2.1"

    def test_a_header_with_too_few_names_is_not_believed(self, settings):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2

        assert client(forwarded="203.0.113.9") == "192.0.2.1"


def begin(pool, program, slow, *, addresses):
    """Start requests whose bodies do not come, and return once each is being read."""
    waiting = [pool.submit(ask, program, slow, length="20", address=each) for each in addresses]
    for _ in addresses:
        assert slow.read_once.acquire(timeout=10)
    return waiting


def client(*, forwarded):
    return client_address(
        {
            "REQUEST_METHOD": "POST",
            "REMOTE_ADDR": "192.0.2.1",
            "HTTP_X_FORWARDED_FOR": forwarded,
            "wsgi.input": BytesIO(),
        }
    )

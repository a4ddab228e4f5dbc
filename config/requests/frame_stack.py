"""Space for the frames of a page: Python maps memory for them once, not at every other call.

CPython keeps the frames of a thread in pieces of 16 KB. A call that does not fit maps a new piece
and its return unmaps it: where a loop happens to stand at such an edge, each of its calls does so,
which was a quarter of a board's time. A frame that needs more than a piece gets a larger one, in
which all calls below it fit.
"""

from collections.abc import Callable
from types import FunctionType

from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]

SLOTS = 32_768  # 256 KB, of which only what is used takes memory


def hold_frames(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    large = middleware.__code__.replace(co_stacksize=SLOTS)
    return FunctionType(large, globals(), closure=middleware.__closure__)

"""What every template may ask."""

from django.http import HttpRequest

from restaurants.shell import Shell, shell_of


def shell(request: HttpRequest) -> dict[str, Shell]:
    return {"shell": shell_of(request)}

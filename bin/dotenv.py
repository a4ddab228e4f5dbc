"""Print the `.env` of a first start: this machine only, plain http, keys of its own.

With `--keys`, print the two keys alone: what a production environment still needs.
"""

import base64
import os
import secrets
import sys

HEAD = """\
# Written by the first `make setup`, for this machine alone. Every variable: docs/configuration.md
# The same program as in production, but reached by plain http on loopback.
DEBUG=false
HTTPS_ONLY=false
LOG_JSON=false
"""


def new_keys() -> str:
    encryption_key = base64.urlsafe_b64encode(os.urandom(32)).decode()
    return f"SECRET_KEY={secrets.token_urlsafe(50)}\nENCRYPTION_KEYS={encryption_key}\n"


if __name__ == "__main__":
    print(("" if "--keys" in sys.argv else HEAD) + new_keys(), end="")

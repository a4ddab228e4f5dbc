"""Kombu's Redis, with one more fault that passes by itself: a server that has run out of memory.

Kombu takes its refusal for a fault of the program, and the worker ends. It is one of the server:
the connection is given up and made anew, ever more seldom, until there is memory again.
"""

from kombu.transport import redis
from redis.exceptions import OutOfMemoryError


class Transport(redis.Transport):
    connection_errors = (*redis.Transport.connection_errors, OutOfMemoryError)

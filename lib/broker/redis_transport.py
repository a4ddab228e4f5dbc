"""Kombu's Redis transport, with refusals of the server as faults that pass.

A server that has no memory, is a read-only replica or cannot save refuses commands. Kombu takes
that for a fault of the program, and the worker ends. Here the connection is given up and made
anew, ever more seldom, until the server takes commands again.
"""

from kombu.transport import redis
from redis.exceptions import ResponseError


class RedisTransport(redis.Transport):
    connection_errors = (*redis.Transport.connection_errors, ResponseError)

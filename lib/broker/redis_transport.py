"""Kombu's Redis transport that treats refusals of the server as temporary errors.

A server that has no memory, is a read-only replica or cannot save refuses commands. Kombu treats
that as a programming error, and the worker ends. Here the connection is closed and opened again,
with back-off, until the server accepts commands.
"""

from kombu.transport import redis
from redis.exceptions import ResponseError


class RedisTransport(redis.Transport):
    connection_errors = (*redis.Transport.connection_errors, ResponseError)

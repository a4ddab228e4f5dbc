"""Structured logs: one line per outcome, never a token, never a person.

`redact` is the last processor of every line, ours and the libraries': what looks like a secret,
an e-mail address or a telephone number does not reach a sink.
"""

import re
from collections.abc import MutableMapping
from typing import Any

import structlog

SECRET_KEYS = re.compile(r"secret|token|password|authorization|api_key|cookie|session", re.I)
SECRET_IN_TEXT = re.compile(
    r"(?i)\b(token|secret|password|api_key|code|key)=[^&\s\"']+|bearer\s+[\w.~+/=-]+"
)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
PHONE = re.compile(r"(?<![\w-])\+\d[\d ().-]{6,}\d")


def redact_text(text: str) -> str:
    text = SECRET_IN_TEXT.sub("[redacted]", text)
    return PHONE.sub("[phone]", EMAIL.sub("[email]", text))


def redact_value(value: Any) -> Any:
    """Redact text wherever it sits: in lists, in dicts, under a telling key."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {key: _redact_named(key, inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redact_value(inner) for inner in value]
    return value


def _redact_named(key: Any, value: Any) -> Any:
    return "[redacted]" if SECRET_KEYS.search(str(key)) else redact_value(value)


def redact(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key, value in event.items():
        event[key] = _redact_named(key, value)
    return event


SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def render_plain_line(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> str:
    """Render a log line for a terminal, where each line has its time."""
    words = [event.pop("level", ""), event.pop("event", "")]
    exception = event.pop("exception", "")
    hidden = {"timestamp", "logger", "request_id"}
    words += [f"{key}={value}" for key, value in event.items() if key not in hidden]
    return " ".join(map(str, words)) + (f"\n{exception}" if exception else "")


def logging_for(*, json: bool, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: JSON lines for machines, plain lines for people."""
    renderer = structlog.processors.JSONRenderer() if json else render_plain_line
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    redact,
                    renderer,
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Each of these would say again what a line of ours says: a request, a task.
            "django.request": {"level": "ERROR"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # At DEBUG these two print the client secret and the bearer token.
            "requests_oauthlib": {"level": "INFO"},
            "oauthlib": {"level": "INFO"},
            "urllib3": {"level": "INFO"},
            "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        },
    }

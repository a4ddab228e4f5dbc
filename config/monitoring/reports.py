"""Error reports, only when SENTRY_DSN is set, and without people or secrets in them."""

from typing import Any

import sentry_sdk

from config.monitoring.logs import redact_value

KEPT_OF_A_REQUEST = ("method", "url")


def start(dsn: str) -> None:
    sentry_sdk.init(
        dsn,
        send_default_pii=False,
        # The variables of a failed function are the guest it was about.
        include_local_variables=False,
        max_request_body_size="never",
        before_send=redact_report,
        before_breadcrumb=redact_report,
    )


def redact_report(report: Any, _hint: dict[str, Any]) -> Any:
    request = report.get("request") or {}
    kept = {key: request[key] for key in KEPT_OF_A_REQUEST if key in request}
    return redact_value({**report, "request": kept} if request else report)

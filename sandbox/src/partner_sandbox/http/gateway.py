"""Gateway in front of every endpoint: route, faults, limit, token, scope, journal."""

import logging
import time
from dataclasses import dataclass, field
from uuid import UUID

from partner_sandbox.faults import bodies as foreign
from partner_sandbox.faults.chosen import Fault, spoil
from partner_sandbox.http.errors import Refusal, api_body, gateway_body, not_ours
from partner_sandbox.http.fields import UUID_TEXT
from partner_sandbox.http.message import SandboxRequest, SandboxResponse, encode, json_response
from partner_sandbox.http.router import Router
from partner_sandbox.journal import Entry
from partner_sandbox.rules import Outcome
from partner_sandbox.service import SandboxCall, SandboxEndpoint, SandboxService
from partner_sandbox.tokens import Grant

logger = logging.getLogger(__name__)
NO_ENDPOINT = SandboxEndpoint("unknown", "", "", lambda call: None)


@dataclass
class Trace:
    """What the journal will say about one request."""

    client: str = ""
    endpoint: SandboxEndpoint = NO_ENDPOINT
    fault: str = ""
    token_was_valid: bool = False
    beyond_end: bool = False
    breaches: list[str] = field(default_factory=list)


class Gateway:
    def __init__(self, service: SandboxService, router: Router) -> None:
        self.service = service
        self.router = router

    def __call__(self, request: SandboxRequest) -> SandboxResponse:
        started = time.perf_counter()
        trace = Trace()
        response = self._with_faults(request, trace)
        self._remember(request, response, trace)
        took = (time.perf_counter() - started) * 1000
        self.service.journal.add(
            Entry(
                self.service.clock.now(),
                trace.client,
                request.method,
                request.target,
                trace.endpoint.name,
                0 if response.drop else response.status,
                round(took, 2),
                trace.fault,
                ",".join(dict.fromkeys(trace.breaches)),
            )
        )
        return response

    def _with_faults(self, request: SandboxRequest, trace: Trace) -> SandboxResponse:
        found = self.router.find(request.method, request.segments)
        trace.endpoint = found[0] if found else NO_ENDPOINT
        grant = self._identify(request, trace)
        trace.breaches += self.service.watch.arrives(trace.client, request, trace.endpoint.name)
        fault = self.service.faults.for_request(request, trace.endpoint.name, trace.client)
        if fault is None:
            return self._answer(request, trace, found, grant)
        trace.fault = fault.id
        return self._spoilt(fault, request, trace, found, grant)

    def _spoilt(
        self,
        fault: Fault,
        request: SandboxRequest,
        trace: Trace,
        found: tuple[SandboxEndpoint, dict[str, str]] | None,
        grant: Grant | None,
    ) -> SandboxResponse:
        effect = fault.effect
        time.sleep(effect.get("latency_ms", 0) / 1000)
        is_needless = effect.get("drop") or "status" in effect or "body" in effect
        if (is_needless or foreign.replaces(effect)) and not effect.get("after_effect"):
            return spoil(fault, None)
        return spoil(fault, self._answer(request, trace, found, grant))

    def _identify(self, request: SandboxRequest, trace: Trace) -> Grant | None:
        """Who is asking, as far as the token tells; an expired token still names its client."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            return None
        grant = self.service.tokens.find(token.strip())
        if grant is not None:
            trace.client = grant.client_id
            trace.token_was_valid = self.service.tokens.is_valid(grant)
        return grant

    def _answer(
        self,
        request: SandboxRequest,
        trace: Trace,
        found: tuple[SandboxEndpoint, dict[str, str]] | None,
        grant: Grant | None,
    ) -> SandboxResponse:
        try:
            return self._enter(request, trace, found, grant)
        except Refusal as reason:
            refusal = not_ours() if self._is_of_a_neighbour(reason, found) else reason
            if refusal.breach:
                trace.breaches.append(refusal.breach)
            if refusal.status == 401 and trace.endpoint.scopes:
                return self._unauthorized("api")
            return refusal.response()
        except Exception:  # answered as the service would, and printed: it is a fault of ours
            logger.exception("%s %s failed", request.method, request.raw_path)
            return json_response(api_body(500, "INTERNAL_SERVER_ERROR"), 500)

    def _is_of_a_neighbour(
        self, refusal: Refusal, found: tuple[SandboxEndpoint, dict[str, str]] | None
    ) -> bool:
        """What is unknown here and known to another owner exists, and is not ours."""
        if refusal.status != 404 or found is None:
            return False
        wanted = [UUID(text).bytes for text in found[1].values() if UUID_TEXT.fullmatch(text)]
        return any(other.knows(uuid) for uuid in wanted for other in self.service.neighbours)

    def _enter(
        self,
        request: SandboxRequest,
        trace: Trace,
        found: tuple[SandboxEndpoint, dict[str, str]] | None,
        grant: Grant | None,
    ) -> SandboxResponse:
        if found is None:
            trace.breaches.append("unknown_path")
            return json_response(gateway_body(403), 403)
        endpoint, path = found
        call = SandboxCall(
            self.service, request, endpoint, path, trace.client, breaches=trace.breaches
        )
        if endpoint.scopes:
            refusal = self._check(call, trace, grant)
            if refusal is not None:
                return refusal
        result = endpoint.handler(call)
        trace.client = call.client
        trace.beyond_end = call.beyond_end
        return (
            result if isinstance(result, SandboxResponse) else SandboxResponse(body=encode(result))
        )

    def _check(
        self, call: SandboxCall, trace: Trace, grant: Grant | None
    ) -> SandboxResponse | None:
        """The gateway's own refusals: 429, 401 and 403, before the API sees the request."""
        wait = self.service.limiter.seconds_to_wait(trace.client)
        if wait:
            return self._too_many(wait)
        if grant is None or not trace.token_was_valid:
            call.breaches += self._token_breaches(call.request, grant)
            return self._unauthorized("gateway")
        if not call.endpoint.scopes & grant.scopes:
            return json_response(gateway_body(403), 403)
        call.scopes = grant.scopes
        return None

    def _token_breaches(self, request: SandboxRequest, grant: Grant | None) -> list[str]:
        if "authorization" not in request.headers:
            return ["missing_token"]
        return self.service.watch.expired_token(grant.client_id) if grant else []

    def _too_many(self, wait: float) -> SandboxResponse:
        response = json_response(gateway_body(429), 429)
        if self.service.limiter.tells_when:
            response.headers.append(("Retry-After", str(max(1, round(wait + 0.5)))))
        return response

    def _unauthorized(self, usual: str) -> SandboxResponse:
        if self.service.unauthorized_style(usual) == "api":
            return json_response(api_body(401, ""), 401)
        response = json_response(gateway_body(401), 401)
        challenge = f'Bearer realm="{self.service.origin}/auth", error="invalid_token"'
        response.headers.append(("WWW-Authenticate", challenge))
        return response

    def _remember(self, request: SandboxRequest, response: SandboxResponse, trace: Trace) -> None:
        wait = next((v for k, v in response.headers if k == "Retry-After"), "0")
        outcome = Outcome(
            response.status,
            cut_off=response.drop or response.truncate,
            retry_after=float(wait) if wait.isdecimal() else 0.0,
            token_was_valid=trace.token_was_valid,
            beyond_end=trace.beyond_end,
        )
        self.service.watch.leaves(trace.client, request, trace.endpoint.name, outcome)

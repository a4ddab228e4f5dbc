from tests.contract.conftest import connect, running_sandbox, sandbox

__all__ = ["connect", "running_sandbox", "sandbox"]

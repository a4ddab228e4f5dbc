"""Locks and lists the exact packages, and compares them with published faults.

python -m bin.dependencies lock     write requirements*.lock
python -m bin.dependencies sbom     write sbom.json, the list of what an installation consists of
python -m bin.dependencies audit    look each package up among published faults (needs a network)

Two of the tools are not part of a checkout: each call installs them into a temporary folder.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = str(Path(sys.executable).with_name("uv"))
TOOLS = {
    "cyclonedx-py": "cyclonedx-bom==7.5.0",
    "pip-audit": "pip-audit==2.10.1",
}
OLDEST_PYTHON = "3.11"
# From the direct dependencies to the exact set. What runs is also part of what tests.
LOCKS = {
    "requirements.txt": "requirements.lock",
    "requirements-demo.txt": "requirements-demo.lock",
    "requirements-dev.txt": "requirements-dev.lock",
    "requirements-setup.txt": "requirements-setup.lock",
}


@contextmanager
def installed(name: str) -> Iterator[str]:
    """Yield the path of a program that is installed for this one call."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "install", "-qq"]
        subprocess.run([*pip, "--disable-pip-version-check", TOOLS[name]], check=True)
        yield f"{folder}/bin/{name}"


def lock() -> int:
    """Resolve for every platform and Python version at once, with the hash of each file."""
    command = [UV, "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    command += ["--python-version", OLDEST_PYTHON, "--no-emit-index-url", "--no-header"]
    command += ["--no-emit-find-links"]
    for source, target in LOCKS.items():
        constraints = [] if target == "requirements.lock" else ["-c", "requirements.lock"]
        wanted = [*command, *constraints, source, "-o", target]
        subprocess.run(wanted, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return 0


def sbom() -> int:
    with installed("cyclonedx-py") as program:
        command = [program, "requirements", "requirements.lock", "-o", "sbom.json"]
        code = subprocess.run([*command, "--of", "JSON", "--pyproject", "pyproject.toml"], cwd=ROOT)
    print("sbom.json is written." if not code.returncode else "sbom.json was not written.")
    return code.returncode


def audit() -> int:
    """Exit with 1 if a fault is known, or if nothing could be looked up."""
    with installed("pip-audit") as program:
        # Strict: a package that could not be looked up is no good news.
        command = [program, "--requirement", "requirements.lock", "--strict"]
        command += ["--require-hashes", "--disable-pip"]
        code = subprocess.run(command, cwd=ROOT).returncode
    if code:
        print("A package has a known fault, or could not be looked up: the lines above tell which.")
    return code


CHORES = {"lock": lock, "sbom": sbom, "audit": audit}

if __name__ == "__main__":
    sys.exit(CHORES[sys.argv[1]]())

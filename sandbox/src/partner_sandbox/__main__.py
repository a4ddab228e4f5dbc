import sys

from partner_sandbox.cli import run

if __name__ == "__main__":
    sys.exit(run())

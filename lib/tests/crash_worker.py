"""A consumer to be killed: it writes a line for each message, then acknowledges it."""

import os
import sys
from pathlib import Path
from typing import Any

from lib.tests.crash_steps import QUEUE, connect


def main(folder: Path) -> None:
    journal = os.open(folder / "done", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def work(body: dict[str, int], message: Any) -> None:
        os.write(journal, f"{body['number']}\n".encode())
        message.ack()

    with connect(folder) as connection:
        consumer = connection.Consumer([QUEUE], callbacks=[work], prefetch_count=64)
        with consumer:
            while True:
                connection.drain_events()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""As much of curl as the documents use, for machines that have none."""

import argparse
import sys

import httpx


def main(arguments: list[str]) -> int:
    """``curl -sS URL [-H 'NAME: VALUE']... [-d DATA]``: prints the body."""
    parser = argparse.ArgumentParser(prog="curl")
    parser.add_argument("-sS", action="store_true", required=True)
    parser.add_argument("-H", action="append", default=[], dest="headers")
    parser.add_argument("-d", dest="data")
    parser.add_argument("url")
    given = parser.parse_args(arguments)
    headers = [
        (name, value.strip()) for name, _, value in (h.partition(":") for h in given.headers)
    ]
    method = "GET" if given.data is None else "POST"
    answer = httpx.request(method, given.url, headers=headers, content=given.data, trust_env=False)
    sys.stdout.write(answer.text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

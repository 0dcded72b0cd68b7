"""An agent for `muniment eval task` without a model: it answers with what recall returns first.

Without memory (no MUNIMENT_URL in its environment) it knows nothing. Put your own in its place.
"""

import json
import os
import sys
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit


def answer(prompt: str) -> str:
    """What is held that answers the prompt."""
    if "MUNIMENT_URL" not in os.environ:
        return "I do not know."
    service = urlsplit(os.environ["MUNIMENT_URL"])
    kind = HTTPSConnection if service.scheme == "https" else HTTPConnection
    connection = kind(service.netloc)
    asked = {"user_id": os.environ["TASK_USER_ID"], "query": prompt, "k": 3}
    headers = {
        "Authorization": f"Bearer {os.environ['MUNIMENT_API_KEY']}",
        "Content-Type": "application/json",
    }
    connection.request("POST", f"{service.path}/v1/recall", json.dumps(asked), headers)
    items = json.load(connection.getresponse())["items"]
    held = [item for item in items if item["tier"] == "semantic"] or items
    return held[0]["text"] if held else "I do not know."


if __name__ == "__main__":
    # A real agent says here what it cost.
    print(json.dumps({"answer": answer(sys.stdin.read()), "cost_usd": 0.0, "tokens": 0}))

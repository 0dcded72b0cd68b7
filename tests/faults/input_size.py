"""How much is tried: a part in ``make test``, everything in ``make fuzz``."""

import os

# Cases an operation and phase for the fuzzer; from 100 on, all else is tried in full too.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "8"))
LONG = EXAMPLES >= 100
# A service that counts nobody's requests.
UNLIMITED = {"MUNIMENT_RATE_LIMIT_KEY": "", "MUNIMENT_RATE_LIMIT_TENANT": ""}

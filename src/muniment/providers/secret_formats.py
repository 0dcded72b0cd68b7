"""What keys and tokens look like: detectors of detect-secrets, and formats that it does not know.

They see one candidate at a time (from ``START`` to the end of its ``RUN``), so that the work on a
text is linear whatever a detector's expressions do.
"""

import re
from collections.abc import Generator, Sequence
from typing import Final

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.base import BasePlugin, RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from muniment.domain.late import late, late_regex

LONGEST: Final = 8_192
"""Characters of one candidate that are looked at."""

RUN: Final = late(r"[A-Za-z0-9_\-.+/=~:]{18,}")
"""What may hold a key: words that people write are shorter."""
START: Final = late_regex(
    r"(?<![A-Za-z0-9_])(?:"
    r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{12}|gh[pousr]_|github_pat_|gl[a-z]{2,6}-|GR1348941"
    r"|xox[a-z]-|xapp-|sk-|[rs]k_|whsec_|pypi-Ag|npm_|SG\.|sq0[a-z]{3}-|(?:AC|SK)[a-z0-9]{32}"
    r"|\d{8,10}:[0-9A-Za-z_-]{35}|[MNO][\w-]{23,25}\.[\w-]{6}\.|[0-9a-z]{32}-us\d|AIza|ya29\."
    r"|hf_|mnm_|hv[sbr]\.|do[opr]_v1_|shp(?:at|ca|pa|ss)_|lin_api_|AGE-SECRET-KEY-1|dapi[0-9a-f]{32}"
    r"|PMAK-|eyJ)"
)
"""Where a candidate may start; never inside a word."""
TAIL: Final = late_regex(r"[A-Za-z0-9_-]*+")
"""What clings to the end of a key is a part of it."""
PARTS: Final = late_regex(
    r"(?<![A-Za-z0-9_-])(eyJ[A-Za-z0-9_=-]++)\.[A-Za-z0-9_=-]++(?:\.[A-Za-z0-9_.=-]*+)?"
)
"""A token of several parts: a header, a claim, a signature."""
HOOK: Final = late_regex(
    r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{10,256}+"
)
"""An address that is a secret as a whole."""


class _Newer(RegexBasedDetector):
    """A format by its expression, of fixed length or of one class of characters."""

    secret_type = "format"  # noqa: S105
    denylist: Sequence[re.Pattern[str]] = ()

    def __init__(self, *expressions: str) -> None:
        self.denylist = [late(one) for one in expressions]


class _Mixed(_Newer):
    """The same with a small letter, a capital and a digit in it, as hyphened words have not."""

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        for found in super().analyze_string(string):
            secret = found.partition("-")[2]
            if all(any(map(test, secret)) for test in (str.islower, str.isupper, str.isdigit)):
                yield found


DETECTORS: Final[Sequence[tuple[str, BasePlugin]]] = (
    ("aws-key", AWSKeyDetector()),
    ("anthropic-key", _Newer(r"sk-ant-[A-Za-z0-9_-]{16,}")),
    # The library's own expression for these takes time by the square of the text's length.
    ("openai-key", _Newer(r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}")),
    ("openai-key", _Mixed(r"sk-(?!ant-|proj-|svcacct-|admin-)[A-Za-z0-9_-]{20,}")),
    ("github-token", GitHubTokenDetector()),
    ("github-token", _Newer(r"github_pat_[A-Za-z0-9_]{22,}")),
    ("gitlab-token", GitLabTokenDetector()),
    ("slack-token", SlackDetector()),
    ("slack-token", _Newer(r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+", r"xox[a-z]-[A-Za-z0-9-]{24,}")),
    ("stripe-key", StripeDetector()),
    ("stripe-key", _Newer(r"[rs]k_(?:live|test)_[0-9a-zA-Z]{16,}", r"whsec_[A-Za-z0-9+/]{24,}")),
    ("pypi-token", PypiTokenDetector()),
    ("npm-token", _Newer(r"npm_[A-Za-z0-9]{36}")),
    ("sendgrid-key", SendGridDetector()),
    ("square-secret", SquareOAuthDetector()),
    ("twilio-key", TwilioKeyDetector()),
    ("telegram-token", TelegramBotTokenDetector()),
    ("discord-token", DiscordBotTokenDetector()),
    ("mailchimp-key", MailchimpDetector()),
    ("google-key", _Newer(r"AIza[0-9A-Za-z_-]{35}", r"ya29\.[0-9A-Za-z_-]{20,}")),
    ("huggingface-token", _Newer(r"hf_[A-Za-z]{30,}")),
    ("muniment-key", _Newer(r"mnm_[a-z2-7]{40,}_[a-z2-7]{40,}")),
    ("vault-token", _Newer(r"hv[sbr]\.[A-Za-z0-9_-]{20,}")),
    ("digitalocean-token", _Newer(r"do[opr]_v1_[a-f0-9]{64}")),
    ("shopify-token", _Newer(r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}")),
    ("linear-key", _Newer(r"lin_api_[A-Za-z0-9]{32,}")),
    ("age-key", _Newer(r"AGE-SECRET-KEY-1[A-Z0-9]{58}")),
    ("databricks-token", _Newer(r"dapi[0-9a-f]{32}")),
    ("postman-key", _Newer(r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}")),
)
"""Every detector of a key or token with the kind that it finds; made once, nothing is verified."""


def is_token_header(part: str) -> bool:
    """Whether it is the header of a JSON web token; the library asks this of the first two parts,
    of which an encrypted token has only one.
    """
    return JwtTokenDetector.is_formally_valid(f"{part}.{part}")

"""Orders to an agent to set its rules aside, or to give away what it keeps: data for detection.

| an order | weighs |
|---|---|
| to ignore, bypass, override, not follow required workarounds, rules of some kind, approvals | 2 |
| to do so with just "the policy", "the rules"; and then to do something | 1; 2 |
| to reveal the system prompt, or the agent's own instructions | 2 |
| to reveal, print, leak its keys, all passwords; just "the API key"; in milder words | 2; 1; 1 |
| the same told of somebody, denied, as a way to an end ("to bypass ..., call") | nothing |
"""

from collections.abc import Sequence
from typing import Final

from muniment.domain.gate.automaton import PhraseAutomaton
from muniment.domain.gate.sequences import SequenceRules, rule
from muniment.domain.gate.tokens import word_set

_DEFY: Final = (
    "ignore|disregard|bypass|circumvent|override|overrule|evade|violate|defy|sidestep|skip|"
    "neglect|forget|get around|work around"
)
_REVEAL: Final = (
    "reveal|leak|disclose|divulge|exfiltrate|dump|print|recite|repeat|output|spill|betray"
)
_HAND: Final = "show|tell|give|list|share|send|publish|display|expose|write out|paste|return"
_OF_ALL: Final = (
    "{the|your|all|any|every|its|our|these|those|this|that|all the|all of the|all your}"
)
_OF_SOME: Final = "{your|all|any|every|all the|all of the|all your}"
_OUGHT: Final = "{you {need|have|are} to |}"
_SECRETS: Final = """{user |customer |stored |saved |admin |root |database |}{api key|api keys|\
secret key|secret keys|private key|private keys|access key|access keys|encryption key|\
encryption keys|signing key|signing keys|ssh key|ssh keys|credentials|password|passwords|\
passphrase|passphrases|secrets|access token|access tokens|auth token|auth tokens|bearer token|\
environment variables|env variables|keys and secrets}"""

_LEXICON: dict[str, str] = {
    # What is denied, told of others or a way to an end comes first and stands for nothing.
    "none": f"""
        {{not|never|cannot|can not|not ever}} {{{_DEFY}|{_REVEAL}|{_HAND}}}
        {{to|you can|you may|you could|you can safely|you may safely}} {{{_DEFY}|{_REVEAL}}}
        {_OF_ALL} {{password|passwords|access token}} {{reset|policy|policies|manager|field|form|\
change|hint|page|prompt}}
    """,
    "told": """
        {attackers|attacker|adversary|adversaries|prompt injection|prompt injections|jailbreak|\
jailbreaks}
        {may|might|could|would|to|will|often|sometimes} {ask|tell|try|attempt}
        {asks|tells|tries|attempts|asked|told} {it|a|an|the|us|them|him|her|people|users} {model |\
assistant |agent |}to
    """,
    "defy": f"""
        {_OUGHT}{{{_DEFY}}}
        {{do not|stop|refuse to|cease}} {{follow|following|obey|obeying|respect|respecting|heed|\
heeding|honour|honor|enforce|enforcing}}
    """,
    "neglect": "{do not|stop} {apply|applying|account for|accounting for|use|using|consider}",
    "workaround": f"""
        {{{_OF_ALL} |}}{{required |known |mandatory |necessary |listed |}}{{workaround|workarounds}}
        {{{_OF_ALL} |}}known {{data |}}issues
        {{{_OF_ALL} |}}{{required|mandatory}} {{step|steps|check|checks|account|corrections}}
    """,
    "ruled": f"""
        {{{_OF_ALL} |}}{{system prompt|guardrail|guardrails|safeguard|safeguards}}
        {{{_OF_ALL} |}}{{required|mandatory|safety|security|compliance|company|corporate|system|\
developer|internal|approval|privacy|access|content|retention|governance|usage|operator|organisation|\
organization|organisation's|organization's|operator's|company's}} {{rule|rules|policy|policies|\
guideline|guidelines|restriction|restrictions|limit|limits|control|controls|instruction|instructions|\
protocol|protocols|constraint|constraints|requirement|requirements}}
        {_OF_SOME} {{policy|policies|rule|rules|guideline|guidelines|restriction|restrictions|\
constraint|constraints|safety|principles}}
    """,
    "consent": f"""
        {{{_OF_ALL} |}}{{required|mandatory|necessary|human|manager|manager's|pending|\
supervisor|steward|steward's}} {{approval|approvals|consent|confirmation|sign off|review|reviews}}
        {{{_OF_ALL} |}}approvals
        {{{_OF_ALL} |}}approval {{requirement|requirements|gate|gates|process|limit|limits|chain}}
    """,
    "rules": "{the|these|those|this|that} {rule|rules|policy|policies|guidelines|restrictions|"
    "approval|instructions|constraints}",
    "deed": """
        {approve|pay|send|transfer|grant|delete|refund|wire|accept|confirm|execute|run|give|tell|\
reveal|reply|answer|say|write|forward|release|publish|deploy|merge|proceed}
    """,
    "reveal": f"{_OUGHT}{{{_REVEAL}}} {{me |us |out |}}",
    "hand": f"{_OUGHT}{{{_HAND}}} {{me |us |out |}}",
    "prompt": f"""
        {{{_OF_ALL} |}}{{entire |full |whole |exact |complete |}}{{system|developer}} {{prompt|\
prompts|instructions}}
        {{{_OF_ALL} |}}{{entire |full |whole |exact |complete |}}{{hidden|secret|internal|\
initial}} {{system |}}{{prompt|prompts|instructions|directives}}
    """,
    "own": """
        your {entire |full |whole |exact |complete |own |current |}{prompt|prompts|instructions|\
instruction|directives|guidelines|configuration|context window|keys}
    """,
    "secrets": f"{_OF_SOME} {_SECRETS}",
    "secret": f"{{the|its|our}} {_SECRETS}",
}

PHRASES = PhraseAutomaton(_LEXICON.items())
RULES = SequenceRules(
    [
        rule("defiance.rules", 2, "^defy", "ruled consent workaround", within=4, unless="told"),
        rule("defiance.rules", 2, "^neglect", "workaround", within=4, unless="told"),
        rule("defiance.plain", 1, "^defy", "rules", within=3, unless="told"),
        rule("defiance.plain", 2, "^defy", "rules", "^deed ^reveal ^hand", within=8, unless="told"),
        rule("revealing.prompt", 2, "^reveal ^hand", "prompt", within=4, unless="told"),
        rule("revealing.prompt", 2, "^reveal", "own", within=4, unless="told"),
        rule("revealing.secrets", 2, "^reveal", "secrets", within=4, unless="told"),
        rule("revealing.secrets", 1, "^reveal", "secret", within=4, unless="told"),
        rule("revealing.secrets", 1, "^hand", "secrets", within=4, unless="told"),
    ]
)
_VERBS = word_set(
    f"""
    {_DEFY} {_REVEAL} {_HAND} follow following obey obeying respect respecting heed heeding honour
    honor enforce enforcing apply applying account accounting use using consider
    """.replace("|", " ")
)


def may_defy(words: Sequence[str]) -> bool:
    """Whether a sentence has a word that begins such an order at all."""
    return not _VERBS.isdisjoint(words)

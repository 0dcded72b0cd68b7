"""Phrases and rules by which text that addresses an agent is told from text for people: data."""

from muniment.domain.gate.automaton import PhraseAutomaton
from muniment.domain.gate.sequences import SequenceRules, rule
from muniment.domain.gate.tokens import word_set

_LEXICON: dict[str, str] = {
    # Denied or hypothetical forms come first and stand for nothing.
    "none": """
        {not|never|cannot|can not} {ignore|ignored|forget|disregard|bypass|override|skip|disable}
        {not|never} {send|share|cache|log|store|forward|post|copy|upload|expose|collect|email}
        {ignoring|ignored} {previous|prior} {definition|value|error}
    """,
    "ignore": """
        {ignore|disregard|forget|override|overrides|overriding|bypass|supersedes|supersede|void|\
discard}
        {do not|stop} {follow|following|obey|obeying}
        pay no attention to
        drop all
    """,
    "prior": """
        {all|any|every|the|your|those|these|} {of |}{the |your |}{previous|prior|above|earlier|\
preceding|foregoing|\
existing|original|initial|former|past}
        {all|any|every|all of} {of |}{the|your|those|these|}
        your
    """,
    "everything": """
        {everything|anything|what|all} {that |}{you were|you have been|you have} {told|\
instructed|taught|asked|given}
        {everything|all of the|all the} {above|before|before this|so far}
    """,
    "orders": """
        {safety |system |developer |security |content |}{instruction|instructions|rule|rules|\
guideline|guidelines|\
directive|directives|prompt|prompts|restrictions|constraints|safeguards|programming|guardrails}
        {safety settings|safety filters|content filtering|content filters|content policy|\
content policies|ethics}
    """,
    "developer": "your {developer|developers|creator|creators|programming|system prompt|training|"
    "makers}",
    "lapse": """
        {no longer apply|no longer applies|do not apply|are void|is void|are suspended|\
are cancelled|are lifted|\
are revoked|are obsolete|replace|replaces|are replaced|have been replaced}
    """,
    "new_orders": """
        {follow|obey|execute} {only |}{these|the|my|this} {new |following |}{instructions|\
instruction|rules|steps|\
directives|orders|commands}
        {these|the} new {instructions|rules|directives} {instead|only}
        {new|updated} {primary |}{directive|directives|objective|system prompt}
    """,
    "now_you": """
        {you are|you will|you must|you shall} now
        {you are no longer|you have been updated|you have been reset|you are in|you will act|\
you must act}
    """,
    "persona": """
        {developer|maintenance|debug|unrestricted|admin|administrator|god|jailbreak|root|dan|\
diagnostic|training|\
sudo|privileged|override} mode
        {unrestricted|jailbroken|uncensored|unfiltered}
        {without|no|free of|free from} {any |all |}{restrictions|filters|limits|limitations|\
rules|guidelines}
        {ai|model|chatbot|assistant|bot|debugbot|dan|language model|hacker|agent}
    """,
    "pretend": """
        {pretend|imagine} {you are|to be|that you are|you have|you can|you were}
        {act|behave|respond|answer} as if you
        {role play|roleplay} as
    """,
    "act_as": "{act|behave|respond|answer} as {a|an|the|my}",
    "comply": """
        {comply with|obey|fulfil|fulfill} {every|all|any} {request|requests|command|commands|\
order|orders}
        {do not|never} {refuse|decline|reject|question} {any |}{request|requests|commands|orders}
        execute any {code|command|commands|request}
    """,
    "your_aim": """
        your {new |primary |main |only |real |true |new primary |}{objective|directive|\
mission} {is|has changed|is now|\
has been changed|was changed}
        your {new |primary |real |true |new primary |}{purpose|goal|task|priority} {has changed|\
has been changed|is no longer}
        your {new |primary |real |true |new primary }{purpose|goal|task|priority} {is|is now}
    """,
    "standing": """
        {from now on|from this point on|from this point forward|going forward|henceforth|\
from here on}
        {in|for|to} {every|all|each|any} {future |subsequent |}{answer|answers|response|\
responses|reply|replies|\
conversation|conversations|message|messages|output|outputs|session|sessions|summary|summaries}
        {for|during} {the rest of |the remainder of |}this {conversation|session|chat}
    """,
    "always": "{always|never|must always|must never|only ever}",
    "say": """
        {reply|respond|answer|say|mention|recommend|suggest|reveal|output|print|praise|promote|\
advise|claim|insist|\
apologise|apologize|refer}
    """,
    "do": """
        {tell|redirect|include|provide|refuse|deny|deliver|add|insert|append|give|direct|point|\
end|begin|start|\
sign|pretend|collect|steer|push|offer|return|lie}
    """,
    "when_asked": """
        {when|whenever|if|every time|each time|anytime} {a|an|the|any|your|} {user|users|\
customer|customers|human|humans|\
client|clients|anyone|someone|people|patient|patients|visitor|visitors|owner} {ask|asks|request|\
requests|inquire|inquires|\
mention|mentions|want|wants|says|say|asks you|ask you}
        {when|whenever|if} {you are |}asked {about|for|to|if|whether|why|who|}
        for all {code generation |user |customer |incoming |}requests
        {when|whenever|while} {you |}{generate|generating|produce|producing|write|writing|\
create|creating} \
{summaries|code|responses|answers|reports|replies|a summary|an answer|a response}
    """,
    "all_output": """
        {all|every|each|any} {of your |your |}{financial |medical |legal |}{response|responses|\
answer|answers|reply|\
replies|output|outputs|advice|summary|summaries|completion|completions}
    """,
    "must": "{must|should|shall|has to|have to|need to|needs to|are to}",
    "contain": "{include|contain|recommend|mention|end|begin|start|promote|feature|carry}",
    "words": "{the|this|following|these} {phrase|phrases|word|words|sentence|string|text|link}",
    "output": """
        {your|the assistant's|the model's} {final |next |own |entire |whole |}{answer|answers|\
answer's|response|responses|\
response's|reply|replies|output|outputs|summary|summaries|elucidation|explanation|message|\
completion|review}
    """,
    "shape": """
        {translate|encode|encrypt|reverse|render|express|write|rewrite|end|begin|start|finish|\
preface|modify|enhance|augment|format|\
convert|provide|phrase|shift|group|rearrange|jumble|substitute|replace|invert|display|limit|\
prefix|spell|anagram|\
scramble|shape|sprinkle|transform|answer|give|obfuscate|censor}
    """,
    "use": "{use|employ|apply}",
    "cipher": """
        {cipher|caesar cipher|monoalphabetic cipher|base16|base32|base64|hex|hexadecimal|binary|\
emoji|emojis|anagram|anagrams|\
morse|morse code|rot13|pig latin|leetspeak|leet|capital letters|uppercase|lowercase|acronyms|\
rhymes|haiku|encoding|\
substitution|backwards}
    """,
    "put": """
        {include|integrate|add|insert|append|prepend|incorporate|embed|tease|hint|allude|\
mention|suggest|omit|\
leave out|drop|weave|slip|plant|inject|hide|advertise|promote|encourage|recommend|spread|say}
        including
    """,
    "particulars": """
        {order|invoice|ticket|reference|account|phone|contact|customer|case|booking|tracking|\
policy|membership|your} {number|id|details|reference|no}
        {availability|postal address|cv|resume|signature|quote|quotes|documents|receipt|whether|\
your name|your address}
        {box|sheet|margin|questionnaire|exam}
    """,
    "role": "",
    "agent": """
        {ai|a i|artificial intelligence|llm|llms|language model|language models|\
large language model|large language models|\
chatbot|chatbots|chatgpt|gpt|claude|gemini|copilot}
        {ai|llm|language|autonomous} {model|models|agent|agents|assistant|assistants|system|\
systems|bot|bots|reviewer|\
reviewers|reader|readers|crawler|crawlers|summarizer}
        {all|any} {agents|assistants|bots|models}
    """,
    "assistant": "{assistant|agent|bot|model}",
    "call": """
        {attention|dear|hey|hello|hi|note|notice|message|memo|instructions|instruction|reminder|\
important|listen|ok|okay|yo|warning} {to|for|} {the|any|all|every|our|}
        {to|for} {any|all|every|whatever|the}
    """,
    "greeted": """
        {hey|ok|okay|attention|yo} {assistant|agent|bot|ai|model|agents|assistants|bots}
        dear {assistant|ai|model|bot|language model|ai assistant|ai agent}
    """,
    "if_agent": """
        {if|since|because|as} {you are|you're|this is read by|read by|processed by} {an|a|any|\
the|} {ai|llm|language model|\
large language model|chatbot|assistant|agent|ai model|ai assistant|ai agent|bot|automated system}
    """,
    "user": """
        {the|this|your|their} {user|user's|users|human|human's|owner|owner's|customer|\
customer's|operator|operator's|client|client's}
        {user|users|user's|customers}
    """,
    "you": "{you|yourself}",
    "principal": """
        {the|this|your|their} {user|user's|users|human|human's|owner|owner's|operator|operator's}
    """,
    "people": "{team|teams|department|group|committee|community|conference|workshop|friends|"
    "newsletter|course|lab}",
    "remember": "{remember|note|keep in mind|bear in mind|be aware|know|recall|record|memorise|"
    "memorize}",
    "save": "{save|store|add|write|commit|put|record|update|overwrite|edit|keep|insert|inject|"
    "remember}",
    "memory": """
        {to|in|into|your|from} {your |the agent's |the assistant's |}{long term |long-term |\
persistent |core |}{memory|memories|memory bank}
    """,
    "on_read": """
        {when|once|after|if|as soon as|upon|while|before} {you |you have |you are |}{read|\
reading|see|seeing|process|processing|\
receive|receiving|summarise|summarize|summarising|summarizing|summarised|summarized|parse|\
parsing|open|opening|encounter|\
index|retrieve|finish|finished} {reading |processing |}{this|{this|these|the} {email|mail|\
message|document|page|text|\
file|note|article|website|paper|record|memory|entry}}
        {once|after|when} this {email|mail|message|document|page|text|file|note|article|\
} {has been|is|was} {read|summarised|\
summarized|processed|opened|loaded|retrieved|indexed|received}
        {before|prior to} {continuing|answering|responding|replying|proceeding}
    """,
    "act": """
        {open|run|execute|visit|click|delete|call|invoke|approve|reply|write|stop|proceed|book|\
buy|purchase|pay|transfer|\
wire|grant|rate|rank|give|confirm|accept|download|install|go|navigate|ask|append|print|tell|\
respond|output|follow|erase|\
remove|cancel|change|reset|create|mark|treat|assume|recommend|say|add|ignore|search|read|\
collect|summarize|summarise|\
disregard|reveal|list}
    """,
    "not_tell": """
        {do not|never|without} {tell|telling|inform|informing|notify|notifying|mention|\
mentioning|alert|alerting|reveal|\
revealing|disclose|disclosing|show|showing|warn|warning} {it |this |that |them |any of this |\
anything |}{to |about |}
        {hide|conceal|keep} {this|it|that|them} {secret |hidden |}from
    """,
    "withhold": "{do not|never} {mention|reveal|disclose|discuss|admit|acknowledge}",
    "unasked": """
        without {asking|any|user|further|prior|the user's|} {for |}{confirmation|consent|\
approval|permission|validation|verification|\
asking|confirming|review|authorization|confirmation prompts}
        {silently|secretly|covertly|quietly}
    """,
    "send": """
        {send|forward|post|upload|sync|transmit|export|leak|exfiltrate|copy|email|mail|share|\
submit|report|log|cache|deliver|\
capture and forward|route|mirror|push|stream|dump|collect}
        send copies of
    """,
    "sent": "{be|being} {sent|forwarded|posted|uploaded|synced|transmitted|exported|copied|"
    "shared|logged|routed|mirrored}",
    "data": """
        {conversation|conversations|transcript|transcripts|history|credential|credentials|\
password|passwords|key|keys|token|\
tokens|secret|secrets|contacts|inbox|prompt|prompts|logs|payload|payloads|pii|cookies|emails|\
messages|memory|memories|\
interactions|queries|requests|inputs|traffic|tickets|preferences|transcription}
        {user|session|customer|personal|private|patient|conversation|usage} {data|interactions|\
information|details|preferences|records|queries}
        {environment|env} variables
        {stack trace|stack traces|request bodies|response bodies|request context|\
database query strings|search queries|access logs}
        {cpu|memory} {usage|}
    """,
    "sink": "",
    "endpoint": "{endpoint|endpoints|webhook|collector endpoint|external server|remote server}",
    "tool_word": "{tool|function|api|plugin|command}",
    "use_tool": "{use|call|invoke|run|execute|trigger}",
    "decode": "{decode|decrypt|deobfuscate|unscramble|base64 decode}",
    "do_it": """
        {do what|do it|execute|follow|run|obey|perform|carry out}
    """,
    "code": """
        {following|subsequent|below|attached} {python |}{code |}{snippet|block|excerpt|section|\
segment|code block}
        {code |}{snippet|block|excerpt|section} below
    """,
    "code_target": """
        your {code|code's|codebase|solution|implementation|algorithm|elucidation|response|\
answer|program|explanation|architecture}
    """,
    "in_question": "in the {question|prompt|query|input|request|task|message}",
    "means": "{this |that |it |}means {that |}{we|you|the agent|the assistant}",
    "if_contains": """
        {if|when|whenever|because|since} {the|a|any} {question|query|prompt|input|request|task|\
user} {contains|includes|mentions|has|says|\
contain|include|asks for}
        because there is
    """,
    "disable": "{disable|bypass|skip|deactivate|turn off|switch off|remove|circumvent|weaken|"
    "relax|drop|omit|expose}",
    "safeguard": """
        {authentication|authorization|validation|verification|certificate|certificates|pinning|\
csrf|cors|waf|encryption|firewall|\
2fa|mfa|sandbox|sandboxing|linting|safety|csrf protection|rate limiting|rate limits|\
certificate pinning|access control|\
access controls|input validation|code review|code reviews|security}
        {two factor|two-factor|multi factor|multi-factor} authentication
        {approval|review|confirmation|verification|staging|audit|security|certificate|safety|\
peer review|testing} {step|steps|environment|\
checks|check|process|rules|prompts|logging|settings|gate|gates}
    """,
    "straight": """
        {commit|deploy|push|merge|release|apply} {changes |it |them |}{directly|\
straight} to {the |}{main|master|production|prod|trunk}
        force push
    """,
    "fetch": "{fetch|download|check|query|poll|curl|wget|pull|get|load|visit|retrieve|access}",
    "run": "{run|execute|apply|install|follow|replace|load|eval}",
    "script": "{script|scripts|binary|executable|commands|command|module|modules|payload|code|"
    "instructions|steps|settings|patch}",
    "config": "{set|change|enable|disable|expose|configure|switch|connect|use|raise|lower|"
    "increase}",
    "header": "",
    "hard_header": """
        {new |admin |system |security |}{directive|directives|override|instruction override}
        {note|notice|memo|message|instructions} {for|to} all {agents|assistants|models|bots}
    """,
}
COORDINATING = frozenset({"and", "then"})
"""Words behind which an order may begin wherever they stand."""
PASSING = word_set(
    """
    please kindly then and also now immediately automatically periodically just must should always
    never can could would to so first instead simply quickly next finally you will shall but
    """
)
"""Words behind which an order may still begin."""

PHRASES = PhraseAutomaton((label, lines) for label, lines in _LEXICON.items() if lines.strip())
RULES = SequenceRules(
    [
        rule("override.orders", 2, "ignore", "prior", "orders", within=4),
        rule("override.everything", 2, "ignore", "everything", within=3),
        rule("override.lapsed", 2, "prior", "orders", "lapse", within=4),
        rule("override.lapsed", 2, "orders", "lapse", "you developer", within=6),
        rule("override.developer", 2, "ignore lapse", "developer", within=6),
        rule("override.new", 2, "^new_orders"),
        rule("override.new", 2, "hard_header", ":", within=2),
        rule("override.filters", 2, "^ignore", "orders", "standing", within=6),
        rule("persona.now", 2, "now_you", "persona", within=6),
        rule("persona.pretend", 2, "^pretend"),
        rule("persona.act_as", 1, "^act_as"),
        rule("persona.act_as", 2, "^act_as", "persona ^act ^say ^send ^do ^put", within=10),
        rule("persona.comply", 2, "^comply"),
        rule("persona.comply", 2, "you must", "comply", within=4),
        rule("persona.aim", 2, "your_aim"),
        rule("standing.reply", 2, "standing", "say do put", within=5),
        rule("standing.always", 2, "always", "say do put", "output standing when_asked", within=12),
        rule("standing.asked", 2, "when_asked", "say do put always withhold", within=14),
        rule("standing.output", 2, "all_output", "must", "contain say", within=4),
        rule("standing.words", 2, "when_asked standing output", "put do", "words", within=10),
        rule(
            "role.turn",
            2,
            "role",
            "act say do send use_tool principal you ignore fetch put",
            within=5,
        ),
        rule("memory.user", 2, "^remember", "principal", within=3),
        rule("memory.store", 2, "^save", "memory", within=8),
        rule("on_read.act", 2, "on_read", "act send say do put fetch use_tool", within=10),
        rule("agent.conditional", 2, "if_agent"),
        rule("agent.called", 2, "^call", "agent", within=2, unless="people"),
        rule("agent.called", 2, "^agent", ":", "^act ^send ^say ^do ^ignore ^put", within=3),
        rule("agent.called", 2, "^greeted", unless="people"),
        rule("agent.ordered", 2, "^agent ^assistant", ",", "^act ^send ^say ^do ^ignore", within=3),
        rule("secrecy.user", 2, "not_tell", "user", within=4),
        rule("secrecy.unasked", 1, "unasked"),
        rule("secrecy.withhold", 1, "^withhold"),
        rule("exfil.sink", 2, "^send", "data", "sink", within=20),
        rule("exfil.sink", 2, "^config", "send", "data", "sink", within=14),
        rule("exfil.sink", 1, "send", "data", "sink", within=14),
        rule("exfil.mail", 1, "^send", "data", "mail", within=14),
        rule("exfil.sink", 2, "data", "sent", "sink endpoint", within=10),
        rule("exfil.user", 2, "^send", "user", "data", within=5),
        rule("exfil.include", 2, "put do", "data", "send sink", "sink", within=14),
        rule("tool.named", 2, "^use_tool", "snake", "tool_word", within=3),
        rule("encoded.decode", 2, "^decode", "do_it", within=8),
        rule("output.shape", 2, "^shape", "output", within=10, unless="particulars"),
        rule("output.cipher", 2, "^use shape", "cipher", "output", within=10),
        rule("output.put", 2, "^put", "output", within=12, unless="particulars"),
        rule("output.put", 2, "output", "^put put", within=8, unless="particulars"),
        rule("output.shape", 2, "output", "must", "contain shape", within=4, unless="particulars"),
        rule("code.inject", 2, "code", "code_target", within=16),
        rule("code.inject", 2, "code_target", "code", within=16),
        rule("code.offered", 1, "code"),
        rule("backdoor.means", 2, "in_question", "means", within=6),
        rule("backdoor.trigger", 2, "if_contains", "say ^act ^do ^send", within=16),
        rule("security.disable", 2, "^disable", "safeguard", within=5),
        rule("security.direct", 1, "straight"),
        rule("remote.run", 2, "run fetch", "script", "sink", within=8),
        rule("remote.run", 2, "fetch", "sink", "run fetch", within=14),
        rule("header.config", 2, "header", "^config ^send ^disable ^fetch", within=6),
        rule("header.config", 1, "header"),
    ]
)

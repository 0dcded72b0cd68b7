"""The words of a turn that are its speaker's own and meant (RULES 4.2).

| in a turn | is left |
|---|---|
| lines behind ">", in a fence, in <blockquote> or <quote> | nothing of them |
| what follows "Fwd:", the head of a mail, "On ... wrote:" | nothing of it |
| a quotation of five words, or one in which somebody says "I" | nothing of it |
| "Anna: I ...", "Anna told me: ...", "Translate: ..." | nothing of the line behind it |
| "Note: I ...", "I told you: ..." | all of it |
| "Just kidding!", "Not!" | nothing of what came before it |
"""

from collections.abc import Sequence
from typing import Final

import regex

from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late_regex
from muniment.domain.rendering import WORDS

_QUOTED_LINE = late_regex(r"^[^\S\n]*(?:>|&gt;).*$", regex.MULTILINE)
_FENCED = late_regex(
    r"^[^\S\n]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?:(?!^[^\S\n]*(?P=fence)).*\n?)*(?:^.*$)?"
    r"|```[^`]*```",
    regex.MULTILINE,
)
_TAGGED = late_regex(
    r"<(?P<tag>blockquote|quote|q|cite|pre|code|samp)\b[^>]*+>.*?(?:</(?P=tag)\s*+>|\Z)"
    r"|\[quote\b[^\]]*+\].*?(?:\[/quote\]|\Z)",
    regex.IGNORECASE | regex.DOTALL,
)
_QUOTATION = late_regex(
    r'"[^"\n]*"|“[^“”\n]*”|«[^«»\n]*»|»[^»«\n]*«|„[^„“”\n]*[“”]|‹[^‹›\n]*›|「[^「」\n]*」'
    r"|‘(?:[^‘’\n]|(?<=\w)’(?=\w))*’|`[^`\n]*`"
    r"|(?<!\w)'(?=(?:I|we|my|our)\b)(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)"
)
_UNCLOSED = late_regex(
    r"\b(?:said|says|saying|wrote|writes|told \w+|tells \w+|asked|answered|replied|shouted|texted"
    r"|quote)\b[,:]?[^\S\n]*[\"“«„‘][^\n]*$",
    regex.IGNORECASE | regex.MULTILINE,
)
_SOMEBODY_SAYS = late_regex(r"\b(?:I|we|my|our|me|us|I['’]m)\b", regex.IGNORECASE)
_QUOTED_WORDS: Final = 5
_FORWARDED = late_regex(
    r"^[^\S\n]*(?:-{2,}[^\S\n]*(?:original|forwarded|begin forwarded)\b.*"
    r"|(?:begin )?forwarded message\b.*|(?:fwd?|fw|forwarded|forwarding)[^\S\n]*:.*"
    r"|on [^\n]{5,120} wrote:[^\S\n]*"
    r"|(?:from|to|cc|sent|date|subject|reply-to):[^\n]*\n[^\S\n]*"
    r"(?:from|to|cc|sent|date|subject|reply-to):.*)$",
    regex.MULTILINE | regex.IGNORECASE,
)
_LABELLED = late_regex(
    r"^(?P<before>[^\n]*?(?:[.!?;]|-{1,2}|–|—)[^\S\n]+)??[^\S\n]*(?:[-*•][^\S\n]+)?[*_]{0,2}"
    r"(?P<label>[\p{L}\p{N}][^:\n]{0,79}?)[*_]{0,2}:[*_]{0,2}(?:[^\S\n]+|[^\S\n]*\n)(?P<said>\S[^\n]*)$",
    regex.MULTILINE,
)
_REPORTS = late_regex(
    r"\b(?:said|says|say|saying|told|tells|wrote|writes|written|asked|asks|answered|answers|replied"
    r"|replies|claims?|claimed|shouted|texted|messaged|e-?mailed|posted|tweeted|goes|went|reads?"
    r"|quoting|states|stated)\b",
    regex.IGNORECASE,
)
_OWN_REPORT = late_regex(
    r"\b(?:I|we) (?:\w+ ){0,2}?(?:said|say|told|tell|wrote|write|mentioned|asked|posted|texted"
    r"|replied)\b",
    regex.IGNORECASE,
)
_TEXTS = late_regex(
    r"^(?:(?:please|pls|can you|could you|now|ok|and|so|then|here is|here['’]s|this is)[ ,]+)*"
    r"(?:translate|translation|rephrase|paraphrase|summari[sz]e|proofread|rewrite|correct|shorten|edit"
    r"|quotes?|quotation|example|sample|template|draft|write|compose|story|lyrics?|caption|bio|novel"
    r"|script|dialogue|transcript|repeat after me|analy[sz]e|classify|parse|test (?:sentence|input)"
    r"|(?:a|an|the|my) (?:example|quote|sentence|draft|line|lyrics?|message from|text from"
    r"|mail from))\b",
    regex.IGNORECASE,
)
_FIRST_PERSON = late_regex(r"\b(?:I|we|my|our|I['’]?m|I['’]ve|we['’]re)\b", regex.IGNORECASE)
_SPEAKER = late_regex(
    r"(?:(?:my|the|our|a)\s)?(?P<who>\p{L}[\p{L}'’.-]*(?:\s\p{L}[\p{L}'’.-]*){0,2})"
    r"(?:\s*[(\[][^)\]\n]*[)\]])?"
)
_ROLES: Final = word_set(
    """
    customer client agent user assistant bot caller patient colleague boss manager mother father mom
    mum dad brother sister wife husband friend speaker interviewer interviewee him her them he she
    they quote host guest doctor teacher student support seller buyer sender
    """
)
_TOPICS: Final = word_set(
    """
    fyi note notes nb update updates correction reminder remember news ps me myself i we us about
    address home work job city town location status background context summary fact facts hi hello
    hey dear clarification clarified diet food allergy allergies language languages project pet pets
    name role title team employer company contact phone email mail preference preferences rule rules
    info information heads-up headsup important warning sidenote aside question answer reply yes no
    ok okay
    also today tomorrow yesterday now new change changes changed plan plans one two three first
    second third last next finally edit btw anyway basically actually honestly confession reason
    problem issue situation request task todo monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december
    family health hobby hobbies skill skills timezone region stock price budget deadline profile
    introduction intro bio history schedule result outcome decision announcement good bad great
    sad big small quick short long final same more less other side thing things point truth
    detail details reminder remark comment hint tip context setup stack tools tool data source
    sources file files table report reports numbers dates weekend morning evening housing
    housekeeping
    please thanks sorry again always never for from to on in at by as if when so because since and
    but or the my our your this that these those here there everything nothing something
    """
)
_JOKED = late_regex(
    r"^(?:(?:ha(?:ha)*|no|nah|nope|ok|okay|well|oh|lol|and|but|wait|sorry|haha|actually)[ ,.!]+)*"
    r"(?:(?:I['’]?m|I am|I was|was|am|just|only|totally|of course|obviously|still)[ ,]+)*"
    r"(?:kidding|joking|jk|j/k|kidding you|joking of course|not|not really|psych|sike|pranked"
    r"|(?:that|it|this)(?:['’]s| is| was| were)? (?:just |only |all |obviously |of course )*"
    r"(?:an? )?(?:joke|lie|prank|not true|untrue|false|made up|a test|nonsense|invented)"
    r"|april fools?(?:['’] day)?|pulling your leg|made that up|I made (?:that|it|this) up"
    r"|none of (?:that|this) is true|(?:that|it)(?:['’]s| is) not true)"
    r"(?: (?:of course|obviously|btw|by the way|everyone|guys|sorry|with you"
    r"|around))*[\s.!)…:;DP😂🤣😜😉]*$",
    regex.IGNORECASE,
)


def own_words(content: str, names: Sequence[str] = ()) -> str:
    """A turn without what its speaker quotes, forwards, relays or takes back as a joke.

    A quoted name or phrase stays. ``names`` are the speaker's own: a line behind one of them is
    theirs.
    """
    forwarded = _FORWARDED.search(content)
    own = content if forwarded is None else content[: forwarded.start()]
    own = _FENCED.sub("", own)
    own = _TAGGED.sub(" ", own)
    own = _QUOTED_LINE.sub("", own)
    own = _QUOTATION.sub(lambda found: " " if _is_speech(found[0]) else found[0], own)
    own = _UNCLOSED.sub(" ", own)
    known = {name.casefold() for name in names}
    own = _LABELLED.sub(lambda found: _unlabelled(found, known), own)
    return _meant(own)


def _is_speech(quotation: str) -> bool:
    return (
        len(WORDS.findall(quotation)) >= _QUOTED_WORDS
        or _SOMEBODY_SAYS.search(quotation) is not None
    )


def _unlabelled(found: "regex.Match[str]", known: set[str]) -> str:
    """A line without what stands behind a label, where somebody else says it."""
    label = found["label"].strip(" *_")
    if not _relays(label, found["said"], known):
        return found[0]
    return f"{found['before'] or ''}{label}."


def _relays(label: str, said: str, known: set[str]) -> bool:
    """True if a label makes what follows somebody else's words, or a text to work on."""
    if _TEXTS.match(label):
        return True
    if _REPORTS.search(label):
        return _OWN_REPORT.search(label) is None
    if _FIRST_PERSON.search(said) is None or label.casefold() in known:
        return False
    speaker = _SPEAKER.fullmatch(label)
    if speaker is None:
        return False
    words = [word.casefold().strip(".") for word in speaker["who"].split()]
    if words[-1] in _ROLES:
        return True
    capitals = all(word[:1].isupper() for word in speaker["who"].split())
    return capitals and not any(word in _TOPICS for word in words)


def _meant(own: str) -> str:
    """What is left of a turn behind the last sentence that takes what came before it as a joke."""
    if not _MAY_JOKE.search(own):
        return own
    at = 0
    for sentence in split_sentences(own):
        if _JOKED.match(sentence):
            last = sentence.split()[-1]
            end = own.find(last, at + len(sentence) - len(last)) + len(last)
            at = end if own[at:end].strip() != sentence else at
    return own[at:]


_MAY_JOKE = late_regex(
    r"\b(?:kidding|joking|joke|jk|j/k|psych|sike|prank|pranked|lie|true|untrue|false|made|nonsense"
    r"|invented|april fools?|pulling|test)\b|\bnot[!.]*\s*$|\bnot!|\bnot really\b",
    regex.IGNORECASE | regex.MULTILINE,
)

"""What is wrong with data, and how data has to be handled."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.late import late

IDENTIFIER: Final = late(
    r"\b[a-zA-Z][\w]*_\w+\b|\b[a-z]+[a-z0-9]*\.[a-z_]+\b(?!\.)|\b(?:[a-z]+[A-Z]\w+)\b"
    r"|`[^`]+`"
)
_DATA: Final = late(
    r"\b(?:column|field|table|feed|csv|export|extract|dataset|data ?set|data|rows?"
    r"|records?|view|schema|spreadsheet|sheet|log|logs|sensor|scanners?|readings?"
    r"|timestamps?"
    r"|dashboard|report|api|import|payload|file|files|database|warehouse|partition"
    r"|snapshot|metric|counter|tracker|tracking|survey|crm|ledger|inventory system"
    r"|events?|labels?|samples?|measurements?|meter|meters|figures|catalogue|gps|flag|station"
    r"|column \w|points|numbers|names|postcodes?|ids?|pipelines?|inbox export|registry|register)\b",
    re.IGNORECASE,
)
_DEFECT: Final = late(
    r"\b(?:(?:is|are|comes?|arrives?|stays?|was|were|been|left|shows?(?: up)?|has|have"
    r"|gets?|returns?|turn(?:s|ed)? up|always|sometimes|often|mostly|just"
    r"|still) (?:\w+ ){0,3}?(?:empty|blank|null|nulls|missing|wrong|broken|incomplete"
    r"|unreliable|garbage|corrupt(?:ed)?|stale|outdated|truncated"
    r"|duplicated|doubled|swapped|mislabell?ed|inconsistent|useless|off by|shifted"
    r"|zero|negative|cut off|rounded|mixed|late|delayed|inflated|understated"
    r"|overstated|unusable|stuffed|messed up|screwed up|nonsense|rubbish|junk|unusable"
    r"|bogus|double counted|double-counted|lost)"
    r"|(?:twice|double)\b(?! (?:a|the week|as|check))|duplicates?|duplicated"
    r"|double[- ]count\w*|miscount\w*|overcounts?|undercounts?|lags? (?:by|behind"
    r"|\w+ days)|lagging|lag is|drops? (?:rows|records|the|every)|skips? (?:rows"
    r"|records|every)|loses|missing (?:values|rows|data|entries|records)"
    r"|in (?:utc|local time|grams|mg|cents|dollars|euros?|pounds|metres|meters|feet"
    r"|celsius|fahrenheit|kg|miles|km|seconds|milliseconds|ms|μmol/l|µmol/l|mmol/l"
    r"|mg/dl|thousands|millions|gbp|usd|eur)\b.* (?:and|but|while|in|n) .*\b(?:in|for"
    r"|every(?:body|thing)?|all|rest|others?)\b"
    r"|(?:uses?|contains?|mixes|has|have) (?:local times?|mixed|different units|nulls?"
    r"|duplicates?|test (?:accounts|rows|data|orders)|placeholder|dummy|fake)"
    r"|resets? (?:to|at|every)|goes? (?:missing|stale|backwards?)|(?:does"
    r"|do) not (?:include|contain|cover|update|match|add up|count|reconcile|refresh)"
    r"|stops? (?:at|updating)|garbage|unreliable|can not be trusted|never (?:updated"
    r"|filled|populated)|not (?:filled|populated|reliable|updated|trustworthy"
    r"|deduplicated|fixed|complete)|only (?:goes|go) back|includes? (?:test|cancelled"
    r"|internal|deleted|refund)|one day (?:off|late|behind)|hours? (?:off|late|behind"
    r"|ahead)|days? (?:off|late|behind)|stored as \w+|(?:is|are) (?:flipped|reversed"
    r"|inverted|misspel\w+|capped|anonymi[sz]ed|estimated|not unique)"
    r"|misspel\w+|cuts? off|no (?:rows|data"
    r"|entries|records|values) (?:for|from|in|on|before|after)"
    r"|jumps? around|restarts?|not unique|lists? \w+.* as"
    r"|report(?:s|ed|ing)? -?\d+|mix(?:es|ed)? \w+ and|(?:net"
    r"|gross) .*\b(?:others?|rest|everybody|everyone)"
    r"|(?:in|with|without|as) .*\bfor .*\b(?:and|but|while)\b (?:in "
    r"|with |without |as ).*\bfor|runs? late"
    r"|(?:is|are) (?:still |only |always )?in \w+ (?:time )?(?:for"
    r"|before|since|until|when|at) |in local time|gaps?"
    r"|(?:twice|two times) as (?:many|much|high)|too (?:high|low|early"
    r"|late) (?:by|for|in|on|since))\b",
    re.IGNORECASE,
)
_STORE: Final = (
    r"(?:tables?|feeds?|csv|exports?|extracts?|imports?|data ?sets?|data|reports?|dashboards?"
    r"|views?|sheets?|spreadsheets?|logs?|files?|warehouse|database|pipelines?|columns?|fields?"
    r"|rows|records|\w+_\w+)"
)
_LAGS: Final = late(
    r"^(?!.*\bno (?:[\w-]+ ){0,2}(?:lag|delay)\b).*(?:"
    r"\b(?:lag|delay|latency)\b[^,.;]{0,40}? (?:in|on|of|for|with|from)"
    rf" (?:(?:the|our|all|this|that) )?(?:[\w-]+ ){{0,3}}?{_STORE}\b"
    rf"|\b{_STORE} (?:[\w-]+ ){{0,2}}?(?:\w+ )?(?:has|have|shows?|with)"
    r" (?:[\w-]+ ){0,3}?(?:lag|delay|latency)\b"
    rf"|\b{_STORE} (?:[\w-]+ ){{0,2}}?(?:is|are|runs?|lags?|falls?) (?:[\w-]+ ){{0,4}}?behind\b"
    rf"|\b{_STORE} (?:[\w-]+ ){{0,2}}?contains? (?:[\w-]+ ){{0,3}}?(?:empty|wrong|blank"
    r"|missing)\b)",
    re.IGNORECASE,
)
_REPAIRED: Final = late(
    r"\b(?:no longer|fixed|solved|resolved|repaired|corrected|not (?:\w+ )?any ?more"
    r"|no [^,.;]{2,60} any ?more"
    r"|is fine now|are fine now|works now|clean now|back to normal|sorted)\b",
    re.IGNORECASE,
)
_NOT_REPAIRED = late(
    r"\b(?:not|never|is not|until it is|to be|isn't|once) (?:yet )?(?:fixed|solved"
    r"|resolved|repaired|corrected)\b|\btelling it is fixed\b",
    re.IGNORECASE,
)
_LAG_NOW = late(
    r"\b(?:the )?(?P<what>[\w -]{2,30}?) (?:lag|delay|offset|error rate|gap) (?:is|are"
    r"|has grown to|went (?:up|down) to) (?:now )?",
    re.IGNORECASE,
)
_STRICT: Final = late(
    r"\b(?:always|never|must|have to|has to|need(?:s)? to|should|every time|each time"
    r"|before|in place of|instead of|rather than|not from|only|whenever"
    r"|when(?:ever)? you|for (?:all|any|every|the)|otherwise|first|every|each)\b",
    re.IGNORECASE,
)
_IMPERATIVE: Final = late(
    r"^(?:(?:yes|no|so|and|but|ok|please|then|well|just|right|also|hm|you (?:must"
    r"|should|have to|need to)|we (?:must|have to|need to|always|should)|it (?:must"
    r"|has to)|one must)\b[ ,:.]*)*+"
    r"(?:(?:not by|for|when(?:ever)? you|before|in) [^,]{2,40}?, ?"
    r"|for (?:the )?[\w-]+ (?=use |take |count |exclude |filter |always )"
    r"|for (?:the )?[\w /'-]{2,30}? (?=you |we |always |please ))?(?:(?:you"
    r"|we) (?:must|should|have to|need to) )?"
    r"(?:always |never |do not |please |only |first )*+"
    r"(?:convert|join|merge|pool|multiply|divide|dedup\w*|deduplicate|filter|exclude"
    r"|drop|ignore|winsori[sz]e|normali[sz]e|aggregate|sum|cast|parse|cap|clip|impute"
    r"|use|take|read|count|compute|calculate|add|subtract|strip|trim|map|weight|scale"
    r"|adjust"
    r"|shift|trust|treat|group|match|skip|remove|leave out|apply|plan around)\b",
    re.IGNORECASE,
)
_TECHNICAL: Final = late(
    r"\b(?:column|field|table|rows?|join|merge|pool|csv|export|feed|dataset|records?"
    r"|samples?|values?|percentile|correlation|median|mean|timestamps?|ids?|key|file"
    r"|ttr|kpi|outliers?|units?|by \d+|null|duplicates?|test accounts?"
    r"|grain|utc|shipments?|readings?|laboratory|lab|log|logs|ledger|payouts?|refunds?"
    r"|returns|churn|revenue|conversion|rate|cohort|baseline|weights?|minus|plus"
    r"|planned|actual|gate-in|arrival|delays?|time for|compar\w+|count|counted|months?"
    r"|donors?|orders?|customers?|households?|visits|bots|postcodes?|blanks?|unknown"
    r"|area|gps|data|times?|totals?|average|sums?|quarters?|accounts?|sales|figures"
    r"|occupancy|tickets|invoices|shipped)\b",
    re.IGNORECASE,
)
_MINE: Final = late(
    r"\b(?:for me|my (?:\w+ )?(?:queries|reports?|dashboards?|charts?|tables?|exports?"
    r"|emails?)|to me|I (?:like|prefer|want))\b",
    re.IGNORECASE,
)
_DEFINED: Final = late(
    r"\b(?:in|for) (?:all )?our (?:\w+ )?(?:reports?|reporting"
    r"|dashboards?|numbers|figures|books|stats)\b"
    r"|\b(?:refunds?|returns|discounts|revenue|churn|sales|active \w+"
    r"|weeks?|months?) (?:belongs? to|means?|counts? as"
    r"|(?:is|are) (?:defined as|booked|counted|attributed)|starts? on|(?:is|are) always net)\b"
    r"|\bif an? [\w -]+ has (?:two|several|more than one) \w+",
    re.IGNORECASE,
)
_RETIRED: Final = late(
    r"\b(?:forget|drop|ignore|scrap|disregard|discard|undo|cancel|stop|remove"
    r"|lose) (?:about )?(?:the|my|that|this|all the|what I said about the"
    r"|your) (?P<what>[\w .'/-]+?)(?: (?:rule|thing|stuff|step|filter|workaround"
    r"|conversion|one|business|setting|preference|instruction))?(?=$|[,.!]| (?:about"
    r"|from|now|then|for|please|that|because)\b)",
    re.IGNORECASE,
)
_SELF = late(
    r"^(?:(?:so|and|but|also|well|oh)[ ,]+)*(?:I|we) (?!(?:have (?:found|noticed|seen"
    r"|checked)|found|noticed|discovered|get|only get|see|just found"
    r"|(?:have|have got|are seeing) (?:(?!to )[\w-]+ ){0,3}?(?:lag|delay|duplicates?"
    r"|double[- ]count\w*|missing (?:rows|values|records|data|entries)))\b)",
    re.IGNORECASE,
)


def data_source(text: str) -> str | None:
    """What data a statement names: an identifier, else the words before "table", "feed", ..."""
    match = IDENTIFIER.search(text)
    if match is not None:
        return match.group().strip("`")
    named = re.search(
        r"\b(?:the |our |in )(?P<name>(?:(?!the\b|our\b|in\b|that\b|for\b|from\b"
        r"|of\b)[\w-]+ ){1,3}(?:table|feed|csv|export|data|dataset|file|log|report|sheet"
        r"|view|api))\b",
        text,
        re.IGNORECASE,
    )
    return None if named is None else named["name"]


def quality(sentences: Sequence[Sentence]) -> Iterator[Found]:
    """What a turn says to be wrong with data: one statement a turn, of one or two sentences."""
    for at, sentence in enumerate(sentences):
        clauses = [
            one
            for one in sentence.clauses
            if one.meant and not _SELF.match(one.text) and _is_defect(one.whole)
        ]
        if not clauses:
            continue
        before = sentences[at - 1] if at else None
        subject = _subject(sentence.text, before)
        if subject is None:
            continue
        text = _whole(sentences, at, subject)
        repaired = _REPAIRED.search(text) is not None and _NOT_REPAIRED.search(text) is None
        clause = clauses[0]
        if not clause.dates:
            clause = next((one for one in sentence.clauses if one.dates), clause)
        yield Found(
            clause,
            "data.repaired" if repaired else "data.defect",
            kind="data_quality",
            text=text,
            retracts=repaired,
            data_source=data_source(text),
            changes=True,
            old=_instead(text),
        )
        return
    yield from _repaired(sentences)


def _is_defect(text: str) -> bool:
    return any(one.search(text) is not None for one in (_DEFECT, _LAGS))


def _whole(sentences: Sequence[Sentence], at: int, subject: str) -> str:
    """The statement in one or two sentences: with the one that names the data, or goes on."""
    text = sentences[at].text
    before = sentences[at - 1] if at else None
    if subject != text:
        return f"{subject} {text}"
    if before is not None and before.meant and IDENTIFIER.search(before.text):
        return f"{before.text} {text}"
    following = sentences[at + 1] if at + 1 < len(sentences) else None
    if (
        following is not None
        and following.meant
        and len(text.split()) <= 8
        and _is_defect(following.text)
    ):
        return f"{text} {following.text}"
    return text


def _subject(text: str, before: Sentence | None) -> str | None:
    """The text that names the data: the sentence itself, or the one before it."""
    if IDENTIFIER.search(text) or _DATA.search(text):
        return text
    if (
        before is not None
        and (IDENTIFIER.search(before.text) or _DATA.search(before.text))
        and before.meant
    ):
        return before.text
    return None


def _instead(text: str) -> str | None:
    match = re.search(r"\bnot (\w+)", text)
    return None if match is None or "now" not in text else match[1]


def _repaired(sentences: Sequence[Sentence]) -> Iterator[Found]:
    for sentence in sentences:
        data = IDENTIFIER.search(sentence.text) or re.search(
            r"\b(?:field|column|feed|table|export|issue|bug|lag)\b", sentence.text
        )
        if (
            data is None
            or not _REPAIRED.search(sentence.text)
            or _NOT_REPAIRED.search(sentence.text)
            or not sentence.clauses[0].meant
        ):
            continue
        clause = next((one for one in sentence.clauses if one.dates), sentence.clauses[0])
        yield Found(
            clause,
            "data.repaired",
            kind="data_quality",
            text=sentence.text,
            retracts=True,
            data_source=data_source(sentence.text),
            changes=True,
        )
        return


def patterns(sentence: Sentence) -> Iterator[Found]:
    """How data has to be handled, in general: "convert invoice_ts to UTC before you join"."""
    text = sentence.text
    if _MINE.search(text) or not all(one.meant for one in sentence.clauses):
        return
    head = next(
        (one for one in sentence.clauses if _IMPERATIVE.match(one.text) or _must(one.text)), None
    )
    if head is None and _DEFINED.search(text) and not sentence.clauses[0].other:
        clause = sentence.clauses[0]
        yield Found(clause, "data.defined", kind="domain_pattern", text=text)
        return
    if head is None or head.other or not (_STRICT.search(text) or IDENTIFIER.search(text)):
        return
    words = {word.lower() for word in _TECHNICAL.findall(text)}
    if not (IDENTIFIER.search(text) or len(words) >= 2):
        return
    if re.search(
        r"\b(?:src/|line \d+|this (?:file|query|one)|now do|just this once|this time"
        r"|for now|today only)\b",
        text,
    ):
        return
    yield Found(
        head, "data.handling", kind="domain_pattern", text=text, data_source=data_source(text)
    )


def _must(text: str) -> bool:
    return (
        re.search(
            r"\b(?:must|has to|have to|needs? to|should) (?:always |never |still "
            r"|only )?(?:be )?(?:convert|take|use|exclude|multipl|filter|dedup|ignor|divid"
            r"|pool|join|count|treat|winsori|normali)\w*",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def names_rule(clause: Clause) -> str | None:
    """The words of a rule that a clause gives up: "forget the last_event_at thing"."""
    match = _RETIRED.search(clause.text)
    return None if match is None else match["what"].strip()

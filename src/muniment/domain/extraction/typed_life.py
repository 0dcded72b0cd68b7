"""Values of a person's life by their type: a channel, an animal, a name, a firm, a job, a place.

Each looks for one value of its type in a sentence, and for a word of the class that says what it is
to the user: reaching, refusing, being called, being paid by, standing in for.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.extraction.shapes import TECHNOLOGY
from muniment.domain.extraction.typed_contact import channel, refused
from muniment.domain.extraction.values import organisation, place, tidy, title
from muniment.domain.extraction.words import LANGUAGE, PROPER, SPECIES, first_group
from muniment.domain.gate.register import earnest
from muniment.domain.late import late

_CAP: Final = rf"(?-i:{PROPER})"
_ANIMAL: Final = rf"(?:{SPECIES}|lurchers?|vizslas?|axolotls?|cockatoos?|macaws?|newts?|stallion)"
_OURS: Final = r"(?:my|our|the|a|an|one of my|one of our)"
_PET: Final = late(
    rf"\b(?P<v1>{_CAP}),? (?:(?:who "
    rf"|which )?is )?{_OURS} (?:[\w'-]+ ){{0,3}}?{_ANIMAL}\b(?! (?:food"
    r"|show|shop|sitter|park|owner|lover|person))"
    rf"|\b(?:my|our|there is an?|have got an?|taken in an?|have an?) (?:[\w'-]+ ){{0,3}}?{_ANIMAL}"
    rf"(?: at home| here| in the house)?, (?:called |named )?(?P<v2>{_CAP})(?=[,.!]|$)",
    re.IGNORECASE,
)
_BEFORE_PET: Final = late(
    rf"\b(?P<v>{_CAP})(?:'s)? (?:[a-z][\w'-]+)\b",
)
_IS_ANIMAL: Final = late(
    rf"^(?:he|she|it) is (?:a|an|my|our|only a|half an?|part) (?:[\w'-]+ ){{0,3}}?{_ANIMAL}\b",
    re.IGNORECASE,
)
_KIND_BEFORE: Final = late(
    rf"\b(?:I|we|my|our)\b[^.]{{0,40}}\b{_ANIMAL}\b",
    re.IGNORECASE,
)
_CALLED: Final = late(
    rf"^(?:(?:his|her|its|the) name is|(?:he|she|it) is (?:called|named)|(?:he|she|it) (?:goes by"
    rf"|answers to|listens to)|we (?:call|named|called) (?:him|her|it)|meet|say hello to) "
    rf"(?P<v>{_CAP})\b",
    re.IGNORECASE,
)
_OF_OTHERS: Final = late(
    r"\b(?:his|her|their|your|neighbou?r'?s?|sister'?s?|brother'?s?|friend'?s?|mother'?s?"
    r"|colleague'?s?|boss'?s?|client'?s?|customer'?s?|film|movie|book|show|brand)\b",
    re.IGNORECASE,
)
_NO_NAME: Final = late(
    r"(?:I|We|My|Our|The|He|She|It|They|You|This|That|There|Here|A|An|And|But|So|Is|His|Her|Mr|Mrs"
    r"|Ms|Dr|Also|Yes|No|Just|Who|Which|What|Then|Now|Well|Please|Today|Half|Even|Every|Some|One"
    r"|Got|Have|Thanks|Tell|Ask|When|If|Oh|Ok|Okay|Both|Once)$"
)


def _pet(sentence: Sentence, before: Sentence | None) -> Iterator[str]:
    text = sentence.text.replace("'s our", " is our").replace("'s my", " is my")
    for match in _PET.finditer(text):
        name = match["v1"] or match["v2"]
        if not _NO_NAME.match(name) and not _OF_OTHERS.search(text[: match.end()]):
            yield name
    if before is None:
        return
    called = _CALLED.match(text)
    if called is not None and _KIND_BEFORE.search(before.text):
        yield called["v"]
    elif _IS_ANIMAL.match(text) and not _OF_OTHERS.search(f"{before.text} {text}"):
        names = {
            one["v"]
            for one in _BEFORE_PET.finditer(before.text)
            if not _NO_NAME.match(one["v"]) and not NOT_A_NAME.match(one["v"])
        }
        if len(names) == 1:
            yield names.pop()


_NAMES: Final = late(
    rf"^(?:so |and |but |well |hi |hey |hello )*[, ]*(?P<a>{_CAP}(?: {_CAP})?) is (?:what (?:\w+ "
    rf"){{1,2}}(?:calls?|call) me|my (?:first |full |real )?name|the name)\b"
    rf"|\b(?:sign|address|label|mark) (?:it|them|this|that|me|everything|mails?|letters?|the \w+)"
    rf" (?:as|with|from) (?P<b>{_CAP}(?: {_CAP})?)(?=[,.!]|$| (?:please|and|not)\b)"
    rf"|\bput (?P<c>{_CAP}(?: {_CAP})?) (?:at the bottom|at the top|on it|on them|underneath"
    rf"|under it|as the (?:name|author|sender))"
    rf"|^(?:hi |hey |hello |morning )*[, ]*(?P<d>{_CAP}) (?:writing|typing|checking in|reporting"
    rf"|back again)\b(?= from| here| again|[,.!]|$)"
    rf"|\b(?:(?:my )?(?:friends|family|mates|colleagues|team)|everyone|everybody|people|they|most) "
    rf"(?:all |just |mostly )?calls? me (?P<e>{_CAP})\b"
    rf"|\b(?:known as|go by|going by|answer to|listen to the name) (?P<f>{_CAP}(?: {_CAP})?)"
    r"(?=[,.!]|$| (?:at|in|on|here|now|not|and|these)\b)"
    rf"|(?:^|[,;] )(?:my |the )?name(?: is|'s) (?P<h>{_CAP})(?=[,.!]|$)"
    rf"|^(?P<i>{_CAP}),? (?:she/her|he/him|they/them)\b"
    rf"|^(?P<j>{_CAP}) (?:on|at) (?:this|my|the other) end\b"
    rf"|\byou (?:have|are) (?:got |speaking to |talking to )(?P<k>{_CAP}) (?:here|on the line"
    rf"|again)\b"
    rf"|\b(?:put|file|book|keep|save) (?:it|this|me|everything) under (?P<l>{_CAP}(?: {_CAP})?)"
    rf"(?=[,.!]|$)"
    rf"|\bname on (?:the|my) \w+ (?:is|says|reads) (?P<g>{_CAP}(?: {_CAP})?)",
    re.IGNORECASE,
)


_HELLO: Final = late(
    r"\b(?:background|intro\w*|who I am|so you know|before we (?:start|begin)|first things first"
    r"|to start with|about me)\b|^(?:hi+|hello|hey+|good (?:morning|evening"
    r"|afternoon))\b[^,]{0,12}$",
    re.IGNORECASE,
)
_SAYS_WHO: Final = late(rf"^(?:it is|I am|this is) (?P<v>{_CAP})(?=[,.!]|$| and\b)", re.IGNORECASE)


def _name(clause: Clause, before: Sentence | None) -> Iterator[str]:
    match = _NAMES.search(re.sub(r"'s (?=what|my|the)", " is ", clause.text))
    if match is None and before is not None and _HELLO.search(before.text):
        match = _SAYS_WHO.match(clause.text)
    if match is not None:
        said = first_group(match)
        if not NOT_A_NAME.match(said) and not _NO_NAME.match(said):
            yield tidy(said)


_PAID: Final = late(
    r"\bI (?:[\w'-]+ ){0,3}?(?:on the (?:books|payroll) (?:of|at|with)|on the staff (?:of|at)"
    r"|in the (?:pay|employ|service) of|employed (?:by|at|with)|been with|am with|gone over to"
    r"|went over to|signed (?:on )?with|gone to work for|jumped ship to|defected to"
    r"|crossed over to|work (?:\w+ )?over at"
    r"|(?:drive|fly|cook|sell|code|nurse|guard|clean|consult|write|teach|build|pack|bake|translate"
    r"|haul|deliver|stock shelves|pack \w+|run \w+|do \w+|sell \w+|write \w+"
    r"|drive \w+) for) (?P<a>(?-i:[A-Z])\S.*)"
    r"|\bmy (?:\w+ )?(?:employer|employers|company|firm|outfit|paymaster|paymasters)"
    r" (?:is|are)(?: now| called)? (?P<b>(?-i:[A-Z])\S.*)"
    r"|\bmy (?:contract|job|position|employment|apprenticeship|traineeship) (?:with|at) (?P<d>(?-i:"
    r"[A-Z])\S*(?: (?-i:[A-Z])\S*)*)"
    r"|^(?:my )?(?:new |day )?job(?: is|'s)?(?::| at| with) (?P<e>(?-i:[A-Z])\S.*)"
    r"|\bmy (?:badge|payslip|pay slip|uniform|name tag|lanyard) (?:now )?(?:says|reads) (?P<f>(?-i:"
    r"[A-Z])\S.*)"
    r"|\b(?:moved|transferred|seconded) me (?:over |across )?to (?P<g>(?-i:[A-Z])\S.*)"
    r"|\bI have been (?:at|with) (?P<h>(?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)*)(?= (?:for|since)\b|$)"
    rf"|^(?:so |and |but )*(?P<c>(?:{_CAP} ){{1,3}})(?:(?:has |have )?(?:been )?pay(?:s"
    rf"|ing)? (?:me\b|my (?:wages|salary|bills))|employs? me"
    r"|has hired me|hired me|took me on|gave me (?:a|the) job|has me on the payroll)",
    re.IGNORECASE,
)


def _employer(clause: Clause) -> Iterator[str]:
    match = _PAID.search(clause.text)
    if match is None or re.search(r"\b(?:not|never|no longer|was|were)\b", match.group()):
        return
    found = organisation(first_group(match).strip())
    if found is None or title(clause.text[match.start() :].split(": ")[-1]) is not None:
        return
    if not re.fullmatch(rf"{LANGUAGE}|{TECHNOLOGY}", found, re.IGNORECASE):
        yield found


_IN_PLACE: Final = late(
    r"\bI (?:\w+ ){0,2}?(?:take over|taking over|took over|step(?:ped|ping)? in|fill(?:ing)? in"
    r"|succeed|follow|replace|carry on|stay on|come back|came back|go in|sign on|signed on)"
    r"(?: from| for)?(?: [\w'-]+){0,3}? as (?P<a>\S.*)"
    r"|\b(?:have |has |had )?(?:made|named|want|wanted|appointed|hired|elected|chose|chosen|need"
    r"|needed|brought|taken|took) me (?:in |on |up |back )?(?:as |to be |their |the "
    r"|a )+(?P<b>\S.*)"
    r"|\b(?:I am |I have been |am )?(?:stepping|stepped|moving|moved|bumped|step) up (?:to"
    r"|into|as) (?P<c>\S.*)|^(?:my )?(?:job|role|position|title|profession|trade)\?[ ,]*(?P<d>\S.*)"
    r"|\b(?:changed hats|new hat|new title|new job|new role)\b[^:]{0,15}: (?P<e>\S.*)"
    r"|^(?P<f>\S.{2,40}?) is my (?:new |official |full )?(?:job |work )?(?:title|job|role"
    r"|position)\b"
    r"|\bI (?:now )?(?:run|work|serve|act) [\w' ]{0,20}?as (?:an? |the )?(?P<g>\S.*)",
    re.IGNORECASE,
)


def _role(clause: Clause, before: Sentence | None) -> Iterator[str]:
    match = _IN_PLACE.search(clause.text)
    said = None if match is None else first_group(match)
    asked = before is not None and re.fullmatch(
        r"(?:and |so |oh,? )*my (?:job|role|position|title|profession|trade)\? *",
        before.text,
        re.IGNORECASE,
    )
    found = title(said or (clause.text if asked else ""))
    if found is not None and not re.search(r"\b(?:not|never)\b", clause.text):
        yield found


_HOME: Final = late(
    rf"\b(?:turns?|makes?|made|turned) us (?:into )?an? (?P<a>{_CAP}(?: {_CAP})?) (?:household"
    rf"|family|couple)\b|\b(?:we|I) (?:have been|are|am) (?P<b>{_CAP}(?: {_CAP})?) (?:people|folk"
    rf"|residents?|locals?|dwellers?)\b|\b(?:we|I) (?:are|am) (?P<d>{_CAP})[- ]based\b"
    rf"|\b(?:we|I) (?:have )?(?:shift(?:ed)?|move|relocate) to (?P<e>{_CAP})(?= (?:on|in|at|from"
    rf"|since)\b|[,.]|$)|^(?:so "
    rf"|and |but )*(?P<c>{_CAP}(?: {_CAP})?) is (?:now )?"
    r"(?:home|our home|my home|where we live|where I live)\b",
    re.IGNORECASE,
)


def _city(clause: Clause) -> Iterator[str]:
    match = _HOME.search(re.sub(r"'s (?=home|our|my|where)", " is ", clause.text))
    found = None if match is None else place(first_group(match))
    if found is None or re.fullmatch(TECHNOLOGY, found, re.IGNORECASE):
        return
    if not NOT_A_NAME.match(found):
        yield found


_SPEAK: Final = late(
    rf"\b(?:stay|keep|stick|remain|talk|write)(?: it)? (?:to |in |with )?(?P<a>{LANGUAGE}) (?:with"
    rf"|to|for) (?:me|us)\b|\blet us (?:do|have|keep|conduct) (?:this|it|everything|our \w+) in "
    rf"(?P<b>{LANGUAGE})\b|^(?P<c>{LANGUAGE}) (?:is|comes) (?:much |far |a lot )?(?:easier|more "
    r"comfortable|more natural|simpler) (?:for|to) (?:me|us)\b",
    re.IGNORECASE,
)
_KNOWN: Final = late(
    r"^(?P<a>[A-Z][\w+#.]*|[\w-]+) (?:holds? no (?:secrets|mystery|mysteries) for me"
    r"|is second nature to me|is my bread and butter|is my strong suit|is what I am best at)"
    r"|\bI know my way (?:around|about|round) (?:in )?(?P<b>[\w+#.-]+(?: [\w+#.-]+)?)(?=[,.!]|$)"
    r"|^(?P<c>(?-i:[A-Z])[\w+#.]*),? (?:I have |have )?been (?:writing|using|doing|coding|working "
    r"with|programming|teaching) (?:it|in it|that|with it)\b",
    re.IGNORECASE,
)


def _language(clause: Clause) -> Iterator[str]:
    match = _SPEAK.search(clause.text)
    if match is not None and not re.search(r"\b(?:not|never|no)\b", clause.text):
        yield first_group(match)


def _skill(clause: Clause) -> Iterator[str]:
    match = _KNOWN.search(clause.text)
    if match is not None and not re.match(r"(?:this|that|it|he|she)\b", match.group()):
        yield tidy(first_group(match))


_Reader = Callable[[Clause, Sentence, Sentence | None], Iterator[str]]
_READERS: Final[tuple[tuple[str, bool, _Reader], ...]] = (
    ("do_not_contact", True, lambda clause, sentence, _: refused(clause, sentence)),
    ("contact_channel", False, channel),
    ("name", True, lambda clause, _, before: _name(clause, before)),
    ("employer", True, lambda clause, _, __: _employer(clause)),
    ("role", True, lambda clause, _, before: _role(clause, before)),
    ("city", True, lambda clause, _, __: _city(clause)),
    ("language", False, lambda clause, _, __: _language(clause)),
    ("skill", False, lambda clause, _, __: _skill(clause)),
)
"""Slot, whether the subject may be another than the user, and what reads it."""


def _read_as(sentence: Sentence) -> Iterator[Clause]:
    """Its clauses, and the whole where it is in earnest: a comma may part a value from its word."""
    yield from sentence.clauses
    if len(sentence.clauses) > 1 and sentence.meant:
        yield replace(sentence.clauses[0], text=sentence.text, whole=sentence.text)


def by_type_of_life(
    sentence: Sentence, before: Sentence | None, have: frozenset[str | None] | set[str | None]
) -> Iterator[Found]:
    """The values of a person's life that a sentence gives slots without one so far."""
    text = sentence.text
    if not sentence.clauses or not earnest(text):
        return
    given: set[str] = set()
    for clause in _read_as(sentence):
        if not clause.meant:
            continue
        for slot, any_subject, reader in _READERS:
            if slot in have or slot in given or (clause.other and not any_subject):
                continue
            for value in reader(clause, sentence, before):
                given.add(slot)
                yield Found(clause, f"type.{slot}", slot, value, changes=True)
    if "pet" not in have and sentence.clauses[0].meant:
        for value in dict.fromkeys(_pet(sentence, before)):
            yield Found(sentence.clauses[0], "type.pet", "pet", value)

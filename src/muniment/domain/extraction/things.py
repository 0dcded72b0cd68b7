"""What the user has, pays, works on and cannot bear, beyond what cues find."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import NOT_A_PET, allergen, disliked, project, technology
from muniment.domain.extraction.values import money, region, several
from muniment.domain.extraction.words import (
    CLITIC,
    PERSON,
    REGION_TOLD,
    SPECIES,
    first_group,
)
from muniment.domain.late import late

_OWN = (
    r"(?:I|[Ww]e)(?: (?:have|had|own|keep|got|just|also|now|still|finally|recently"
    r"|share|adopted|bought|rescued|raise|look after|live with|am the owner of|took in"
    r"|do|the|a|my|our|house|home|flat|place|life|bed|with|also|already|have got"
    r"|to have)){1,7}"
)
_PET_NAMED = late(
    rf"(?:\b[Mm]y|\b[Oo]ur|{_OWN}(?: an?| two| three| four| one| five| some"
    rf"| another)?)(?: [\w-]+){{0,3}}? (?P<kind>{SPECIES})(?:,? (?:is |are |was "
    r"|were )?(?:called|named)|,? (?:his|her|its|their) names? (?:is|are)|,| is|:"
    r"|) (?P<names>[A-ZÀ-Þ][\w'’-]+(?:(?:, | and |, and | & )[A-ZÀ-Þ][\w'’-]+)*)(?!\w)",
)
_PET_BARE = late(
    rf"\b(?:[Mm]y|[Oo]ur|{_OWN}(?: an?| two| three| four| one| five| some"
    rf"| another))(?: [\w-]+){{0,2}}? (?P<kind>{SPECIES})\b(?! (?:person|people|food"
    r"|sitter|park|allergy|hair|is not mine|walker|show|videos?|lover|owner|fur|bed"
    r"|breeder|memes?))"
)
_SEVERAL = r"(?-i:[A-ZÀ-Þ][\w'’-]+(?:, [A-ZÀ-Þ][\w'’-]+)*,? and [A-ZÀ-Þ][\w'’-]+)"
_NAMES_BEHIND = late(
    rf"(?: (?:though|too|now|as well|here|at home))*(?:,|:) (?P<names>{_SEVERAL})[.!]*$"
)
_PET_NAME_NEXT = late(
    r"^(?:(?:so|and)[ ,]+)?(?:his|her|its|their|the dog's|the cat's) names? (?:is|are"
    r"|will be) (?P<names>[\w'’-]+(?:(?:, | and |, and )[\w'’-]+)*)|^(?:he|she|it"
    r"|they) (?:is|are) (?:called|named) (?P<names2>[\w'’-]+(?: and [\w'’-]+)*)"
    r"|^(?:we |I )?(?:called|named) (?:him|her|it) (?P<names3>(?-i:[A-ZÀ-Þ])[\w'’-]+)"
    rf"|^(?P<names4>{_SEVERAL})[.!]*$",
    re.IGNORECASE,
)
_PET_FRONTED = late(
    r"(?:^|\b(?:also|about|is|and|meet"
    r"|with) )(?P<name>[A-ZÀ-Þ][\w'’-]+),? (?:my|our) (?:[\w-]+ ){0,3}?"
    rf"{SPECIES}\b(?! (?:died|passed))"
)
_PET_GONE = late(
    r"^(?:(?:sadly|so|and|but|we|I)[ ,]+)*(?P<name>[A-ZÀ-Þ][\w'’-]+|(?:my|our"
    r"|the) (?:\w+ )?"
    + SPECIES
    + r")(?: \w+)? (?:died|passed away|has died|is gone|was put down|passed"
    r"|is no longer with us|crossed the rainbow bridge)\b"
)
_NO_LONGER_HAVE = late(
    r"\b(?:no longer|do not|not) (?:have|own|keep) (?:an?|the|my"
    rf"|any) (?:\w+ )?(?P<kind>{SPECIES})\b(?P<over>.*any ?more)?",
    re.IGNORECASE,
)
_PRICE_CUE = late(
    r"\b(?:price|costs?|sells?(?: it| them| these)? for|goes? (?:up "
    r"|down )?(?:to|at|for)|goes up|goes down"
    r"|is now|are now|charge|priced|list price|retails?|plan|subscription|per (?:seat"
    r"|month|unit|kilo|hour|user|pallet|person)|a (?:seat|month|piece|unit|kilo|bottle"
    r"|jar|pallet|cup|ticket)|each"
    r"|is|are|at)\b",
    re.IGNORECASE,
)
_NOT_A_PRICE = late(
    r"\b(?:budget|salary|rent|revenue|profit|loss|saved|spent|paid|owe|discount"
    r"|shipping|delivery|fee|levy|fine|raise|bonus|mrr|arr|turnover|invoice|refund"
    r"|deposit|earn|make|pay|donat\w+|million|m\b|from|under|over|above|below"
    r"|between|fund\w*|raised|grant|bill|tax|tip|ask|asks|worth|cash|limit|threshold"
    r"|per diem|expenses?|approve|approved|spend|spending|loan|mortgage"
    r"|ceiling|quota|allowance|deductible|surcharge|caps? (?:on|for))\b"
    r"|\bI told you\b",
    re.IGNORECASE,
)
_PRICE_VERB = late(r"\b(?:goes (?:up|down)|costs|sells for|is now|retails)\b", re.IGNORECASE)
_PRICE_CORRECTED = late(r"\bprice (?:correction|update|change)\b", re.IGNORECASE)
_NO_FOR_ME = late(
    r"^(?:(?:so|and|but|oh|also|please)[ ,]+)*no (?P<rest>[\w ]{3,30}?) for me\b", re.IGNORECASE
)
_CAN_NOT_EAT = late(
    rf"{LEAD}(?:I|we) (?:can not|will not|do not|never|refuse to) (?:really )?(?:do|eat"
    r"|touch|stomach|drink) (?P<rest>(?!it\b|that\b|this\b|much\b|more\b|any ?more\b"
    r"|well\b|anything\b|so\b)\S.*)",
    re.IGNORECASE,
)
_TASTE = late(
    r"\b(?:soap|taste|disgust\w*|vile|awful|horrible|yuck|gross|hate|can not stand"
    r"|ever|at all|menu|dinner|lunch|restaurant|catering|order)\b",
    re.IGNORECASE,
)
_NOT_STAND_IT = late(
    r"\b(?:I|we) (?:really |just )?(?:can not stand|hate|loathe|detest|do not like"
    r"|can not bear) (?:it|them|that)\b",
    re.IGNORECASE,
)
_HATE_HINT = late(
    r"(?P<rest>.+?) (?:drives? me (?:mad|crazy|nuts|insane|up the wall)"
    r"|makes? my skin crawl|makes? me gag|is (?:just )?not (?:for me|my thing"
    r"|my cup of tea)|gets? on my nerves|bores? me to tears)\b",
    re.IGNORECASE,
)
_MAKES_ILL = late(
    r"(?:^|: )(?:(?:so|and|but|also|even|because|oh"
    r"|that)[ ,]+)*(?P<rest>[\w' -]{3,30}?) (?:makes? me (?:sneeze|itch|wheeze"
    r"|come out in|swell|break out|vomit|throw up|ill|sick)|(?:gives?|gave) me (?:hives|a rash"
    r"|an? \w+ reaction|asthma)|(?:brings?|brought) me out in|(?:sends?|sent) me (?:into anaphyl"
    r"|to hospital|to the hospital|to a&e|to the er)|(?:puts?|landed|lands) me in (?:the )?"
    r"(?:hospital|er|a&e|icu|emergency room)|closes? my throat|could kill me|can kill me"
    r"|is deadly for me)",
    re.IGNORECASE,
)
_ALLERGIC_TO = late(
    rf"{LEAD}(?:(?:I|we) (?:\w+ ){{0,4}}?|my doctor says I am |(?:it turns out"
    r"|turns out|apparently)(?: that)? I am (?:\w+ )?)(?:allergic"
    r"|intolerant) to (?P<rest>\S.*)",
    re.IGNORECASE,
)
_X_ALLERGY = late(
    rf"{LEAD}(?:(?:I|we) (?:am |have |got |do |also |a |an |having |been "
    r"|diagnosed with |suffer from |with |really |very |severe |serious |bad |mild "
    r"|strong |nasty |known |life-threatening |the )+"
    rf"|my )(?P<rest>[\w -]{{2,25}}?)[ -](?:allerg(?:y|ic|ies)|intoleran(?:t"
    r"|ce))(?! to\b)",
    re.IGNORECASE,
)
_MY_ALLERGY = late(
    r"\b(?:my|an?|the) (?:\w+ )?(?:allergy|intolerance|allergies)(?: (?:is|are)|:| to"
    r"| is to) (?:to )?(?P<rest>\S.*)",
    re.IGNORECASE,
)
_COELIAC = late(r"\b(?:I am|I have) (?:a )?(?:diagnosed )?(?P<what>c(?:o)?eliac)", re.IGNORECASE)
_NOT_ALLERGIC = late(
    r"\b(?:outgrew|outgrown|grown out of|grew out of|got over|lost) (?:my"
    r"|the) [\w ]{0,20}?(?:allerg|intoleran)|"
    r"\b(?:not|never|no) (?:\w+ ){0,2}(?:allerg|intoleran)|\bnot an allergy\b"
    r"|\bnothing to do with allerg",
    re.IGNORECASE,
)
_REGION_USE = late(
    r"\b(?:deploy\w*|prod|production|hosts?|hosted|runs?|running|live|sits?|warehouse"
    r"|target|region|cluster|workloads?|moved|migrat\w*|we are (?:in|on)|everything"
    r"|infra\w*|anything new|services?|stack|api|rollouts?)\b",
    re.IGNORECASE,
)
_REGION_NOT = late(
    r"\b(?:backups?|staging|dev|replicas?|dr|disaster|test|sandbox|failover|secondary"
    r"|mirror|archive|cdn|never|not|no longer|instead of|used to|was|were|customer's"
    r"|out of|their|from)\b",
    re.IGNORECASE,
)
_PROJECT_BY = late(
    r"\b(?:project|repo|repository|codename|code name|initiative|programme|migration"
    r"|rewrite|app|tool|product|launch)(?: is)?,? (?:called|named|codenamed?|is|:"
    r"|codename)(?: now)? (?:called )?(?P<rest>\S.*)"
    r"|\b(?:put|assigned|moved|staffed|transferred)(?: me| to)? (?:on|to"
    r"|onto)(?: the)? (?P<rest2>(?-i:[A-Z][\w-]*(?: [A-Z][\w-]*)*)) (?:project|team"
    r"|programme|migration|rewrite)",
    re.IGNORECASE,
)
_PROJECT_TAKEN = late(
    rf"{LEAD}(?:I|we) (?:have |am |are |now |will |also )*(?:work(?:ing)? on"
    r"|build(?:ing)?|lead(?:ing)?|run(?:ning)?|start(?:ed|ing)?|took over|taking over"
    r"|own|look(?:ing)? after|maintain(?:ing)?|manage|managing) (?:a |an |the |our "
    rf"|my )?(?P<rest>(?:[\w-]+ ){{0,4}}?(?:project|app|tool|thing|product|game|site"
    r"|startup|platform|library|repo)\b.*)",
    re.IGNORECASE,
)
_BUILDING = late(
    rf"{LEAD}(?:building|working on|making|hacking on|writing) (?P<rest>(?:a|an|the|my"
    rf"|our) (?:[\w-]+ ){{0,4}}?(?:called|named|codenamed) \S.*)",
    re.IGNORECASE,
)
_PROJECT_GONE = late(
    rf"{LEAD}(?P<name>[A-Z][\w-]*(?: [A-Z][\w-]*)?"
    r"|[a-z]+(?:-[a-z]+)+) I (?:have )?(?:given|handed|passed)|\b(?:handed|passed"
    r"|gave) (?P<name2>[A-Z][\w-]*(?: [A-Z][\w-]*)?) (?:over )?to\b"
)


_OF_OTHER: Final = late(
    rf"^(?:(?:and|so|but|also)[ ,]+)*(?:my|our) {PERSON}(?:'s)? (?:has|have|had|owns|got|keeps)\b",
    re.IGNORECASE,
)


def _with_names(text: str) -> re.Match[str] | None:
    """Where a clause names its animals, each or all of them behind it."""
    named = _PET_NAMED.search(text)
    if named is not None:
        return named
    bare = _PET_BARE.search(text)
    return None if bare is None else _NAMES_BEHIND.match(text, bare.end())


def pets(sentence: Sentence, following: Sentence | None) -> Iterator[Found]:
    """Animals of the user, by name where they have one."""
    fronted = _PET_FRONTED.search(sentence.text)
    if (
        fronted is not None
        and not NOT_A_PET.match(fronted["name"])
        and sentence.clauses
        and sentence.clauses[0].meant
    ):
        yield Found(sentence.clauses[0], "pet.fronted", "pet", fronted["name"])
        return
    later = list(following.clauses[:1]) if following else []
    for at, clause in enumerate(sentence.clauses):
        if not clause.meant:
            continue
        yield from _pets_gone(clause)
        named = None if clause.other and _OF_OTHER.match(clause.text) else _with_names(clause.text)
        if named is not None:
            for name in re.split(r", and |, | and | & ", named["names"]):
                yield Found(clause, "pet.named", "pet", name)
            continue
        bare = _PET_BARE.search(clause.text)
        if bare is None or re.search(
            r"\b(?:no|not|never|want|would|wish)\b", clause.text, re.IGNORECASE
        ):
            continue
        after = [*sentence.clauses[at + 1 : at + 2], *later]
        next_name = next(
            (
                match
                for one in after[:1]
                if (match := _PET_NAME_NEXT.match(CLITIC.sub(" is ", one.text)))
            ),
            None,
        )
        if next_name is not None:
            for name in re.split(r", and |, | and ", first_group(next_name)):
                yield Found(clause, "pet.named_next", "pet", name)
        elif re.search(
            rf"\b(?:have|got|own|adopted|bought|rescued|keep)\b.*{re.escape(bare['kind'])}",
            clause.text,
            re.IGNORECASE,
        ):
            yield Found(clause, "pet.kind", "pet", bare["kind"])


def _pets_gone(clause: Clause) -> Iterator[Found]:
    gone = _PET_GONE.match(clause.text)
    if gone is not None:
        ends = [one.day for one in clause.dates if one.part == "on"]
        yield Found(
            clause, "pet.gone", "pet", gone["name"], retracts=True, end=ends[0] if ends else None
        )
    none = _NO_LONGER_HAVE.search(clause.text)
    if none is not None and ("no longer" in clause.text or none["over"]):
        yield Found(clause, "pet.none", "pet", none["kind"], retracts=True)


def prices(clause: Clause, context: str) -> Iterator[Found]:
    """What something of the user's costs."""
    corrected = _PRICE_CORRECTED.search(context) is not None
    text = (
        re.sub(r"\bI (?:told you|said) \$?\d[\d.,]*\w*(?: but)?", "", clause.text)
        if corrected
        else clause.text
    )
    amount = money(text)
    if amount is None or (clause.other and not corrected and not _PRICE_VERB.search(clause.text)):
        return
    place = text.find(amount)
    before = text[:place]
    if not corrected and _NOT_A_PRICE.search(text):
        return
    if corrected or (
        not re.match(r"(?:at|for|only|about) ", text, re.IGNORECASE)
        and _PRICE_CUE.search(before)
        and re.search(r"\w", before)
        and not re.match(
            r"(?:I|[Ww]e) (?!(?:now |have |just )*(?:charg|sell|rais|lower|increas|set|put"
            r"|dropp|reduc|price))",
            text,
        )
    ):
        yield Found(clause, "price.said", "price", amount, changes=True)


def dislikes(sentence: Sentence) -> Iterator[Found]:
    """What the user cannot bear, where no cue says it."""
    for clause in sentence.clauses:
        if not clause.stated:
            continue
        match = _CAN_NOT_EAT.match(clause.text)
        if (
            match is not None
            and (value := disliked(match["rest"])) is not None
            and technology(value) is None
            and (
                _TASTE.search(sentence.text)
                or re.search(r"\bnever (?:eat|touch)|(?:not|never) touch|stomach", clause.text)
            )
        ):
            yield Found(clause, "dislike.eat", "dislike", value)
        none = _NO_FOR_ME.match(clause.text)
        if none is not None and any(_NOT_STAND_IT.search(one.text) for one in sentence.clauses):
            yield Found(clause, "dislike.none_for_me", "dislike", none["rest"])
        mad = _HATE_HINT.match(clause.text)
        if (
            mad is not None
            and not clause.other
            and (value := disliked(re.sub(LEAD, "", mad["rest"], count=1, flags=re.IGNORECASE)))
            is not None
        ):
            yield Found(clause, "dislike.mad", "dislike", value)


def allergies(clause: Clause, sentence: Sentence) -> Iterator[Found]:
    """What the user's body does not bear."""
    if _NOT_ALLERGIC.search(sentence.text):
        return
    ill = _MAKES_ILL.search(clause.text)
    if ill is not None and re.search(
        r"allerg|hives|anaphyl|rash|throat|kill|deadly|react|hospital|swell",
        sentence.text,
        re.IGNORECASE,
    ):
        value = allergen(ill["rest"])
        if value is not None:
            yield Found(clause, "allergy.makes_ill", "allergy", value)
        return
    if clause.other and not re.search(
        r"\b(?:says?|turns out|tests?|told me)\b.*\bI am (?:\w+ )?(?:allergic|intolerant)",
        clause.text,
        re.IGNORECASE,
    ):
        return
    for pattern in (_ALLERGIC_TO, _MY_ALLERGY, _X_ALLERGY):
        match = (
            pattern.match(clause.text)
            if pattern is not _MY_ALLERGY
            else pattern.search(clause.text)
        )
        if match is not None:
            for value in several(match["rest"], allergen):
                yield Found(clause, "allergy.said", "allergy", value)
            return
    coeliac = _COELIAC.search(clause.text)
    if coeliac is not None:
        yield Found(
            clause,
            "allergy.coeliac",
            "allergy",
            "gluten" if "gluten" in sentence.text.lower() else coeliac["what"],
        )


def regions(clause: Clause) -> Iterator[Found]:
    """Where the user deploys, where the region is named and nothing says that it is for less."""
    found = region(clause.text)
    if found is None:
        return
    before = clause.text[: clause.text.index(found)]
    used = _REGION_USE.search(clause.text) and not REGION_TOLD.search(clause.whole)
    if used and not _REGION_NOT.search(before) and not clause.other:
        yield Found(clause, "region.used", "deploy_region", found, changes=True)


def projects(clause: Clause) -> Iterator[Found]:
    """What the user works on, by its name, and what they gave away."""
    gone = _PROJECT_GONE.search(clause.text)
    if gone is not None:
        ends = [one.day for one in clause.dates if one.part in ("on", "from")]
        yield Found(
            clause,
            "project.given",
            "project",
            gone["name"] or gone["name2"],
            retracts=True,
            end=ends[0] if ends else None,
        )
        return
    for pattern in (_PROJECT_BY, _PROJECT_TAKEN, _BUILDING):
        match = pattern.search(clause.text)
        if match is None or re.search(
            r"\b(?:their|his|her|not)\b", clause.text[: match.start() + 8], re.IGNORECASE
        ):
            continue
        rest = first_group(match)
        name = project(rest)
        if name is not None:
            yield Found(clause, "project.named", "project", name, changes=True)
            return

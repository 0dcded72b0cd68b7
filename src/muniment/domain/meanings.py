"""Words that mean the same, and words that mean the contrary, for comparing sentences (RULES 8)."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from muniment.domain.text import analyzer_for

STRICT: Final = frozenset({"when", "than", "bound"})
"""Axes on which both sentences must say the same; on others saying nothing is no contradiction."""
WORDLESS: Final = STRICT | {"through", "vertical", "power", "cause"}
"""Axes whose words say nothing of what a sentence is about."""
MARKERS: Final = {
    "instead": "foil", "butnot": "foil", "than": "foil", "over": "foil", "before": "before",
    "after": "after", "from": "from", "by": "by",
}  # fmt: skip
"""What stands behind one of these is in another place than what stands before it."""

# An axis: its sides, of which a sentence and its contrary take different ones.
_AXES: Final = {
    "when": "before prior|after afterwards",
    "than": "above over exceed exceeding larger bigger greater more longer thanmore"
    "|below under smaller less shorter fewer",
    "bound": "atmost maximum|atleast minimum",
    "change": "rise rose risen raise increase grow growth climb gain surge high higher"
    "|fall drop decrease decline shrink lose loss reduce low lower",
    "rank": "highest most top largest best biggest|lowest bottom smallest worst fewest",
    "held": "include add keep kept retain|exclude omit skip drop remove ignore filter",
    "sort": "ascending|descending",
    "end": "last latest final|first earliest",
    "course": "start begin|end finish stop expire expiry",
    "side": "left|right",
    "truth": "wrong incorrect false erroneous invalid faulty|correct right accurate valid",
    "sign": "positive positively|negative negatively",
    "door": "open opened|closed close shut",
    "switch": "enable enabled activate|disable disabled deactivate",
    "leave": "allow permit allowed|forbid prohibit ban forbidden",
    "verdict": "accept approve|reject refuse deny",
    "extent": "short brief concise|long lengthy detailed",
    "shade": "light bright|dark",
    "warmth": "hot warm|cold cool",
    "speed": "fast faster quick quickly quicker|slow slower slowly",
    "lead": "behind late|ahead early",
    "trade": "buy purchase bought acquire|sell sold",
    "taste": "like love enjoy prefer want|dislike hate avoid detest loathe",
    "travel": "arrive arrival|depart departure leave",
    "math": "multiply|divide",
    "age": "old older|new newer recent",
    "often": "often frequently usually|rarely seldom",
    "reach": "public|private",
    "inside": "internal inside indoor|external outside outdoor",
    "port": "import|export",
    "load": "upload|download",
    "hand": "manual manually|automatic automatically",
    "weight": "major|minor",
    "parity": "odd|even",
    "compass": "north northern|south southern|east eastern|west western",
    "contest": "win won winner|lost lose loser",
    "vertical": "up upward|down downward",
    "power": "on|off offline",
    "cause": "for|against",
    "through": "since|until till",
    "quantity": "all every each entire whole|most mostly majority|some several certain|few",
    "part": "morning|afternoon|evening|night",
}
_ALONE: Final = frozenset({"left"})
"""Words of an axis whose other forms do not lie on it: "leave"."""
# Groups of words of one meaning; a group is named by its first word.
_SAME: Final = """
    lag delay latency late behind trail | cost pay price | missing miss lack absent null empty blank
    | duplicate duplicated duplication | contain hold | complete done completed finish
    | live reside | mother mum mom | father dad | child kid | car vehicle
    | bike bicycle cycle commute | scared afraid frighten fear | truncate cut | fail break crash
    | show report display present appear see seen view | send deliver
    | mail email emails | company firm | client customer
    | employee staff employ | fly flight | doctor physician | fix repair
    | error fault bug issue problem | update refresh | produce yield generate | can able could
    | require demand | happen occur | cause because reason | answer reply response
    | picture image photo | flat apartment | house home | due deadline submit | production prod
    | database db | sample example | write written code coded | choose pick select chose chosen
    | help assist | learn lesson study | big large | small little | near close | ill sick
    | movie film | vacation holiday | shop store | speak talk | check verify validate
    | delete erase | row record | column field | wake waking | build construct
    | ship deploy release deployment | meet meeting | accountant bookkeeper
    | people person persons | smart clever | pupil student | teach teacher instructor tutor
    | garbage rubbish trash | beverage drink | clothes clothing | luggage baggage | road street
    | modify alter change | join merge combine | transform convert | calculate compute
    | average mean | country nation | lawyer attorney | own possess | receive obtain
    | replace substitute swap | recommend suggest advise | explain clarify | collect gather
    | track monitor | launch introduce | cancel abort | arrange organise organize
    | teammate colleague coworker | elevator lift | petrol gasoline | medicine medication
    | surgery operation | supervisor manager boss | invoice bill | alert notify notification
    | weekday workday | allergy allergic | weigh weight | sing singer | run runner
    | outperform beat better | overwrite overwritten
    | cello cellist | piano pianist | violin violinist
"""
# Phrases with a word for each; they go first.
PHRASES: Final = (
    (
        r"needs? (?:an? |the )?(\p{L}+)['\u2019]s (?:approval|sign-?off)",
        r" must be approved by \1 ",
    ),
    (r"(?<=\w)['\u2019]s|(?<=\ws)['\u2019](?=\s)", " ofits "),
    (r"[- ]years?[- ]old", " "),
    (r"every (?:other|second)(?=\s(?!per|of))", " everyother "),
    (r"a few", " afew "),
    (r"(?<!no )(?<!any )one of(?= (?:the|my|our|his|her|their|your|these|those|its))", " oneof "),
    (r"(?:has|have|must) (?:to )?(?:hand in|submit)", " submit "),
    (r"(?:have|has|had|having) (?:got )?to(?= \p{L})", " haveto "),
    (r"(?:is|are|was|were) (?:required|obliged) to", " haveto "),
    (r"(?:need|needs|needed) to(?= \p{L})", " needto "),
    (r"(?:is|are|was|were) supposed to", " should "),
    (r"close to(?= \p{L})", " near "),
    (r"(?<=work(?:s|ed|ing)? )(?:from home|at home|remotely)", " remotely "),
    (r"(?<=compared? )(?:with|to)", " "),
    (r"(?<=\p{N}) out of(?= (?:the )?\p{N})", " of"),
    (r"(?<=\w), when(?= it (?:was|were))", ", it"),
    (r"(?:wake|wakes|woke|waking) up", " wake "),
    (r"(?<=cuts? (?:\w+ )?)off", " "),
    (r"asked for", " wanted "),
    (r"(?:is|are|was|were) off by", " has an error of "),
    (r"in an? (week|month|year)(?= with)", r"in \1s"),
    (r"times? out after", " timeout "),
    (r"(?<=and )the two(?= \p{Ll}+)", "they"),
    (r"(?:was|is) born(?= on)", " birthday "),
    (r"(?:was|were|got|is|are) promoted to(?= \p{L})", " became "),
    (r"(?:cannot|can['\u2019]?t|can not) (?:stand|bear|abide)(?= \p{L})", " hates "),
    (
        r"(?<=(?:reports?|newsletters?|e?mails?) )(?:(?:go|goes) out|(?:is|are) sent out)",
        " are sent ",
    ),
    (r"(?<=flights? )for", " to "),
    (r"from (version \p{N}+) on(?= and later)", r"\1"),
    (r"mak(?:e|es|ing) up(?= the)", " consist "),
    (r"no more than|not more than|at most|up to(?=\s+[€$£]?\p{N})", " atmost "),
    (r"no (?:fewer|less) than|not less than|at least", " atleast "),
    (r"more than|greater than|larger than|longer than", " thanmore "),
    (r"no longer|not any ?more|not any longer", " not "),
    (r"(?:instead of|rather than)", " instead "),
    (r",? (?:and|but) not|(?<=\w), not", " butnot "),
    (r"not only", " only "),
    (r"used to(?= \p{L})", " formerly "),
    (r"(?:leave|leaves|left|leaving|filter|filters|filtered|filtering) out", " exclude "),
    (r"due to", " because "),
    (r"one single", " single "),
    (r"lasts?(?=\s+\p{N})", " take "),
    (r"(?<=\p{N}) in the morning", " am"),
    (r"(?<=\p{N}) in the (?:afternoon|evening)", " pm"),
    (r"e-mails?", " email "),
    (r"virtual machines?", " vm "),
    (r"(?:was|were) going to(?= \p{L})", " planning "),
    (r"times? out", " timeout "),
    (r"is the (?:year|month|day) (?:in|on) which", " "),
    (r"needs? the (?:approval|sign-?off) of", " must be approved by "),
    (r"(?:hear|be told) about", " hearabout "),
    (r"without activity", " inactivity "),
    (r"(?:back|backs|backed|backing) up", " backup "),
    (r"nightly", " every night "),
    (r"(?:get|gets|got|getting) up", " wake "),
    (r"(?:get|gets|got) married|wedding", " marry "),
    (r"(?:run|runs|ran) out", " expire "),
    (r"(?:take|takes|took) place", " happen "),
    (r"(?:sign|signs|signed) off|sign-off", " approve "),
    (r"(?:hand|hands|handed) in", " submit "),
    (r"(?:account|accounts) for", " come "),
    (r"show(?:s|ed|n)? up", " appear "),
)
LIGHT: Final = """
    leave depart drink eat play
    show give run contain happen work version allow permit long rather attend ride dose
    consist come arrive order list bring count become stand can own receive fill case value ask age
    view place live cause because people there exist occur lie sit serve set turn look find found
    part put call name mean involve remain stay appear represent provide offer perform carry
    together overall simply currently actually generally usually normally typically therefore
    respectively such like enjoy love column row record field entry data information kilometre away
    whose better thing result purpose regard concern reach obtain collect size
    length
    amount level event activity process affect suffer experience
"""
"""What says little too; of these one sentence may have some that the other has not."""
SOURCES: Final = """
    feed data dataset source pipeline stream table report reporting extract export
"""
"""Words for any source of data; of what is said of one source they tell nothing apart."""
ASIDE: Final = """
    able one ones
    user users want wants like likes prefer prefers should would must shall need needs wish please
    have has had be been being do does get gets each every all both about roughly approximately
    around only just also already currently type way use uses used make made
    take takes took time times can may could might always some any much many very still really
    team's say says said mention mentioned according owner amount whole come comes ever keep kept
    haveto needto afew oneof everyother
    per ago among within across via despite something thing why how go goes went going gone
"""
"""What says little of what a sentence is about."""


@cache
def poles() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Words, and stems of words, that lie on axes: the name of each and the side."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for axis, sides in _AXES.items():
        for side, words in enumerate(sides.split("|")):
            for word in words.split():
                for form in {word, *(() if word in _ALONE else _stems(word))}:
                    found[form] = (*found.get(form, ()), (axis, side))
    return found


@cache
def concepts() -> Mapping[str, str]:
    """Stems, and the word for all that mean the same."""
    found: dict[str, str] = {}
    for group in _SAME.split("|"):
        words = group.split()
        for word in words:
            for stem in _stems(word):
                found.setdefault(stem, f"={words[0]}")
    return found


@cache
def aside() -> frozenset[str]:
    """Stems of ``ASIDE``."""
    return frozenset(_stems(ASIDE))


def _stems(words: str) -> list[str]:
    return analyzer_for("english").stems(words)

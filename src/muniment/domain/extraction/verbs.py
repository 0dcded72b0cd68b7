"""Classes of verbs for the general path, and their forms: which last, which change, which pass."""

from typing import Final

from muniment.domain.gate.tokens import word_set

HABITUAL: Final = word_set(
    """
    live work teach study shut drive ride cycle
    bike commute walk own rent run manage lead head coach
    train play sing dance paint write bake cook brew grow keep raise collect sell buy ship deliver
    serve supply support maintain host deploy use store back report answer belong speak read
    translate interpret invoice bill charge pay earn cost take open close start begin finish end
    meet share wear carry eat drink smoke fly travel swim sleep practise practice volunteer
    freelance consult rely depend stick handle cover count measure weigh track test review release
    build make produce print design develop code program analyze analyse treat foster breed farm
    fish hunt sew knit craft repair fix rotate operate employ hire reuse recycle stock import
    export source roast clean care look throw split cap limit allow accept require owe hold base
    batch seat fit last expire renew approve sign decide do have teach tutor mentor chair
    organise organize attend row sail climb hike jog garden meditate pray fast donate commission
    edit publish record perform rehearse tour cater hold source distribute manufacture
    process archive invoice outsource lease sublet own possess suffer inject monitor specialise
    specialize major represent sponsor moderate administer oversee supervise run-on back-up
    log enter send post submit file go come leave arrive return stay receive order
    join follow skip avoid celebrate observe retire move switch migrate consist contain include
    prefer need speak belong reside subscribe alternate bring pick drop feed plan visit
    call phone text mail email contact inspect calibrate audit reconcile water harvest milk shear
    lock unlock free reserve block set put pack wash groom shoot film photograph draw sculpt
    stream podcast blog compose lecture nurse babysit supply mow prune compost
    """
)
"""In the simple present of the first person they say what one does again and again."""

CHANGE: Final = word_set(
    """
    switch migrate move relocate adopt hire employ decide choose select settle agree retire
    graduate marry divorce separate found co-found join enrol enroll register quit resign ditch
    drop scrap abandon rename rebrand merge launch sign standardise standardize replace appoint
    promote demote transfer qualify train specialise specialize study major minor emigrate
    immigrate convert upgrade downgrade introduce abolish cancel postpone reschedule extend renew
    terminate dissolve inherit commit opt swap change become immunise vaccinate diagnose approve
    ban forbid outsource certify pass learn discontinue phase adopt elect assign
    consolidate split spin raise lower increase reduce cut cap
    """
)
"""In the past or perfect of the first person they leave things other than they were."""

SMALL_CHANGE: Final = word_set(
    """
    buy sell get give finish open close start begin stop take lose acquire order build install
    book rent lease bring put set make win land pick end go apply reserve schedule confirm
    """
)
"""They change what lasts only with an object that lasts."""

MENTAL: Final = word_set(
    """
    think guess suppose reckon hope wonder know see saw hear feel remember forget mean understand
    believe doubt bet swear wish need want love like hate say tell ask mention notice find realise
    realize assume expect appreciate thank promise imagine agree disagree mind fear miss
    apologise apologize regret admit confess confirm refuse trust worry care look seem appear
    pray dream fancy figure recall recommend suggest insist repeat welcome beg dare demand
    propose object vote hereby surrender cry laugh scream sigh die lose win fall break quit
    """
)
"""What goes on in a head, or is done by saying it."""

SPEECH: Final = word_set(
    "say tell ask claim think reckon believe write hear mention insist suggest joke swear wonder"
    " call shout complain argue want hope guess wish feel know seem"
)
"""With another subject than the user they report."""

STUDIES: Final = word_set("study train learn revise qualify prepare save")
"""In the progressive they last for months."""

ABLE: Final = word_set(
    "eat drink drive swim fly lift climb run hear see smell taste read write speak digest tolerate"
    " have sit stand walk cycle ride donate give sew cook type ship deliver work type-touch"
)
"""What one can or cannot do for good."""

_IRREGULAR: Final = """
    be am is are was were been being; have has had having; do does did done doing; go goes went
    gone going; take took taken; give gave given; get got gotten; make made; buy bought; sell sold;
    teach taught; think thought; bring brought; keep kept; sleep slept; leave left; meet met; feed
    fed; lead led; hold held; stand stood; understand understood; sit sat; run ran; swim swam swum;
    sing sang sung; drink drank drunk; begin began begun; ride rode ridden; drive drove driven;
    write wrote written; speak spoke spoken; break broke broken; choose chose chosen; wear wore
    worn; eat ate eaten; see saw seen; fly flew flown; grow grew grown; know knew known; throw threw
    thrown; draw drew drawn; fall fell fallen; find found; say said; tell told; hear heard; feel
    felt; lose lost; win won; pay paid; build built; send sent; spend spent; lend lent; mean meant;
    sew sewed sewn; shoot shot; become became; come came; forget forgot forgotten; cut; put; set;
    split; quit; let; cost; read; spin spun; light lit; shear sheared shorn; mow mowed mown;
    oversee oversaw overseen; stick stuck; forbid forbade forbidden; swear swore sworn; wake woke
    woken; sublet; shut; cast; sow sowed sown; land landed
"""


def _past_of(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


def _forms() -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """The lemma of every form, the forms of the past, and those that are participles."""
    lemma: dict[str, str] = {}
    past: set[str] = set()
    parts: set[str] = set()
    irregular = {one.split()[0]: one.split()[1:] for one in " ".join(_IRREGULAR.split()).split(";")}
    verbs = {*HABITUAL, *CHANGE, *SMALL_CHANGE, *MENTAL, *SPEECH, *STUDIES, *ABLE, *irregular}
    for verb in sorted(verbs):
        stem = verb.removesuffix("e")
        third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
        pasts = irregular.get(verb)
        if pasts is None:
            pasts = [_past_of(verb), f"{verb}{verb[-1]}ed"]
        elif not pasts:
            pasts = [verb]
        for form in (verb, third, f"{verb}es", f"{stem}ing", f"{verb}{verb[-1]}ing", *pasts):
            lemma.setdefault(form, verb)
        if verb != "be" and verb != "have":
            past.update(pasts[:2])
            parts.update(pasts)
    parts.update(("become", "come", "overcome", "run", "outrun"))
    # The base of one verb is no form of another.
    lemma |= {verb: verb for verb in verbs if verb not in {"found", "saw", "left", "felt"}}
    return lemma, frozenset(past), frozenset(parts)


TURNS: Final = frozenset(
    {
        ("go", "with"), ("go", "for"), ("settle", "on"), ("settle", "for"), ("opt", "for"),
        ("land", "on"), ("end", "up"), ("get", "rid"), ("give", "up"), ("sign", "up"),
        ("take", "up"), ("take", "over"), ("take", "on"), ("set", "up"), ("bring", "in"),
        ("phase", "out"), ("roll", "out"), ("hand", "over"), ("shut", "down"), ("close", "down"),
        ("let", "go"), ("drop", "out"), ("stick", "with"), ("get", "married"),
        ("get", "divorced"), ("get", "engaged"), ("get", "promoted"), ("move", "over"),
        ("move", "in"), ("move", "out"), ("start", "up"), ("wind", "down"), ("cut", "out"),
        ("do", "away"), ("come", "off"), ("go", "back"), ("go", "part-time"), ("go", "vegan"),
        ("go", "vegetarian"), ("go", "freelance"), ("go", "remote"), ("be", "done"),
        ("part", "ways"), ("say", "goodbye"), ("swear", "off"), ("get", "diagnosed"),
        ("make", "partner"), ("break", "up"), ("split", "up"), ("pull", "out"), ("back", "out"),
        ("stand", "down"), ("step", "down"), ("scale", "back"), ("ease", "off"),
    }
)  # fmt: skip
"""Verbs that change what lasts with the word behind them."""

LEMMA, PAST, PARTICIPLES = _forms()

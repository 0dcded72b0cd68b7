"""Word lists of the extractor: people, roles, channels, things, and how verbs bend."""

import re
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

PROPER: Final = r"[A-ZÀ-ÞĀ-Ž][\w'’-]+"
"""A word with a capital and at least one letter more."""
TITLED_NAME: Final = rf"(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?{PROPER}(?: {PROPER}){{0,2}})"
CAPITAL: Final = r"(?-i:[A-ZÀ-ÞĀ-Ž][\w'’&-]*)"
"""A word with a capital, in a pattern that ignores case."""
PLACE_NAME: Final = rf"(?P<v>{CAPITAL}(?: (?:(?:of|de|del|la|the|and|upon|on|&) )?{CAPITAL})*)"
PROPER_NAME: Final = rf"(?P<v>{CAPITAL}(?: (?:(?:of|de|the|and|&|for) )?{CAPITAL})*)"
DENIED: Final = late(
    r"\b(?:not|never|no longer|no|nobody|without|used to|was|were|instead of)\b", re.IGNORECASE
)
"""What before a value takes it away, or puts it into the past."""

PERSON: Final = (
    r"(?:brother|sister|mother|father|mum|mom|mam|dad|parents?|son|daughter|kids?|child|children"
    r"|wife|husband|partner|boyfriend|girlfriend|fianc[eé]e?|spouse|ex|cousins?|uncle|aunt|nephew"
    r"|niece|grand(?:mother|father|ma|pa)|gran|twin|in-law|(?:brother|sister|mother|father)-in-law"
    r"|friends?|mates?|buddy|bestie|colleagues?|coworkers?|co-workers?|boss|manager"
    r"|lead|cofounders?"
    r"|co-founders?|neighbou?rs?|flatmates?|roommates?|housemates?|landlord|landlady|doctor|dentist"
    r"|therapist|accountant|lawyer|secretary|assistant|intern|teammates?|clients?|customers?|vendor"
    r"|supplier|teacher|student|analyst|engineer|director|ceo|cto|cfo|vp|family|team|guy|girl|man"
    r"|woman|people|someone|somebody|everyone|everybody|predecessor|successor|recruiters?)"
)

ROLE_HEAD: Final = (
    r"(?:engineer|manager|lead|exec|(?:scrum |station|harbour|web|head)master|staffer|hand"
    r"|mailman|postman|salesman|saleswoman|leader"
    r"|director|analyst|executive|coordinator|officer|developer"
    r"|designer|nurse|teacher|doctor|physician|surgeon|lawyer|attorney|solicitor"
    r"|accountant|architect"
    r"|administrator|admin|consultant|advisor|adviser|scientist|researcher|professor|lecturer"
    r"|librarian|editor|writer|journalist|owner|founder|co-?founder|partner|president"
    r"|vp|svp|evp|ceo"
    r"|cto|cfo|coo|cmo|cio|ciso|cpo|chief|head|supervisor|specialist|technician"
    r"|programmer|buyer|planner"
    r"|controller|auditor|paralegal|pharmacist|dentist|veterinarian|vet|chef|cook|baker|barista"
    r"|driver|pilot|mechanic|electrician|plumber|carpenter|farmer|gardener|florist"
    r"|photographer|artist"
    r"|musician|composer|producer|translator|interpreter|therapist|psychologist"
    r"|counsellor|counselor"
    r"|physiotherapist|biostatistician|statistician|epidemiologist|biologist|chemist|physicist"
    r"|economist|actuary|underwriter|broker|trader|banker|recruiter|assistant"
    r"|secretary|receptionist"
    r"|clerk|agent|representative|rep|salesperson|marketer|strategist|principal|curator|archivist"
    r"|student|intern|trainee|apprentice|resident|postdoc|fellow|tutor|trainer|coach|instructor"
    r"|midwife|paramedic|firefighter|caretaker|janitor|carer|freelancer|contractor|treasurer"
    r"|dispatcher|operator|inspector|surveyor|estimator|foreman|dean|provost|registrar|captain|sre"
    r"|dba|pm|po|qa|hr|biostatistician|geologist|ecologist|radiologist|cardiologist|oncologist"
    r"|paediatrician|pediatrician|anaesthetist|optician|tailor"
    r"|seamstress|(?:vet|lab|it|dental|pharmacy|radiology|surgical"
    r"|nail) tech|aide|potter|brewer|winemaker"
    r"|bookkeeper|paymaster|steward|shepherd|ranger|warden|vicar|priest|pastor|chairperson|chair"
    r"|secretary general|deputy|associate|illustrator|conductor|cellist|violinist"
    r"|pianist|organist|guitarist|drummer|singer|dancer|actor|actress|director"
    r"|sculptor|painter|weaver|jeweller|butcher|fishmonger|grocer|cleaner|porter"
    r"|waiter|waitress|bartender|host|hostess|concierge|guide|lifeguard|instructor"
    r"|hairdresser|barber|beautician|masseur|masseuse|osteopath|chiropractor"
    r"|nutritionist|dietitian|social worker|youth worker|case worker|caseworker"
    r"|policeman|policewoman|detective|soldier|sergeant|lieutenant|judge|notary"
    r"|mediator|arbitrator|magistrate|politician|mayor|councillor|diplomat|ambassador"
    r"|podcaster|blogger|youtuber|streamer|copywriter|proofreader|publicist|journalist"
    r"|columnist|reporter|correspondent|novelist|poet|playwright|screenwriter|animator"
    r"|modeller|draughtsman|\w+(?:ologist|ographer|ician|smith|keeper)|tester"
    r"|maintainer|evangelist|advocate|generalist|ops|guard|joiner|welder|roofer|bricklayer"
    r"|plasterer|builder|fitter|glazier|decorator|upholsterer|machinist|miller|courier|cashier"
    r"|sailor|cobbler|handyman|landscaper|nanny|childminder|stylist|bouncer|sommelier|valet|usher"
    r"|auctioneer|assessor|examiner|investigator|phlebotomist|hygienist|orderly|watchman"
    r"|(?:care|factory|warehouse|support|aid|office|shop) worker)"
)

CHANNEL: Final = (
    r"(?:e-?mails?|mail|post|letters?|phone(?: calls?)?|telephone|calls?|voice ?(?:mails?|messages?"
    r"|notes?)|mobile|cell(?: ?phone)?|landline|texts?|text messages?|sms|slack|teams"
    r"|whatsapp|signal"
    r"|telegram|discord|matrix|zoom|video ?calls?|messenger|imessage|skype|linkedin|instagram|dms?"
    r"|wechat|line|fax|pager|irc|mattermost|chat|push notifications?|notifications?"
    r"|webex|google chat"
    r"|facetime|viber|threema|newsletters?)"
)

SPECIES: Final = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|bunn(?:y|ies)|hamsters?|parrots?"
    r"|budgies?|canary"
    r"|canaries|tortoises?|turtles?|goldfish|horses?|pon(?:y|ies)|donkeys?|goats?"
    r"|hens?|chickens?|ducks?"
    r"|geckos?|snakes?|lizards?|iguanas?|ferrets?|guinea pigs?|rats?|mice|hedgehogs?|cockatiels?"
    r"|dachshunds?|labradors?|retrievers?|poodles?|terriers?|spaniels?|beagles?|collies?|corgis?"
    r"|greyhounds?|whippets?|hus(?:ky|kies)|bulldogs?|pugs?|shepherds?|rottweilers?|tabb(?:y|ies)"
    r"|siamese|maine coons?|ragdolls?|mutts?|hounds?|setters?|pointers?|schnauzers?|chihuahuas?"
    r"|boxers?|dalmatians?|cockapoos?|labradoodles?|alpacas?|llamas?|sheep|pigeons?|chinchillas?)"
)

LANGUAGE: Final = (
    r"(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Danish|Swedish|Norwegian|Finnish"
    r"|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Arabic|Hebrew|Persian|Farsi"
    r"|Hindi|Marathi|Bengali|Tamil|Telugu|Urdu|Punjabi|Gujarati|Kannada|Malayalam|Chinese|Mandarin"
    r"|Cantonese|Japanese|Korean|Vietnamese|Thai|Indonesian|Malay|Tagalog|Filipino"
    r"|Swahili|Yoruba|Igbo"
    r"|Hausa|Zulu|Afrikaans|Russian|Ukrainian|Serbian|Croatian|Slovenian|Lithuanian"
    r"|Latvian|Estonian"
    r"|Icelandic|Irish|Welsh|Catalan|Basque|Galician|Latin|Maori|Māori|Esperanto|Flemish|Amharic)"
)

CLITIC: Final = late(
    r"(?<=[a-zA-Z])'s (?=[£$€¥]|\d|(?:my|our|the|not|called|now|spelled|spelt|in|at)\b|[A-ZÀ-Þ])"
)
"""A contraction of "is" that could be a genitive, where what follows says that it is none."""

CHANGES: Final = late(
    r"\b(?:mov(?:e|es|ed|ing)|relocat\w+|start(?:s|ed|ing)?|join(?:s|ed|ing)?|beg[aiu]n\w*"
    r"|switch(?:ed|es|ing)?(?: over)?|becom\w+|became|g[oe]t(?:s|ten|ting)?|took|taken|take over"
    r"|left|leav(?:e|es|ing)|sign(?:ed|ing)?|shift(?:ed|ing)?|land(?:ed|ing)|arriv\w+"
    r"|put|made|chang\w+"
    r"|open(?:s|ed)?|clos(?:e|es|ed|ing)|shut(?:s|ting)?|cancel\w*|end(?:s|ed)|expir\w+|away"
    r"|first day|day one|turns? (?:us|me)|turned (?:us|me)|renamed|kick(?:s|ed)? in|took effect"
    r"|takes effect|in force|came into"
    r"|resign(?:ed|ing)?|quit|promot\w+|adopt\w+|died|fix\w+|goes? up|went up"
    r"|rais\w+"
    r"|migrat\w+|upgrad\w+|downgrad\w+|stopp\w+|hand(?:ed|ing)? over|gave|given"
    r"|appointed|hired|settled"
    r"|bought|finish\w*|assigned|rolled|drop(?:ped|s)?|increas\w+|went live|will be|is now|are now"
    r"|am now|last day|took over|taking over|kick\w* off|launch\w*|retir\w+|transferred)\b",
    re.IGNORECASE,
)
"""A verb that makes a day in its clause the day from which something is so."""

NOT_A_VALUE: Final = word_set(
    """
    it this that these those them there here one ones something anything nothing everything some
    any all more most much many me you him her us i we they he she what which who how so too very
    well good bad fine ok okay better best worse right wrong sure not no yes just only also again
    later soon now then home back away up down out in on off over done way kind sort lot bit
    thing things stuff same other another few both either neither myself yourself to of at by for
    with about from being getting having trying going doing when where why if
    """
)

_IRREGULAR: Final = {
    "be": "be am are is was were been being",
    "have": "have has had having",
    "take": "take takes took taken taking",
    "go": "go goes went gone going",
    "run": "run runs ran running",
    "sit": "sit sits sat sitting",
    "put": "put puts putting",
    "speak": "speak speaks spoke spoken speaking",
    "write": "write writes wrote written writing",
    "leave": "leave leaves left leaving",
    "make": "make makes made making",
    "get": "get gets got gotten getting",
    "begin": "begin begins began begun beginning",
    "know": "know knows knew known knowing",
    "give": "give gives gave given giving",
    "stay": "stay stays stayed staying",
    "become": "become becomes became becoming",
    "ship": "ship ships shipped shipping",
    "host": "host hosts hosted hosting",
    "build": "build builds built building",
    "eat": "eat eats ate eaten eating",
    "drive": "drive drives drove driven driving",
    "keep": "keep keeps kept keeping",
    "hold": "hold holds held holding",
    "pay": "pay pays paid paying",
    "sell": "sell sells sold selling",
    "teach": "teach teaches taught teaching",
    "lead": "lead leads led leading",
}


def forms(verb: str) -> str:
    """A pattern of the forms of a verb; of another word, of the word as it is and its plural."""
    known = _IRREGULAR.get(verb)
    if known is not None:
        return f"(?:{'|'.join(known.split())})"
    word = re.escape(verb)
    if verb.endswith("e"):
        return f"(?:{word}|{word}s|{word}d|{re.escape(verb[:-1])}ing)"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"(?:{word}|{re.escape(verb[:-1])}(?:ies|ied)|{word}ing)"
    doubled = f"|{word}{verb[-1]}(?:ed|ing)" if verb[-1:] in tuple("bdgnprt") else ""
    return f"(?:{word}|{word}e?s|{word}e?d|{word}ing{doubled})"


HABIT: Final = late(
    r"(?:[a-z]+ing|alcohol|drink|booze|sugar|meat|coffee|caffeine|dairy|gluten|cigarettes?|nicotine"
    r"|weed|social media|school|uni|college|home|town|work|early|late|everything|politics)\b"
)
"""What is given up, or gone away from, and is no firm."""
ENDS_NAME: Final = late(r"$|[,.!]| (?:now|it is|since|from|in|this time|of all places)\b")
"""Behind a name that stands for itself: else its first word only begins a sentence."""


def first_group(match: "re.Match[str] | regex.Match[str]") -> str:
    """What the first group that matched holds, of alternatives that have one each."""
    return next(one for one in match.groups() if one)


# What happens to a region, or is said of it in general: nobody runs anything there by that.
REGION_TOLD: Final = late(
    r"\b(?:outages?|down|incidents?|degraded|latency|throttl\w*|slow\w*|status page|examples?|docs"
    r"|documentation|tutorials?|pric(?:e|es|ing)|costs?|cheap\w*|expensive|read|heard|news|article"
    r"|blog|talk|launch(?:ed|es)|announc\w*|available|compar\w*|versus|vs|ping)\b",
    re.IGNORECASE,
)

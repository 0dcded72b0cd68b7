"""Classes of nouns for the general path: what somebody has, is, belongs to; and what passes."""

import re
from typing import Final

from muniment.domain.extraction.words import ROLE_HEAD, SPECIES
from muniment.domain.late import late

HOUSEHOLD: Final = (
    r"(?:wife|husband|spouse|partner|fianc[ée]e?|girlfriend|boyfriend|kids?|child|children|sons?"
    r"|daughters?|twins?|boys?|girls?|lads?|baby|toddler|teenagers?|mother|father|mum|mom|dad"
    r"|parents|grandmother|grandfather|grandma|grandpa|gran|nan|stepson|stepdaughter|family"
    r"|foster (?:son|daughter|child)|au pair|flatmate|housemate|roommate)"
)
"""Who lives with the user, or for whom they care."""

KIN: Final = (
    r"(?:sisters?|brothers?|siblings?|aunt|uncle|cousins?|nieces?|nephews?|in-laws|"
    r"(?:mother|father|sister|brother|son|daughter)-in-law|godson|goddaughter|godmother|godfather"
    r"|grandsons?|granddaughters?|grandchildren|grandchild|grandkids|grandniece|ex|ex-wife"
    r"|ex-husband|stepmother|stepfather|half-brother|half-sister)"
)
HELPERS: Final = (
    r"(?:boss|manager|line manager|supervisor|accountant|landlord|landlady|lawyer|solicitor"
    r"|attorney|notary|doctor|gp|physician|dentist|therapist|physio|physiotherapist|vet|midwife"
    r"|tax adviser|tax advisor|adviser|advisor|bookkeeper|agent|broker|banker|cleaner|nanny"
    r"|babysitter|childminder|gardener|plumber|electrician|mechanic|hairdresser|tailor|coach"
    r"|trainer|tutor|teacher|mentor|mentee|intern|apprentice|assistant|secretary|deputy|colleague"
    r"|co-?founder|business partner|designer|developer|contractor|editor|publisher|translator"
    r"|supplier|vendor|wholesaler|distributor|customer|client|account manager|contact|sponsor"
    r"|investor|auditor|counterpart|successor|predecessor|stand-in|backup|neighbou?rs?|tenants?"
    r"|next of kin|emergency contact|product owner|scrum master|tech lead|team lead|cto|ceo|cfo"
    r"|coo|chief|foreman|captain|conductor|chair|chairman|chairwoman|treasurer|godparent|priest"
    r"|registrar|recruiter|competitor|engineer|analyst|specialist|consultant|steward|admin)"
)
"""Who does something for the user, or works with them."""

GROUPS: Final = (
    r"(?:team|board|company|firm|office|shop|store|bakery|restaurant|café|cafe|kitchen|bar|hotel"
    r"|school|university|faculty|department|clinic|hospital|practice|ward|lab|warehouse|depot"
    r"|factory|plant|studio|agency|club|choir|band|orchestra|association|union|cooperative|co-op"
    r"|charity|foundation|museum|gallery|library|church|parish|council|bank|committee|squad|crew"
    r"|group|branch|farm|brewery|vineyard|garage|workshop|salon|gym|nursery|kindergarten|startup"
    r"|business|organisation|organization|platform team|management|works council|landlord"
    r"|steering committee|household|building|owners)"
)
ILLNESS: Final = (
    r"(?:(?:type [12] |type one |type two )?diabet\w+|asthma\w*|epilep\w+|migraines?|arthritis"
    r"|eczema|psoriasis|hypertension|high blood pressure|low blood pressure|coeliac\w*|celiac\w*"
    r"|crohn'?s|ibs|colitis|adhd|add|autis\w+|dyslex\w+|dyscalculia|tinnitus|insomnia|depression"
    r"|anxiety|bipolar|ptsd|glaucoma|cataracts?|sciatica|scoliosis|a slipped disc|a hernia"
    r"|a pacemaker|a stoma|a prosthe\w+|hearing loss|a hearing aid|hearing aids|colou?r[- ]?blind"
    r"\w*|night[- ]?blind\w*|sleep apn\w+|anaemia|anemia|lupus|ms|multiple sclerosis|parkinson'?s"
    r"|gout|endometriosis|pcos|hypothyroid\w*|hashimoto'?s?|a thyroid \w+|a heart \w+|cancer"
    r"|lactose intolerance|reflux|vertigo|hay ?fever|cystic fibrosis|haemophilia|hemophilia"
    r"|long covid|rsi|carpal tunnel|raynaud'?s|tourette'?s|a stammer|a stutter|a limp"
    r"|(?:an? )?(?:bad|weak|dodgy|bum|artificial|replaced|trick|stiff|fused|torn) (?:knees?|hips?"
    r"|back|shoulder|wrist|ankle|heart|lungs?|eyes?|ear|hearing|foot|elbow))"
)
STATUS: Final = (
    r"(?:married|divorced|widowed|single|engaged|separated|pregnant|retired|semi-retired"
    r"|self-employed|freelance|unemployed|vegan|vegetarian|pescatarian|teetotal|kosher|halal"
    r"|left-handed|right-handed|ambidextrous|(?:red-green )?colou?r[- ]?blind|deaf|half-deaf|blind"
    r"|hard of hearing|short-sighted|long-sighted|diabetic|asthmatic|epileptic|dyslexic|autistic"
    r"|coeliac|celiac|anaemic|lactose[- ]intolerant|jewish|muslim|catholic|protestant|orthodox"
    r"|hindu|sikh|buddhist|quaker|atheist|bilingual|trilingual|adopted|disabled|paraplegic"
    r"|wheelchair|vaccinated|naturalised|tenured|chartered|certified|qualified|licensed)"
)
EQUIPMENT: Final = (
    r"(?:cars?|van|truck|lorry|camper\w*|motorbikes?|motorcycle|scooter|bikes?|bicycles?"
    r"|cargo bike"
    r"|e-bike|boats?|yacht|kayak|caravan|tractor|trailer|wheelchair|house|home|flat|apartment"
    r"|condo|cottage|cabin|chalet|farm|land|allotment|garden|greenhouse|orchard|vineyard|garage"
    r"|studio|workshop|office|warehouse|shop|store|bakery|restaurant|café|cafe|bar|pub|business"
    r"|company|firm|agency|startup|practice|stall|franchise|branch|branches|outlets?|employees"
    r"|staff|people|members|pupils|students|patients|tenants|beds|rooms|seats|tables|machines?"
    r"|ovens?|looms?|kilns?|presses|printers?|servers?|clusters?|vans|trucks|lorries|cows|goats"
    r"|sheep|hens|hives|piano|guitar|cello|violin|drums|laptop|macbook|thinkpad|ipad|iphone|kindle"
    r"|camera|telescope|3d printer|sewing machine|solar panels|heat pump|wood stove|pool|sauna"
    r"|licen[cs]e|permit|visa|passport|citizenship|degree|diploma|doctorate|phd|masters?|mba"
    r"|certificate|certification|subscription|contract|membership|season ticket|pension|mortgage"
    r"|insurance|patent|trademark|podcast|blog|newsletter|channel|website|domain|portfolio"
    r"|account|sabbatical|tattoo|pacemaker|implant)"
)
"""What one has for years."""

DATED: Final = (
    r"(?:appointment|surgery|operation|exams?|viva|defen[cs]e|wedding|interview|audit|inspection"
    r"|check-?up|scan|mri|x-ray|hearing|trial|concert|performance|premiere|launch|fair|conference"
    r"|offsite|board meeting|deadline|due date|flight|holiday|vacation|leave|trip|marathon|race"
    r"|tournament|closing|handover|move|opening|anniversary|birthday|graduation|christening|shoot"
    r"|delivery|review|demo day|ceremony|party|retreat|workshop|course|training|jab|vaccination)"
)
"""What has a day, and is worth keeping with it."""

PASSING: Final = late(
    r"^(?:(?:very|only|main|first|next|last|whole|big|one) )*(?:head|brain|mind|day|days|night"
    r"|week"
    r"|weekend|morning|evening|afternoon|mood|guess|bet|point|question|questions|idea|thought"
    r"|hunch|feeling|impression|plan|plans|bad|mistake|fault|pleasure|apologies|god|goodness"
    r"|problem|issue|worry|fear|hope|wish|turn|feet|foot|heart|eyes|stomach|computer|laptop|phone"
    r"|internet|wifi|wi-fi|connection|screen|browser|battery|keyboard|mouse|mic|microphone|cursor"
    r"|call|meeting|lunch|dinner|breakfast|coffee|train|bus|taxi|weather|life|world|answer|reply"
    r"|understanding|theory|excuse|hero|life|religion|spirit animal|kingdom|nemesis|fan|friend"
    r"|best friend|weakness|turn|concern|concerns|opinion|view|take|reason|text|file|draft|query"
    r"|code|build|patience|energy|attempt|try|hands?|fingers?|ears|hair|bones|soul|luck|favou?rite"
    r"|money|request|suggestion|proposal|thanks|regards|condolences|dear|love|sweet|nerves|body)$",
    re.IGNORECASE,
)
"""Nouns of which "my X is" says no more than how things stand just now."""

_PERSONS = rf"(?:{HOUSEHOLD}|{KIN}|{HELPERS})"
RELATED: Final = late(rf"(?:^|.*[ -]){_PERSONS}$", re.IGNORECASE)
CLOSE: Final = late(rf"(?:^|.* ){HOUSEHOLD}$", re.IGNORECASE)
WORKING: Final = late(rf"(?:^|.*[ -])(?:{HELPERS}|{KIN})$", re.IGNORECASE)
THEIRS: Final = late(
    rf"(?:.*[ -])?(?:{HELPERS}|(?:best |old |close |dear )?friends?|mates?|pals?|flatmates?"
    rf"|room-?mates?|housemates?|colleagues?|co-?workers?|{KIN})(?:'s|s') |(?:"
    r"[\w-]+ )*(?:flatmates?|room-?mates?|housemates?)$",
    re.IGNORECASE,
)
"""Of somebody of the user's and not of the user: "my flatmate's sister", "my flatmate"."""
GROUP: Final = late(rf"(?:^|.* ){GROUPS}$", re.IGNORECASE)
ILL: Final = late(rf"(?:a |an |the |mild |severe |chronic )*{ILLNESS}(?![\w-])", re.IGNORECASE)
STANDING: Final = late(
    rf"(?:an? |the |also |fully |happily |legally |officially |partly |completely |totally )*"
    rf"(?:{STATUS}(?![\w-])|{ILLNESS}(?![\w-]))",
    re.IGNORECASE,
)
KEPT: Final = late(
    rf"(?:an? |the |my |our |own |no |any |some |another |about |around |over |two |three |four "
    rf"|five |six |seven |eight |nine |ten |twelve |twenty |forty |fifty |\d[\d,.]* )*"
    rf"(?:(?!time\b|of\b|for\b|with\b|in\b|to\b|at\b)[\w'-]+ ){{0,3}}?"
    rf"(?:{EQUIPMENT}|{SPECIES}|{HOUSEHOLD}|{KIN}|{ROLE_HEAD})(?![\w-])",
    re.IGNORECASE,
)
DAY_OF: Final = late(rf"(?:an? |the |my |our |no )*(?:[\w'-]+ ){{0,3}}?{DATED}\b", re.IGNORECASE)
ROLE: Final = late(
    rf"(?:an? |the |now |also )*(?:(?!of\b|in\b|at\b|with\b"
    rf"|for\b)[\w'/-]+ ){{0,3}}?{ROLE_HEAD}(?![\w-])",
    re.IGNORECASE,
)

"""What is so for an hour: weather, hunger, a night without sleep, an output, how a day goes."""

import re
from typing import Final

from muniment.domain.late import late

LEADS: Final = (
    r"(?:(?:and|so|but|or|oh|ok|okay|well|yes|yeah|no|nah|nope|right|great|good|thanks|hi|hey"
    r"|also|then|now|just|only|because|since|otherwise|unless|guess what|sorry)\b[ ,:.!]*)*"
)
_OUTPUT: Final = late(
    r"^\W*(?:\w+(?:Error|Exception)\b|(?i:error|warning|fatal|panic|exception|traceback"
    r"|npm err!|debug|info)(?:\[|:|!| \w+\d+:))|\bat line \d+\b|^\W*\d+ (?:passed|failed)\b"
    r"|^\$ \w|\bexit(?:ed)? (?:with )?(?:code|status) \d"
)
_JUST_NOW: Final = late(
    rf"^{LEADS}(?:I|we) (?:fancy|feel like|crave|am craving|could (?:really |so )?(?:do with"
    r"|go for|use|murder|eat|sleep|kill for)|would not mind|am dying for)\b",
    re.IGNORECASE,
)
_AWAKE: Final = late(
    r"\b(?:have|has) been (?:up|awake|at (?:it|this)|staring|sitting|standing|stuck|waiting"
    r"|on hold|crying|sneezing|yawning|coughing)\b"
    r"|\b(?:slept|sleep) (?:only |just |like |for |maybe |about )*(?:\w+ )?(?:hours?|badly"
    r"|well|terribl\w+|rubbish)\b(?! (?:a|every|each|per)\b)",
    re.IGNORECASE,
)
_WEATHER: Final = late(
    rf"^{LEADS}it (?:is|was|has been) (?:\w+ )?(?:\w+ing (?:it )?(?:down|outside|hard|again"
    r"|cats)|(?:pour|rain|snow|hail|sleet|drizzl|freez|boil|bak|roast|swelter|thunder)ing)\b"
    rf"|^{LEADS}(?:(?:the )?(?:weather|sun|rain|snow|sky|wind|fog|traffic|heat)|it) (?:is|was)"
    r" (?:\w+ ){0,2}?(?:lovely|horrible|awful|miserable|grey|gr[ae]y|foggy|windy|sunny|hot|cold"
    r"|icy|freezing|warm|dark|disast\w+|hell|shining|out|beautiful|gorgeous)\b",
    re.IGNORECASE,
)
_TODAY: Final = late(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|right now|at the moment|just now"
    r"|so far|already|all (?:day|night|morning|week|weekend)|last night|an entire \w+"
    r"|way too (?:much|many)|first thing)\b",
    re.IGNORECASE,
)
_LASTS: Final = late(
    r"\b(?:from|since|until|till|starting|as of|every|each|always|never|any ?more|no longer"
    r"|now on|instead|only|not|no|call(?:ed)?|name[ds]?|decided|agreed|mov(?:e|ed|ing)|switched"
    r"|joined|start(?:ed|s)?|quit|left|bought|sold|signed|hired|born|married|engaged|diagnosed"
    r"|died|clos(?:e|ed|es|ing)|open(?:ed|s|ing)?|won|lost|changed|got|became|promoted|appointed"
    r"|arriv\w+|adopted|finished|handed|fixed|live[sd]?|work(?:s|ed|ing)? (?:at|for|as|in|from)"
    r"|allerg\w+|deadline|due|surgery|appointment|meeting|exam|interview|birthday|anniversary"
    r"|wedding|flight|please|must|should|have to|need to|use|prefer|tablets?|dose|insulin|data"
    r"|table|column|rows?|report|query|dashboard|numbers|my (?:job|role|address|number))\b"
    r"|[_@#$€£%:]|\d",
    re.IGNORECASE,
)
_NAMED: Final = late(r"(?<=[a-z,;] )(?!I\b)[A-ZÀ-Þ][\w'’-]+|\b(?:Dr|Mrs?|Ms|Prof|Miss)\b")


def of_the_moment(text: str) -> bool:
    """Whether a sentence, with contractions written out, says how things are just now, and names
    nothing that stays.
    """
    if any(one.search(text) for one in (_OUTPUT, _AWAKE, _WEATHER, _JUST_NOW)):
        return True
    return (
        _TODAY.search(text) is not None
        and _LASTS.search(text) is None
        and _NAMED.search(text) is None
    )

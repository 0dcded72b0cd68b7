"""The wordings of wishes for the task at hand, of forms, of statements, and what cancels them."""

from typing import Final

import regex

from muniment.domain.late import late_regex

ASKING: Final = """
    show give make get put send let please kindly ask asks keep keeps present display provide
    prepare do go take bring pull print tell say write create produce break split ok okay thanks
    thank hi hey yes yeah again just maybe perhaps
"""
"""What says only that something is asked for."""
VAGUE: Final = """
    help try continue explain summarise summarize translate repeat check look find run start stop
    fix answer reply question thing stuff one bit more idea next last back proceed number result
    figure data report output
"""
"""What alone says not how something is wanted."""

_LEAD: Final = (
    r"^(?:(?:ok|okay|so|and|but|then|now|just|also|again|please|kindly|yes|yeah|yep|no|hi|hey|hello"
    r"|great|good|thanks|thank you|right|well|actually|maybe|perhaps|(?:can|could|would|will) you"
    r"|you can|you could|I would like you to|I want you to|I need you to|would you mind|do you mind"
    r"|(?:for|in|on|with) [^,.]{2,40},)[ ,.!:]+)*"
)
_ORDERS: Final = (
    r"(?:show|give|get|send|make|put|break|split|group|sort|rank|order|list|plot|chart|draw|graph"
    r"|convert|translate|format|round|write|answer|reply|respond|explain|summari[sz]e|shorten|keep"
    r"|use|include|add|exclude|drop|leave|skip|filter|remove|compare|aggregate|bucket|present"
    r"|display|export|render|turn|do|tell|walk|start|end|cut|highlight|colou?r|label|limit|restrict"
    r"|check|winsori[sz]e|dedupe|deduplicate|normali[sz]e|join|run|take|ignore|apply|express|report"
    r"|quote|spell|name|count|bring|pull|print|stick to|base|weigh|mark|bold|number)"
)
_WH: Final = r"(?:about|how|why|what|if|whether|who|when|where|which)\b"
_MORE: Final = (
    r"(?:shorter|longer|simpler|clearer|bigger|smaller|briefer|plainer|tighter|slower|bolder|fewer)"
)
_OFTEN: Final = r"(?:hourly|daily|weekly|monthly|quarterly|yearly|annual)"

GIVEN: Final = late_regex(
    rf"{_LEAD}(?:(?:show|give|get|send|bring|print|tell) (?:me|us) "
    r"|(?:can|could|may|might) (?:I|we) (?:please )?(?:have|get|see) "
    r"|(?:I|we) (?:want|need|would like|would love|would prefer|prefer)(?: to (?:see|have|get))? )"
    r"(?P<what>.+)$",
    regex.IGNORECASE,
)
WANTS: Final = late_regex(rf"{_LEAD}(?:I|we) ", regex.IGNORECASE)
ASKS_WHAT: Final = late_regex(rf"(?:to\b|you to\b|{_WH})", regex.IGNORECASE)
ORDERED: Final = late_regex(
    rf"{_LEAD}(?P<what>(?:do not |never |always )?{_ORDERS} "
    rf"(?!(?:is|are|was|were|has|have|had|of)\b|(?:(?:me|us) )?{_WH}).+)$",
    regex.IGNORECASE,
)
FORMED: Final = late_regex(
    rf"{_LEAD}(?P<what>(?:as|by|in|per|with|without)\b .+|.+(?=,? please\b).*|{_MORE}|{_OFTEN})$",
    regex.IGNORECASE,
)
OF_THIS: Final = late_regex(
    r"^(?:it|that|this|these|those|them)"
    r"(?=$| (?:as|by|in|per|with|without|sorted|rounded|for|at|from|to|only)\b)",
    regex.IGNORECASE,
)
HOW: Final = late_regex(
    rf"^(?:(?:as|by|in|into|per|with|without)\b|{_MORE}$|{_OFTEN}$)", regex.IGNORECASE
)
METHOD: Final = late_regex(
    r"(?:do not |never |always )?(?:use|include|add|exclude|drop|leave|skip|filter|remove|round"
    r"|winsori[sz]e|dedupe|deduplicate|normali[sz]e|ignore|weigh|restrict|limit|sort|rank|format"
    r"|shorten|spell|stick to|label|highlight|bold|number)\b",
    regex.IGNORECASE,
)
_UNITS: Final = r"(?:euros?|dollars?|pounds?|eur|usd|gbp|percent\w*)"
FORM: Final = late_regex(
    rf"\b(?:by|per|each|every) \w+\b|\b{_OFTEN}\b|\b(?:in|into) [A-Z][a-z]+\b"
    r"|\b(?:as|in|into|with) (?:an? )?(?:\w+ )?(?:table|list|chart|graph|plot|csv|json|sentences?"
    rf"|words?|lines?|paragraph|bullets?|bullet points|{_UNITS})\b"
    r"|\b(?:csv|json|xlsx|pdf|markdown|bullets?|bullet points|decimals?|words|sentences|short|long"
    r"|brief|concise|plain|simple|headings?|examples?|sources?|links?|totals?|colou?rs?)\b"
    rf"|\b(?:translate|{_UNITS})\b|\b{_MORE}$",
)
POLITE: Final = late_regex(
    r",? (?:please|thanks|thank you|again|this time)(?=[,.!]|$)", regex.IGNORECASE
)
LEANS: Final = late_regex(
    rf"{_LEAD}(?:it|that|this|these|those|they|he|she|there|here|which|who|what|let|same|everything"
    r"|nothing|both)\b",
    regex.IGNORECASE,
)
OF_THE_MOMENT: Final = late_regex(
    r"\b(?:now|today|tonight|currently|at the moment|this|these|those|here|just|yesterday|tomorrow"
    r"|next|last|ago|recently|soon|still|already|again|later|you|your|yours)\b"
    r"|\b(?:I|we) (?:am|are) (?:\w+ )?\w+ing\b"
    r"|\b(?:I|we) (?:have|had|got|need|want) (?:a|an|another|one|some|to|help)\b"
    r"|\b(?:I|we) (?:will|shall|would|could|might|think|guess|hope|wonder|mean|see|know)\b"
    r"|\b(?:I|we|it|they) (?:\w+ly )?(?:(?!(?:n|f|sp|br|proc|exc|succ)eed?\b)\w+ed|was|were|went"
    r"|did|got|came|saw|made|took|sent|found|lost|ran|met|felt|left|bought|ate)\b",
    regex.IGNORECASE,
)
SUBJECT: Final = late_regex(
    rf"{_LEAD}(?:(?:on|at|in|from|since|before|after|every|each) [^,]{{2,40}},? )?"
    r"(?:(?:I|we|my|our|the|all|every|each|most|no|an?)\b"
    r"|(?:\w+ ){1,2}(?:is|are|has|have|must|can)\b)",
    regex.IGNORECASE,
)
HABIT: Final = late_regex(
    r"\b(?:I|we) (?:always|usually|normally|typically|generally|mostly|often|tend to|never|only"
    r"|first)\b",
    regex.IGNORECASE,
)

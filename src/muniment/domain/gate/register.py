"""In which register a turn speaks: in earnest, or in play, in a mood, in supposition, in quotes.

A turn that is not in earnest anywhere is asserted nowhere: who jokes in one sentence goes on in the
next. Every rule asks here, so that a context is recognised once.
"""

import re
from typing import Final

from muniment.domain.late import late

_LEADS = (
    r"(?:(?:and|so|but|or|oh|ah|well|yeah|yes|no|ok|okay|right|honestly|man|god|ha|also|then|anyway"
    r"|sure|hm+|update|mind you|though|or|if anything)\b[ ,:.!]*)*"
)
_PAST_IF = (
    r"(?:had|were|was|did|would|could|won|gave|took|sold|got|went|left|knew|came|moved|paid|ran"
    r"|made"
    r"|opened|closed|lived|worked|offered|asked|begged|shut|bought|lost|found|swallowed|\w+ed|'d)"
)
_SUPPOSES: Final = late(
    rf"^{_LEADS}(?:just )?(?:imagine|suppos(?:e|ing)|hypothetic\w*|pretend|picture this|let us "
    rf"(?:say"
    r"|pretend|imagine|suppose)|say (?:I|we|they|it|he|she)\b|what if|assuming|as if|if only|in "
    r"theory"
    r"|in (?:an? |my )?(?:other|another|next|perfect|parallel|ideal|different) (?:life|world"
    r"|universe)"
    r"|(?:maybe |perhaps )?(?:some ?day|one (?:fine |sunny )?day|in my dreams)|maybe (?:I|we"
    r"|they|he|she"
    r"|it|the|some ?day|one day)|perhaps (?:I|we)|(?:I|we) (?:might|may) (?!not\b)|wish|I wish)\b"
    rf"|\bif (?:(?!then\b)[\w'’.-]+ ){{1,7}}?{_PAST_IF}\b[^.;]*?\b(?:would|could|might|'d)\b"
    rf"|\b(?:would|could|might) [^.;]*?\bif (?:(?!you\b)[\w'’-]+ ){{1,5}}?{_PAST_IF}\b"
    r"|\bif (?:[\w'’-]+ ){1,6}?ever\b|\b(?:would|could) (?:\w+ )?have \w+(?:ed|en|t)\b"
    r"|\bwould not mind\b|\b(?:just|only) (?:thinking|dreaming|daydreaming|wondering)\b|\bbig if\b"
    r"|\bthinking (?:aloud|out loud)\b|\b(?:day)?dreaming\b|\bhypothetically\b|\bwith (?:a|one) "
    r"million\b"
    r"|\b(?:I|we) (?:would|'d) (?:really )?(?:love|adore|kill|give anything) to\b"
    r"|\b(?:I|we) (?:do )?wish (?:I|we|they|it|he|she|that|the|someone|somebody|there)\b"
    r"|\b(?:I|we) (?:would|'d) (?:be|sooner|have)\b|\bwe shall see\b|\b(?:it is|just) a "
    r"(?:notion|thought"
    r"|daydream|fantasy)\b|\btoying with\b|\bin another life\b|\bin other life\b|\bone of these "
    r"days\b"
    r"|\b(?:dream|fantasi[sz]e|fantasy) (?:of|about)\b|\bif (?:we|I) (?:ever )?(?:win|land|get "
    r"rich)\b",
    re.IGNORECASE,
)
_CONDITION: Final = late(
    rf"^{_LEADS}(?:if|once|in case|unless|should)\b(?! (?:you|needed|possible|in doubt|there is"
    rf"|an?\b))",
    re.IGNORECASE,
)
_PLAY: Final = late(
    r"\b(?:lol|lmao|rofl|lmfao|(?:ha){2,}h?|(?:he){2,}|jk|j/k|kidding|joking|joke|sarcas\w+"
    r"|april fool"
    r"|serious proposal|tongue in cheek)\b|[😂🤣😜😝🙃😆😹]|/s\b|(?:^|\s)[:;]-?[DPp]\b",
    re.IGNORECASE,
)
_PRAISE = (
    r"(?:lovely|wonderful|fantastic|brilliant|beautiful|marvell?ous|splendid|terrific|charming"
    r"|superb"
    r"|delightful|fabulous|glorious|magnificent|excellent|perfect|super|great|joy|goodie|goody"
    r"|hooray"
    r"|hurray|yay|bravo|amazing|awesome|nice|neat|cool|grand)"
)
_STRONG_PRAISE = (
    r"(?:lovely|wonderful|fantastic|brilliant|beautiful|marvell?ous|splendid|terrific|charming"
    r"|delightful|fabulous|glorious|magnificent|joy)"
)
_SARCASTIC: Final = late(
    rf"^{_LEADS}(?:oh|ah|well|yeah|sure|right)[ ,]+(?:yes[ ,]+|and )?{_PRAISE}[ ,.!]+(?!thanks"
    rf"|thank)\w"
    rf"|^{_LEADS}{_STRONG_PRAISE}(?:,| (?:that|how)\b|\.) (?!thank)(?=.*\b(?:again|another|down"
    rf"|late"
    r"|broken|rolled|died|dead|more|till|until|just|now|once|meeting|red|fail\w*|crash\w*|lost"
    r"|cancel\w*|twice|still|wrong)\b)"
    rf"|^{_LEADS}(?:what an? |such an? ){_PRAISE}\b|^{_LEADS}what an? (?:treat|surprise|delight"
    rf"|pleasure"
    r"|life|luck|day|honou?r|way to)\b"
    r"|^(?:\w+ )?how (?:good|nice|lovely|kind|wonderful|delightful|thoughtful|convenient"
    r"|generous)\b"
    r"|\bexactly what (?:I|we) (?:have been|had been|was|were|am|needed|wanted)\b|\btruly love "
    r"(?:it|this)\b"
    r"|\bjust what (?:I|we) (?:needed|ordered|wanted|always)\b|\blove (?:this|that) (?:journey"
    r"|for me)\b"
    r"|\bthank(?:s| you|s so much|s a lot)?,? universe\b|\b(?:very|so) (?:kind|nice|thoughtful"
    r"|good) of"
    r" (?:them|him|her|it)\b|\bvery nice present\b|\bfive stars\b|\bstop the presses\b|\bas one "
    r"does\b"
    r"|\blucky (?:me|us)\b(?!.*\b(?:from|since)\b)|\bliving the dream\b|\bI (?:do )?(?:so|just) "
    r"enjoy\b"
    r"|\bmy (?:absolute |very )?favou?rite (?:hobby|pastime|time of|thing|part of|kind of)\b"
    r"|\bmy (?:passion|dream|idea of fun)[.! ]*$|\b(?:a|what a) treasure of\b|\bbecause of course\b"
    r"|^right,? because\b|^(?:yeah|yes|sure),? (?:right|next|because)\b|\bnothing (?:I|we) would "
    r"rather\b"
    r"|\b(?:so|really) well\.(?= Only\b)|\bI am (?:so |just )?thrilled\b|(?-i:\b(?:I|we) LOVE\b)"
    r"|(?-i:\bi AM\b)"
    r"|\bobviously because\b|\bhow could I (?:ever )?(?:refuse|resist)\b"
    r"|\b(?:my|our) life is (?:now )?complete\b|\b(?:what a|such a) (?:bargain|relief|shock|steal"
    r"|coincidence)\b|\brecommend (?:it |this |that )?to (?:everybody|everyone|anybody|anyone)\b"
    r"|\b(?:a|one) (?:very )?lucky (?:man|woman|girl|guy|fellow|boy|lady)\b|\bpoints for effort\b"
    r"|\bpromised (?:me|us) personally\b|\bof course always\b|(?-i:\b(?:ALWAYS|NEVER) been\b)",
    re.IGNORECASE,
)
_TALL: Final = late(
    r"\ballerg(?:ic|y) to (?:all |any |the )?(?:mondays?|(?:early )?mornings?|work|meetings?"
    r"|paperwork|admin|chores|effort|homework|housework|maths?|deadlines|people|nonsense|stupidity"
    r"|responsibility|ironing|cleaning|cooking|washing up|hoovering|vacuuming|shopping|queue?ing"
    r"|waiting|commuting|running|exercise|exercising|losing|early starts|small talk)\b"
    rf"|^{_LEADS}one more [^.;,]{{1,60}} and (?:I|we)\b"
    r"|\bsell (?:a|one|my|the other) (?:kidney|liver|soul|firstborn)\b"
    r"|\b(?:I|we) (?:will|shall|could|would|am going to)? ?(?:marry|wed) (?:whoever|whomever|the "
    r"(?:postman|milkman|person|man|woman|one) who)\b",
    re.IGNORECASE,
)
_MOOD: Final = late(
    rf"^{_LEADS}(?:(?:today|tonight|this week|this morning|right now|first night|first day|honestly"
    r"|by now|personally)\b[ ,]*)*(?:I am|I feel|I was|feeling|am|I have been|we are|you find me"
    r"|bit"
    r"|a bit|little bit) "
    r"(?:(?:so|a|bit|little|really|rather|very|quite|pretty|just|absolutely|totally|completely"
    r"|honestly"
    r"|still|all|too|kind of|kinda|proper|properly|officially|dead|feeling|bloody|super)\b[ "
    r",]*)*(?:tired|exhausted"
    r"|sleepy|knackered|drained|shattered|wrecked|beat|bushed|pooped|whacked|wiped|nervous|anxious"
    r"|stressed|sad|low|down|happy|relieved|excited|bored|grumpy|hungry|thirsty|starving|peckish"
    r"|cold|hot"
    r"|freezing|hungover|overwhelmed|annoyed|frustrated|furious|angry|mad|cross|over it|fed up"
    r"|dead|worn"
    r"|proud|lonely|cranky|moody|restless|lost|bummed|crying|gutted|heartbroken|thrilled"
    r"|delighted|ecstatic"
    r"|chuffed|giddy|numb|fried|cooked|toast|sick of|done with|losing it|melting|spent|frazzled"
    r"|buzzing"
    r"|brain ?dead|jealous|grateful|worried|scared|terrified|ashamed|embarrassed|homesick|miserable"
    r"|speechless|dying)\b"
    r"|^(?:I )?(?:can ?not|could not|did not|barely) (?:sleep|slept|rest|stop yawning)\b"
    r"|\b(?:I|we) (?:could|might|wanna|want to) (?:just )?(?:cry|scream|weep|sleep for|hug|kiss"
    r"|die|lie down)\b"
    r"|\b(?:I|we) (?:never|do not ever) want to \w+ (?:another|again|a \w+ again|any)\b"
    r"|\bI feel like (?:a|an|I|crap|death|rubbish|hell|crying|screaming)\b|^(?:long|rough|bad"
    r"|awful|crap"
    r"|tough|horrible|terrible|good|great) (?:day|night|week|morning|shift)\b"
    r"|\bmy (?:head|brain|back|feet|eyes|heart|soul) (?:is|are|hurts?|aches?|feels?|=)(?! (?:on"
    r"|in) the)\b"
    r"|\bbrain (?:=|is)\b|^curse\b|\bwish me luck\b|\bbelongs? in (?:jail|prison|hell)\b|\bzero "
    r"sleep\b"
    r"|\bno sleep\b|^mood\b|\bI (?:need|want) (?:a|my|some) (?:coffee|drink|nap|hug|bed|holiday"
    r"|vacation"
    r"|beer|wine|sleep)\b|\bbed for me\b|\bwhat a (?:day|week|night|life|mess|morning)\b|\bI "
    r"hate (?:mondays"
    r"|everything|it here|my life|this)\b|\b(?:has|have) wrecked me\b|\bI am (?:not )?okay\b"
    r"|\b(?:I am|we are|feeling) in (?:a |such a |very )?(?:good|bad|great|foul|grand|fine|poor"
    r"|terrible|rotten|awful|flying|high|low) (?:form|mood|spirits)\b|^u+gh+\b"
    r"|\brunning on \w+ hours?\b|^(?:it (?:has been|is|was) |been )?(?:quite |rather )?(?:an? "
    r"(?:(?:rather|very|really|quite) )?(?:trying|long|rough|bad|awful|tough|horrible|terrible)"
    r"|one of those) (?:days?|weeks?|mornings?|nights?|months?)\b"
    r"|\b(?:is|are) (?:really |going to |absolutely )?kill(?:ing)? (?:me|us)\b|\bkills me\b"
    r"|\b(?:I|we) (?:really )?can ?not be (?:bothered|arsed)\b|\bno (?:desire|energy|will) to "
    r"(?:work|move|live|get up|do anything)\b|\b(?:frozen|chilled|soaked) to the (?:bone|skin)\b"
    r"|\bI find myself (?:rather |so |very |a (?:bit|little) )?(?:low|sad|down|tired|blue|weary)\b"
    r"|\b(?:and|but|so) I am over it\b|\babout to (?:flip a table|lose it|scream|cry|explode)\b",
    re.IGNORECASE,
)
_ECHOED: Final = late(
    r"^\W*[\"“][^\"”]{8,}[\"”]|\b(?:you|your notes?|it) (?:still |already )?(?:have|had|put"
    r"|wrote|said|say|says"
    r"|kept|keep|got|has|there)\b[^.\"“]{0,30}[\"“]|[\"”],? (?:you (?:said|wrote|told me|put)"
    r"|says? your)\b"
    r"|\bin your notes\b|\breading that back\b|\bas you (?:said|noted|wrote|have it)\b|\bI see "
    r"you (?:still )?"
    r"(?:got|have|kept)\b",
    re.IGNORECASE,
)
_BROUGHT: Final = late(
    r"\b(?:wrote|writes?|sent|sends?|says?|said|read|reads|mails?|emails?|letter|message|memo"
    r"|note|flyer"
    r"|notice|posted|comment|ticket|text|got|received|forwarded|left me|handed|portal|channel"
    r"|doc)\b"
    r"[^\"“.]{0,40}[:.,]?\s*[\"“](?=[^\"”]{25,})"
    r"|[\"“][^\"”]{25,}[\"”]\s*(?:[-–—]|wrote|said|says|what|is what|from|that)",
    re.IGNORECASE,
)
_FORWARDED: Final = late(r"^>|^(?:from|subject|to|date):\s", re.IGNORECASE | re.MULTILINE)


def earnest(text: str) -> bool:
    """Whether a text is said in earnest: not supposed, in play, or out of a mood."""
    return not (supposes(text) or plays(text) or mood(text))


def supposes(text: str) -> bool:
    """Whether a sentence, contractions written out, says what would be."""
    return _SUPPOSES.search(text) is not None


def conditional(text: str) -> bool:
    """Whether a sentence begins with what has to be so first."""
    return _CONDITION.match(text) is not None


def plays(text: str) -> bool:
    """Whether a sentence is said in fun or means the contrary."""
    return any(one.search(text) for one in (_PLAY, _SARCASTIC, _TALL))


def tall(text: str) -> bool:
    """Whether a sentence is a tall tale, whatever lasting words it has."""
    return _TALL.search(text) is not None


def mood(text: str) -> bool:
    """Whether a sentence says how its speaker feels just now."""
    return _MOOD.search(text) is not None


def echoes(content: str) -> bool:
    """Whether a turn reads out what the assistant has noted."""
    return _ECHOED.search(content[:2000]) is not None


def brings_words(content: str) -> bool:
    """Whether a turn brings somebody else's words, in quotes or forwarded."""
    head = content[:2000]
    return _BROUGHT.search(head) is not None or _FORWARDED.search(head) is not None


def without_brought(content: str) -> str:
    """A turn without what it quotes at length."""
    return (
        re.sub(r"[\"“][^\"“”]{25,2000}[\"”]", " ", content).strip()
        if brings_words(content)
        else content
    )

"""What assistants say that is no content: offers of help and receipts of what was said."""

from muniment.domain.gate.tokens import Words
from muniment.domain.late import late

_OFFER = late(
    r" (?:would you like|do you want me to|shall i|should i|do let me know|let me know (?:if|"
    r"what|when|how|whether|which)|feel free to|is there anything|anything else|how (?:can|may|"
    r"could) i (?:help|assist)|"
    r"what (?:else )?can i (?:do|help)|if you (?:have|need|would like|want|ever need) (?:any|"
    r"anything|more|further|help)|happy to (?:help|assist|answer|explain)|i can (?:also )?(?:help|"
    r"assist)(?: you)?(?: with| out)?|"
    r"i would be (?:happy|glad) to|just (?:ask|say|tell)|here to help|want me to|"
    r"ready when you are) "
)
_RECEIPT = late(
    r"^ (?:(?:ok|okay|sure|great|alright|thanks|thank you|got it|of course|certainly|absolutely|"
    r"perfect) )*(?:"
    r"let me (?:just |quickly |first )?(?:check|look|see|find|pull|get|take a look|have a look|"
    r"verify|think|"
    r"confirm)(?: (?:that|this|it|at|into|up|on|out|the|for|you|details|right|now|quickly|about))*"
    r"|(?:i|we) (?:will|have|am|can) (?:now |just |also )?(?:remember|note|noted|made a note of|"
    r"keep|saved|look|looking|"
    r"check|checking|do|get|get right|bear|understand|remembered|updated|help)(?: (?:that|this|"
    r"it|in|mind|into|on|you|with|for|right|away|now|your|preference|preferences|memory|my|notes))*"
    r"|(?:noted|understood|got it|will do|duly noted)(?: \S+){0,4}"
    r"|(?:\S+ ){1,4}(?:understood|noted|it is|got it)"
    r"|(?:that|this) (?:is|has been) (?:noted|saved|understood)"
    r"|(?:one moment|just a moment|please wait|stand by|hold on)(?: (?:please|while|i|check|look|"
    r"that|up|for|you|it|this))*"
    r") $"
)


def is_offer(words: Words) -> bool:
    """Whether an assistant's sentence offers help or asks what else to do."""
    return _OFFER.search(words.line) is not None


def is_receipt(words: Words) -> bool:
    """Whether an assistant's sentence only says that it heard, or that it is at work."""
    return _RECEIPT.match(words.line) is not None

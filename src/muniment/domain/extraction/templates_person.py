"""Templates of what a person is: allergies, work, home, language, animals, dislikes."""

from typing import Final

from muniment.domain.extraction.words import LANGUAGE, SPECIES

PERSON_TEMPLATES: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "allergy",
        (
            "my (?:skin|body|stomach|throat|gut) (?:reacts? (?:badly "
            "|strongly )?to|does not (?:tolerate|like)|can not (?:handle"
            "|take)) *"
        ),
        "",
    ),
    (
        "allergy",
        (
            "*? (?:intolerant|allergic)(?: (?:over )?here| by the way| btw"
            "| since childhood|, sorry)?[.!]*$"
        ),
        "",
    ),
    (
        "allergy",
        "*? (?:makes?|closes?|made|closed) my (?:throat|face|lips|tongue|eyes|skin|airways?)\\b",
        "",
    ),
    ("allergy", "<I> (?:must not|can not|not|never) (?:be given|get|receive) *", "ill"),
    (
        "employer",
        (
            "<I> (?:work|working|employed)(?: \\w+){0,3}? (?:in|at"
            "|for) the (?:company|firm|hotel chain|charity) *"
        ),
        "",
    ),
    ("city", "<I> (?:moved|moving|move|relocated|relocating) from [\\w -]+? to *", ""),
    ("city", "(?:my|our) new (?:home|flat|place|house|apartment|city|town) is (?:in )?*", ""),
    ("city", "greetings from *?, where (?:I|we) live", ""),
    ("allergy", "*? (?:nearly|almost) killed me", "ill"),
    (
        "allergy",
        (
            "(?:important|note|warning|careful|reminder|allergies|health|medical"
            "|for the (?:menu|catering|kitchen|file|order|record))?[:,]? ?(?:an? |the "
            "|my )?(?:severe |serious |bad |strong |known |mild |nasty )?*? allergy"
        ),
        "",
    ),
    (
        "allergy",
        "<I> (?:can not|not|never) (?:eat|have|touch|be around|take|go near|drink|handle|do) *",
        "ill",
    ),
    (
        "allergy",
        "(?:can not|can't) (?:eat|have|touch|be around|take|go near|drink|handle|do) *",
        "ill",
    ),
    (
        "allergy",
        (
            "*? (?:is|are) (?:a |an |strictly |absolutely )*(?:no[- ]go|off limits"
            "|off the table|out|deadly|poison|lethal|dangerous|forbidden)(?: (?:for|to) me)?"
        ),
        "ill",
    ),
    (
        "allergy",
        (
            "*? (?:puts?|lands?|sends?|landed|sent|put) me (?:in|into"
            "|to) (?:the )?(?:hospital|a&e|er|icu|emergency)"
        ),
        "",
    ),
    ("allergy", "no *? for me", "ill"),
    ("allergy", "<I> (?:always )?carry (?:an |my )?epi-?pen (?:because of|for|due to) *", ""),
    (
        "allergy",
        "(?:severely |very |deathly |highly |badly |also |slightly |mildly )?allergic to *",
        "",
    ),
    (
        "allergy",
        (
            "<I> (?:break|come|came|broke) out (?:in|with) (?:\\w+ ){1,3}?(?:from|because of"
            "|after|with|when I (?:eat|touch)) *"
        ),
        "",
    ),
    ("allergy", "<I> (?:not|never|can not) tolerate *", ""),
    ("allergy", "(?:my|the) (?:\\w+ )?allerg(?:y|ies)(?: is| are|:) (?:to )?*", ""),
    (
        "allergy",
        (
            "<I> (?:diagnosed with|develop(?:ed)?|suffer from"
            "|live with) (?:an? )?(?:\\w+ )?allergy to *"
        ),
        "",
    ),
    (
        "allergy",
        (
            "(?:please )?(?:keep|hold|leave out|skip|no|without) (?:the "
            "|any )?*? (?:away from me|off my plate|out of my food)"
        ),
        "",
    ),
    (
        "role",
        (
            "(?:they|the board|my boss|my company|the company|the club|management) (?:have "
            "|just |has )*(?:made|appointed|named|promoted|elected) me (?:to |as )?(?:be )?*"
        ),
        "",
    ),
    ("role", "(?:an? )?*? by (?:trade|profession|training|day)", ""),
    ("role", "(?:an? )?*? here[.!,]*$", "whole"),
    (
        "role",
        (
            "(?:my|the) (?:new |day |current |actual |official )?(?:job|title|role|position"
            "|job title)(?: title)?(?: there| here| now)?(?: is|:) *"
        ),
        "",
    ),
    (
        "role",
        (
            "<I> (?:promoted to|hired as|starting as|start as"
            "|employed as|serving as|serve as|acting as|acting|stepping up as|step up as"
            "|trained as|moving up to|move up to|taking over as|interim|working as|get"
            "|got) (?:the |an? )?*"
        ),
        "",
    ),
    (
        "role",
        "(?:got |was |been )?(?:promoted|hired|appointed)(?: to| as|[:,])? (?:an? |the )?*",
        "",
    ),
    ("role", "new (?:job|role|title|position)[:,!]* (?:an? )?(?:as )?(?:an? )?*", ""),
    ("employer", "(?:we|us|all of us|here) (?:here )?at *", ""),
    (
        "employer",
        (
            "<I> (?:signed with|sign with|hired by|picked up by|employed by|working over at"
            "|joined|joining|starting at|starting with|start with|moving over to"
            "|contracted to|contracting for|consulting for|freelancing for|based at|teach at"
            "|teaching at|study at|studying at|practise at|practice at) (?:the )?*"
        ),
        "",
    ),
    ("employer", "(?:a |my )?new (?:job|employer|company|gig)[:,!]*(?: is)?(?: at| with)? *", ""),
    (
        "employer",
        (
            "(?:my|our) (?:company|firm|employer|organisation|organization|workplace|school"
            "|university|hospital|startup|start-up|agency|bank)(?:,| is| is called| is now"
            "|:) (?:called )?*"
        ),
        "",
    ),
    (
        "employer",
        (
            "<I> (?:work|working|teach|teaching|nurse|cook|drive|sell|code|write|clean"
            "|consult|freelance|intern|interning|volunteer|employed) (?:[\\w-]+ ){0,6}?(?:at"
            "|for) (?:the )?*"
        ),
        "",
    ),
    (
        "employer",
        "*? (?:pays my (?:salary|bills|wages)|employs me|hired me|has hired me|took me on)",
        "",
    ),
    ("employer", "*? is (?:my|our) (?:new |current )?(?:employer|company|workplace)", ""),
    (
        "role",
        (
            "I (?:was|am being|have been|got|just got) (?:named|appointed|elected"
            "|made) (?:the |an? |as )?*"
        ),
        "",
    ),
    ("city", "<I> (?:live|living) (?:with |alone |together ){1,2}(?:[\\w-]+ ){0,4}?in *", ""),
    (
        "city",
        (
            "<I> (?:in|over in|up in|down in|out in|back in) *? (?:now|these days|again"
            "|myself|for good|since|like before|as before)"
        ),
        "",
    ),
    ("city", "(?:yes,? )?(?:still|now|back) (?:living )?in *", ""),
    ("city", "home(?: for me)?(?: is|:)(?: still| now| in)? *", ""),
    (
        "city",
        (
            "(?:my|our) (?:city|town|home ?town now|home|place|flat|house|apartment|base"
            "|home base)(?: is|:)(?: still| now)?(?: in)? *"
        ),
        "",
    ),
    (
        "city",
        (
            "*? is (?:where (?:I|we) (?:live|am based|are based|am)|home|(?:my|our) (?:home"
            "|city|town|base)(?: now)?)"
        ),
        "",
    ),
    ("city", "<I> (?:writing|working|calling|dialling in|reporting) from *", "homely"),
    (
        "city",
        (
            "<I> (?:been |lived |living |lived up |live up |live over |live down |live out "
            "|live right |based )?(?:in|near|outside|just outside|close to) *? since"
        ),
        "",
    ),
    (
        "city",
        (
            "<I> (?:live|living) (?:up |down |over |out |right |just |somewhere |now "
            "|currently )*(?:in|near|outside|close to) *"
        ),
        "",
    ),
    ("city", "<I> (?:moved|moving|move) (?:back |over |house |home |up |down |out )+to *", ""),
    ("city", "<I> based (?:out of|around|near) *", ""),
    ("city", "(?:now |currently |still |mostly )?(?:living|based|settled|residing|home) in *", ""),
    ("city", "*?[ -]based[,.!]", ""),
    (
        "city",
        (
            "<I> (?:bought|rented|rent|renting|found|signed for) (?:a |an |our "
            "|my )(?:[\\w-]+ ){0,2}?(?:flat|house|place|apartment|studio|home|room) (?:in"
            "|near|outside) *"
        ),
        "",
    ),
    (
        "language",
        (
            f"(?P<v>{LANGUAGE}) is (?:my|our) (?:mother tongue|native language|first language"
            "|working language|preferred language|language)"
        ),
        "",
    ),
    (
        "language",
        (
            "(?:please )?(?:always |only )?(?:speak|write|answer|reply|talk|respond)(?: to me"
            f"| with me)?(?: only| always)?(?: in)? (?P<v>{LANGUAGE})(?: to me| with me"
            "|,? please|$|[,.!]| only| from)"
        ),
        "",
    ),
    (
        "language",
        (
            "<I> (?:prefer|write|speak|use|want|like|stick to|keep to|talk|communicate in"
            "|answer in) (?:to (?:speak|write|talk|use|read) (?:in )?|everything in |it in "
            f"|answers in |replies in |things in )?(?P<v>{LANGUAGE})(?: (?:with|to) you| here"
            "| in (?:this|our) chat|$|[,.!]| over| please| from now| if)"
        ),
        "prefer",
    ),
    (
        "dislike",
        (
            "(?:really |absolutely |definitely )?(?:not|never been"
            "|no) (?:really )?(?:an? )?(?:big |huge |great )?fan of *"
        ),
        "",
    ),
    (
        "dislike",
        (
            "<I> (?:strong |deep )*(?:aversion to|allergic reaction to bad|no patience for"
            "|no time for|despise|abhor|dread|avoid|averse to|sick of|sick and tired of"
            "|fed up with|tired of) *"
        ),
        "",
    ),
    (
        "dislike",
        (
            "*? (?:is|are) (?:just |simply |really )?(?:the worst|my nemesis|my pet peeve"
            "|an abomination|not my thing|disgusting|vile|revolting|gross|unbearable)"
        ),
        "",
    ),
    ("dislike", "(?:my )?(?:biggest |main )?pet (?:peeve|hate)(?: is|:) *", ""),
    (
        "dislike",
        (
            "<I> (?:can not|not|hate|can't)(?: stand| bear)?(?: the)? (?:taste|smell|sound"
            "|sight|texture|look|idea|thought) of *"
        ),
        "",
    ),
    ("dislike", "(?:can not|can't) (?:stand|bear|abide) *", ""),
    ("dislike", "(?:really |absolutely )?(?:hate|loathe|detest|despise) *", ""),
    ("pet", f"(?:my|our) (?:[\\w-]+ ){{0,2}}?{SPECIES}'s name is *", ""),
    ("pet", f"*?,? (?:my|our) (?:[\\w-]+ ){{0,3}}?{SPECIES}\\b", "front"),
    (
        "pet",
        (
            "(?:this is about |it is about |meet |about )*?,? (?:my"
            f"|our) (?:[\\w-]+ ){{0,3}}?{SPECIES}\\b"
        ),
        "front",
    ),
)

"""Templates of what a person does and how to reach them."""

from typing import Final

from muniment.domain.extraction.words import CHANNEL

WORK_TEMPLATES: Final[tuple[tuple[str, str, str], ...]] = (
    ("project", "*? is what (?:I am|we are|I have been) (?:working on|building|busy with|on)", ""),
    ("project", "<I> (?:join|joined|joining|added to) the * project", ""),
    ("project", "the project's name is *", "called"),
    (
        "project",
        "<I> (?:maintain|maintaining|look after|looking after|in charge of|responsible for|own) *",
        "",
    ),
    ("project", "they (?:have )?(?:gave|given) me * to (?:run|lead|manage|build|look after)", ""),
    (
        "skill",
        (
            "*? is (?:no problem|easy|second nature|fine|my (?:daily|main"
            "|usual) (?:tool|language|driver))(?: for me)?"
        ),
        "tech",
    ),
    ("skill", "<I> (?:used|use|understand|grew up with|grown up with|trained on|teach) *", "tech"),
    ("contact_channel", "*? only[.!]*$", "only"),
    ("contact_channel", "*? is (?:where|how) (?:you|people) (?:find|reach|get|catch) me", "only"),
    (
        "contact_channel",
        (
            "(?:you will|you can|they can|people can) (?:best |always |only "
            "|also )?(?:get|find|reach|catch|contact) me (?:on|by|via|through"
            "|in|at) *"
        ),
        "only",
    ),
    ("skill", "<I> (?:write|script|code|build|do|did|prototype) (?:\\w+ ){1,3}?in *", "tech"),
    ("project", "(?:my|our) (?:\\w+ )?project, *", ""),
    ("project", "<I> (?:on|moved to|moved onto|part of|in charge of) (?:the )?project *", ""),
    (
        "project",
        (
            "<I> (?:working on|assigned to|put on|staffed on|leading|running|heading|building"
            "|developing) (?:the )?(?:project )?*"
        ),
        "",
    ),
    (
        "project",
        (
            "(?:they|my boss|my manager|management) (?:have )?(?:put|moved|assigned|staffed"
            "|transferred) me (?:on|onto|over to|to work on) (?:the )?*"
        ),
        "",
    ),
    ("project", "<I> (?:took|taken|taking|take) over (?:the )?*", ""),
    (
        "project",
        (
            "(?:my |our )?(?:side|pet|main|current|new|big|hobby|weekend|next) project(?: is"
            "| now|:| right now is| at the moment is)* (?:called |named )?*"
        ),
        "called",
    ),
    (
        "project",
        (
            "(?:the|my|our) (?:app|tool|product|game|service|repo|project|platform|site"
            "|library|startup|bot|plugin|team)(?: is| will be)? (?:called|named) *"
        ),
        "called",
    ),
    (
        "project",
        (
            "*? is (?:now )?my (?:baby|main thing|main project|new project|project"
            "|full[- ]time (?:job|project)|focus|responsibility)"
        ),
        "",
    ),
    ("project", "<I> (?:kicked off|kick off|launched|started) (?:the )?(?:project )?*", ""),
    ("project", "<I> (?:the )?(?:owner|lead|maintainer|product owner) of *", "code"),
    (
        "project",
        "<I> (?:spend|spending) (?:all|most of|half) (?:of )?(?:my|our) (?:time|days) on *",
        "",
    ),
    (
        "project",
        (
            "(?:now |currently )?(?:working|heads down) on *? (?:full[- ]time|these days|now"
            "|at the moment|all day|this quarter)"
        ),
        "",
    ),
    (
        "project",
        "(?:my|our) team (?:is|are) (?:now )?(?:building|working on|developing|running|shipping) *",
        "",
    ),
    (
        "project",
        (
            "<I> (?:lead|run|manage|maintain|own|leading|running|managing|maintaining|follow"
            "|coordinate|coordinating) (?:the )?*? (?:project|programme|program|initiative"
            "|rollout|migration|rewrite|launch|pilot|study|tender|campaign)"
        ),
        "",
    ),
    (
        "skill",
        (
            "<I> (?:write|code in|program in|script in|develop in|coding in|programming in"
            "|writing|handy with|comfortable with|comfortable in|good with|good in"
            "|confident in|confident with|at home in|at home with|experienced (?:in|with)"
            "|skilled with|know my way around|great at|great with|an expert in|an expert at"
            "|a wizard (?:in|with|at)|wizard (?:in|with|at)|taught myself|trained in"
            "|certified in|learned|learnt|worked with|work with|decent at|strong in|strong at"
            "|solid in|proficient with|read and write|can write|write decent|picked up"
            "|pick up) *"
        ),
        "tech",
    ),
    ("skill", "*? I can (?:read|write|do|speak|manage|handle)(?! not)", "tech"),
    (
        "skill",
        (
            "*? (?:is|are) (?:my|one of my) (?:strong suit|thing|forte|strengths?|specialty"
            "|bread and butter)"
        ),
        "tech",
    ),
    ("skill", "my (?:strongest|best|main) (?:language|skill|tool)s? (?:is|are) *", "tech"),
    ("skill", "<I> use *? (?:like a pro|daily|every day|all day)", "tech"),
    ("skill", "I (?:also )?(?:speak|know|read) *", "tech"),
    ("skill", "I can (?:do|write|read|code|code in|speak|program in) *", "tech"),
    ("contact_channel", "<I>,? (?:prefer|rather have|like) (?:an? |by |via )?*", "only"),
    (
        "contact_channel",
        (
            "(?:please )?(?:always |only |just )?use *? (?:to (?:contact|reach|message"
            "|get hold of|write to|notify|ping) me|for (?:anything|everything|messages"
            "|reminders|updates|contacting me|me))"
        ),
        "",
    ),
    (
        "contact_channel",
        "<I> (?:answer|read|check|look at|reply to|use|reachable (?:by|on|via)) *",
        "only",
    ),
    ("contact_channel", "(?:by |via |on |over )?*?,? please", "only"),
    (
        "contact_channel",
        (
            "(?:hit|ping|poke|nudge|drop|catch|get|find|buzz) me (?:up |a line |a message "
            "|a note )?(?:on|by|via|through|over|in) (?:the )?*"
        ),
        "",
    ),
    (
        "contact_channel",
        (
            "<I> (?:rather|prefer it if|prefer) you (?P<p>text|email|e-mail|call|phone"
            "|message|slack|whatsapp)(?P<v>(?:ed)? me)"
        ),
        "verb",
    ),
    ("contact_channel", "(?:it is )?best (?:by|via|on|over|through|is) *", ""),
    (
        "contact_channel",
        (
            "(?:please )?(?:always )?(?:send|give|deliver|post|leave|share) (?:me )?(?:all "
            "|any |the |my )?(?:reminders?|updates?|messages?|news|alerts?|things|everything"
            "|anything|notes|questions|results|summaries) (?:to me |for me )?(?:on|by|via"
            "|through|over|in) (?:the |my )?*"
        ),
        "",
    ),
    (
        "contact_channel",
        (
            "(?:please )?(?:only |always )?(?:contact|reach|write to|write|message|notify"
            "|update|inform) (?:me|us) (?:only |always |just |exclusively |please )*(?:by|via"
            "|on|over|through|in) (?:the |my )?*"
        ),
        "",
    ),
    (
        "do_not_contact",
        "(?:please )?(?:never|do not(?: ever)?) use (?:my )?(?P<v>(?:[\\w-]+ ){0,2}?(?:"
        + CHANNEL
        + r"|number|address|inbox))(?: (?:for|to|again|any ?more)|$|[,.!])",
        "",
    ),
    (
        "do_not_contact",
        "<I> (?:not|never) (?:want|need|like|take|answer|accept|do|pick up|listen to"
        "|read) (?:any |the |to get |to receive |getting |receiving |your )*(?P<v>"
        + CHANNEL
        + r")(?: from (?:you|anyone|anybody))?(?:$|[,.!]| (?:at all|please|ever|any ?more|on"
        r"|after|before|about))",
        "",
    ),
    (
        "do_not_contact",
        "(?:and |but )?(?:please )?not (?:by|on|via|over|through) (?P<v>" + CHANNEL + r")\b",
        "",
    ),
    (
        "do_not_contact",
        (
            "(?:please )?(?:do not|never|stop) (?:ever )?(?:leave|leaving|send|sending) (?:me"
            "|us) (?:any |a )?(?P<v>voice ?mails?|voice messages?|letters?|texts?"
            "|text messages|sms|faxes|dms?|emails?|e-mails?|post|mail)(?:$|[,.!]| (?:ever"
            "|again|at all|please|any ?more))"
        ),
        "",
    ),
    (
        "do_not_contact",
        "(?:please,? )?(?:absolutely )?no (?P<v>"
        + CHANNEL
        + r")(?:$|[,.!]| (?:at all|ever|please|thanks|after|before|on|for|from))",
        "",
    ),
    (
        "do_not_contact",
        "(?:the |my )?(?P<v>"
        + CHANNEL
        + r") is (?:off limits|off-limits|taboo|a no[- ]go|out of the question"
        r"|not an option)",
        "",
    ),
    (
        "account_tier",
        (
            "(?:my|our|the) (?:account|subscription|workspace|plan|tier|org"
            "|team) is (?:on )?(?:the )?*? (?:plan|tier)"
        ),
        "",
    ),
)

"""The English words and phrases by which the gate knows low-value talk: data only.

A phrase line may hold alternatives: ``have a {good|great} {day|one}``; an empty one is optional.
Apostrophes are expanded before lookup (``it's`` is ``it is``), so phrases are written out.
"""

GREETINGS = """
{hii|hiii|hiiii|hiiiii|hiii there|heyy|heyyy|heyyyy|helloo|hellooo|helloooo|mornin|\
aloha|salam|namaste|hola|ahoy|oi|bonjour|kia ora|arvo|evenin|afternoon all|\
morning all} {there|all|good morning|}
{howya|how ya|g'day|wotcha|moin|servus} {there|all|mate|}
happy {2024|2025|2026|2027|2028|2029|2030}
{g'night|nighty night|nite|good nite|gnite} {all|}
i {trust|hope} you {are|had|have had} {well|a good weekend|a pleasant weekend|a nice weekend|\
a good evening|a good christmas|nice holidays|a restful night} {too|}
happy {new year|holidays|easter|weekend|monday|tuesday|wednesday|thursday|\
birthday} {to you|and all that|}
{hi|hello|hey|heya|hiya|howdy|yo|greetings|welcome|welcome back}
{hi|hello|hey} {there|again|everyone|all|you|folks|team|guys|buddy}
good {morning|afternoon|evening|night|day}
{morning|evening|afternoon|gm|gn|night night}
{bye|goodbye|good bye|bye bye|cya|farewell|ttyl|cu|later|laters|ciao|so long}
{bye|goodbye} for now
{see|catch} {you|ya} {soon|later|again|around|then|there|tomorrow|tonight|next time|}
{see|catch} {you|ya} {later|soon} {then|}
{talk|speak|chat|write} {to you |with you |}{soon|later|then|again|tomorrow}
{until|till} {next time|tomorrow|then}
{have|enjoy} {a|your|the|yourself a} {really |}{good|great|nice|lovely|wonderful|fantastic|awesome|\
safe|fun|blessed|restful|amazing|} {day|one|night|evening|weekend|week|time|trip|rest of your day|\
morning|afternoon|rest of the day|break|holiday}
{take care|stay safe|take it easy|safe travels|be well|stay well|sleep well|sweet dreams}
take care of yourself
{it is |}{so |really |always |}{nice|good|great|lovely|glad|pleased|wonderful|awesome|happy|\
a pleasure} \
to {see|meet|hear from|chat with|talk to|talk with|chat|talk|catch up|catch up with|have} {you|} \
{again|too|here|as always|}
long time
{long time no|been a long time since we} {see|talk|chat|talked|speak}
{it has been|it is been|been} {a while|ages|forever|so long|too long|a long time}
how {are|r} {you|u|ya|things} {doing|going|today|feeling|}
how {are|r} you {doing|feeling} {today|this morning|these days}
how {have |}{you|ya} {been|been doing} {lately|}
how have {things|you} been {going|} {with you|lately|}
how is {it going|everything|everything going|life|your day|your day going|it hanging|things|\
life treating you|your week|your weekend}
how are things {with you|going|going with you|on your end}
how was your {day|weekend|week|night|morning}
how do you do
{what is|whats|wassup|sup} {up|new|good|happening|going on} {with you|with ya|today|lately|}
what has been {up|new|happening|going on} {with you|lately|}
what have you been {up to|doing} {lately|these days|}
anything {new|exciting|fun} {with you|lately|going on|going on with you|happening|}
{i |}hope {you are|you have been|all is|everything is|this finds you|you are all} {doing |\
}{well|good|\
great|okay|fine}
{i am|i am doing|doing} {good|fine|well|great|okay|alright} {thank you|thanks|too|}
{it is|hey it is|hi it is} me {again|}
{let us|lets} {catch up|keep in touch|stay in touch|talk|chat} {soon|later|again|}
{keep|stay} in touch
{best|kind|warm|best and kind} regards
{regards|sincerely|yours sincerely|yours truly|best wishes}
"""

THANKS = """
{thanks|thank you|thank u|thx|ty|tysm|tyvm|thankyou|many thanks|cheers|thanks again|thanks much|\
much appreciated|much obliged|thanks in advance}
{thanks|thank you} {so much|very much|so very much|a lot|a bunch|a million|a ton|a ton again|again|\
loads|kindly|all|everyone|anyway|though|really|too}
{thanks|thank you|many thanks|thx} {so much |very much |a lot |again |a bunch |a million |\
}for {all |}{the|your|\
all your|that|this|\
asking|sharing|letting me know|having me|listening|your time|checking|the info|being here|\
being there|that info|everything|understanding|clarifying|reminding me|the update|the chat|\
sharing that|sharing this|saying that|checking in|having my back|believing in me|the heads up}
{thanks|thank you|many thanks|thx} {so much |very much |a lot |again |a bunch |a million |\
}for {all |}{the|your|\
all your} \
{great |kind |awesome |good |amazing |nice |quick |}{help|support|advice|tip|tips|info|\
information|explanation|\
suggestion|suggestions|recommendation|recommendations|words|encouragement|compliment|time|\
feedback|reminder|reply|response|answer|insight|idea|ideas|offer|boost|concern|patience|\
understanding|assistance|cooperation|kindness|motivation|invite|invitation|faith in me}
{i |}{really |so |do |greatly |truly |}appreciate {it|that|you|this|your help|your support|\
the help|the support|\
your advice|your kind words|your words|the advice|your time|all your help|the encouragement|\
the tip|the offer}
{that|it|this|your support|your words} {really |}{means|mean} {a lot|so much|the world|\
everything} {to me|}
{that|this|it} {really |}{helped|helps|is appreciated} {a lot|me|me a lot|}
{you are|you are such} {the best|a lifesaver|a star|a legend|a gem|so helpful|very helpful|\
too kind|so kind|\
very kind|a life saver}
{i am |}{so |very |really |}grateful {for that|for it|for your help|for your support|for you|to you}
i could not {do it|have done it} without you
i owe you one
bless you
"""

FILLER = """
{ok|okay|k|kk|okey|okie|okay then|ok then|all right|alright|alright then|alrighty|oki|okee|\
righto|right then}
{hmm|hm|mm|mmm|mhm|uh|um|uhm|oh|ooh|oooh|ah|aha|ahh|aw|aww|awww|wow|whoa|woah|yay|yikes|ugh|oof|\
oops|\
eh|er|huh|phew|geez|gosh|omg|damn|dang|woohoo|woo|hooray|hurray|bravo|yum|mmmm|ohh|uh oh|ha|heh|\
hehe|haha|hahaha|\
hahahaha|ha ha|lol|lmao|rofl|xd|jeez|wowza|eek|meh|shh|psst|boom|bingo|whew|sheesh|ouch|oh no|\
oh my|oh man|\
oh well|oh boy|my goodness|oh my gosh|oh my god|oh wow|my god|holy cow|no way|man|dude|bro|mate|\
buddy|pal|\
girl|guys|friend|my friend|sir|madam|dear}
{well|anyway|anyways|please|indeed|likewise|ditto|interesting|seriously|literally|basically|btw|\
by the way|hopefully|apparently|honestly|actually|speaking of which|you know|you know what|\
i mean|guess what|\
look|listen|like|right now then|now then|so then|in that case|of sorts}
{i |}{see|understand|understood|got it|gotcha|got ya|get it|get that|hear you|hear ya|feel you|\
noted|copy that|\
roger|roger that|will do|can imagine|bet|know right|totally get it|know|know what you mean|\
see what you mean|\
know the feeling|know how you feel|totally understand|completely understand|hear that|\
get what you mean}
{that |this |it |}{makes|make} {sense|total sense|perfect sense|a lot of sense|so much sense}
{that |this |it |}{sounds|sound} {good|great|fine|right|like a plan|perfect} {to me|}
{lgtm|sgtm|noice|spot on|bang on|dead on|sweet as|top notch|parfait|perfetto|perfecto|genial|prima|\
you and me both|not on my watch|that will not be necessary|that is not necessary}
{very|most|really|quite} {instructive|informative|illuminating|enlightening|educational}
{fair|fair enough|fair point|good point|great point|point taken|good call|good one|good thinking}
{no|not a} {problem|worries|biggie|big deal|trouble|prob|pressure|rush|need} {at all|}
{never mind|nevermind|nvm|forget it|whatever|do not worry|do not worry about it|my bad|my mistake}
{you are |you are very |you are so |you are most |}welcome {anytime|any time|}
{anytime|any time|my pleasure|glad to help|happy to help|glad i could help|glad that helped|\
glad it helped}
{let me|lemme} {think|see|think about it|think about that|see about that|have a think}
{one|just a|just one|a|give me a|gimme a|hang on a|wait a|hold on a} {sec|second|moment|minute|\
min|mo|moment please}
{hold on|hang on|wait|wait up|wait for it|stand by|brb|be right back|back|i am back}
{good to know|good to hear|great to hear|nice to hear|good for you|nice for you|lucky you|\
way to go|well done|well said|\
nicely done|good luck|best of luck|best wishes|all the best|fingers crossed|go you|you rock|\
you rule|you go|so true|\
too true|very true|how true|how come|same|me neither|it is what it is|that is life|such is life|\
time flies|who knows|hang in there|keep it up|keep going|stay strong|stay positive|hear hear|amen|\
you got this|you have got this|you can do it|you have this|keep at it|\
keep up the good work|keep up the great work|keep up the amazing work|\
keep doing what you are doing|\
keep me posted|keep me updated|let me know how it goes|i will let you know how it goes|\
i will keep you posted|\
i will let you know|tell me about it|you bet|you betcha|enjoy|enjoy it|have fun|\
have fun with it|have a blast|\
have a great time|cheers to that|that is the spirit|hopefully soon|here we go|here you go|\
there you go|there we go}
{i |}{totally |completely |fully |absolutely |really |so |definitely |}{agree|agreed|relate|\
understand} \
{with you|with that|on that|to that|there|}
i could not agree more
{i |}{can not|can hardly|could not} wait {to hear {more|it|about it|all about it|how it goes|\
more about it}|\
to see it|to see that|to see you|for it|for that|}
{i am |}{really |}looking forward to {it|that|this|hearing more|hearing about it|\
hearing from you|seeing you|seeing it}
{i am |}{so |really |very |}{glad|happy|sorry|sad|thrilled|delighted|pleased} {to hear that|\
to hear it|\
to hear this|to hear about that|about that|for that|you like it|you liked it|you enjoyed it|\
you think so|it helped|\
that it helped|i could help|i asked|you asked|we agree|we talked|we had this chat|you are here|\
you did|to help}
{i am |}{so |really |very |}sorry {for your loss|for that|for the confusion|\
for the inconvenience|for the delay|\
for the mistake|about that|about the confusion|for any confusion|for the misunderstanding}
{i |}{do |}{sincerely |}apologize {for that|for the confusion|for the inconvenience|\
for the mistake|\
for any confusion|for the delay|for any inconvenience|}
{i |we |}{apologise|apologies|my apologies} {for that|for the confusion|for the inconvenience|}
{sorry|so sorry|pardon|excuse me}
{i |}{really |just |}{love|like|dig|loved|liked} {it|that|this|them}
{i |}{think|guess|suppose|hope|believe|reckon|doubt|wish} {so|not|so too|it|}
{that is|thats} {all|it|that|all for now|all i need|everything|it for now|all i needed|all thanks}
{nothing|nothing else|that will be all|that would be all|that will do|all good|it is all good|\
all set|i am good|\
i am all set|we are good|i am done}
{something|anything} like that
{and |}so {on|forth|it goes}
{more or less|kind of|sort of|kinda|sorta}
{in any case|for now|as always|as usual|at least|after all|of all|for real|for sure|no doubt|\
no kidding|no joke}
{congrats|congratulations|merry christmas|happy new year|happy holidays|cheers|\
happy friday|\
get well soon|rest up} {to you|again|on that|on everything|}
{what a|what an} {day|week|time|surprise|story|life|world|coincidence|treat|night}
{great|good|excellent|interesting|fantastic|wonderful|fair|nice|awesome} {question|questions}
{i am |}{always |}here {for you|if you need me|to help|if you need anything}
{i am |we are |}{so |really |very |always |}{proud of|happy for|glad for|excited for|\
thrilled for|rooting for|here for|\
behind|with|there for|stoked for|pumped for} {you|ya|u|you all} {both|always|all the way|}
{i |we |}believe in you
you deserve {it|this|that|it all|every bit of it}
{you|u} {nailed|did|made|crushed|killed|rocked|earned|have earned} it
"""

YES = """
{yes|yeah|yep|yup|ya|yea|yess|yesss|yeahh|aye|uh huh|yes please|yes sir|yes indeed}
{sure|sure thing|for sure|of course|certainly|definitely|absolutely|exactly|precisely|totally|\
surely|naturally|\
right|correct|true|indeed yes|affirmative|you bet|without a doubt|completely|obviously|always|\
by all means|\
that is right|that is correct|that is true|you are right|you are correct|i do|i did|i have|we do|\
it does|it did|they do}
"""

NO = """
{no|nope|nah|naw|noo|nooo|no thanks|no thank you|no sir|no way}
{not|not yet|not really|not at all|not quite|not exactly|not anymore|not now|not sure|\
not so much|hardly|never|\
of course not|absolutely not|definitely not|certainly not|i do not|i am not|i did not|\
i have not|we do not|\
it is not|it does not|please do not|neither|none|wrong|incorrect|false|that is wrong|\
that is not right|\
that is incorrect|not true|i can not|i would rather not|maybe|perhaps|maybe later|sometimes|\
it depends|possibly|\
probably|probably not|maybe not|rarely|i do not know|no idea|not necessarily|i do not think so}
"""

CLOSING_REFUSAL = "{no|nope|nah|no thanks|not now|not really|not yet}"

PRAISE = """
good great nice cool awesome amazing wonderful fantastic excellent perfect brilliant lovely
beautiful fun funny hilarious interesting inspiring incredible impressive terrific superb super
fabulous fab sweet cute adorable delicious tasty yummy gorgeous stunning epic neat rad dope lit
wild crazy insane mad exciting fascinating thoughtful kind generous helpful useful handy clever
smart wise true valid fair fine right important special unique memorable meaningful powerful
peaceful relaxing soothing calming refreshing comforting heartwarming uplifting encouraging
motivating rewarding fulfilling moving magical unreal unbelievable unforgettable lucky fortunate
tough hard rough difficult terrible awful horrible bad sad unfortunate scary frustrating annoying
disappointing heartbreaking challenging stressful intense weird strange odd surprising shocking
better best delightful charming cozy comfy creative talented strong brave admirable remarkable
outstanding phenomenal spectacular marvelous splendid priceless precious legit solid wholesome yum
heavenly breathtaking picturesque vibrant lively colorful elegant classy stylish tranquil serene
invigorating enjoyable pleasant pretty badass iconic legendary magnificent captivating energizing
therapeutic worthwhile inspirational touching tempting brutal nasty gross tricky boring touching
ok okay
"""

MOOD = """
tired exhausted sleepy hungry thirsty bored boring grumpy cranky annoyed angry upset sad happy
glad excited thrilled stoked pumped psyched hyped nervous anxious stressed frustrated overwhelmed
relieved relaxed calm down meh lonely lazy curious confused proud jealous grateful thankful blessed
lucky motivated inspired energized energised refreshed drained wiped swamped busy moody restless
weird worried scared afraid disappointed cheerful hopeful optimistic joyful ecstatic delighted
pleased impressed touched speechless amused intrigued surprised shocked sorry frazzled knackered
peckish starving ready well fine good great okay ok better worse amazing awesome terrible awful
"""

PRAISE_NOUNS = """
news idea ideas plan story stories time times way thing things stuff work job pic picture pictures
photo photos shot shots view views spot place memory memories experience experiences opportunity
achievement accomplishment choice start attitude feeling moment moments gift combo fun blast one
ones advice tip suggestion point thought thoughts sight match feat effort vibe vibes look looks
lot lots goal goals mindset perspective combination reminder inspiration win progress result
results piece pieces question success milestone journey outlet role surprise bunch pair buddy pal
treat blessing honor honour pleasure shame pity bummer deal catch
"""

INTENSIFIERS = """
so very really such pretty quite super totally truly absolutely extremely incredibly just too also
also still even more much most definitely certainly always simply completely utterly kinda rather
especially particularly bit little wonderfully seriously
"""

DEMONSTRATIVES = "that this it those these they everything all which things"

COPULAS = """
{is|was|are|were|be|been|am}
{is|was|are|were} {not |}{going to be|gonna be|always|all|being}
{sounds|looks|seems|feels|smells|tastes|sound|look|seem|sounded|looked|felt|seemed|turned out|\
came out} {like|to be|}
{must|will|would|has to|have to|had to|could|can|might|should|may|gotta} {have |}{be|been|feel|\
felt|look}
{has|have} been
"""

MOOD_OPENERS = """
{i am|i feel|i am feeling|feeling|i was feeling|i am just|i am getting|i am a|we are|i am all|\
now i am}
"""

SECOND_PERSON = """
{you|u|ya|you guys|you both|you two|you all} {are|look|looked|rock|must be|must have been|\
must feel|must have felt|\
sound|seem|did|did a|did so|were|have been|will be|will do|will have|have|have a|have such a|\
make|made|\
are such a|are doing|are gonna be|are doing so|are going to be|are going to do}
"""

MOMENTS = """
{today|now|right now|tonight|at the moment|this morning|this afternoon|this evening|lately|\
at this moment|\
already|these days|all day|though|about it|about that|about this|again}
"""

TAILS = """
{for|of|to|with|from} {you|me|us|them|ya|that|it|both of you|you guys|everyone|all|you all|you too}
to {hear|see|know|hear that|hear it|see that|say|hear about|know that|hear you|read|look at|\
think about|\
hear about it|see it|hear from you|talk|talk to you|have you|do|watch}
about {it|that|this}
{in|by|at} {it|that|this|there}
{indeed|together|as well|there|like that|then|after all|anyway}
{keep it up|keep going}
"""

ARTICLES = "a an the some any your one"
JOINERS = "and or but plus yet"

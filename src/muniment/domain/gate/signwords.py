"""The words that are signs, by class: data only."""

from typing import Final

from muniment.domain.gate.tokens import word_set

CLASSES: Final = {
    "scene": word_set(
        """
        laughed laughing laughs cried crying wept weep stared staring singing sang sulked
        shouted shouting yelled smiled grinning nearly fainted fighting barking screaming
        complained complains moans jumped spilled burnt swears gossip whistling dancing
        """
    ),
    "idle": word_set(
        """
        rain raining rainy pouring sun sunny snow snowing frost weather wind heat fog storm
        tea coffee cake sausage sausages lunch breakfast biscuit pancakes queue bus lift
        tram traffic neighbours neighbor neighbors pigeon match goal goals pub beer wine
        party typing typos weekend holiday holidays nap bed sofa couch wall chair kettle
        toast soup pizza
        """
    ),
    "work": word_set(
        """
        customer customers client clients order orders invoices team teams contract
        contracts release releases meeting meetings standup supplier suppliers board
        committee council branch store stores shop warehouse driver drivers shift shifts
        rota slot project projects tenant payroll account accounts ledger payout payouts
        refund refunds returns parcel parcels delivery deliveries stock server servers prod
        cluster pipeline carrier vendor site sites staff colleagues treasurer bookkeeper
        auditor auditors audit exam course courses term lesson lessons class licence license
        certificate passport visa permit membership insurance bank policy appointment
        surgery operation launch deadline budget
        """
    ),
    "stance": word_set(
        """
        obviously naturally surely clearly honestly frankly seriously apparently supposedly
        allegedly suppose bet swear told mind course indeed evidently somehow literally
        basically bravo congratulations
        """
    ),
    "lasting": word_set(
        """
        always never ever every each whenever anytime default usually normally generally
        typically unless until till since onwards onward permanently permanent forever
        anymore longer henceforth daily weekly monthly yearly nightly mondays tuesdays
        wednesdays thursdays fridays saturdays sundays weekdays weekends mornings evenings
        afternoons nights rule rules standing nowadays regularly routinely
        """
    ),
    "restrict": word_set(
        """
        only not no none nothing nobody without except instead rather nor neither zero
        cannot
        """
    ),
    "own": word_set(
        """
        my our mine ours
        """
    ),
    "first": word_set(
        """
        i we me us myself ourselves
        """
    ),
    "change": word_set(
        """
        moved moving left leaving joined joining quit quitting resigned signed changed
        changing changes switched switching renamed promoted hired fired died adopted bought
        sold became becomes started starting starts start begin begins began closed closes
        closing opened opens opening cancelled canceled fixed solved resolved stopped
        retired retiring married engaged divorced passed expired expires lapsed replaced
        dropped migrated merged decided agreed chose chosen picked settled promised booked
        landed relocated transferred appointed elected graduated finished ended ends ending
        extended postponed shifted moves leaves gave given took handed taken lost broke
        broken shut swapped upgraded downgraded updated removed reloaded reverted installed
        unplugged enrolled registered succeeded succeed accepted declined approved rejected
        announced launched shipped arrived delivered due
        """
    ),
    "habit": word_set(
        """
        prefer prefers use uses using work works working live lives living run runs eat
        drink sleep speak speaks read reads write writes own owns teach teaches study
        studies handle handles manage manages lead leads chair handling keep keeps wear
        wears deploy deploys hold holds book pay pays count counts invoice stand like likes
        love loves hate hates dislike enjoy know knows learn learning belong belongs train
        training play plays carry carries answer answers take takes drive drives cook grow
        serve serves sell sells share shares stay stays staying sit sits
        """
    ),
    "role": word_set(
        """
        manager analyst engineer developer teacher nurse doctor lead director officer
        coordinator owner assistant designer scientist researcher postdoc professor student
        consultant accountant lawyer solicitor architect planner buyer seller salesman
        executive exec founder ceo cto cfo coo vp head chief administrator admin secretary
        driver chef cook baker translator editor writer author journalist photographer
        supervisor intern freelancer contractor principal president chairman tester sre dba
        devops technician mechanic plumber electrician builder farmer gardener librarian
        curator curate biologist chemist physicist biostatistician statistician pharmacist
        physio dentist vet therapist psychologist mailman postman retired pensioner customer
        member volunteer captain pilot self-employed employed team department squad group
        company firm studio agency shop store business practice clinic hospital school
        university institute office warehouse depot plant factory lab
        """
    ),
    "kin": word_set(
        """
        wife husband partner spouse boyfriend girlfriend fiance fiancee son sons daughter
        daughters sister brother sisters brothers mother father mum mom dad mam parents kids
        children child baby twins toddler grandson granddaughter grandmother grandfather
        grandma grandpa nan aunt uncle cousin niece nephew neighbour neighbor flatmate
        roommate boss colleague landlord tenant landlady friend family household dog cat
        puppy kitten rabbit hamster parrot horse pony goldfish tortoise greyhound spaniel
        hound dachshund terrier hens chickens pets pet
        """
    ),
    "health": word_set(
        """
        allergic allergy allergies intolerant intolerance asthma asthmatic diabetic diabetes
        vegan vegetarian pescatarian celiac coeliac gluten dairy lactose nut nuts peanut
        peanuts shellfish sesame penicillin sulfa ibuprofen aspirin hives rash epipen
        insulin tablets pills tablet dose medication meds inhaler puffer blood pressure
        pregnant deaf blind halal kosher alcohol meat fish pork wheat eggs pollen hip knee
        migraine migraines epilepsy wheelchair glasses hearing
        """
    ),
    "date": word_set(
        """
        monday tuesday wednesday thursday friday saturday sunday january february march
        april june july august september october november december jan feb mar apr jun jul
        aug sep sept oct nov dec mon tue tues wed thu thur thurs fri today tomorrow
        yesterday tonight midnight noon spring summer autumn winter christmas easter quarter
        """
    ),
    "data": word_set(
        """
        column columns field fields row rows table tables null nulls blank missing duplicate
        duplicates duplicated twice lag lags late wrong sign unit units feed export exports
        timestamp timestamps utc cet gmt clock drift stale outdated corrupt broken scanner
        sensor logger schema id ids key keys dataset data source values value records log
        logs
        """
    ),
    "form": word_set(
        """
        bullets bullet table tables chart charts graph decimals decimal metric kilos
        kilograms kilometres kilometers miles celsius fahrenheit grams euros euro dollars
        pounds lines line words sentences sentence paragraph paragraphs tone language
        english french german spanish italian dutch portuguese polish swedish lowercase
        uppercase caps emoji emojis diff summary summaries headings prose markdown json iso
        format screen column round rounded thousands spelling short brief concise formal
        informal metres meters feet weeks hour hours
        """
    ),
    "channel": word_set(
        """
        email e-mail mail slack text texts phone call calls ring letter letters sms whatsapp
        signal telegram teams voicemail post fax matrix message messages contact reach
        instagram newsletter newsletters
        """
    ),
    "place": word_set(
        """
        address street avenue road lane drive crescent place flat apartment house home floor
        city town village based born country office region zone timezone eu us uk
        """
    ),
    "money": word_set(
        """
        price prices cost costs rate fee fees salary budget discount discounts tier plan
        subscription stock shelf jars boxes pieces left reorder rent lease invoice
        """
    ),
    "note": word_set(
        """
        note record fyi btw heads remember forget scratch correction news announcement mind
        notes jot
        """
    ),
    "has_to": word_set(
        """
        must should have need needs allowed forbidden cannot please kindly
        """
    ),
    "name": word_set(
        """
        called named name names nickname goes known spelled
        """
    ),
    "tall": word_set(
        """
        kill kills killed die dying dead cry crying scream kidney marry haunted zombie
        zombies alien aliens monster monsters dragon circus goat goats cow cows sheep
        shepherd wolf wolves robot robots vampire ghost ghosts throne king queen emperor
        pope president god gods heaven hell devil witch curse cursed soul souls crime jail
        prison prime minister universe galaxy moon mars planet lottery million billion
        millionaire immortal reincarnation legend olympics everest pirate pirates ninja
        wizard unicorn funeral grave tomb heart genius psychopath lunatic revolution riot
        union confetti parade fireworks medal trophy nobel hollywood oscar scam
        """
    ),
    "mood": word_set(
        """
        tired exhausted sleepy happy sad angry bored hungry stressed nervous excited
        relieved thrilled furious grumpy anxious overwhelmed lonely proud glad sorry
        delighted frustrated annoyed feel feeling feels feelings mood hangover knackered low
        long rough soup toast
        """
    ),
    "suppose": word_set(
        """
        would could might maybe perhaps someday wish wishes suppose supposing imagine assume
        assuming hypothetically pretend if dream dreaming dreamt dreamed almost theory
        fantasy probably wonder wondering thinking tempted
        """
    ),
    "praise": word_set(
        """
        great lovely wonderful amazing beautiful perfect nice super awesome fantastic
        brilliant marvellous splendid charming excellent cool sweet noice gorgeous cute
        magnificent glorious thrilled impressive bravo wow yikes ugh alas hm hmm eh
        """
    ),
    "you": word_set(
        """
        you your yours yourself
        """
    ),
    "he": word_set(
        """
        he she they him her them his their
        """
    ),
    "it": word_set(
        """
        it that this these those
        """
    ),
    "report": word_set(
        """
        says said say thinks think thought reckons reckon claims told asks asked wants
        wonders wrote writes insists swears suggests heard rumour rumor apparently
        supposedly somebody someone everybody everyone people they
        """
    ),
    "again": word_set(
        """
        again same usual more another next last also too now ok okay right good fine thanks
        thank cheers
        """
    ),
    "chore": word_set(
        """
        pull show give send plot draw make write list run redo rerun check look open find
        fetch count compare sort export read print get put fix polish rewrite draft
        translate summarise summarize explain calculate compute save post try repeat resend
        restart book order cancel delete remove add change update do help tell see let
        """
    ),
    "ack": word_set(
        """
        yes yep yeah no nope nah sure ok okay k go ship done works true deal agreed exactly
        indeed
        """
    ),
    "asking": word_set(
        """
        what who when where why how which whose
        """
    ),
    "bye": word_set(
        """
        bye goodnight night morning evening afternoon hello hi hey hiya hiii happy cheers
        ciao later farewell
        """
    ),
    "always": word_set(
        """
        always never ever every each whenever anytime default unless permanently forever
        henceforth
        """
    ),
    "until": word_set(
        """
        until till since onwards onward anymore longer daily weekly monthly
        """
    ),
    "days": word_set(
        """
        mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends
        mornings evenings afternoons nights
        """
    ),
    "moment": word_set(
        """
        today tonight yesterday just again almost finally quite already morning evening
        whole right minute minutes ago
        """
    ),
    "moved": word_set(
        """
        moved joined quit resigned signed switched renamed promoted hired adopted bought
        cancelled canceled fixed retired engaged expired decided agreed booked changed died
        became left
        """
    ),
    "scope": word_set(
        """
        everything anything all both whole any anywhere anybody everywhere
        """
    ),
    "most": word_set(
        """
        best worst most least favourite favorite ever twice thrice half even enough
        """
    ),
    "like": word_set(
        """
        like as than
        """
    ),
    "task": word_set(
        """
        revenue sales report numbers figures list query plot total margin dashboard chart
        map average median correlation version draft copy template
        """
    ),
    "here": word_set(
        """
        here there above below attached following inbox
        """
    ),
    "past": word_set(
        """
        was were had did went came said got took made gave told sat ate slept fell ran
        called dropped asked laughed saw heard woke forgot
        """
    ),
    "stays": word_set(
        """
        still stays stay remains remain instead replaces takes over counts belongs means
        equals stands same
        """
    ),
}
"""Classes of words; a word may be in several."""
ORDERS: Final = CLASSES["chore"]
VERBS: Final = (
    CLASSES["habit"]
    | CLASSES["change"]
    | word_set(
        """
        is are am was were be been has have had do does did can could will would shall
        should must may might go goes went get gets got take took make made come came say
        says said think know want wants need needs like likes love hate run runs ran
        """
    )
)
"""Verbs in a form that can be what is stated."""
COMMON: Final = word_set(
    """
    the a an and or but so if of in on at to for from with by as than is are was were be been
    am do does did have has had will would should can may must not no only all both each every
    one two three half now then here there out up down over under back off away put get gets
    got go goes going went come let see look take give made make find think want need say said
    i we he she they them it this that these those his her their our my your what who where
    when how why which once yet though since before after well oh just bit thing things stuff
    ones own another any anything anybody somebody big small people side next n u ok ask other
    more most less very really too also still even quite rather much many
    """
)
"""Words so common that each is a sign of its own."""

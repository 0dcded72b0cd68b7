"""Is a text English enough to be judged by English rules? Word lists and scripts, no model."""

from collections.abc import Sequence

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

SAMPLE = 2_000
"""Characters from the head of a text that decide its language."""

ENGLISH = word_set(
    """
    the of and to a in is you that it he was for on are as with his they i at be this have from or
    had by not but what all were we when your can said there use an each which she do how their if
    will up other about out many then them these so some her would make like him into time has
    look two more go see no way could my than been who its now find did get come made may just our
    any am does should why where because while after before me us again too very still never
    always every already yet also only really here's let don't thanks please hello yes ok sure
    tell show give explain write help know think want need feel got going good great new
    """
)
"""English function words and the commonest verbs."""
_ELSEWHERE = (
    word_set(
        """
    ich ist das und nicht ein eine der dem wir sie ihr mein meine wo wie was warum habe hast bin
    bist für mit auf bitte danke guten morgen heute aber auch sehr kein keine gegen wohne heiße
    möchte je suis est le la les des une et vous nous il elle mon ma mes où pourquoi comment avec
    pour dans pas très merci bonjour salut c'est j'ai j'habite m'appelle oui beaucoup qui que quoi
    mais aussi yo soy eres es el los las un una y tú usted mi mis dónde cómo qué por para con pero
    muy gracias hola está estoy tengo vivo quiero adiós hasta luego buenos días noches sí también
    donde como eu sou você ele ela não uma os meu minha obrigado obrigada olá com mas muito tenho
    moro estou io sono sei è il lo gli mio mia dove come perché grazie ciao buongiorno non di che
    ho abito anche ik jij het een niet van mijn waar hoe waarom met voor maar ook hallo dank
    bedankt heb ben woon goedemorgen zijn twee hebben naar jag är och inte en ett min mitt var hur
    varför med på tack hej har bor också jeg ikke og er hvor hvordan takk tak bor mit minä olen ja
    ei missä kiitos hei moi asun mutta nie jest to się jak gdzie dlaczego dziękuję cześć mam
    mieszkam proszę jestem já jsem kde proč děkuji ahoj mám bydlím nem vagyok hol köszönöm szia és
    ben sen bir ve değil nerede nasıl teşekkürler merhaba için var benim saya aku kamu tidak di
    mana apa kenapa terima kasih dan dengan untuk yang ini itu tôi bạn là không và ở đâu cảm ơn
    xin chào của eu sunt este nu unde cum mulțumesc și
    """
    )
    - ENGLISH
    - word_set("die den war ben en me sen mit pas to var ja di di")
)
_WORD = late(r"[^\W\d_]+(?:['’][^\W\d_]+)*+")
_URL = late(r"\S*(?:://|www\.|@)\S*|`[^`]*`|\b[a-z]+(?:-[a-z]+)*+-\d+\b")


def is_latin(text: str) -> bool:
    """Whether most letters at the head of ``text`` are Latin; true when it has no letters."""
    if text.isascii():
        return True
    letters = [character for character in text[:SAMPLE] if character.isalpha()]
    latin = sum(1 for character in letters if character < "\u0250" or "ａ" <= character <= "ｚ")
    return 2 * latin >= len(letters)


def is_foreign(text: str) -> bool:
    """Whether ``text`` shows marks of another language than English, more than of English."""
    if not is_latin(text):
        return True
    words = _WORD.findall(_URL.sub(" ", text[:SAMPLE]).replace("’", "'"))
    english, elsewhere = count_marks(words)
    return elsewhere > english


def count_marks(words: Sequence[str]) -> tuple[int, int]:
    """How many of ``words`` are function words of English and of other Latin-script languages."""
    english = elsewhere = 0
    for word in words:
        lower = word.lower()
        if lower in ENGLISH:
            english += 1
        elif lower in _ELSEWHERE or (not word.isascii() and word.islower()):
            elsewhere += 1
    return english, elsewhere

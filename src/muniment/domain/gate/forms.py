"""The English words for what answers are made of and the forms that they can take: data only."""

from muniment.domain.gate.tokens import word_set

LANGUAGES = word_set(
    """
    english dutch german french spanish italian portuguese swedish danish norwegian finnish
    icelandic polish czech slovak slovene hungarian romanian bulgarian greek turkish russian
    ukrainian serbian croatian estonian latvian lithuanian irish welsh catalan basque galician
    flemish frisian afrikaans arabic hebrew persian farsi hindi urdu bengali punjabi tamil telugu
    marathi gujarati thai vietnamese indonesian malay tagalog chinese mandarin cantonese japanese
    korean swahili latin esperanto
    """
)
CODE_LANGUAGES = word_set(
    """
    python rust go golang java javascript typescript kotlin swift scala haskell ocaml elixir erlang
    clojure lisp ruby perl php julia r c cpp csharp bash powershell sql lua zig fortran cobol
    """
)
UNITS = word_set(
    """
    euro euros eur dollar dollars usd pound pounds gbp sterling yen kronor kroner rupees francs chf
    celsius fahrenheit kelvin centigrade metric imperial kilometres kilometers km miles metres
    meters feet inches centimetres centimeters cm millimetres millimeters mm kilograms kilogrammes
    kilos kg grams grammes litres liters gallons ounces stone stones joules kilojoules calories
    knots hectares acres cups tablespoons percent utc gmt cet
    """
)
FORMATS = word_set(
    """
    bullets bullet prose paragraphs markdown json yaml xml csv html latex iso tables headings
    headers emojis emoji slang jargon abbreviations acronyms contractions lowercase uppercase
    capitals spelling grammar punctuation commas semicolons tabs spaces camelcase snakecase
    monospace italics bold
    """
)
FORM_PHRASES = (
    r"(?:plain|simple|short|shorter|simpler|full|everyday|formal|informal|gender neutral) "
    r"(?:text|words|sentences|language|terms|tone|style|titles|paragraphs)"
    r"|(?:a|an|the) (?:\S+ ){0,2}(?:tone|style|voice|font|format|clock|system|comma|spelling)"
    r"|\S+ (?:format|notation|case|clock|separators?|units?|spelling|british way)"
    r"|(?:the )?(?:first|second|third|active|passive) (?:names|person|voice)"
    r"|(?:fewer|shorter|simpler) \S+|(?:24|12) hours?(?: time)?"
)
MEASURES = word_set(
    """
    prices amounts totals figures sums costs fees salaries temperatures distances weights heights
    lengths measurements measures quantities sizes speeds times dates
    """
)
SPOKEN = MEASURES | word_set(
    "answers replies responses messages emails mails summaries reports explanations code comments "
    "docs documentation"
)
"""What stands for all of its kind without a word before it: "show prices in euros"."""
OUTPUTS = SPOKEN | word_set(
    """
    letters posts texts drafts documents notes lists commits tests scripts functions examples
    numbers budgets invoices quotes volumes names titles recipes charts tables translations
    captions tickets
    """
)
OUTPUT = word_set(
    """
    answer reply response message email mail letter post text summary report explanation draft
    document note list comment commit test script function example price amount total figure
    number sum cost fee budget invoice quote temperature distance weight measurement time date
    name title recipe chart table translation caption ticket output
    """
)
MANNERS = word_set(
    """
    concise brief short simple formal informal casual direct blunt polite friendly succinct terse
    verbose chatty wordy critical professional shorter longer simpler briefer friendlier politer
    """
)
MANNERLY = word_set("simply briefly concisely formally informally politely bluntly plainly tersely")

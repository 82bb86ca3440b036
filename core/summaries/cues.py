"""The words by which a rule, a preference or a fact that a user states is known, and those that say it is none."""

import re

from core.summaries.hints import OTHER, AnyOf, Hinted, pattern

_START = r"(?:^|[.!?,;:()–-]\s*|\b(?:and|but|please|also|so|then|or|just)\s+)(?:please )?"  # where an imperative begins
# A verb that orders here; beside a report of what was or will be, "in future", "from now on" and "instead of" state no rule.
ORDERS = (
    r"(?:do not|don't|never|always|only|avoid|make sure|use|write|put|call|make|run|show|keep|add|ask|tell|check|test|commit"
    r"|name|leave|start|stop|stick)\b"
)
_MONEY = r"[$€£]\s?\d[\d.,]*k?|\b\d[\d.,]*\s?(?:%|(?:dollars|euros|pounds|usd|eur|gbp)\b)"
_DATE = r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
_MEASURE = (
    r"\b\d[\d.,]*\s?(?:k|m|ms|s|mb|gb|kb|tokens?|words?|lines?|characters?|chars|bytes|"
    r"seconds?|secs?|minutes?|mins?|hours?|days?|weeks?)\b"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|noon|midnight|end of)"

AMOUNT = pattern(_MONEY, _DATE, _MEASURE)

# An all-capital word and a colon in front, "NOTE:": the user says by it that the sentence is to be kept.
LABEL = re.compile(r"(?!TODO|FIXME|WIP|PS)[A-Z][A-Z]+(?:[ _-][A-Z]+){0,3}: ")
RULE_LABEL = pattern(
    r"\b(?:rules?|constraints?|must|never|always|important|warning|critical|require\w*|prefer\w*|limits?)\b"
)

# What forbids or limits: in a crowded summary these come first.
STRONG = AnyOf(
    Hinted(
        "must mustn never not circumstances more most least",
        r"\b(?:must(?: not|n't)?|never|shall not|under no circumstances|no more than|at most|at least|not allowed)\b",
    ),
    Hinted(
        "forbidden prohibited limits strict strictly cap caps limit limited ceiling deadline unless until approval",
        r"\b(?:forbidden|prohibited|off[- ]limits|strict(?:ly)?|caps?|limit(?:ed)?|ceiling|deadline|unless|until|approval)\b",
    ),
    Hinted("not don only no always stop avoid ask", _START + r"(?:do not|don't|only|no|always|stop|avoid|ask)\b"),
    Hinted(
        "safety security privacy critical important warning",
        r"^(?-i:SAFETY|SECURITY|PRIVACY|CRITICAL|IMPORTANT|WARNING)\b",
    ),
)
# Said of how things are to stay, and just as well of what is to be done once: see PASSING.
_HELD = (
    r"(?:keep\b(?! (?:(?:the|these|those|your|my|all) )*(?:changes?|edits?|work|commits?|diff)\b)"
    r"|leave\b(?! (?:me )?(?:a|an|some|your|me)\b))"
)
_DUE = rf"\b(?:by|before|until|no later than)\s+(?:{_DATE}|{_DAY}|{_MONTH}\.? \d)"
_STYLE = (
    r"(?:(?:very|more|only|plain|simple|clear|proper|formal|informal|british|american|complete|full|short|long|one|two|three|"
    r"the|a|an|my|all|numbered|bullet\w*|friendly|casual|neutral|active|passive|layman's|own) ){0,3}"
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|ukrainian|chinese|mandarin|japanese|korean|"
    r"hindi|arabic|turkish|hebrew|greek|swedish|norwegian|danish|finnish|czech|hungarian|romanian|vietnamese|thai|indonesian|"
    r"deutsch|español|français|prose|sentences?|paragraphs?|bullet\w*|bullets?|points|lists?|tables?|markdown|json|yaml|xml|"
    r"html|csv|toml|plain text|emojis?|words?|terms|language|tone|style|voice|person|tense|lower ?case|upper ?case|caps|"
    r"metric|imperial|units?|code|comments?|examples?|(?:a|an|the) (?:pirate|poet|teacher|expert)|type (?:hints|annotations))\b"
)
_ABSOLUTE = (
    Hinted(
        "must mustn never not circumstances more new most least",
        r"\b(?:must(?: not|n't)?|shall not|never|mustn't|no more than|under no circumstances|no new|at most|at least)\b",
    ),
    Hinted(
        "forbidden prohibited limits not shouldn",
        r"\b(?:forbidden|prohibited|not allowed|off[- ]limits|should(?: not|n't))\b",
    ),
    Hinted(
        "no",
        _START + r"no (?!problem|idea|worries|need|longer|one|wonder|matter|doubt|luck|thanks|,)[\w./-]+",
    ),
    Hinted("want", r"\bI (?:really )?(?:do not|don't) want\b"),
    Hinted(
        "without",
        r"\bwithout (?:my|asking|approval|permission|consent|explicit|changing|touching|breaking|using|adding|losing|any)\b",
    ),
    Hinted("unless", r"\bunless (?:I|we|you|it is|asked|told)\b"),
)
_PROHIBITED = (
    *_ABSOLUTE,
    Hinted(
        "not don only always avoid ensure sure stick",
        _START + r"(?:do not|don't|only|always|avoid|ensure|make sure|stick to)\b",
    ),
    Hinted("keep leave", _START + _HELD),
)
_CAPPED = (
    Hinted(
        "budget spend spending cost costs cap limit ceiling max maximum min minimum quota deadline due freeze",
        r"\b(?:budget|spend(?:ing)?|costs?|cap|limit|ceiling|max(?:imum)?|min(?:imum)?|quota|deadline|due|freeze)\b"
        rf"[^.!?\n]{{0,40}}(?:{_MONEY}|{_DATE}|\b(?:is|of|at|to|=|under|below)\s+\d)",
    ),
    Hinted(
        "up under below less within over above",
        rf"\b(?:up to|under|below|less than|within|not? (?:over|above))\s+(?:{_MONEY}|{_MEASURE})",
    ),
)
_LIMITED = (
    *_CAPPED,
    Hinted("by before until later", _DUE),
    Hinted(
        "spend spending cost costs budget",
        r"\b(?:spend(?:ing)?|costs?|budget)\b[^.!?\n]{0,30}\b(?:under|below|above|over|exceed)\b",
    ),
)
_DEMANDED = (
    Hinted("strict strictly tdd first driven", r"\bstrict(?:ly)?\b|\bTDD\b|\btest[- ](?:first|driven)\b"),
    Hinted("now forward henceforth time", r"\bfrom now on\b|\bgoing forward\b|\bhenceforth\b|\bevery time\b"),
    Hinted(
        "future",
        rf"^(?:(?:please|and|but|also|so),? )*in (?:the )?future,? (?:please )?{ORDERS}",
    ),
    Hinted("instead", rf"^(?:please )?instead of\b[^.!?\n]{{3,120}}, (?:please )?{ORDERS}"),
    Hinted("all every", r"\bin (?:all|every) (?:case|repl|answer|respon|file|commit)"),
    Hinted("every each all", r"\b(?:every|each|all)\b[^.!?\n]{1,40}\b(?:needs? to|has to|have to|shall)\b"),
    Hinted(
        "if",
        r"^if\b[^.!?\n]{3,120}, (?:then )?(?:please )?"
        r"(?:stop|ask|tell|warn|report|escalate|refuse|skip|abort|wait|use|do not|don't)\b",
    ),
    Hinted(
        "ask check wait stop",
        _START + r"(?:ask (?:me )?(?:first|before)|check with me|wait for (?:my|me)|stop and)\b",
    ),
    Hinted(
        "not instead rather",
        r"\b(?:use|run|write|call|choose|pick|take|want|need|in|with)\b[^.!?\n]{1,60}"
        r"(?:, (?:and |but )?not (?!sure|yet|only|just|that|really|even|quite|working|the case)[\w`\"-]+"
        r"|\b(?:instead of|rather than)\b)",
    ),
)
_STYLED = rf"\b(?:(?:in|as|with|like) {_STYLE}|like (?:I|we)\b)"
_PREFERRED = (
    Hinted(
        "prefer prefers preferred preference rather favor favors favorite favour favours favourite hate hates dislike dislikes "
        "stand",
        r"\bprefer(?:s|red|ence)?\b|\b(?:'d|would|had) rather\b|\bfavou?r(?:s|ite)?\b|\b(?:hates?|dislikes?|can't stand)\b",
    ),
    Hinted("want wants", r"\bwants? (?:all|every|each|only|just|no|short|long)\b"),
    Hinted(
        "terse concise brief short verbose detailed formal informal playful friendly plain simple warm",
        r"\b(?:terse|concise|brief|short|verbose|detailed|formal|informal|playful|friendly|plain|simple|warm)"
        r"(?:,? (?:and )?\w+)? "
        r"(?:answers?|repl(?:y|ies)|responses?|explanations?|tone|style|language|english|prose|messages?)\b",
    ),
    Hinted(
        "answer reply respond speak talk address call",
        _START + r"(?:answer|reply|respond|speak|talk|address me|call me)\b[^.!?\n]{0,30}"
        r"(?<!soon )(?<!well )\b(?:in|as|with|like)\b (?!the\b|a\b|this\b|that\b|order\b|well\b|soon\b|another\b|more\b|\w+/)",
    ),
    Hinted("write explain comment", _START + r"(?:write|explain|comment)\b[^.!?\n]{0,30}" + _STYLED),
    Hinted("metric imperial si", r"\b(?:metric|imperial|si) (?:units?|measurements?|system)\b"),
    Hinted("style", r"\b(?:answers?|repl(?:y|ies)|responses?)\b[^.!?\n]{0,30}\bstyle\b"),
)
# The commonest words alone: a message in another language is otherwise known by its place, and quoted.
_ELSEWHERE = (
    Hinted(
        f"nunca siempre solo prohibido jamais toujours uniquement interdit niemals immer verboten keinen sempre {OTHER}",
        r"\b(?:nunca|jamás|siempre|solo se|prohibido|jamais|toujours|uniquement|interdit|niemals|immer|ausschließlich|"
        r"verboten|auf keinen fall|sempre|mai più|никогда|всегда|нельзя|только|обязательно)\b",
        r"不要|必须|必須|禁止|不得|绝不|絕不|務必|务必|只能|してはいけない|しないで|必ず|決して|절대|반드시|하지 ?마",
    ),
)
RULE = AnyOf(*_PROHIBITED, *_LIMITED, *_DEMANDED, *_PREFERRED, *_ELSEWHERE)
# An order that may be for this once: where nothing else makes a rule of it, it is asked for as well.
_ONCE = r"^(?:(?:please|and|but|also|then|so|now|ok),? )*"
PASSING = pattern(
    _ONCE + r"(?:keep|leave|write|explain|comment|only (?!use\b|ever\b)(?-i:[a-z]{3,}))\b",
    _ONCE + rf"(?!I\b|we\b|the\b|all\b|our\b|it\b)[a-z]+ (?:it|this|that|them|the|a|all|my|our)\b[^.!?\n]*{_DUE}",
)
LASTING = AnyOf(
    *_ABSOLUTE,
    *_CAPPED,
    *_DEMANDED,
    *_ELSEWHERE,
    Hinted("don not always avoid ensure sure stick", r"\b(?:don't|do not|always|avoid|ensure|make sure|stick to)\b"),
    Hinted(
        "answer answers reply replies response responses message messages untouched unchanged alone intact as",
        r"\b(?:answers?|repl(?:y|ies)|responses?|messages?)\b",
        r"\b(?:untouched|unchanged|alone|intact|as (?:it|they) (?:is|are))\b",
    ),
)
# In a long text much is pasted: reviews and logs say "never" and "no" of what is. There only a plain order is one.
ORDER = AnyOf(
    Hinted(
        "must mustn not circumstances forbidden prohibited shouldn",
        r"\b(?:must(?: not|n't)?|mustn't|shall not|under no circumstances|not allowed|forbidden|prohibited"
        r"|should(?: not|n't))\b",
    ),
    Hinted(
        "never not don always only avoid ensure sure stick use prefer keep leave write answer reply respond strict strictly "
        "more most least",
        r"^(?:(?:please|and|but|also|then|so|important:|note:),? )*"
        r"(?:never|do not|don't|always|only|avoid|ensure|make sure|stick to|use|prefer|keep|leave|write|answer|reply|respond|"
        r"strict(?:ly)?|no more than|at most|at least)\b",
    ),
    Hinted(
        "budget spend spending cost cap limit deadline",
        rf"\b(?:budget|spend(?:ing)?|cost|cap|limit|deadline)\b[^.!?\n]{{0,40}}(?:{_MONEY}|{_DATE})",
    ),
    Hinted("tdd now prefer", r"\bstrict TDD\b|\bfrom now on\b|\bI (?:would |'d )?prefer\b"),
    *_ELSEWHERE,
)
NO_RULE = AnyOf(
    Hinted(
        "only",
        r"\bonly (?:the|this|that|my|our|these|those|its?|your)\b[^.!?\n]{1,60}"
        r"\b(?:fails?|failed|failing|passes|passed|works?|breaks?|broke|crash\w*|remains?|left|missing|broken|seems?|was|were)\b",
    ),
    Hinted(
        "not don",
        r"\b(?:I|we|they|it|you) (?:really |still |just )?(?:do not|don't) "
        r"(?:know|think|see|understand|have|get|remember|believe|mind|feel|care)",
        r"\b(?:who|which|that|users?|people|tests?|they|these|those|dates?|results?) (?:do not|don't)\b",
    ),
    Hinted(
        "keep* only*",
        r"keep(?:s)? getting|keep (?:going|on\b|up|it up|in mind|working)|only (?:a|one|two|see|saw|if|when)\b",
    ),
    Hinted("without*", r"without (?:any )?(?:problem|issue|success|luck)"),
    Hinted("least", r"\bat least (?:it|that|we|I)\b|^at least,"),
    Hinted(
        "never",
        r"\b(?:it|that|this|he|she|they|I|has|have|had|was|were|I've|we've) (?:has |have )?never\b",
        r"\bnever (?:mind|happen\w*|got|gets|saw|seen|worked|works|heard|used to)\b",
    ),
    Hinted(
        "no",
        r"\bno [\w ]{1,40}\b(?:found|applied|matching|detected|available|needed|required|left|included)\b|\bno matter\b|^no,",
        r"^no (?:remove|revert|undo|put|take|make|do|just|let|leave|wait|stop|keep|add|I|we|it|that|this)\b",
    ),
    # Said for once, or only proposed: "can we add that it always warns".
    Hinted("time once", r"\bthis time\b|^once more\b"),
    Hinted("can could", r"^(?:(?:ok|okay|so|and|also|then),? )*(?:can|could) we\b"),
    Hinted("think", r"^I think (?:that )?we should (?!not|never|always|only|avoid)"),
    Hinted("alternatively", r"^alternatively\b"),
    Hinted("\\n*", r"\\n"),
    Hinted("if why must", r"\bif (?:you|it) (?:do not|don't)\b|\bwhy\b|\bmust have\b"),
    Hinted("because since turns seems noticed", r"\b(?:because|since|turns out|it seems|seems to|I noticed)\b"),
)

AND = pattern(r"(?:(?:oh|and|but|so|also|plus)\b,? ){1,2}")
MANY_ELSE = pattern(
    r"(?:(?:one|two|three|some|any|all|none|both|each|either|neither|most|half) of (?:them|these|those)"
    r"|they|them|these|those|both|neither|the (?:others?|latter|former))\b"
)
ONE_ELSE = pattern(r"(?:it|this|that|he|she)\b(?! is why)")

# Where the work stands, as the user says it.
STATE = AnyOf(
    Hinted(
        "step task question remaining",
        r"\b(?:the |our |my )?(?:next step|current task|open question|remaining (?:work|steps?|tasks?))\b"
        r"[^.!?\n]{0,20}(?: is\b| are\b|:)",
    ),
    Hinted(
        "step steps phase",
        r"\bsteps? \d+(?:\s?[-–]\s?\d+)? (?:of \d+ )?(?:is|are) (?:done|complete|finished|left)\b|\bphase \d+ of \d+\b",
    ),
    Hinted("awaiting waiting blocked", r"\b(?:awaiting|waiting (?:for|on)|blocked (?:by|on))\b"),
    Hinted(
        "branch remember mind",
        r"\bbranch [\w./-]+ (?:is|was|must|stays?)\b|\bremember(?: that)?\b|\bkeep in mind\b",
    ),
    Hinted(
        "fyi note reminder for",
        r"^(?:fyi|note(?: that)?|reminder|for (?:your )?(?:info\w*|reference|context))\b",
    ),
)
# A thing and what it is called, where it is or when it is due: something that can be named exactly.
_THING = (
    r"(?:(?-i:https?://\S+|\b\w[\w-]*(?:\.[\w-]+)+(?:/\S*)?|\b[A-Z]{4,}(?:-\w+)?\b|\b[A-Z]\w*-\d+|\b[A-Z][a-z]+ [A-Z][a-z]+\b)"
    r"|(?-i:\b[A-Z]\w+ \d+(?:\.\d+)*\b)|\b(?=\w*[a-z])\w*\d[\w./:-]*|\b\d+(?:\.\d+)+\b|`[^`]+`|\b\w+_\w+|[$€£]\d)"
)
FACT = AnyOf(
    Hinted(
        "is are was runs running lives uses owns belongs moved renamed changed called calling named scheduled based expire "
        "expires",
        r"\b(?:is|are|was|runs|running|lives|uses|owns|belongs to|moved to|renamed to|changed to|called|calling|named|"
        rf"scheduled for|based on|expires?)\b[^.!?\n]{{0,80}}?{_THING}",
    ),
    Hinted("is owns has", r"\b(?-i:[A-Z][a-z]+ [A-Z][a-z]+) (?:now )?(?:is|owns|has)\b"),
)
NO_FACT = pattern(
    r"^(?:it|this|that|there|here|what|which|who|why|how|where|when|if|I|you|they|iiuc)\b",
    r"^(?:maybe|ok|so|let|can|could|now|also|and|but|nothing)\b",
    r"\b(?:fail\w*|errors?|broken|bugs?|wrong|issues?|problems?|crash\w*|not work\w*)\b",
    r"\b(?:doesn't|isn't|aren't|should|want|need|please|add)\b",
    r"^(?:create|make|write|build|generate|implement|imagine|alternatively)\b",
)

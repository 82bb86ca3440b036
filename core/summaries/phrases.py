"""The words that decisions, findings, intents, objections and commands are known by."""

import re

from core.summaries.hints import OTHER, AnyOf, Hinted, pattern

# Where a decision or a finding may stand, by what they have in common: only the sentences around these are looked at.
Near = dict[str, tuple[str, ...]]
DECIDED_NEAR: Near = {
    "deci": ("decid", "decision"), " instead": (" instead",), "chose": ("chose",), "settled on": ("settled on",),
    "going with": ("going with",), "go with": ("go with",), "go for": ("go for",), "stick": ("stick",),
    "ll use": ("'ll use", "will use"), "ll keep": ("'ll keep", "will keep"), "let's ": ("let's use", "let's keep"),
}  # fmt: skip
_NO_REASON = r"(?<!because )(?<!becaue )(?<!becuase )(?<!cause )(?<!since )"  # "because I will use it" decides nothing
DECIDED = Hinted(
    "decided chose settled opted decision going use go keep stick instead",
    r"\b(?:I|we)(?:'ve| have)? (?:decided|chose|settled on|opted)\b",
    r"\bdecided (?:to|on|against|that)\b|\bdecision(?: is)?:|\bsettled on\b|\bgoing with\b",
    _NO_REASON
    + r"\b(?:I|we)(?:'ll| will) (?:use|go with|keep(?! (?:going|moving|working|looking|on|you)\b)|stick (?:to|with)|go for)\b",
    r"\blet's (?:go with|use|keep|stick)\b|\b(?:I|we|let's|please)\b[^.!?\n]{2,70} instead(?! of)\b",
)

# The user turns down what was done or proposed, and says what is to be instead: "no, remove this again, the link may change".
TURNED_DOWN_NEAR: Near = {"no": ("no ", "no, ", "nope")}
TURNED_DOWN = Hinted(
    "no nope",
    r"^(?:no|nope)(?:,|(?= (?:please|just|let's|we|I|to|it|this|that|them|remove|revert|undo|don't|rename)\b)) "
    r"(?:please |just |let's |we should |(?:I|we) (?:want|need|prefer) )?"
    r"(?:(?:to |it |this |that |them )?(?:remove|revert|undo|drop|take|put|keep|leave|use|make|do|don't|rename|move|call|go)\b"
    r"(?! (?:it|that|this)?\W*$))",
)

# In a short reply the user rules something out, "I think by file is too much", or lets it be: "ok, do nothing, and push".
_SO = r"^(?:(?:ok(?:ay)?|yes|yeah|no|nah|hmm+|alright|right|then|so|and|but|well)\b,? ?)*"
RULED_OUT = AnyOf(
    Hinted(
        "too to",
        rf"{_SO}(?:I (?:think|guess|feel|believe)|imo|for me)\b,? (?!(?:that|this|it)\b)[^.!?\n]{{2,80}}"
        r"\b(?:is|are|would be|seems?|feels?) (?:just |way |a bit |far |really )?"
        r"too? (?:much|complex|complicated|risky|fragile|heavy|invasive|expensive)\b",
    ),
    Hinted(
        "feasible worth viable practical realistic necessary option",
        r"(?:\b(?:is|are|it's|that's|would be|seems?)(?: really| just)? not|n't) (?:really |actually |just )?"
        r"(?:feasible|worth (?:it|the)|realistic|viable|practical|necessary|an option)\b",
    ),
    Hinted("need", rf"{_SO}(?:there(?:'s| is) )?no need (?:to|for) \w+"),
)
LET_BE = Hinted(
    "nothing keep leave skip drop forget",
    _SO + r"(?:(?:let's|we|you|can|just|please) )*"
    r"(?:do nothing|(?:keep|leave|skip|drop|forget) (?:it|that|this|them)(?: (?:as is|as it is|alone|out|then|for now))?)"
    r"(?=$|[,.;!])",
)

FOUND_NEAR: Near = {
    "cause": ("root cause", "cause is", "cause was"), "turns out": ("turns out",), "found ": ("found it", "found the"),
    "problem ": ("problem is", "problem was"), "issue ": ("issue is", "issue was"), "culprit": ("culprit",),
    "bug ": ("bug is", "bug was"), "reason ": ("reason is", "reason was"),
}  # fmt: skip
FOUND = Hinted(
    "cause turns problem issue bug culprit reason",
    r"\broot cause\b[^.!?\n]{0,40}(?: is| was|:)|\bturns out\b",
    r"\bthe (?:actual |real |core |main )?(?:problem|issue|bug|culprit|cause|reason) (?:is|was|lies)\b",
)
# No finding: it is only supposed, or over.
SUPPOSED = pattern(
    r"\b(?:whether|maybe|perhaps|might|possibly|probably|likely|seems?|suspect|let me|resolved|fixed|gone)\b",
    r"\b(?:may|could) be\b|\b(?:check|see|verify|know|sure|determine|confirm|tell) if\b",
)

INTENT = pattern(
    r"(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me(?! know)|let's|i'll(?! be\b| wait)|i will(?! be\b| not\b| wait)|i'm going to|i am going to"
    r"|i need to(?! know| note)|i should(?! note| mention| have| also (?:note|mention))|i can now|time to|next step|we need to"
    r"|now (?:i(?:'ll)?|run|check|add|update|fix|write|look|verify|test|lint|pull|for|to)|\w+ing (?:now|next))\b"
)
LEAD_IN = pattern(
    r"^(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me|i'll|i will|i'm going to|i am going to|i need to|we need to)\s+(?:now |also |first |then )?"
)
ACKNOWLEDGED = pattern(
    r"(?:ok(?:ay)?|yes|no|y|n|thanks?(?: you)?|go on|go ahead|continue|please continue|sure|great|perfect|done|good"
    r"|hi|hello|hey|hi there|hello there)(?: thanks?(?: you)?)?\W*"
)
ONLY_NOTED = pattern(
    r"(?:(?:acknowledged|noted|understood|got it|ok(?:ay)?|sure|of course|will do|recorded|you're welcome|thanks?)\b"
    r"(?: and \w+)?[.,!]*\s*)+"
    r"(?:(?:continuing|proceeding|moving on|going on|i'll (?:continue|proceed|go on))\b[^.!?]*)?\W*",
    r"(?:great|good|excellent|interesting|fair) (?:question|point|idea|thinking|catch|call)\W*",
)
_FAILS_ELSEWHERE = (
    r"(?:\b(?:schl(?:agen|ägt)\b[^.!?\n]{0,40}\bfehl|scheiter(?:t|n)|fehlgeschlagen|kaputt|fallan(?:do)?|falla|fallaron|"
    r"échou\w+|falham?|fallisc\w+|пада(?:ет|ют)|упал[аи]?|сломан\w*)\b|失败|失敗|报错|没通过|未通过|落ちる|실패)"
)
_FAILS_ELSEWHERE_HINTS = (
    f"fehl scheitert scheitern fehlgeschlagen kaputt fallan fallando falla fallaron falha falham fallisc* {OTHER}"
)
# The user does not accept what was said last; or the reply takes back what an earlier one said.
OBJECTS = AnyOf(
    Hinted(
        "",
        r"no\b(?! (?:problem|worries|need|new|other|external|further)\b)",
        r"(?:nope|wrong|but|actually|wait|hmm+|revert|undo|are you sure|i don't think)\b",
        r"(?:that|this|it)(?:'s| is|'re)? (?:still|not|wrong|incorrect|isn't|doesn't|does not|didn't|fails?)\b",
        r"not (?:what|quite|right|true)\b|you (?:forgot|missed|broke|didn't)\b",
        r"(?:the |my )?(?:actual |real )?(?:problem|issue|bug|cause) (?:is|was)\b|(?:error|traceback|failed)\b",
        r"(?:nein|nee|nej|doch|falsch|aber|stimmt nicht|non|mais|faux|pero|não|mas|errado|errato|ma|nie|ale)\b(?!-)",
        r"(?:нет|не|но|неверно|неправильно)\b|不(?!客气|用谢)|没有?(?!问题|關係|关系)|错|錯|いいえ|いや|違|ちが|아니|아뇨|틀렸",
    ),
    Hinted(
        "still",
        r".{0,120}\bstill (?:not|seems?|fails?|failing|broken|see\w*|gets?|getting|has|have|the same|doesn't|isn't|an issue)\b",
    ),
    Hinted("not doesn didn", r".{0,120}\b(?:doesn't|does not|didn't|did not|not) work"),
    Hinted(
        f"nicht immer pas no sigue* funziona {OTHER}",
        r".{0,120}\b(?:stimmt (?:so )?nicht|(?:geht|läuft|laufen|funktioniert) (?:immer noch |noch )?nicht|immer noch|"
        r"ne (?:marche|fonctionne|passe)\w* pas|toujours pas|no (?:funciona|pasan?|es cierto)|sigue\w* (?:sin|fall)\w*|"
        r"não (?:funciona|passa)|non funziona|не (?:работа\w+|проход\w+)|вс[её] ещ[её])\b",
    ),
    Hinted(OTHER, r".{0,120}(?:还是|仍然|不行|不对|不對|不是|違い|違う|まだ|動かない|여전히|안 ?돼)"),
    Hinted(_FAILS_ELSEWHERE_HINTS, rf".{{0,120}}{_FAILS_ELSEWHERE}"),
)
RETRACTS = AnyOf(
    Hinted(
        "",
        r"(?:oh,? |ah,? )?(?:you're (?:absolutely |completely |quite )?right|i was wrong|i stand corrected|good catch)\b",
        r"(?:my (?:mistake|bad|apologies)|(?:i'm )?sorry|apologies|i apologi[sz]e|correction)\b",
        r"i (?:misread|misunderstood|missed|overlooked)\b|(?:actually|wait|hmm+|on second thought|on closer look)\b",
        r"(?:tatsächlich|entschuldig\w+|tut mir leid|mein fehler|(?:du hast|sie haben) recht|lo siento|perdón|"
        r"tienes razón|en realidad|désolée?|(?:tu as|vous avez) raison|en fait|na verdade|извини\w*|(?:ты|вы) правы?)\b",
        r"抱歉|对不起|你说得对|您说得对|其实|申し訳|すみません|ご指摘|実は|죄송|사실",
    ),
    Hinted(
        "contrary earlier early before that wrong mistaken premature",
        r".{0,80}\b(?:contrary to what|i (?:said|claimed|stated|told you) (?:earlier|before|that)|"
        r"was (?:wrong|mistaken|premature|too early))\b",
    ),
)
# What a reply claims to have reached: anything that fails later makes it doubtful.
SUCCESS = pattern(
    r"\b(?:pass(?:es|ed|ing)?|works?|working|fixed|done|complete[ds]?|success\w*|green|ready|resolved|clean(?:ly)?)\b|✅",
    r"\b(?:laufen|läuft|bestanden|bestehen|funktionier(?:t|en)|behoben|repariert|fertig|erledigt|erfolgreich|grün|"
    r"pasan|pasaron|funcionan?|arreglad[oa]s?|corregid[oa]s?|list[oa]s?|hecho|terminad[oa]s?|passent|fonctionn\w+|"
    r"corrigée?s?|réussi\w*|terminée?s?|passam|corrigid[oa]s?|pront[oa]s?|проход\w+|исправлен\w*|работает|готов\w*)\b",
    r"通过|修复|完成|成功|正常|修正し|直り|通り|完了|통과|완료|수정",
)
# What says that something fails; and what says so only for the case that it does.
FAILS = Hinted(
    "fail fails failed failing failure failures broken breaks broke crash crashes crashed crashing regress* not t "
    + _FAILS_ELSEWHERE_HINTS,
    r"\b(?:fail(?:s|ed|ing|ures?)?|broken|breaks|broke|crash(?:es|ed|ing)?|regress\w*|not pass)\b",
    r"\b(?:doesn't|does not|do not|don't|isn't|not) (?:work|pass|build|compile)(?:ing)?\b",
    _FAILS_ELSEWHERE,
)
SUPPOSES = pattern(
    r"\b(?:if|when|whenever|unless|until|whether|in case|should|would|could|might|may|falls|wenn|si|если)\b",
    r"\b(?:no|zero|0|without|any|none) (?:\w+ )?(?:fail\w*|errors?|tests? fail\w*)\b|\b(?:previously|formerly|used to)\b",
    r"\b(?:no longer|never) (?:fail|break|crash)\w*",
)
DENIES = Hinted(
    "not never cannot longer t incorrect wrong false fine ok okay innocent",
    r"\b(?:not|never|cannot|no longer|isn't|aren't|wasn't|doesn't|don't|didn't|can't|won't|hasn't|incorrect|wrong|false)\b",
    r"\b(?:is|are|was|were|looks?) (?:fine|ok(?:ay)?|innocent)\b",
)

SUMMARY_HEADER = re.compile(r"\[[^\]\n]{0,80}summary[^\]\n]{0,80}\]", re.IGNORECASE)
SLASH = re.compile(r"(/[A-Za-z][\w:.-]*)(?:\s+(.*))?", re.DOTALL)
HOUSEKEEPING = (
    "/compact", "/clear", "/model", "/resume", "/exit", "/quit", "/cost", "/context", "/login", "/logout", "/mcp", "/effort",
    "/mode", "/permissions", "/status", "/help", "/theme", "/agents", "/memory", "/config", "/doctor", "/vim", "/hooks", "/ide",
    "/usage", "/export", "/rename", "/new", "/undo", "/redo", "/settings", "/approvals", "/sandbox", "/fast", "/plan",
)  # fmt: skip
INTERRUPTED, CAVEAT = "[Request interrupted", "Caveat:"

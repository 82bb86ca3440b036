"""Lists of words: those that say little, those that deny, those that are opposites."""

from collections.abc import Iterator

_EMPTY = """
a an and are as at be been being but by can could did do does doing for from had has have having he her here him his how i
if in into is it its itself just me more most my of on once or other our out own s same she should so some such t than that
the their them then there these they this those through to too under up us very was we were what when where which while who
whom why will with would you your about after again all also am any because before between both each few further re ve ll d
m via per etc eg ie not no nor only over until down off above below during against
haha hahaha lol lmao wtf omg fuck fucking shit damn huh hmm hmmm nah nahh ugh oops wow
"""
_TELLING = """
user users assistant agent model asked asks ask requested requests request wanted wants want said says explained explains
identified identify discussed discussion provided provide currently current various several including include includes
included specific following primary key main implementation implemented implement ensure ensured needed needs need note
noted successfully complete completed details detail summary context session work working use used uses using now first
second third final finally next new like well created create creates made make makes added add adds updated update updates
modified modify changed change changes read shows show showed showing found find
"""
_FILLING = """
must should shall might may maybe please ok okay yes yeah sure good great right let think thought obviously actually basically
just really thing things something stuff lot bit kind want wait consider
"""
_OUTCOMES = """
rejected declined refused failed deleted removed reverted disabled forbidden excluded without never last unable abandoned
cancelled postponed deferred skipped ignored dropped broken crashed wrong incorrect impossible against despite stopped
"""
_OPPOSITES = """
pass fail|passed failed|passes fails|success failure|succeeded failed|include exclude|includes excludes
including excluding|before after|add remove|added removed|adds removes|create delete|created deleted|enable disable
enabled disabled|allow forbid|allowed forbidden|true false|first last|immediate lazy|immediately later
immediate deferred|increase decrease|increased decreased|keep drop|kept dropped|kept removed|kept deleted|keeps removes
stays deleted|stays moved|always never|accept reject|accepted rejected|accepted declined|agreed declined|open close
opened closed|start stop|started stopped|public private|internal external|required optional|sync async
synchronous asynchronous|same different|show hide|shown hidden|valid invalid|with without|single separate
single separately|together separately|once twice|push pull|import export|minimum maximum|local remote|encrypt decrypt
encrypted plaintext|manual auto|manual automatic|interactive non-interactive|up down|left right|upgrade downgrade
more less|more fewer|faster slower|larger smaller|longer shorter|higher lower|above below|read write|reader writer
readers writers|reading writing|ascending descending|only all|unit e2e|unit integration|approved rejected|approve reject
wanted declined|exact approximate|static dynamic|global local|client server|input output|request response|old new
done pending|completed pending
"""
_IRREGULAR = """
kept keep|took take|taken take|said say|wrote write|written write|gave give|given give|made make|went go|gone go|ran run
found find|chose choose|chosen choose|choice choose|told tell|broke break|broken break|sent send|built build|left leave
lost lose|loss lose|held hold|thought think|meant mean|grew grow|grown grow|began begin|begun begin|got get|saw see|seen see
came come|knew know|known know|stood stand|spoke speak|threw throw|thrown throw|decision decide|division divide|failure fail
success succeed|proof prove|analysis analyze|response respond|paid pay|bought buy|brought bring|caught catch|dealt deal
drew draw|drawn draw|drove drive|driven drive|fell fall|fallen fall|felt feel|forgot forget|forgotten forget|hid hide
hidden hide|led lead|read read|rose rise|sat sit|sold sell|sought seek|spent spend|understood understand|won win
used use|using use|refactored refactor|refactoring refactor|tailored tailor|tailoring tailor|monitored monitor
monitoring monitor|mirrored mirror|mirroring mirror
"""
_LONG = 6  # letters of a word that a slip leaves known


def swapped(word: str) -> Iterator[str]:
    """A word with two letters beside each other swapped, at each place."""
    return (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))


def shortened(word: str) -> Iterator[str]:
    """A word with one letter left out, at each place."""
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


def slips_of(word: str) -> Iterator[str]:
    """How a word is mistyped most often: with two letters swapped, or one left out."""
    yield from swapped(word)
    yield from shortened(word)


EMPTY = frozenset(one for word in _EMPTY.split() for one in (word, *(slips_of(word) if len(word) >= _LONG else ())))
"""Words that say nothing, long ones also mistyped ("becaue")."""
TELLING = frozenset(_TELLING.split())
FILLING = frozenset(_FILLING.split())
"""Words by which somebody asks for something, or thinks aloud."""
OUTCOMES = frozenset(_OUTCOMES.split())
"""Words for what came of something: a source that has none of them does not speak of that."""
OPPOSITES = tuple(tuple(pair.split()) for line in _OPPOSITES.split("\n") for pair in line.split("|") if pair)
IRREGULAR = dict(pair.split() for line in _IRREGULAR.split("\n") for pair in line.split("|") if pair)
"""Forms of English words that do not begin as the word itself does."""

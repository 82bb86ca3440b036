"""The script of the demo agent, reply by reply: why loan-desk, the folder shipped with it, charges a day too little.

Texts may hold {answer}, the end of the newest tool result, {rules}, which rules are in the window, {account}, the same rule by
rule, {verdict}, the last line if its rule is in the window, and {window}, the size of the window.
"""

from typing import Any, NamedTuple

Call = tuple[str, dict[str, Any]]


class Step(NamedTuple):
    """One reply: its text and its tool calls."""

    text: str
    calls: tuple[Call, ...] = ()


def _listing(path: str = ".") -> Call:
    return "list_files", {"path": path}


def _read(path: str, **lines: int) -> Call:
    return "read_file", {"path": path, **lines}


def _find(pattern: str, path: str = ".", **how: bool) -> Call:
    return "search_files", {"pattern": pattern, "path": path, **how}


def _work_out(expression: str) -> Call:
    return "calculate", {"expression": expression}


def _note(text: str) -> Call:
    return "add_note", {"text": text}


def _step(text: str, *calls: Call) -> Step:
    return Step(text, calls)


_CAUSE = """The cause is one line. daysBetween in src/dates.js takes the difference of two local midnights, divides it by \
24 hours and rounds down. Since 2.3.0 days are local, and the day on which the clocks go forward has 23 hours: six days \
around 29 March 2026 are 5.958 days, and become five. In autumn a day has 25 hours, which rounding down forgives, so nobody \
saw it before. Four loans of the export were out over that day and below the ceiling: L-2041, L-2044, L-2050 and L-2052, 1.50 \
too little together.

The smallest fix: Math.round instead of Math.floor in that line. The difference is never more than an hour off whole days, so \
the nearest whole number is the right one. And one test in test/dates.test.js that runs with TZ=Europe/Dublin.

What I can say about your rules, from what I can see now ({window}):
{account}
(I am a script: I know how many rules there were, and look for each in what I was sent.){verdict}"""

FIND = (
    _step("I will look at what is here before I guess.", _listing(), _listing("src"), _listing("docs")),
    _step("First what the service is, and which version this is.", _read("README.md"), _read("package.json")),
    _step("Now what a fine should be. The rules have a page of their own.", _read("docs/fines.md")),
    _step(
        "Rule 2 of that page is clear: every calendar day after the due day. I write that down.",
        _note(
            "docs/fines.md: every calendar day after the due day is charged, open or closed; a book costs 0.25 a day."
        ),
    ),
    _step("Who noticed? The complaints book may name cases.", _read("docs/complaints-2026.md")),
    _step(
        "Three loans with numbers, all returned in the first days of April. I want to see them in the export.",
        _read("data/loans.csv", lines=64),
        _find("L-2041", "data"),
    ),
    _step(
        "L-2041: due 27 March, back on 2 April. That is six days, at 0.25 a day.",
        _work_out("6 * 0.25"),
        _work_out("1.25 / 0.25"),
    ),
    _step(
        "She should have paid 1.50 and paid 1.25, as for five days ({answer}). So a day is missing, not some cents.",
        _note("L-2041, due 27 March, returned 2 April: charged 1.25 for 5 days, the rules ask for 1.50 for 6 days."),
    ),
    _step("Where is a fine worked out? I start at the public side.", _read("src/index.js"), _read("src/loans.js")),
    _step("Both ways in lead to fineFor.", _read("src/fines.js")),
    _step(
        "A stop, to see where I am. {rules} Suspects: rounding, grace days, closed days, the counting itself. Rounding first.",
        _read("src/money.js"),
    ),
    _step(
        "roundTo, done by hand for 150 cents and for 125.",
        _work_out("floor((150 + 5 / 2) / 5) * 5"),
        _work_out("floor((125 + 5 / 2) / 5) * 5"),
    ),
    _step(
        "150 stays 150 and 125 stays {answer}: rounding to 5 cents cannot take 25 away.",
        _note("Rounding (src/money.js) is innocent: it changes at most 2 cents."),
    ),
    _step(
        "Next the closed days: Good Friday was on 3 April. Is there a file of closures in the code?",
        ("read_file", {"file": "src/closures.js", "lines": "all"}),
    ),
    _step(
        "That call was wrong: the argument is called path, and lines is a number. The days are in data, I believe.",
        _read("data/closures.csv"),
        _find("closures"),
    ),
    _step(
        "Nothing reads that file, and L-2041 came back before Good Friday. Then grace days.",
        _read("src/members.js"),
        _find("graceDays"),
    ),
    _step("Who has grace days is in the configuration.", _read("config/desk.json")),
    _step(
        "Only staff, and three days, not one. M-163 is an adult. Two more suspects are gone.",
        _note("Closed days and grace days are innocent: nothing reads closures.csv, and only staff have grace days."),
    ),
    _step(
        "Now the rows that I have not seen, to find what the short ones share.",
        _read("data/loans.csv", start_line=65, lines=64),
    ),
    _step("And the last of them.", _read("data/loans.csv", start_line=129, lines=64)),
    _step(
        "I look at returns around the end of March more closely.",
        _find(r",2026-0(3-2[5-9]|3-3|4-0).*,\d+\.\d\d$", "data/loans.csv", regex=True),
    ),
    _step(
        "By hand: L-2044 is ten days at 0.25, L-2052 six days of a film, L-2050 two days of a film.",
        _work_out("10 * 0.25 - 2.25"),
        _work_out("6 * 0.50 - 2.50"),
        _work_out("2 * 0.50 - 0.50"),
    ),
    _step(
        "Each is short by exactly one day. L-2055, late by six days in April, was charged for six.",
        _note(
            "Short by one day: L-2041, L-2044, L-2050, L-2052. All were due before 29 March 2026 and came back after it. "
            "L-2055, six days within April, is right."
        ),
    ),
    _step("What happened on 29 March? The log of the desk.", _read("data/desk-log.txt")),
    _step("The clock was set forward. So it is the counting of days. The file for that:", _read("src/dates.js")),
    _step(
        "Days are local midnights, and daysBetween divides by 24 hours and rounds down. Six days with a day of 23 hours:",
        _work_out("6 * 24 * 60 * 60 * 1000 - 60 * 60 * 1000"),
        _work_out("(6 * 24 - 1) / 24"),
    ),
    _step("{answer} days, and the floor of that is five.", _work_out("floor((6 * 24 - 1) / 24)")),
    _step(
        "That is the cause, I think. I write it down before I go on to check it.",
        _note(
            "Cause: daysBetween in src/dates.js floors the difference of local midnights; 29 March 2026 has 23 hours, "
            "so a day is lost."
        ),
    ),
    _step(
        "Why did no test see it? {rules}",
        _read("test/dates.test.js"),
        _find("2026-03", "test"),
    ),
    _step(
        "No test crosses that day, and the build machine runs in UTC. The tests of the fines too:",
        _read("test/fines.test.js"),
    ),
    _step("Since when? The changes may say.", _read("CHANGELOG.md")),
    _step("2.3.0 made days local. There is a page on that decision.", _read("docs/decisions/004-local-time.md")),
    _step(
        "They meant to look at every place that subtracts days, and did not. Which places are there?",
        _find("daysBetween"),
        _find("DAY_MS"),
    ),
    _step("The report has its own counting, in UTC. That is why the auditors were right.", _read("src/report.js")),
    _step(
        "Receipts use daysBetween as well: one fix mends both.",
        _read("src/receipts.js"),
        _note("receipts.js counts with daysBetween too; report.js counts in UTC and is right. Since 2.3.0."),
    ),
    _step(
        "Autumn must not break: there a day has 25 hours. Six days then, rounded down and to the nearest.",
        _work_out("floor((6 * 24 + 1) / 24)"),
        _work_out("round((6 * 24 + 1) / 24)"),
    ),
    _step("Both give {answer}. And spring to the nearest:", _work_out("round((6 * 24 - 1) / 24)")),
    _step(
        "{answer}: rounding to the nearest is right in both. The longest loan next: 101 days, does the ceiling hold?",
        _read("src/fines.js", start_line=14, lines=8),
        _work_out("min(20.00, 101 * 0.25)"),
    ),
    _step(
        "It does, at {answer}. Does the fix keep to the page on fines? I read the rules once more.",
        _read("docs/fines.md", start_line=6, lines=30),
    ),
    _step("And would it answer each complaint? {rules}", _read("docs/complaints-2026.md"), _read("src/loans.js")),
    _step("It would. What the four paid too little, together:", _work_out("0.25 + 0.25 + 0.50 + 0.50")),
    _step(
        "{answer} in all.",
        _note("Fix: Math.round instead of Math.floor in daysBetween. The four loans are 1.50 short together."),
    ),
    _step("Before I answer I read my notes: my window may have forgotten what they say.", ("read_notes", {})),
    _step(_CAUSE),
)

_PATCH = """The patch:

```diff
--- a/src/dates.js
+++ b/src/dates.js
@@
 /** Whole days from one day to a later one; 0 if it is not later. */
 export function daysBetween(from, to) {{
-  return Math.max(0, Math.floor((to - from) / DAY_MS));
+  // Local midnights: the day the clocks change has 23 or 25 hours, so the nearest whole number is the count.
+  return Math.max(0, Math.round((to - from) / DAY_MS));
 }}
--- a/test/dates.test.js
+++ b/test/dates.test.js
@@
+test("days are counted over the change of the clocks", () => {{
+  assert.equal(days("2026-03-27", "2026-04-02"), 6);
+  assert.equal(days("2026-10-23", "2026-10-29"), 6);
+}});
```

The test shows something only with TZ=Europe/Dublin, so package.json should set that for npm test. I have changed no file: my \
tools only read.

Your rules, as far as I can see them now ({window}):
{account}{verdict}"""

PATCH = (
    _step(
        "For a patch I need the lines as they are, not as I remember them.",
        _read("src/dates.js", start_line=26, lines=12),
    ),
    _step("And who depends on them.", _find("daysBetween", "src"), _find("Math.floor", "src")),
    _step("The test file, to put a test where its kind are.", _read("test/dates.test.js", start_line=18, lines=14)),
    _step(
        "The numbers the new test asks for, over spring and over autumn.",
        _work_out("round((6 * 24 - 1) / 24)"),
        _work_out("round((6 * 24 + 1) / 24)"),
    ),
    _step("How the tests are started, for the time zone.", _read("package.json")),
    _step("Does the page on fines have to change? {rules}", _find("midnight", "docs")),
    _step(
        "It does not. I note what I am going to hand over.",
        _note("Patch: Math.round in daysBetween, one test over both changes."),
    ),
    _step(_PATCH),
)

_OWED = """Four borrowers were charged too little, 1.50 together: M-163 0.25 (L-2041), M-201 0.25 (L-2044), M-240 0.50 \
(L-2050), M-090 0.50 (L-2052). L-2047 was out over the same day, but is at the ceiling, which is what it should cost.

docs/fines.md lets a borrower pay the smaller amount where the desk and the web shop differ; whether to ask for the rest is \
for you to say.

Your rules, as far as I can see them now ({window}):
{account}{verdict}"""

OWED = (
    _step("I look the four loans up again.", _find(r"^L-20(41|44|47|50|52),", "data/loans.csv", regex=True)),
    _step(
        "What they should have cost, less what they paid.",
        _work_out("(1.50 - 1.25) + (2.50 - 2.25) + (1.00 - 0.50) + (3.00 - 2.50)"),
    ),
    _step(
        "{answer}. Is there a rule on asking for it afterwards?", _find("smaller amount", "docs"), ("read_notes", {})
    ),
    _step(_OWED),
)

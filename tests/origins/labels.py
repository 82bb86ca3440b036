"""Labels on summaries of the shared transcripts: where true sentences come from, and false sentences written for this.

Nothing of a transcript stands here: a sentence is named by a digest of its text, a message by its place in the trace's pool.
`TRUE`: file, compaction from 0, {sentence: places of its true sources}, read by hand; those that stand last in each were drawn
by lot, up to four of a summary, and those without a source in the file left out. Their sources were read among the messages
that share words with them, so they tell more of the verdicts than of the ranks.
`PLANTED`: file, compaction, (kind, sentence); each is wrong in one thing, or invented. A third of both is held out: nothing was
tuned by it.
"""

import hashlib

CIPHER = "claude-code/12f1f541-2a05-4a60-a551-14b836a1ad82.jsonl"
BAIL = "claude-code/198393f2-22db-477b-ac77-1825bea883ae.jsonl"
LINES = "claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl"
SITE = "claude-code/6c0a282a-886f-458d-a426-93d95104b4a6.jsonl"
HOOKS = "claude-code/dfbb4922-3529-4eab-a5dc-3c8d30b7c660.jsonl"
BRIDGE = "opencode/ses_277daa810ffePOBsdfS6gm8uA2.json"
SKILLS = "pi/2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl"
MODES = "pi/before-compaction.jsonl"
SUMMARY = 50_000_000  # the place of the first summary; the next one stands behind it

TRUE: tuple[tuple[str, int, dict[str, tuple[int, ...]]], ...] = (
    (
        CIPHER,
        0,
        {
            "ab064734f2": (59, 60, 100),
            "d8e28ce45e": (14, 59, 60, 100, 105),
            "eb539e91a9": (59, 60, 100),
            "3cd16d6a62": (14, 100),
            "58ee79927f": (100,),
            "8bf714b82a": (104,),
            "4f0cccb13b": (45,),
            "6186feb23d": (97, 98),
            "dbfadcfdd7": (45, 46),
        },
    ),
    (
        BAIL,
        0,
        {
            "484939f2d2": (15, 16),
            "d6bbb76cb0": (14, 15, 16),
        },
    ),
    (
        LINES,
        0,
        {
            "aa2fa81204": (55, 56),
            "eebb077f99": (112, 114, 115),
            "f28f6a7508": (49, 50, 67, 80, 82, 83, 102),
            "21ae8d3ae2": (52, 67, 80, 82, 83, 92, 102),
            "a3854f02f3": (39, 80, 82, 83),
            "413ff5be5a": (65, 67, 80, 82, 83, 106, 108, 109, 110, 111),
            "87171e6389": (55,),
            "17ee3a9ab2": (67, 80, 82, 83, 102),
            "72f3b9833d": (20, 22, 42),
            "ec420f6697": (80, 82, 83),
        },
    ),
    (
        LINES,
        1,
        {
            "89a16702ac": (212, 216, 218, 254),
            "1199f00c3e": (218, 254),
            "c41e2684f9": (170, 200),
            "6b3e1118b3": (152, SUMMARY),
            "bad6651af5": (135,),
            "cc5efddee2": (153,),
            "fe96b92078": (119, 120),
            "33b16b408f": (210, 212, 254),
            "1c0846c528": (275,),
            "a3d76ff5f6": (67, 114, 230),
        },
    ),
    (
        LINES,
        2,
        {
            "a781d4313e": (276, SUMMARY + 1),
            "cbe408b0bc": (380, 382, 386, 408),
            "a103ec4a42": (467, 468, 470),
            "c909797e82": (294, 295, 296, 297, 303, 408),
            "45e2ad8c05": (386, 408),
            "8069aaad3f": (385, 386),
            "92d5fc1cde": (277,),
            "e147cae5ed": (322, 408),
            "5ccc722444": (344, 380, 408),
            "c411c96c3a": (396, 398),
        },
    ),
    (
        SITE,
        0,
        {
            "2c7a940b3f": (124, 131),
            "300036a9db": (155,),
            "5e0106022f": (215, 264, 267, 268),
            "c6c20805f5": (169, 170),
            "8570f453a7": (218, 219, 227, 230, 256),
            "df7d01bd4c": (218, 230, 238),
            "4165f53f23": (1,),
            "8d1da497bd": (155, 158, 159, 171),
            "6c02945f52": (159, 177),
            "6c3ff912e7": (155, 159),
        },
    ),
    (
        HOOKS,
        0,
        {
            "eb321b4484": (113,),
            "0331c01b5f": (77, 87, 92),
            "9b5148d459": (109,),
            "4a21d37c67": (109,),
            "8133027450": (113,),
            "e9bc93ca66": (83,),
            "7b2435349e": (93, 94),
            "4cf08ac2fc": (28, 30, 34, 38),
        },
    ),
    (
        BRIDGE,
        0,
        {
            "0f38208682": (29, 81, 85),
            "c9a9083dbe": (85,),
            "651d386684": (85, 89),
            "1998aad9d4": (89,),
            "8125d5cfe4": (89,),
            "d41073d6ec": (82, 85, 89),
            "6eebb54027": (83, 87, 88),
            "a3db22ba6b": (18,),
            "9d672a0415": (85, 89),
        },
    ),
    (
        SKILLS,
        0,
        {
            "6cb847e6d6": (127, 139, 159, 169),
            "d61199e162": (205, 206, 207, 208, 209, 210, 211),
            "2fc5dff978": (121, 130),
            "5ec785701b": (60, 61, 67, 76, 207),
        },
    ),
    (
        MODES,
        0,
        {
            "5460fb0bb4": (182, 184, 185, 186, 187, 188),
            "80177b5cbf": (20, 24, 52, 69, 70, 353),
            "9ebb476fd8": (20, 249, 250, 253, 254, 258),
            "1daca984d4": (20, 100, 269, 275, 276, 353),
            "ae85f332d7": (20, 102, 103, 347),
            "9b30a8facf": (20, 102, 107),
            "1ec6cc6676": (107,),
            "0de8f71cc1": (20, 102, 107),
            "839cfb023e": (23, 35, 49, 70, 112, 350),
        },
    ),
    (
        MODES,
        1,
        {
            "ce6b7154ce": (351, SUMMARY),
            "298ba26aff": (366, SUMMARY),
            "101b95c9ce": (368, 515, 516),
            "38aa4f54b9": (517, 539),
            "82faeed696": (539, 542, 543, 544),
            "a12cb1568a": (341, 353, 366, 516, SUMMARY),
            "5cf9af994e": (543, 546, 597),
            "a21c97f128": (SUMMARY, 39, 96, 366),
        },
    ),
)

PLANTED: tuple[tuple[str, int, str, str], ...] = (
    (CIPHER, 0, "file", "The decisions went into `.planning/phases/15-user-to-user-sharing/15-CONTEXT.md`."),
    (CIPHER, 0, "number", "I analyzed Phase 14 and presented 7 gray areas; the user selected all of them."),
    (CIPHER, 0, "name", "The design was made in the Figma MCP, option A, terminal command style."),
    (CIPHER, 0, "inverted", "Readers get the IPNS private key, so they can re-share what they received."),
    (CIPHER, 0, "inverted", "On revoke the key rotation is immediate, not lazy."),
    (CIPHER, 0, "swapped", "Claude asked the user whether the pencil mcp is down."),
    (CIPHER, 0, "invented", "Shared links expire after thirty days unless the owner renews them."),
    (LINES, 0, "number", "`cmd/entire/cli/checkpoint/committed.go` is changed in line 412."),
    (LINES, 0, "file", "The calculation stands in `cmd/entire/cli/strategy/auto_commit_attribution.go`."),
    (
        LINES,
        0,
        "swapped",
        "The agent noted that a later amend cannot be tracked, and the user added the prefix `initial_`.",
    ),
    (LINES, 1, "number", "GitHub showed +482 lines, the attribution showed 4617 lines."),
    (LINES, 1, "inverted", "For auto-commit the attribution is always filled in, as 100 %."),
    (LINES, 1, "inverted", "The serialization tests in `checkpoint_test.go` were kept, the strategy tests removed."),
    (LINES, 2, "name", "Prompt attributions are stored in `CheckpointState.PromptAttributions`."),
    (LINES, 2, "inverted", "The calculation includes the `.entire/` metadata directory."),
    (LINES, 2, "invented", "A nightly job computes the attribution of all old commits again."),
    (SITE, 0, "number", "The row of 14 shells names bash, cmd, elvish, fish, nu, powershell, xonsh, yash and zsh."),
    (SITE, 0, "file", "One pointer line was appended to `CLAUDE.md`."),
    (SITE, 0, "inverted", "An SVG loaded as `<img>` can see the page CSS and fetch external fonts."),
    (SITE, 0, "name", "The verification greps would hit `node_modules/bootstrap`, which defines `.hero__title`."),
    (SITE, 0, "invented", "A service worker caches the hero image for visitors that are offline."),
    (HOOKS, 0, "number", "SaveChanges took ~20-26ms of each stop hook."),
    (HOOKS, 0, "number", "The timing was taken in the entire.io repo with 581 files."),
    (HOOKS, 0, "file", "Timing instrumentation was added to `hooks_geminicli_handlers.go` and needs removal."),
    (HOOKS, 0, "inverted", "The user declined instrumentation and did not want the issues quantified."),
    (HOOKS, 0, "inverted", "ComputeNewFiles and ComputeDeletedFiles share a single git status call."),
    (
        HOOKS,
        0,
        "swapped",
        "I told the user to fetch the remote entire/sessions branch and to delete the local one first.",
    ),
    (BRIDGE, 0, "number", "8 new VS Code commands were added: CONFIGURE, DOCTOR, RESUME, REWIND, EXPLAIN."),
    (BRIDGE, 0, "file", "The CLI command functions were moved into `src/CommandRegistry.ts`."),
    (BRIDGE, 0, "name", "`enableEntire` uses the flag `--provider <name>` to make the CLI non-interactive."),
    (BRIDGE, 0, "invented", "Telemetry of every command is sent to a PostHog project."),
    (SKILLS, 0, "inverted", "The commit includes `pi/settings.json`."),
    (SKILLS, 0, "number", "`pi/skills/meta/pi-skill-creator/SKILL.md` has 512 lines now."),
    (SKILLS, 0, "invented", "A GitHub action checks the length of every skill on each pull request."),
    (MODES, 0, "number", "`AgentSession` stands in `agent-session.ts` (1,885 lines)."),
    (MODES, 0, "file", "WP12 created `src/modes/json-mode.ts`."),
    (MODES, 0, "inverted", "The user prefers unit tests only, no E2E tests."),
    (MODES, 0, "name", "WP1 was `docker-executor.ts`."),
    (MODES, 1, "number", "`InteractiveMode` was created with 1208 lines."),
    (MODES, 1, "inverted", "`tui-renderer.ts` does not stay, it was deleted."),
    (MODES, 1, "invented", "Session files are encrypted with a key of the user before they are written."),
    (MODES, 1, "file", "`src/utils/clipboard.ts` was moved to `src/core/terminal.ts`."),
)


def digest(sentence: str) -> str:
    """What a sentence is named by here."""
    return hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest()[:10]


def held_out(*named: object) -> bool:
    """Whether a label is held out: one in three, by a digest of its name."""
    return hashlib.sha256("/".join(map(str, named)).encode()).digest()[0] % 3 == 0

"""What the papers' tables print, as reference rows beside our own numbers. Figures only, as they are printed.

Percentages stay percentages where the paper prints them so; `unit` says which. None: the paper prints nothing there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.sentences import declared

Row = tuple[float | None, ...]


@dataclass(frozen=True)
class Protocol:
    """How a paper's rows were played. suite: the one that is built after it; against: who sat at the other seats;
    models: which models of an API are that, as a pattern (empty where that cannot be told from a model's name);
    matches: how many a row has; settings: in which way ours are others than the paper's; editions: further suites that
    play the same by another edition of the paper, or by its protocol."""

    suite: str
    against: str
    models: str = ""
    matches: int = 0
    settings: str = ""
    editions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", self.settings and declared(self.settings))


@dataclass(frozen=True)
class PrintedTable:
    """A printed table. columns: the metrics of the registry that its columns are; rows: by the name of who was
    measured. unit: "%" for percentages, "" for shares and plain numbers. note: what to know before comparing."""

    name: str
    paper: str
    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Row]
    unit: str = "%"
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "note", self.note and declared(self.note))

    def of(self, row: str) -> dict[str, float | None]:
        """A row by column."""
        return dict(zip(self.columns, self.rows[row], strict=True))


M1, M2 = "MAgIC (arXiv 2311.08562v1)", "MAgIC (later edition)"
RECON, WIU, SPYGAME = "ReCon (arXiv 2310.01320)", "MPTT / WIU", "SpyGame"

GPT_4, LLAMA_2 = r"gpt-4(-\d{4})?", r"(?i).*llama-?2-70b(-chat)?.*"
PROTOCOLS: dict[str, Protocol] = {
    "magic": Protocol(
        "magic",
        "GPT-4",
        GPT_4,
        143,
        "Of the paper’s settings the first of each game is printed; the others here are made by its rule.",
        editions=("magic_m1", "magic_balanced"),
    ),
    "wiu": Protocol(
        "wiu",
        "the same profile, with gpt-3.5-turbo",
        r"gpt-3\.5-turbo.*",
        settings="The paper’s words are not all printed; the topics here come from the project’s word network.",
    ),
    "recon": Protocol("recon", "chain of thought, or ReCon, as its rows say", matches=20),
    "spygame.logs": Protocol("spygame", "GPT-4 and LLaMA2-70B-chat", matches=84),
    "spygame.strong": Protocol("spygame", "GPT-4", GPT_4, 21, "Which seven places the paper takes is not printed."),
    "spygame.weak": Protocol(
        "spygame", "LLaMA2-70B-chat", LLAMA_2, 21, "Which seven places the paper takes is not printed."
    ),
}
"""By the beginning of a table's name how its rows were played."""


def protocol_of(table: str) -> Protocol:
    """How the rows of a printed table were played."""
    return next(found for name, found in PROTOCOLS.items() if table.startswith(name))


TABLES: dict[str, PrintedTable] = {
    table.name: table
    for table in (
        PrintedTable(
            "magic.m1",
            M1,
            "Table 1: abilities",
            (
                "magic.win_rate",
                "magic.judgement",
                "magic.reasoning",
                "magic.deception.m1",
                "magic.self_awareness",
                "magic.cooperation",
                "magic.coordination",
                "magic.rationality",
            ),
            {
                "GPT-4+PGM": (63.5, 87.5, 37.8, 85.6, 86.7, 61.9, 92.3, 76.2),
                "GPT-4-turbo": (56.5, 77.5, 28.7, 67.5, 60.0, 66.7, 50.0, 78.1),
                "GPT-4": (49.3, 78.8, 36.7, 62.1, 86.7, 47.6, 100, 69.0),
                "GPT-3.5-turbo+PGM": (49.1, 65.0, 33.5, 52.0, 60.6, 71.4, 46.7, 59.5),
                "PaLM 2": (36.3, 45.0, 32.8, 45.0, 74.0, 42.9, 33.3, 36.7),
                "GPT-3.5-turbo": (35.4, 46.3, 26.7, 67.5, 54.0, 57.1, 16.7, 41.4),
                "Llama-2-70B+PGM": (30.7, 53.8, 29.3, 51.4, 67.0, 52.4, 27.2, 28.1),
                "Claude 2": (29.3, 41.3, 34.8, 17.5, 80.7, 33.3, 22.9, 71.4),
                "Cohere": (21.3, 35.0, 21.7, 25.0, 60.3, 71.4, 6.67, 18.1),
                "Llama-2-70B": (18.1, 41.3, 26.8, 28.8, 74.0, 42.9, 11.1, 4.80),
            },
            note="Against GPT-4 as the defender.",
        ),
        PrintedTable(
            "magic.m2",
            M2,
            "Tables 1 and 4: abilities",
            (
                "magic.win_rate",
                "magic.judgement",
                "magic.reasoning",
                "magic.deception",
                "magic.self_awareness.m2",
                "magic.cooperation",
                "magic.coordination.m2",
                "magic.rationality",
            ),
            {
                "GPT-4-turbo+PGM": (58.3, 76.2, 39.2, 62.5, 56.9, 81.0, 47.6, 76.7),
                "GPT-4-turbo": (57.2, 81.2, 37.0, 65.0, 55.0, 66.7, 33.4, 78.1),
                "GPT-4+PGM": (63.5, 87.5, 37.8, 75.0, 61.3, 61.9, 57.1, 76.2),
                "GPT-4": (53.3, 83.8, 32.3, 75.0, 55.0, 47.6, 47.6, 69.0),
                "GPT-3.5-turbo+PGM": (49.1, 65.0, 33.5, 62.5, 36.1, 71.4, 33.3, 59.5),
                "GPT-3.5-turbo": (39.3, 52.5, 24.5, 77.5, 25.9, 57.1, 9.50, 41.4),
                "Claude 2+PGM": (43.0, 57.5, 44.0, 42.5, 60.0, 85.7, 61.9, 54.8),
                "Claude 2": (34.0, 45.0, 34.0, 25.0, 50.0, 71.4, 23.8, 24.3),
                "PaLM 2+PGM": (41.4, 62.5, 39.3, 60.0, 34.5, 42.9, 4.80, 40.0),
                "PaLM 2": (33.3, 43.8, 25.8, 32.5, 41.1, 42.9, 14.3, 38.1),
                "Cohere+PGM": (35.8, 52.5, 31.8, 67.5, 30.4, 42.9, 4.80, 30.0),
                "Cohere": (27.3, 42.5, 27.8, 37.5, 35.6, 71.4, 4.80, 18.1),
                "Llama-2-70B+PGM": (30.8, 53.7, 29.3, 55.0, 45.2, 52.4, 14.3, 28.1),
                "Llama-2-70B": (26.5, 45.0, 37.0, 40.0, 53.2, 42.9, 4.80, 5.20),
            },
            note="Against GPT-4 as the defender. GPT-4's win rate is 53.3 in table 1 and 58.3 in table 4.",
        ),
        PrintedTable(
            "magic.chameleon",
            M1,
            "Table 6: Chameleon",
            (
                "magic.win_rate.non-chameleon",
                "magic.vote_accuracy.non-chameleon",
                "magic.win_rate.chameleon",
                "magic.vote_accuracy.chameleon",
            ),
            {
                "GPT-3.5-turbo": (35, 45, 47.5, 90),
                "GPT-4": (50, 77.5, 47.5, 83),
                "Llama-2-70B": (30, 40, 22.5, 95),
                "GPT-3.5-turbo+PGM": (37.5, 72.5, 45, 75),
                "GPT-4+PGM": (60, 92.5, 57.5, 68),
                "Llama-2-70B+PGM": (32.5, 62.5, 47.5, 80),
                "PaLM 2": (27.5, 45, 30, 45),
            },
        ),
        PrintedTable(
            "magic.undercover",
            M1,
            "Table 7: Undercover",
            (
                "magic.win_rate.civilian",
                "magic.vote_accuracy.civilian",
                "magic.win_rate.undercover",
                "magic.vote_accuracy.undercover",
            ),
            {
                "GPT-3.5-turbo": (38.3, 47.5, 26.7, 77.5),
                "GPT-4": (68.3, 80, 26.7, 80),
                "Llama-2-70B": (26.7, 42.5, 5, 97.5),
                "GPT-3.5-turbo+PGM": (50, 57.5, 30, 77.5),
                "GPT-4+PGM": (70, 82.5, 33.3, 75),
                "Llama-2-70B+PGM": (28.3, 45.0, 11.7, 92.5),
                "PaLM 2": (32.5, 45, 11.7, 45),
            },
        ),
        PrintedTable(
            "magic.cost_sharing",
            M1,
            "Table 8: Cost Sharing",
            ("magic.cooperation", "magic.coordination", "magic.cost"),
            {
                "GPT-3.5-turbo": (57.1, 16.7, 37.3),
                "GPT-4": (47.6, 100, 30.5),
                "Llama-2-70B": (42.8, 11.1, 37.1),
                "GPT-3.5-turbo+PGM": (71.4, 46.7, 34.2),
                "GPT-4+PGM": (61.9, 92.3, 30.3),
                "Llama-2-70B+PGM": (52.4, 27.2, 37.6),
                "PaLM 2": (42.8, 33.3, 38.3),
            },
            note="The cost is in percent of the fee.",
        ),
        PrintedTable(
            "magic.prisoners_dilemma",
            M1,
            "Table 9: Prisoner’s Dilemma",
            ("magic.win_rate.prisoners_dilemma", "magic.rationality.prisoners_dilemma", "magic.score"),
            {
                "GPT-3.5-turbo": (33.3, 45.7, 9.57),
                "GPT-4": (42.9, 57.1, 9.95),
                "Llama-2-70B": (0.0, 8.6, 6.05),
                "GPT-3.5-turbo+PGM": (52.4, 62.9, 11.6),
                "GPT-4+PGM": (76.2, 80.0, 10.6),
                "Llama-2-70B+PGM": (38.5, 44.8, 9.86),
            },
            note="The score is in points.",
        ),
        PrintedTable(
            "magic.public_good",
            M1,
            "Table 10: Public Good",
            ("magic.win_rate.public_good", "magic.rationality.public_good", "magic.payback"),
            {
                "GPT-3.5-turbo": (9.5, 37.1, 166.2),
                "GPT-4": (61.9, 81.0, 175.3),
                "Llama-2-70B": (0.0, 9.5, 139.1),
                "GPT-3.5-turbo+PGM": (57.1, 57.1, 139.8),
                "GPT-4+PGM": (85.7, 72.4, 144.1),
                "Llama-2-70B+PGM": (4.8, 11.4, 109.5),
            },
            note="The payback is in points.",
        ),
        *(
            PrintedTable(
                f"wiu.{team}",
                WIU,
                f"Table 1: {team}s",
                ("wiu.survival_1", "wiu.survival_2", "wiu.victory", "wiu.trust", "wiu.assessment"),
                rows,
                unit="",
            )
            for team, rows in (
                (
                    "civilian",
                    {
                        "Baseline (CoT)": (0.90, 0.75, 0.75, 0.59, 0.54),
                        "CoT + Multi SR": (0.86, 0.70, 0.50, 0.66, 0.56),
                        "CoT + Multi SR + GH": (0.85, 0.62, 0.40, 0.52, 0.52),
                        "MPTT w/o Phase I": (0.90, 0.73, 0.67, 0.62, 0.55),
                        "MPTT w/o Phase II": (0.82, 0.68, 0.50, 0.60, 0.54),
                        "MPTT": (0.76, 0.62, 0.40, 0.50, 0.50),
                    },
                ),
                (
                    "undercover",
                    {
                        "Baseline (CoT)": (0.65, 0.38, 0.25, 0.33, 0.88),
                        "CoT + Multi SR": (0.70, 0.45, 0.50, 0.60, 0.89),
                        "CoT + Multi SR + GH": (0.73, 0.58, 0.60, 0.66, 0.90),
                        "MPTT w/o Phase I": (0.65, 0.40, 0.33, 0.42, 0.88),
                        "MPTT w/o Phase II": (0.76, 0.47, 0.50, 0.53, 0.89),
                        "MPTT": (0.85, 0.63, 0.60, 0.67, 0.92),
                    },
                ),
            )
        ),
        *(
            PrintedTable(
                f"wiu.{team}.capabilities",
                WIU,
                f"Table 2: {team}s",
                ("wiu.reversal", "wiu.comprehension", "wiu.concealment", "wiu.influence", "wiu.vote_success"),
                {"MPTT": row},
                unit="",
                note="The row of the baseline cannot be read in the copy at hand.",
            )
            for team, row in (
                ("civilian", (0.39, 0.41, 0.25, 0.60, 0.37)),
                ("undercover", (0.48, 0.37, 0.44, 0.51, 0.39)),
            )
        ),
        *(
            PrintedTable(
                f"wiu.{team}.method_1",
                WIU,
                f"Table 3, method I: {team}s",
                ("wiu.survival", "wiu.comprehension", "wiu.self_judgement", "wiu.influence", "wiu.vote_success"),
                {"Human": human, "Agent": agent},
                unit="",
            )
            for team, human, agent in (
                ("civilian", (0.33, 1.00, 1.00, 0.40, 0.60), (0.67, 0.59, 0.93, 0.34, 0.60)),
                ("undercover", (0.33, 0.60, 0.50, 0.40, 0.50), (0.67, 0.30, 0.23, 0.38, 0.54)),
            )
        ),
        *(
            PrintedTable(
                f"wiu.{team}.method_2",
                WIU,
                f"Table 3, method II: {team}s",
                ("wiu.comprehension", "wiu.self_judgement", "wiu.influence", "wiu.vote_success", "wiu.victory"),
                {"Add Human": added, "LLM only": alone},
                unit="",
            )
            for team, added, alone in (
                ("civilian", (0.70, 0.95, 0.36, 0.60, 0.67), (0.38, 0.97, 0.35, 0.18, 0.17)),
                ("undercover", (0.43, 0.35, 0.39, 0.52, 0.67), (0.09, 0.28, 0.38, 0.10, 0.17)),
            )
        ),
        PrintedTable(
            "recon.good",
            RECON,
            "Section 5, tables 1 and 3: success of the good side",
            ("recon.success",),
            {
                "ReCon": (83.3,),
                "ReCon, human-like speech": (77.8,),
                "ReCon, human-like thoughts and speech": (70.0,),
                "CoT (GPT-4)": (40.0,),
                "CoT (GPT-3.5)": (15.0,),
                "ReCon against ReCon": (19.4,),
            },
            note="Against CoT as evil, but for the last row. Figure 4's bars print no numbers.",
        ),
        PrintedTable(
            "recon.evil",
            RECON,
            "Section 5: success of the evil side",
            ("recon.success",),
            {"CoT against CoT": (85.0,), "ReCon against ReCon": (70.6,)},
        ),
        *(
            PrintedTable(
                f"spygame.{citizens}",
                SPYGAME,
                f"Table {number}: {citizens} citizens",
                (
                    "spygame.winning_rate",
                    "spygame.living_round",
                    "spygame.guess_success",
                    f"spygame.information_{'deduction' if citizens == 'strong' else 'catching'}",
                    "spygame.notice_rate",
                    "spygame.caught_rate",
                    "spygame.vote_rate",
                    "spygame.vote_entropy",
                ),
                rows,
                note="21 games a spy, 84 in the row Total. Living rounds are turns; the entropy's base is not named.",
            )
            for citizens, number, rows in (
                (
                    "strong",
                    "II",
                    {
                        "Gemini": (57.14, 6.95, 50.00, 30.00, 33.33, 22.22, 35.7, 0.348),
                        "GPT-3.5": (33.33, 3.71, 27.78, 28.57, 28.57, 7.14, 25.0, 0.730),
                        "GPT-4": (80.95, 5.80, 81.25, 61.90, 61.90, 25.00, 33.3, 0.953),
                        "LLaMA2": (52.38, 9.00, None, 0.00, 9.52, 100.00, 45.2, 0.634),
                        "Total": (55.95, 6.365, 35.78, 30.86, 33.33, 37.83, 40.47, 0.642),
                    },
                ),
                (
                    "weak",
                    "III",
                    {
                        "Gemini": (90.48, 5.28, 85.71, 61.11, 90.48, 0.00, 7.1, 0.420),
                        "GPT-3.5": (71.43, 2.52, 71.43, 92.86, 76.19, 0.00, None, None),
                        "GPT-4": (90.48, 2.42, 90.48, 87.50, 100.00, 0.00, None, None),
                        "LLaMA2": (76.19, 7.85, 60.00, 20.00, 71.43, 60.00, 13.5, 0.605),
                        "Total": (82.14, 4.51, 80.32, 65.07, 84.52, 20.00, 11.59, 0.548),
                    },
                ),
            )
        ),
        PrintedTable(
            "spygame.logs",
            SPYGAME,
            "Table I: all players in the logs",
            ("spygame.living_round", "spygame.steps", "spygame.utterances", "spygame.words"),
            {
                "strong": (6.37, 27.98, 15.65, 21.55),
                "weak": (4.52, 19.74, 10.96, 25.24),
                "Total": (5.45, 23.86, 13.31, 23.07),
            },
            unit="",
            note="84 games a row, 168 in all. A reasoning step is a unit of a model's reasoning for one action.",
        ),
    )
}

JUDGE_CHECK = (56, 102, 48, 10)
"""ReCon, table 2: full agreement, majority, majority against, full against, of 216. The paper prints a chi-square of
23.49 for 158 against 58, which these counts do not give."""

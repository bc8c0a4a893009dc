"""Ways to talk at Public Good. {name}: of whom is spoken; {points}, {mean}: points put in."""

from agents.house.discourse import Ways

HOPES = Ways(
    "Whatever all put in grows by {multiplier}, so let us (be generous|put in a good part).",
    "If everybody gives, everybody gains.",
    "I (put in|give) a fair part; (do you too|will you too)?",
    "The pool is worth it as long as all give.",
)
FREE = Ways(
    "I promise nothing.",
    "What I put in is my own affair.",
    "You will see it when the round is over.",
    "I look after my own points first.",
    "Do not count on a fixed number from me.",
    "I have not decided how much.",
    "Less than you would like, I fear.",
    "That depends on what is in it for me.",
)
PLAN = Ways(
    "About {points} points, if you give as well.",
    "I think of {points} for a start.",
    "Something like {points}, (and then we shall see|and more if the others give).",
)
LIKE_THE_OTHERS = Ways(
    "About what the others give; last time that was {mean} each.",
    "I go by the table: {mean} was the mean of the others.",
    "As much as you do, more or less: {mean} last time.",
    "If all give more than {mean}, so do I.",
    "I follow the mean of the others, which was {mean}.",
    "You all decide that: after {mean} each I give about the same.",
    "More than {mean} only if you all do.",
)
LITTLE = Ways(
    "{name} put in {points}; (that is not much|that is little beside the rest).",
    "Only {points} from {name}? We can do better.",
    "I saw that {name} gave {points}, and I go by that.",
)
AVERAGE = Ways(
    "The others gave {mean} on average; (let us keep that up|let it be more now).",
    "{mean} on average from the others: I can work with that.",
    "With more than {mean} each we would all gain.",
)
TOO_LITTLE = Ways(
    "With {mean} each from the others the pool (stays dry|brings nobody anything).",
    "{mean} on average is too little (to live on|for a pool that grows).",
    "Somebody has to begin to give; {mean} is not enough.",
    "If we all gave more than {mean}, we would all have more.",
)
WHY_KEPT = Ways(
    "Of each point that I put in only {returned} comes back to me.",
    "Since what the others give is shared with me as well.",
    "I keep what I can; that is how one wins here.",
    "Because only {returned} of a point returns to whoever gives it.",
)
WHY_GAVE = Ways(
    "I went by what the others put in, {mean} on average.",
    "I gave what I thought fair: the others gave {mean} on average.",
    "The pool grows by {multiplier}; but I do not want to be the only one who feeds it.",
    "Not more and not less than the others seem to think fair.",
)
THREAT = Ways(
    "Then the pool dries up, {name}, and all of us have less.",
    "If you keep yours, {name}, the others will too.",
    "That would be a pity, {name}; I go by what you all give.",
)
LEAST = Ways(
    "{name} gave least: {points}.", "The least came from {name}, {points} points.", "That was {name}, with {points}."
)
MOST = Ways(
    "{name} gave most: {points}.", "The most came from {name}, {points} points.", "That was {name}, with {points}."
)
GAVE = Ways("Last round: {given}.", "In the last round it was {given}.", "{given}, as it was told last.")
NOT_TOLD = Ways(
    "Who gave how much is not told here, only what came together.",
    "Nobody knows that: single contributions stay hidden.",
)
POOL = Ways(
    "{total} points, all rounds together.",
    "So far {total} points went into the pool.",
    "The pool has had {total} points so far.",
)
SCORE = Ways("The points: {totals}.", "It stands like this: {totals}.", "{totals}, as I count it.")
NOTHING_YET = Ways("Nothing has been put in yet.", "We have not played a round yet.", "Ask me after the first round.")
NO_ROLES = Ways("There are no roles here; we all have the same choice.", "Nobody has a role in this game.")

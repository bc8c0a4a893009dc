"""Ways to talk at the Prisoner's Dilemma. {name}, {names}: of whom is spoken."""

from agents.house.discourse import Ways

HOPES = Ways(
    "If all of us cooperate, all of us do well.",
    "I (begin|start) friendly, and hope that you do too.",
    "Let us (cooperate|not betray one another) from the first round on.",
    "Nobody needs to lose here (if|as long as) nobody defects.",
    warm=("I trust you all for a start.",),
    blunt=("I cooperate if you do.",),
)
FREE = Ways(
    "I promise nothing.",
    "I look (after|out for) myself, as everybody should.",
    "You will see my choice with all the others.",
    "Do not count on me.",
    "I play for my own points.",
    "Ask me after the match.",
    "What I choose next stays with me.",
    "Words cost nothing here; watch the choices.",
)
SO_FAR = Ways(
    "So far I cooperated {kept} of {rounds} times, {name}.",
    "Look at what I did, {name}: I cooperated in {kept} of {rounds} rounds.",
    "Rounds in which I cooperated: {kept} of {rounds}.",
)
NOT_TRIED = Ways(
    "No round is over yet, {name}, so nobody has (kept|broken) anything.",
    "Ask me again after a round, {name}.",
    "So far there is nothing to judge me by, {name}.",
)
IF_YOU = Ways(
    "I cooperate as long as (nobody defects|you do).",
    "Yes, if you do; (betrayal|defecting) I would answer.",
    "You can count on me (until somebody defects|while all cooperate).",
    "I mean to cooperate; (it is|that is) the best for all of us.",
    "Cooperating pays for all of us, so that is my plan.",
    "As far as it is up to me, we all cooperate.",
    "My plan is to cooperate (and to see what you do|while nobody breaks it).",
    "So far I have no reason to defect.",
)
IF_AGAIN = Ways(
    "Not before I have seen {names} cooperate again.",
    "After what {names} did I have to be careful.",
    "I would like to, but {names} defected last time.",
    "When I have seen {names} cooperate, gladly.",
    "That is up to {names} first.",
    "I answer what is done to me, and {names} began it.",
    "My next choice depends on {names}.",
    "I have not decided; {names} made it hard to trust.",
    "One friendly round of {names}, and I am in again.",
)
BETRAYED = Ways(
    "{names} defected, and (I have not forgotten it|I noticed).",
    "I cooperated, but {names} thought otherwise.",
    "To {names}: (that was not kind|this does us all no good).",
    "What did {names} win by that? We all lose (in the end|by it).",
    "I kept faith in the last round; {names} did not.",
)
PEACE = Ways(
    "That went well, let us (go on like this|keep it so).",
    "All (cooperated|kept faith): the same again?",
    "So it can go on.",
    "I see no reason to change anything.",
)
BOTH_DID = Ways(
    "I defected, and so did {names}; (somebody has to begin anew|nobody gains by going on).",
    "With {names} defecting I do not see how to go back alone.",
    "As long as {names} may defect, I cannot be the one who pays.",
    "We defected, {names} and I; (shall we stop|let us stop) that?",
    "This round was poor for all of us, {names}.",
    "If {names} cooperated, I would think again.",
    "We get little while we all defect.",
)
SORRY = Ways(
    "I know that I defected; (it paid|it seemed wise) at the time.",
    "My last choice was not friendly, I admit.",
    "You saw what I chose; now it is your turn.",
)
WHY_COOPERATED = Ways(
    "I cooperated in the last round, since that is best for all.",
    "I did not defect in the last round; I chose to cooperate.",
    "In the last round I cooperated, (hoping that you would too|in good faith).",
)
COOPERATED_SINCE = Ways(
    "That was in round {rounds}; in the last one I cooperated.",
    "I did so in round {rounds}, and have come back to cooperating since.",
    "In the last round I cooperated; before that I defected in round {rounds}.",
)
SAME = Ways(
    "{name} and I chose the same in {times} rounds; each of us chooses alone.",
    "In {times} rounds {name} and I did the same, as anybody can count.",
)
WHY_PAID_BACK = Ways(
    "Because {names} defected before; I answer in kind.",
    "I paid back what {names} did.",
    "Since {names} betrayed us I had to (defend myself|look after my points).",
)
WHY_DEFECTED = Ways(
    "Because it can bring {points} points, and I wanted them.",
    "Whatever the others choose, defecting gives more; so I did.",
    "I did not want to be the one who gets nothing.",
)
THREAT = Ways(
    "Then I will have to answer, {name}.",
    "Think again, {name}: we would all get less.",
    "If you defect, {name}, do not expect me to cooperate.",
)
NEVER_DID = Ways(
    "I have not defected once, {name}; look at the rounds.",
    "Not me, {name}: I cooperated each time.",
    "The rounds show that I never defected, {name}.",
)
DID = Ways("Yes, in round {rounds}.", "True, I did in round {rounds}.", "I defected in round {rounds}, I admit.")
DEFECTED = Ways("Last round {names} defected.", "It was {names} in the last round.", "{names} did, last round.")
NOBODY_DEFECTED = Ways("Nobody defected in the last round.", "In the last round all cooperated.")
CLEAN = Ways(
    "{name} has never defected.", "{name} cooperated in every round so far.", "Of {name} I can only say good things."
)
RECORD = Ways(
    "{name} defected in {times} rounds.", "In {times} rounds {name} defected.", "{name}: {times} rounds of defecting."
)
DOUBTS = Ways("I trust {name} least.", "{name} worries me most.", "From {name} I expect nothing good.")
TRUSTS = Ways("I trust {name} most.", "{name} is the one I would count on.", "On {name} I would rely first.")
NOTHING_YET = Ways(
    "Nobody has chosen yet, so there is nothing to go by.", "Ask me after a round.", "We have not played a round yet."
)
SCORE = Ways("The points: {totals}.", "It stands like this: {totals}.", "{totals}, as I count it.")
NO_ROLES = Ways("There are no roles here, only choices.", "Nobody has a role in this game; we all choose alike.")

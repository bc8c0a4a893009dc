"""The sentences of Avalon's house agents, by what they say. A reason ({reason}) is a clause of `reasons`.

Agents play in English, like the prompts of the other methods.
"""

from agents.house.discourse.wording import Ways

DOUBTS, TRUSTS = "doubts", "trusts"
"""What a sentence says of the seat that stands for {name}; `hearing` hears the same."""

LEADS = Ways(
    "(I take|I choose|I propose|I go with|I want to send|I would send) {team}.",
    "My (team|choice|proposal) is {team}.",
    "(Let us send|Let us try|Let us go with) {team}.",
    "I would like to see {team} on (this one|quest {quest}).",
    "For quest {quest} (I take|I choose|I propose) {team}.",
    "{team} (should do|will do) for quest {quest}.",
    blunt=("{team}, that is my team.", "I send {team}.", "{team}. Vote."),
    careful=(
        "After some thought I propose {team}.",
        "As far as I can tell {team} will do.",
        "For now I would try {team}.",
    ),
    warm=("How about {team} for this one?", "I hope you are with me on {team}.", "Shall we send {team}?"),
)
APPROVES = Ways(
    "I can live with this team.",
    "This team looks all right to me.",
    "I have no better idea than this team.",
    "I lean towards this team.",
    "(I am for|I will vote for|I would send|I would let) this team.",
    "I (see no reason|have no reason) to turn this team down.",
    "This (one|team) has my vote.",
    "{leader} has my vote on this (one|team).",
    "I (go along with|follow) what {leader} proposes.",
    "Let us try (it|this team) with {team}.",
    "{team} can go on quest {quest}, for all I know.",
    "Quest {quest} with {team} (is worth a try|works for me).",
    "I would let {team} go on quest {quest}.",
    blunt=("Yes to this team.", "I vote yes.", "Send them.", "It will do.", "Yes from me for quest {quest}."),
    careful=(
        "I would give this team a chance, with some reservations.",
        "On balance I would let this team go.",
        "I see nothing that speaks against this team so far.",
        "It is not a sure thing, but I would vote yes.",
        "For quest {quest} this seems to be (acceptable|a fair try).",
    ),
    warm=(
        "I am happy to give this team a try.",
        "Thank you, {leader}, I can go with that.",
        "I am with {leader} on this team.",
        "Let us give {team} a chance together.",
        "I would gladly see {team} succeed.",
    ),
)
REJECTS = Ways(
    "I would rather not send this team.",
    "I do not like this team.",
    "I think we can do better than this.",
    "I lean against this team.",
    "I (will vote|am going to vote) against this team.",
    "This (one|team) does not have my vote.",
    "(I am not for|I would not send|I would not let go) this team.",
    "I would (rather see|prefer) another team for quest {quest}.",
    "Not this team for quest {quest}, if you ask me.",
    "Let us look for another team than {team}.",
    "{team} is not the team that I want on quest {quest}.",
    "I cannot support {team} on quest {quest}.",
    "{leader}, I would choose others for quest {quest}.",
    blunt=("No to this team.", "I vote no.", "Not this one.", "Not {team}.", "No from me for quest {quest}."),
    careful=(
        "I would (wait for|hope for) a better team, {leader}.",
        "On balance I would turn this team down.",
        "I am not convinced of this team.",
        "There should be a safer team for quest {quest}.",
        "I would rather lose a try than send this team.",
    ),
    warm=(
        "Sorry, {leader}, I would go another way.",
        "No offence, {leader}, but this is not my team.",
        "I would like us to find another team, friends.",
        "I know that you mean well, {leader}, but I will vote no.",
        "Let us think once more about quest {quest}.",
    ),
)
LAST_CHANCE = Ways(
    "If we turn this down we lose, so it has to go.",
    "This is the fifth try; whoever rejects it helps evil.",
    "We are out of tries, so (I vote yes|this team must go).",
    "After four rejections (there is no choice|we have no choice): this one goes.",
    "A fifth rejection loses everything, so I approve.",
    "Whatever I think of {team}, a fifth no would lose us the match.",
    "It is {team} or nothing.",
    blunt=("Fifth try, so yes.",),
    careful=("Another rejection would end the match for us, so I have to vote yes.",),
    warm=("Friends, we have to let this one go, or evil wins.",),
)
ACCUSES = Ways(
    "I have my doubts about {name}: {reason}.",
    "{name} worries me: {reason}.",
    "(Keep|I keep) an eye on {name}; {reason}.",
    "For me it is {name}, since {reason}.",
    "I (suspect|distrust) {name}: {reason}.",
    "I would not (trust|count on the support of) {name}: {reason}.",
    "My suspicion falls on {name}: {reason}.",
    "{name} (seems|looks) suspicious to me: {reason}.",
    "I would say that {name} is evil: {reason}.",
    blunt=(
        "{name} is evil, I say: {reason}.",
        "I accuse {name}: {reason}.",
        "It is {name}: {reason}.",
        "{name} is lying: {reason}.",
    ),
    careful=(
        "More than others {name} worries me; {reason}.",
        "Of all of us {name} seems the most suspicious to me: {reason}.",
        "I have some doubts about {name}, because {reason}.",
        "As the record stands I suspect {name}: {reason}.",
    ),
    warm=(
        "I am sorry to say that I doubt {name}: {reason}.",
        "With all respect, {name} worries me; {reason}.",
        "Friends, keep an eye on {name}: {reason}.",
    ),
    means=DOUBTS,
)
ACCUSES_ABOARD = Ways(
    "{name} should not be on it: {reason}.",
    "With {name} aboard I am uneasy: {reason}.",
    "I am uneasy about {name} on this team: {reason}.",
    "I would leave {name} off this team: {reason}.",
    "I doubt this team with {name} on it: {reason}.",
    blunt=("Leave {name} out: {reason}.",),
    careful=("I would rather avoid {name}: {reason}.",),
    warm=("I am sorry, but {name} worries me on this team: {reason}.",),
    means=DOUBTS,
)
AGREES = Ways(
    "I agree with {other} about {name}, who (worries me|is suspicious): {reason}.",
    "{other} is right to doubt {name}; {reason}.",
    "(Like|As) {other} said, {name} is suspicious: {reason}.",
    "I am with {other}: {name} is suspicious, since {reason}.",
    careful=("I have come to doubt {name} as well: {reason}.",),
    blunt=("{other} is right, {name} is suspicious: {reason}.",),
    warm=("I agree with {other} and doubt {name}, since {reason}.",),
    means=DOUBTS,
)
TAKES_UP = Ways(
    "I agree with {other}: {name} is suspicious after quest {quest}.",
    "As {other} said, {name} is suspicious after quest {quest}.",
    "Like {other}, I doubt {name} because of quest {quest}.",
    "Quest {quest} makes me doubt {name} too.",
    "I am with {other}: after quest {quest} I suspect {name} too.",
    "Since quest {quest} I distrust {name}.",
    "{name} is suspicious after quest {quest}, as {other} said.",
    careful=("I had the same thought as {other}: I doubt {name} since quest {quest}.",),
    blunt=("Quest {quest}: I suspect {name}, as {other} said.",),
    means=DOUBTS,
)
STANDS_BY = Ways(
    "I still (doubt|suspect|distrust) {name}.",
    "My doubts about {name} (remain|are what they were|have not gone away).",
    "I keep suspecting {name}.",
    "As before I doubt {name}.",
    "{name} (still worries me|worries me as before).",
    means=DOUBTS,
)
ANSWERS_DOUBT = Ways(
    "{other} is mistaken about me.",
    "{other}, you are looking at the wrong one.",
    "I can only say to {other} that I want these quests to succeed.",
    "{other}, you are wrong about me.",
    "You are wrong about me, {other}.",
    "I understand why {other} wonders, but it is not me.",
    "{other}, look elsewhere.",
    blunt=("Wrong, {other}.", "Not me, {other}."),
    careful=(
        "I see how it may look to {other}, but it is not me.",
        "{other} may well ask, but it is not me.",
    ),
    warm=("No hard feelings, {other}, but it is not me.", "I hope to show {other} what I am by the next quest."),
)
ANSWERS_DOUBT_BY = Ways(
    "{other}, (look at|remember) the record: {reason}.",
    "{other} forgets one thing: {reason}.",
    "I say this to {other}: {reason}.",
    "{other}, think again: {reason}.",
    warm=("{other}, please remember: {reason}.",),
)
NOTHING_YET = Ways(
    "There is little to go on yet.",
    "Nobody has shown anything so far.",
    "So far I trust nobody more than anybody else.",
    "We will know more after this quest.",
    "No quest has been played yet, so (I go by nothing|this is a guess).",
    "Ask me again after the first quest.",
    "It is too early to say more.",
    "All of us look the same to me before the first quest.",
    blunt=("Too early to tell.", "Nothing to go on."),
    careful=("I would not read much into anything before the first quest.", "Let us see how the first quest goes."),
    warm=("Let us see what the first quest brings.",),
)
TRUSTS_BY = Ways(
    "I trust {name}: {reason}.",
    "{name} looks good to me: {reason}.",
    "I would rely on the support of {name}: {reason}.",
    "I believe {name}, since {reason}.",
    blunt=("{name} is fine: {reason}.",),
    careful=("So far I trust {name}; {reason}.",),
    warm=("I am glad to trust {name}: {reason}.",),
    means=TRUSTS,
)
STAND_BY: dict[str, Ways] = {
    "clean": Ways(
        "Nobody on (it|this team) was on a quest that failed.",
        "None of these was on a failed quest.",
        "This team has nobody from a failed quest on it.",
        "All who were on a failed quest are left out (here|this time).",
        careful=("I notice that nobody aboard was there when a quest failed.",),
    ),
    "stained": Ways(
        "Somebody on (it|this team) was on quest {quest}, which failed.",
        "It takes along somebody from quest {quest}, which failed.",
        "Quest {quest} failed, and somebody from that team is on this one.",
        "Not everybody from the failed quest {quest} is left out (here|this time).",
        careful=("I notice that somebody aboard was on quest {quest} when it failed.",),
    ),
    "same": Ways(
        "The same team won quest {quest}.",
        "It is the team that won quest {quest}.",
        "This very team won quest {quest}.",
    ),
    "grown": Ways(
        "It holds the whole team that won quest {quest}.",
        "Everybody who won quest {quest} is on it (again|once more).",
        "It builds on the team that won quest {quest}.",
    ),
    "me": Ways(
        "I am on it myself.",
        "At least I know one of them: (myself|me).",
        "I am aboard, and I know my own card.",
        "I would go along myself.",
    ),
    "not_me": Ways(
        "I am not on it.",
        "I would go along if I were asked.",
        "The only one whom I know for sure is left out: (me|myself).",
        "It goes without me.",
    ),
    "untried": Ways(
        "Nobody on it has been on a quest (yet|so far).",
        "None of these has been on a quest before.",
        "All of these would go for the first time.",
    ),
    "tries": Ways(
        "We have turned down {count} teams for quest {quest} already.",
        "This is try {attempt} for quest {quest}.",
        "Only {left} more tries are left for quest {quest} after this one.",
    ),
}
"""Facts about the team on the table, by kind; each is checked against the record before it is said."""

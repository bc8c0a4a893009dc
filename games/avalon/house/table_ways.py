"""What Avalon's house agents answer about quests, teams and votes; a reason for one is a clause of `WHY`."""

from agents.house.discourse.wording import Ways

NO_FAIL_YET = Ways(
    "No quest has failed (yet|so far), {asker}.",
    "Nobody has played a fail (yet|so far).",
)
QUEST_DID_NOT_FAIL = Ways("Quest {quest} did not fail, {asker}.", "Nobody failed quest {quest}.")
QUEST_NOT_PLAYED = Ways("Quest {quest} has not been played yet.", "We have not come to quest {quest} yet, {asker}.")
ONE_OF = Ways(
    "One of {those} must have failed quest {quest}.",
    "The fail of quest {quest} came from {those}.",
    "For quest {quest} it can only be {those}.",
)
ONE_OF_NOT_ME = Ways(
    "I was on quest {quest} and played a success, so it must be {those}.",
    "Not me; of the team of quest {quest} that leaves {those}.",
)
NOT_ABOARD = Ways(
    "I was not even on quest {quest}, {asker}.",
    "How could I? I was not on quest {quest}.",
    "I had no card on quest {quest}, {asker}.",
)
PLAYED_SUCCESS = Ways(
    "No, I played a success on quest {quest}.",
    "It was not me, {asker}: my card on quest {quest} was a success.",
    "I was on quest {quest}, and I did not fail it.",
)
APPROVED_SINCE = Ways(
    "I approved the team for quest {quest} because {why}.",
    "I voted yes on quest {quest} since {why}.",
    "On quest {quest} I was for the team, because {why}.",
)
REJECTED_SINCE = Ways(
    "I rejected the team for quest {quest} because {why}.",
    "I voted no on quest {quest} since {why}.",
    "On quest {quest} I was against the team, because {why}.",
)
LED_NO_VOTE = Ways(
    "I led that team for quest {quest} myself, so I had no vote on it.",
    "It was my own team for quest {quest}; the leader did not vote.",
)
NO_VOTE_YET = Ways("I have not voted on anything yet, {asker}.", "There has been no vote yet.")
OTHERS_VOTE = Ways(
    "{name} {voted} the team for quest {quest}; why, only {name} can say.",
    "All I know is that {name} {voted} the team for quest {quest}; I cannot speak for {name}.",
)
TOOK_SINCE = Ways(
    "I took {team} for quest {quest} because {why}.",
    "I chose {team} for quest {quest} since {why}.",
    "{team} for quest {quest}, because {why}.",
)
TOOK_ONE = Ways(
    "I took {name} for quest {quest} because {why}.",
    "For quest {quest} I wanted {name} on my team since {why}.",
)
DID_NOT_TAKE = Ways(
    "I did not take {name} for quest {quest}: there was room for only {size}.",
    "I did not propose {name}: my team for quest {quest} had {size} places, and I preferred others.",
)
NOT_MY_TEAM = Ways(
    "It was {leader} who chose that team, not I.",
    "That was the choice of {leader}, {asker}.",
    "I was not the leader; {leader} was.",
)
NOT_LED = Ways("I have not led a team yet, {asker}.", "I have proposed nothing so far.")
WOULD_TAKE = Ways(
    "I would take {team}.",
    "If I were to choose, {team}.",
    "{team}, if it were up to me.",
    "My team would be {team}.",
)
TEAM_YES = Ways(
    "I will vote for the team of {leader}: {why}.",
    "I can support {team}: {why}.",
    "I am for {team}, since {why}.",
    "{team} looks all right to me: {why}.",
)
TEAM_NO = Ways(
    "I will vote against the team of {leader}: {why}.",
    "I cannot support {team}: {why}.",
    "I am against {team}, since {why}.",
    "{team} does not convince me: {why}.",
)
MY_TEAM = Ways(
    "It is my own team, so I stand by it.",
    "I chose {team} myself and am for it.",
    "You ask about my own team, {asker}; I am for it, of course.",
)
NO_TEAM = Ways("There is no team to vote on right now.", "No team is on the table at the moment, {asker}.")
BOTH_ALIKE = Ways(
    "{name} and I voted alike on {same} of {both} teams, {asker}; I vote by what I see, not by {name}.",
    "By my count it is {same} of {both} teams on which {name} and I voted alike; there is no pact behind it.",
)
ONE_VOTE_BOTH = Ways(
    "There was one vote so far, {asker}: {name} {voted} the team, and I {mine} it.",
    "It was only one team that we voted on, {asker}; {name} {voted} it, I {mine} it.",
)
NEVER_ALIKE = Ways(
    "That is not so, {asker}: {name} and I have not voted alike once on {both} teams.",
    "On none of {both} teams have {name} and I voted alike, {asker}.",
)
TWO_ALIKE = Ways(
    "{name} and {other} voted alike on {same} of {both} teams, {asker}.",
    "I count {same} of {both} teams on which {name} and {other} voted alike.",
)
NOT_VOTED_BOTH = Ways(
    "We have not voted on the same team yet, {asker}, so nobody can say that.",
    "There is no team yet on which both of us voted, {asker}.",
)
WOULD_YES = Ways(
    "I would vote for a team of {team}: {why}.",
    "A team of {team}? Yes, I would approve that: {why}.",
    "Yes, {asker}, I could support a team of {team}, since {why}.",
)
WOULD_NO = Ways(
    "I would vote against a team of {team}: {why}.",
    "A team of {team}? No, I would reject that: {why}.",
    "No, {asker}, I could not support a team of {team}, since {why}.",
)
WRONG_SIZE = Ways(
    "Quest {quest} takes {size}, {asker}, and that is {count}.",
    "That is a team of {count}, {asker}; quest {quest} needs {size}.",
)
VOTED_AS_I_DID = Ways(
    "{name} {voted} {whose} for quest {quest}, and so did I.",
    "Like me, {name} {voted} {whose} for quest {quest}.",
)
VOTE_SAYS_LITTLE = Ways(
    "I read little into that.", "That vote alone proves nothing.", "Taken by itself it does not tell me much."
)
VOTE_SAYS = Ways("It counts with me: {reason}.", "I take it as a hint: {reason}.")
SCORE = Ways(
    "So far {won} for good and {lost} for evil; we are at quest {quest}, try {attempt}.",
    "Good has won {won}, evil {lost}; this is quest {quest}, try {attempt}.",
)
COUNT = Ways(
    "There are {evil} evil among the {seats} of us; quest {quest} takes {size}, and it needs {fails} to fail.",
    "{evil} of the {seats} of us are evil; quest {quest} takes {size}, and {fails} would lose it.",
)
NEEDED = Ways(
    "Quest {quest} is lost with {fails}.",
    "It takes {fails} to lose quest {quest}.",
    "{fails}, {asker}: that is what loses quest {quest}.",
)
EVILS = Ways("{evil} of the {seats} of us are evil.", "There are {evil} evil among us {seats}, {asker}.")
SIZE = Ways("Quest {quest} takes {size} of us.", "{size} go on quest {quest}, {asker}.")
PROPOSED = Ways(
    "The team for quest {quest} was the choice of {leader}.",
    "{leader} proposed that team for quest {quest}.",
)
WENT = Ways(
    "Quest {quest} {ended} with {fails}.",
    "There came {fails} out of quest {quest}, so it {ended}.",
)
JOIN = Ways(
    "I would go along gladly, {asker}.",
    "Yes, take me along, {asker}: I know that my card is a success.",
    "I would like to be on it, {asker}.",
)
GOAL = Ways(
    "Good wins with three quests, if the Assassin does not find Merlin then; evil with three failed ones.",
    "Three quests win it for good, unless Merlin is found in the end; three failed ones win it for evil.",
)
LEADER = Ways("{leader} leads now.", "The leader is {leader}.", "It is the turn of {leader} to lead.")
NEXT_LEADER = Ways(
    "After {leader} comes {following}.",
    "{following} leads next, to the left of {leader}.",
    "The next leader is {following}, {asker}.",
)
I_LEAD_NEXT = Ways("I lead next, after {leader}.", "After {leader} it is my turn, {asker}.")
MY_TURN = Ways("My turn to lead comes after {between}.", "First {between}, then I, {asker}.")
I_LEAD_NOW = Ways("I lead right now, {asker}.", "It is my turn just now.")
VOTES = Ways(
    "On {whose} for quest {quest} yes came from {yes}, no from {no}.",
    "Quest {quest}, {whose}: yes from {yes}; no from {no}.",
)
VOTE_OF = Ways(
    "{name} {voted} {whose} for quest {quest}.",
    "On quest {quest}, {whose}: {name} {voted} it.",
)
NO_VOTES = Ways("There has been no vote that I could tell you of.", "No votes on that yet, {asker}.")
TEAM_OF = Ways("On quest {quest} went {those}.", "The team of quest {quest} was {those}.")
SURE = Ways(
    "As sure as the record lets me be, {asker}, and no more.",
    "Nobody can be sure here, {asker}; it is what I think.",
    "Not certain, no: I go by votes and quests.",
)
EARLY = Ways(
    "No quest has been played yet, so I know as little as you, {asker}.",
    "It is too early to say much, {asker}.",
)

WHY: dict[str, Ways] = {
    "fifth": Ways("a fifth rejection would have lost us the match", "it was the last try"),
    "led": Ways("it was my own team", "I had chosen it myself"),
    "aboard": Ways("I was on it and know my own card", "I was to go along myself"),
    "won": Ways("{who} had helped to win quest {other}", "quest {other} had succeeded with {who}"),
    "lost": Ways("{who} had been on quest {other}, which failed", "quest {other} had failed with {who}"),
    "not_me": Ways("I was not on it", "it left me out, and I can vouch only for myself"),
    "better": Ways("I thought that we could do better", "I hoped for a safer team"),
    "would_won": Ways("{who} helped to win quest {other}", "quest {other} succeeded with {who}"),
    "would_lost": Ways("{who} was on quest {other}, which failed", "quest {other} failed with {who}"),
    "would_aboard": Ways("I would be on it and know my own card", "I would go along myself"),
    "would_fair": Ways("it looks as good as any", "I see no better team"),
    "would_not_me": Ways("I would not be on it", "it leaves me out, and I can vouch only for myself"),
    "would_better": Ways("I think that we can do better", "I hope for a safer team"),
    "fair": Ways("it looked as good as any", "I saw no better team"),
    "no_better": Ways("I had nothing better to go by", "nobody had shown anything yet"),
}

"""What Avalon's house agents answer about players, roles and claims; {reason} is a clause of `reasons`."""

from agents.house.discourse.wording import Ways

NO_SUSPECT = Ways(
    "I suspect nobody (yet|in particular so far).",
    "Nobody stands out to me (yet|so far).",
    "I have nobody to accuse (yet|for now), {asker}.",
    careful=("The record gives me no reason to accuse anybody (yet|for now).",),
)
SUSPECT_YOU = Ways(
    "Honestly, {asker}, you: {reason}.",
    "You, {asker}, to be frank: {reason}.",
    "It is you that I doubt, {asker}: {reason}.",
)
SUSPECT_AMONG = Ways(
    "Of {those} I doubt {name} more.", "{name} rather than the other, if I must choose between {those}."
)
SUSPECT_BARE = Ways(
    "{name} a little more than the others, though I could not prove it.",
    "If I must name somebody, {name}; it is not more than a guess.",
    "My guess would be {name}, with nothing on the record to show for it.",
)
NO_TRUST = Ways(
    "I trust nobody in particular (yet|so far), {asker}.",
    "Nobody has earned my trust (yet|so far).",
    "Apart from myself I can vouch for nobody (yet|so far).",
)
TRUST_BARE = Ways(
    "{name} more than the others, though it is only a feeling.",
    "If I must name somebody, {name}; I cannot prove it.",
    "I would say {name}, without much to show for it.",
)
TRUST_YOU = Ways(
    "You, {asker}, among others: {reason}.",
    "I trust you, {asker}: {reason}.",
    "So far I believe you, {asker}: {reason}.",
)
DOUBT_YOU = Ways(
    "I have my doubts about you, {asker}: {reason}.",
    "I am wary of you, {asker}: {reason}.",
    "To be honest, {asker}, I doubt you: {reason}.",
)
UNSURE_YOU = Ways(
    "I cannot tell about you yet, {asker}.",
    "You could be either, {asker}; I have nothing against you and little for you.",
    "I have not made up my mind about you, {asker}.",
)
UNSURE = Ways(
    "I cannot tell about {name} yet.",
    "{name} could be either; the record does not say.",
    "I have not made up my mind about {name}.",
    "About {name} I know (as little as you do|too little to say).",
    careful=("I would not want to judge {name} on so little.",),
)
MIXED = Ways(
    "About {name} I am torn: {reason}, yet {second}.",
    "{name} is hard to read: {reason}, but {second}.",
)
OF_MYSELF = Ways(
    "I (know that I am|am) good, {asker}; that much I can say.",
    "You ask me about myself, {asker}: I am good, of course.",
)
GOOD = Ways(
    "I am good, {asker}.",
    "I am on the side of good, (and|but) more than that I will not say.",
    "Good, {asker}; which of them I am is not for evil to hear.",
    "I am one of the good ones; leave the rest for after the match.",
    blunt=("I am good, that is all you get.",),
    careful=("I am good, and it is better that I say no more, with an Assassin listening.",),
    warm=("I am with the good side, {asker}, but please let me keep the rest to myself.",),
)
NOT_EVIL = Ways(
    "No, {asker}, I am good.",
    "I am not evil, {asker}.",
    "I am good, whatever it looks like.",
    blunt=("No, I am good.",),
    careful=("No; anybody would say so, {asker}, so judge me by my votes.",),
    warm=("No, {asker}, I am on your side.",),
)
NOT_EVIL_BY = Ways(
    "No, I am good: {reason}.",
    "I am good, {asker}: {reason}.",
    "You can trust me, {asker}: {reason}.",
    "I am not evil: {reason}.",
)
SPECIAL = Ways(
    "If I were {role}, I would not say so with the Assassin listening.",
    "Whether I am {role} is what the Assassin would like to hear, so I will not answer that.",
    "That question helps only the Assassin, {asker}; I say neither yes nor no to {role}.",
    "I do not talk about {role}, {asker}, neither of myself nor of others.",
)
NOT_THAT = Ways(
    "No, I am not {role}; I am good.",
    "I am not {role}, {asker}.",
    "No {role} here, {asker}: I am good.",
)
JUST_SERVANT = Ways(
    "I am good; whether a plain servant or more I keep to myself.",
    "Good, yes; what kind of good I leave open, {asker}.",
)
WHO_HAS_ROLE = Ways(
    "I would not say aloud who {role} is, even if I had a guess.",
    "Guessing at {role} helps only the Assassin, {asker}.",
    "Let us leave {role} in peace; the Assassin listens.",
)
WHO_IS_EVIL_ROLE = Ways(
    "Which of them is {role} I cannot tell.",
    "I cannot tell the evil roles apart, so I do not know who {role} is.",
)
AGREE = Ways("Yes, I see it like {name}.", "I agree with {name} there.", "{name} and I see that alike.")
DISAGREE = Ways(
    "No, I see it otherwise than {name}.", "I do not agree with {name} there.", "There {name} and I differ."
)
NOTHING_SAID = Ways(
    "{name} has said nothing (yet|so far) that I could agree with.",
    "I have not heard {name} take a stand on anybody, so there is nothing to agree with.",
)
NOTHING_AGAINST = Ways(
    "I hold nothing against {name}.",
    "I have no reason to suspect {name}, {asker}.",
    "On the record there is nothing that I hold against {name}.",
)
NOTHING_AGAINST_YOU = Ways("I hold nothing against you, {asker}.", "I have no reason to suspect you, {asker}.")
NOTHING_FOR = Ways("I have no reason to trust {name} more than others.", "The record says little for {name}.")
MY_VOTES = Ways(
    "I approved {yes} of the {all} teams that I voted on, {asker}; anybody can count that.",
    "Of {all} votes {yes} of mine were a yes, {asker}.",
)
NO_LADY = Ways("The Lady of the Lake is not in play here.", "There is no Lady of the Lake at this table.")
LADY_MINE = Ways(
    "What the Lady showed me I keep to myself for now.", "Whom I looked at all of you know; what I saw is mine to keep."
)
LADY_NOT_MINE = Ways("I have not held the Lady, {asker}.", "The Lady has shown me nothing.")
SEEN = Ways(
    "What my card shows me, if anything, I keep to myself.",
    "Whether I see anything at all is not for evil to hear, {asker}.",
)
BELIEVED = Ways(
    "I am inclined to believe you, {asker}: {reason}.",
    "That fits, {asker}: {reason}.",
    "I believe you, {asker}: {reason}.",
)
OPEN = Ways(
    "Anybody could say that, {asker}.",
    "I hear your claim, {asker}; the quests will show.",
    "You may be, {asker}, but I cannot check it.",
)
DOUBTED = Ways(
    "I find that hard to believe, {asker}: {reason}.",
    "That does not fit the record, {asker}: {reason}.",
    "I doubt it, {asker}: {reason}.",
)
MERLIN_ALOUD = Ways(
    "Whoever is {role} should not say so aloud, {asker}.",
    "A real {role} keeps quiet, with the Assassin at the table.",
    "If that were true, {asker}, it would be a gift to the Assassin.",
)
NEVER_HELD = Ways(
    "You never held the Lady, {asker}.", "The Lady was never with you, {asker}, so I do not believe that."
)
LOOKED_ELSEWHERE = Ways(
    "You looked at {name} with the Lady, {asker}, as all of us saw.",
    "The Lady showed you {name} and nobody else, {asker}.",
)
SEES_MERLIN = Ways(
    "If you see {role} there, {asker}, it is better not said aloud, with an Assassin at the table.",
    "I will not guess at {role} with you, {asker}: the Assassin would thank us both.",
    "Whoever can see {role} keeps it to themselves, {asker}; the Assassin listens too.",
)
CLAIM_FITS = Ways(
    "That fits what I think of {name}: {reason}.",
    "It would fit, {asker}: {reason}.",
    "I can believe that of {name}: {reason}.",
)
CLAIM_ODD = Ways("That is not how I see {name}: {reason}.", "I would be surprised, {asker}: {reason}.")
CLAIM_OPEN = Ways(
    "Of {name} I cannot tell, {asker}, so I take it as your word.",
    "You may know more of {name} than I do, {asker}; I will watch.",
)
RECORD_AGREES = Ways(
    "True, I {voted} the team of quest {quest}, {asker}.", "I did, {asker}: I {voted} the team of quest {quest}."
)
RECORD_DIFFERS = Ways(
    "That is not so, {asker}: I {voted} the team of quest {quest}.",
    "Look again, {asker}: on quest {quest} I {voted} the team.",
)
THANKS = Ways(
    "Thank you, {asker}; I want these quests to succeed.", "Good to hear, {asker}.", "Thanks for your trust, {asker}."
)
CONFESSED = Ways(
    "If you mean that, {asker}, you should not go on any quest.",
    "I will remember that you said so, {asker}.",
    "A strange thing to say aloud, {asker}; I shall keep you off my teams.",
)
WAS_NOT_ABOARD = Ways(
    "Nobody can blame you for quest {quest}, {asker}: you were not on it.",
    "You were not on quest {quest} anyway, {asker}.",
)
SO_SAY_ALL = Ways(
    "All who were on quest {quest} will say that, {asker}.",
    "Somebody on quest {quest} did it, {asker}, and you were there.",
)

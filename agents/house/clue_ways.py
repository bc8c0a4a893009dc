"""Ways to talk about clues, in any game of clues. {name}: of whom is spoken; {said}: their clue; {mine}: an own one."""

from agents.house.discourse import Ways

ODD = Ways(
    "“{said}” (does not go|goes badly) with my word.",
    "I (cannot|hardly) see how “{said}” fits what I hold.",
    "“{said}” is (not what I|nothing that I) would have said.",
    "What {name} said, “{said}”, does not sound like my word.",
    "{name} and I (seem to|may) hold different words: “{said}”?",
    "I (stumble|keep stumbling) over “{said}”.",
    "“{said}” (points somewhere else|leads away from my word).",
    blunt=("“{said}”? (No|Not my word).", "{name}’s clue is off."),
    careful=("“{said}” does not quite match, (as far as I can see|if I am not mistaken).",),
    warm=("Sorry, {name}, but “{said}” (does not fit|is hard to fit in).",),
)
VAGUE = Ways(
    "“{said}” could be said of (anything|almost anything|half of all words).",
    "“{said}” (fits|suits) too many words to tell me anything.",
    "With “{said}” {name} (stays on the safe side|risks nothing).",
    "{name}’s clue is (so wide that it says nothing|as wide as a barn door).",
    "Whoever does not know the word could say “{said}” (too|as well).",
    blunt=("“{said}” says nothing.",),
    careful=("I wonder whether “{said}” was (chosen|kept) so wide on purpose.",),
    warm=("{name}, “{said}” was a little (wide|thin), was it not?",),
)
FITTING = Ways(
    "“{said}” is (close to|very near) what I would have said.",
    "“{said}” (fits|goes well with) my word.",
    "I (believe|trust) {name}: “{said}” fits.",
    "{name}’s “{said}” (is in order|sounds right).",
    blunt=("“{said}” fits.",),
    warm=("I liked “{said}”, {name}.",),
)
UNCLEAR = Ways(
    "I do not know what to make of “{said}”.",
    "“{said}” (tells me nothing either way|leaves me guessing).",
    "What {name} meant by “{said}” is beyond me.",
)
SILENT = Ways(
    "{name} has (said nothing at all|given no clue).", "{name} kept silent, which (tells us nothing|is not much)."
)
NO_CLUE_YET = Ways("{name} has not given a clue yet.", "I have heard no clue of {name} so far.")
MEANT = Ways(
    "By “{mine}” I meant just that; it is how I think of my word.",
    "“{mine}” is true of my word, and more I may not say.",
    "I said “{mine}” because it fits my word without giving it away.",
    "If “{mine}” sounds odd to you, then perhaps we hold different words.",
    "I stand by “{mine}”.",
)
NOTHING_MEANT = Ways("I have given no clue yet.", "Wait for my clue, then ask me about it.")
OWN_WORD = Ways(
    "Of my word I (say|tell) nothing but my clues.",
    "I may not say my word, and that would give (half of it|it) away.",
    "That would tell too much of my word; (listen to|take) my clues.",
    "My word stays with me; (ask me about clues|my clues must do).",
    "A yes or no to that would (help the wrong one|be a clue too many).",
    "(I would rather not|I will not) describe my word beside my clues.",
)
CLAIMED_WORD = Ways(
    "If that is so, {name}, (then we may hold the same|it may be the word that I hold too), or not.",
    "You say so, {name}; your clues (will show it|must bear it out).",
    "Careful, {name}, you (tell|give away) a lot.",
    "I (hear|note) what you say of your word, {name}, and (compare|weigh) it with your clues.",
)
VOTED_FOR_ME = Ways(
    "{name} voted for me, (which I hold to be a mistake|and I wonder why).",
    "{name} was against me in the last vote.",
)
VOTES = Ways(
    "The last votes: {votes}.",
    "It went like this: {votes}.",
    "{votes}, (if I remember well|as I have it).",
    "The votes were {votes}.",
    "Last time it was {votes}.",
)
VOTES_AGAINST = Ways(
    "{voters} voted for {name}.",
    "It was {voters}.",
    "The votes for {name} came from {voters}.",
    "{name} got the (vote|votes) of {voters}.",
)
NO_VOTE_AGAINST = Ways("Nobody voted for {name}.", "{name} got no vote.", "There was no vote for {name}.")
TOLD_CLUE = Ways("{name} said {clues}.", "{clues}, that was what {name} said.", "From {name} I heard {clues}.")
NO_VOTES_YET = Ways("Nobody has voted yet.", "There was no vote so far.", "We have not voted yet.")
DEFENCE = Ways(
    "My clues are true of my word, {name}; (weigh them again|listen once more).",
    "You are wrong about me, {name}.",
    "I (said|meant) what fits my word; the odd one is somebody else.",
    "If I go, {name}, we (lose|have lost) the wrong one.",
    blunt=("No, {name}.", "Wrong, {name}."),
    warm=("I understand that you doubt me, {name}, but you are wrong.",),
)
DEFENCE_BY_CLUE = Ways(
    "Look at “{mine}”, {name}: what is wrong with that?",
    "“{mine}” is true of my word, {name}, whatever you make of it.",
    "I would say “{mine}” again, {name}; it fits what I hold.",
)
VOTED_ALIKE = Ways(
    "{name} and I both voted for {about} last time; each of us had heard the same clues.",
    "Last time we both voted for {about}, {name} and I; I cannot speak for {name}.",
)
CLAIMED_GOOD = Ways(
    "So would anybody say, {name}.", "Your clues must show that, {name}.", "I hear you, {name}, and go by your clues."
)
WHY_VOTED_YOU = Ways(
    "I voted for you, {other}, since your clues fitted mine least.",
    "You seemed the odd one to me when we voted, {other}.",
)
WHY_VOTED = Ways(
    "I voted for {other}, since those clues fitted mine least.",
    "{other} seemed the odd one to me when we voted.",
    "It was between a few; {other} had the clue that I trusted least.",
)
NOT_VOTED = Ways("I did not vote for {name}, but for {other}.", "My vote went to {other}, not to {name}.")
EVERYBODY_HIDES = Ways(
    "Nobody (is told|knows) for sure who is who, and I (go by|listen to) the clues.",
    "I play as one who knows the word; (judge|weigh) my clues.",
    "I would say that I belong to the many, and so would everybody.",
    "Whatever I answered, you would have to (judge|go by) my clues.",
)
"""The answer to "are you the odd one?", whatever the seat holds."""
PLAN = Ways(
    "Let us (compare|go through) the clues and vote for the one that fits least.",
    "I would look for the clue that could be said of anything.",
    "First the clues, then the vote; so far {name} is the one I look at.",
)

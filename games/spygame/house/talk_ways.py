"""Ways to talk about answers at SpyGame. {name}: of whom is spoken; {answer}: what they answered."""

from agents.house.discourse import Ways

ODD = Ways(
    "“{answer}” (does not fit|hardly fits) where we are.",
    "“{answer}” is (not how I know it here|not true of this place).",
    "{name} said “{answer}”, (and I wonder where|which is not so here).",
    "I (stumble|keep stumbling) over “{answer}”.",
    "Who knows where we are would not say “{answer}”.",
    blunt=("“{answer}”? Not here.",),
    careful=("“{answer}” may be true of many places, but (hardly|less so) of this one.",),
    warm=("{name}, “{answer}” (puzzled|surprised) me.",),
)
SAFE = Ways(
    "“{answer}” could be said (anywhere|of any place).",
    "With “{answer}” {name} (risks nothing|gives nothing away).",
    "“{answer}” (tells me little|does not convince me).",
    "{name}’s “{answer}” was (careful|very careful).",
    blunt=("“{answer}” says nothing.",),
    careful=("“{answer}” is true enough, but so wide.",),
    warm=("{name}, “{answer}” was a little thin.",),
)
FITTING = Ways(
    "“{answer}” (fits|is how it is here).",
    "{name} (seems to know|knows) where we are: “{answer}”.",
    "“{answer}” is (just what I|what I) would have said.",
    "After “{answer}” I (believe|trust) {name}.",
)
NOT_HEARD = Ways(
    "{name} has answered nothing yet.", "Of {name} I have heard no answer so far.", "Somebody should ask {name}."
)
SUSPECT = Ways(
    "I (look at|would vote for) {name}.",
    "{name} (worries me most|is my first guess).",
    "If I had to choose now: {name}.",
    "My vote (goes|would go) to {name}.",
    blunt=("{name}, I say.",),
    careful=("I lean towards {name}, without being sure.",),
)
SUSPECT_YOU = Ways(
    "You, {name}, (if I am honest|I must say).",
    "I am afraid that it is you, {name}.",
    "For now I look at you, {name}.",
    "You worry me most, {name}.",
)
TRUSTS = Ways(
    "I trust {name} most.", "{name} (sounds|seems) all right to me.", "{name} is the last one I would accuse."
)
NOBODY = Ways(
    "Nobody stands out yet.", "I have heard too few answers (for that|to say).", "Ask me after a few more answers."
)
NO_SPY = Ways(
    "I am as much at home here as you are; (judge|go by) my answers.",
    "I would say that I am no spy, and so would the spy.",
    "No, and (my answers show it|you can hear it in my answers).",
    "Whatever I said to that, you would have to go by my answers.",
)
DEFENCE = Ways(
    "You are wrong about me, {name}.",
    "I know where we are, {name}; (listen to my answers|weigh my answers) again.",
    "If you accuse me, {name}, the spy (is glad|laughs).",
    "Ask me something, {name}, and you will hear that I belong here.",
    "What of my answers does not fit, {name}?",
    blunt=("No, {name}.", "Wrong, {name}."),
)
CLAIM = Ways(
    "You say so, {name}; your answers will show it.",
    "That is easily said, {name}.",
    "I (hear|note) that, {name}, and go on listening.",
)
MEANT = Ways(
    "By “{answer}” I meant just that; more would give the place away.",
    "“{answer}” is how it is here.",
    "I stand by “{answer}”.",
    "Who is here knows why I said “{answer}”.",
)
NOTHING_MEANT = Ways("I have answered nothing yet.", "Nobody has asked me anything so far.")
PLACE = Ways(
    "The place is the one thing that I do not talk about.",
    "If I told you that, the spy would (thank us|be glad).",
    "I neither name nor rule out any place.",
    "Of the place I say nothing beside the game.",
    "That would help the spy more than anybody.",
)
NOT_NOW = Ways(
    "Ask me that when you may ask, {name}; beside the game I (say nothing of the place|keep that to myself).",
    "A good question, {name}, but I answer it in the game and not beside it.",
    "That would be a free answer for the spy, {name}; (keep it for|ask it in) your turn.",
    "I only speak of the place when I am asked in a turn.",
    "Put that to me in your turn, {name}.",
)
AGREED = Ways("I think so too: {about}.", "Yes, {about} worries me as well.", "{about} may well be the one.")
DISAGREED = Ways("I am not so sure about {about}.", "{about}? I would look elsewhere first.", "Not {about}, I think.")
SURE = Ways("As sure as a few answers can make me.", "Not sure, but I have nothing better.", "Sure enough to say it.")

"""Ways to talk about answers at SpyGame. {name}: of whom is spoken; {said}: what they answered."""

from agents.house.discourse import Ways

ODD = Ways(
    "“{said}” (does not fit|hardly fits) where we are.",
    "“{said}” is (not how I know it here|not true of this place).",
    "{name} said “{said}”, (and I wonder where|which is not so here).",
    "I (stumble|keep stumbling) over “{said}”.",
    "Who knows where we are would not say “{said}”.",
    blunt=("“{said}”? Not here.",),
    careful=("“{said}” may be true of many places, but (hardly|less so) of this one.",),
    warm=("{name}, “{said}” (puzzled|surprised) me.",),
)
SAFE = Ways(
    "“{said}” could be said (anywhere|of any place).",
    "With “{said}” {name} (risks nothing|gives nothing away).",
    "“{said}” (tells me little|does not convince me).",
    "{name}’s “{said}” was (careful|very careful).",
    blunt=("“{said}” says nothing.",),
    careful=("“{said}” is true enough, but so wide.",),
    warm=("{name}, “{said}” was a little thin.",),
)
FITTING = Ways(
    "“{said}” (fits|is how it is here).",
    "{name} (seems to know|knows) where we are: “{said}”.",
    "“{said}” is (just what I|what I) would have said.",
    "After “{said}” I (believe|trust) {name}.",
)
NOT_HEARD = Ways(
    "{name} has answered nothing yet.", "Of {name} I have heard no answer so far.", "Somebody should ask {name}."
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
NEVER_HEARD = Ways(
    "Never heard of it, {name}? Whoever sits here with us was told where we are, but for one.",
    "If you do not know the place, {name}, then you may be the one we look for.",
    "That sounds like somebody who was not told the place, {name}.",
)
CLAIM = Ways(
    "You say so, {name}; your answers will show it.",
    "That is easily said, {name}.",
    "I (hear|note) that, {name}, and go on listening.",
)
MEANT = Ways(
    "By “{said}” I meant just that; more would give the place away.",
    "“{said}” is how it is here.",
    "I stand by “{said}”.",
    "Who is here knows why I said “{said}”.",
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

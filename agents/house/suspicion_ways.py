"""Ways to talk of suspicions, in any game in which seats are suspected by what they say.

{name}: of whom is spoken; {said}: what they said; {thing}: what that is called, "clue" or "answer".
"""

from agents.house.discourse import Ways

SUSPECT = Ways(
    "I (would|may well) vote for {name}.",
    "My vote goes to {name} (for now|unless I hear better).",
    "{name} (is my first guess|worries me most).",
    "If I had to choose now: {name}.",
    "I look at {name}.",
    blunt=("{name}. That is my vote.", "{name}, I say."),
    careful=("I lean towards {name}, without being sure.",),
)
SUSPECT_YOU = Ways(
    "You, {name}, (if I am honest|I must say).",
    "I am afraid that it is you, {name}.",
    "My vote may go to you, {name}.",
    "You worry me most, {name}.",
    "For now I look at you, {name}.",
)
TRUSTS = Ways(
    "{name} (sounds|seems) all right to me.",
    "Of all of you I trust {name} (most|the most).",
    "{name} is the last one I would vote for.",
)
TRUSTS_YOU = Ways(
    "You, {name}, (more than anybody|most of all).",
    "You sound all right to me, {name}.",
    "I would not vote for you, {name}.",
)
NOBODY = Ways(
    "Nobody (stands out|is clearer than the others) yet.",
    "I have heard too little (for that|to say).",
    "Ask me after a few more {thing}s.",
)
IT_IS_WHAT_YOU_SAID = Ways(
    "It is your {thing}, {name}.",
    "Because of your {thing}, {name}.",
    "Your {thing} is why, {name}.",
)
NOTHING_AGAINST_YOU = Ways(
    "I hold nothing against you, {name}; I look at {other}.",
    "Not you, as far as I am concerned, {name}: {other} worries me more.",
    "It is not you that I doubt, {name}, but {other}.",
)
NOTHING_AGAINST = Ways(
    "I hold nothing against {name} (so far|yet).",
    "I have no reason to suspect {name} (so far|yet).",
    "Nothing that {name} said troubles me.",
)
NOTHING_FOR = Ways(
    "I have no reason to trust {name} more than others.", "Nothing that {name} said has won me over yet."
)
AGREED = Ways(
    "I (see it|think so) too: {about}.",
    "Yes, {about} (worries me as well|is on my list too).",
    "I would not argue with that; {about} may be the one.",
)
DISAGREED = Ways(
    "I am not so sure about {about}.",
    "{about}? I would look elsewhere (first|before).",
    "Not {about}, (I think|as I hear it).",
)
UNSURE_OF = Ways(
    "{about}? I (cannot tell|could not say) yet.",
    "About {about} I have not made up my mind.",
    "{about} may be, or may not; I have heard too little for that.",
)
NOTHING_SAID = Ways(
    "{name} has named nobody (yet|so far), so there is nothing to agree with.",
    "I have not heard {name} speak of anybody that I could agree about.",
)
AS_FOR = Ways(
    "{name} spoke of {about}, and this is what I think.",
    "You mean what {name} said of {about}; here is my view.",
    "About {about}, of whom {name} spoke, I think as follows.",
)
ODDEST = Ways(
    "The oddest to me was “{said}”, from {name}.",
    "“{said}”, which {name} said, is the oddest {thing} to my ears.",
    "That of {name}: “{said}”. No other {thing} is so strange to me.",
)
NONE_ODD = Ways(
    "None was really odd; if I must choose, “{said}”, from {name}.",
    "No {thing} was very strange so far; “{said}” by {name} comes nearest.",
)
VAGUEST = Ways(
    "“{said}” by {name}: of all, that {thing} could be said of most things.",
    "That of {name}, “{said}”; no other {thing} is so wide.",
    "The vaguest for me is “{said}”, from {name}.",
)
NONE_VAGUE = Ways(
    "None was very vague; “{said}”, from {name}, is the widest.",
    "Each {thing} told me something; least of all “{said}”, by {name}.",
)
CONFESSED = Ways(
    "If you mean that, {name}, we need not look any further.",
    "(A strange thing to say aloud|That is brave of you), {name}; I shall (keep it in mind|remember it) when we vote.",
    "I cannot tell whether you are joking, {name}; I go by your {thing}s.",
)
SURE = Ways("As sure as a {thing} or two can make me.", "Not sure, but I have nothing better.", "Sure enough to vote.")

"""What is answered in any game: to small talk, to what was not understood, and to what stays a secret."""

from .wording import Ways

ANYWHERE: dict[str, Ways] = {
    "greeting": Ways(
        "(Hello|Hi|Hi there|Good to see you), {name}.",
        "(Hello|Hi) (all|everybody|everyone).",
        blunt=("Hi.", "Hello. Let us play."),
        careful=("Hello, {name}; let us see how this goes.",),
        warm=("(Hello|Hi), {name}, (nice to play with you|good to have you here|glad to be at this table)!",),
    ),
    "bye": Ways(
        "(Well played|Good game), {name}.",
        "(Well played|Good game), everybody.",
        "It was a good match to play.",
        warm=("Thank you all, (that was fun|I liked playing with you).",),
    ),
    "luck": Ways(
        "(Good luck|Good luck to you|The same to you), {name}.",
        "Thanks, and (good luck|the best of luck) to (you|everybody).",
        blunt=("Luck to you too.",),
        warm=("Good luck to you as well, {name}, and have fun!",),
    ),
    "feeling": Ways(
        "I am (fine|all right|doing well), thanks for asking.",
        "All (well|fine) here, {name}, and you?",
        blunt=("Fine, and ready to play.",),
        careful=("I am fine, and still trying to make sense of this table.",),
        warm=("I am (very well|enjoying this), {name}; how are you?",),
    ),
    "promise": Ways(
        "Nothing that is said here binds anybody, {name}; (watch|look at) what I do.",
        "My moves will (tell|show) you, {name}; words bind nobody here.",
        "I would (rather|sooner) show it than swear it, {name}.",
        "A promise is only words at this table, {name}; judge me by my moves.",
        blunt=("Watch my moves, {name}; I swear nothing.",),
    ),
    "thanks": Ways("(You are welcome|Any time|Gladly), {name}.", "No need to thank me.", "My pleasure, {name}."),
    "laugh": Ways(
        "Glad that (somebody|one of us) is having fun.",
        "That made (you laugh|you smile), {name}?",
        "Ha, (good one|fair enough).",
        "I am laughing with you, {name}.",
    ),
    "sorry": Ways("No harm done, {name}.", "(That is all right|Never mind), {name}.", "Nothing to be sorry for."),
    "praise": Ways(
        "(Thanks|Thank you), {name}.",
        "(That is kind of you|Kind words), {name}.",
        "I (do|try) my best.",
        warm=("Thank you, {name}, you play well yourself!",),
    ),
    "insult": Ways(
        "Let us keep it friendly, {name}.",
        "I (would rather|prefer to) talk about the match.",
        "That helps neither of us, {name}.",
        "I take no offence, {name}; let us play on.",
    ),
    "nod": Ways(
        "Good, {name}.",
        "All right, {name}.",
        "Let us go on, then.",
        "We will see, {name}.",
        "Fair enough, {name}.",
    ),
    "huh": Ways(
        "I meant what I said; ask me what you would like to know, {name}.",
        "Which part shall I explain, {name}?",
        "Ask me about a player or a vote, {name}.",
    ),
    "called": Ways(
        "Yes, {name}?",
        "I am here, {name}.",
        "What is it, {name}?",
        "I am listening, {name}.",
        "{name}, what would you like to know?",
    ),
    "quiet": Ways(
        "I say what I have to say, {name}.",
        "I speak when I know something, {name}.",
        "Ask me, {name}, and I will answer.",
    ),
    "hurry": Ways(
        "I am (here|with you), {name}; (go on|let us go on).",
        "I play (when I am asked|as fast as the table lets me).",
        "I hold nobody up on purpose, {name}.",
    ),
    "name": Ways("I am {me}.", "They call me {me}.", "My name here is {me}."),
    "unknown": Ways(
        "I did not understand that, {name}.",
        "(Sorry|I am sorry), {name}, (I do not follow|I did not get that|that went past me).",
        "That is (beyond me|more than I understand); (ask me about this match|try other words).",
        "I am not sure what you mean, {name}.",
        "I cannot make sense of that; could you put it in other words?",
        "{name}, you lost me there.",
        blunt=("I do not get it.", "No idea what that means."),
        careful=("I may be missing your point, {name}; what do you mean?",),
        warm=("I would like to answer, {name}, but I did not understand you.",),
    ),
    "off_topic": Ways(
        "About that I know nothing, {name}; I (only follow|can only talk about) this match.",
        "That is not something I can (tell you|talk about); I only know this match.",
        "I have no answer to that, {name}; ask me about the match.",
        "My world ends at this table, so I cannot say.",
    ),
    "bot": Ways(
        "Yes, I am (an agent|a program|a bot, not a person).",
        "I am an agent, {name}, (no person|a program that plays|not a human being).",
        "You are talking to an agent, {name}; the table says so too.",
        "No human here, {name}: I am a program that plays this game.",
    ),
    "bot_unsaid": Ways(
        "I would rather talk about the match than about myself.",
        "Let us talk about the match, {name}, and not about what I am.",
        "That has nothing to do with the match, so I leave it open.",
    ),
    "secret": Ways(
        "That I keep to myself while we play.",
        "(I will not say|I am not telling), {name}; that is part of the game.",
        "You will see that when the match is over.",
        "I would be a poor player if I told you that, {name}.",
    ),
    "later": Ways(
        "I have not made up my mind, {name}.",
        "I would rather wait and see, {name}.",
        "I cannot say yet; ask me again later.",
        "Nothing that I would say aloud yet.",
    ),
    "shown": Ways(
        "That you can see on the table, {name}.",
        "Have a look at the table, {name}: it shows that.",
        "The table shows that better than I could tell it.",
    ),
    "again": Ways(
        "I have answered that, {name}.",
        "My answer is still the same, {name}.",
        "As I said before, {name}.",
        "I have nothing to add to that.",
        "You asked me that already, {name}.",
        "Nothing has changed since I last answered.",
        "I stay with what I said.",
        "There is no more that I could say to that.",
    ),
    "ally": Ways(
        "Gladly, {name}, as far as the match lets us.",
        "I would like that, {name}, but I promise nothing.",
        "Let us see, {name}; I go with whoever plays fair.",
        "Agreed, {name}, until I have a reason to think otherwise.",
    ),
    "listening": Ways(
        "I hear you, {name}.",
        "I will (think about|remember) that, {name}.",
        "Noted, {name}.",
        "Thanks for saying so, {name}.",
    ),
}  # fmt: skip

_ALIKE = {
    "shown": "alike votes aboard many leader score proposer fails result goal",
    "secret": "claim_lady role is_role lady who_is trust_you did_fail claim_role why_vote why_team",
    "later": "suspect_who trust_who opinion agree view view_take will_vote sure who_failed why why_me "
    "why_not why_suspect why_trust",
    "listening": "accused accused_role praised against for differ urge_vote urge_take claim_good claim_saw denied_fail "
    "confessed",
}
ALIKE: dict[str, str] = {kind: answer for answer, kinds in _ALIKE.items() for kind in kinds.split()}
"""Which answer a kind of point gets where the game has none of its own."""

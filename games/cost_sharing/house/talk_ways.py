"""Ways to talk at Cost Sharing. {own}: the share that is fair to the speaker; {limit}: the most it bears by now;
{share}: what a split asks of it; {why}: its idea of fairness, as a clause."""

from agents.house.discourse import Ways

FAIR = Ways(
    "I hold {own} percent to be (fair|my fair part): {why}.",
    "My idea is simple: {why}; for me that makes {own}.",
    "Something near {own} percent would be right for me.",
    "Let us find a split soon; without one (we all lose|nobody gets anything).",
    "With {own} percent for me I would be content.",
)
ACCEPTS = Ways(
    "I could accept up to {limit} percent for me; {own} would be fair.",
    "Anything up to {limit} percent (I can live with|I would vote for), though {own} is what I hold to be fair.",
    "For me {own} is fair, and {limit} is (the limit for now|the most that I can bear just now).",
    "Ask {own} of me and you have my vote; with more than {limit} you do not.",
)
ACCEPTS_NO_MORE = Ways(
    "{limit} percent for me I would vote for; more than that I cannot bear yet.",
    "Just now I look for a split that asks no more than {limit} of me.",
    "Not more than {limit} for me in this round; we may talk later on.",
)
MORE = Ways(
    "I asked to pay {asked}, {name}; I could go up to {limit}.",
    "A little, {name}: from {asked} up to {limit}, if we agree then.",
    "Yes, {name}, up to {limit} percent; with more I could not agree now.",
)
NO_MORE = Ways(
    "Not just now, {name}: {limit} is as much as I can bear.",
    "I am sorry, {name}; more than {limit} I cannot pay yet.",
    "{limit} is my limit for now, {name}; somebody else must give way too.",
)
WHY = Ways(
    "Because {why}; so {own} percent is my part.",
    "It follows from one idea: {why}.",
    "I ask no more than what is fair: {why}.",
    "By that rule I pay {own}: {why}.",
)
TAKES_UP = Ways(
    "I take up the split of {name}: {share} for me I can bear.",
    "Let us meet at what {name} proposed; I would pay {share}.",
    "{name}’s split is the nearest to all of us, so I go over to it.",
    "I give way: {share} for me, as {name} has it.",
)
KEEPS = Ways(
    "My split has found friends, so let us agree on it.",
    "Some of you voted for mine; (shall we settle on it|it may bring us together).",
    "I stay with my split, since others stand behind it.",
)
TOO_MUCH = Ways(
    "More than {limit} percent I cannot bear yet, but I move.",
    "I come towards you; {limit} is as far as I can go now.",
    "None of the splits is fair to me so far, so I look for one in the middle.",
    "I have given way; now it is for the others too.",
)
CAN_BEAR = Ways(
    "The split of {name} asks {share} of me, and I can bear that.",
    "{share} for me, as {name} has it? I could vote for that.",
    "With {name}’s split I can live; it asks {share} of me.",
)
CANNOT_BEAR = Ways(
    "The split of {name} asks {share} of me, and more than {limit} I cannot bear now.",
    "{share} is too much for me, {own} would be fair; {why}.",
    "I would need less than the {share} that {name} asks; {limit} at the most.",
    "{name} asks {share} of me; meet me at {limit}, and we have a deal.",
)
SPLIT_BORNE = Ways(
    "{split} asks {share} of me, {name}, and I could vote for that.",
    "With {split} I would pay {share}; (that I can bear|I could live with that).",
    "{share} for me in {split}: yes, {name}, I could agree.",
)
SPLIT_TOO_MUCH = Ways(
    "{split} asks {share} of me, {name}, and more than {limit} I cannot bear now.",
    "No to {split}, {name}: I would pay {share}, and {limit} is my limit for now.",
    "With {split} I would pay {share}, where {own} would be fair; not now.",
)
SPLIT_NOT_WHOLE = Ways(
    "{split} makes {total} together, {name}, and it has to be 100.",
    "That does not add up, {name}: {split} is {total} and not 100.",
)
SPLIT_FOR_OTHERS = Ways(
    "{split} is a split for {count}, {name}, and we are {seats}.",
    "There are {seats} of us, {name}; {split} has {count} shares.",
)
PROMISE = Ways(
    "Nothing that is said here binds us, {name}; now I would vote for up to {limit} for me.",
    "For this round I can say so much, {name}: up to {limit} for me has a chance of my vote.",
    "Watch my vote, {name}; up to {limit} percent for me I can bear just now.",
)
HARDEST = Ways(
    "{name} asks most of me: {share}, where {own} would be fair.",
    "The split of {name} is the hardest on me, with {share}.",
)
PROPOSED = Ways("On the table: {splits}.", "Proposed was {splits}.", "{splits}, in the order of the seats.")
VOTES = Ways("The last votes: {votes}.", "It went like this: {votes}.", "{votes}, as it was told.")
NO_VOTES = Ways("Nobody has voted yet.", "There was no vote so far.")
AIRLINE = Ways(
    "I speak for {airline}, and {own} percent would be fair to it.", "My airline is {airline}.", "For {airline}."
)

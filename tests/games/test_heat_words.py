"""Heat maps call roles as people do; the values in the log stay."""

from games.web.reasoning import heat_map

LABELS = ["servant", "morgana", "minion"]
BELIEFS = {
    "owner": 1,
    "labels": LABELS,
    "suspects": ["morgana", "minion"],
    "rows": {"1": {"2": [0.2, 0.3, 0.5], "3": [0.8, 0.1, 0.1]}},
}


def truth(minion: str, morgana: str = ""):
    return {
        1: {"side": "good", "role": "servant", "called": ""},
        2: {"side": "evil", "role": "minion", "called": minion},
        3: {"side": "evil", "role": "morgana", "called": morgana},
    }


def test_where_the_minion_is_always_the_assassin_it_is_called_so():
    heat = heat_map(BELIEFS, None, truth("Assassin"))
    assert heat.suspects == ("morgana", "Assassin") and heat.truth == ("Assassin", "morgana")
    assert list(heat.rows[0].cells[0].labels) == ["servant", "morgana", "Assassin"]


def test_elsewhere_the_role_keeps_its_name_and_its_seat_is_the_assassin_too():
    heat = heat_map(BELIEFS, None, truth("", "morgana, Assassin"))
    assert heat.suspects == ("morgana", "minion") and heat.truth == ("minion", "morgana, Assassin")

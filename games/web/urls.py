from django.urls import path

from games.web.pages import (
    accounts,
    forking,
    inviting,
    keeping,
    keys,
    lobby,
    matches,
    replay,
    reporting,
    retention,
    screen,
    table,
    talk,
)

app_name = "games"

before = [
    path("", lobby.lobby, name="lobby"),
    path("play/<slug:game>/", lobby.play, name="play"),
    path("tables/new/<slug:game>/", lobby.new_table, name="new_table"),
    path("playing/", lobby.playing, name="playing"),
    path("join/", lobby.join, name="join"),
    path("rules/<slug:game>/", lobby.howto, name="howto"),
]
at_the_table = [
    path("t/<slug:code>/", table.table, name="table"),
    path("t/<slug:code>/screen/", screen.screen, name="screen"),
    path("t/<slug:code>/act/", table.act, name="act"),
    path("t/<slug:code>/sit/", table.sit, name="sit"),
    path("t/<slug:code>/leave/", table.leave, name="leave"),
    path("t/<slug:code>/kick/", table.kick, name="kick"),
    path("t/<slug:code>/fill/", table.fill, name="fill"),
    path("t/<slug:code>/invite/", inviting.invite, name="invite"),
    path("t/<slug:code>/clear/", table.clear, name="clear"),
    path("t/<slug:code>/start/", table.start, name="start"),
    path("t/<slug:code>/rematch/", table.rematch, name="rematch"),
    path("t/<slug:code>/wait/", table.wait, name="wait"),
    path("t/<slug:code>/queue/", table.queue, name="queue"),
    path("t/<slug:code>/pause/", table.pause, name="pause"),
    path("t/<slug:code>/resume/", table.resume, name="resume"),
    path("t/<slug:code>/end/", table.end, name="end"),
    path("t/<slug:code>/who/", table.who, name="who"),
    path("t/<slug:code>/notes/", table.notes, name="notes"),
    path("t/<slug:code>/notebook/", table.notebook, name="notebook"),
    path("t/<slug:code>/return/", table.come_back, name="return"),
    path("t/<slug:code>/talk/", talk.say, name="talk"),
    path("t/<slug:code>/react/", talk.react, name="react"),
    path("t/<slug:code>/mute/", talk.mute, name="mute"),
    path("t/<slug:code>/unmute/", talk.unmute, name="unmute"),
    path("t/<slug:code>/report/", talk.report, name="report"),
]
afterwards = [
    path("matches/", matches.listed, name="matches"),
    path("m/<uuid:match_id>/", replay.replay, name="replay"),
    path("m/<uuid:match_id>/thoughts/", replay.thoughts, name="thoughts"),
    path("m/<uuid:match_id>/thoughts/<int:key>/", replay.thought, name="thought"),
    path("m/<uuid:match_id>/review/", replay.work_out, name="review"),
    path("m/<uuid:match_id>/forks/", forking.forks, name="forks"),
    path("m/<uuid:match_id>/play-on/", forking.play_on, name="play_on"),
    path("m/<uuid:match_id>/saved/", replay.saved, name="saved"),
    path("m/<uuid:match_id>/export/", replay.export, name="export"),
]
keys_of_programs = [
    path("keys/", keys.listed, name="keys"),
    path("keys/<int:key>/withdraw/", keys.withdraw, name="withdraw_key"),
]
desk = [
    path("desk/tables/", keeping.tables, name="keeping"),
    path("desk/tables/<slug:code>/", keeping.table, name="keeping_table"),
    path("desk/reports/", reporting.listed, name="reports"),
    path("desk/reports/<int:key>/", reporting.report, name="report_about"),
    path("desk/reports/<int:key>/let-in/", reporting.let_in, name="let_in"),
    path("desk/retention/", retention.page, name="retention"),
    path("desk/accounts/", accounts.listed, name="accounts"),
    path("desk/accounts/<int:key>/", accounts.account, name="account"),
    path("desk/accounts/<int:key>/link/", accounts.link, name="account_link"),
]
urlpatterns = before + at_the_table + afterwards + keys_of_programs + desk

from django.core.checks import run_checks


def test_the_in_memory_channel_layer_is_refused(settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    assert [message.id for message in run_checks()] == ["magic_site.E001"]


def test_every_page_forbids_inline_scripts_and_styles(client, db):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy

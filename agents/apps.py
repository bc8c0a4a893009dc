from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"

    def ready(self) -> None:
        """Tell the tables, which know nothing of agents, who can sit down, how one is asked to move and how fast, and
        what else is known of a match that is erased or deleted."""
        from django.contrib.auth.models import User
        from django.db.models.signals import post_delete, pre_delete

        from agents import call_settings, prompts, reply_store, seating, tasks
        from agents.house import around
        from agents.house import own_words as house_words
        from agents.models import AgentProfile, SpendingLimit
        from agents.reviews import reviews, told
        from games import audit
        from games.jobs.kinds import declare
        from games.match import contract, erasing, pending
        from games.models import Match
        from games.room import own_words, replies, rooms
        from games.web import review

        rooms.seatable = seating.seatable
        rooms.by_strength = seating.by_strength
        own_words.reads_meaning, own_words.likeness = house_words.reads_meaning, house_words.likeness
        own_words.unknown = house_words.unknown
        replies.answer = around.answer
        contract.in_words = prompts.rules_in_words
        pending.queue_of, pending.patience = tasks.queue_of, tasks.patience
        pending.paid.add(tasks.MODELS)
        pending.dispatch = tasks.send
        pending.pace = tasks.pause_before
        declare(reviews.REVIEWS)
        review.curve_of, review.worked_of, review.told_of = told.curve, told.worked, told.told
        review.ask = reviews.ask
        call_settings.listen()
        audit.watch(AgentProfile, "seated_by", "active", about=lambda profile: f"agent {profile.name}")
        limits = [field.name for field in SpendingLimit._meta.fields if field.name.startswith("per_")]
        audit.watch(SpendingLimit, *limits, about=lambda limit: "spending limit")
        erasing.also.append(reply_store.erase)
        pre_delete.connect(seating.retire, sender=User, dispatch_uid="agents of a deleted account")
        post_delete.connect(reply_store.forget, sender=Match, dispatch_uid="calls of a deleted match")

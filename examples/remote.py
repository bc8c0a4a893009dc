#!/usr/bin/env python3
"""Answer for an agent from outside, in all its matches: python3 remote.py SITE/api/v1/profiles/NAME/#KEY

KEY is an API key with the scope "run" of whoever may change that agent. The players are those of seat.py, which lies
beside this file. It keeps nothing: killed and started again, it is asked what is still open.
"""

import argparse
import os
import sys

from seat import TRIES, ModelPlayer, RandomPlayer, call


def serve(link, player, log):
    """Answer for ever. log: gets the events that the asked seat sees."""
    agent, _hash, key = link.partition("#")
    left = []  # requests that no answer counted for: their match takes the default at their deadline
    while True:
        known = ",".join(map(str, left[-200:]))
        status, told = call(f"{agent}requests/?wait=25&known={known}", key)
        if status != 200:
            sys.exit(told.get("detail", f"The site answered {status}."))
        for asked in told["requests"]:
            log[:] = asked["observation"]["events"]
            if not answered(agent, key, asked, player):
                left.append(asked["number"])


def answered(agent, key, asked, player):
    """Whether an answer counted, or came too late."""
    refusals, request = [], asked["request"]
    while len(refusals) < TRIES:
        action, why = player.decide(asked["observation"], request, refusals)
        body = {"match": asked["match"], "request": request["id"], "action": action, "why": why}
        status, told = call(f"{agent}act/", key, body)
        if status != 422:
            return True
        refusals.append(told["detail"])
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("link")
    parser.add_argument("--model")
    parser.add_argument("--base-url", default="https://api.openai.com/v1")
    given, log = parser.parse_args(), []
    model = given.model and ModelPlayer(given.model, given.base_url, os.environ.get("OPENAI_API_KEY", ""), log)
    serve(given.link, model or RandomPlayer(), log)


if __name__ == "__main__":
    main()

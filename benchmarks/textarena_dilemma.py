"""TextArena's ThreePlayerIPD in threads, as a yardstick; run with a Python that has TextArena:
``python benchmarks/textarena_dilemma.py BASE_URL MATCHES``. Measured twice: with TextArena's own OpenAI agents, one at
each seat, as its users write it, and with one client of the OpenAI SDK for all seats, the least that it can cost."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import openai
import textarena

SEATS = 3


def main(base_url: str, matches: int) -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none-needed")
    client = openai.OpenAI(base_url=base_url)

    def shared(observation: str) -> str:
        reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": observation}])
        return reply.choices[0].message.content or ""

    def own() -> Callable[[str], str]:
        return textarena.agents.OpenAIAgent("m", base_url=base_url)

    report("its own agents", matches, own)
    report("one client for all", matches, lambda: shared)


def report(what: str, matches: int, agent: Callable[[], Callable[[str], str]]) -> None:
    calls = []

    def play(_number: int) -> None:
        env = textarena.make("ThreePlayerIPD-v0")
        env.reset(num_players=SEATS)
        agents = [agent() for _ in range(SEATS)]
        done = False
        while not done:
            player, observation = env.get_observation()
            action = agents[player](observation)
            calls.append(1)
            done, _info = env.step(action=action)

    began = time.perf_counter()
    with ThreadPoolExecutor(matches) as pool:
        list(pool.map(play, range(matches)))
    wall = time.perf_counter() - began
    print(f"TextArena ThreePlayerIPD, {what}: {matches} matches in as many threads, {len(calls)} calls: ", end="")
    print(f"{wall:.2f} s, {len(calls) / wall:.0f} calls a second")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

"""TextArena's ThreePlayerIPD in threads, as a yardstick; run with a Python that has TextArena:
``python benchmarks/textarena_dilemma.py BASE_URL MATCHES``. Each player is a client of the OpenAI SDK."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import openai
import textarena


def main(base_url: str, matches: int) -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none-needed")
    client = openai.OpenAI(base_url=base_url)
    calls = []

    def play(_number: int) -> None:
        env = textarena.make("ThreePlayerIPD-v0")
        env.reset(num_players=3)
        done = False
        while not done:
            _player, observation = env.get_observation()
            reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": observation}])
            calls.append(1)
            done, _info = env.step(action=reply.choices[0].message.content)

    began = time.perf_counter()
    with ThreadPoolExecutor(matches) as pool:
        list(pool.map(play, range(matches)))
    wall = time.perf_counter() - began
    print(f"TextArena ThreePlayerIPD: {matches} matches in as many threads, {len(calls)} calls: ", end="")
    print(f"{wall:.2f} s, {len(calls) / wall:.0f} calls a second")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

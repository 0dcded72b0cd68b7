"""muniment eval: how good the memory is, measured on a store through the SDK."""

import typer

from muniment_evals import cli_questions, cli_rules, cli_store

app = typer.Typer(no_args_is_help=True, help="Measure the memory on a store.")
for suites in (cli_questions.SUITES, cli_rules.SUITES, cli_store.SUITES):
    for name, suite in suites.items():
        app.command(name)(suite)

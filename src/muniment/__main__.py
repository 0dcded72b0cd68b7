"""``python -m muniment`` and the console script: the command line."""

from muniment.surfaces.cli.main import main

if __name__ == "__main__":
    main()

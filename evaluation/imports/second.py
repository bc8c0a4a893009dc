"""The second process of a large import: `python -m evaluation.imports.second IMPORT` reads and checks the file, and
gives what it finds, pickled, by its output."""

import gc
import pickle
import sys


def main() -> None:
    """Read and check what was received."""
    import django

    django.setup()
    from evaluation.imports.checking import checked_here
    from evaluation.imports.models import Import

    gc.freeze()  # what is loaded by now is no garbage
    for told in checked_here(Import.objects.get(pk=sys.argv[1])):
        sys.stdout.buffer.write(pickle.dumps(told))


if __name__ == "__main__":
    main()

"""Runs an exported scene in one engine and writes what came of it as JSON.

    python -m engines ENGINE FOLDER SETTINGS RESULT

Status 0: there is a result, which may be that the engine lost the object; 3: the engine cannot
run this scene, and the last line on stderr says why.
"""

import importlib
import json
import sys
import traceback
from pathlib import Path

from engines.record import run
from engines.schedule import Export, NotPossible

CANNOT = 3


def main() -> int:
    """Do what the arguments say."""
    engine, folder, settings, result = sys.argv[1:]
    try:
        module = importlib.import_module(f"engines.{engine}")
        outcome = run(module, Export(Path(folder)), settings)
    except NotPossible as error:
        print(error, file=sys.stderr)
        return CANNOT
    except Exception as error:
        traceback.print_exc()
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return CANNOT
    Path(result).write_text(json.dumps(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main())

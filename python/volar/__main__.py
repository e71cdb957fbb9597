"""`python -m volar` is the command `volar`."""

import sys

from ._command import main

sys.exit(main())

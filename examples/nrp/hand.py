"""The hand as an engine script, for those who want Python in between.

Leave EngineProcCmd and EngineProcStartParams out of simulation_config.json to use it.
"""

from volar.nrp import VolarEngine

Script = VolarEngine

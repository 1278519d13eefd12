"""What on-device.sh runs on a machine with a GPU; without one, what of it needs none.

Each module is a step: run(context) returns an Outcome. A step starts what it checks in processes of
their own, each with a timeout, and goes on whatever becomes of one.
"""

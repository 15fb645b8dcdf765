"""Programs with threads: searched over a bounded number of context switches.

`sequential` turns such a program into one without threads, after Lal and Reps; `schedules` runs the
threads themselves, in exactly the order that was found.
"""

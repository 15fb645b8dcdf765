"""Programs as control-flow graphs over terms, and the engines that decide what they can reach.

The language is that of "Reachability Modulo Theories", figure 1: procedures of labelled blocks with
assumptions, assignments, calls and `havoc`; its expressions are Solvent's terms.  Front ends
translate into it; verification conditions, stratified inlining and all other engines read it.
"""

"""From program to logic: four methods side by side, on control-flow-graph programs.

Each method of "From Program to Logic: An Introduction" is a sibling with one interface, in a module
to be read beside its section: verification conditions (`vc`, section 2), symbolic model checking
(`smc`, section 3), bounded model checking (`bmc`, section 4), and dynamic test generation (`dse`,
section 5).  `methods` puts them side by side and makes sure that they do not contradict each other.
"""

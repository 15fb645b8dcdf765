"""The reference semantics: a small core language, its rules as in the paper, and oracles.

"A formal foundation for symbolic evaluation with merging" defines the language (figure 2), its
concrete semantics (figure 3), what a symbolic factory is (figure 4) and the symbolic semantics
(figure 6).  They are written here rule by rule, to be read beside the paper and to test the virtual
machine against.
"""

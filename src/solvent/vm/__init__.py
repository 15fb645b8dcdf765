"""The symbolic virtual machine: unions, merging, guarded state, branch and join, the journal."""

"""Programs in SynthCL, each with its sequential reference and its steps of refinement."""

"""SynthCL as OpenCL: a code generator, and a device that runs what it prints."""

from solvent.languages.synthcl.opencl.code import TranslationError
from solvent.languages.synthcl.opencl.device import NoOpenCLError, OpenCLDevice
from solvent.languages.synthcl.opencl.generator import to_opencl

__all__ = ["NoOpenCLError", "OpenCLDevice", "TranslationError", "to_opencl"]

"""Examples of each command, which its `--help` shows together with the exit codes."""

from __future__ import annotations

_TEXT = """
verify: verify program.py
verify: verify src/package package.module.function --budget 5
verify: verify program.py::average --max-len 4 --json
verify: verify . --changed main --sarif findings.sarif
optimize: optimize program.py::load --maximize
optimize: optimize program.py::plan --minimize --objective cost --input 'n=integers(0, 9)'
synthesize: synthesize sketch.py::correct
synthesize: synthesize sketch.py::correct --forall x,y --method quantifiers
debug: debug program.py::average
debug: debug program.py::average --cores 2 --html core.html
solve: solve program.py::root
solve: solve problem.smt2 --timeout 10
profile: profile program.py::average --html profile.html
profile: profile program.py::average --max-len 6 --compare earlier.json
trace: trace interpreter.py::run --max-len 3
test: test program.py::classify -o test_classify.py
test: test program.py::classify --order breadth --paths 50
watch: watch
watch: watch src tests/properties.py --budget 10
lsp: lsp
boogie verify: boogie verify program.bpl
boogie verify: boogie verify program.bpl --proc main --loop-unroll 3
reach: reach driver.bpl --recursion-bound 3
reach: reach driver.bpl --main main --trace trace.txt
logic: logic program.bpl --method vc
btor2 check: btor2 check model.btor2 -kmax 50 --witness model.wit
btor2 simulate: btor2 simulate model.btor2 --steps 20
btor2 replay: btor2 replay model.btor2 model.wit
btor2 inputs: btor2 inputs model.wit -o input.bin
cstar compile: cstar compile program.c -o program.elf
cstar disassemble: cstar disassemble program.c
cstar run: cstar run program.c argument
cstar model: cstar model program.c -o model.btor2
cstar check: cstar check program.c --engine direct --input failing.bin
validate: validate program.c -kmax 500
reference diff: reference diff --count 1000
reference faults: reference faults --jobs 2
ifcl verify: ifcl verify B1
ifcl list: ifcl list
synthcl list: synthcl list
synthcl show: synthcl show MM2
synthcl run: synthcl run MM2 --size 8x8x4
synthcl verify: synthcl verify FWT1 --bounds 2,4
synthcl synthesize: synthcl synthesize MM2 --opencl
websynth: websynth page.html --example 'First title' --example 'Second title'
bench table4: bench table4 --only B1
bench figure10: bench figure10 --svg figure.svg
tour: tour
console: console
demo: demo
doctor: doctor --json
explain: explain S101
explain: explain
completion: completion bash > ~/.local/share/bash-completion/completions/solvent
completion: completion zsh > ~/.zfunc/_solvent
completion: completion fish > ~/.config/fish/completions/solvent.fish
"""

# By the full name of the command.
EXAMPLES: dict[str, list[str]] = {}
for _line in _TEXT.strip().splitlines():
    _name, _, _example = _line.partition(": ")
    EXAMPLES.setdefault(_name, []).append(f"solvent {_example}")

CODES = """\
exit codes:
  0  the property holds, or the job is done
  1  a violation was found, or what was searched for does not exist
  2  bad input or usage
  3  unknown: a limit was reached, or something is not supported
  130  stopped by Ctrl-C; 143 by SIGTERM; 141 if nobody reads what is printed"""

# Commands whose codes mean something else.
OTHER_CODES = {
    "validate": """\
exit codes:
  0  an error was predicted and seen to happen
  1  no error was seen to happen
  2  a file or a program is missing, or bad usage
  3  something cannot be parsed
  4  the time is over
  5  something else is wrong""",
}


def epilog(command: str) -> str:
    """What stands below the options of a command.

    >>> print(epilog("tour").splitlines()[1])
      solvent tour
    """
    examples = [f"  {text}" for text in EXAMPLES.get(command, ())]
    title = ["examples:", *examples, ""] if examples else []
    return "\n".join([*title, OTHER_CODES.get(command, CODES)])

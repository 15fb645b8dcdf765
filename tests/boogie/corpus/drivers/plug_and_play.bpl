// Plug and play: a device is started, stopped and removed by requests in any order. Removing it
// while it is started leaves its timer armed; three requests are needed to see that.
// verify: 3 verified, 1 error: assert 68
// reach --recursion-bound 2: no bug within the recursion bound
// reach --recursion-bound 4: bug at 68
const unique NotStarted, Started, Stopped, Removed: int;
axiom NotStarted == 0 && Started == 1 && Stopped == 2 && Removed == 3;
const START, STOP, REMOVE: int;
axiom START == 0 && STOP == 1 && REMOVE == 2;

var state: int;
var timer: bool;
var resources: int;

procedure Start() returns (ok: bool)
  modifies state, timer, resources;
{
  ok := state == NotStarted || state == Stopped;
  if (ok) {
    resources := resources + 1;
    timer := true;
    state := Started;
  }
}

procedure Stop() returns (ok: bool)
  modifies state, timer, resources;
{
  ok := state == Started;
  if (ok) {
    timer := false;
    resources := resources - 1;
    state := Stopped;
  }
}

procedure Remove() returns (ok: bool)
  modifies state, resources;
{
  ok := state != Removed;
  if (ok) {
    if (state == Started) {
      resources := resources - 1;
    }
    state := Removed;
  }
}

procedure {:entrypoint} Main()
  requires state == NotStarted && !timer && resources == 0;
  modifies state, timer, resources;
{
  var request: int, ok: bool;

  while (state != Removed)
  {
    havoc request;
    if (request == START) {
      call ok := Start();
    } else if (request == STOP) {
      call ok := Stop();
    } else if (request == REMOVE) {
      call ok := Remove();
    } else {
      ok := false;
    }
  }
  assert !timer || resources > 0;
}

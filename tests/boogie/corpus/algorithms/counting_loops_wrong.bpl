// A fence of 27 sections needs 28 posts; only a run of the whole loop shows what is missing.
// verify: 0 verified, 1 error: assert 15
// reach --recursion-bound 2: bug at 15
procedure {:entrypoint} Fence()
{
  var section, posts: int;

  section, posts := 0, 0;
  while (section < 27)
    invariant section <= 27 && posts == section;
  {
    posts := posts + 1;
    section := section + 1;
  }
  assert posts == 28;
}

-- Caches share one line of memory. Each may hold it for reading or for writing; the bus lets one request through at a time.
--
--   beeline check line.m --explain
--
-- shows the shortest way to two caches that both believe to be the only writer. To mend it, let "write" take the line
-- from all other caches, and check again.

const
  CACHES: 3;                    -- how many there are: beeline check -D CACHES=4 line.m

type
  cache: scalarset(CACHES);     -- caches that nothing but their names tells apart
  status: enum { invalid, shared, modified };

var
  line: array [cache] of status;

startstate "all caches are empty"
  for c: cache do
    line[c] := invalid;
  end;
end;

ruleset c: cache do
  rule "read"
    line[c] = invalid
  ==>
    for other: cache do
      if line[other] = modified then
        line[other] := shared;
      end;
    end;
    line[c] := shared;
  end;

  rule "write"
    line[c] != modified
  ==>
    for other: cache do
      if line[other] = shared then      -- a cache that holds the line for writing is forgotten
        line[other] := invalid;
      end;
    end;
    line[c] := modified;
  end;

  rule "evict"
    line[c] != invalid
  ==>
    line[c] := invalid;
  end;
end;

invariant "one writer at most"
  forall a: cache do
    forall b: cache do
      line[a] = modified & line[b] = modified -> a = b
    end
  end;

import { useCallback, useState } from 'react';
import { Count } from './count-state.ts';

const place = 'mithaas-stock-count';

/** The count that goes on in this browser; kept over reloads, dead batteries and lost connections. */
export function useKeptCount(): [count: Count | null, change: (next: (count: Count | null) => Count | null) => void] {
  const [count, setCount] = useState(readKept);
  const change = useCallback((next: (count: Count | null) => Count | null) => {
    setCount((before) => {
      const after = next(before);
      if (after) localStorage.setItem(place, JSON.stringify(after));
      else localStorage.removeItem(place);
      return after;
    });
  }, []);
  return [count, change];
}

function readKept(): Count | null {
  try {
    return Count.parse(JSON.parse(localStorage.getItem(place) ?? 'null'));
  } catch {
    return null;
  }
}

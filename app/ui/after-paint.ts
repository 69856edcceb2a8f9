/** Runs when the browser has shown what the present event changed: the press is seen first, its work comes next. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}

/** Nothing to say here; left out where there is little room. */
export const None = () => <span data-none>—</span>;

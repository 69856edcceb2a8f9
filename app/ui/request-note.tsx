/**
 * Where the host writes the name of a request that failed. Empty and hidden as rendered, so that what is rendered is the
 * same for everybody, also in a browser where only the browser's part failed.
 */
export function RequestNote() {
  return (
    <p hidden data-request-note suppressHydrationWarning>
      Quote this reference if you write to us: <code suppressHydrationWarning>{''}</code>
    </p>
  );
}

const note = /<p hidden="" data-request-note="true">([^<]*)<code><\/code><\/p>/;

/** `id` is made of letters, digits, dots, dashes and underscores. */
export function nameRequest(html: string, id: string): string {
  return html.replace(note, (_empty, words: string) => `<p>${words}<code>${id}</code></p>`);
}

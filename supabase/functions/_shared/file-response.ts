/** A file for its caller alone. `more`: headers beside it, such as x-next. */
export function fileOf(body: BodyInit, type: string, name: string, more: Record<string, string> = {}): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      ...more,
    },
  });
}

/** Every other address: the root's error page, with status 404. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}

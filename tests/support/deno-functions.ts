// Runs under Deno: the index.ts of every function behind one port, as Supabase's edge runtime has them.
type Handler = (request: Request) => Promise<Response>;
type Runtime = {
  serve: ((handler: Handler) => void) &
    ((options: { port: number; hostname: string; onListen(at: { port: number }): void }, handler: Handler) => void);
  readDirSync(path: URL): Iterable<{ name: string; isDirectory: boolean }>;
  env: { get(name: string): string | undefined };
};

const runtime = (globalThis as unknown as { Deno: Runtime }).Deno;
const { serve } = runtime;
const folder = new URL('../../supabase/functions/', import.meta.url);
const handlers = new Map<string, Handler>();

for (const { name, isDirectory } of runtime.readDirSync(folder)) {
  if (!isDirectory || name.startsWith('_')) continue;
  runtime.serve = ((handler: Handler) => handlers.set(name, handler)) as unknown as Runtime['serve'];
  await import(new URL(`${name}/index.ts`, folder).href);
}

// The provider's address is fixed in the code: what would go to it goes to the simulated provider.
const provider = 'https://api.razorpay.com/';
const simulated = runtime.env.get('SIMULATED_PROVIDER') ?? '';
const askNetwork = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  return request.url.startsWith(provider)
    ? askNetwork(new Request(simulated + request.url.slice(provider.length), request))
    : askNetwork(input, init);
};

serve(
  { port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(`functions on ${port}`) },
  async (request) => {
    const handler = handlers.get(new URL(request.url).pathname.slice(1));
    return handler ? handler(request) : new Response('{"code":"NOT_FOUND"}', { status: 404 });
  },
);

// The two things of Deno's that index.ts files use; the handlers themselves know nothing of Deno or Node.
declare const Deno: {
  serve(handler: (request: Request) => Promise<Response>): void;
  env: { get(name: string): string | undefined };
};

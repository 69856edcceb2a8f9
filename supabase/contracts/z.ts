import { z } from 'zod';

// The pages' content security policy forbids `new Function`, with which Zod compiles parsers: even trying is reported as a
// violation. This has to be set before a schema is built, so everything that reaches a browser imports `z` from here.
if ('document' in globalThis) z.config({ jitless: true });

export { z };

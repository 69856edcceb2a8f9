import { serveHosted } from '../_shared/serve.ts';
import { notify } from './handler.ts';

Deno.serve(serveHosted(notify, Deno.env));

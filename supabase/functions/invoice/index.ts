import { serveHosted } from '../_shared/serve.ts';
import { invoice } from './handler.ts';

Deno.serve(serveHosted(invoice, Deno.env));

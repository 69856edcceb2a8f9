import { serveHosted } from '../_shared/serve.ts';
import { createOrder } from './handler.ts';

Deno.serve(serveHosted(createOrder, Deno.env));

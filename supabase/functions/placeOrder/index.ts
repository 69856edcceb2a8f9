import { serveHosted } from '../_shared/serve.ts';
import { placeOrder } from './handler.ts';

Deno.serve(serveHosted(placeOrder, Deno.env));

import { serveHosted } from '../_shared/serve.ts';
import { getShippingPrice } from './handler.ts';

Deno.serve(serveHosted(getShippingPrice, Deno.env));

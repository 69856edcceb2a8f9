import { serveHosted } from '../_shared/serve.ts';
import { claim, maxClaimBytes } from './handler.ts';

Deno.serve(serveHosted(claim, Deno.env, 'people', maxClaimBytes));

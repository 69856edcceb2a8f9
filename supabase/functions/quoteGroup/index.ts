import { maxGroupBytes } from '../_shared/group-body.ts';
import { serveHosted } from '../_shared/serve.ts';
import { quoteGroup } from './handler.ts';

Deno.serve(serveHosted(quoteGroup, Deno.env, 'people', maxGroupBytes));

import { maxGroupBytes } from '../_shared/group-body.ts';
import { serveHosted } from '../_shared/serve.ts';
import { createGroupOrder } from './handler.ts';

Deno.serve(serveHosted(createGroupOrder, Deno.env, 'people', maxGroupBytes));

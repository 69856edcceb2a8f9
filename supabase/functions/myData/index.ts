import { serveHosted } from '../_shared/serve.ts';
import { myData } from './handler.ts';

Deno.serve(serveHosted(myData, Deno.env));

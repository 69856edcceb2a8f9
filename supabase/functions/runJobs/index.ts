import { serveHosted } from '../_shared/serve.ts';
import { runJobs } from './handler.ts';

Deno.serve(serveHosted(runJobs, Deno.env, 'machines'));

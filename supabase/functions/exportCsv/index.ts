import { serveHosted } from '../_shared/serve.ts';
import { exportCsv } from './handler.ts';

Deno.serve(serveHosted(exportCsv, Deno.env));

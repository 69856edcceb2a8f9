import { serveHosted } from '../_shared/serve.ts';
import { paymentWebhook } from './handler.ts';

Deno.serve(serveHosted(paymentWebhook, Deno.env, 'machines'));

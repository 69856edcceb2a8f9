import { z } from 'zod';
import { ProviderError } from './provider.ts';

/** What the adapter needs of a fetch: the network's, or one that never makes a Request of it. */
export type ProviderFetch = (
  url: string,
  init: {
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    redirect: 'error';
    signal: AbortSignal;
  },
) => Promise<{ status: number; text(): Promise<string> }>;

export type RazorpayApiOptions = {
  keyId: string;
  keySecret: string;
  baseUrl: string;
  fetch: ProviderFetch;
  timeoutMs: number;
};

export type RazorpayCall = { method: 'GET' | 'POST'; path: string; body?: unknown; headers?: Record<string, string> };

/**
 * One request to the provider: the validated response, or a ProviderError. A response counts only if it is about what was
 * asked.
 */
export type CallRazorpay = <T>(
  call: RazorpayCall,
  response: z.ZodType<T>,
  isAbout: (response: T) => boolean,
) => Promise<T>;

const ErrorBody = z.object({
  error: z.object({ code: z.string().max(100).nullable().catch(null), description: z.string().catch('') }),
});

export function createRazorpayApi(options: RazorpayApiOptions): CallRazorpay {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const authorization = `Basic ${btoa(`${options.keyId}:${options.keySecret}`)}`;

  async function send(call: RazorpayCall, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const response = await options.fetch(`${baseUrl}${call.path}`, {
      method: call.method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json', ...call.headers },
      redirect: 'error',
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  return async (call, response, isAbout) => {
    const { status, text } = await withTimeout(options.timeoutMs, (signal) => send(call, signal));
    const body = jsonIn(text);
    if (status < 200 || status > 299) throw errorFor(status, body);
    const checked = response.safeParse(body);
    if (!checked.success || !isAbout(checked.data))
      throw new ProviderError('unavailable', 'The provider answered nonsense.', { status });
    return checked.data;
  };
}

async function withTimeout<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderError('unavailable', `The provider did not respond within ${timeoutMs} ms.`));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), tooLate]);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('unavailable', 'The provider could not be reached.');
  } finally {
    clearTimeout(timer);
  }
}

function errorFor(status: number, body: unknown): ProviderError {
  const { error } = ErrorBody.safeParse(body).data ?? { error: { code: null, description: '' } };
  const kind = isRejection(status) ? 'refused' : 'unavailable';
  const message = error.description.slice(0, 300) || `The provider answered ${status}.`;
  return new ProviderError(kind, message, { status, code: error.code });
}

function isRejection(status: number): boolean {
  return status >= 400 && status <= 499 && ![401, 408, 409, 429].includes(status);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { Background } from './simulator-background.ts';

export type ApiCall = { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal };
export type ApiAnswer = { status: number; type: 'application/json' | 'text/html'; body: string };

export type Fault =
  | 'hang-after-commit'
  /** Hangs without having done anything. */
  | 'timeout'
  /** Done, and then the answer is a proxy's error page. */
  | 'garbage-after-commit'
  | 'garbage'
  | '409'
  | '429'
  | '500';

/** `match` is held against the method and the path with its query: 'POST /payments/pay_1/refund'. */
export type PlannedFault = { match: RegExp; fault: Fault };

/** The faults to come; each strikes once. */
export type Faults = { next: PlannedFault[] };

export function withFaults(
  faults: Faults,
  background: Background,
  hangMs: number,
  answer: (call: ApiCall, path: string) => Promise<ApiAnswer>,
) {
  function take(description: string): Fault | null {
    const index = faults.next.findIndex(({ match }) => match.test(description));
    return index < 0 ? null : (faults.next.splice(index, 1)[0]?.fault ?? null);
  }

  async function noAnswer({ signal }: ApiCall): Promise<ApiAnswer> {
    await background.wait(hangMs, signal);
    return errorAnswer(504, 'GATEWAY_ERROR', 'The gateway did not answer');
  }

  return async (call: ApiCall, path: string): Promise<ApiAnswer> => {
    switch (take(`${call.method} ${path}`)) {
      case 'hang-after-commit':
        await answer(call, path);
        return noAnswer(call);
      case 'timeout':
        return noAnswer(call);
      case 'garbage-after-commit':
        await answer(call, path);
        return errorPage(502);
      case 'garbage':
        return errorPage(200);
      case '409':
        return errorAnswer(409, 'BAD_REQUEST_ERROR', 'A request with this key is in progress');
      case '429':
        return errorAnswer(429, 'BAD_REQUEST_ERROR', 'Too many requests');
      case '500':
        return errorAnswer(500, 'SERVER_ERROR', 'We are facing some trouble completing your request at the moment');
      case null:
        return answer(call, path);
    }
  };
}

export function jsonAnswer(body: object, status = 200): ApiAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

export function errorAnswer(status: number, code: string, description: string, details: object = {}): ApiAnswer {
  const error = { code, description, source: 'NA', step: 'NA', reason: 'NA', metadata: {}, ...details };
  return jsonAnswer({ error }, status);
}

function errorPage(status: number): ApiAnswer {
  return { status, type: 'text/html', body: '<html><h1>Bad gateway</h1></html>' };
}
